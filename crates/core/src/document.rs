//! Documents: what is searched.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// One document, or passage, of the corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The identifier that runs and qrels use.
    pub id: String,
    /// Its title; empty when it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Its text.
    pub text: String,
}

impl Document {
    /// What a judge is shown: the title, if there is one, on a line of its own, then the text.
    pub fn shown(&self) -> Cow<'_, str> {
        if self.title.is_empty() {
            Cow::Borrowed(&self.text)
        } else {
            Cow::Owned(format!("{}\n{}", self.title, self.text))
        }
    }

    /// Whether there is nothing to show.
    pub fn is_blank(&self) -> bool {
        self.title.trim().is_empty() && self.text.trim().is_empty()
    }
}
