//! Labels of two sources: numbers, scale, and the verdict by each alone.

use std::fmt;

use llull_metrics::Scores;
use llull_stats::BootstrapOptions;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::comparable::is_comparable;
use crate::comparison::{BaselineComparison, compare};
use crate::error::ReportError;
use crate::reference::ReferenceAgreement;
use crate::study_verdict::BaseAlone;
use crate::systems::{MeasuredSystem, figures};
use crate::text::{count, counted, figure, percent};

/// Earlier labels, completed by a judge's: the numbers of each, and their common scale.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LabelMix {
    /// The name of the earlier labels, here and in the second column of qrels.
    pub base: String,
    /// The name of the judge's labels.
    pub judge: String,
    /// The numbers of each source: first the earlier labels.
    pub sources: Vec<LabelSource>,
    /// Queries with labels.
    pub queries: usize,
    /// How many of them have labels of both sources.
    pub queries_mixed: usize,
    /// Pairs with a label of the judge and an earlier one: the map between scales is fitted to them.
    pub both: usize,
    /// The map from the judge's grades to the scale of the earlier labels; null if the grades stay as they are, or are
    /// not mixed in.
    pub calibration: Option<MixCalibration>,
    /// Why the judge's labels are not mixed in; null if they are.
    pub refused: Option<String>,
    /// The agreement of the judge's own grades with the earlier labels; null if no pair has both.
    pub agreement: Option<ReferenceAgreement>,
    /// Whether the earlier labels are those of an earlier report, by the same judges.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub same_judges: bool,
    /// The verdict by the labels of one source alone, where it is known.
    #[serde(default)]
    pub alone: Vec<SingleSourceDecision>,
}

/// The labels of one source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LabelSource {
    /// The source.
    pub name: String,
    /// Pairs whose label is its own.
    pub pairs: usize,
    /// Its share of all labels, from 0 to 1; null if there are none.
    pub share: Option<f64>,
    /// Queries with labels of its own.
    pub queries: usize,
}

/// How a judge's grades came to the scale of the labels that were there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MixCalibration {
    /// The method: `kappa`, `isotonic`, `ordinal`, `severity`, `beta`.
    pub method: String,
    /// Pairs that it was fitted to.
    pub pairs: usize,
    /// Their queries.
    pub queries: usize,
    /// The new grade for each of the judge's grades.
    pub grades: Vec<MixedGrade>,
}

/// The new grade for one of a judge's grades.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MixedGrade {
    /// The judge's grade.
    pub judge: i32,
    /// The label.
    pub grade: i32,
    /// The mean grade that was expected there.
    pub expected: f64,
    /// Pairs with this grade of the judge among those that it was fitted to.
    pub pairs: usize,
}

/// The verdict by the labels of one source alone, as it gave them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SingleSourceDecision {
    /// The source.
    pub source: String,
    /// Its labels.
    pub labels: usize,
    /// The share of the documents that the measure looked at, over all systems, which it has not labelled; they count
    /// as not relevant. Null if the measure looked at none.
    pub unjudged_share: Option<f64>,
    /// The systems' figures by the measure that decides.
    pub systems: Vec<MeasuredSystem>,
    /// The systems against the baseline.
    pub comparisons: Vec<BaselineComparison>,
}

impl SingleSourceDecision {
    /// The verdict by these scores, of which the first measure decides.
    ///
    /// # Errors
    /// As [`figures`] and [`compare`].
    pub fn new(
        source: impl Into<String>,
        labels: usize,
        scores: &[Scores],
        baseline: &str,
        options: &BootstrapOptions,
    ) -> Result<Self, ReportError> {
        let comparable = scores.first().and_then(|scores| scores.measures.first()).is_some_and(is_comparable);
        let comparisons = match comparable && scores.len() > 1 {
            true => compare(scores, 0, baseline, options)?,
            false => Vec::new(),
        };
        let looked = scores.iter().map(|scores| scores.unjudged(0));
        let (seen, unjudged) = looked.fold((0, 0), |(seen, unjudged), one| (seen + one.0, unjudged + one.1));
        Ok(Self {
            source: source.into(),
            labels,
            unjudged_share: (seen > 0).then(|| unjudged as f64 / seen as f64),
            systems: figures(scores, options)?,
            comparisons,
        })
    }
}

