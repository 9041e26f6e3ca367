//! Rndcg: the mean of nDCG at the ranks where the best list ends one grade and begins the next, the last of them being where it runs out of documents
//! that gain anything; and at the end of the list, if that is two ranks or more further down. From 0 to 1.
//!
//! Buckley's trec_eval, which calls it experimental. Its text says that the end of the list is always one of the ranks; its program leaves it out
//! where the list is longer by a single document, and so does this.

use super::ndcg::ordered;
use super::view::View;
use crate::gain::Gain;

/// 0 when no label gains anything.
pub(super) fn value(view: &View<'_>, gain: &Gain) -> f64 {
    let ideal: Vec<f64> = ordered(gain, view.ideal).into_iter().filter(|gain| *gain > 0.0).collect();
    let list: Vec<f64> =
        view.retrieved.iter().map(|grade| grade.map_or(0.0, |grade| gain.of(grade))).collect();
    let (mut reached, mut best, mut total, mut ranks) = (0.0, 0.0, 0.0, 0);
    for at in 0..ideal.len().max(list.len()) {
        let discount = ((at + 2) as f64).log2();
        reached += list.get(at).copied().unwrap_or(0.0) / discount;
        best += ideal.get(at).copied().unwrap_or(0.0) / discount;
        let ends_a_grade = at < ideal.len() && ideal.get(at + 1) != ideal.get(at);
        let ends_the_list = at + 1 == list.len() && list.len() > ideal.len() + 1;
        if !ideal.is_empty() && (ends_a_grade || ends_the_list) {
            total += reached / best;
            ranks += 1;
        }
    }
    if ranks == 0 { 0.0 } else { total / f64::from(ranks) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let view =
            View { retrieved: &[Some(1), None, Some(2), Some(0)], ideal: &[2, 1, 1], ..View::default() };
        // nDCG@1, where the best list ends its 2, and nDCG@3, where it ends; the list is longer by one
        let best = 2.0 + 1.0 / 3f64.log2() + 1.0 / 2.0;
        assert!((value(&view, &Gain::Linear) - (0.5 + 2.0 / best) / 2.0).abs() < 1e-12);
        let longer = View { retrieved: &[Some(1), None, Some(2), Some(0), Some(1)], ..view };
        let end = (2.0 + 1.0 / 6f64.log2()) / best;
        assert!((value(&longer, &Gain::Linear) - (0.5 + 2.0 / best + end) / 3.0).abs() < 1e-12);
    }
}
