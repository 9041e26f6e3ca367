//! The best documents of many, in trec_eval's order.

use std::cmp::Ordering;

use llull_core::Ranking;

/// Returns the best `depth` of the scored documents, by score and then by identifier, both descending.
///
/// Ties at the cut are decided by identifier, so the result does not depend on the order of `scored`.
pub(crate) fn top_documents<S: AsRef<str>>(
    ids: &[S],
    scored: impl Iterator<Item = (u32, f64)>,
    depth: usize,
) -> Ranking {
    if depth == 0 {
        return Ranking::default();
    }
    let mut hits: Vec<(&str, f64)> =
        scored.filter_map(|(document, score)| Some((ids.get(document as usize)?.as_ref(), score))).collect();
    if hits.len() > depth {
        hits.select_nth_unstable_by(depth - 1, better);
        hits.truncate(depth);
    }
    Ranking::from_scored(hits)
}

fn better(a: &(&str, f64), b: &(&str, f64)) -> Ordering {
    b.1.total_cmp(&a.1).then_with(|| b.0.cmp(a.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tie_at_the_cut_goes_to_the_greater_id() {
        let ids: Vec<Box<str>> = ["a", "b", "c", "d"].map(Box::from).to_vec();
        for scored in [[(0, 1.0), (1, 1.0), (2, 1.0), (3, 2.0)], [(3, 2.0), (2, 1.0), (1, 1.0), (0, 1.0)]] {
            let ranking = top_documents(&ids, scored.into_iter(), 2);
            let order: Vec<_> = ranking.iter().map(|hit| hit.document).collect();
            assert_eq!(order, ["d", "c"]);
        }
        assert!(top_documents(&ids, [(0, 1.0)].into_iter(), 0).is_empty());
    }
}
