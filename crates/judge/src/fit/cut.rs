//! Cuts a document to a budget of tokens.

use llull_core::{TextPieces, estimate_tokens};

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
}
