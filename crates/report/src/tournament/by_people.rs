//! How far judges that compare, and the tiers, agree with what people say of documents side by side.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::{confidence, count, counted, percent, percent_interval};

/// What people say of documents side by side, and how far each judge and the tiers agree with them. Nobody's comparison
/// is a vote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedByPeople {
    /// Who compared, in order of name.
    pub people: Vec<PersonCompared>,
    /// Who settled pairs on which others disagree, in order of name; absent if nobody did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adjudicators: Vec<PersonCompared>,
    /// Answers that count nowhere, since their documents are not in the pool any more or have another text.
    pub outdated: usize,
    /// The confidence of intervals.
    pub confidence: f64,
    /// On pairs that were drawn by lot from all that judges were shown together; null if people compared none.
    pub random: Option<BesidePeople>,
    /// On pairs that another queue showed, for what judges say of them, so that they say nothing of the rest; null if
    /// people compared none.
    pub other_queues: Option<BesidePeople>,
}

/// A person, and how much this person compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PersonCompared {
    /// The person.
    pub name: String,
    /// How many pairs.
    pub pairs: usize,
}

/// Judges beside people, on pairs of one kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BesidePeople {
    /// How many pairs people decide for one of the two: of several people most of them, or who settled the pair.
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
    /// Pairs that people decide and this judge answered. Where a pair was asked about in both orders, it has decided
    /// what both say.
    pub n: u64,
    /// How many of these it decides for one of the two.
    pub decided: u64,
    /// How many of those it decides as people do.
    pub alike: u64,
    /// `alike` as a share of `decided`, from 0 to 1; null if it decides none.
    pub share: Option<f64>,
    /// The share's lower end.
    pub low: Option<f64>,
    /// The share's upper end.
    pub high: Option<f64>,
}

impl ComparedByPeople {
    /// Returns who compared, who settled, and how far judges agree with them, a sentence each.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        let parts = [(&self.random, "in random order"), (&self.other_queues, "of other queues")];
        for (beside, which) in parts {
            let Some(beside) = beside else { continue };
            let alike = |one: &PreferencesAlike| {
                let (decided, n) = (count(one.decided), counted(one.n, "pair"));
                let interval = percent_interval(one.low.zip(one.high));
                format!(
                    "{} decides {decided} of {n}, {} as they do {interval}",
                    one.judge,
                    percent(one.share)
                )
            };
            let all: Vec<String> = beside.judges.iter().chain(&beside.tiers).map(alike).collect();
            let all = if all.is_empty() { "no judge was asked about one".to_owned() } else { all.join("; ") };
            sentences.push(format!(
                "beside people, on {} {which} that they decide ({}; {}): {all}",
                counted(beside.decided, "pair"),
                self.who(),
                confidence(self.confidence)
            ));
        }
        if self.other_queues.is_some() {
            sentences.push(
                "pairs of other queues were shown for what judges say of them: they say nothing of the rest"
                    .to_owned(),
            );
        }
        if self.outdated > 0 {
            let answers = counted(self.outdated, "answer");
            sentences.push(format!(
                "{answers} of people count nowhere: documents are not in the pool any more, or have another text"
            ));
        }
        sentences
    }

    /// Returns who compared and who settled how many pairs: `anna 30, ben 20; settled by carla 4`.
    pub fn who(&self) -> String {
        let names = |people: &[PersonCompared]| {
            let named = people.iter().map(|person| format!("{} {}", person.name, count(person.pairs)));
            named.collect::<Vec<_>>().join(", ")
        };
        match self.adjudicators.as_slice() {
            [] => names(&self.people),
            settled => format!("{}; settled by {}", names(&self.people), names(settled)),
        }
    }
}
