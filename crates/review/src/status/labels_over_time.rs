//! The first labels of a sample, as a sample of their own.

use llull_core::{DrawnSample, Grade, LabelSet, Qrels, Run, SampleDesign, SamplingUnit};
use llull_metrics::Measure;
use llull_people::human_labels::{
    CorrectionError, CorrectionOptions, Corrector, SampleCorrection, SampledHow,
};
use llull_people::sampling::sheet_order;
use llull_stats::Looks;
use llull_study::people::HumanLabels;
use rustc_hash::{FxHashMap, FxHashSet};

/// The labels of a sample in the order of its sheet, which is random.
///
/// So the first k of n drawn pairs are a sample, too: a pair with probability π is among them with π·k/n, whatever its
/// stratum. Unlabelled pairs are assumed to be like the others.
pub(super) struct LabelsInOrder<'a> {
    judge: &'a LabelSet,
    runs: &'a [Run],
    sample: &'a DrawnSample,
    /// Query, document and label of the labelled pairs.
    order: Vec<(String, String, Grade)>,
    pub(super) confidence: f64,
}

impl<'a> LabelsInOrder<'a> {
    pub(super) fn new(
        judge: &'a LabelSet,
        runs: &'a [Run],
        human_labels: &'a HumanLabels,
        confidence: f64,
    ) -> Self {
        let sample = &human_labels.sample.sample;
        let labelled = |(_, unit): (usize, &SamplingUnit)| {
            let label = human_labels.labels.get(&unit.topic, &unit.document)?;
            Some((unit.topic.clone(), unit.document.clone(), label.grade))
        };
        let order = sheet_order(sample).into_iter().filter_map(labelled).collect();
        Self { judge, runs, sample, order, confidence }
    }

    /// The number of drawn pairs.
    pub(super) fn planned(&self) -> usize {
        self.sample.units.iter().filter(|unit| unit.drawn == Some(true)).count()
    }

    /// The number of labelled pairs.
    pub(super) fn labelled(&self) -> usize {
        self.order.len()
    }

    pub(super) fn corrector<'b>(
        &'b self,
        sample: &'b DrawnSample,
        human: &'b Qrels,
        looks: Looks,
    ) -> Result<Corrector<'b>, CorrectionError> {
        let options =
            CorrectionOptions { confidence: self.confidence, looks, ..CorrectionOptions::default() };
        let how = SampledHow::Drawn(sample);
        Corrector::new(self.judge.qrels(), self.runs, human, how, options)
    }

    /// Corrects a figure, or the difference from a baseline, by the first labels.
    ///
    /// # Errors
    /// Returns an error if they are too few for a figure.
    pub(super) fn correction(
        &self,
        labels: usize,
        measure: &Measure,
        systems: (&Run, Option<&Run>),
        looks: Looks,
    ) -> Result<SampleCorrection, CorrectionError> {
        let (sample, human) = self.first(labels);
        self.corrector(&sample, &human, looks)?.correction(measure, systems)
    }

    /// The first labels, and the sample that they are. If whole queries were drawn, it has the completely labelled
    /// ones.
    fn first(&self, labels: usize) -> (DrawnSample, Qrels) {
        let first = self.order.get(..labels.min(self.order.len())).unwrap_or_default();
        let mut human = Qrels::default();
        for (query, document, grade) in first {
            human.insert(query, document, *grade);
        }
        let of_queries = self.sample.design == Some(SampleDesign::Queries);
        let (whole, drawn) = self.queries(&human);
        let share = match of_queries {
            true => whole.len() as f64 / drawn.max(1) as f64,
            false => first.len() as f64 / self.planned().max(1) as f64,
        };
        let mut sample = self.sample.clone();
        for unit in &mut sample.units {
            let is_first = match of_queries {
                true => whole.contains(unit.topic.as_str()),
                false => human.grade(&unit.topic, &unit.document).is_some(),
            };
            unit.drawn = Some(unit.drawn == Some(true) && is_first);
            unit.probability *= share;
        }
        (sample, human)
    }

    /// The drawn queries whose pairs all have one of these labels, and the number of all drawn queries.
    fn queries(&self, human: &Qrels) -> (FxHashSet<&'a str>, usize) {
        let mut whole: FxHashMap<&str, bool> = FxHashMap::default();
        for unit in self.sample.units.iter().filter(|unit| unit.drawn == Some(true)) {
            let is_labelled = human.grade(&unit.topic, &unit.document).is_some();
            *whole.entry(&unit.topic).or_insert(true) &= is_labelled;
        }
        let drawn = whole.len();
        (whole.into_iter().filter(|(_, whole)| *whole).map(|(query, _)| query).collect(), drawn)
    }
}

