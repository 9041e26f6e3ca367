//! `llull rank`: tiers or ratings of comparisons, in one of several formats.

use std::path::Path;

use anyhow::{Context as _, Result};
use llull::core::Item;
use llull::data::{Preferences, write_prefs, write_qrels_prefs};
use llull::label::TierScheme;
use llull::rank::ratings::Model;
use llull::report::text::{count, visible};
use llull::report::{TopicDetail, TopicTournament, dot};

use super::comparisons::{narrowed, read};
use super::judges::ranked_by_judges;
use super::labels::labels;
use super::ranking::{Ranked, RankingOutput, ranked};
use super::score_order::{equal_scores, names, ordered};
use super::{json, table};
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
    let ties = args.ties.unwrap_or(input.ties);
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
        Format::Dot => graphs(&all).into_bytes(),
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

/// A graph of the tiers for each query; empty for ratings.
fn graphs(all: &[Ranked<'_>]) -> String {
    let mut text = String::new();
    for ranked in all {
        let RankingOutput::Tiers(outcome) = &ranked.made else { continue };
        let name = |item| ranked.topic.id(item).unwrap_or_default().to_owned();
        let tournament = Some(TopicTournament::new(outcome, name, &[], None));
        let id = ranked.query.unwrap_or_default().to_owned();
        text.push_str(&dot(&TopicDetail { id, tournament, ..Default::default() }));
    }
    text
}

/// Warns if no chain of comparisons connects all items: scores and places in different components cannot be compared.
fn warn_if_unconnected(context: &Context, all: &[Ranked<'_>]) {
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

/// The number of components, and the sizes of the largest.
fn sizes(components: &[Vec<Item>]) -> String {
    const SHOWN: usize = 5;
    let mut sizes: Vec<usize> = components.iter().map(Vec::len).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let more = if sizes.len() > SHOWN { " ..." } else { "" };
    let shown: Vec<String> = sizes.iter().take(SHOWN).map(|size| count(*size)).collect();
    format!("{} components of {}{more} items", count(sizes.len()), shown.join(", "))
}

/// The file for `trec_eval -R prefs`.
fn prefs(all: &[Ranked<'_>], method: Method) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    write_prefs(&preferences(all, method)?, &mut out)?;
    Ok(out)
}

/// The file for `trec_eval -R qrels_prefs`.
fn qrels_prefs(all: &[Ranked<'_>], method: Method) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    write_qrels_prefs(&preferences(all, method)?, &mut out)?;
    Ok(out)
}

/// Items by tier or by score. Components become subgroups, so that no item is preferred to one of another component.
fn preferences(all: &[Ranked<'_>], method: Method) -> Result<Preferences> {
    let mut preferences = Preferences::default();
    for ranked in all {
        let query = ranked.query.context(
            "trec_eval's preferences need a query on every line, and the input names none; use --format json instead",
        )?;
        let places: Vec<Vec<Item>> = match &ranked.made {
            RankingOutput::Tiers(outcome) => outcome.tiers.iter().map(|tier| tier.items.clone()).collect(),
            RankingOutput::Ratings(ratings) => equal_scores(&ordered(ratings, ranked.topic.items.len())),
        };
        for (at, component) in ranked.components.iter().enumerate() {
            let inside = |place: &Vec<Item>| {
                let items: Vec<Item> =
                    place.iter().copied().filter(|item| component.contains(item)).collect();
                (!items.is_empty()).then(|| names(&items, ranked.topic))
            };
            let tiers: Vec<Vec<String>> = places.iter().filter_map(inside).collect();
            preferences.insert_tiers(query, method.name(), &at.to_string(), &tiers);
        }
    }
    Ok(preferences)
}
