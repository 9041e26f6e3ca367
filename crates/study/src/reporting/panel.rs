//! Compares the grading judges of a panel.
//!
//! It also computes the results without each judge.

use std::collections::BTreeSet;

use llull_config::Settings;
use llull_core::{Grade, LabelSet, Run, Scale};
use llull_label::panel::PanelMethod;
use llull_label::{Split, split};
use llull_report::{
    AmbiguousPairs, BaselineComparison, DifferingPair, JudgesTogether, PairReasons, PanelAlpha,
    PanelMethodSection, PanelSection, ReportError, TriedMethod, WithoutLabels, compare, is_comparable,
};
use llull_runner::{JudgeEvidence, Workload};
use llull_stats::{
    BootstrapOptions, ConfusionMatrix, DisagreementWeights, PanelRatings, cohen_kappa, panel_agreement,
};

use crate::error::StudyError;
use crate::evidence::{StudyEvidence, with_base};
use crate::inputs::Inputs;
use crate::labelling::{FittedPanel, graded_votes};
use crate::measured::measured;

/// The number of listed pairs with split grades.
const LISTED: usize = 20;

/// Returns the section on the panel; `None` unless several judges grade.
///
/// # Errors
/// Returns an error if intervals cannot be computed.
pub(super) fn panel(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    comparisons: &[BaselineComparison],
    options: &BootstrapOptions,
) -> Result<Option<PanelSection>, StudyError> {
    let judges: Vec<&JudgeEvidence> = evidence.judges.judges().iter().collect();
    if evidence.compared().is_some() || judges.len() < 2 {
        return Ok(None);
    }
    let seen = Seen::of(&evidence.pooled, &judges, inputs.rubric.scale);
    let under = |judged: LabelSet| {
        let labels = with_base(settings, inputs, &evidence.pooled, judged)?;
        findings(settings, &inputs.runs, &labels, options)
    };
    let mut without = Vec::new();
    for (at, judge) in judges.iter().enumerate() {
        let others: Vec<&JudgeEvidence> =
            judges.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, judge)| *judge).collect();
        let (labels, without_fit) = match evidence.labels_of(&others, inputs.rubric.scale) {
            Ok(labels) => (evidence.escalated(labels), ""),
            Err(_) => (LabelSet::default(), ", where the method has nothing to learn from the other judges,"),
        };
        let name = format!("judge {}{without_fit}", judge.name());
        without.push(WithoutLabels::new(name, under(labels)?, comparisons));
    }
    let ambiguous = AmbiguousPairs {
        pairs: seen.split.len(),
        without: match seen.split.is_empty() {
            true => None,
            false => {
                let clear = |place: usize| seen.split.binary_search_by_key(&place, |found| found.0).is_err();
                let labels = with_base(settings, inputs, &evidence.pooled, labels_where(evidence, clear))?;
                let runs = runs_without(evidence, &inputs.runs, &seen.split);
                let found = findings(settings, &runs, &labels, options)?;
                Some(WithoutLabels::new("the pairs on which grades are split", found, comparisons))
            }
        },
        listed: listed(evidence, &seen.split),
    };
    let (pairs, alpha) = agreement_of_all(seen.queries, options)?;
    Ok(Some(PanelSection {
        pairs,
        method: evidence.method().map(|method| panel_method(method, &judges)),
        votes: None,
        alpha,
        agreement: seen.together,
        without,
        ambiguous,
    }))
}

/// The number of units with ratings of two or more judges, and alpha of all judges.
pub(super) fn agreement_of_all(
    queries: Vec<Vec<Vec<Grade>>>,
    options: &BootstrapOptions,
) -> Result<(usize, Option<PanelAlpha>), StudyError> {
    let ratings = PanelRatings::new(queries).map_err(ReportError::from)?;
    let alpha = panel_agreement(&ratings, Some(options)).map_err(ReportError::from)?;
    let ends = alpha
        .ci
        .and_then(|ci| ci.alpha.ordinal)
        .map(|ends| ends.map(|end| Some(end).filter(|end| end.is_finite())));
    let of_all = alpha.figures.alpha.ordinal.map(|value| PanelAlpha {
        value,
        low: ends.and_then(|ends| ends[0]),
        high: ends.and_then(|ends| ends[1]),
        confidence: options.confidence,
    });
    Ok((alpha.paired, of_all))
}

/// The agreement of every two judges; `matrix` returns the confusion matrix of the judges at two places.
pub(super) fn judges_together(
    judges: &[&JudgeEvidence],
    matrix: impl Fn(usize, usize) -> Option<ConfusionMatrix>,
) -> Vec<JudgesTogether> {
    let mut together = Vec::new();
    for (one, judge) in judges.iter().enumerate() {
        for (other, second) in judges.iter().enumerate().skip(one + 1) {
            let Some(matrix) = matrix(one, other) else { continue };
            together.push(JudgesTogether {
                judge: judge.name().to_owned(),
                other: second.name().to_owned(),
                n: matrix.n(),
                exact: matrix.exact(),
                kappa: cohen_kappa(&matrix, DisagreementWeights::None),
                quadratic: cohen_kappa(&matrix, DisagreementWeights::Quadratic),
            });
        }
    }
    together
}

