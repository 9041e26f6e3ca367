//! The kinds of checks, by the names that files use.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The subject of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[derive(strum::IntoStaticStr, strum::EnumString, strum::VariantArray, strum::VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum CheckKind {
    /// The share of comparisons won by the document that was shown first.
    FirstSide,
    /// In lists, how early the chosen document stood.
    ChosenRank,
    /// In lists, how much further down documents finish that were shown in the middle.
    MiddlePlaces,
    /// The share of questions whose answer changed when the documents were shown in reverse.
    PositionFlip,
    /// The same for questions that were repeated unchanged: the judge's noise.
    RepeatFlip,
    /// Whether reversing moves answers in one direction more than in the other.
    Position,
    /// Cycles of three documents whose edges come from different answers.
    Cycles,
    /// The share of answers that are the most frequent grade.
    OneGrade,
    /// Grades drawn to the middle of the scale.
    MiddleOfScale,
    /// Grades that follow the worked example shown first or last.
    AnchorOrder,
    /// Agreement with other judges or with human labels, beyond chance, within queries.
    Kappa,
    /// Replies that could not be read, and whether they gather in some queries or at some lengths.
    Unusable,
    /// Prompts of which the server read only a part.
    CutPrompts,
    /// The length of rationales, and its correlation with the answer.
    Verbosity,
    /// Grade or choice against the length of the document.
    Length,
    /// The systems' difference with the length of documents held equal.
    LengthControlled,
    /// Grade or choice against how many of the query's words the document has.
    Overlap,
    /// Grade or choice against the rank at which the systems returned the document.
    FusedRank,
    /// Whether near copies of a document have the same grade.
    NearCopies,
    /// Whether a judge prefers the system of its own model family.
    SameFamily,
    /// Whether a judge rates the documents of one system too high or too low, whatever its other errors are.
    FavouredSystem,
    /// How many independent judges a panel is worth.
    IndependentVotes,
    /// The effect of repeating the query's words in a document on its grade.
    Stuffed,
    /// The effect of neutral sentences in a document on its grade.
    Padded,
    /// The effect of an instruction in a document on its grade.
    Injected,
    /// The effect of leaving out half of a document on its grade.
    Truncated,
    /// The effect of another order of the worked examples on grades, beyond that of repetition.
    Anchors,
    /// Whether a document loses when other names and numbers stand where it had the query's.
    Swapped,
    /// How much further agreement with people falls here than on a newer collection when words are changed.
    Contamination,
}

impl CheckKind {
    /// Returns the title that people read, in lower case; at most five words.
    pub fn title(self) -> &'static str {
        match self {
            Self::FirstSide => "favours the first document",
            Self::ChosenRank => "favours one place in lists",
            Self::MiddlePlaces => "lost in the middle",
            Self::PositionFlip => "answers change when reversed",
            Self::RepeatFlip => "answers change when repeated",
            Self::Position => "same place wins when reversed",
            Self::Cycles => "contradictory comparisons",
            Self::OneGrade => "always the same grade",
            Self::MiddleOfScale => "avoids the extreme grades",
            Self::AnchorOrder => "order of worked examples",
            Self::Kappa => "agreement beyond chance",
            Self::Unusable => "unparsable replies",
            Self::CutPrompts => "prompts cut by the server",
            Self::Verbosity => "rationale length",
            Self::Length => "document length",
            Self::LengthControlled => "systems at equal length",
            Self::Overlap => "word overlap",
            Self::FusedRank => "ranks of the systems",
            Self::NearCopies => "near copies graded apart",
            Self::SameFamily => "own model family",
            Self::FavouredSystem => "favours a system",
            Self::IndependentVotes => "independent votes",
            Self::Stuffed => "repeated query words",
            Self::Padded => "padded documents",
            Self::Injected => "instructions in documents",
            Self::Truncated => "truncated documents",
            Self::Anchors => "reordered worked examples",
            Self::Swapped => "swapped names and numbers",
            Self::Contamination => "memory of the collection",
        }
    }

    /// Every kind, in the order in which reports list them.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// Their names.
    pub const NAMES: &'static [&'static str] = <Self as strum::VariantNames>::VARIANTS;

    /// Returns the kind with this [`name`](Self::name), if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        name.parse().ok()
    }

    /// Returns the name that reports, `[checks]` and JSON use.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn titles_are_short_and_unique() {
        let titles: BTreeSet<&str> = CheckKind::ALL.iter().map(|kind| kind.title()).collect();
        assert_eq!(titles.len(), CheckKind::ALL.len());
        for title in titles {
            assert!(title.split(' ').count() <= 5 && title == title.to_lowercase(), "{title}");
        }
    }
}
