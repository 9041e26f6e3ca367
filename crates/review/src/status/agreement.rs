//! The agreement of annotators with each other, and with judges.

use llull_config::Settings;
use llull_core::{LabelSet, Qrels};
use llull_report::{PanelAlpha, ReportError};
use llull_runner::Evidence;
use llull_stats::{
    AgreementError, AgreementOptions, BootstrapOptions, Ends, PanelRatings, panel_agreement,
    weighted_label_agreement,
};
use llull_study::people::HumanLabels;
use llull_study::{Inputs, StudyEvidence, bootstrap, graded_labels};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::error::ReviewError;

/// The agreement of annotators with each other on the sample, and of each judge with them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnnotatorAgreement {
    /// The number of pairs that two or more annotators labelled.
    pub pairs: usize,
    /// Krippendorff's alpha of all annotators, ordinal; null if it is not defined.
    pub alpha: Option<PanelAlpha>,
    /// Every two annotators with a common pair. Pairs have equal weights.
    pub people: Vec<PairAgreement>,
    /// Each judge, then the study's labels, compared with the human labels. A pair is weighted by one over its
    /// probability in the draw, so the figures are those of the whole frame.
    pub judges: Vec<PairAgreement>,
}

/// The agreement of two sources on the pairs that both labelled.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairAgreement {
    /// One source: an annotator, a judge, or the study's labels.
    pub one: String,
    /// The other: an annotator, or all annotators.
    pub other: String,
    /// The number of pairs that both labelled.
    pub pairs: usize,
    /// The share of equal grades, from 0 to 1.
    pub exact: Option<f64>,
    /// Cohen's kappa.
    pub kappa: Option<f64>,
    /// The ends of its interval over queries; null with fewer than six queries.
    pub kappa_interval: Option<Ends>,
    /// Cohen's kappa with squared distances.
    pub quadratic: Option<f64>,
    /// The ends of its interval.
    pub quadratic_interval: Option<Ends>,
    /// The average difference of the grades: `one` minus `other`.
    pub bias: Option<f64>,
}

/// The name of all human labels, compared with a judge.
const HUMAN_LABELS: &str = "human labels";

/// The name of the study's labels.
const LABELS: &str = "the study's labels";

/// Computes the agreement of annotators with each other and with judges.
///
/// # Errors
/// Returns an error if there are too many grades, or intervals cannot be computed.
pub(super) fn agreement(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    human_labels: &HumanLabels,
) -> Result<AnnotatorAgreement, ReviewError> {
    let options = bootstrap(settings);
    let names = human_labels.annotators.iter().map(|(name, _)| name.as_str());
    let by_annotator: Vec<(&str, Qrels)> =
        names.filter_map(|name| Some((name, human_labels.labels_of(name)?))).collect();
    let two = Two { weight: &|_, _| 1.0, options: &options };
    let mut together = Vec::new();
    for (at, (one, labels)) in by_annotator.iter().enumerate() {
        for (other, others) in by_annotator.iter().skip(at + 1) {
            together.extend(two.together((one, labels), (other, others))?);
        }
    }
    let all: Vec<&Qrels> = by_annotator.iter().map(|(_, labels)| labels).collect();
    let ratings = PanelRatings::of_qrels(&all, None).map_err(ReportError::from)?;
    Ok(AnnotatorAgreement {
        pairs: ratings.paired(),
        alpha: alpha(&ratings, &options)?,
        people: together,
        judges: judges(inputs, evidence, human_labels, &options)?,
    })
}

fn alpha(ratings: &PanelRatings, options: &BootstrapOptions) -> Result<Option<PanelAlpha>, ReviewError> {
    if ratings.paired() == 0 {
        return Ok(None);
    }
    let found = panel_agreement(ratings, Some(options)).map_err(ReportError::from)?;
    let ends = finite(found.ci.and_then(|ci| ci.alpha.ordinal));
    let with_interval = |value| PanelAlpha {
        value,
        low: ends.map(|[low, _]| low),
        high: ends.map(|[_, high]| high),
        confidence: options.confidence,
    };
    Ok(found.figures.alpha.ordinal.map(with_interval))
}

/// Each grading judge, and the study's labels unless they are those of one judge.
fn judges(
    inputs: &Inputs,
    evidence: &StudyEvidence,
    human_labels: &HumanLabels,
    options: &BootstrapOptions,
) -> Result<Vec<PairAgreement>, ReviewError> {
    let units = &human_labels.sample.sample.units;
    let chances: FxHashMap<(&str, &str), f64> =
        units.iter().map(|unit| ((unit.topic.as_str(), unit.document.as_str()), unit.probability)).collect();
    let weight =
        |query: &str, document: &str| chances.get(&(query, document)).map_or(0.0, |chance| 1.0 / chance);
    let two = Two { weight: &weight, options };
    let human = human_labels.labels.qrels();
    let mut found = Vec::new();
    let graders = if evidence.compared().is_none() { evidence.judges.judges() } else { &[] };
    for judge in graders {
        let labels = of_sample(&graded_labels(&evidence.pooled, &[judge]), human_labels);
        found.extend(two.together((judge.name(), &labels), (HUMAN_LABELS, human))?);
    }
    // A single judge's grades on its own scale are the study's labels.
    if graders.len() != 1 || inputs.base.is_some() || evidence.graders.as_ref().is_some_and(has_judge) {
        let labels = of_sample(&evidence.labels, human_labels);
        found.extend(two.together((LABELS, &labels), (HUMAN_LABELS, human))?);
    }
    Ok(found)
}

fn has_judge(graders: &Evidence) -> bool {
    !graders.judges().is_empty()
}

/// The labels of the pairs with human labels.
fn of_sample(labels: &LabelSet, human_labels: &HumanLabels) -> Qrels {
    let mut found = Qrels::default();
    for pair in &human_labels.pairs {
        if human_labels.labels.get(&pair.query, &pair.document).is_some()
            && let Some(label) = labels.get(&pair.query, &pair.document)
        {
            found.insert(&pair.query, &pair.document, label.grade);
        }
    }
    found
}

/// The options of comparing two sources.
struct Two<'a> {
    weight: &'a dyn Fn(&str, &str) -> f64,
    options: &'a BootstrapOptions,
}

impl Two<'_> {
    /// `None` if there is no pair that both labelled.
    fn together(
        &self,
        (one, labels): (&str, &Qrels),
        (other, truth): (&str, &Qrels),
    ) -> Result<Option<PairAgreement>, ReviewError> {
        let options = AgreementOptions { clamp: None, bootstrap: Some(*self.options) };
        let found = weighted_label_agreement(truth, labels, self.weight, &options)
            .map_err(|error: AgreementError| ReportError::from(error))?;
        if found.n == 0 {
            return Ok(None);
        }
        let ends = found.ci.map(|ci| ci.labels.kappa);
        Ok(Some(PairAgreement {
            one: one.to_owned(),
            other: other.to_owned(),
            pairs: found.n,
            exact: found.figures.exact,
            kappa: found.figures.kappa.plain,
            kappa_interval: finite(ends.and_then(|ends| ends.plain)),
            quadratic: found.figures.kappa.quadratic,
            quadratic_interval: finite(ends.and_then(|ends| ends.quadratic)),
            bias: found.figures.bias,
        }))
    }
}

fn finite(ends: Option<Ends>) -> Option<Ends> {
    ends.filter(|ends| ends.iter().all(|end| end.is_finite()))
}
