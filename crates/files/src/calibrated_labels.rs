//! Maps a judge's labels to the scale of a human sample.
//!
//! It also reports whether that raises the agreement with human labels.

use std::collections::BTreeMap;

use llull_core::{Grade, Qrels, Seed, SplitMix64};
use llull_label::{Calibration, CalibrationError, CalibrationMethod, GradedTwice, calibrate, cut_agreements};
use llull_people::human_labels::SampledHow;
use llull_stats::{Agreement, AgreementError, AgreementOptions, BootstrapOptions, weighted_label_agreement};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// The number of parts that the queries are split into; each is predicted from the others.
const FOLDS: usize = 5;
/// The number of resamples of queries for the interval of the cut.
const DRAWS: usize = 1000;

/// The options of a calibration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CalibrationOptions {
    /// The method.
    pub method: CalibrationMethod,
    /// The lowest relevant human grade, for the recommended cut.
    pub relevant: Grade,
    /// The options of intervals, and the seed of all random numbers.
    pub bootstrap: BootstrapOptions,
}

/// An error of a calibration.
#[derive(Debug, thiserror::Error)]
pub enum CalibratedLabelsError {
    /// The fit failed.
    #[error("the labels cannot be calibrated: {0}")]
    Fit(#[from] CalibrationError),
    /// There are too few queries to predict one from others.
    #[error(
        "there are pairs of {queries} that both the judge and annotators have labelled, and a calibration is tried on \
         queries that it was not fitted to: have pairs of at least 2 labelled"
    )]
    TooFewQueries {
        /// Their number, in words.
        queries: String,
    },
    /// The labels cannot be compared.
    #[error(transparent)]
    Agreement(#[from] AgreementError),
}

/// A judge's labels on the scale of human labels, and their evidence.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CalibratedLabels {
    /// The map of the judge's grades, fitted to the whole sample.
    #[serde(flatten)]
    pub calibration: Calibration,
    /// Pairs with a label of the judge and a human label.
    pub pairs: usize,
    /// Their queries.
    pub queries: usize,
    /// Human labels of pairs that were not drawn, or are not in the frame; they are ignored.
    #[serde(skip_serializing_if = "is_none")]
    pub not_drawn: usize,
    /// The recommended cut between relevant and not relevant; `None` if no cut separates them.
    pub cut: Option<RecommendedCut>,
    /// The agreement of the judge's original and calibrated labels with human labels, on queries outside of each fit.
    pub cross_validated: CrossValidated,
    /// The calibrated labels of everything that the judge has labelled.
    #[serde(skip)]
    pub labels: Qrels,
}

/// The judge's grade from which a document should count as relevant.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecommendedCut {
    /// The lowest relevant human grade.
    pub relevant: Grade,
    /// The judge's lowest relevant grade: the cut that agrees best.
    pub cut: Grade,
    /// Cohen's kappa at that cut.
    pub kappa: f64,
    /// The interval's lower end: the lowest cut that agreed best in resamples of queries, without the most extreme of
    /// them.
    pub low: Grade,
    /// The upper end.
    pub high: Grade,
    /// The share of resamples with this same cut.
    pub share: f64,
}

/// Agreement before and after, each query predicted from others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CrossValidated {
    /// How many parts the queries were split into.
    pub folds: usize,
    /// Pairs in parts without a fit of the other parts; they are left out.
    pub without_fit: usize,
    /// The judge's original labels; absent if no part was predicted.
    pub before: Option<Agreement>,
    /// The calibrated labels.
    pub after: Option<Agreement>,
}

impl CalibratedLabels {
    /// Fits the judge's grades to human grades, and applies the fit to all labels of the judge.
    ///
    /// A pair is weighted by the inverse of its probability in the draw, so fit, cut and agreement are those of the
    /// whole frame. Pairs or queries with equal probabilities have equal weights.
    ///
    /// # Errors
    /// Returns an error if there are too few queries, if the method has no fit, or if the labels cannot be compared.
    pub fn new(
        judge: &Qrels,
        human: &Qrels,
        how: SampledHow<'_>,
        options: &CalibrationOptions,
    ) -> Result<Self, CalibratedLabelsError> {
        let (queries, not_drawn) = by_query(judge, human, &Weights::of(how));
        if queries.len() < 2 {
            let queries = llull_report::text::counted(queries.len(), "query");
            return Err(CalibratedLabelsError::TooFewQueries { queries });
        }
        let all: Vec<GradedTwice> = queries.iter().flat_map(|query| query.graded()).collect();
        let calibration = calibrate(options.method, &all)?;
        let mut labels = Qrels::default();
        for (query, documents) in judge.iter() {
            for (document, grade) in documents {
                labels.insert(query, document, calibration.grade(*grade).unwrap_or(*grade));
            }
        }
        Ok(Self {
            pairs: all.len(),
            queries: queries.len(),
            not_drawn,
            cut: recommended_cut(&queries, options),
            cross_validated: cross_validated(&queries, options)?,
            calibration,
            labels,
        })
    }

