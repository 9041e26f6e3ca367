//! The facts that a model makes of answers.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

/// The facts that a model has made of answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MadeFacts {
    /// The model.
    pub by: String,
    /// The answers, each with its facts.
    pub facts: Vec<(String, Vec<String>)>,
    /// The answers without facts, because the reply is unparsable, with the reason.
    pub without: Vec<(String, String)>,
    /// The answers without a reply yet.
    pub not_asked: Vec<String>,
}

/// The number of expected answers' facts, by their author.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FactsTally {
    /// The number of different expected answers.
    pub answers: usize,
    /// The number of their facts.
    pub facts: usize,
    /// The number of answers whose facts a model made, by its name. The facts of the others are people's.
    pub made_by: BTreeMap<String, usize>,
    /// The answers without facts, for which judges get no question.
    pub without: Vec<AnswerWithoutFacts>,
}

/// An expected answer that has no facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AnswerWithoutFacts {
    /// The answer.
    pub answer: String,
    /// The reason.
    pub reason: String,
}

/// The number of facts, and their authors.
impl fmt::Display for FactsTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
        write!(f, "{} facts of {} expected answers{by}{without}", self.facts, self.answers)
    }
}
