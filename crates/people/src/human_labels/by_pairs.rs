//! Corrects figures by sampled pairs.

use llull_core::Run;
use llull_metrics::{LinearForm, Measure};
use llull_report::CorrectionFacts;
use llull_report::text::counted;
use llull_stats::{
    Corrected, DrawSize, DrawnPair, Estimand, Looks, PairOfFrame, PairsOptions, StatsError,
    correct_sampled_pairs, correct_unequal_pairs, effective_queries,
};

use super::correction::SampleCorrection;
use super::design::Design;
use super::error::CorrectionError;
use super::labelled_sample::LabelledSample;
use super::labels_read::weights;

/// The pairs that the figure reads, and the drawn ones among them without a label.
struct Frame {
    pairs: Vec<DrawnPair>,
    missing: Vec<usize>,
    size: DrawSize,
}

pub(super) fn corrected(
    sample: &LabelledSample<'_>,
    measure: &Measure,
    systems: &[(&Run, f64)],
) -> Result<SampleCorrection, CorrectionError> {
    let form =
        measure.linear_form().ok_or_else(|| CorrectionError::Ratio { measure: measure.to_string() })?;
    let largest = (1..=sample.highest).map(|grade| form.worth(Some(grade))).fold(0.0, f64::max);
    let frame = frame(sample, &form, systems)?;
    if frame.pairs.is_empty() {
        return Err(CorrectionError::NoDifference);
    }
    let labels = frame.pairs.iter().filter(|drawn| drawn.pair.human.is_some()).count();
    if labels == 0 {
        return Err(CorrectionError::NothingLabelled { what: "pairs" });
    }
    let options = PairsOptions {
        queries: sample.queries.len(),
        largest_label: largest,
        estimand: sample.options.estimand,
        confidence: sample.options.confidence,
        looks: sample.options.looks,
    };
    let alike = estimate(&of_respondents(&frame), frame.size, &options)?;
    let worst = worst_case(&frame, &options)?;
    let effective = (systems.len() > 1 && options.estimand == Estimand::QueriesLikeThese)
        .then(|| effective_queries(&judged_by_query(&frame, options.queries)))
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
    systems: &[(&Run, f64)],
) -> Result<Frame, CorrectionError> {
    let (mut pairs, mut missing) = (Vec::new(), Vec::new());
    let (mut outside, mut first) = (0_usize, None);
    let weights = weights(form, &sample.queries, systems);
    for ((query, document), weight) in &weights {
        let topic = sample.queries[*query];
        let grade = sample.judge.grade(topic, document);
        let unit = match &sample.design {
            Design::PairsOfFrame { units, .. } => {
                units.get(&(topic, *document)).map(|unit| (unit.probability, unit.drawn, unit.stratum))
            }
            _ => grade.map(|_| (1.0, None, 0)),
        };
        let Some((probability, drawn, stratum)) = unit else {
            outside += 1;
            first.get_or_insert((topic, *document));
            continue;
        };
        let label = sample.drawn_label(topic, document, drawn);
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
        pairs.push(DrawnPair { pair, probability, stratum });
    }
    if let Some((topic, document)) = first {
        return Err(CorrectionError::OutsideFrame {
            pairs: counted(outside, "pair"),
            topic: topic.to_owned(),
            document: document.to_owned(),
        });
    }
    let size = match &sample.design {
        Design::PairsOfFrame { size, .. } => *size,
        _ => DrawSize::Fixed,
    };
    Ok(Frame { pairs, missing, size })
}

/// Corrects by the estimator of the design: equal probabilities are a uniform sample.
fn estimate(pairs: &[DrawnPair], size: DrawSize, options: &PairsOptions) -> Result<Corrected, StatsError> {
    let first = pairs.first().map_or(1.0, |drawn| drawn.probability);
    if size == DrawSize::Fixed && pairs.iter().all(|drawn| (drawn.probability - first).abs() < 1e-12) {
        let pairs: Vec<PairOfFrame> = pairs.iter().map(|drawn| drawn.pair).collect();
        return correct_sampled_pairs(&pairs, options);
    }
    correct_unequal_pairs(pairs, size, options)
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

/// The ends of the interval if every missing label had the worst, or the best, value for the figure.
fn worst_case(frame: &Frame, options: &PairsOptions) -> Result<Option<(f64, f64)>, StatsError> {
    if frame.missing.is_empty() {
        return Ok(None);
    }
    let with = |good: bool| {
        let mut pairs = frame.pairs.clone();
        for at in &frame.missing {
            let pair = &mut pairs[*at].pair;
            pair.human = Some(if (pair.weight > 0.0) == good { options.largest_label } else { 0.0 });
        }
        estimate(&pairs, frame.size, options)
    };
    Ok(Some((with(false)?.low, with(true)?.high)))
}

/// The judge's figure for each query.
fn judged_by_query(frame: &Frame, queries: usize) -> Vec<f64> {
    let mut figures = vec![0.0; queries];
    for drawn in &frame.pairs {
        figures[drawn.pair.query] += drawn.pair.weight * drawn.pair.judged;
    }
    figures
}
