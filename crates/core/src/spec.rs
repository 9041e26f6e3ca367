//! The identity of a judge.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Hash, KeyBuilder, Scale};

/// The form of a judge's questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Paradigm {
    /// One document at a time, a grade on a scale.
    Graded,
    /// Two documents at a time: the left one, the right one, or neither.
    Pairwise,
    /// Several documents at a time: an order with ties, or the best of them.
    Listwise,
}

impl Paradigm {
    /// All paradigms.
    pub const ALL: [Self; 3] = [Self::Graded, Self::Pairwise, Self::Listwise];

    /// Returns the name that configuration and JSON use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Graded => "graded",
            Self::Pairwise => "pairwise",
            Self::Listwise => "listwise",
        }
    }
}

/// Sampling parameters of a request. `None` leaves a parameter out of the request, so that the server's default
/// applies.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// The temperature. At 0 the most likely reply is given each time.
    pub temperature: Option<f64>,
    /// The probability mass of nucleus sampling.
    pub top_p: Option<f64>,
    /// The maximum length of a reply in tokens, reasoning included.
    pub max_tokens: u32,
    /// The seed, for servers that accept one.
    pub seed: Option<u64>,
}

impl Default for Sampling {
    fn default() -> Self {
        Self { temperature: Some(0.0), top_p: None, max_tokens: 1024, seed: None }
    }
}

/// Everything that affects a judge's answers, and nothing else: no name, concurrency, timeout, address or response
/// format. Judges with the same [`fingerprint`](Self::fingerprint) share their answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgeSpec {
    /// The form of its questions.
    pub paradigm: Paradigm,
    /// The model as configured, such as `openai/gpt-4o-mini`, or `similarity`, or `replay`.
    pub model: String,
    /// The name of the prompt template. For people; not part of the fingerprint.
    pub prompt: String,
    /// The hash of the template's text. For a judge without a prompt, the hash of the data it answers from.
    pub prompt_hash: Hash,
    /// The hash of the rubric.
    pub rubric_hash: Hash,
    /// The grades that the judge may give.
    pub scale: Scale,
    /// Sampling parameters; `None` for a judge that is not a language model.
    pub sampling: Option<Sampling>,
    /// Any other setting that affects the answers, such as the seed of the order of anchors.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

impl JudgeSpec {
    /// Returns the hash of all fields but the prompt's name.
    pub fn fingerprint(&self) -> Hash {
        let number = |value: Option<f64>| value.map_or(String::from("-"), |value| format!("{value:?}"));
        let mut key = KeyBuilder::new("llull judge v1")
            .text("paradigm", self.paradigm.name())
            .text("model", &self.model)
            .part("prompt", &self.prompt_hash.0)
            .part("rubric", &self.rubric_hash.0)
            .text("scale", &format!("{}..{}", self.scale.low(), self.scale.high()));
        if let Some(sampling) = &self.sampling {
            key = key
                .text("temperature", &number(sampling.temperature))
                .text("top_p", &number(sampling.top_p))
                .number("max_tokens", u64::from(sampling.max_tokens))
                .text("seed", &sampling.seed.map_or(String::from("-"), |seed| seed.to_string()));
        }
        for (name, value) in &self.options {
            key = key.text("option", name).text("value", value);
        }
        key.finish()
    }
}
