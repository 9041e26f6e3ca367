//! Fills the holes of existing labels with a judge's labels.

use std::collections::BTreeSet;

use llull_core::{Label, LabelSet, Qrels};
use llull_data::source_name;
use llull_label::{BaseCalibration, Calibration, CalibrationError, GradedTwice, LEAST_OVERLAP, calibrate};
use llull_report::{
    LabelMix, LabelSource, MixCalibration, MixedGrade, ReferenceAgreement, ReportError, reference_agreement,
};
use rustc_hash::FxHashSet;

/// The names of the two sources, which differ. Each is one column of qrels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MixNames {
    /// The existing labels.
    pub base: String,
    /// The judge's.
    pub judge: String,
}

impl MixNames {
    /// Returns two names that differ, each one column of qrels.
    pub fn distinct(base: &str, judge: &str) -> Self {
        let (base, judge) = (source_name(base), source_name(judge));
        Self { base: if base == judge { format!("base:{base}") } else { base }, judge }
    }
}

/// An error of putting a judge's labels on the scale of existing ones.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MixError {
    /// Both have labelled too few pairs.
    #[error(
        "both have labelled {both}, and a common scale takes at least {LEAST_OVERLAP}: have more of them labelled by \
         the judge, too, or say calibrate = \"none\" to mix them as they are"
    )]
    TooFew {
        /// Their number, in words.
        both: String,
    },
    /// The fit failed.
    #[error("{0}; or say calibrate = \"none\" to mix them as they are")]
    Fit(#[from] CalibrationError),
}

/// Existing labels, and a judge's labels for the other pairs, on the scale of the existing ones.
#[derive(Debug, Clone, PartialEq)]
pub struct MixedLabels {
    /// The labels. Without a common scale they are the existing ones only, and the rest is missing.
    pub labels: LabelSet,
    /// The judge's original labels, of every pair that it judged.
    pub judged: LabelSet,
    /// The existing labels.
    pub base: Qrels,
    /// The share of each source, and their common scale; without verdicts yet.
    pub mix: LabelMix,
    /// The reason why the judge's labels are not used, if they are not.
    pub refused: Option<MixError>,
}

impl MixedLabels {
    /// Takes the labels of `base`, and the judge's for all other pairs. `asked` are the pairs that the judge judged,
    /// with its label.
    ///
    /// # Errors
    /// Returns an error if the two use more than 256 different grades ([`reference_agreement`]).
    pub fn new<'a>(
        base: Qrels,
        asked: impl IntoIterator<Item = (&'a str, &'a str, Option<Label>)>,
        names: MixNames,
        calibration: BaseCalibration,
    ) -> Result<Self, ReportError> {
        let asked: Vec<(&str, &str, Option<Label>)> = asked.into_iter().collect();
        let twice: Vec<(&str, GradedTwice)> = (asked.iter())
            .filter_map(|(query, document, label)| {
                let judge = (*label)?.grade;
                let human = base.grade(query, document)?;
                Some((*query, GradedTwice { judge, human, weight: 1.0 }))
            })
            .collect();
        let fitted = fit(&twice, calibration);
        let mut judged = LabelSet::default();
        asked.iter().for_each(|(query, document, label)| judged.record(query, document, *label));
        let agreement = match twice.is_empty() {
            true => None,
            false => Some(reference_agreement(judged.qrels(), &base)?),
        };
        let labels = together(&base, &asked, &fitted);
        let mix = about(&labels, &base, &names, &twice, (&fitted, calibration), agreement);
        Ok(Self { labels, judged, base, mix, refused: fitted.err() })
    }

    /// Returns the source of a pair's label.
    pub fn source(&self, query: &str, document: &str) -> &str {
        if self.base.grade(query, document).is_some() { &self.mix.base } else { &self.mix.judge }
    }
}

/// The fit; `Ok(None)` if none is wanted.
fn fit(twice: &[(&str, GradedTwice)], calibration: BaseCalibration) -> Result<Option<Calibration>, MixError> {
    let BaseCalibration::Fitted(method) = calibration else { return Ok(None) };
    if twice.len() < LEAST_OVERLAP {
        let both = llull_report::text::counted(twice.len(), "pair");
        return Err(MixError::TooFew { both });
    }
    let pairs: Vec<GradedTwice> = twice.iter().map(|(_, pair)| *pair).collect();
    Ok(Some(calibrate(method, &pairs)?))
}

fn together(
    base: &Qrels,
    asked: &[(&str, &str, Option<Label>)],
    fitted: &Result<Option<Calibration>, MixError>,
) -> LabelSet {
    let alone = |query: &str, document: &str, grade| {
        let mean = base.topic(query).and_then(|labels| labels.mean(document));
        Label { mean, ..Label::of_grade(grade) }
    };
    let on_scale = |label: Label| match fitted {
        Err(_) => None,
        Ok(None) => Some(label),
        Ok(Some(fit)) => {
            let grade = |grade| fit.grade(grade).unwrap_or(grade);
            // A map that never falls preserves the order of the range.
            let (low, high) = (grade(label.low), grade(label.high));
            Some(Label { grade: grade(label.grade), low, high, mean: None, ..label })
        }
    };
    let mut labels = LabelSet::default();
    let mut recorded: FxHashSet<(&str, &str)> = FxHashSet::default();
    for (query, document, label) in asked {
        let label = match base.grade(query, document) {
            Some(grade) => Some(alone(query, document, grade)),
            None => label.and_then(on_scale),
        };
        labels.record(query, document, label);
        recorded.insert((query, document));
    }
    for (query, documents) in base.iter() {
        for (document, grade) in
            documents.iter().filter(|(document, _)| !recorded.contains(&(query, *document)))
        {
            labels.record(query, document, Some(alone(query, document, *grade)));
        }
    }
    labels
}

