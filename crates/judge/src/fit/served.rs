//! Checks by a server's token counts whether it reads whole prompts.
//!
//! It has no I/O and no clock.

use std::collections::BTreeMap;

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
