//! The section of the report on comparisons.

use llull_core::Paradigm;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::by_annotators::ComparedByAnnotators;
use super::totals::TournamentTotals;
use crate::escalation::CyclesSection;
use crate::paradigm::paradigm_schema;

/// The tournaments of a study, one for each query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TournamentSection {
    /// How documents were compared, and how tiers became labels.
    pub setup: TournamentSetup,
    /// The sums over all queries.
    pub totals: TournamentTotals,
    /// A stronger judge's answers about cycles of documents; absent without such a judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycles: Option<CyclesSection>,
    /// The agreement of judges and tiers with human preferences; absent if no annotator compared documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<ComparedByAnnotators>,
}

/// How documents were compared, and how tiers became labels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TournamentSetup {
    /// The form of the judges' requests: `pairwise` or `listwise`.
    #[schemars(schema_with = "paradigm_schema")]
    pub paradigm: Paradigm,
    /// How many documents a question shows at most.
    pub window: usize,
    /// How many of a query's best documents were to be found; null if all were to be put in order.
    pub top: Option<usize>,
    /// How questions were spread over waves, such as `balanced`.
    pub schedule: String,
    /// How tiers became labels: `ordinal`, `geometric`, `binary(2)`, `anchored`.
    pub labels: String,
    /// The meaning of these labels, and their limits, in plain sentences.
    pub meaning: String,
    /// The lowest grade that counts as relevant; null if none does, as grades are places in an order.
    pub relevant_from: Option<i32>,
    /// The lowest grade that P, RR, R and AP count as relevant if their names have none; a convention if
    /// `relevant_from` is null. Null in earlier reports.
    #[serde(default)]
    pub measured_from: Option<i32>,
}