/// The results of one pass over the votes.
struct Seen {
    /// The grades, by query and pair.
    queries: Vec<Vec<Vec<Grade>>>,
    together: Vec<JudgesTogether>,
    /// The pairs whose grades are split, by their place in the pool.
    split: Vec<(usize, Split)>,
}

impl Seen {
    fn of(pooled: &Workload, judges: &[&JudgeEvidence], scale: Scale) -> Self {
        let mut queries: Vec<Vec<Vec<Grade>>> = Vec::new();
        let mut matrices = vec![ConfusionMatrix::default(); judges.len() * judges.len()];
        let mut found = Vec::new();
        let mut last = None;
        for (place, (query, _, votes)) in graded_votes(pooled, judges).enumerate() {
            if last != Some(query) {
                queries.push(Vec::new());
                last = Some(query);
            }
            for (one, first) in votes.iter().enumerate() {
                for (other, second) in votes.iter().enumerate().skip(one + 1) {
                    if let (Some(first), Some(second), Some(matrix)) =
                        (first, second, matrices.get_mut(one * judges.len() + other))
                    {
                        matrix.add(*first, *second);
                    }
                }
            }
            let grades: Vec<Grade> = votes.into_iter().flatten().collect();
            found.extend(split(&grades, scale).map(|split| (place, split)));
            queries.last_mut().into_iter().for_each(|query| query.push(grades.clone()));
        }
        let together =
            judges_together(judges, |one, other| matrices.get(one * judges.len() + other).cloned());
        Self { queries, together, split: found }
    }
}

/// The method that combined the judges' grades.
fn panel_method(method: &FittedPanel, judges: &[&JudgeEvidence]) -> PanelMethodSection {
    let name = |method: PanelMethod| match method {
        PanelMethod::Judge(at) => format!("judge {}", judges.get(at).map_or("", |judge| judge.name())),
        method => method.to_string(),
    };
    let tried = method.choice.iter().flat_map(|choice| &choice.tried);
    PanelMethodSection {
        configured: method.rule.to_string(),
        method: method.method.to_string(),
        meaning: method.description(judges.len()),
        notes: method.notes(),
        people: method.human_labels,
        tried: tried
            .map(|one| TriedMethod {
                method: name(one.method),
                kappa: one.kappa,
                rho: one.rho,
                kappa_low: one.kappa_difference.map(|ends| ends.low),
                kappa_high: one.kappa_difference.map(|ends| ends.high),
            })
            .collect(),
    }
}

/// The judges' labels of the pairs for which `of` is true, by their place in the pool; the others are missing.
fn labels_where(evidence: &StudyEvidence, of: impl Fn(usize) -> bool) -> LabelSet {
    let mut labels = LabelSet::default();
    for (place, case) in evidence.pooled.cases().enumerate() {
        let (query, document) = (case.topic.id.as_str(), case.document_id());
        labels.record(query, document, evidence.judged().get(query, document).filter(|_| of(place)));
    }
    labels
}

/// The runs without these pairs: a document that only lacked its label would count as not relevant.
fn runs_without(evidence: &StudyEvidence, runs: &[Run], pairs: &[(usize, Split)]) -> Vec<Run> {
    let cases = pairs.iter().filter_map(|(place, _)| evidence.pooled.case_at(*place));
    let removed: BTreeSet<(&str, &str)> =
        cases.map(|case| (case.topic.id.as_str(), case.document_id())).collect();
    runs.iter().map(|run| run.without(|query, document| removed.contains(&(query, document)))).collect()
}

/// The comparisons of these runs under these labels, by the measure that gives the verdict.
pub(super) fn findings(
    settings: &Settings,
    runs: &[Run],
    labels: &LabelSet,
    options: &BootstrapOptions,
) -> Result<Vec<BaselineComparison>, StudyError> {
    let measures: Vec<_> =
        settings.measures.iter().take(1).filter(|one| is_comparable(one)).cloned().collect();
    if measures.is_empty() || settings.systems.len() < 2 || labels.labelled() == 0 {
        return Ok(Vec::new());
    }
    let scores = measured(&measures, labels, runs);
    Ok(compare(&scores, 0, &settings.compare.baseline, options)?)
}

/// The pairs with split grades, with each judge's grade: the largest distance first.
fn listed(evidence: &StudyEvidence, found: &[(usize, Split)]) -> Vec<DifferingPair<PairReasons>> {
    let mut worst: Vec<&(usize, Split)> = found.iter().collect();
    worst.sort_by(|a, b| b.1.apart.cmp(&a.1.apart).then(a.1.most.total_cmp(&b.1.most)).then(a.0.cmp(&b.0)));
    worst.truncate(LISTED);
    let cases: Vec<_> = worst.iter().filter_map(|(place, _)| evidence.pooled.case_at(*place)).collect();
    let pairs: Vec<(&str, &str)> =
        cases.iter().map(|case| (case.topic.id.as_str(), case.document_id())).collect();
    let details = evidence.pair_details(&pairs, &[]);
    let listed = pairs.iter().zip(details);
    let listed = listed.map(|((query, document), details)| {
        let grade = evidence.judged().get(query, document).map(|label| label.grade).unwrap_or_default();
        DifferingPair {
            query: (*query).to_owned(),
            query_text: details.query_text,
            document: (*document).to_owned(),
            title: details.title,
            best_rank: None,
            sides: PairReasons { grade, judges: details.first },
        }
    });
    listed.collect()
}
