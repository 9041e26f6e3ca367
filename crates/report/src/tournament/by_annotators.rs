//! Compares judges and tiers with human preferences.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::{confidence, count, counted, percent, percent_interval};

/// Human preferences between two documents, and the agreement of each judge and of the tiers with them. Annotators'
/// comparisons are not votes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedByAnnotators {
    /// Who compared, in order of name.
    pub people: Vec<AnnotatorPairs>,
    /// Those who settled pairs on which annotators disagree, in order of name; absent if there was no adjudicator.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adjudicators: Vec<AnnotatorPairs>,
    /// Answers that count nowhere, since their documents are not in the pool any more or have another text.
    pub outdated: usize,
    /// The confidence of intervals.
    pub confidence: f64,
    /// On pairs that were drawn by lot from all that judges were shown together; null if people compared none.
    pub random: Option<AnnotatorPreferenceAgreement>,
    /// On pairs of another queue, which chose them by the judges' answers, so that they do not represent the rest.
    /// Null if annotators compared none.
    pub other_queues: Option<AnnotatorPreferenceAgreement>,
}

/// An annotator, and how many pairs this annotator compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnnotatorPairs {
    /// The person.
    pub name: String,
    /// How many pairs.
    pub pairs: usize,
}

/// The agreement of judges with annotators, on pairs of one kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnnotatorPreferenceAgreement {
    /// How many pairs have a human decision for one document: the majority's, or the adjudicator's.
    pub decided: u64,
    /// Each judge that answered about such a pair, in the order of the study.
    pub judges: Vec<PreferencesAlike>,
    /// The tiers that all judges together make; null if no pair has both documents in them.
    pub tiers: Option<PreferencesAlike>,
}

/// How far a judge, or the tiers, and people agree on which of two documents is better.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PreferencesAlike {
    /// The judge; `tiers` of all together.
    pub judge: String,
    /// Pairs with a human decision and an answer of this judge. For a pair in both orders, both answers together are
    /// the judge's decision.
    pub n: u64,
    /// How many of these it decides for one of the two.
    pub decided: u64,
    /// How many of those it decides as annotators do.
    pub alike: u64,
    /// `alike` as a share of `decided`, from 0 to 1; null if it decides none.
    pub share: Option<f64>,
    /// The share's lower end.
    pub low: Option<f64>,
    /// The share's upper end.
    pub high: Option<f64>,
}

impl ComparedByAnnotators {
    /// Returns sentences on the annotators, the adjudicators, and each judge's agreement with them.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        let parts = [(&self.random, "in random order"), (&self.other_queues, "of other queues")];
        for (part, which) in parts {
            let Some(part) = part else { continue };
            let alike = |one: &PreferencesAlike| {
                let (decided, n) = (count(one.decided), counted(one.n, "pair"));
                let interval = percent_interval(one.low.zip(one.high));
                format!("{} decides {decided} of {n}, {} the same {interval}", one.judge, percent(one.share))
            };
            let all: Vec<String> = part.judges.iter().chain(&part.tiers).map(alike).collect();
            let all = if all.is_empty() { "no judge has judged one".to_owned() } else { all.join("; ") };
            sentences.push(format!(
                "compared with annotators, on {} {which} that they decided ({}; {}): {all}",
                counted(part.decided, "pair"),
                self.who(),
                confidence(self.confidence)
            ));
        }
        if self.other_queues.is_some() {
            sentences.push(
                "pairs of other queues were chosen by the judges' answers: they do not represent the rest"
                    .to_owned(),
            );
        }
        if self.outdated > 0 {
            let answers = counted(self.outdated, "answer");
            sentences.push(format!(
                "{answers} of annotators not used: documents are not in the pool any more, or have another text"
            ));
        }
        sentences
    }

    /// Returns the annotators and adjudicators with their numbers of pairs: `anna 30, ben 20; settled by carla 4`.
    pub fn who(&self) -> String {
        let names = |people: &[AnnotatorPairs]| {
            let named =
                people.iter().map(|annotator| format!("{} {}", annotator.name, count(annotator.pairs)));
            named.collect::<Vec<_>>().join(", ")
        };
        match self.adjudicators.as_slice() {
            [] => names(&self.people),
            settled => format!("{}; settled by {}", names(&self.people), names(settled)),
        }
    }
}
