//! Corrects figures by sampled queries.

use llull_core::{Qrels, Ranking, Run};
use llull_metrics::{Measure, ValueRange, evaluate};
use llull_report::CorrectionFacts;
use llull_report::text::counted;
use llull_stats::{
    Corrected, Estimand, Looks, QueriesOptions, StatsError, correct_sampled_queries, correct_unequal_queries,
    effective_queries,
};
use rustc_hash::FxHashMap;

use super::corrector::SampleCorrection;
use super::design::Design;
use super::error::CorrectionError;
use super::labelled_sample::{LabelledSample, documents_read, human_grade};

/// A difference that fewer queries carry is too easily missed by a sample of queries.
const FEWEST_QUERIES: f64 = 4.0;

/// The state of a query.
enum Standing {
    NotDrawn,
    /// Drawn, but the measure reads a pair without a label.
    Unlabelled,
    Labelled,
}

pub(super) fn corrected(
    sample: &LabelledSample<'_>,
    measure: &Measure,
    systems: &[(&Run, f64)],
) -> Result<SampleCorrection, CorrectionError> {
    let judged = by_query(measure, sample.judge, sample, systems);
    let effective = (systems.len() > 1).then(|| effective_queries(&judged)).flatten();
    // A judge with one grade sees no difference between different systems: only human labels are left.
    if systems.len() > 1 && effective.is_none() && !differ(measure, systems, &sample.queries) {
        return Err(CorrectionError::NoDifference);
    }
    let figures = by_query(measure, sample.human, sample, systems);
    let (mut human, mut missing, mut labels) = (Vec::new(), Vec::new(), 0);
    for (place, topic) in sample.queries.iter().enumerate() {
        let read = documents_read(measure, sample.judge, systems, topic);
        let standing = standing(sample, topic, &read)?;
        if matches!(standing, Standing::Unlabelled) {
            missing.push(place);
        }
        let labelled = matches!(standing, Standing::Labelled);
        labels += if labelled { read.len() } else { 0 };
        human.push(labelled.then(|| figures[place]));
    }
    let options = QueriesOptions {
        estimand: sample.options.estimand,
        confidence: sample.options.confidence,
        looks: sample.options.looks,
    };
    // Labels of all queries are no sample that could miss some of them.
    let sure = options.estimand == Estimand::TheseQueries && human.iter().all(Option::is_some);
    if let Some(effective) = effective.filter(|effective| *effective < FEWEST_QUERIES && !sure) {
        return Err(CorrectionError::FewQueries { effective });
    }
    if human.iter().all(Option::is_none) {
        return Err(CorrectionError::NothingLabelled { what: "queries" });
    }
    let draw = Draw { probabilities: probabilities(sample)?, options };
    let alike = draw.correct(&judged, &human)?;
    let worst = match missing.len() {
        0 => None,
        count => {
            let most = most(sample, measure, &counted(count, "query"))?;
            let least = if systems.len() > 1 { -most } else { 0.0 };
            Some((
                draw.with(&judged, &human, &missing, least)?.low,
                draw.with(&judged, &human, &missing, most)?.high,
            ))
        }
    };
    let facts = CorrectionFacts {
        design: sample.design.name().to_owned(),
        confidence: options.confidence,
        labels,
        queries: judged.len(),
        by_query: true,
        nonresponse: missing.len(),
        worst,
        difference: systems.len() > 1,
        effective_queries: effective,
        any_time: options.looks != Looks::Once,
    };
    Ok(SampleCorrection { corrected: alike, facts })
}

/// Whether the results of the systems differ down to the measure's depth.
fn differ(measure: &Measure, systems: &[(&Run, f64)], queries: &[&str]) -> bool {
    let depth = measure.depth().unwrap_or(usize::MAX);
    let top = |run: &Run, query: &str| -> Vec<String> {
        let hits = run.ranking(query).into_iter().flat_map(Ranking::iter).take(depth);
        hits.map(|hit| hit.document.to_owned()).collect()
    };
    queries.iter().any(|query| {
        let mut lists = systems.iter().map(|(run, _)| top(run, query));
        let first = lists.next();
        lists.any(|list| Some(list) != first)
    })
}