impl LabelMix {
    /// The sentences for a decision by these labels: each source's number of labels, and its scale.
    pub fn source_sentences(&self) -> Vec<String> {
        let (base, judge) = (&self.base, &self.judge);
        if let Some(reason) = &self.refused {
            return vec![format!("{judge}'s labels are not mixed with those of {base}: {reason}.")];
        }
        let all: usize = self.sources.iter().map(|source| source.pairs).sum();
        let parts: Vec<String> = (self.sources.iter())
            .map(|source| format!("{} ({}) by {}", count(source.pairs), percent(source.share), source.name))
            .collect();
        let mixed = match self.queries_mixed {
            0 => "no query mixes them".to_owned(),
            mixed => format!("{} of {} mix them", count(mixed), counted(self.queries, "query")),
        };
        let mut sentences = vec![format!("Of {}, {}; {mixed}.", counted(all, "label"), parts.join(" and "))];
        sentences.push(match &self.calibration {
            Some(fitted) => format!("{judge}'s grades are put on the scale of {base} {fitted}."),
            None if self.same_judges => format!(
                "The labels of {base} are those of an earlier report, by the same judges; judge checks are of the new \
                 answers alone."
            ),
            None => format!(
                "{judge}'s grades stand as they are (calibrate = \"none\"): if its scale is not that of {base}, \
                 mixing them changes which system is better."
            ),
        });
        sentences
    }

    /// All sentences for a decision on these comparisons.
    pub fn beside(&self, mixed: &[BaselineComparison]) -> Vec<String> {
        let mut sentences = self.source_sentences();
        sentences.extend(self.single_source_sentences(mixed));
        sentences.extend(self.agreement_sentence());
        sentences
    }

    /// The existing labels that decide alone; `None` if the judge's are mixed in.
    pub fn base_alone(&self) -> Option<BaseAlone> {
        self.refused.as_ref()?;
        Some(BaseAlone { base: self.base.clone(), judge: self.judge.clone() })
    }

    /// The decision by one source alone, a sentence a comparison.
    pub fn single_source_sentences(&self, mixed: &[BaselineComparison]) -> Vec<String> {
        self.alone.iter().flat_map(|alone| alone.sentences(mixed)).collect()
    }

    /// How far the judge, as it answered, agrees with the labels that were there.
    pub fn agreement_sentence(&self) -> Option<String> {
        let found = self.agreement.as_ref()?;
        Some(format!(
            "On {} that both labelled, {}, as it answered, agrees exactly with {} on {} (Cohen's kappa {}, quadratic \
             {}).",
            counted(found.both, "pair"),
            self.judge,
            self.base,
            percent(found.exact),
            figure(found.kappa),
            figure(found.kappa_quadratic),
        ))
    }
}

/// `by kappa, fitted to 100 pairs of 43 queries that both labelled: 0 becomes 0, 1 becomes 0`
impl fmt::Display for MixCalibration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grades: Vec<String> =
            self.grades.iter().map(|grade| format!("{} becomes {}", grade.judge, grade.grade)).collect();
        write!(
            f,
            "by {}, fitted to {} of {} that both labelled: {}",
            self.method,
            counted(self.pairs, "pair"),
            counted(self.queries, "query"),
            grades.join(", ")
        )
    }
}

impl SingleSourceDecision {
    fn sentences<'a>(&'a self, mixed: &'a [BaselineComparison]) -> impl Iterator<Item = String> + 'a {
        let unjudged = match self.unjudged_share {
            Some(share) if share > 0.0 => format!(
                ", which leaves {} of what is looked at unlabelled and not relevant",
                percent(Some(share))
            ),
            _ => String::new(),
        };
        self.comparisons.iter().map(move |alone| {
            let same =
                mixed.iter().find(|mixed| (&mixed.system, &mixed.measure) == (&alone.system, &alone.measure));
            let differs = same.is_some_and(|mixed| mixed.decision != alone.decision);
            format!(
                "By {} alone ({}{unjudged}){} {}",
                self.source,
                counted(self.labels, "label"),
                if differs { ", which is another verdict:" } else { ":" },
                alone.sentence
            )
        })
    }
}
