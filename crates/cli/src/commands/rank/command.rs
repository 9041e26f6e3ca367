//! `llull rank`: tiers or ratings of comparisons, in one of several formats.

use std::path::Path;

use anyhow::{Context as _, Result};
use llull::core::Item;
use llull::data::{Preferences, write_prefs, write_qrels_prefs};
use llull::label::TierScheme;
use llull::report::ranking::{
    ComparisonRanking, RankedQuery, RankingMethod, RankingOptions, RankingOutput, equal_scores, names,
    ordered,
};
use llull::report::text::visible;
use llull::report::{TopicDetail, TopicTournament, dot};

use super::comparisons::{narrowed, read};
use super::labels::labels;
use crate::args::{Format, RankArgs};
use crate::commands::{Context, json_file, write_output};
use crate::exit::{Exit, refuse};

pub(crate) fn run(context: &Context, args: &RankArgs) -> Result<Exit> {
    let format = context.format(args.format);
    check_labels(args, format)?;
    if format == Format::Dot && args.method != RankingMethod::Tiers {
        refuse!("--format dot draws tiers; add --method tiers");
    }
    let input = read(context, args)?;
    let ties = args.ties.unwrap_or(input.ties);
    let (ballots, names) = narrowed(input, args)?;
    let options = RankingOptions { method: args.method, prior: args.prior.unwrap_or_default(), ties };
    let ranking = ComparisonRanking::new(&ballots, &names, &options)?;
    context.printer.warnings(ranking.warnings());
    let all = &ranking.queries;
    let text = match format {
        Format::Qrels => labels(context, all, args)?,
        Format::Json => json_file(&ranking.json())?,
        Format::Prefs => prefs(all, args.method)?,
        Format::Dot => graphs(all).into_bytes(),
        Format::QrelsPrefs => qrels_prefs(all, args.method)?,
        _ => visible(&ranking.text()).into_owned().into_bytes(),
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
fn graphs(all: &[RankedQuery<'_>]) -> String {
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

/// The file for `trec_eval -R prefs`.
fn prefs(all: &[RankedQuery<'_>], method: RankingMethod) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    write_prefs(&preferences(all, method)?, &mut out)?;
    Ok(out)
}

/// The file for `trec_eval -R qrels_prefs`.
fn qrels_prefs(all: &[RankedQuery<'_>], method: RankingMethod) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    write_qrels_prefs(&preferences(all, method)?, &mut out)?;
    Ok(out)
}

/// Items by tier or by score. Components become subgroups, so that no item is preferred to one of another component.
fn preferences(all: &[RankedQuery<'_>], method: RankingMethod) -> Result<Preferences> {
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
