//! An order that is read has each document at most once, a ranking has all of them, ties occur only if they are
//! allowed, and it is none once words follow it.

use llull_judge::{CompareKind, ComparisonForm, RawReply, read_comparison};

/// Checks a reply. Returns whether an order was read.
pub(crate) fn check(text: &str) -> bool {
    let mut any = false;
    for (kind, documents) in [(CompareKind::Choice, 2), (CompareKind::Ranking, 4), (CompareKind::Best, 4)] {
        for ties in [false, true] {
            let form = ComparisonForm { kind, rationale: false, documents, ties };
            match read_comparison(&RawReply { text, cut_off: false, refused: false }, &form) {
                Ok(verdict) => {
                    any = true;
                    let mut placed: Vec<u16> = verdict.order.concat();
                    let ranked = placed.len();
                    placed.sort_unstable();
                    placed.dedup();
                    assert_eq!(placed.len(), ranked);
                    assert!(placed.iter().all(|position| usize::from(*position) < documents));
                    assert!(kind != CompareKind::Ranking || ranked == documents);
                    let more = format!("{text}\nor not");
                    let reply = RawReply { text: &more, cut_off: false, refused: false };
                    assert!(read_comparison(&reply, &form).is_err());
                    assert!(ties || verdict.order.iter().all(|group| group.len() == 1));
                }
                Err(unusable) => assert!(unusable.detail.chars().count() <= 200),
            }
        }
    }
    any
}
