//! Reads, ranks and writes.

use std::io::Write as _;
use std::path::Path;

use anyhow::Result;
use llull::core::Item;
use llull::data::create;
use llull::label::TierScheme;
use llull::report::text::count;

use super::ranked::Ranked;
use super::{input, render, tier_labels};
use crate::args::{Method, RankArgs, RankFormat};
use crate::commands::Context;
use crate::exit::{Exit, refuse};

pub(crate) fn run(context: &Context, args: &RankArgs) -> Result<Exit> {
    let format =
        args.format.unwrap_or(if context.global.json { RankFormat::Json } else { RankFormat::Table });
    check_labels(args, format)?;
    if format == RankFormat::Dot && args.method != Method::Tiers {
        refuse!("--format dot draws tiers; add --method tiers");
    }
    let ballots = input::ballots(context, args)?;
    let mut all = Vec::with_capacity(ballots.len());
    for (query, topic) in ballots.iter() {
        all.push(Ranked::of(query, topic, args)?);
    }
    say_what_is_not_connected(context, &all);
    let (text, notes) = match format {
        RankFormat::Qrels => tier_labels::tier_labels(&all, args)?,
        RankFormat::Table => (render::tables(&all).into_bytes(), Vec::new()),
        RankFormat::Json => (render::json(&all, args.method)?, Vec::new()),
        RankFormat::Prefs => (render::prefs(&all, args.method)?, Vec::new()),
        RankFormat::Dot => (render::graphs(&all).into_bytes(), Vec::new()),
        RankFormat::QrelsPrefs => (render::qrels_prefs(&all, args.method)?, Vec::new()),
    };
    notes.iter().for_each(|note| context.printer.note(note));
    write(context, &args.output, &text)?;
    Ok(Exit::Fine)
}

/// Labels are made for one form, and of one scheme from anchors.
fn check_labels(args: &RankArgs, format: RankFormat) -> Result<()> {
    let anchored = args.labels == Some(TierScheme::Anchored);
    if format != RankFormat::Qrels && (args.labels.is_some() || args.anchors.is_some()) {
        refuse!("--labels and --anchors say what --format qrels writes; add --format qrels");
    }
    if anchored && args.anchors.is_none() {
        refuse!("--labels anchored needs grades of some items; say --anchors FILE, a qrels file");
    }
    if !anchored && args.anchors.is_some() {
        refuse!("--anchors belongs to --labels anchored");
    }
    Ok(())
}

/// Scores, and places, of items that no chain of comparisons connects say nothing about each other.
fn say_what_is_not_connected(context: &Context, all: &[Ranked<'_>]) {
    let apart: Vec<&Ranked<'_>> = all.iter().filter(|ranked| ranked.components.len() > 1).collect();
    let Some(first) = apart.first() else { return };
    let parts = sizes(&first.components);
    let what = match first.query {
        None => format!("the comparisons fall into {parts}"),
        Some(query) if apart.len() == 1 => format!("the comparisons of query {query} fall into {parts}"),
        Some(query) => format!(
            "the comparisons of {} of {} queries are not connected (the first: {query}, {parts})",
            count(apart.len()),
            count(all.len())
        ),
    };
    context.printer.warn(format!(
        "{what}; nothing connects one with another, so items of different components cannot be compared"
    ));
}

/// How many components there are, and how large the largest are.
fn sizes(components: &[Vec<Item>]) -> String {
    const SHOWN: usize = 5;
    let mut sizes: Vec<usize> = components.iter().map(Vec::len).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let more = if sizes.len() > SHOWN { " ..." } else { "" };
    let shown: Vec<String> = sizes.iter().take(SHOWN).map(|size| count(*size)).collect();
    format!("{} components of {}{more} items", count(sizes.len()), shown.join(", "))
}

fn write(context: &Context, output: &Path, text: &[u8]) -> Result<()> {
    if output == Path::new("-") {
        context.printer.stream(|out| out.write_all(text))?;
        return Ok(());
    }
    let mut file = create(output)?;
    file.write_all(text)?;
    file.flush()?;
    file.finish()?;
    context.printer.note(format!("wrote {}", output.display()));
    Ok(())
}
