//! From judgments to answers that are found.

/// Where a result stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It brings the answer at this position, by the text at this position of its own.
    Answer { answer: usize, text: usize },
    /// It brings none that is left.
    None,
    /// It has no text to judge.
    Unjudged,
}

/// Maps results, best first, to the first answer that each holds and that no better one has taken: the rule of
/// evret 0.0.3. `texts` has the number of texts of each result; `holds` says whether a result's text holds an answer.
pub(super) fn map_results(
    answers: usize,
    texts: impl IntoIterator<Item = usize>,
    holds: impl Fn(usize, usize, usize) -> bool,
) -> Vec<Place> {
    let mut taken = vec![false; answers];
    let place = |(result, texts): (usize, usize)| {
        if texts == 0 {
            return Place::Unjudged;
        }
        for (answer, taken) in taken.iter_mut().enumerate().filter(|(_, taken)| !**taken) {
            if let Some(text) = (0..texts).find(|text| holds(result, *text, answer)) {
                *taken = true;
                return Place::Answer { answer, text };
            }
        }
        Place::None
    };
    texts.into_iter().enumerate().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_taken_by_the_best_result_that_holds_it() {
        let holds = [[vec![true, true]], [vec![true, false]], [vec![true, true]], [vec![true, true]]];
        let places = map_results(2, [1, 1, 1, 1], |result, text, answer| holds[result][text][answer]);
        let answer = |answer| Place::Answer { answer, text: 0 };
        assert_eq!(places, [answer(0), Place::None, answer(1), Place::None]);
    }

    #[test]
    fn the_answer_decides_before_the_text_and_no_text_is_no_judgment() {
        let places = map_results(2, [0, 2], |_, text, answer| text != answer);
        assert_eq!(places, [Place::Unjudged, Place::Answer { answer: 0, text: 1 }]);
    }
}
