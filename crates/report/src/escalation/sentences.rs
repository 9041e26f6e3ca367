//! Describes a cascade in sentences.

use super::section::{EscalatedCost, EscalationSection, GuaranteeSection};
use crate::text::{confidence, count, counted, dollars, figure, percent};

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

pub(super) fn cost(cost: &EscalatedCost) -> String {
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
    use crate::cost::Dollars;

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
