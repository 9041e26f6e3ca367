//! Finds how many documents fit one question, and cuts them.

use llull_core::estimate_tokens;

use super::cut::{Fitted, fit};

/// The default budget of all documents of one question together, in tokens by [`estimate_tokens`]: ten documents
/// of the [default length](super::DEFAULT_DOCUMENT_TOKENS) and some room, which leaves the rest of a context of
/// 16,384 tokens to rubric and reply.
pub const DEFAULT_WINDOW_TOKENS: u32 = 12_500;

/// Returns how many documents may be shown together: the largest k from 2 to `window` such that any k of them fit
/// `budget` tokens together, that is, such that the k longest do. `lengths` are the documents' estimated tokens,
/// each document already cut to its own budget. So one k holds for every question about a query, whichever
/// documents it shows.
///
/// Returns 2 if not even two fit: a comparison needs two, and [`fit_together`] then cuts them to the budget.
///
/// ```
/// use llull_judge::window_that_fits;
/// assert_eq!(window_that_fits(&[400, 100, 300, 200], 10, 1_000), 10); // all four, and any other of these lengths
/// assert_eq!(window_that_fits(&[400, 100, 300, 200], 4, 900), 3);
/// assert_eq!(window_that_fits(&[400, 100, 300, 200], 4, 500), 2);
/// ```
pub fn window_that_fits(lengths: &[u32], window: usize, budget: u32) -> usize {
    let mut longest_first = lengths.to_vec();
    longest_first.sort_unstable_by(|a, b| b.cmp(a));
    let mut sum = 0u64;
    let too_many = longest_first.into_iter().take(window).position(|length| {
        sum += u64::from(length);
        sum > u64::from(budget)
    });
    too_many.unwrap_or(window).max(2)
}

/// Returns as much of the beginning of each document as fits: at most `document_tokens` of each, by
/// [`estimate_tokens`], and at most `window_tokens` of all together. Any excess over the latter is cut from the
/// longest: they are cut to one length, because judges favour the longer of two texts.
pub fn fit_together<'a>(documents: &[&'a str], document_tokens: u32, window_tokens: u32) -> Vec<Fitted<'a>> {
    let fitted: Vec<_> = documents.iter().map(|document| fit(document, document_tokens)).collect();
    let lengths: Vec<_> = fitted.iter().map(|fitted| estimate_tokens(fitted.shown)).collect();
    match common_length(&lengths, window_tokens) {
        Some(length) => documents.iter().map(|document| fit(document, length)).collect(),
        None => fitted,
    }
}

/// Returns the largest length to which all have to be cut for their sum to be within `budget`; `None` if it
/// already is.
fn common_length(lengths: &[u32], budget: u32) -> Option<u32> {
    let mut shortest_first = lengths.to_vec();
    shortest_first.sort_unstable();
    let mut left = budget;
    for (at, &length) in shortest_first.iter().enumerate() {
        let share = left / (shortest_first.len() - at) as u32;
        if length > share {
            return Some(share);
        }
        left -= length;
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_longest_are_cut_to_one_length() {
        assert_eq!(common_length(&[10, 50, 90], 150), None);
        assert_eq!(common_length(&[10, 50, 90], 149), Some(89));
        assert_eq!(common_length(&[90, 10, 50], 70), Some(30));
        assert_eq!(common_length(&[90, 10, 50], 2), Some(0));
        assert_eq!(common_length(&[], 0), None);
        let (long, short) = ("word ".repeat(100), "a few words");
        let fitted = fit_together(&[&long, short, &long], 80, 63);
        assert_eq!(fitted.iter().map(|f| f.tokens_cut).collect::<Vec<_>>(), [70, 0, 70]);
        assert_eq!(fit_together(&[&long, short], 80, 1_000)[0], fit(&long, 80));
    }

    #[test]
    fn two_are_shown_whatever_the_budget() {
        assert_eq!(window_that_fits(&[500, 500], 10, 0), 2);
        assert_eq!(window_that_fits(&[], 10, 0), 10);
        assert_eq!(window_that_fits(&[u32::MAX, u32::MAX, 1], 10, u32::MAX), 2);
        assert_eq!(window_that_fits(&[1, 1, 1], 1, 100), 2);
    }

    proptest! {
        /// Against trying every set.
        #[test]
        fn any_k_fit_and_some_k_plus_one_do_not(
            lengths in prop::collection::vec(0u32..50, 0..8), window in 2usize..9, budget in 0u32..200,
        ) {
            let fit = |k: u32| {
                (0u32..1 << lengths.len()).filter(|set| set.count_ones() <= k).all(|set| {
                    let chosen = lengths.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
                    chosen.map(|(_, length)| length).sum::<u32>() <= budget
                })
            };
            let k = window_that_fits(&lengths, window, budget);
            prop_assert!((2..=window).contains(&k));
            prop_assert!(k == 2 || fit(k as u32));
            prop_assert!(k == window || !fit(k as u32 + 1));
        }

        #[test]
        fn documents_fit_together(
            documents in prop::collection::vec("([a-z]{1,12} ){0,30}", 0..6), each in 1u32..40, all in 0u32..100,
        ) {
            let texts: Vec<_> = documents.iter().map(String::as_str).collect();
            let fitted = fit_together(&texts, each, all);
            prop_assert_eq!(fitted.len(), texts.len());
            let mut sum = 0;
            for (fitted, text) in fitted.iter().zip(&texts) {
                prop_assert!(text.starts_with(fitted.shown));
                prop_assert_eq!(fitted.tokens_cut == 0, fitted.shown.len() == text.len());
                // White space alone is not counted as cut, and may stand beyond the budget.
                sum += estimate_tokens(fitted.shown.trim_end());
            }
            prop_assert!(sum <= all, "{sum} of {all}");
        }
    }
}
