//! Answers to prompts that compare; they depend on the documents' texts only.

use std::cmp::Reverse;

use llull_core::{Grade, Hash, Scale};
use serde_json::json;

use crate::{
    comparing_prompt::{AnswerForm, ComparingPrompt},
    graded_answer::grade_of_prompt,
};

/// How a stand-in that compares decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Taste {
    /// By [`merit`]: the same two documents are ordered the same way wherever they are shown, and no answers
    /// contradict each other. Equal grades are a tie if ties are allowed.
    #[default]
    Merit,
    /// The first document is better, whatever its text: a judge whose answers do not survive a swap.
    FirstShown,
    /// The documents of a query form a ring, and each is better than those on the half that follows it: a judge with
    /// cyclic triangles. Three or more are ordered clockwise from the first one.
    Circular,
    /// A hash of all documents in their order: a random judge that gives the same answer to the same question. A
    /// document that is graded again gets another grade.
    Coin,
}

/// Returns the worth of a document for a query: a grade for ties, and a number that orders documents of one grade.
/// Both are hashes of the two texts.
pub fn merit(query: &str, document: &str, scale: Scale) -> (Grade, u64) {
    let case = format!("{} {query}{document}", query.len());
    (grade_of_prompt(&case, scale), angle(&case))
}

/// Returns the answer in the form of the built-in templates `pairwise`, `listwise` and `setwise`, with or without
/// their rationale; `None` for another prompt.
pub fn compared_json(prompt: &str, taste: Taste, scale: Scale) -> Option<String> {
    let asked = ComparingPrompt::read(prompt)?;
    let places = places(&asked, taste, scale);
    let labels = |place: &[usize]| -> Vec<&str> { place.iter().map(|at| asked.documents[*at].0).collect() };
    let answer = match asked.form {
        AnswerForm::Choice { .. } => match places.as_slice() {
            [first, _] => json!(labels(first)),
            _ => json!(["Neither"]),
        },
        AnswerForm::Ranking { ties: true } => {
            json!(places.iter().map(|place| labels(place)).collect::<Vec<_>>())
        }
        AnswerForm::Ranking { ties: false } | AnswerForm::Best => json!(labels(&places.concat())),
    };
    let answer = match asked.form {
        AnswerForm::Choice { .. } | AnswerForm::Best => answer[0].clone(),
        AnswerForm::Ranking { .. } => answer,
    };
    Some(asked.object(answer))
}

/// Returns an answer of the right shape that is not an order of the documents shown. It omits a label, repeats one or
/// invents one, depending on the prompt's hash; a choice can only be an invented label. `None` if the prompt does not
/// compare.
pub(crate) fn misordered_json(prompt: &str) -> Option<String> {
    let asked = ComparingPrompt::read(prompt)?;
    let mut labels: Vec<&str> = asked.documents.iter().map(|(label, _)| *label).collect();
    let AnswerForm::Ranking { ties } = asked.form else {
        return Some(asked.object(json!("Z9")));
    };
    match Hash::of(prompt.as_bytes()).0[0] % 3 {
        0 => drop(labels.pop()),
        1 => labels.push(labels[0]),
        _ => labels.push("Z9"),
    }
    let answer = match ties {
        true => json!(labels.iter().map(|label| [label]).collect::<Vec<_>>()),
        false => json!(labels),
    };
    Some(asked.object(answer))
}

/// Returns the positions of the documents in groups, best first; those of one group are equally good.
fn places(prompt: &ComparingPrompt<'_>, taste: Taste, scale: Scale) -> Vec<Vec<usize>> {
    let all = 0..prompt.documents.len();
    let merits: Vec<(Grade, u64)> =
        prompt.documents.iter().map(|(_, text)| merit(prompt.query, text, scale)).collect();
    let mut order: Vec<usize> = all.collect();
    match taste {
        Taste::FirstShown => {}
        Taste::Merit => order.sort_by_key(|at| Reverse(merits[*at])),
        Taste::Coin => {
            let all: Vec<&str> = prompt.documents.iter().map(|(_, text)| *text).collect();
            let shown = format!("{} {}", prompt.query, all.join("\n"));
            order.sort_by_key(|at| angle(&format!("{at} {shown}")));
        }
        Taste::Circular => order.sort_by_key(|at| merits[*at].1.wrapping_sub(merits[0].1)),
    }
    // Of two, the second is better if its place is less than half a turn before the first's, so that both orders of
    // showing them give the same answer.
    if let (Taste::Circular, [first, second]) = (taste, order.as_slice())
        && merits[*second].1.wrapping_sub(merits[*first].1) > u64::MAX / 2
    {
        order.reverse();
    }
    let ties = match prompt.form {
        AnswerForm::Choice { neither } => neither,
        AnswerForm::Ranking { ties } => ties,
        AnswerForm::Best => false,
    };
    let equal = |left: &usize, right: &usize| match taste {
        Taste::Merit => ties && merits[*left].0 == merits[*right].0,
        Taste::FirstShown | Taste::Circular | Taste::Coin => false,
    };
    order.chunk_by(equal).map(<[usize]>::to_vec).collect()
}

