//! Counts contradictions between a graded judge and the tiers.

use llull_label::Contradiction;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far the grades of some members contradict the order of the tiers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnchorFigures {
    /// Documents that the graded judge gave a usable grade.
    pub graded: u64,
    /// Pairs of these in different tiers of one query.
    pub pairs: u64,
    /// How many of the pairs have the higher grade in the worse tier.
    pub wrong: u64,
    /// `wrong` of `pairs`, from 0 to 1; null without a pair.
    pub wrong_share: Option<f64>,
    /// How far the tiers' mean grades lie from grades that never rise down the tiers, in grades (root mean square,
    /// weighted by documents graded); null without a grade.
    pub distance: Option<f64>,
}

impl From<Contradiction> for AnchorFigures {
    fn from(found: Contradiction) -> Self {
        Self {
            graded: found.graded,
            pairs: found.pairs,
            wrong: found.wrong,
            wrong_share: found.share(),
            distance: found.distance(),
        }
    }
}
