//! Facts that a model makes of answers.

use std::collections::BTreeMap;

use serde::Serialize;

/// What a model has made of the answers that it was to take apart into facts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MadeFacts {
    /// The model.
    pub by: String,
    /// The answers, each with its facts.
    pub facts: Vec<(String, Vec<String>)>,
    /// The answers that have none, and why: the reply cannot be read.
    pub without: Vec<(String, String)>,
    /// The answers that it has not answered about yet.
    pub not_asked: Vec<String>,
}

/// How many facts expected answers have, and who made them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FactsTally {
    /// How many different answers are expected.
    pub answers: usize,
    /// How many facts they have.
    pub facts: usize,
    /// Of how many answers a model made the facts, by its name. Those of the others are people's.
    pub made_by: BTreeMap<String, usize>,
    /// The answers that have none, which no judge is asked about.
    pub without: Vec<AnswerWithoutFacts>,
}

/// An expected answer that has no facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AnswerWithoutFacts {
    /// The answer.
    pub answer: String,
    /// Why it has none.
    pub reason: String,
}

impl FactsTally {
    /// Says how many facts there are, and by whom.
    pub fn in_words(&self) -> String {
        let by: Vec<String> = self
            .made_by
            .iter()
            .map(|(model, answers)| format!("those of {answers} made by {model}"))
            .collect();
        let by = if by.is_empty() { String::new() } else { format!(", {}", by.join(", ")) };
        let without = match self.without.len() {
            0 => String::new(),
            without => format!("; {without} have no facts, and no judgments"),
        };
        format!("{} facts of {} expected answers{by}{without}", self.facts, self.answers)
    }
}
