//! The correction of figures and differences.

use llull_core::{Qrels, Run};
use llull_metrics::{Aggregation, LinearForm, Measure, Unjudged};
use llull_report::text::counted;
use llull_report::{CorrectedFigure, CorrectionFacts, expected_width};
use llull_stats::Corrected;

use super::design::Design;
use super::error::CorrectionError;
use super::labelled_sample::LabelledSample;
use super::options::{CorrectionOptions, SampledHow};
use super::{by_pairs, by_queries};

/// A judge's labels, runs, and human labels of a random sample.
pub struct Corrector<'a> {
    study: LabelledSample<'a>,
}

impl<'a> Corrector<'a> {
    /// Combines the inputs of corrections. The runs must reach down to the measures' depth.
    ///
    /// # Errors
    /// Returns an error if the sample is not random: its probabilities are all 1, or do not match the draw.
    pub fn new(
        judge: &'a Qrels,
        runs: &'a [Run],
        human: &'a Qrels,
        sampled: SampledHow<'a>,
        options: CorrectionOptions,
    ) -> Result<Self, CorrectionError> {
        let is_labelled = |topic: &str, document: &str| human.grade(topic, document).is_some();
        let grades = |qrels: &Qrels| qrels.iter().flat_map(|(_, labels)| labels.values().copied()).max();
        let study = LabelledSample {
            design: Design::of(sampled, is_labelled)?,
            queries: judge.iter().map(|(query, _)| query).collect(),
            highest: grades(judge).max(grades(human)).unwrap_or(1).max(1),
            judge,
            runs,
            human,
            options,
        };
        Ok(Self { study })
    }

    /// Checks that such a sample can correct some figure of this measure, or some difference of two systems.
    ///
    /// # Errors
    /// Returns the reason if it cannot.
    pub fn check(&self, measure: &Measure, difference: bool) -> Result<(), CorrectionError> {
        match self.study.design {
            Design::Queries | Design::QueriesOfFrame { .. } => correctable(measure),
            Design::Pairs | Design::PairsOfFrame { .. } => form(measure, difference).map(|_| ()),
        }
    }

    /// Corrects the mean figure of a system, given by its position among the runs.
    ///
    /// # Errors
    /// Returns an error if such a sample cannot correct the measure, or the figure reads pairs outside of the frame.
    /// Also if there are too few labels.
    ///
    /// # Panics
    /// Panics if there are fewer runs.
    pub fn figure(&self, measure: &Measure, system: usize) -> Result<CorrectedFigure, CorrectionError> {
        Ok(self.corrected(measure, &[(&self.study.runs[system], 1.0)])?.figure())
    }

    /// Corrects the mean of candidate minus baseline, given by their positions among the runs.
    ///
    /// # Errors
    /// Returns those of [`figure`](Self::figure). With sampled queries, also if fewer than four of them carry the
    /// difference, or if the two systems do not differ.
    ///
    /// # Panics
    /// Panics if there are fewer runs.
    pub fn difference(
        &self,
        measure: &Measure,
        baseline: usize,
        candidate: usize,
    ) -> Result<CorrectedFigure, CorrectionError> {
        let systems = [(&self.study.runs[candidate], 1.0), (&self.study.runs[baseline], -1.0)];
        Ok(self.corrected(measure, &systems)?.figure())
    }

    /// Corrects the figure of a system, or the difference from a baseline, and returns the correction with its inputs.
    ///
    /// # Errors
    /// Returns those of [`difference`](Self::difference).
    pub fn correction(
        &self,
        measure: &Measure,
        (system, baseline): (&'a Run, Option<&'a Run>),
    ) -> Result<SampleCorrection, CorrectionError> {
        let baseline = baseline.map(|run| (run, -1.0));
        let systems: Vec<_> = [(system, 1.0)].into_iter().chain(baseline).collect();
        self.corrected(measure, &systems)
    }

