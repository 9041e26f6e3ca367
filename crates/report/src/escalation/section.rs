//! The section of the report on a cascade.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cost::Dollars;

/// A stronger judge's answers about pairs that the others grade, and the changed labels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EscalationSection {
    /// The stronger judge.
    pub to: String,
    /// The condition under which a pair goes to it, in the study's words.
    pub when: String,
    /// Pairs in the pool.
    pub pool: u64,
    /// Pairs that go to the stronger judge.
    pub escalated: u64,
    /// Those that it graded: its grade is their label.
    pub graded: u64,
    /// Those without a usable answer from it: the others' label stands.
    pub unusable: u64,
    /// Those that still wait for its answer: the others' label stands until then.
    pub open: u64,
    /// Pairs that wait for an answer of the others, so that it is unknown whether they are hard.
    pub undecided: u64,
    /// Labels that became higher.
    pub raised: u64,
    /// Labels that became lower.
    pub lowered: u64,
    /// Pairs that had no label before.
    pub new: u64,
    /// Changed labels that are relevant now and were not, or were and are not, by the rubric's cutoff.
    pub across_cutoff: u64,
    /// The guarantee for the labels that stand, by human labels; absent where they choose no threshold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guarantee: Option<GuaranteeSection>,
    /// The cost of its answers.
    pub cost: EscalatedCost,
    /// The cost if the stronger judge graded every pair, by the mean cost of its requests; unknown before its first
    /// request.
    pub everything: EscalatedCost,
    /// All of this in sentences; filled in by [`EscalationSection::in_sentences`].
    #[serde(default)]
    pub sentences: Vec<String>,
}

/// The cost of requests, made or estimated.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EscalatedCost {
    /// Requests. For every pair: at least one each.
    pub calls: u64,
    /// Tokens of prompts and replies; null if the provider counted none.
    pub tokens: Option<u64>,
    /// US dollars.
    pub usd: Dollars,
}

/// The guarantee for the labels that stand, by human labels of a uniform sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GuaranteeSection {
    /// The share of them that may be wrong about relevance.
    pub disagreement: f64,
    /// The confidence of the guarantee.
    pub confidence: f64,
    /// The least margin of labels that stand; null if no margin is enough, or human labels are still missing.
    pub margin: Option<f64>,
    /// How many labelled pairs have that margin or more.
    pub labelled: Option<usize>,
    /// On how many of these the panel is wrong.
    pub errors: Option<usize>,
    /// The exact upper bound of the share of errors.
    pub bound: Option<f64>,
    /// Pairs of the pool that could not be drawn into the sample, so that the guarantee excludes them. Where there is
    /// a margin they are escalated.
    pub beyond: u64,
    /// Why there is no margin.
    pub reason: Option<String>,
    /// Whether human labels are still missing, so that nothing is escalated by its margin. If false and there is no
    /// margin, everything is.
    pub waits: bool,
}

impl EscalationSection {
    /// Returns the sentences for the decision: the answers of the stronger judge, and the guarantee, if there is one.
    pub fn in_short(&self) -> impl Iterator<Item = &str> {
        let guaranteed = self.guarantee.as_ref().and_then(|_| self.sentences.last());
        self.sentences.first().into_iter().chain(guaranteed).map(String::as_str)
    }
}
