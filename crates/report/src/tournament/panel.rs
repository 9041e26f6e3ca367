//! Cycles of a panel's majority, and its agreement with annotators.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::{confidence, count, counted, percent, percent_interval};

/// The cyclic triples of each judge, and of their majority.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PanelTriangles {
    /// Each judge's own.
    pub judges: Vec<JudgeTriangles>,
    /// Triples of documents of which a majority, or a tie, is known for all three pairs. Every judge that compared a
    /// pair has one vote on it.
    pub triangles: u64,
    /// How many of these are cyclic.
    pub cyclic_triangles: u64,
    /// How many of the cyclic ones are not cyclic for any judge: the majority contradicts itself, and its judges do
    /// not (Condorcet's paradox).
    pub of_no_judge: u64,
}

/// The cyclic triples of one judge.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeTriangles {
    /// The judge.
    pub judge: String,
    /// Triples of documents of which it has compared all three pairs.
    pub triangles: u64,
    /// How many of these are cyclic.
    pub cyclic_triangles: u64,
}

impl PanelTriangles {
    /// Adds those of another query, by the same judges in the same order.
    pub(super) fn add(&mut self, other: &Self) {
        if self.judges.is_empty() {
            self.judges = other.judges.iter().map(|own| JudgeTriangles::of(&own.judge)).collect();
        }
        for (own, other) in self.judges.iter_mut().zip(&other.judges) {
            own.triangles += other.triangles;
            own.cyclic_triangles += other.cyclic_triangles;
        }
        self.triangles += other.triangles;
        self.cyclic_triangles += other.cyclic_triangles;
        self.of_no_judge += other.of_no_judge;
    }

    /// The numbers in a sentence.
    pub fn sentence(&self) -> String {
        let own: Vec<String> = self
            .judges
            .iter()
            .map(|own| format!("{} {}", own.judge, cyclic(own.cyclic_triangles, own.triangles)))
            .collect();
        let mut text = format!(
            "Cyclic by judge: {}; by the majority of the judges on each pair {}",
            own.join(", "),
            cyclic(self.cyclic_triangles, self.triangles)
        );
        if self.of_no_judge > 0 {
            text.push_str(&format!(
                ", of which {} for no judge alone: there the judges disagree, and none contradicts itself",
                go_in_a_cycle(self.of_no_judge)
            ));
        }
        text + "."
    }
}

impl JudgeTriangles {
    fn of(judge: &str) -> Self {
        Self { judge: judge.to_owned(), ..Self::default() }
    }
}

fn cyclic(cyclic: u64, all: u64) -> String {
    match all {
        0 => "0 of 0".to_owned(),
        all => format!("{} of {} ({})", count(cyclic), count(all), percent(Some(cyclic as f64 / all as f64))),
    }
}

fn go_in_a_cycle(triangles: u64) -> String {
    let verb = if triangles == 1 { "goes" } else { "go" };
    format!("{} {verb} in a cycle", counted(triangles as usize, "triangle"))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(cyclic_triangles: u64, of_no_judge: u64) -> PanelTriangles {
        let own = |judge: &str| JudgeTriangles { judge: judge.into(), triangles: 10, cyclic_triangles: 1 };
        PanelTriangles { judges: vec![own("a"), own("b")], triangles: 8, cyclic_triangles, of_no_judge }
    }

    #[test]
    fn queries_add_up_and_are_said() {
        let mut all = PanelTriangles::default();
        all.add(&panel(2, 1));
        all.add(&panel(0, 0));
        assert_eq!(
            all.sentence(),
            "Cyclic by judge: a 2 of 20 (10.0%), b 2 of 20 (10.0%); by the majority of the judges on each pair 2 of 16 \
             (12.5%), of which 1 triangle goes in a cycle for no judge alone: there the judges disagree, and none \
             contradicts itself."
        );
        assert!(
            panel(0, 0).sentence().ends_with("by the majority of the judges on each pair 0 of 8 (0.0%).")
        );
    }
}
