//! The forms of a review, and their buttons.

use llull::core::PairChoice;
use llull::review::{AnnotatorAnswer, ReviewMark};
use serde::Deserialize;

/// The form of a pair's page, with the button that was pressed.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct PairForm {
    /// The token of this server's own forms.
    pub(super) token: String,
    /// Whose page it was.
    #[serde(rename = "person")]
    pub(super) annotator: String,
    pub(super) item: String,
    /// How often the person had answered it when the page was made.
    pub(super) times: usize,
    #[serde(default)]
    pub(super) note: String,
    /// The button.
    act: String,
}

/// A form with the annotator's name.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct NameForm {
    pub(super) token: String,
    pub(super) name: String,
}

/// The action of a button.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    Answer(AnnotatorAnswer),
    Mark(ReviewMark),
    Undo,
}

impl PairForm {
    /// The action of the button; `None` if no page has such a button.
    pub(super) fn act(&self) -> Option<Act> {
        Some(match self.act.as_str() {
            "skip" => Act::Mark(ReviewMark::Skip),
            "later" => Act::Mark(ReviewMark::Later),
            "cannot-tell" => Act::Mark(ReviewMark::CannotTell),
            "undo" => Act::Undo,
            "left" => Act::Answer(AnnotatorAnswer::Choice(PairChoice::Lhs)),
            "right" => Act::Answer(AnnotatorAnswer::Choice(PairChoice::Rhs)),
            "neither" => Act::Answer(AnnotatorAnswer::Choice(PairChoice::Neither)),
            act => Act::Answer(AnnotatorAnswer::Grade(act.strip_prefix("grade ")?.parse().ok()?)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_button_says_one_thing() {
        let act = |act: &str| {
            let (token, annotator, item, note) = <(String, String, String, String)>::default();
            PairForm { token, annotator, item, times: 0, note, act: act.into() }.act()
        };
        assert_eq!(act("grade 2"), Some(Act::Answer(AnnotatorAnswer::Grade(2))));
        assert_eq!(act("grade -1"), Some(Act::Answer(AnnotatorAnswer::Grade(-1))));
        assert_eq!(act("right"), Some(Act::Answer(AnnotatorAnswer::Choice(PairChoice::Rhs))));
        assert_eq!(act("cannot-tell"), Some(Act::Mark(ReviewMark::CannotTell)));
        for wrong in ["", "2", "Left", "left ", "missing", "grade", "grade ", "grade two", "grade 2 ", "Skip"]
        {
            assert_eq!(act(wrong), None, "{wrong}");
        }
    }
}
