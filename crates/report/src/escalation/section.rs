//! The section of the report on a cascade.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cost::Dollars;

/// What a stronger judge saw of the pairs that the others grade, and what that changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EscalationSection {
    /// The stronger judge.
    pub to: String,
    /// What it is asked about, as the study says it.
    pub when: String,
    /// Pairs in the pool.
    pub pool: u64,
    /// Pairs that it is asked about.
    pub escalated: u64,
    /// Those that it graded: its grade is their label.
    pub graded: u64,
    /// Those that it gave no usable answer for: they keep the others' label.
    pub unusable: u64,
    /// Those that are still to be asked about: they keep the others' label until then.
    pub open: u64,
    /// Pairs that wait for an answer of the others, so that nobody knows whether they are hard.
    pub undecided: u64,
    /// Labels that became higher.
    pub raised: u64,
    /// Labels that became lower.
    pub lowered: u64,
    /// Pairs that had no label before.
    pub new: u64,
    /// Changed labels that are relevant now and were not, or were and are not, by the rubric's cutoff.
    pub across_cutoff: u64,
    /// What people's labels guarantee of the labels that stand; absent where they choose no threshold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guarantee: Option<GuaranteeSection>,
    /// What it took.
    pub cost: EscalatedCost,
    /// What asking the stronger judge about every pair would have taken, by the mean of what it was asked; unknown
    /// where it was asked nothing.
    pub everything: EscalatedCost,
    /// All of this in sentences; filled in by [`EscalationSection::in_sentences`].
    #[serde(default)]
    pub sentences: Vec<String>,
}

/// What asking took, or would take.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EscalatedCost {
    /// Requests. For every pair: at least one each.
    pub calls: u64,
    /// Tokens of prompts and replies; null if the provider counted none.
    pub tokens: Option<u64>,
    /// US dollars.
    pub usd: Dollars,
}

/// What is guaranteed of the labels that stand, by people's labels of a uniform sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GuaranteeSection {
    /// The share of them that may be wrong about relevance.
    pub disagreement: f64,
    /// With what confidence that is to hold.
    pub confidence: f64,
    /// From which margin on labels stand; null if none does, or people's labels do not say yet.
    pub margin: Option<f64>,
    /// How many labelled pairs have that margin or more.
    pub labelled: Option<usize>,
    /// On how many of these the panel is wrong.
    pub errors: Option<usize>,
    /// The exact upper bound of the share of errors.
    pub bound: Option<f64>,
    /// Pairs of the pool that the sample could not have drawn, so that it says nothing of them. Where there is a margin
    /// they are escalated.
    pub beyond: u64,
    /// Why there is no margin.
    pub reason: Option<String>,
    /// Whether that is because people's labels are not there yet, so that nothing is escalated by its margin; else
    /// everything is.
    pub waits: bool,
}

impl EscalationSection {
    /// Returns what belongs beside a decision: what the stronger judge sees, and what is guaranteed, if something is to
    /// be.
    pub fn in_short(&self) -> impl Iterator<Item = &str> {
        let guaranteed = self.guarantee.as_ref().and_then(|_| self.sentences.last());
        self.sentences.first().into_iter().chain(guaranteed).map(String::as_str)
    }
}
