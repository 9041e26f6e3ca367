//! Recognizes questions that are equal, or nearly.

use std::collections::BTreeSet;

/// The words of a question: runs of letters and digits, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct QuestionWords {
    words: BTreeSet<String>,
    /// All words in order, which distinguishes two questions with the same words.
    line: String,
}

impl QuestionWords {
    pub(super) fn of(question: &str) -> Self {
        let lower = question.to_lowercase();
        let words = || lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        Self { words: words().map(str::to_owned).collect(), line: words().collect::<Vec<_>>().join(" ") }
    }

    /// Returns whether two questions differ only in case, signs and blanks, or share at least this part of their
    /// different words.
    pub(super) fn is_like(&self, other: &Self, similar: f64) -> bool {
        let shared = self.words.intersection(&other.words).count();
        let all = self.words.len() + other.words.len() - shared;
        self.line == other.line || all > 0 && shared as f64 >= similar * all as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_question_in_other_signs_is_the_same() {
        let like = |one: &str, other: &str| QuestionWords::of(one).is_like(&QuestionWords::of(other), 0.8);
        assert!(like("How high is the tower?", " how high -- IS the Tower"));
        assert!(like("How high is the old tower?", "How high is the tower?"), "5 of 6 words");
        assert!(!like("How high is the tower?", "How old is the tower?"), "4 of 6 words");
        assert!(!like("Wie hoch ist er?", "How high is the tower?"));
        assert!(like("天は青い？", "天は青い"));
    }
}
