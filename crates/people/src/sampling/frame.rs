//! The frame of a sample: the pairs that the figures read.

use indexmap::IndexMap;
use llull_core::{Grade, LabelSet, Run, SampleDesign};
use llull_metrics::{LinearForm, evaluate};

use super::error::SampleError;
use super::guessed_ideal::GuessedIdeal;
use super::request::{SampleRequest, StratifyBy};
use crate::human_labels::{PairsForm, form};
use crate::lot::lot;

/// The purpose of the random numbers that order a query's documents.
const ORDER: &str = "order of a frame";

/// A pair that could be drawn.
#[derive(Debug, Clone)]
pub(super) struct FramedPair {
    /// The position of its query.
    pub(super) query: usize,
    pub(super) document: Box<str>,
    /// The judge's grade; `None` if it has none.
    pub(super) grade: Option<Grade>,
    /// The range of the judges' grades.
    pub(super) spread: Grade,
    /// The number of systems that return it within the measure's depth.
    pub(super) holders: usize,
    /// Its weight in each figure; empty if whole queries are drawn.
    pub(super) weights: Vec<f64>,
}

impl FramedPair {
    /// The mean square of its weights in the figures.
    pub(super) fn squared_weight(&self) -> f64 {
        self.weights.iter().map(|weight| weight * weight).sum::<f64>() / self.weights.len().max(1) as f64
    }
}

/// A figure that a sample corrects: a difference of two systems, or the figure of the only one.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameFigure {
    /// The baseline; `None` for the figure of one system.
    pub baseline: Option<String>,
    /// The system.
    pub candidate: String,
    /// The judge's figure for each query.
    pub judged: Vec<f64>,
}

impl FrameFigure {
    /// Returns its name: `dense - bm25`.
    pub fn name(&self) -> String {
        match &self.baseline {
            Some(baseline) => format!("{} - {baseline}", self.candidate),
            None => self.candidate.clone(),
        }
    }
}

/// The frame of a sample: every pair that the figures read, whether the judge labelled it or not.
#[derive(Debug, Clone)]
pub struct SamplingFrame {
    pub(super) request: SampleRequest,
    pub(super) design: SampleDesign,
    pub(super) queries: Vec<String>,
    pub(super) figures: Vec<FrameFigure>,
    pub(super) pairs: Vec<FramedPair>,
    /// The number of documents in the pool of each query: the judge's, and those that the figures read.
    pub(super) pools: Vec<usize>,
    /// Whether weights are divided by a guess of each query's ideal.
    pub(super) divided: bool,
    /// The greatest value of a label in the measure.
    pub(super) largest_label: f64,
}

impl SamplingFrame {
    /// Makes the frame of a request: of all runs, or of two named ones. If pairs are drawn for two systems, the frame
    /// has only pairs whose weights differ between them.
    ///
    /// # Errors
    /// Returns an error if the measure does not allow the design, a system does not exist, or there is no pair. Also if
    /// the strata need properties that are unknown.
    pub fn new(labels: &LabelSet, runs: &[Run], request: SampleRequest) -> Result<Self, SampleError> {
        let runs = compared(runs, &request)?;
        let design = request.design(runs.len() > 1);
        let form = match design {
            SampleDesign::Pairs | SampleDesign::Stratified | SampleDesign::Unequal => {
                Some(form(&request.measure, runs.len() > 1)?)
            }
            SampleDesign::Queries => None,
            SampleDesign::Independent => {
                return Err(SampleError::Problem(format!(
                    "samples are drawn as pairs, stratified, unequal or queries, not {}",
                    design.name()
                )));
            }
        };
        let ideal = match &form {
            Some(PairsForm::Divided(form)) => Some(GuessedIdeal::new(form, &request)),
            _ => None,
        };
        let form = form.as_ref().map(PairsForm::sum);
        if request.by.contains(&StratifyBy::Disagreement) && one_judge(labels) {
            return Err(SampleError::Problem(
                "strata by disagreement need the grades of several judges; leave out disagreement, or use a panel"
                    .to_owned(),
            ));
        }
        let figures = figures(labels, &runs, &request)?;
        let mut frame = Self {
            design,
            queries: labels.qrels().iter().map(|(query, _)| query.to_owned()).collect(),
            figures,
            pairs: Vec::new(),
            pools: Vec::new(),
            divided: ideal.is_some(),
            largest_label: form.map_or(1.0, |form| largest_label(form, request.scale)),
            request,
        };
        for query in 0..frame.queries.len() {
            frame.add_query(query, labels, &runs, form, ideal.as_ref());
        }
        if frame.pairs.is_empty() {
            return Err(match &frame.request.compare {
                Some((baseline, candidate)) if labels.labelled() > 0 => SampleError::NothingDiffers {
                    baseline: baseline.clone(),
                    candidate: candidate.clone(),
                    measure: frame.request.measure.to_string(),
                },
                _ => SampleError::NoLabels,
            });
        }
        Ok(frame)
    }

    /// Returns the design of its samples.
    pub fn design(&self) -> SampleDesign {
        self.design
    }

    /// Returns the number of its pairs.
    pub fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// Returns the number of queries that have a pair.
    pub fn queries(&self) -> usize {
        self.filled_queries().len()
    }

    /// Returns the number of its pairs without a label of the judge; they count as not relevant.
    pub fn unlabelled(&self) -> usize {
        self.pairs.iter().filter(|pair| pair.grade.is_none()).count()
    }

    /// Returns the positions of the queries that have a pair, ascending.
    pub(super) fn filled_queries(&self) -> Vec<usize> {
        let mut queries: Vec<usize> = self.pairs.iter().map(|pair| pair.query).collect();
        queries.dedup();
        queries
    }

