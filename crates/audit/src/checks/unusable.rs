//! Checks for replies that could not be read.

use std::collections::BTreeMap;

use llull_core::Item;
use llull_stats::chance_of_at_least;

use crate::checks::length_words_ranks::correlation;
use crate::clustered_share::ClusteredShare;
use crate::finding::Finding;
use crate::{AskedAs, AuditOptions, AuditedCollection, AuditedJudge, CheckKind};

/// A larger share of lost answers gets a warning.
const DECENT: f64 = 0.05;

/// With less than this lost, it does not matter where: the answers that are left are those of nearly all questions.
const NEGLIGIBLE: f64 = 0.02;

/// With more than this lost, the remaining answers are a choice of the judge's own.
const SEVERE: f64 = 0.5;

/// Documents whose answers are lost may be longer or shorter than others by no more than this correlation.
const DECENT_BY_LENGTH: f64 = 0.1;

/// A question: its query, whether its answer was lost, and how long its documents are together.
type Question = (usize, bool, Option<f64>);

/// Returns the share of replies that could not be read. From [`NEGLIGIBLE`] on the check also fails where they gather
/// in one query or at one length: then the answers that are left are not those of all questions.
pub(crate) fn unusable(
    judge: &AuditedJudge,
    collection: &AuditedCollection,
    options: &AuditOptions,
) -> Option<Finding> {
    let questions = questions(judge, collection);
    let mut queries: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for (query, lost, _) in &questions {
        let entry = queries.entry(*query).or_default();
        entry.0 += usize::from(*lost);
        entry.1 += 1;
    }
    let share = ClusteredShare::new(queries.values().copied())?;
    let lost: usize = queries.values().map(|(lost, _)| lost).sum();
    let mut details = String::new();
    // Three looks at the same replies: the least p, times three.
    let mut p = share.p_above(DECENT);
    let matters = share.share >= NEGLIGIBLE;
    if let Some((query, in_query, of, by_chance)) = gathered(&queries) {
        p = if matters { p.min(by_chance) } else { p };
        details.push_str(&format!(" Query number {} has the most: {in_query} of {of}.", query + 1));
    }
    let by_length = correlation(
        questions
            .iter()
            .filter_map(|(query, lost, length)| Some(((*query, 0), (*length)?, f64::from(*lost))))
            .collect(),
    );
    if let Some((r, _)) = by_length {
        p = if matters { p.min(r.p_beyond(0.0, DECENT_BY_LENGTH)) } else { p };
        let which = if r.value > 0.0 { "longer" } else { "shorter" };
        details.push_str(&format!(
            " Within queries, {which} documents have more of them (correlation {:.2}).",
            r.value
        ));
    }
    Some(Finding {
        n: share.n,
        value: Some(share.share),
        interval: share.interval(options.confidence),
        p: Some((3.0 * p).min(1.0)),
        severe: share.share > SEVERE,
        conclusion: match share.share > DECENT {
            true => format!(
                "Many replies were unparsable: {lost} of {} (good judges stay below {:.0}%).{details}",
                share.n,
                100.0 * DECENT
            ),
            false => format!("Unparsable replies are concentrated: {lost} of {}.{details}", share.n),
        },
        remedy: "Read the raw replies (`llull ledger`). Then raise the token limit or cut documents shorter.",
        ..Finding::of_figures(
            CheckKind::Unusable,
            format!("{lost} of {} replies were unparsable.{details}", share.n),
        )
    })
}

fn questions(judge: &AuditedJudge, collection: &AuditedCollection) -> Vec<Question> {
    let length = |query: usize, shown: &[Item]| {
        let characters = shown.iter().map(|&item| collection.document(query, item).characters);
        characters.sum::<Option<usize>>().map(|characters| characters as f64)
    };
    let compared = judge.compared.iter().filter(|answer| answer.asked_as == AskedAs::Vote);
    let graded = judge.graded.iter().filter(|answer| answer.asked_as == AskedAs::Vote);
    compared
        .map(|answer| (answer.query, false, length(answer.query, &answer.shown)))
        .chain(graded.map(|answer| (answer.query, false, length(answer.query, &[answer.document]))))
        .chain(judge.unusable.iter().map(|lost| (lost.query, true, length(lost.query, &lost.shown))))
        .collect()
}

/// Returns the query whose losses are least likely by chance: its number, its lost replies and all its replies. The
/// last value is the chance of such losses in any query, if losses fell anywhere: the exact binomial chance by the
/// other queries' share, times the number of queries.
fn gathered(queries: &BTreeMap<usize, (usize, usize)>) -> Option<(usize, usize, usize, f64)> {
    let (lost, all) = queries.values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let chance = |&(in_query, of): &(usize, usize)| {
        let elsewhere = (lost - in_query + 1) as f64 / (all - of + 2) as f64;
        chance_of_at_least(in_query as f64, of as f64, elsewhere) * queries.len() as f64
    };
    if lost == 0 || queries.len() < 2 {
        return None;
    }
    queries
        .iter()
        .map(|(&query, counts)| (query, counts.0, counts.1, chance(counts).min(1.0)))
        .min_by(|a, b| a.3.total_cmp(&b.3))
}
