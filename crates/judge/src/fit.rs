//! Fits documents into a prompt.
//!
//! It estimates tokens, cuts one document, divides the budget among several, and checks by a server's token counts
//! whether it reads whole prompts.

use std::collections::BTreeMap;

use llull_core::TextPieces;

pub use llull_core::estimate_tokens;

/// The default budget of a document's text, in tokens by [`estimate_tokens`]. All documents are cut to one length,
/// because judges favour long ones.
pub const DEFAULT_DOCUMENT_TOKENS: u32 = 1200;

/// How far back from the limit a cut may go to find white space, in bytes.
const REACH: usize = 64;

/// A text within its budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fitted<'a> {
    /// The beginning of the text, or all of it.
    pub shown: &'a str,
    /// Estimated tokens of the rest that was cut; 0 without a cut.
    pub tokens_cut: u32,
}

/// Returns as much of the beginning of `text` as fits `budget` tokens, by [`estimate_tokens`]. The cut is made at
/// white space if there is some within the last 64 bytes, else between two characters. White space alone is not
/// counted as cut.
///
/// ```
/// use llull_judge::fit;
/// assert_eq!(fit("one two three", 2).shown, "one two");
/// assert_eq!(fit("one two three", 2).tokens_cut, 1);
/// assert_eq!(fit("one two three", 3).tokens_cut, 0);
/// ```
pub fn fit(text: &str, budget: u32) -> Fitted<'_> {
    let whole = Fitted { shown: text, tokens_cut: 0 };
    let (mut used, mut limit) = (0u32, 0);
    for piece in TextPieces::new(text) {
        used = used.saturating_add(piece.tokens);
        if used > budget {
            let shown = cut(text, limit);
            let left_out = text.get(shown.len()..).unwrap_or_default();
            if left_out.trim().is_empty() {
                return whole;
            }
            return Fitted { shown, tokens_cut: estimate_tokens(left_out.trim_start()).max(1) };
        }
        limit = piece.end;
    }
    whole
}

/// Returns the text up to `limit`, or to white space shortly before it, without white space at the end.
fn cut(text: &str, limit: usize) -> &str {
    let head = text.get(..limit).unwrap_or(text);
    let ends_a_word = text.get(limit..).is_none_or(|rest| rest.starts_with(char::is_whitespace));
    let at = match ends_a_word {
        true => head.len(),
        false => {
            head.rfind(char::is_whitespace).filter(|space| head.len() - space <= REACH).unwrap_or(head.len())
        }
    };
    head.get(..at).unwrap_or(head).trim_end()
}

/// The default budget of all documents of one question together, in tokens by [`estimate_tokens`]: ten documents
/// of the [default length](DEFAULT_DOCUMENT_TOKENS) and some room, which leaves the rest of a context of
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

/// Fewer reported tokens than this are no count of a prompt: servers that leave cached tokens out report 0 or 1 for a
/// prompt that is cached as a whole.
const FEWEST: u64 = 16;

/// So many prompts have to show the cut before a server is blamed.
const PROMPTS: usize = 5;

/// Prompts differ much in length if the longest has so many tokens more than the shortest, and a quarter more.
const DIFFERENCE: u64 = 100;

/// Only documents of so many estimated tokens are compared with the reported counts: for short ones the estimate may
/// be far off.
const LONG: u64 = 200;

/// A server's count of one prompt, with an estimate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServedPrompt {
    /// The estimated tokens of all documents in the prompt, without the parts that llull cut off.
    pub documents: u64,
    /// The estimated tokens of the last of them. A server that leaves cached tokens out counts these all the same: the
    /// text before them may be cached, and they are not.
    pub last: u64,
    /// The tokens of the prompt that the server reported.
    pub reported: u64,
}

/// Signs that a server cuts prompts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptCut {
    /// It reports one number for prompts of very different length, and none above it: its limit.
    AtLimit {
        /// The number.
        tokens: u64,
        /// How many prompts have it.
        prompts: usize,
    },
    /// It reports less than half of the tokens of the last document alone.
    FarBelow {
        /// How many prompts it is so for.
        prompts: usize,
    },
}