    /// Does the same, but labels each query of the human sample by a fit to the other queries, in five parts.
    ///
    /// So these labels can still be compared with the human labels: figures that the same sample corrects stay
    /// unbiased. Queries outside of the sample are labelled by the fit to all.
    ///
    /// # Errors
    /// Returns those of [`CalibratedLabels::new`], also if the fit to some of the queries fails.
    pub fn apart(
        judge: &Qrels,
        human: &Qrels,
        how: SampledHow<'_>,
        options: &CalibrationOptions,
    ) -> Result<Self, CalibratedLabelsError> {
        let mut found = Self::new(judge, human, how, options)?;
        let (queries, _) = by_query(judge, human, &Weights::of(how));
        let (folds, fold_of) = folds_of(queries.len(), options.bootstrap.seed);
        for fold in 0..folds {
            let (held_out, seen): (Vec<_>, Vec<_>) =
                queries.iter().enumerate().partition(|(at, _)| fold_of.get(at) == Some(&fold));
            let seen: Vec<GradedTwice> = seen.into_iter().flat_map(|(_, query)| query.graded()).collect();
            let fit = calibrate(options.method, &seen)?;
            for (_, query) in held_out {
                for (document, grade) in judge.topic(query.id).into_iter().flatten() {
                    found.labels.insert(query.id, document, fit.grade(*grade).unwrap_or(*grade));
                }
            }
        }
        Ok(found)
    }
}

/// The number of parts, and the part of each query.
fn folds_of(queries: usize, seed: Seed) -> (usize, BTreeMap<usize, usize>) {
    let folds = FOLDS.min(queries);
    let mut order: Vec<usize> = (0..queries).collect();
    shuffle(&mut order, seed, "folds of a calibration");
    (folds, order.into_iter().enumerate().map(|(place, query)| (query, place % folds)).collect())
}

/// The weights of pairs.
enum Weights<'a> {
    Alike,
    /// The inverse of the probability of each pair that was drawn, or may have been.
    ByPair(FxHashMap<(&'a str, &'a str), f64>),
}

impl<'a> Weights<'a> {
    fn of(how: SampledHow<'a>) -> Self {
        let SampledHow::Drawn(sample) = how else { return Self::Alike };
        let drawn = sample.units.iter().filter(|unit| unit.drawn != Some(false));
        let pair = drawn.map(|unit| ((unit.topic.as_str(), unit.document.as_str()), 1.0 / unit.probability));
        Self::ByPair(pair.collect())
    }

    fn weight(&self, query: &str, document: &str) -> Option<f64> {
        match self {
            Self::Alike => Some(1.0),
            Self::ByPair(pairs) => pairs.get(&(query, document)).copied(),
        }
    }
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

/// A query with its documents: the judge's grade and the human grade.
struct Query<'a> {
    id: &'a str,
    documents: Vec<(&'a str, GradedTwice)>,
}

impl Query<'_> {
    fn graded(&self) -> impl Iterator<Item = GradedTwice> {
        self.documents.iter().map(|(_, graded)| *graded)
    }
}

/// The pairs with both labels, and the number of human labels of pairs that were not drawn.
fn by_query<'a>(judge: &'a Qrels, human: &'a Qrels, weights: &Weights<'_>) -> (Vec<Query<'a>>, usize) {
    let (mut queries, mut not_drawn) = (Vec::new(), 0);
    for (id, documents) in human.iter() {
        let mut both = Vec::new();
        for (document, human) in documents {
            let Some(weight) = weights.weight(id, document) else {
                not_drawn += 1;
                continue;
            };
            let graded = judge.grade(id, document).map(|judge| GradedTwice { judge, human: *human, weight });
            both.extend(graded.map(|graded| (document, graded)));
        }
        if !both.is_empty() {
            queries.push(Query { id, documents: both });
        }
    }
    (queries, not_drawn)
}

