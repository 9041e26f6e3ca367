//! Compares the judges of a panel that compares.
//!
//! It also computes the results without each judge.

use std::cmp::Ordering;

use llull_config::Settings;
use llull_core::{Grade, LabelSet};
use llull_rank::PanelPair;
use llull_report::text::count;
use llull_report::{
    AmbiguousPairs, BaselineComparison, CountedJudge, CountedVotesSection, PanelSection, WithoutLabels,
};
use llull_runner::JudgeEvidence;
use llull_stats::{BootstrapOptions, ConfusionMatrix};

use super::panel::{agreement_of_all, findings, judges_together};
use crate::error::StudyError;
use crate::evidence::{StudyEvidence, fit_anchors, tier_labels, with_base};
use crate::inputs::Inputs;
use crate::labelling::VoteWeights;

/// Returns the section on a panel that compares; `None` for a single judge.
///
/// # Errors
/// Returns an error if intervals cannot be computed.
pub(super) fn comparing_panel(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    comparisons: &[BaselineComparison],
    options: &BootstrapOptions,
) -> Result<Option<PanelSection>, StudyError> {
    let (Some(compared), Some(counted)) = (evidence.compared(), evidence.counted()) else { return Ok(None) };
    let judges: Vec<&JudgeEvidence> = evidence.judges.judges().iter().collect();
    let pairs: Vec<Vec<PanelPair>> =
        compared.iter().filter_map(|query| Some(query.panel.as_ref()?.pairs())).collect();
    // Every pair counts from both sides, so the order of its documents has no influence.
    let (paired, alpha) = agreement_of_all(pairs.iter().map(|of| both_sides(of)).collect(), options)?;
    let matrix = |one: usize, other: usize| {
        let mut matrix = ConfusionMatrix::default();
        for said in pairs.iter().flatten().map(|pair| &pair.judges) {
            if let (Some(Some(first)), Some(Some(second))) = (said.get(one), said.get(other)) {
                matrix.add(side(*first), side(*second));
                matrix.add(side(first.reverse()), side(second.reverse()));
            }
        }
        Some(matrix)
    };
    let mut agreement = judges_together(&judges, matrix);
    agreement.iter_mut().for_each(|two| two.n /= 2);
    let mut without = Vec::new();
    for (at, judge) in judges.iter().enumerate() {
        let Some((labels, split)) = labels_without(settings, inputs, evidence, &[at])? else { continue };
        let labels = with_base(settings, inputs, &evidence.pooled, labels)?;
        let found = findings(settings, &inputs.runs, &labels, options)?;
        let name = format!("judge {}{}", judge.name(), left_open(split));
        without.push(WithoutLabels::new(name, found, comparisons));
    }
    Ok(Some(PanelSection {
        pairs: paired / 2,
        method: None,
        votes: Some(votes(counted, &judges, compared.iter().map(|query| query.split).sum())),
        alpha,
        agreement,
        without,
        ambiguous: AmbiguousPairs::default(),
    }))
}

/// The labels by the votes of the other judges on the same questions, and the number of pairs on which their votes
/// cancel out. `None` if documents were graded, or for a single judge.
///
/// The further questions of the others alone are unknown: a pair on which their votes cancel out would have led to
/// other questions.
///
/// # Errors
/// Returns an error if the votes of the others cannot be counted by the study's rule.
pub(super) fn labels_without(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    judges: &[usize],
) -> Result<Option<(LabelSet, usize)>, StudyError> {
    let (Some(compared), Some(counted), Some(tournament)) =
        (evidence.compared(), evidence.counted(), &settings.tournament)
    else {
        return Ok(None);
    };
    let votes: Vec<_> = compared.iter().filter_map(|query| query.panel.as_ref()).collect();
    let weights = counted.without(judges, &votes)?;
    let mut others = compared.to_vec();
    others.iter_mut().for_each(|query| query.recount(&weights));
    let split = others.iter().map(|query| query.split).sum();
    let cycles = evidence.cycles().into_iter().flat_map(|found| &found.cycles);
    for cycle in cycles {
        others.iter_mut().for_each(|query| query.refine(cycle));
    }
    let anchored = match &evidence.graders {
        Some(graders) => fit_anchors(inputs.rubric.scale, &others, graders)?,
        None => Vec::new(),
    };
    Ok(Some((tier_labels(tournament.labels, &evidence.pooled, &others, &anchored), split)))
}

/// Describes the pairs that are undecided without a judge, as a clause.
pub(super) fn left_open(split: usize) -> String {
    match split {
        0 => String::new(),
        1 => ", where the others' votes on 1 pair cancel out,".to_owned(),
        split => format!(", where the others' votes on {} pairs cancel out,", count(split)),
    }
}

fn votes(counted: &VoteWeights, judges: &[&JudgeEvidence], split: usize) -> CountedVotesSection {
    let each = judges.iter().zip(&counted.weights).zip(&counted.discrimination);
    CountedVotesSection {
        method: if counted.judge_aware { "judge-aware" } else { "majority" }.to_owned(),
        meaning: counted.meaning().to_owned(),
        judges: each
            .map(|((judge, weight), discrimination)| CountedJudge {
                judge: judge.name().to_owned(),
                weight: *weight,
                discrimination: *discrimination,
            })
            .collect(),
        split,
        unknown: counted.unknown.clone(),
    }
}

/// Every pair as two units: each judge's choice, from the view of one document and of the other.
fn both_sides(pairs: &[PanelPair]) -> Vec<Vec<Grade>> {
    let seen = |pair: &PanelPair, from: fn(Ordering) -> Ordering| {
        pair.judges.iter().flatten().map(|said| side(from(*said))).collect()
    };
    pairs.iter().flat_map(|pair| [seen(pair, |said| said), seen(pair, Ordering::reverse)]).collect()
}

fn side(said: Ordering) -> Grade {
    said as i8 as Grade
}
