//! Maps results to the expected answers that they contain.

/// The outcome of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It contains the answer at this position, in its own text at this position.
    Answer { answer: usize, text: usize },
    /// It contains none of the remaining answers.
    None,
    /// It has no text, or no usable judgment by one of the remaining answers.
    Unjudged,
}

/// Maps results, best first, to the first remaining answer that each contains: the rule of evret 0.0.3.
///
/// `texts` has the number of texts of each result; `holds` returns whether a result's text contains an answer, if that
/// is known.
pub(super) fn map_results(
    answers: usize,
    texts: impl IntoIterator<Item = usize>,
    holds: impl Fn(usize, usize, usize) -> Option<bool>,
) -> Vec<Place> {
    let mut taken = vec![false; answers];
    let place = |(result, texts): (usize, usize)| {
        if texts == 0 {
            return Place::Unjudged;
        }
        let mut known = true;
        for (answer, taken) in taken.iter_mut().enumerate().filter(|(_, taken)| !**taken) {
            for text in 0..texts {
                match holds(result, text, answer) {
                    Some(true) => {
                        *taken = true;
                        return Place::Answer { answer, text };
                    }
                    Some(false) => {}
                    None => known = false,
                }
            }
        }
        if known { Place::None } else { Place::Unjudged }
    };
    texts.into_iter().enumerate().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_taken_by_the_best_result_that_holds_it() {
        let holds = [[vec![true, true]], [vec![true, false]], [vec![true, true]], [vec![true, true]]];
        let places = map_results(2, [1, 1, 1, 1], |result, text, answer| Some(holds[result][text][answer]));
        let answer = |answer| Place::Answer { answer, text: 0 };
        assert_eq!(places, [answer(0), Place::None, answer(1), Place::None]);
    }

    #[test]
    fn the_answer_decides_before_the_text_and_no_text_is_no_judgment() {
        let places = map_results(2, [0, 2], |_, text, answer| Some(text != answer));
        assert_eq!(places, [Place::Unjudged, Place::Answer { answer: 0, text: 1 }]);
    }

    #[test]
    fn what_a_judge_did_not_say_is_not_a_no() {
        let said = [[None, Some(true)], [None, Some(false)], [Some(false), Some(false)]];
        let places = map_results(2, [1, 1, 1], |result, _, answer| said[result][answer]);
        assert_eq!(places, [Place::Answer { answer: 1, text: 0 }, Place::Unjudged, Place::None]);
    }
}
