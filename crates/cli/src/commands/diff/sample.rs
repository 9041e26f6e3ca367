//! Estimates a change of all labels from a sample of repeated pairs.

use anyhow::{Result, bail};
use llull::core::Seed;
use llull::report::diff::{DiffInputs, LabelDiff, diff_text};
use llull::report::text::{count, counted, percent, percent_interval};
use llull::{
    ChangeSample, Estimate, Inputs, JudgeError, SideEvidence, Study, StudyError, StudyEvidence, StudySide,
};
use serde::Serialize;

use super::sides::{Side, explain};
use super::study::overrides;
use crate::args::DiffArgs;
use crate::commands::{Context, judge};
use crate::exit::{Exit, refuse};

/// The JSON output; it includes the difference after the sample was judged.
#[derive(Serialize)]
struct Sampled<'a> {
    sample: &'a ChangeSample,
    /// The cost of judging the sample.
    cost_of_sample: &'a [Estimate],
    /// The cost of judging all remaining pairs.
    cost_of_all: &'a [Estimate],
    #[serde(flatten)]
    diff: Option<&'a LabelDiff>,
}

pub(super) fn run(context: &Context, args: &DiffArgs, wanted: usize) -> Result<Exit> {
    if args.b.as_deref().is_some_and(|b| b != "now") {
        refuse!("--sample asks the study's judges as they are now: leave out B, or write now");
    }
    let overrides = overrides(args)?;
    let study = if args.dry_run { context.study(overrides)? } else { context.study_to_ask(overrides)? };
    if study.settings().tournament.is_some() {
        return Err(StudyError::Judges(JudgeError::SampleOfComparisons).into());
    }
    let bootstrap = study.bootstrap();
    let inputs = judge::inputs(context, &study)?;
    let now = study.evidence(&inputs)?;
    let typed = args.a.as_deref().unwrap_or("earlier");
    let side = Side::read(context, args, &study, &inputs, &now, typed)?;
    let Side::Judges(earlier) = &side else {
        refuse!("--sample compares earlier answers of judges with new ones, and {typed} is a file");
    };
    let seed = Seed(study.settings().seed);
    let (places, of) = ChangeSample::draw(&earlier.evidence, wanted, seed);
    if places.is_empty() {
        bail!("{typed}: there is no label to draw from; llull run has the pool judged");
    }
    let drawn = (places.len(), of);
    let price = study.estimates().of_pairs(&inputs, &places)?;
    let all = study.estimates().open(&inputs, &now)?;
    if args.dry_run {
        let sample = ChangeSample::new(drawn, (0, 0), seed, bootstrap.confidence)?;
        let found = Sampled { sample: &sample, cost_of_sample: &price, cost_of_all: &all, diff: None };
        context.show(&found, || prices(drawn, &price, &all))?;
        return Ok(Exit::Fine);
    }
    context.printer.note(prices(drawn, &price, &all));
    let (asked, exit) = ask(context, args, &study, &inputs, &places)?;
    let asked = Side::Judges(Box::new(SideEvidence::of(&StudySide::Now, asked)));
    let inputs_of_diff = DiffInputs {
        runs: &inputs.runs,
        changed: side.changes_to(&asked),
        most: args.limit,
        ..DiffInputs::of_labels(earlier.judged_labels(), asked.labels())
    };
    let mut diff = LabelDiff::new(inputs_of_diff, &bootstrap)?;
    explain(&mut diff, &side, &asked);
    let counted = (diff.pairs.differ, diff.pairs.both);
    let sample = ChangeSample::new(drawn, counted, seed, bootstrap.confidence)?;
    // The lengths of the replies are known now.
    let all = study.estimates().open(&inputs, &study.evidence(&inputs)?)?;
    context.printer.warnings(&diff.notes);
    let found = Sampled { sample: &sample, cost_of_sample: &price, cost_of_all: &all, diff: Some(&diff) };
    context.show(&found, || {
        format!("{}\n{}\n\n{}", sample_text(&sample), cost_of_all(&all), diff_text(&diff))
    })?;
    Ok(exit)
}

/// Describes the cost of the sample, and of all pairs.
fn prices((drawn, of): (usize, usize), price: &[Estimate], all: &[Estimate]) -> String {
    let each = price.iter().map(|estimate| {
        let (drawn, of) = (count(drawn), counted(of, "pair"));
        format!("{drawn} of the {of} with an earlier label: {}", judge::estimate_text(estimate, None))
    });
    each.chain([cost_of_all(all)]).collect::<Vec<_>>().join("\n")
}

fn cost_of_all(all: &[Estimate]) -> String {
    let each: Vec<String> = all.iter().map(|estimate| judge::estimate_text(estimate, None)).collect();
    format!("to ask all that is left, {}", each.join("; "))
}

/// Sends these pairs to the judges. Their answers are in the ledger, like those of `llull run`.
fn ask(
    context: &Context,
    args: &DiffArgs,
    study: &Study,
    inputs: &Inputs,
    places: &[usize],
) -> Result<(StudyEvidence, Exit)> {
    study.save_prompts()?;
    let evidence = judge::ask_about(context, study, inputs, args.stopping, Some(places))?.evidence;
    let exit = judge::exit_of(&evidence);
    Ok((evidence, exit))
}

/// Describes the estimate for all labels.
fn sample_text(sample: &ChangeSample) -> String {
    let ends = sample.changed.low.zip(sample.changed.high);
    let of_all = |share: f64| count((share * sample.of as f64).round() as usize);
    let all = match (sample.changed.share, ends) {
        (Some(share), Some((low, high))) => format!(
            "; of all {} that would be about {} [{}, {}]",
            count(sample.of),
            of_all(share),
            of_all(low),
            of_all(high)
        ),
        _ => String::new(),
    };
    let unanswered = match sample.drawn - sample.answered {
        0 => String::new(),
        left => format!(
            " ({} no new label)",
            if left == 1 { "1 has".into() } else { format!("{} have", count(left)) }
        ),
    };
    format!(
        "{} drawn of {} with an earlier label (uniformly, seed {}){unanswered}: {} of {} labels change, {} {}{all}",
        counted(sample.drawn, "pair"),
        count(sample.of),
        sample.seed,
        count(sample.changed.count),
        count(sample.answered),
        percent(sample.changed.share),
        percent_interval(ends),
    )
}
