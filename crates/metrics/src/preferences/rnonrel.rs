//! trec_eval's Rnonrel: equal numbers of relevant and level-0 documents.

use super::group::{Group, Relation};
use super::scope::Scope;
use super::tally::{Counts, Tally};

/// The tally of a group for [`AvgJgRnonrel`](super::PreferenceMeasure::AvgJgRnonrel) and, if both documents must be
/// retrieved, for [`AvgJgRnonrelRet`](super::PreferenceMeasure::AvgJgRnonrelRet).
pub(super) fn tally(group: &Group, counts: &Counts, retrieved: u32, scope: Scope) -> Tally {
    let found = |places: &[u32]| places.partition_point(|place| *place < retrieved);
    let relevant_found = found(&group.relevant);
    let (relevant, nonrelevant) = match scope {
        Scope::BothRetrieved => (relevant_found, found(&group.nonrelevant)),
        Scope::All | Scope::OneRetrieved => (group.relevant.len(), group.nonrelevant.len()),
    };
    match relevant.checked_sub(nonrelevant) {
        Some(lacking) => {
            let added = Tally {
                fulfilled: (relevant_found * lacking) as u64,
                possible: (group.relevant.len() * lacking) as u64,
            };
            counts.of(scope) + added
        }
        None => cut(group, relevant, retrieved, scope),
    }
}

/// The tally without the documents of level 0 behind the first `relevant` ones.
fn cut(group: &Group, relevant: usize, retrieved: u32, scope: Scope) -> Tally {
    // in a group of several subgroups trec_eval keeps as many as all relevant documents, even if only retrieved
    // ones count
    let keep = if let Relation::Closure { .. } = group.relation { group.relevant.len() } else { relevant };
    let kept = group.nonrelevant.get(..keep).unwrap_or(&group.nonrelevant);
    let dropped = &group.nonrelevant[kept.len()..];
    let counts = |place: u32| scope != Scope::BothRetrieved || place < retrieved;
    let mut tally = Tally::default();
    let mut compare = |better: u32, worse: u32| {
        if counts(better) && counts(worse) {
            tally.add(better < worse && better < retrieved);
        }
    };
    let first_dropped = dropped.first().copied().unwrap_or(u32::MAX);
    let is_dropped = |place: u32| place >= first_dropped && dropped.binary_search(&place).is_ok();
    group.each(|better, worse| {
        if !is_dropped(better) && !is_dropped(worse) {
            compare(better, worse);
        }
    });
    if let Relation::Classes(_) = group.relation {
        // trec_eval's second loop runs over the class of level 0, too
        for first in &group.nonrelevant {
            kept.iter().for_each(|second| compare(*first, *second));
        }
    }
    tally
}
