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
    /// Returns what a judge is shown: the title, if there is one, on a line of its own, then the text.
    pub fn shown(&self) -> Cow<'_, str> {
        if self.title.is_empty() {
            Cow::Borrowed(&self.text)
        } else {
            Cow::Owned(format!("{}\n{}", self.title, self.text))
        }
    }

    /// Returns whether both the title and the text are blank.
    pub fn is_blank(&self) -> bool {
        self.title.trim().is_empty() && self.text.trim().is_empty()
    }
}