#[cfg(test)]
mod tests {
    use llull_core::{Label, LabelSet, Ranking, Seed};

    use super::*;
    use llull_people::sampling::{SampleRequest, SamplingFrame};
    use llull_study::people::{AnnotatorGrade, SampledPair, StudySample};

    /// A judge of 20 queries of 12 documents, and two runs of ten of them.
    fn collection() -> (LabelSet, Vec<Run>) {
        let mut labels = LabelSet::default();
        let (mut a, mut b) = (Run::new("a"), Run::new("b"));
        for query in 0..20 {
            let topic = format!("q{query}");
            let documents: Vec<String> = (0..12).map(|at| format!("d{at}")).collect();
            for (at, document) in documents.iter().enumerate() {
                let grade = ((query * 5 + at * 7) % 4) as Grade;
                labels.record(&topic, document, Some(Label::of_grade(grade)));
            }
            let ranked = |from: usize| {
                let list = (0..10).map(move |at| (from + at) % 12);
                Ranking::from_ordered(list.map(|at| (documents[at].as_str(), 0.0)).collect::<Vec<_>>())
            };
            a.insert(topic.clone(), ranked(0));
            b.insert(topic, ranked(2));
        }
        (labels, vec![a, b])
    }

    /// People agree with the judge, but for every third document, where they are generous.
    fn of_people(judged: Grade, document: &str) -> Grade {
        let at: Grade = document.trim_start_matches('d').parse().unwrap();
        if at % 3 == 1 { 3 } else { judged }
    }

    fn labelled(sample: DrawnSample, judge: &LabelSet) -> HumanLabels {
        let drawn = sample.units.iter().enumerate().filter(|(_, unit)| unit.drawn == Some(true));
        let pairs = drawn.map(|(at, unit)| {
            let judged = judge.get(&unit.topic, &unit.document).unwrap().grade;
            let grade = of_people(judged, &unit.document);
            SampledPair {
                number: at + 1,
                query: unit.topic.clone(),
                document: unit.document.clone(),
                answers: vec![AnnotatorGrade { annotator: "anna".into(), grade }],
                settled: None,
            }
        });
        HumanLabels::new(&StudySample { id: "s".into(), sample: sample.clone() }, pairs.collect())
    }

    /// The mean of estimates by the first 24 of 48 labels, over draws, equals the figure by all labels: strata without
    /// a label among the first cause no bias.
    #[test]
    fn the_first_labels_are_a_sample_without_bias() {
        let (judge, runs) = collection();
        let qrels = judge.qrels();
        let measure: Measure = "P(rel=2)@10".parse().unwrap();
        let mut truth = Qrels::default();
        for (query, documents) in qrels.iter() {
            for (document, grade) in documents {
                truth.insert(query, document, of_people(*grade, document));
            }
        }
        let mean = |run: &Run| llull_metrics::evaluate(&[measure], &truth, run).mean(0).unwrap();
        let truth = mean(&runs[1]) - mean(&runs[0]);
        let mut found = Vec::new();
        let mut without_a_stratum = 0;
        for seed in 0..400 {
            let request = SampleRequest {
                measure,
                design: Some(SampleDesign::Stratified),
                compare: None,
                baseline: "a".into(),
                by: Vec::new(),
                scale: (0, 3),
                confidence: 0.95,
                seed: Seed(seed),
            };
            let sample = SamplingFrame::new(&judge, &runs, request).unwrap().draw(48).unwrap();
            let human_labels = labelled(sample, &judge);
            let study = LabelsInOrder::new(&judge, &runs, &human_labels, 0.95);
            let (first, _) = study.first(24);
            let strata = |of: &DrawnSample| {
                let drawn = of.units.iter().filter(|unit| unit.drawn == Some(true));
                drawn.map(|unit| unit.stratum.clone()).collect::<std::collections::BTreeSet<_>>().len()
            };
            without_a_stratum += usize::from(strata(&first) < strata(&human_labels.sample.sample));
            let one = study.correction(24, &measure, (&runs[1], Some(&runs[0])), Looks::Once).unwrap();
            found.push(one.corrected.value);
        }
        let n = found.len() as f64;
        let mean = found.iter().sum::<f64>() / n;
        let deviation = (found.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
        assert!(without_a_stratum > 0, "some strata are empty in some prefixes");
        assert!((mean - truth).abs() < 4.0 * deviation / n.sqrt(), "{mean} {truth} {deviation}");
    }
}