    fn add_query(
        &mut self,
        at: usize,
        labels: &LabelSet,
        runs: &[&Run],
        form: Option<&LinearForm>,
        ideal: Option<&GuessedIdeal>,
    ) {
        let topic = self.queries[at].clone();
        let mut read: IndexMap<&str, Vec<f64>> = IndexMap::new();
        let depth = self.request.measure.depth().unwrap_or(usize::MAX);
        for (place, run) in runs.iter().enumerate() {
            let Some(ranking) = run.ranking(&topic) else { continue };
            for hit in ranking.iter().take(depth) {
                let weight = form.map_or(1.0, |form| form.weight(hit.rank, ranking.len()));
                if weight != 0.0 {
                    read.entry(hit.document).or_insert_with(|| vec![0.0; runs.len()])[place] = weight;
                }
            }
        }
        if form.is_none() && !self.request.measure.reads_retrieved_only() {
            let all = labels.iter().find(|(query, _)| *query == topic);
            for (document, _) in all.into_iter().flat_map(|(_, labels)| labels) {
                read.entry(document).or_insert_with(|| vec![0.0; runs.len()]);
            }
        }
        let judged =
            labels.iter().find(|(query, _)| *query == topic).into_iter().flat_map(|(_, labels)| labels);
        let grades: Vec<Grade> = judged.map(|(_, label)| label.grade).collect();
        let unjudged = read.keys().filter(|document| labels.get(&topic, document).is_none()).count();
        self.pools.push(grades.len() + unjudged);
        let divisor = ideal.map_or(1.0, |ideal| ideal.of(&grades, unjudged));
        // Sheets show a pair's number, from which no annotator may infer a ranking.
        read.sort_by_cached_key(|document, _| lot(self.request.seed, ORDER, &topic, [*document]));
        for (document, own) in read {
            let label = labels.get(&topic, document);
            let mut weights = if form.is_some() { self.weights(&own, runs) } else { Vec::new() };
            weights.iter_mut().for_each(|weight| *weight /= divisor);
            let of_differences = self.request.compare.is_some() || self.design == SampleDesign::Unequal;
            if of_differences && form.is_some() && weights.iter().all(|weight| *weight == 0.0) {
                continue;
            }
            self.pairs.push(FramedPair {
                query: at,
                document: document.into(),
                grade: label.map(|label| label.grade),
                spread: label.map_or(0, |label| label.spread()),
                holders: own.iter().filter(|weight| **weight != 0.0).count(),
                weights,
            });
        }
    }

    /// The weight of a document in each figure, given its weight in each run.
    fn weights(&self, own: &[f64], runs: &[&Run]) -> Vec<f64> {
        let of = |name: &String| runs.iter().position(|run| run.name == *name).map_or(0.0, |at| own[at]);
        let over = self.queries.len() as f64;
        let weight =
            |figure: &FrameFigure| (of(&figure.candidate) - figure.baseline.as_ref().map_or(0.0, of)) / over;
        self.figures.iter().map(weight).collect()
    }
}

/// The runs of the figures.
fn compared<'a>(runs: &'a [Run], request: &SampleRequest) -> Result<Vec<&'a Run>, SampleError> {
    let Some((baseline, candidate)) = &request.compare else { return Ok(runs.iter().collect()) };
    if baseline == candidate {
        return Err(SampleError::Problem(format!("{baseline:?} is compared with itself; name two systems")));
    }
    let named = |name: &String| {
        let known = || runs.iter().map(|run| run.name.clone()).collect();
        runs.iter()
            .find(|run| run.name == *name)
            .ok_or_else(|| SampleError::NoSystem { name: name.clone(), known: known() })
    };
    Ok(vec![named(baseline)?, named(candidate)?])
}

/// The judge's figures: of each other run against the baseline, or of the only run.
fn figures(
    labels: &LabelSet,
    runs: &[&Run],
    request: &SampleRequest,
) -> Result<Vec<FrameFigure>, SampleError> {
    let baseline = request.compare.as_ref().map_or(&request.baseline, |(baseline, _)| baseline);
    let qrels = labels.qrels();
    let place = runs.iter().position(|run| run.name == *baseline);
    let by_query = |at: usize| -> Option<Vec<f64>> {
        let scores = evaluate(&[request.measure], qrels, runs.get(at)?);
        Some(scores.values(0).collect())
    };
    if let [only] = runs {
        let judged = by_query(0).unwrap_or_default();
        return Ok(vec![FrameFigure { baseline: None, candidate: only.name.clone(), judged }]);
    }
    let Some(place) = place else {
        let known = runs.iter().map(|run| run.name.clone()).collect();
        return Err(SampleError::NoSystem { name: baseline.clone(), known });
    };
    let against = by_query(place).unwrap_or_default();
    let others = runs.iter().enumerate().filter(|(at, _)| *at != place).map(|(at, run)| {
        let own = by_query(at).unwrap_or_default();
        let judged = own.iter().zip(&against).map(|(own, against)| own - against).collect();
        FrameFigure { baseline: Some(baseline.clone()), candidate: run.name.clone(), judged }
    });
    Ok(others.collect())
}

fn largest_label(form: &LinearForm, (low, high): (Grade, Grade)) -> f64 {
    (low..=high).map(|grade| form.worth(Some(grade))).fold(0.0, f64::max)
}

fn one_judge(labels: &LabelSet) -> bool {
    labels.iter().all(|(_, mut labels)| labels.all(|(_, label)| label.judges < 2))
}