/// Predicts each part of the queries from the others. The parts are of queries, because pairs of one query are similar:
/// a fit to some of them would look too good on the others.
fn cross_validated(
    queries: &[Query<'_>],
    options: &CalibrationOptions,
) -> Result<CrossValidated, AgreementError> {
    let (folds, fold_of) = folds_of(queries.len(), options.bootstrap.seed);
    let mut weights: FxHashMap<(&str, &str), f64> = FxHashMap::default();
    let (mut human, mut before, mut after) = (Qrels::default(), Qrels::default(), Qrels::default());
    let mut without_fit = 0;
    for fold in 0..folds {
        let is_held_out = |at: &usize| fold_of.get(at) == Some(&fold);
        let seen: Vec<GradedTwice> = (queries.iter().enumerate())
            .filter(|(at, _)| !is_held_out(at))
            .flat_map(|(_, query)| query.graded())
            .collect();
        let fit = calibrate(options.method, &seen);
        for (_, query) in queries.iter().enumerate().filter(|(at, _)| is_held_out(at)) {
            let Ok(fit) = &fit else {
                without_fit += query.documents.len();
                continue;
            };
            for (document, GradedTwice { judge, human: grade, weight }) in &query.documents {
                weights.insert((query.id, document), *weight);
                human.insert(query.id, document, *grade);
                before.insert(query.id, document, *judge);
                after.insert(query.id, document, fit.grade(*judge).unwrap_or(*judge));
            }
        }
    }
    let agreement = AgreementOptions { clamp: None, bootstrap: Some(options.bootstrap) };
    let weight = |query: &str, document: &str| weights.get(&(query, document)).copied().unwrap_or(1.0);
    let annotator_agreement = |labels: &Qrels| match human.is_empty() {
        true => Ok(None),
        false => weighted_label_agreement(&human, labels, &weight, &agreement).map(Some),
    };
    Ok(CrossValidated {
        folds,
        without_fit,
        before: annotator_agreement(&before)?,
        after: annotator_agreement(&after)?,
    })
}

/// The cut that agrees best, and its spread over resamples of queries.
fn recommended_cut(queries: &[Query<'_>], options: &CalibrationOptions) -> Option<RecommendedCut> {
    // Equal pairs are counted once, with their total weight.
    let counted: Vec<Vec<GradedTwice>> = queries
        .iter()
        .map(|query| {
            let mut cells: BTreeMap<(Grade, Grade), f64> = BTreeMap::new();
            let cell = |pair: &GradedTwice| (pair.judge, pair.human);
            query.graded().for_each(|pair| *cells.entry(cell(&pair)).or_default() += pair.weight);
            let pair = |((judge, human), weight)| GradedTwice { judge, human, weight };
            cells.into_iter().map(pair).collect()
        })
        .collect();
    let best = |pairs: &[GradedTwice]| {
        let cuts = cut_agreements(pairs, options.relevant).into_iter();
        let known = cuts.filter_map(|found| Some((found.cut, found.kappa?)));
        known.reduce(|best, other| if other.1 > best.1 { other } else { best })
    };
    let (cut, kappa) = best(&counted.concat())?;
    let mut stream = SplitMix64::new(options.bootstrap.seed.stream("cut of a calibration"));
    let mut drawn: Vec<Grade> = (0..DRAWS)
        .filter_map(|_| {
            let mut resample = Vec::new();
            for _ in 0..counted.len() {
                let at = (stream.next_u64() % counted.len() as u64) as usize;
                resample.extend_from_slice(counted.get(at)?);
            }
            best(&resample).map(|(cut, _)| cut)
        })
        .collect();
    drawn.sort_unstable();
    let tail = ((1.0 - options.bootstrap.confidence) / 2.0 * drawn.len() as f64).floor() as usize;
    let same = drawn.iter().filter(|drawn| **drawn == cut).count();
    Some(RecommendedCut {
        relevant: options.relevant,
        cut,
        kappa,
        low: *drawn.get(tail)?,
        high: *drawn.get(drawn.len().checked_sub(tail + 1)?)?,
        share: same as f64 / drawn.len() as f64,
    })
}

fn shuffle(order: &mut [usize], seed: Seed, purpose: &str) {
    let mut stream = SplitMix64::new(seed.stream(purpose));
    for at in (1..order.len()).rev() {
        order.swap(at, (stream.next_u64() % (at as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(method: CalibrationMethod) -> CalibrationOptions {
        let bootstrap = BootstrapOptions { resamples: 200, ..BootstrapOptions::new(Seed(42)) };
        CalibrationOptions { method, relevant: 2, bootstrap }
    }

    /// A judge that gives one grade more than people do, but for the highest: 12 queries of 20 documents.
    fn lenient() -> (Qrels, Qrels) {
        let (mut judge, mut human) = (Qrels::default(), Qrels::default());
        for query in 0..12 {
            for document in 0..20 {
                let grade = (query + document * 7) % 4;
                let noise = i32::from((query * 20 + document) % 9 == 0);
                let (query, document) = (format!("q{query}"), format!("d{document}"));
                judge.insert(&query, &document, (grade + 1 - noise).clamp(0, 3));
                human.insert(&query, &document, grade);
            }
        }
        (judge, human)
    }

    #[test]
    fn the_labels_of_a_query_do_not_depend_on_its_human_labels() {
        let (judge, human) = lenient();
        let options = options(CalibrationMethod::Isotonic);
        let labels = |human: &Qrels| {
            let of = |found: CalibratedLabels| ["q3", "q4"].map(|query| found.labels.topic(query).cloned());
            let apart = CalibratedLabels::apart(&judge, human, SampledHow::Pairs, &options).unwrap();
            let together = CalibratedLabels::new(&judge, human, SampledHow::Pairs, &options).unwrap();
            [of(apart), of(together)]
        };
        let mut turned = human.clone();
        for (document, grade) in human.topic("q3").unwrap() {
            turned.insert("q3", document, if *grade == 0 { 3 } else { 0 });
        }
        let ([apart, together], [apart_of, together_of]) = (labels(&human), labels(&turned));
        assert_eq!(apart[0], apart_of[0], "human labels of q3 change no label of q3");
        assert!(apart[1] != apart_of[1] || together != together_of, "and it does move others");
    }

    #[test]
    fn a_lenient_judge_is_brought_onto_the_scale_of_people() {
        let (judge, human) = lenient();
        for method in CalibrationMethod::ALL {
            let found = CalibratedLabels::new(&judge, &human, SampledHow::Pairs, &options(method)).unwrap();
            let figures =
                |agreement: &Option<Agreement>| agreement.as_ref().unwrap().figures.kappa.plain.unwrap();
            let cross = &found.cross_validated;
            assert_eq!((found.pairs, found.queries, cross.folds, cross.without_fit), (240, 12, 5, 0));
            let (before, after) = (figures(&cross.before), figures(&cross.after));
            assert!(after > before + 0.3, "{method:?}: {before} before, {after} after");
            let cut = found.cut.unwrap();
            assert_eq!((cut.relevant, cut.cut, cut.low, cut.high), (2, 3, 3, 3));
            assert_eq!(found.labels.pairs(), judge.pairs());
        }
        let severity =
            CalibratedLabels::new(&judge, &human, SampledHow::Pairs, &options(CalibrationMethod::Severity))
                .unwrap();
        assert!(severity.calibration.severity.unwrap().severity.unwrap() < -0.5, "it is lenient");
    }

    #[test]
    fn one_query_is_too_few() {
        let (mut judge, mut human) = (Qrels::default(), Qrels::default());
        for (at, document) in ["a", "b", "c"].iter().enumerate() {
            judge.insert("q", document, at as Grade);
            human.insert("q", document, at as Grade);
        }
        let refused =
            CalibratedLabels::new(&judge, &human, SampledHow::Pairs, &options(CalibrationMethod::Isotonic));
        assert!(refused.unwrap_err().to_string().contains("there are pairs of 1 query that both"));
    }

    /// Pairs of the judge's highest grade, on which it agrees most, are drawn with a third, others with certainty:
    /// weighed by the inverse the sample agrees as all pairs do.
    #[test]
    fn pairs_count_by_the_inverse_of_their_probability() {
        let (judge, human) = lenient();
        let (mut drawn, mut sample) = (Qrels::default(), llull_core::DrawnSample::default());
        for (at, (query, documents)) in human.iter().enumerate() {
            for (document, grade) in documents {
                let few = judge.grade(query, document) == Some(3);
                let taken = !few || at % 3 == 0;
                if taken {
                    drawn.insert(query, document, *grade);
                }
                sample.units.push(llull_core::SamplingUnit {
                    topic: query.to_owned(),
                    document: document.to_string(),
                    probability: if few { 1.0 / 3.0 } else { 1.0 },
                    drawn: Some(taken),
                    stratum: None,
                });
            }
        }
        let isotonic = options(CalibrationMethod::Isotonic);
        let whole = CalibratedLabels::new(&judge, &human, SampledHow::Pairs, &isotonic).unwrap();
        let how = SampledHow::Drawn(&sample);
        let weighted = CalibratedLabels::new(&judge, &drawn, how, &isotonic).unwrap();
        let as_it_is = CalibratedLabels::new(&judge, &drawn, SampledHow::Pairs, &isotonic).unwrap();
        let exact =
            |found: &CalibratedLabels| found.cross_validated.before.as_ref().unwrap().figures.exact.unwrap();
        assert_eq!((weighted.pairs, weighted.not_drawn), (as_it_is.pairs, 0));
        assert!((exact(&weighted) - exact(&whole)).abs() < 0.04, "{} {}", exact(&weighted), exact(&whole));
        assert!((exact(&as_it_is) - exact(&whole)).abs() > 0.08, "{} {}", exact(&as_it_is), exact(&whole));
        // Labels of pairs that were not drawn count for nothing, and are counted.
        let all = CalibratedLabels::new(&judge, &human, how, &isotonic).unwrap();
        assert_eq!((all.pairs, all.not_drawn), (weighted.pairs, whole.pairs - weighted.pairs));
        assert_eq!(all.calibration, weighted.calibration);
    }
}
