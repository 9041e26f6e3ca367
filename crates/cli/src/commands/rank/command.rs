//! `llull rank`: tiers or ratings of comparisons, in one of several formats.

use std::path::Path;

use anyhow::Result;
use llull::label::TierScheme;
use llull::rank::TieRule;
use llull::rank::ratings::Model;
use llull::report::text::visible;

use super::comparisons::{narrowed, read};
use super::connectedness::warn_if_unconnected;
use super::judges::ranked_by_judges;
use super::labels::labels;
use super::preference_files::{prefs, qrels_prefs};
use super::ranking::ranked;
use super::{graphs, json, table};
use crate::args::{Format, Method, RankArgs};
use crate::commands::{Context, write_output};
use crate::exit::{Exit, refuse};

pub(crate) fn run(context: &Context, args: &RankArgs) -> Result<Exit> {
    let format = context.format(args.format);
    check_labels(args, format)?;
    if format == Format::Dot && args.method != Method::Tiers {
        refuse!("--format dot draws tiers; add --method tiers");
    }
    let input = read(context, args)?;
    let ties = args.ties.map_or(input.ties, TieRule::from);
    let (ballots, names) = narrowed(input, args)?;
    let (all, judges) = match args.method {
        Method::Rating(Model::JudgeAware) => ranked_by_judges(&ballots, &names, args)?,
        _ => {
            let each = ballots.iter().map(|(query, topic)| ranked(query, topic, args, ties));
            (each.collect::<Result<_>>()?, Vec::new())
        }
    };
    if let [_] = judges.as_slice() {
        context
            .printer
            .warn("there is one judge, and judge-aware ratings of one judge are those of bradley-terry");
    }
    warn_if_unconnected(context, &all);
    let text = match format {
        Format::Qrels => labels(context, &all, args)?,
        Format::Json => json::json(&all, &judges, args.method)?,
        Format::Prefs => prefs(&all, args.method)?,
        Format::Dot => graphs::graphs(&all).into_bytes(),
        Format::QrelsPrefs => qrels_prefs(&all, args.method)?,
        _ => visible(&table::tables(&all, &judges)).into_owned().into_bytes(),
    };
    write_output(context, &args.output, &text)?;
    if args.output != Path::new("-") {
        context.printer.note(format!("wrote {}", args.output.display()));
    }
    Ok(Exit::Fine)
}

/// Refuses --labels and --anchors where they have no effect, and anchored labels without anchors.
fn check_labels(args: &RankArgs, format: Format) -> Result<()> {
    let anchored = args.labels == Some(TierScheme::Anchored);
    if format != Format::Qrels && (args.labels.is_some() || args.anchors.is_some()) {
        refuse!("--labels and --anchors need --format qrels; add it");
    }
    if anchored && args.anchors.is_none() {
        refuse!("--labels anchored needs grades of some items; add --anchors FILE, a qrels file");
    }
    if !anchored && args.anchors.is_some() {
        refuse!("--anchors needs --labels anchored; add it");
    }
    Ok(())
}
