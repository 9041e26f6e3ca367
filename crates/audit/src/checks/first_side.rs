//! Checks whether a judge prefers the document that is shown first.

use std::collections::BTreeMap;

use crate::clustered_share::ClusteredShare;
use crate::finding::Finding;
use crate::reversals::{Reversal, reversals};
use crate::{AskedAs, AuditOptions, AuditedJudge, CheckKind, ComparedAnswer};

/// Decent judges stay within this distance of a half.
const DECENT: f64 = 0.05;

/// Beyond this distance answers depend more on the order than on the documents.
const SEVERE: f64 = 0.2;

/// Returns the share of comparisons of two documents that the first one won, ties left out.
///
/// A half means no preference only if the order is independent of the documents. Either it was drawn at random, or
/// each pair was shown in both orders, and then only such pairs count.
pub(crate) fn first_side(judge: &AuditedJudge, options: &AuditOptions) -> Option<Finding> {
    let pairs = |answer: &&ComparedAnswer| answer.shown.len() == 2;
    judge.compared.iter().find(pairs)?;
    let answers: Vec<&ComparedAnswer> = if judge.order_randomised {
        judge.compared.iter().filter(|answer| answer.asked_as == AskedAs::Vote).filter(pairs).collect()
    } else {
        let both = reversals(judge).into_iter().flat_map(|Reversal { answer, reversed }| [answer, reversed]);
        both.filter(pairs).collect()
    };
    let mut queries: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    let mut ties = 0;
    for answer in answers {
        let Some(place) = answer.chosen_place() else {
            ties += 1;
            continue;
        };
        let (first, all) = queries.entry(answer.query).or_default();
        *first += usize::from(place == 0);
        *all += 1;
    }
    let Some(share) = ClusteredShare::new(queries.into_values()) else {
        return Some(unknown_order(judge));
    };
    let tied = if ties == 0 { String::new() } else { format!(" Ties left out: {ties}.") };
    let figures =
        format!("The first document won {:.0}% of {} comparisons.{tied}", 100.0 * share.share, share.n);
    Some(Finding {
        n: share.n,
        value: Some(share.share),
        interval: share.interval(options.confidence),
        chance: Some(0.5),
        p: Some(share.p_beyond(0.5, DECENT)),
        severe: (share.share - 0.5).abs() > SEVERE,
        conclusion: format!(
            "The judge favours the document shown {}: it won {:.0}% of {} comparisons (good judges: 45% to \
             55%).{tied}",
            if share.share > 0.5 { "first" } else { "second" },
            100.0 * share.share.max(1.0 - share.share),
            share.n
        ),
        remedy: "Ask each pair in both orders and use only answers that agree, or use another judge.",
        ..Finding::of_figures(CheckKind::FirstSide, figures)
    })
}

/// The share where the order may depend on the documents: it is shown, and is not evidence about the judge.
fn unknown_order(judge: &AuditedJudge) -> Finding {
    let places = judge
        .compared
        .iter()
        .filter(|answer| answer.shown.len() == 2)
        .filter_map(ComparedAnswer::chosen_place);
    let places: Vec<usize> = places.collect();
    if places.is_empty() {
        return Finding::of_figures(CheckKind::FirstSide, "Every pair was a tie, so neither side won.");
    }
    let first = places.iter().filter(|place| **place == 0).count();
    let share = first as f64 / places.len() as f64;
    let figures = format!(
        "The first document won {:.0}% of {} comparisons. This is no evidence: the order may not be random, and no \
         decided pair was shown in both orders.",
        100.0 * share,
        places.len()
    );
    Finding { n: places.len(), value: Some(share), ..Finding::of_figures(CheckKind::FirstSide, figures) }
}
