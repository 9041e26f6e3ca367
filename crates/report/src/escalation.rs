//! Answers of a stronger judge, and the labels that they changed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cost::Dollars;
use crate::text::{confidence, count, counted, dollars, figure, percent};

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

/// A stronger judge's answers about documents that form a cycle by the votes of the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CyclesSection {
    /// The judge.
    pub to: String,
    /// The tiers with a cycle that this judge compares: only tiers whose order matters.
    pub cycles: u64,
    /// Their documents.
    pub documents: u64,
    /// Their queries.
    pub queries: u64,
    /// How many of them it has put in order, in part or wholly.
    pub ordered: u64,
    /// How many it finds to be one tier, too.
    pub standing: u64,
    /// How many its answers do not settle; the tier of the others stands.
    pub unsettled: u64,
    /// How many still wait for its answers; the tier of the others stands until then.
    pub open: u64,
    /// Their cost.
    pub cost: EscalatedCost,
    /// The sets of documents that the others compared.
    pub sets: u64,
    /// The cost if it compared all of these sets, by the mean of its answered ones.
    pub everything: EscalatedCost,
    /// The same in sentences.
    pub sentences: Vec<String>,
}

impl CyclesSection {
    /// Fills in `sentences` from the figures.
    #[must_use]
    pub fn in_sentences(self) -> Self {
        let mut sentences = vec![self.seen()];
        if self.cycles > 0 {
            sentences.push(format!(
                "That took {}; asking it about all {} would have taken {}.",
                cost(&self.cost),
                counted(self.sets, "set"),
                cost(&self.everything)
            ));
        }
        Self { sentences, ..self }
    }

    fn seen(&self) -> String {
        let to = &self.to;
        if self.cycles == 0 {
            return format!("{to} judges nothing: the others' votes put no documents in a cycle.");
        }
        let mut text = format!(
            "{to} judges {}, {} of {}, whose documents the others' votes put in a cycle; it puts {} in order",
            counted(self.cycles, "tier"),
            counted(self.documents, "document"),
            counted(self.queries, "query"),
            count(self.ordered),
        );
        for (tiers, why) in [
            (self.standing, "it finds to be one tier, too"),
            (self.unsettled, "its answers do not settle, and the others' tier counts"),
            (self.open, "it has yet to judge, and the others' tier counts until then"),
        ] {
            if tiers > 0 {
                text.push_str(&format!("; {} {why}", count(tiers)));
            }
        }
        text + "."
    }
}

impl EscalationSection {
    /// Fills in `sentences` from the figures.
    #[must_use]
    pub fn in_sentences(self) -> Self {
        Self { sentences: sentences(&self), ..self }
    }
}

/// The answers, the changed labels, the cost, and the guarantee.
fn sentences(section: &EscalationSection) -> Vec<String> {
    let mut sentences = vec![seen(section)];
    if section.escalated > 0 {
        sentences.push(changed(section));
        sentences.push(format!(
            "That took {}; asking it about all {} would have taken {}.",
            cost(&section.cost),
            counted(section.pool, "pair"),
            cost(&section.everything)
        ));
    }
    sentences.extend(section.guarantee.as_ref().map(guaranteed));
    sentences
}

fn seen(section: &EscalationSection) -> String {
    let (to, when, pool) = (&section.to, &section.when, counted(section.pool, "pair"));
    let mut text = match section.escalated {
        0 => format!("{to} judges none of {pool}: the other judges find none hard ({when})"),
        escalated => format!(
            "{to} judges {} of {pool}, which the other judges find hard ({when}); its grade is the label of {}",
            count(escalated),
            count(section.graded),
        ),
    };
    for (pairs, why) in [
        (section.unusable, "have no usable answer of it and keep the others' label"),
        (section.open, "are still open and keep the others' label until then"),
        (section.undecided, "wait for the other judges"),
    ] {
        if pairs > 0 {
            text.push_str(&format!("; {} {why}", count(pairs)));
        }
    }
    text.push('.');
    text
}

fn changed(section: &EscalationSection) -> String {
    let changed = section.raised + section.lowered;
    let new = match section.new {
        0 => String::new(),
        new => format!("; {} had none", count(new)),
    };
    format!(
        "It changed {} ({} higher, {} lower), {} of them across the cutoff{new}.",
        counted(changed, "label"),
        count(section.raised),
        count(section.lowered),
        count(section.across_cutoff)
    )
}

fn cost(cost: &EscalatedCost) -> String {
    let tokens = cost
        .tokens
        .map_or_else(|| "an unknown number of tokens".to_owned(), |tokens| counted(tokens, "token"));
    let usd = match cost.usd.known {
        Some(usd) if cost.usd.unknown == 0 => format!("${}", dollars(usd)),
        Some(usd) => format!("${} and what has no price", dollars(usd)),
        None => "an unknown price".to_owned(),
    };
    format!("{}, {tokens} and {usd}", counted(cost.calls, "request"))
}