    fn corrected(
        &self,
        measure: &Measure,
        systems: &[(&'a Run, f64)],
    ) -> Result<SampleCorrection, CorrectionError> {
        self.check(measure, systems.len() > 1)?;
        match &self.study.design {
            Design::Queries | Design::QueriesOfFrame { .. } => {
                by_queries::corrected(&self.study, measure, systems)
            }
            Design::Pairs | Design::PairsOfFrame { .. } => by_pairs::corrected(&self.study, measure, systems),
        }
    }

    /// Returns notes about labels that are ignored.
    pub fn notes(&self) -> Vec<String> {
        let (mut unknown, mut picked) = (0_usize, 0_usize);
        for (topic, labels) in self.study.human.iter() {
            for document in labels.keys() {
                let (known, drawn) = match &self.study.design {
                    Design::PairsOfFrame { units, .. } | Design::QueriesOfFrame { units, .. } => {
                        let unit = units.get(&(topic, document));
                        (unit.is_some(), unit.is_some_and(|unit| unit.drawn.unwrap_or(true)))
                    }
                    Design::Pairs | Design::Queries => (self.study.judge.topic(topic).is_some(), true),
                };
                unknown += usize::from(!known);
                picked += usize::from(known && !drawn);
            }
        }
        let note = |count: usize, what: &str| {
            (count > 0).then(|| format!("{} not used: {what}", counted(count, "human label")))
        };
        let outside = match self.study.design {
            Design::Pairs | Design::Queries => "the judge has no label for their query",
            _ => "the sample's file does not list their pair",
        };
        note(unknown, outside).into_iter().chain(note(picked, "their pair was not drawn")).collect()
    }
}

/// Checks that a sample of queries can correct figures of this measure.
///
/// # Errors
/// Returns the reason if no sample can.
pub(crate) fn correctable(measure: &Measure) -> Result<(), CorrectionError> {
    if measure.aggregation() != Aggregation::Mean || !measure.ranks_systems() {
        return Err(CorrectionError::NoMean { measure: measure.to_string() });
    }
    if measure.unjudged() != Unjudged::NotRelevant {
        return Err(CorrectionError::Problem(format!(
            "{measure} is not corrected by human labels: leave out judged_only and unjudged, since what is corrected \
             is the figure of a pool that the judge labelled whole"
        )));
    }
    Ok(())
}

/// The sum that sampled pairs estimate: of a measure that is one, or of a difference in a measure that is one divided
/// by a number for each query.
pub(crate) enum PairsForm {
    Sum(LinearForm),
    Divided(LinearForm),
}

impl PairsForm {
    pub(crate) fn sum(&self) -> &LinearForm {
        match self {
            Self::Sum(form) | Self::Divided(form) => form,
        }
    }
}

/// Returns the sum by which sampled pairs can correct figures of this measure, or differences of two systems.
///
/// # Errors
/// Returns the reason if there is none.
pub(crate) fn form(measure: &Measure, difference: bool) -> Result<PairsForm, CorrectionError> {
    correctable(measure)?;
    let name = || measure.to_string();
    match (measure.linear_form(), measure.divided_form()) {
        (Some(form), _) => Ok(PairsForm::Sum(form)),
        (None, Some(form)) if difference => Ok(PairsForm::Divided(form)),
        (None, Some(_)) => Err(CorrectionError::Problem(format!(
            "{measure} of one system cannot be estimated from sampled pairs: it needs the best possible list of each \
             query, which a few labels give 11% to 20% too high. Compare two systems, draw whole queries (--design \
             queries), or measure by P@k or DCG@k",
            measure = name()
        ))),
        (None, None) if measure.reads_retrieved_only() => Err(CorrectionError::Problem(format!(
            "{measure} cannot be estimated from sampled pairs: what a document counts depends on the labels above it, \
             so the figure of each query is biased if some of them are unknown, and more queries do not remove that. \
             Draw whole queries, or measure by P@k or DCG@k",
            measure = name()
        ))),
        (None, None) => Err(CorrectionError::Problem(format!(
            "{measure} cannot be estimated from sampled pairs: it is a ratio for each query, whose bias more queries \
             do not remove. Draw whole queries, or measure by P@k, DCG@k or, of two systems, nDCG@k",
            measure = name()
        ))),
    }
}

/// A correction with its inputs.
#[derive(Debug, Clone)]
pub struct SampleCorrection {
    /// The corrected value and its interval, in the measure's unit. Drawn units without a label count like the others.
    pub corrected: Corrected,
    pub(crate) facts: CorrectionFacts,
}

impl SampleCorrection {
    /// Returns the figure.
    pub fn figure(&self) -> CorrectedFigure {
        CorrectedFigure::new(&self.corrected, self.facts.clone())
    }

    /// Returns half of its width.
    pub fn half_width(&self) -> f64 {
        (self.corrected.high - self.corrected.low) / 2.0
    }

    /// Returns the approximate half width with this number of labelled units.
    pub fn expected_half_width(&self, units: f64) -> Option<f64> {
        expected_width(&self.corrected, &self.facts, units).map(|width| width / 2.0)
    }

    /// Returns the number of drawn units that it reads, labelled or not.
    pub fn drawn(&self) -> usize {
        self.corrected.labels + self.facts.nonresponse
    }
}

#[cfg(test)]
mod tests {
    use llull_core::{DrawnSample, GRADE_PARTS, Qrels, Ranking, Run, SampleDesign, SamplingUnit, SplitMix64};
    use llull_metrics::{Measure, evaluate};
    use llull_stats::Estimand;

    use super::{CorrectionError, CorrectionOptions, Corrector, SampledHow};

    const QUERIES: usize = 24;
    const THESE: CorrectionOptions = CorrectionOptions {
        estimand: Estimand::TheseQueries,
        confidence: 0.95,
        looks: llull_stats::Looks::Once,
    };

    fn measure(name: &str) -> Measure {
        name.parse().unwrap()
    }

    /// 24 queries of ten documents; two runs that order them differently; a judge who errs about every seventh.
    struct Labels {
        judge: Qrels,
        human: Qrels,
        runs: Vec<Run>,
    }

    fn labels() -> Labels {
        let (mut judge, mut human) = (Qrels::default(), Qrels::default());
        let mut runs = vec![Run::new("a"), Run::new("b")];
        for query in 0..QUERIES {
            let topic = format!("q{query}");
            for n in 0..10 {
                let truth = ((query * 5 + n * n * 3) % 7) as i32 / 2;
                let told = if (query + 3 * n) % 7 == 0 { (truth + 1).min(3) } else { truth };
                judge.insert(&topic, &format!("d{n}"), told);
                human.insert(&topic, &format!("d{n}"), truth);
            }
            for (run, step) in runs.iter_mut().zip([3, 7]) {
                let order: Vec<String> = (0..10).map(|n| format!("d{}", (n * step + query) % 10)).collect();
                let ranked = order.iter().enumerate().map(|(n, id)| (id.as_str(), -(n as f64)));
                run.insert(topic.clone(), Ranking::from_ordered(ranked));
            }
        }
        Labels { judge, human, runs }
    }

    /// The labels of the pairs, by query and document, that `keep` selects.
    fn kept(human: &Qrels, keep: impl Fn(usize, usize) -> bool) -> Qrels {
        let mut some = Qrels::default();
        for query in 0..QUERIES {
            for n in (0..10).filter(|n| keep(query, *n)) {
                let (topic, document) = (format!("q{query}"), format!("d{n}"));
                some.insert(&topic, &document, human.grade(&topic, &document).unwrap());
            }
        }
        some
    }

    fn drawn(design: SampleDesign, of: impl Fn(usize, usize) -> (f64, bool)) -> DrawnSample {
        let units = (0..QUERIES).flat_map(|query| (0..10).map(move |n| (query, n)));
        let unit = |(query, n): (usize, usize)| SamplingUnit {
            topic: format!("q{query}"),
            document: format!("d{n}"),
            probability: of(query, n).0,
            drawn: Some(of(query, n).1),
            stratum: None,
        };
        DrawnSample { design: Some(design), units: units.map(unit).collect(), ..DrawnSample::default() }
    }

    #[test]
    fn complete_labels_give_peoples_own_figures_without_uncertainty() {
        let Labels { judge, human, runs } = labels();
        for (sampled, names) in [
            (SampledHow::Pairs, &["P@3", "DCG@5", "RBP(p=0.8)@4"][..]),
            (SampledHow::Queries, &["nDCG@10", "AP", "RR"]),
        ] {
            let corrector = Corrector::new(&judge, &runs, &human, sampled, THESE).unwrap();
            for name in names {
                let of = |run: usize| evaluate(&[measure(name)], &human, &runs[run]).mean(0).unwrap();
                let figure = corrector.figure(&measure(name), 0).unwrap();
                assert!((figure.value - of(0)).abs() < 1e-12, "{name}: {figure:?}");
                assert!(figure.high - figure.low < 1e-12, "{name}: {figure:?}");
                let difference = corrector.difference(&measure(name), 0, 1).unwrap();
                assert!((difference.value - (of(1) - of(0))).abs() < 1e-12, "{name}: {difference:?}");
                let judged = evaluate(&[measure(name)], &judge, &runs[0]).mean(0).unwrap();
                assert!((figure.judge_only.value - judged).abs() < 1e-12, "{name}");
            }
        }
    }

    #[test]
    fn what_sampled_pairs_cannot_say_is_refused_with_its_reason() {
        let Labels { judge, human, runs } = labels();
        let corrector = Corrector::new(&judge, &runs, &human, SampledHow::Pairs, THESE).unwrap();
        for (name, said) in [
            ("nDCG@10", "of one system cannot be estimated from sampled pairs"),
            ("nDCG", "a ratio for each query, whose bias more queries do not remove"),
            ("AP", "a ratio for each query"),
            ("R@5", "a ratio for each query"),
            ("RR", "what a document counts depends on the labels above it"),
            ("P(judged_only=True)@5", "leave out judged_only"),
            ("NumRet", "no mean over queries"),
        ] {
            let error = corrector.figure(&measure(name), 0).unwrap_err().to_string();
            assert!(error.starts_with(&measure(name).to_string()) && error.contains(said), "{error}");
        }
    }

    /// Each judge of a panel errs on other documents: what human labels correct are figures of the means.
    #[test]
    fn the_judges_own_figures_are_those_of_the_means() {
        let Labels { judge, human, runs } = labels();
        let mut means = judge.clone();
        for (topic, labels) in judge.iter() {
            for (at, (document, grade)) in labels.iter().enumerate() {
                let mean = grade * GRADE_PARTS + (at as i32 % 3 - 1) * GRADE_PARTS / 3;
                means.set_mean(topic, document, mean.max(0));
            }
        }
        for (sampled, name) in [
            (SampledHow::Pairs, "P(rel=2)@3"),
            (SampledHow::Pairs, "nDCG@5"),
            (SampledHow::Queries, "nDCG@5"),
            (SampledHow::Queries, "AP(rel=2)"),
        ] {
            let reads_means = name.starts_with("nDCG");
            let name = measure(name);
            let some = kept(&human, |query, n| match sampled {
                SampledHow::Queries => query % 2 == 0,
                _ => (query + n) % 2 == 0,
            });
            let corrector = |judge| Corrector::new(judge, &runs, &some, sampled, THESE).unwrap();
            let of = |run: usize| match name.in_parts(GRADE_PARTS) {
                Some(name) => evaluate(&[name], &means.in_parts().unwrap(), &runs[run]).mean(0).unwrap(),
                None => evaluate(&[name], &judge, &runs[run]).mean(0).unwrap(),
            };
            let by_means = corrector(&means).difference(&name, 0, 1).unwrap();
            let by_grades = corrector(&judge).difference(&name, 0, 1).unwrap();
            assert!((by_means.judge_only.value - (of(1) - of(0))).abs() < 1e-9, "{name}: {by_means:?}");
            let is_same = by_means.judge_only.value == by_grades.judge_only.value;
            assert_eq!(is_same, !reads_means, "{name}");
            // Of sampled pairs the grades are strata, and the judge's own figure moves nothing.
            let is_same = (by_means.value - by_grades.value).abs() < 1e-12;
            let by_queries = matches!(sampled, SampledHow::Queries);
            assert_eq!(is_same, !(reads_means && by_queries), "{name}: {by_means:?} {by_grades:?}");
        }
    }

    /// The mean of differences over draws of a third of the pairs is near that of complete human labels, whose share of
    /// intervals is as stated; with all labels it is exact.
    #[test]
    fn differences_in_ndcg_come_from_sampled_pairs() {
        let Labels { judge, human, runs } = labels();
        for name in ["nDCG@5", "nDCG(dcg='exp-log2')@5", "nDCG@3"] {
            let measure = measure(name);
            let of = |run: usize, labels: &Qrels| evaluate(&[measure], labels, &runs[run]).mean(0).unwrap();
            let truth = of(1, &human) - of(0, &human);
            let all = Corrector::new(&judge, &runs, &human, SampledHow::Pairs, THESE).unwrap();
            let whole = all.difference(&measure, 0, 1).unwrap();
            assert!((whole.value - truth).abs() < 1e-12 && whole.high - whole.low < 1e-12, "{whole:?}");
            let (alone, ends) = (whole.human_only, whole.human_only.low.zip(whole.human_only.high));
            assert!((alone.value - truth).abs() < 1e-12, "{whole:?}");
            assert!(ends.is_some_and(|(low, high)| high - low < 1e-12), "{whole:?}");
            let judged = of(1, &judge) - of(0, &judge);
            assert!((whole.judge_only.value - judged).abs() < 1e-12, "{whole:?}");
            let (mut held, mut sum) = (0, 0.0);
            for seed in 0..100_u64 {
                let is_drawn = |query: usize, n: usize| {
                    SplitMix64::mix(seed * 1_000 + (query * 10 + n) as u64).is_multiple_of(3)
                };
                let sample = drawn(SampleDesign::Independent, |query, n| (1.0 / 3.0, is_drawn(query, n)));
                let some = kept(&human, is_drawn);
                let corrector =
                    Corrector::new(&judge, &runs, &some, SampledHow::Drawn(&sample), THESE).unwrap();
                let found = corrector.difference(&measure, 0, 1).unwrap();
                held += usize::from(found.low <= truth && truth <= found.high);
                sum += found.value / 100.0;
            }
            assert!(held >= 90, "{name}: {held} of 100 intervals");
            assert!((sum - truth).abs() < 0.02, "{name}: {sum} {truth}");
        }
    }

    #[test]
    fn a_figure_that_reads_pairs_that_could_not_be_drawn_is_refused() {
        let Labels { mut judge, human, runs } = labels();
        judge.insert("q99", "d1", 1);
        let mut unjudged = Qrels::default();
        for (topic, labels) in judge.iter() {
            for (document, grade) in labels.iter().filter(|(document, _)| *document != "d4") {
                unjudged.insert(topic, document, *grade);
            }
        }
        let corrector = Corrector::new(&unjudged, &runs, &human, SampledHow::Pairs, THESE).unwrap();
        let error = corrector.figure(&measure("P@10"), 0).unwrap_err();
        assert!(
            matches!(&error, CorrectionError::OutsideFrame { document, .. } if document == "d4"),
            "{error}"
        );
        assert!(error.to_string().starts_with("it reads 24 pairs outside the frame"), "{error}");
        // Both systems return d4 at some rank, and P@10 of the two differs in nothing at all.
        let same = corrector.difference(&measure("P@10"), 0, 1).unwrap_err();
        assert_eq!(same, CorrectionError::NoDifference);
    }

    #[test]
    fn equal_probabilities_are_a_uniform_sample() {
        let Labels { judge, human, runs } = labels();
        let of = |query: usize, n: usize| (0.5, (query + n).is_multiple_of(2));
        let sample = drawn(SampleDesign::Pairs, of);
        let some = kept(&human, |query, n| of(query, n).1);
        let uniform = Corrector::new(&judge, &runs, &some, SampledHow::Pairs, THESE).unwrap();
        let from_file = Corrector::new(&judge, &runs, &some, SampledHow::Drawn(&sample), THESE).unwrap();
        let figure = |corrector: &Corrector<'_>| corrector.difference(&measure("DCG@5"), 0, 1).unwrap();
        assert_eq!(figure(&uniform), figure(&from_file));
        // A label of a pair that was not drawn changes no figure, and has a note.
        let more = kept(&human, |query, n| of(query, n).1 || query == 3);
        let picked = Corrector::new(&judge, &runs, &more, SampledHow::Drawn(&sample), THESE).unwrap();
        assert_eq!(figure(&picked), figure(&from_file));
        assert_eq!(picked.notes(), ["5 human labels not used: their pair was not drawn"]);
    }

    #[test]
    fn labels_chosen_by_a_rule_are_no_sample() {
        let Labels { judge, human, runs } = labels();
        let certain = drawn(SampleDesign::Unequal, |_, n| (1.0, n < 3));
        // A tenth was drawn, but the probabilities are a half.
        let other = drawn(SampleDesign::Pairs, |_, n| (0.5, n == 0));
        for sample in [certain, other] {
            let error =
                Corrector::new(&judge, &runs, &human, SampledHow::Drawn(&sample), THESE).err().unwrap();
            assert!(error.to_string().contains("Labels chosen by a rule are no sample"), "{error}");
        }
    }

    #[test]
    fn what_was_drawn_and_not_labelled_widens_the_interval_to_the_worst_case() {
        let Labels { judge, human, runs } = labels();
        let sample = drawn(SampleDesign::Pairs, |query, n| (0.5, (query + n).is_multiple_of(2)));
        let all = kept(&human, |query, n| (query + n).is_multiple_of(2));
        let some = kept(&human, |query, n| (query + n).is_multiple_of(2) && query != 5);
        let figure = |labels: &Qrels| {
            let corrector = Corrector::new(&judge, &runs, labels, SampledHow::Drawn(&sample), THESE).unwrap();
            corrector.figure(&measure("P@5"), 0).unwrap()
        };
        let (whole, part) = (figure(&all), figure(&some));
        assert_eq!((whole.nonresponse, whole.if_alike), (0, None));
        assert!(part.nonresponse > 0 && part.low < whole.low && whole.high < part.high, "{whole:?} {part:?}");
        let alike = part.if_alike.unwrap();
        assert!(part.low < alike.low.unwrap() && alike.high.unwrap() < part.high);
        assert!(part.cautions.iter().any(|caution| caution.contains("drawn and not labelled")));
    }

    /// Respondents are like the others, so what was drawn and not labelled is to the estimate as if it were not drawn.
    #[test]
    fn unlabelled_draws_of_equal_probability_are_counted_once() {
        let Labels { judge, human, runs } = labels();
        let labelled = |query: usize, n: usize| (query + n).is_multiple_of(3);
        let some = kept(&human, labelled);
        let mut refused = some.clone();
        for query in 0..QUERIES {
            (0..10).filter(|n| (query + n) % 3 == 1).for_each(|n| {
                refused.insert(&format!("q{query}"), &format!("d{n}"), -1);
            });
        }
        for name in ["DCG@5", "nDCG@5"] {
            let figure = |labels: &Qrels| {
                let corrector = Corrector::new(&judge, &runs, labels, SampledHow::Pairs, THESE).unwrap();
                corrector.difference(&measure(name), 0, 1).unwrap()
            };
            let (found, part) = (figure(&some), figure(&refused));
            assert!(found.nonresponse == 0 && part.nonresponse > 0, "{name}");
            let alike = part.if_alike.unwrap();
            for (one, other) in [
                (alike.value, found.value),
                (alike.low.unwrap(), found.low),
                (alike.high.unwrap(), found.high),
                (part.human_only.value, found.human_only.value),
            ] {
                assert!((one - other).abs() < 1e-9, "{name}: {found:?} {part:?}");
            }
        }
    }

    #[test]
    fn a_drawn_query_counts_once_what_the_measure_reads_is_labelled() {
        let Labels { judge, human, runs } = labels();
        // Of every third query people labelled what is in the two systems' first three, and no more.
        let top = |query: usize, n: usize| {
            let topic = format!("q{query}");
            let read = runs.iter().flat_map(|run| run.ranking(&topic).unwrap().iter().take(3));
            query.is_multiple_of(3) && read.into_iter().any(|hit| hit.document == format!("d{n}"))
        };
        let some = kept(&human, top);
        let corrector = Corrector::new(&judge, &runs, &some, SampledHow::Queries, THESE).unwrap();
        for name in ["P@3", "RR@3", "DCG@3", "Success@3"] {
            let figure = corrector.figure(&measure(name), 0).unwrap();
            assert_eq!(
                (figure.sampled_queries, figure.nonresponse, figure.design.as_str()),
                (Some(8), 0, "queries")
            );
        }
        // nDCG is divided by what else is in the pool, which is not labelled.
        let error = corrector.figure(&measure("nDCG@3"), 0).unwrap_err();
        assert_eq!(error, CorrectionError::NothingLabelled { what: "queries" });
    }

    #[test]
    fn a_difference_that_few_queries_carry_is_refused() {
        let Labels { judge, human, mut runs } = labels();
        let mut close = runs[0].clone();
        for query in 0..3 {
            let other = runs[1].ranking(&format!("q{query}")).unwrap().clone();
            close.insert(format!("q{query}"), other);
        }
        runs.push(close);
        let half = kept(&human, |query, _| query.is_multiple_of(2));
        let corrector = Corrector::new(&judge, &runs, &half, SampledHow::Queries, THESE);
        let corrector = corrector.unwrap();
        let error = corrector.difference(&measure("nDCG@5"), 0, 2).unwrap_err();
        assert!(matches!(error, CorrectionError::FewQueries { effective } if effective <= 3.0), "{error}");
    }
}