/// Returns the place of a text on the ring.
fn angle(text: &str) -> u64 {
    let Hash([_, _, a, b, c, d, e, f, g, h, ..]) = Hash::of(text.as_bytes());
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

    use serde_json::Value;

    use super::*;

    /// A prompt with these documents, as the built-in templates lay it out.
    fn prompt(documents: &[(&str, &str)], form: &str) -> String {
        let shown: String = documents
            .iter()
            .map(|(label, text)| {
                format!("Document {label}:\n<document-{label}-17>\n{text}\n</document-{label}-17>\n\n")
            })
            .collect();
        format!("What relevant means\n\n<query-17>\nq\n</query-17>\n\n{shown}# Form of the answer\n{form}")
    }

    const CHOICE: &str = "{\"rationale\": <a string>, \"choice\": <\"LHS\", \"RHS\" or \"Neither\">}";
    const FORCED: &str = "{\"choice\": <\"LHS\" or \"RHS\">}";
    const PLACES: &str = "{\"ranking\": <a list of lists of labels>}";

    fn answer(documents: &[(&str, &str)], form: &str, taste: Taste) -> Value {
        let answer = compared_json(&prompt(documents, form), taste, Scale::default()).unwrap();
        serde_json::from_str(&answer).unwrap()
    }

    fn texts() -> Vec<String> {
        (0..20).map(|n| format!("text {n}")).collect()
    }

    #[test]
    fn the_better_of_two_is_better_on_either_side_and_equal_grades_are_neither() {
        let (texts, mut neither) = (texts(), 0);
        for (left, right) in texts.iter().zip(&texts[1..]) {
            let choice = |form, taste, left: &str, right: &str| {
                answer(&[("LHS", left), ("RHS", right)], form, taste)["choice"].clone()
            };
            let merits = [left, right].map(|text| merit("q", text, Scale::default()));
            let better = |left, right| if merits[left] > merits[right] { "LHS" } else { "RHS" };
            assert_eq!(choice(FORCED, Taste::Merit, left, right), better(0, 1));
            assert_eq!(choice(FORCED, Taste::Merit, right, left), better(1, 0));
            let tied = merits[0].0 == merits[1].0;
            neither += u32::from(tied);
            assert_eq!(
                choice(CHOICE, Taste::Merit, left, right),
                if tied { "Neither" } else { better(0, 1) }
            );
            let circular = |left, right| choice(FORCED, Taste::Circular, left, right);
            assert_ne!(circular(left, right), circular(right, left), "one side, wherever it is shown");
            assert_eq!(choice(CHOICE, Taste::FirstShown, left, right), "LHS");
        }
        assert!(neither > 0 && neither < 19, "{neither}");
    }

    #[test]
    fn a_circular_judge_contradicts_itself() {
        let texts = texts();
        let beats = |left: &String, right: &String| {
            answer(&[("LHS", left), ("RHS", right)], FORCED, Taste::Circular)["choice"] == "LHS"
        };
        let cyclic = texts.windows(3).any(|three| {
            beats(&three[0], &three[1]) && beats(&three[1], &three[2]) && beats(&three[2], &three[0])
        });
        assert!(cyclic);
    }

    #[test]
    fn several_are_put_in_order_of_merit_with_every_label_once() {
        let texts = texts();
        let labels: Vec<String> = ('A'..='T').map(String::from).collect();
        let shown: Vec<_> = labels.iter().map(String::as_str).zip(texts.iter().map(String::as_str)).collect();
        let ranking = answer(&shown, PLACES, Taste::Merit)["ranking"].clone();
        let places: Vec<Vec<String>> = serde_json::from_value(ranking).unwrap();
        let grade = |label: &String| {
            let at = labels.iter().position(|other| other == label).unwrap();
            merit("q", &texts[at], Scale::default()).0
        };
        let grades: Vec<Vec<Grade>> = places.iter().map(|place| place.iter().map(grade).collect()).collect();
        assert!(grades.iter().all(|place| place.iter().all(|grade| *grade == place[0])), "{grades:?}");
        assert!(grades.windows(2).all(|places| places[0][0] > places[1][0]), "{grades:?}");
        let mut named = places.concat();
        named.sort();
        assert_eq!(named, labels);
        let wrong = misordered_json(&prompt(&shown, PLACES)).unwrap();
        let wrong: Value = serde_json::from_str(&wrong).unwrap();
        let mut named: Vec<String> =
            serde_json::from_value::<Vec<Vec<String>>>(wrong["ranking"].clone()).unwrap().concat();
        named.sort();
        assert_ne!(named, labels);
    }

    #[test]
    fn a_prompt_that_grades_is_none_of_this() {
        assert_eq!(
            compared_json(
                "Is it relevant?\n\n# Form of the answer\n{\"grade\": <0 or 1>}",
                Taste::Merit,
                Scale::default()
            ),
            None
        );
    }
}
