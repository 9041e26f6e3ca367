//! The same systems and queries under two label sets.

use std::collections::BTreeMap;

use llull_metrics::{Cell, Measure, Scores};

use super::error::AgreementReportError;
use super::under_both::{UnderBoth, UnjudgedDocuments};
use crate::comparable::is_comparable;

/// Values by system and query, the same systems and queries on both sides.
pub(crate) struct PairedScores {
    pub(crate) measures: UnderBoth<Measure>,
    pub(crate) names: Vec<String>,
    pub(crate) queries: Vec<String>,
    pub(crate) truth: Vec<Vec<f64>>,
    pub(crate) other: Vec<Vec<f64>>,
    pub(crate) only: UnderBoth<usize>,
    pub(crate) unanswered: usize,
    pub(crate) unjudged: UnderBoth<UnjudgedDocuments>,
}

impl PairedScores {
    /// The values of measure number `measure` over the queries that both sides have.
    pub(crate) fn of(
        truth: &[Scores],
        other: &[Scores],
        measure: usize,
    ) -> Result<Self, AgreementReportError> {
        let (Some(first), Some(second)) = (truth.first(), other.first()) else {
            return Err(AgreementReportError::Problem(
                "there is no run, so systems cannot be compared; name two at least".to_owned(),
            ));
        };
        if truth.len() < 2 {
            return Err(AgreementReportError::Problem(format!(
                "{run} is the only run, and one system has no rank; name two at least, or leave out all for agreement \
                 of labels alone",
                run = first.run
            )));
        }
        let (Some(here), Some(there)) = (first.measures.get(measure), second.measures.get(measure)) else {
            return Err(AgreementReportError::Problem(format!(
                "there is no measure {measure} (counted from 0) under both label sets"
            )));
        };
        if let Some(measure) = [here, there].into_iter().find(|measure| !is_comparable(measure)) {
            return Err(AgreementReportError::Problem(format!(
                "{measure} does not order systems query by query: it is no mean over queries, or it counts what is \
                 missing. Use another measure, such as nDCG@10"
            )));
        }
        measured_alike(truth, "truth")?;
        measured_alike(other, "other")?;
        if !truth.iter().map(|scores| &scores.run).eq(other.iter().map(|scores| &scores.run)) {
            return Err(AgreementReportError::Problem(
                "the systems under the two label sets are not the same".to_owned(),
            ));
        }
        let places: BTreeMap<&str, usize> =
            second.topics.iter().enumerate().map(|(at, topic)| (topic.topic.as_str(), at)).collect();
        let common: Vec<(usize, usize)> = (first.topics.iter().enumerate())
            .filter_map(|(at, topic)| Some((at, *places.get(topic.topic.as_str())?)))
            .collect();
        if common.is_empty() {
            return Err(AgreementReportError::Problem(
                "the two label sets have no query in common, so no system can be measured under both"
                    .to_owned(),
            ));
        }
        let here_at: Vec<usize> = common.iter().map(|(at, _)| *at).collect();
        let there_at: Vec<usize> = common.iter().map(|(_, at)| *at).collect();
        let topics = here_at.iter().filter_map(|at| first.topics.get(*at));
        Ok(Self {
            measures: UnderBoth { truth: *here, other: *there },
            names: truth.iter().map(|scores| scores.run.clone()).collect(),
            queries: topics.map(|topic| topic.topic.clone()).collect(),
            truth: values(truth, measure, &here_at),
            other: values(other, measure, &there_at),
            only: UnderBoth {
                truth: first.topics.len() - common.len(),
                other: second.topics.len() - common.len(),
            },
            unanswered: truth
                .iter()
                .flat_map(|scores| here_at.iter().filter_map(|at| scores.topics.get(*at)))
                .filter(|topic| !topic.answered)
                .count(),
            unjudged: UnderBoth {
                truth: unjudged(truth, measure, &here_at),
                other: unjudged(other, measure, &there_at),
            },
        })
    }
}

/// Values are held side by side by their place, so every system needs the queries and measures of the first.
fn measured_alike(systems: &[Scores], labels: &'static str) -> Result<(), AgreementReportError> {
    let Some((first, others)) = systems.split_first() else { return Ok(()) };
    let same_queries = |scores: &Scores| {
        scores.topics.iter().map(|topic| &topic.topic).eq(first.topics.iter().map(|topic| &topic.topic))
    };
    for system in others {
        let difference = if system.measures != first.measures {
            "by other measures"
        } else if !same_queries(system) {
            "over other queries"
        } else {
            continue;
        };
        return Err(AgreementReportError::Problem(format!(
            "under the {labels} labels {system} is measured {difference} than {first}, so their values cannot be held \
             side by side; measure all systems alike",
            system = system.run,
            first = first.run
        )));
    }
    Ok(())
}

fn cells<'a>(scores: &'a Scores, measure: usize, topics: &'a [usize]) -> impl Iterator<Item = &'a Cell> {
    topics.iter().filter_map(move |at| scores.topics.get(*at)?.cells.get(measure))
}

fn values(systems: &[Scores], measure: usize, topics: &[usize]) -> Vec<Vec<f64>> {
    let of = |scores| cells(scores, measure, topics).map(|cell| cell.value).collect();
    systems.iter().map(of).collect()
}

fn unjudged(systems: &[Scores], measure: usize, topics: &[usize]) -> UnjudgedDocuments {
    let all = systems.iter().flat_map(|scores| cells(scores, measure, topics));
    all.fold(UnjudgedDocuments::default(), |sum, cell| UnjudgedDocuments {
        seen: sum.seen + u64::from(cell.seen),
        unjudged: sum.unjudged + u64::from(cell.unjudged),
    })
}
