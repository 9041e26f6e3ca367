//! Corrects figures by sampled pairs.

use indexmap::IndexMap;
use llull_core::Run;
use llull_metrics::{LinearForm, Measure};
use llull_report::CorrectionFacts;
use llull_report::text::counted;
use llull_stats::{
    Corrected, DrawnPair, Estimand, Looks, PairOfFrame, PairsOptions, StatsError, correct_divided_pairs,
    correct_sampled_pairs, correct_unequal_pairs, effective_queries,
};

use super::by_queries::by_query;
use super::corrector::{PairsForm, SampleCorrection, form};
use super::design::Design;
use super::error::CorrectionError;
use super::ideals::{Ideals, PooledLabel};
use super::labelled_sample::{LabelledSample, weights};
use crate::ideal_gain::IdealGain;

/// The pairs that the figure reads, and the drawn ones among them without a label.
struct Frame {
    pairs: Vec<DrawnPair>,
    missing: Vec<usize>,
    /// Whether the number of draws was fixed.
    fixed: bool,
}

pub(super) fn corrected(
    sample: &LabelledSample<'_>,
    measure: &Measure,
    systems: &[(&Run, f64)],
) -> Result<SampleCorrection, CorrectionError> {
    let form = form(measure, systems.len() > 1)?;
    let weights = weights(form.sum(), &sample.queries, systems);
    let frame = frame(sample, form.sum(), &weights)?;
    if frame.pairs.is_empty() {
        return Err(CorrectionError::NoDifference);
    }
    let labels = frame.pairs.iter().filter(|drawn| drawn.pair.human.is_some()).count();
    if labels == 0 {
        return Err(CorrectionError::NothingLabelled { what: "pairs" });
    }
    let worth = |grade| form.sum().worth(Some(grade));
    let options = PairsOptions {
        queries: sample.queries.len(),
        largest_label: (1..=sample.highest).map(worth).fold(0.0, f64::max),
        estimand: sample.options.estimand,
        confidence: sample.options.confidence,
        looks: sample.options.looks,
    };
    let (estimator, judged) = match &form {
        PairsForm::Sum(_) => (Estimator::Sum(frame), None),
        PairsForm::Divided(form) => {
            let judged = by_query(measure, sample.judge, sample, systems);
            (divided(sample, (form, measure), &weights, frame), Some(judged))
        }
    };
    let frame = estimator.frame();
    let mut alike = estimator.estimate(&of_respondents(frame), &options)?;
    let worst = estimator.worst_case(&options)?;
    if let Some(judged) = &judged {
        alike.judge_only = judged.iter().sum::<f64>() / judged.len().max(1) as f64;
    }
    let judged = judged.unwrap_or_else(|| judged_by_query(frame, options.queries));
    let effective = (systems.len() > 1 && options.estimand == Estimand::QueriesLikeThese)
        .then(|| effective_queries(&judged))
        .flatten();
    let facts = CorrectionFacts {
        design: sample.design.name().to_owned(),
        confidence: options.confidence,
        labels,
        queries: options.queries,
        by_query: false,
        nonresponse: frame.missing.len(),
        worst,
        difference: systems.len() > 1,
        effective_queries: effective,
        any_time: options.looks != Looks::Once,
    };
    Ok(SampleCorrection { corrected: alike, facts })
}

fn frame(
    sample: &LabelledSample<'_>,
    form: &LinearForm,
    weights: &IndexMap<(usize, &str), f64>,
) -> Result<Frame, CorrectionError> {
    let (mut pairs, mut missing) = (Vec::new(), Vec::new());
    let (mut outside, mut first) = (0_usize, None);
    for ((query, document), weight) in weights {
        let topic = sample.queries[*query];
        let grade = sample.judge.grade(topic, document);
        let Some(unit) = sample.unit(topic, document) else {
            outside += 1;
            first.get_or_insert((topic, *document));
            continue;
        };
        let label = sample.drawn_label(topic, document, unit.drawn);
        if label == Some(None) {
            missing.push(pairs.len());
        }
        let pair = PairOfFrame {
            query: *query,
            grade: grade.map_or(i64::MIN, i64::from),
            weight: *weight,
            judged: form.worth(grade),
            human: label.flatten().map(|grade| form.worth(Some(grade))),
        };
        pairs.push(DrawnPair { pair, probability: unit.probability, stratum: unit.stratum });
    }
    if let Some((topic, document)) = first {
        return Err(CorrectionError::OutsideFrame {
            pairs: counted(outside, "pair"),
            topic: topic.to_owned(),
            document: document.to_owned(),
        });
    }
    let fixed = match &sample.design {
        Design::PairsOfFrame { fixed, .. } => *fixed,
        _ => true,
    };
    Ok(Frame { pairs, missing, fixed })
}

/// Divides the weights of a frame by the ideals of their queries.
fn divided(
    sample: &LabelledSample<'_>,
    (form, measure): (&LinearForm, &Measure),
    weights: &IndexMap<(usize, &str), f64>,
    mut frame: Frame,
) -> Estimator {
    // Draws of the design "pairs" are as likely as each other: their share of the frame. What was drawn and has no
    // label is among them; `of_respondents` counts it.
    if matches!(sample.design, Design::Pairs) {
        let labels = frame.pairs.iter().filter(|drawn| drawn.pair.human.is_some()).count();
        let share = (labels + frame.missing.len()) as f64 / frame.pairs.len() as f64;
        frame.pairs.iter_mut().for_each(|drawn| drawn.probability = share);
    }
    let queries = sample.queries.len();
    let pool = pool(sample, form, weights);
    let gain =
        IdealGain::new(form, measure.depth().unwrap_or(0), pool.iter().filter_map(|document| document.human));
    let ideals = Ideals::new(&pool, queries, &gain);
    let alone = Ideals::without_judge(&pool, queries, &gain);
    for drawn in &mut frame.pairs {
        drawn.pair.weight /= ideals.by_query[drawn.pair.query];
    }
    let of_people = |query: usize| ideals.by_query[query] / alone.by_query[query];
    Estimator::Divided {
        of_people: (0..queries).map(of_people).collect(),
        unlabelled: ideals.unlabelled,
        frame,
    }
}

