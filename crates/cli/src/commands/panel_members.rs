//! The judges whose labels are combined, and notes about panels.

use anyhow::Result;
use llull::core::Scale;
use llull::label::{GradeMap, LowerMiddle};
use llull::report::text::counted;
use llull::{JudgePanel, PanelMember, lower_middle_effect};

use super::Context;
use crate::args::LabelArgs;
use crate::exit::{Usage, refuse};

/// The note about a panel without human labels.
pub(super) const UNKNOWN_WORTH: &str = "without human labels nobody knows whether the panel is better than its \
    best judge: label a random sample by hand (llull sample) and give it as --truth";

/// The judges' files, each with its scale. A file's labels join those of the others before the next is read.
pub(super) fn members(context: &Context, args: &LabelArgs) -> Result<JudgePanel> {
    super::one_standard_input(&args.qrels)?;
    let scales = scales(args)?;
    let mut members = JudgePanel::default();
    for file in &args.qrels {
        let mut labels = super::named_labels(
            context,
            file,
            &args.qrels,
            args.label_reading.options(&context.global.columns),
        )?;
        if let Some(clamp) = args.clamp {
            let clamped = clamp.apply_to(&labels.qrels);
            if clamped.1 > 0 {
                let stray = counted(clamped.1, "label");
                context.printer.note(format!("{}: {stray} beyond {clamp} moved to its end", labels.name));
            }
            labels.qrels = clamped.0;
        }
        let named = |(name, _): &&(Option<String>, GradeMap)| {
            name.as_ref().is_some_and(|name| *name == labels.name || *name == labels.source)
        };
        let scale = scales.iter().find(named).or_else(|| scales.iter().find(|(name, _)| name.is_none()));
        members.add(PanelMember { labels, scale: scale.map(|(_, scale)| scale.clone()) });
    }
    let known = |name: &String| members.judges().iter().any(|m| m.name == *name || m.source == *name);
    if let Some(unknown) = scales.iter().filter_map(|(name, _)| name.as_ref()).find(|name| !known(name)) {
        refuse!("--scale {unknown}=...: no such file is put together; name one of those before it");
    }
    Ok(members)
}

/// The scales of `--scale`, each with its file.
fn scales(args: &LabelArgs) -> Result<Vec<(Option<String>, GradeMap)>> {
    if let Some(clamp) = args.clamp {
        return Ok(vec![(None, GradeMap::identity(Scale::new(clamp.low(), clamp.high())?))]);
    }
    let parse = |text: &String| {
        let (file, scale) = match text.rsplit_once('=') {
            Some((file, scale)) => (Some(file.to_owned()), scale),
            None => (None, text.as_str()),
        };
        let scale = scale.parse().map_err(|error| Usage(format!("--scale {text}: {error}")))?;
        Ok((file, scale))
    };
    args.scales.iter().map(parse).collect()
}

/// Prints the effect of taking the lower of two middle grades.
pub(super) fn print_lower_middle(context: &Context, middle: Option<&LowerMiddle>) {
    if let Some(words) = middle.and_then(lower_middle_effect) {
        context.printer.note(words);
    }
}
