//! A stronger judge's answers about cycles of documents.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::section::EscalatedCost;
use super::sentences::cost;
use crate::text::{count, counted};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Dollars;

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
}
