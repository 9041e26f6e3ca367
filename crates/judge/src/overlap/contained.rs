//! Whether one text stands in the other, as whole words.

use super::overlap_text::OverlapText;
use super::step::MatchStep;

/// Says which text stands in the other, if one does. Words are whole, and a retrieved text that is a piece of the
/// answer has to hold `needed` of its words: a letter or an article stands in nearly every text.
pub(super) fn contained(
    expected: &OverlapText<'_>,
    retrieved: &OverlapText<'_>,
    needed: usize,
) -> Option<MatchStep> {
    let needed = needed.max(1);
    if expected.counted.len() >= needed && stands_in(&expected.words, &retrieved.words) {
        Some(MatchStep::AnswerInPassage)
    } else if retrieved.counted.len() >= needed && stands_in(&retrieved.words, &expected.words) {
        Some(MatchStep::PassageInAnswer)
    } else {
        None
    }
}

fn stands_in(needle: &[u32], hay: &[u32]) -> bool {
    let Some((first, rest)) = needle.split_first() else { return false };
    hay.windows(needle.len()).any(|window| window.split_first() == Some((first, rest)))
}