fn guaranteed(found: &GuaranteeSection) -> String {
    let required = format!(
        "at most {} wrong about relevance with a confidence of {}",
        percent(Some(found.disagreement)),
        confidence(found.confidence)
    );
    match (found.margin, found.labelled, found.errors) {
        (Some(margin), Some(labelled), Some(errors)) => format!(
            "By human labels the others' labels stand from a margin of {} on: of {} there {} wrong about relevance, \
             which is at most {} with a confidence of {} (required: {required}).{}",
            figure(Some(margin)),
            counted(labelled, "labelled pair"),
            if errors == 1 { "1 is".to_owned() } else { format!("{} are", count(errors)) },
            percent(found.bound),
            confidence(found.confidence),
            beyond(found.beyond),
        ),
        _ => {
            let reason = found.reason.as_deref().unwrap_or("human labels do not show it");
            let then = if found.waits {
                "nothing is escalated by its margin until then"
            } else {
                "everything is escalated"
            };
            format!("The margin from which on labels stand ({required}) is not known: {reason}; {then}.")
        }
    }
}

fn beyond(pairs: u64) -> String {
    if pairs == 0 {
        return String::new();
    }
    format!(
        " The sample's measure does not read {} of the pool, of which there are no human labels: they are escalated, \
         too (llull sample -m with a measure as deep as the pool can draw all).",
        counted(pairs, "pair")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_saw_and_what_came_of_it() {
        let cost = |calls, usd| EscalatedCost {
            calls,
            tokens: Some(calls * 500),
            usd: Dollars { known: Some(usd), unknown: 0 },
        };
        let section = CyclesSection {
            to: "strong".into(),
            cycles: 4,
            documents: 13,
            queries: 3,
            ordered: 2,
            standing: 1,
            unsettled: 0,
            open: 1,
            cost: cost(10, 0.02),
            sets: 100,
            everything: cost(100, 0.2),
            sentences: Vec::new(),
        };
        assert_eq!(
            section.clone().in_sentences().sentences,
            [
                "strong judges 4 tiers, 13 documents of 3 queries, whose documents the others' votes put in a cycle; \
                 it puts 2 in order; 1 it finds to be one tier, too; 1 it has yet to judge, and the others' tier \
                 counts until then.",
                "That took 10 requests, 5,000 tokens and $0.0200; asking it about all 100 sets would have taken 100 \
                 requests, 50,000 tokens and $0.2000.",
            ]
        );
        let none = CyclesSection { cycles: 0, ..section };
        assert_eq!(
            none.in_sentences().sentences,
            ["strong judges nothing: the others' votes put no documents in a cycle."]
        );
    }

    fn section() -> EscalationSection {
        let cost =
            |calls, tokens, usd| EscalatedCost { calls, tokens, usd: Dollars { known: usd, unknown: 0 } };
        EscalationSection {
            to: "strong".into(),
            when: "split".into(),
            pool: 100,
            escalated: 10,
            graded: 8,
            unusable: 1,
            open: 1,
            undecided: 0,
            raised: 3,
            lowered: 1,
            new: 0,
            across_cutoff: 2,
            guarantee: None,
            cost: cost(10, Some(5_000), Some(0.02)),
            everything: cost(100, Some(50_000), Some(0.2)),
            sentences: Vec::new(),
        }
    }

    #[test]
    fn what_it_saw_changed_and_took() {
        assert_eq!(
            section().in_sentences().sentences,
            [
                "strong judges 10 of 100 pairs, which the other judges find hard (split); its grade is the label of 8; \
                 1 have no usable answer of it and keep the others' label; 1 are still open and keep the others' label \
                 until then.",
                "It changed 4 labels (3 higher, 1 lower), 2 of them across the cutoff.",
                "That took 10 requests, 5,000 tokens and $0.0200; asking it about all 100 pairs would have taken 100 \
                 requests, 50,000 tokens and $0.2000.",
            ]
        );
    }

    #[test]
    fn where_nothing_is_hard_nothing_is_changed() {
        let none = EscalationSection { escalated: 0, graded: 0, unusable: 0, open: 0, ..section() };
        assert_eq!(
            none.in_sentences().sentences,
            ["strong judges none of 100 pairs: the other judges find none hard (split)."]
        );
    }

    #[test]
    fn a_guarantee_that_is_not_there_says_what_follows() {
        let none = GuaranteeSection {
            disagreement: 0.1,
            confidence: 0.95,
            margin: None,
            labelled: None,
            errors: None,
            bound: None,
            beyond: 0,
            reason: Some("no sample is drawn yet".into()),
            waits: true,
        };
        assert!(
            guaranteed(&none)
                .ends_with("no sample is drawn yet; nothing is escalated by its margin until then.")
        );
        let refused = GuaranteeSection { waits: false, ..none.clone() };
        assert!(guaranteed(&refused).ends_with("everything is escalated."));
        let found = GuaranteeSection {
            margin: Some(0.5),
            labelled: Some(80),
            errors: Some(1),
            bound: Some(0.058),
            reason: None,
            waits: false,
            ..none
        };
        assert_eq!(
            guaranteed(&found),
            "By human labels the others' labels stand from a margin of 0.5000 on: of 80 labelled pairs there 1 is \
             wrong about relevance, which is at most 5.8% with a confidence of 95% (required: at most 10.0% wrong \
             about relevance with a confidence of 95%)."
        );
        let beyond = GuaranteeSection { beyond: 12, ..found };
        assert!(
            guaranteed(&beyond).contains("does not read 12 pairs of the pool"),
            "{}",
            guaranteed(&beyond)
        );
    }
}
