//! Whether one text stands in the other, as whole words.

use super::overlap_text::OverlapText;
use super::step::MatchStep;

/// Says which text stands in the other, if one does; `shared` is how many words that count both have. Words are whole,
/// and a retrieved text that is a piece of the answer has to hold `needed` of its words: a letter or an article stands
/// in nearly every text.
pub(super) fn contained(
    expected: &OverlapText<'_>,
    retrieved: &OverlapText<'_>,
    (shared, needed): (usize, usize),
) -> Option<MatchStep> {
    let needed = needed.max(1);
    // Only a text whose words are all shared can stand in the other.
    let all = |text: &OverlapText<'_>| text.counted.len() >= needed && text.counted.len() == shared;
    if all(expected) && stands_in(&expected.words, &retrieved.words) {
        Some(MatchStep::AnswerInPassage)
    } else if all(retrieved) && stands_in(&retrieved.words, &expected.words) {
        Some(MatchStep::PassageInAnswer)
    } else {
        None
    }
}

fn stands_in(needle: &[u32], hay: &[u32]) -> bool {
    let Some((first, rest)) = needle.split_first() else { return false };
    hay.windows(needle.len()).any(|window| window.split_first() == Some((first, rest)))
}