/// The pools of the queries: the judge's labelled documents, and those that the difference reads.
fn pool(
    sample: &LabelledSample<'_>,
    form: &LinearForm,
    weights: &IndexMap<(usize, &str), f64>,
) -> Vec<PooledLabel> {
    let mut pool = Vec::new();
    let mut add = |query: usize, document: &str| {
        let topic = sample.queries[query];
        let unit = sample.unit(topic, document);
        let label = unit.and_then(|unit| sample.drawn_label(topic, document, unit.drawn)).flatten();
        pool.push(PooledLabel {
            query,
            grade: sample.judge.grade(topic, document).map_or(i64::MIN, i64::from),
            human: label.map(|grade| form.worth(Some(grade))),
            probability: unit.map_or(1.0, |unit| unit.probability),
        });
    };
    for (query, topic) in sample.queries.iter().enumerate() {
        sample.judge.topic(topic).into_iter().flatten().for_each(|(document, _)| add(query, document));
    }
    for (query, document) in weights.keys() {
        if sample.judge.grade(sample.queries[*query], document).is_none() {
            add(*query, document);
        }
    }
    pool
}

/// The estimator of a frame.
enum Estimator {
    /// Of a sum over documents.
    Sum(Frame),
    /// Of such a sum, divided by an ideal for each query: the weights are divided.
    Divided {
        frame: Frame,
        /// The share of each query's pool without a human label.
        unlabelled: Vec<f64>,
        /// The factor of each query that turns its weights into those by human labels alone.
        of_people: Vec<f64>,
    },
}

impl Estimator {
    fn frame(&self) -> &Frame {
        match self {
            Self::Sum(frame) | Self::Divided { frame, .. } => frame,
        }
    }

    fn estimate(&self, pairs: &[DrawnPair], options: &PairsOptions) -> Result<Corrected, StatsError> {
        match self {
            Self::Sum(frame) => of_sum(pairs, frame.fixed, options),
            Self::Divided { unlabelled, of_people, .. } => {
                let mut corrected = correct_divided_pairs(pairs, unlabelled, options)?;
                let mut alone = pairs.to_vec();
                for drawn in &mut alone {
                    drawn.pair.weight *= of_people[drawn.pair.query];
                }
                corrected.human_only = correct_divided_pairs(&alone, unlabelled, options)?.human_only;
                Ok(corrected)
            }
        }
    }

    /// The ends of the interval if every missing label had the worst, or the best, value for the figure.
    fn worst_case(&self, options: &PairsOptions) -> Result<Option<(f64, f64)>, StatsError> {
        let frame = self.frame();
        if frame.missing.is_empty() {
            return Ok(None);
        }
        let with = |good: bool| {
            let mut pairs = frame.pairs.clone();
            for at in &frame.missing {
                let pair = &mut pairs[*at].pair;
                pair.human = Some(if (pair.weight > 0.0) == good { options.largest_label } else { 0.0 });
            }
            self.estimate(&pairs, options)
        };
        Ok(Some((with(false)?.low, with(true)?.high)))
    }
}

/// Corrects by the estimator of the design: equal probabilities are a uniform sample.
fn of_sum(pairs: &[DrawnPair], fixed: bool, options: &PairsOptions) -> Result<Corrected, StatsError> {
    let first = pairs.first().map_or(1.0, |drawn| drawn.probability);
    if fixed && pairs.iter().all(|drawn| (drawn.probability - first).abs() < 1e-12) {
        let pairs: Vec<PairOfFrame> = pairs.iter().map(|drawn| drawn.pair).collect();
        return correct_sampled_pairs(&pairs, options);
    }
    correct_unequal_pairs(pairs, options)
}

/// The frame under the assumption that unlabelled drawn pairs resemble the labelled ones of their stratum. The
/// probability of a label is then the probability of the draw times the labelled share.
fn of_respondents(frame: &Frame) -> Vec<DrawnPair> {
    let mut pairs = frame.pairs.clone();
    if frame.missing.is_empty() {
        return pairs;
    }
    let strata = pairs.iter().map(|drawn| drawn.stratum).max().unwrap_or(0) + 1;
    let (mut labelled, mut drawn) = (vec![0.0; strata], vec![0.0; strata]);
    for pair in &frame.pairs {
        labelled[pair.stratum] += f64::from(u8::from(pair.pair.human.is_some()));
    }
    drawn.clone_from(&labelled);
    frame.missing.iter().for_each(|at| drawn[frame.pairs[*at].stratum] += 1.0);
    for pair in &mut pairs {
        if labelled[pair.stratum] > 0.0 {
            pair.probability *= labelled[pair.stratum] / drawn[pair.stratum];
        }
    }
    pairs
}

/// The judge's figure for each query.
fn judged_by_query(frame: &Frame, queries: usize) -> Vec<f64> {
    let mut figures = vec![0.0; queries];
    for drawn in &frame.pairs {
        figures[drawn.pair.query] += drawn.pair.weight * drawn.pair.judged;
    }
    figures
}
