//! What makes a judge the judge that it is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Hash, KeyBuilder, Scale};

/// How a judge is asked.
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
    /// Every paradigm.
    pub const ALL: [Self; 3] = [Self::Graded, Self::Pairwise, Self::Listwise];

    /// The name that configuration and JSON use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Graded => "graded",
            Self::Pairwise => "pairwise",
            Self::Listwise => "listwise",
        }
    }
}

/// The parameters that shape a reply. `None` leaves a parameter out of the request, so the server decides.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// 0 is the most likely reply each time.
    pub temperature: Option<f64>,
    /// Nucleus sampling.
    pub top_p: Option<f64>,
    /// The longest reply, in tokens, reasoning included.
    pub max_tokens: u32,
    /// The seed that is sent to servers that take one.
    pub seed: Option<u64>,
}

impl Default for Sampling {
    fn default() -> Self {
        Self { temperature: Some(0.0), top_p: None, max_tokens: 1024, seed: None }
    }
}

/// Everything that decides what a judge answers, and nothing that does not: no name, concurrency, timeout,
/// address or response format. Two judges with one [`fingerprint`](Self::fingerprint) share their answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgeSpec {
    /// How it is asked.
    pub paradigm: Paradigm,
    /// The model as configured, `openai/gpt-4o-mini`, or `similarity`, or `replay`.
    pub model: String,
    /// The prompt template's name; for people, not part of the fingerprint.
    pub prompt: String,
    /// The hash of the template's text (of the data it answers from, for a judge without a prompt).
    pub prompt_hash: Hash,
    /// The hash of the rubric.
    pub rubric_hash: Hash,
    /// The grades that it may give.
    pub scale: Scale,
    /// Sampling parameters; `None` for a judge that is not a language model.
    pub sampling: Option<Sampling>,
    /// Whatever else changes what it answers, such as the seed of its anchors' order.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

impl JudgeSpec {
    /// The hash of what the judge is.
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