fn about(
    labels: &LabelSet,
    base: &Qrels,
    names: &MixNames,
    twice: &[(&str, GradedTwice)],
    (fitted, calibration): (&Result<Option<Calibration>, MixError>, BaseCalibration),
    agreement: Option<ReferenceAgreement>,
) -> LabelMix {
    let all = labels.labelled();
    let source = |name: &String| LabelSource { name: name.clone(), pairs: 0, share: None, queries: 0 };
    let mut sources = [source(&names.base), source(&names.judge)];
    let (mut queries, mut queries_mixed) = (0, 0);
    for (query, documents) in labels.iter() {
        let mut pairs = [0, 0];
        documents.for_each(|(document, _)| pairs[usize::from(base.grade(query, document).is_none())] += 1);
        for (source, pairs) in sources.iter_mut().zip(pairs) {
            source.pairs += pairs;
            source.queries += usize::from(pairs > 0);
        }
        queries += usize::from(pairs != [0, 0]);
        queries_mixed += usize::from(!pairs.contains(&0));
    }
    for source in &mut sources {
        source.share = (all > 0).then(|| source.pairs as f64 / all as f64);
    }
    let fit = fitted.as_ref().ok().and_then(Option::as_ref);
    let grades = |fit: &Calibration| {
        let grade = fit.grades.iter().map(|grade| MixedGrade {
            judge: grade.judge,
            grade: grade.grade,
            expected: grade.expected,
            pairs: grade.pairs,
        });
        grade.collect()
    };
    LabelMix {
        base: names.base.clone(),
        judge: names.judge.clone(),
        sources: sources.into(),
        queries,
        queries_mixed,
        both: twice.len(),
        calibration: fit.map(|fit| MixCalibration {
            method: calibration.name().to_owned(),
            pairs: twice.len(),
            queries: twice.iter().map(|(query, _)| *query).collect::<BTreeSet<_>>().len(),
            grades: grades(fit),
        }),
        refused: fitted.as_ref().err().map(ToString::to_string),
        agreement,
        same_judges: false,
        alone: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use llull_core::Grade;

    use super::*;

    /// A judge that gives one grade more than people do, of 3 queries with 20 documents; people know all but the last
    /// 5 of each.
    fn lenient(known: usize) -> (Qrels, Vec<(String, String, Option<Label>)>) {
        let (mut base, mut asked) = (Qrels::default(), Vec::new());
        for at in 0..60 {
            let (query, document) = (format!("q{}", at / 20), format!("d{}", at % 20));
            let human = at % 3;
            if at % 20 < known {
                base.insert(&query, &document, human as Grade);
            }
            let grade = human as Grade + 1;
            asked.push((query, document, Some(Label { high: 3, judges: 2, ..Label::of_grade(grade) })));
        }
        (base, asked)
    }

    fn mixed(base: Qrels, asked: &[(String, String, Option<Label>)], by: BaseCalibration) -> MixedLabels {
        let names = MixNames { base: "human".into(), judge: "gpt".into() };
        let asked = asked.iter().map(|(query, document, label)| (query.as_str(), document.as_str(), *label));
        MixedLabels::new(base, asked, names, by).unwrap()
    }

    #[test]
    fn what_was_there_stays_and_the_rest_comes_onto_its_scale() {
        let (base, asked) = lenient(15);
        let found = mixed(base, &asked, BaseCalibration::default());
        assert_eq!((found.labels.asked(), found.labels.labelled()), (60, 60));
        let sources: Vec<_> =
            found.mix.sources.iter().map(|s| (s.name.as_str(), s.pairs, s.share, s.queries)).collect();
        assert_eq!(sources, [("human", 45, Some(0.75), 3), ("gpt", 15, Some(0.25), 3)]);
        assert_eq!((found.mix.queries, found.mix.queries_mixed, found.mix.both), (3, 3, 45));
        assert_eq!((found.source("q0", "d0"), found.source("q0", "d19")), ("human", "gpt"));
        for at in 0..60 {
            let label = found.labels.get(&format!("q{}", at / 20), &format!("d{}", at % 20)).unwrap();
            assert_eq!(label.grade, at % 3, "the judge's grade, one lower");
        }
        let fit = found.mix.calibration.as_ref().unwrap();
        assert_eq!((fit.method.as_str(), fit.pairs, fit.queries), ("kappa", 45, 3));
        // The ends of the judges' range are on the new scale, too.
        let label = found.labels.get("q0", "d15").unwrap();
        assert_eq!((label.grade, label.low, label.high, label.judges), (0, 0, 2, 2));
        assert_eq!(found.mix.agreement.as_ref().unwrap().exact, Some(0.0), "as the judge gave them");
        assert_eq!(found.mix.source_sentences().len(), 2);
    }

    #[test]
    fn without_a_common_scale_nothing_is_mixed() {
        let (base, asked) = lenient(9);
        let found = mixed(base, &asked, BaseCalibration::default());
        assert_eq!(found.refused, Some(MixError::TooFew { both: "27 pairs".into() }));
        assert_eq!((found.labels.asked(), found.labels.labelled()), (60, 27), "the rest is missing");
        assert_eq!(found.judged.labelled(), 60);
        assert!(found.mix.source_sentences()[0].contains("27 pairs"), "{:?}", found.mix.source_sentences());
    }

    #[test]
    fn as_they_are_if_the_user_says_so() {
        let (base, asked) = lenient(0);
        let found = mixed(base, &asked[..20], BaseCalibration::None);
        assert_eq!((found.refused, found.mix.calibration, found.mix.agreement), (None, None, None));
        assert_eq!(found.labels.get("q0", "d2").unwrap().grade, 3);
        assert_eq!(found.mix.queries_mixed, 0);
    }
}
