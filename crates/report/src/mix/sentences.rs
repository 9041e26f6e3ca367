//! Describes labels of two sources in sentences.

use std::fmt;

use super::section::{LabelMix, MixCalibration, SingleSourceDecision};
use crate::comparison::BaselineComparison;
use crate::study_verdict::BaseAlone;
use crate::text::{count, counted, figure, percent};

impl LabelMix {
    /// The sentences for a decision by these labels: each source's number of labels, and its scale.
    pub fn in_words(&self) -> Vec<String> {
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
            None => format!(
                "{judge}'s grades stand as they are (calibrate = \"none\"): if its scale is not that of {base}, \
                 mixing them changes which system is better."
            ),
        });
        sentences
    }

    /// All sentences for a decision on these comparisons.
    pub fn beside(&self, mixed: &[BaselineComparison]) -> Vec<String> {
        let mut sentences = self.in_words();
        sentences.extend(self.alone_in_words(mixed));
        sentences.extend(self.agreement_in_words());
        sentences
    }

    /// The existing labels that decide alone; `None` if the judge's are mixed in.
    pub fn base_alone(&self) -> Option<BaseAlone> {
        self.refused.as_ref()?;
        Some(BaseAlone { base: self.base.clone(), judge: self.judge.clone() })
    }

    /// The decision by one source alone, a sentence a comparison.
    pub fn alone_in_words(&self, mixed: &[BaselineComparison]) -> Vec<String> {
        self.alone.iter().flat_map(|alone| alone.in_words(mixed)).collect()
    }

    /// How far the judge, as it answered, agrees with the labels that were there.
    pub fn agreement_in_words(&self) -> Option<String> {
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
    fn in_words<'a>(&'a self, mixed: &'a [BaselineComparison]) -> impl Iterator<Item = String> + 'a {
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
