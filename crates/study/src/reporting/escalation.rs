//! The section of a report on a stronger judge.

use llull_core::Grade;
use llull_label::cascade::LEAST_LABELS;
use llull_report::text::{count, percent};
use llull_report::{CyclesSection, Dollars, EscalatedCost, EscalationSection, GuaranteeSection};
use llull_store::{Sum, Totals};

use super::judge_record::JudgeRecord;
use crate::cycles::EscalatedCycle;
use crate::escalation::{Guarantee, GuaranteeFound};
use crate::evidence::StudyEvidence;

/// Returns the section on the escalation; `None` without one.
pub(super) fn escalation(
    evidence: &StudyEvidence,
    records: &[JudgeRecord<'_>],
    cutoff: Grade,
) -> Option<EscalationSection> {
    let found = evidence.escalation()?;
    let record = records.last()?;
    let counts = record.evidence.counts();
    let (mut raised, mut lowered, mut new, mut across_cutoff) = (0, 0, 0, 0);
    for (question, place) in found.places.iter().enumerate() {
        let grade = record.evidence.status(question).grade();
        let (Some(now), Some(case)) = (grade, evidence.pooled.case_at(*place)) else { continue };
        match found.panel.get(&case.topic.id, case.document_id()).map(|label| label.grade) {
            None => new += 1,
            Some(before) => {
                raised += u64::from(now > before);
                lowered += u64::from(now < before);
                across_cutoff += u64::from((now >= cutoff) != (before >= cutoff));
            }
        }
    }
    let pool = evidence.pooled.len() as u64;
    let escalated = found.places.len() as u64;
    let open = record.evidence.open() as u64;
    let cost = cost(&record.totals);
    let section = EscalationSection {
        to: found.to.clone(),
        when: found.when.to_string(),
        pool,
        escalated,
        graded: counts.judged as u64,
        unusable: escalated.saturating_sub(counts.judged as u64 + open),
        open,
        undecided: found.undecided as u64,
        raised,
        lowered,
        new,
        across_cutoff,
        guarantee: found.guarantee.as_ref().map(guarantee),
        everything: everything(&cost, &record.totals, pool),
        cost,
        sentences: Vec::new(),
    };
    Some(section.in_sentences())
}

/// Returns the section on a stronger judge's answers about cycles; `None` without one.
pub(super) fn cycles(evidence: &StudyEvidence, records: &[JudgeRecord<'_>]) -> Option<CyclesSection> {
    let found = evidence.cycles()?;
    let record = records.last()?;
    let number =
        |of: &dyn Fn(&EscalatedCycle) -> bool| found.cycles.iter().filter(|cycle| of(cycle)).count() as u64;
    let tiers = |cycle: &EscalatedCycle| cycle.settled.as_ref().map(|settled| settled.tiers.len());
    let mut queries: Vec<_> = found.cycles.iter().map(|cycle| cycle.topic).collect();
    queries.dedup();
    let sets: usize = evidence.compared().into_iter().flatten().map(|query| query.questions).sum();
    let cost = cost(&record.totals);
    let section = CyclesSection {
        to: found.to.clone(),
        cycles: found.cycles.len() as u64,
        documents: found.cycles.iter().map(|cycle| cycle.documents.len() as u64).sum(),
        queries: queries.len() as u64,
        ordered: number(&|cycle| tiers(cycle).is_some_and(|tiers| tiers > 1)),
        standing: number(&|cycle| tiers(cycle) == Some(1)),
        unsettled: number(&|cycle| cycle.settled.is_none() && !cycle.open),
        open: number(&|cycle| cycle.open),
        sets: sets as u64,
        everything: everything(&cost, &record.totals, sets as u64),
        cost,
        sentences: Vec::new(),
    };
    Some(section.in_sentences())
}

fn cost(totals: &Totals) -> EscalatedCost {
    let answered = totals.answered;
    let known = |sum: &Sum| (answered > 0 && sum.unknown == 0).then_some(sum.total);
    EscalatedCost {
        calls: totals.attempts,
        tokens: known(&totals.prompt_tokens).zip(known(&totals.completion_tokens)).map(|(a, b)| a + b),
        usd: Dollars { known: totals.cost_usd, unknown: totals.cost_unknown },
    }
}

/// The cost of judging all pairs, at the average cost of an answered one.
fn everything(cost: &EscalatedCost, totals: &Totals, pool: u64) -> EscalatedCost {
    let answered = totals.answered;
    let each = |sum: f64| if answered > 0 { Some(sum / answered as f64 * pool as f64) } else { None };
    let known = cost.usd.known.filter(|_| cost.usd.unknown == 0).and_then(each);
    EscalatedCost {
        calls: pool,
        tokens: cost.tokens.and_then(|tokens| each(tokens as f64)).map(|tokens| tokens.round() as u64),
        usd: Dollars { known, unknown: if known.is_some() { 0 } else { pool } },
    }
}

fn guarantee(of: &Guarantee) -> GuaranteeSection {
    let mut section = GuaranteeSection {
        disagreement: of.asked.disagreement,
        confidence: of.asked.confidence,
        margin: None,
        labelled: None,
        errors: None,
        bound: None,
        beyond: of.beyond as u64,
        reason: None,
        waits: matches!(of.found, GuaranteeFound::Waits(_)),
    };
    match &of.found {
        GuaranteeFound::Waits(why) | GuaranteeFound::Refused(why) => section.reason = Some(why.clone()),
        GuaranteeFound::Chosen(choice) => match (choice.accepted, choice.failed) {
            (Some(found), _) => {
                section.margin = Some(found.margin);
                section.labelled = Some(found.labelled);
                section.errors = Some(found.errors);
                section.bound = Some(found.bound);
            }
            (None, Some(failed)) => {
                section.reason = Some(format!(
                    "of the {} labelled pairs with the largest margin the others are wrong on {}, which is up to {}",
                    count(failed.labelled),
                    count(failed.errors),
                    percent(Some(failed.bound))
                ));
            }
            (None, None) => {
                section.reason = Some(format!(
                    "{} pairs are labelled, and a bound needs {LEAST_LABELS}",
                    count(choice.labelled)
                ));
            }
        },
    }
    section
}