/// Returns the sign that a server cuts prompts, if there is one. Servers that report no tokens, or leave out those that
/// they have cached, give none.
///
/// ```
/// use llull_judge::{PromptCut, ServedPrompt, prompt_cut};
///
/// let served = |documents, reported| ServedPrompt { documents, last: documents, reported };
/// let whole: Vec<_> = (1..9).map(|n| served(500 * n, 520 * n + 300)).collect();
/// assert_eq!(prompt_cut(&whole), None);
/// let cut: Vec<_> = (1..9).map(|n| served(500 * n, (520 * n + 300).min(2048))).collect();
/// assert_eq!(prompt_cut(&cut), Some(PromptCut::AtLimit { tokens: 2048, prompts: 5 }));
/// ```
pub fn prompt_cut(prompts: &[ServedPrompt]) -> Option<PromptCut> {
    let counted = || prompts.iter().filter(|prompt| prompt.reported >= FEWEST);
    let most = counted().map(|prompt| prompt.reported).max()?;
    let at_limit = || counted().filter(|prompt| prompt.reported == most).map(|prompt| prompt.documents);
    let (shortest, longest) = (at_limit().min()?, at_limit().max()?);
    let number = at_limit().count();
    if number >= PROMPTS && longest >= shortest.saturating_add(DIFFERENCE.max(shortest / 4)) {
        return Some(PromptCut::AtLimit { tokens: most, prompts: number });
    }
    let long = || counted().filter(|prompt| prompt.last >= LONG);
    let below: BTreeMap<u64, usize> = long()
        .filter(|prompt| prompt.reported.saturating_mul(2) < prompt.last)
        .fold(BTreeMap::new(), |mut numbers, prompt| {
            *numbers.entry(prompt.reported).or_default() += 1;
            numbers
        });
    let number: usize = below.values().sum();
    if number < PROMPTS || number * 2 <= long().count() {
        return None;
    }
    // All at one number is a limit, though the prompts are about equally long.
    match below.first_key_value() {
        Some((tokens, _)) if below.len() == 1 && *tokens == most => {
            Some(PromptCut::AtLimit { tokens: most, prompts: number })
        }
        _ => Some(PromptCut::FarBelow { prompts: number }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_cut_prefers_white_space() {
        assert_eq!(fit("alpha beta, gamma", 2).shown, "alpha");
        assert_eq!(fit("alpha beta, gamma", 3).shown, "alpha beta,");
        assert_eq!(fit("alpha beta", 0).shown, "");
        assert_eq!(fit("alpha \n\n  \n", 1), Fitted { shown: "alpha \n\n  \n", tokens_cut: 0 });
    }

    #[test]
    fn text_without_white_space_is_cut_between_characters() {
        let chinese = "検索評価".repeat(500);
        let fitted = fit(&chinese, 100);
        assert_eq!((fitted.shown.chars().count(), fitted.tokens_cut), (100, 1900));
        let word = "x".repeat(10_000);
        let fitted = fit(&word, 100);
        assert!((400..1000).contains(&fitted.shown.len()), "{}", fitted.shown.len());
    }

    proptest! {
        #[test]
        fn what_is_shown_fits_and_nothing_is_lost(text in "(\\PC{0,30}|[a-z ,.]{0,60}|\\s){0,8}", budget in 0u32..60) {
            let fitted = fit(&text, budget);
            prop_assert!(text.starts_with(fitted.shown));
            if fitted.tokens_cut == 0 {
                prop_assert_eq!(fitted.shown, &text);
            } else {
                prop_assert!(estimate_tokens(fitted.shown) <= budget);
                prop_assert!(estimate_tokens(&text) > budget);
            }
        }
    }

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

    fn served(documents: u64, last: u64, reported: u64) -> ServedPrompt {
        ServedPrompt { documents, last, reported }
    }

    fn all(prompts: impl IntoIterator<Item = (u64, u64)>) -> Option<PromptCut> {
        let prompts = prompts.into_iter().map(|(documents, reported)| served(documents, documents, reported));
        prompt_cut(&prompts.collect::<Vec<_>>())
    }

    /// 30,800 tokens estimated, 258 reported for every request.
    #[test]
    fn a_server_that_cuts_every_prompt_is_found() {
        let limit = Some(PromptCut::AtLimit { tokens: 258, prompts: 20 });
        assert_eq!(all((0..20).map(|_| (30_500, 258))), limit, "prompts of one length");
        assert_eq!(all((0..20).map(|n| (800 + 200 * n, 258))), limit, "and of very different length");
        let uneven = all((0..20).map(|n| (4000 + n, 500 + n)));
        assert_eq!(uneven, Some(PromptCut::FarBelow { prompts: 20 }));
    }

    #[test]
    fn a_limit_that_only_the_longest_prompts_reach_is_found() {
        let prompts = (0..100).map(|n| (50 * n, (50 * n + 400).min(4096)));
        assert_eq!(all(prompts), Some(PromptCut::AtLimit { tokens: 4096, prompts: 26 }));
        let few = (0..78).map(|n| (50 * n, (50 * n + 400).min(4096)));
        assert_eq!(all(few), None, "four prompts may be as long as each other");
    }

    #[test]
    fn servers_that_do_not_report_or_leave_cached_tokens_out_are_not_accused() {
        assert_eq!(all([]), None);
        assert_eq!(all((0..50).map(|n| (300 + 40 * n, 0))), None, "no count");
        assert_eq!(all((0..50).map(|n| (300 + 40 * n, 1))), None, "cached as a whole");
        // Of a comparison, all but the last document may be cached.
        let beside = (0..50).map(|n| served(5000 + 300, 300 + 10 * n, 320 + 9 * n)).collect::<Vec<_>>();
        assert_eq!(prompt_cut(&beside), None);
        let short = (0..50).map(|n| (3 + n % 9, 120));
        assert_eq!(all(short), None, "short documents may come to one number");
        let dense = (0..50).map(|n| (400 + 40 * n, 260 + 26 * n));
        assert_eq!(all(dense), None, "a tokenizer that needs two thirds of the estimate");
    }

    proptest! {
        /// A server that counts in proportion to the length, whole prompts or only uncached parts, is not suspected.
        #[test]
        fn a_count_that_grows_with_the_documents_is_no_cut(
            lengths in prop::collection::btree_set(1u64..20_000, 1..60),
            percent in 55u64..200,
            around in 0u64..3000,
        ) {
            let prompts: Vec<_> = lengths
                .into_iter()
                .map(|length| served(length, length, length * percent / 100 + around))
                .collect();
            prop_assert_eq!(prompt_cut(&prompts), None);
        }
    }
}
