//! An encoder that counts letters.

use std::sync::Mutex;

use llull::encoder::{EncodeError, Encoder, TextRole, Vectors};

/// The letters of a text, counted; remembers what it was given.
pub(crate) struct Letters<'a>(pub(crate) &'a Mutex<Vec<String>>);

impl Encoder for Letters<'_> {
    fn name(&self) -> &str {
        "letters"
    }

    fn encode(&self, texts: &[&str], _: TextRole) -> Result<Vectors, EncodeError> {
        if texts.iter().any(|text| text.contains("poison")) {
            return Err(EncodeError::Model { encoder: "letters".into(), reason: "poisoned".into() });
        }
        self.0.lock().unwrap().extend(texts.iter().map(|text| (*text).to_owned()));
        let count = |text: &str| ('a'..='z').map(|letter| text.matches(letter).count() as f32).collect();
        Vectors::normalized(26, texts.iter().map(|text| (count(&text.to_lowercase()), false)))
    }

    fn batch(&self) -> usize {
        2
    }
}
