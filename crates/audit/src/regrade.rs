//! Grades that change when a document is graded again.

use std::collections::BTreeMap;

use crate::clustered_share::ClusteredShare;
use crate::finding::Finding;
use crate::flips::LEAST_RECHECKS;
use crate::reference::Place;
use crate::{AlarmKind, AskedAs, AuditOptions, AuditedJudge, Concern, GradedAnswer};

/// Decent judges change fewer of their grades than this.
const DECENT: f64 = 0.4;

/// Returns the share of grades that were another one when the same document was graded again. A coin that draws from
/// the judge's own grades, query by query, gives what stands beside it.
pub(crate) fn regrade(judge: &AuditedJudge, options: &AuditOptions) -> Option<Finding> {
    let mut votes: BTreeMap<Place, &GradedAnswer> = BTreeMap::new();
    for answer in judge.graded.iter().filter(|answer| answer.asked_as == AskedAs::Vote) {
        votes.entry((answer.query, answer.document)).or_insert(answer);
    }
    let again: Vec<(&GradedAnswer, &GradedAnswer)> = judge
        .graded
        .iter()
        .filter(|answer| answer.asked_as == AskedAs::Repeated)
        .filter_map(|answer| Some((*votes.get(&(answer.query, answer.document))?, answer)))
        .collect();
    let changed = |pair: &(&GradedAnswer, &GradedAnswer)| usize::from(pair.0.grade != pair.1.grade);
    let share = ClusteredShare::new(again.iter().map(|pair| (changed(pair), 1)))?;
    let grades_of =
        |query: usize| votes.range((query, llull_core::Item(0))..).take_while(move |one| one.0.0 == query);
    let differs = |pair: &(&GradedAnswer, &GradedAnswer)| {
        let all = grades_of(pair.0.query).count() as f64;
        grades_of(pair.0.query).filter(|one| one.1.grade != pair.0.grade).count() as f64 / all
    };
    let chance = again.iter().map(differs).sum::<f64>() / again.len() as f64;
    let enough = share.n >= LEAST_RECHECKS;
    let better = share.p_below(chance) <= 0.025;
    let mut seen = format!(
        "{:.0}% of {} grades changed when the document was graded again (drawn from its own grades: {:.0}%).",
        100.0 * share.share,
        share.n,
        100.0 * chance
    );
    if !enough {
        seen.push_str(&format!(" Fewer than {LEAST_RECHECKS} rechecks show little."));
    } else if !better {
        seen.push_str(" It is not shown to be better than drawing its grades at random.");
    }
    // A judge with one grade never changes it, and is no better than drawing from that grade: one_grade says so.
    let burden = enough && !better && share.share > 0.0;
    Some(Finding {
        kind: AlarmKind::RepeatFlip,
        n: share.n,
        value: Some(share.share),
        interval: share.interval(options.confidence),
        chance: Some(chance),
        p: enough.then(|| share.p_above(DECENT)),
        severe: false,
        at_least: if burden { Concern::DoNotTrust } else { Concern::Fine },
        shows_sense: false,
        seen,
        remedy: "One answer says little: lower the temperature, or take the median of several samples.",
    })
}