/// The figure, or the difference, of each of the judge's queries under these labels.
pub(super) fn by_query(
    measure: &Measure,
    labels: &Qrels,
    sample: &LabelledSample<'_>,
    systems: &[(&Run, f64)],
) -> Vec<f64> {
    let mut figures = vec![0.0; sample.queries.len()];
    for (run, sign) in systems {
        let scores = evaluate(&[*measure], labels, run);
        let values: FxHashMap<&str, f64> =
            scores.topics.iter().map(|topic| (topic.topic.as_str(), topic.cells[0].value)).collect();
        for (figure, query) in figures.iter_mut().zip(&sample.queries) {
            *figure += sign * values.get(query).copied().unwrap_or(0.0);
        }
    }
    figures
}

/// Whether a query was drawn, and whether all pairs that the measure reads have human labels.
fn standing(sample: &LabelledSample<'_>, topic: &str, read: &[&str]) -> Result<Standing, CorrectionError> {
    let has_labels = || sample.human.topic(topic).is_some_and(|labels| !labels.is_empty());
    let drawn = match &sample.design {
        Design::QueriesOfFrame { units, queries, .. } => {
            let outside: Vec<&&str> =
                read.iter().filter(|document| !units.contains_key(&(topic, **document))).collect();
            if let Some(document) = outside.first() {
                return Err(CorrectionError::OutsideFrame {
                    pairs: counted(outside.len(), "pair"),
                    topic: topic.to_owned(),
                    document: (**document).to_owned(),
                });
            }
            queries.get(topic).and_then(|query| query.drawn).unwrap_or_else(has_labels)
        }
        _ => has_labels(),
    };
    let labelled = |document: &&str| human_grade(sample.human, topic, document).flatten().is_some();
    Ok(match drawn {
        false => Standing::NotDrawn,
        true if read.iter().all(labelled) => Standing::Labelled,
        true => Standing::Unlabelled,
    })
}

/// The greatest figure that a query can have.
fn most(sample: &LabelledSample<'_>, measure: &Measure, missing: &str) -> Result<f64, CorrectionError> {
    if let (Some(form), Some(depth)) = (measure.linear_form(), measure.depth()) {
        let worth = (1..=sample.highest).map(|grade| form.worth(Some(grade))).fold(0.0, f64::max);
        return Ok((1..=depth).map(|rank| form.weight(rank, depth)).sum::<f64>() * worth);
    }
    match measure.definition().range() {
        ValueRange::Unit => Ok(1.0),
        _ => Err(CorrectionError::Problem(format!(
            "{measure} has no greatest value, so what was drawn and not labelled ({missing}) cannot be bounded. Label \
             it"
        ))),
    }
}

/// The draw of queries, and the options of the estimate.
struct Draw {
    /// The probability of each query, if they differ.
    probabilities: Option<Vec<f64>>,
    options: QueriesOptions,
}

impl Draw {
    fn correct(&self, judged: &[f64], human: &[Option<f64>]) -> Result<Corrected, StatsError> {
        match &self.probabilities {
            None => correct_sampled_queries(judged, human, &self.options),
            Some(probabilities) => correct_unequal_queries(judged, human, probabilities, &self.options),
        }
    }

    /// Corrects as if each query that is not labelled had this figure.
    fn with(
        &self,
        judged: &[f64],
        human: &[Option<f64>],
        missing: &[usize],
        figure: f64,
    ) -> Result<Corrected, StatsError> {
        let mut human = human.to_vec();
        for place in missing {
            human[*place] = Some(figure);
        }
        self.correct(judged, &human)
    }
}

/// The probability with which each query was drawn; `None` if all are the same.
fn probabilities(sample: &LabelledSample<'_>) -> Result<Option<Vec<f64>>, CorrectionError> {
    let Design::QueriesOfFrame { queries, unequal: true, .. } = &sample.design else { return Ok(None) };
    let of = |query: &&str| {
        let known = queries.get(query).map(|known| known.probability);
        known.ok_or_else(|| {
            CorrectionError::Problem(format!(
                "the sample's file has no pair of query {query}, whose probability is then not known. Add its pairs, \
                 or let the judge's labels be of the frame's queries"
            ))
        })
    };
    sample.queries.iter().map(of).collect::<Result<_, _>>().map(Some)
}
