//! Documents of the corpus that is searched.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// A document or passage of the corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The identifier that runs and qrels use.
    pub id: String,
    /// The title; empty if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The text.
    pub text: String,
}

impl Document {
    /// Returns the text that a judge sees: the title, if there is one, on a line of its own, then the text.
    pub fn shown(&self) -> Cow<'_, str> {
        if self.title.is_empty() {
            Cow::Borrowed(&self.text)
        } else {
            Cow::Owned(format!("{}\n{}", self.title, self.text))
        }
    }

    /// Returns whether judges could see the same of both. White space does not count, a title may be part of the text,
    /// and one of the two may lack the title or the text: a missing part contradicts nothing.
    ///
    /// ```
    /// # use llull_core::Document;
    /// let document = |title: &str, text: &str| Document { id: "d".into(), title: title.into(), text: text.into() };
    /// let known = document("Cats", "They purr.");
    /// assert!(known.agrees_with(&document("", "They purr.")) && known.agrees_with(&document("", "Cats\n\nThey
    /// purr."))); assert!(!known.agrees_with(&document("Dogs", "They purr.")) && !known.agrees_with(&document("", "They
    /// bark.")));
    /// ```
    pub fn agrees_with(&self, other: &Self) -> bool {
        let same = |one: &str, other: &str| one.split_whitespace().eq(other.split_whitespace());
        let is_blank = |text: &str| text.trim().is_empty();
        let agree = |one: &str, other: &str| is_blank(one) || is_blank(other) || same(one, other);
        same(&self.shown(), &other.shown())
            || agree(&self.title, &other.title)
                && agree(&self.text, &other.text)
                && (same(&self.title, &other.title) || same(&self.text, &other.text))
    }

    /// Returns whether both the title and the text are blank.
    pub fn is_blank(&self) -> bool {
        self.title.trim().is_empty() && self.text.trim().is_empty()
    }
}
