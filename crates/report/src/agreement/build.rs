//! Builds the report on agreement from labels and runs.

use llull_core::{Qrels, Run};
use llull_metrics::{Measure, Scores, evaluate_all};
use llull_stats::{
    Agreement, AgreementError, AgreementOptions, BootstrapOptions, Clamp, Correction, PairTest,
    SystemOptions, label_agreement, order_agreement,
};

use super::named_labels::{NamedLabels, clamped, scale_note};
use super::panels::panels;
use super::relevance_cuts::BinaryCuts;
use super::report::{AgreementReport, AgreementReportError, ComparedLabels, OtherLabels};
use super::strays::StrayLabels;
use super::system_tables;
use super::systems::{SystemsOptions, SystemsUnderBoth, UnderBoth, systems_under};
use crate::differing::{DifferingPairs, TruthAndOther, differing_pairs};
use crate::significance::SignificanceOptions;
use crate::systems::without_interval;
use crate::text::counted;

/// The label sets, systems and measures of a report on agreement.
#[derive(Debug, Clone)]
pub struct AgreementInputs {
    /// The labels that are held to be true.
    pub truth: NamedLabels,
    /// The labels that are compared with them.
    pub others: Vec<NamedLabels>,
    /// How many of the others, from the first on, belong to a panel. A panel's median does not.
    pub raters: usize,
    /// The systems to measure under both; may be empty.
    pub runs: Vec<Run>,
    /// The measures of the systems under the truth, and at the same place those under the others. As many on both
    /// sides.
    pub measures: UnderBoth<Vec<Measure>>,
}

/// How labels, and systems under them, are compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AgreementReportOptions {
    /// How intervals are made, and the seed of everything that is drawn.
    pub bootstrap: BootstrapOptions,
    /// Moves grades beyond these ends to the ends.
    pub clamp: Option<Clamp>,
    /// The test of pairs of systems.
    pub test: PairTest,
    /// The correction for many pairs. Tukey's test takes none.
    pub correction: Correction,
    /// How often the tests that draw do so; `None` for as often as so many pairs need.
    pub draws: Option<usize>,
    /// Whether to report how well each label set separates the systems.
    pub power: bool,
    /// How many pairs of query and document are listed on which the labels differ; 0 for no list.
    pub disagreements: usize,
}

/// The number of disagreements in the list, by default.
const DISAGREEMENTS: usize = 5;

impl AgreementReportOptions {
    /// No clamp, and pairs of systems by the randomised Tukey test, whose p hold for all systems together.
    pub fn new(bootstrap: BootstrapOptions) -> Self {
        Self {
            bootstrap,
            clamp: None,
            test: PairTest::Tukey,
            correction: Correction::default(),
            draws: None,
            power: false,
            disagreements: DISAGREEMENTS,
        }
    }

    fn labels(&self) -> AgreementOptions {
        AgreementOptions { clamp: self.clamp, bootstrap: Some(self.bootstrap) }
    }

    fn systems(&self, systems: usize) -> SystemsOptions {
        let pairs = SignificanceOptions {
            test: self.test,
            correction: self.correction,
            draws: self.draws,
            ..SignificanceOptions::new(self.bootstrap)
        };
        SystemsOptions {
            rankings: SystemOptions { bootstrap: Some(self.bootstrap), ..SystemOptions::default() },
            pairs: pairs.pair_options(systems * systems.saturating_sub(1) / 2),
            power: self.power,
        }
    }
}

impl AgreementReport {
    /// Compares every other label set with the truth.
    ///
    /// # Errors
    /// Returns an error if none of the others has a pair in common with the truth, labels hold more than 256 different
    /// grades, or the systems cannot be compared ([`systems_under`]).
    pub fn new(
        inputs: AgreementInputs,
        options: &AgreementReportOptions,
    ) -> Result<Self, AgreementReportError> {
        let comparing = Comparing {
            options: options.labels(),
            disagreements: options.disagreements,
            systems: options.systems(inputs.runs.len()),
            inputs: &inputs,
        };
        comparing.something_in_common()?;
        let under_truth = comparing.measured(&inputs.truth, &inputs.measures.truth);
        let mut notes = Vec::new();
        let mut others = Vec::with_capacity(inputs.others.len());
        for labels in &inputs.others {
            others.push(comparing.compare(labels, &under_truth, &mut notes)?);
        }
        let compared = match others.pop() {
            Some(only) if others.is_empty() => ComparedLabels::One(Box::new(only)),
            last => {
                others.extend(last);
                let raters: Vec<&Qrels> =
                    inputs.others.iter().take(inputs.raters).map(|labels| &labels.qrels).collect();
                let panel = match panels(&inputs.truth.qrels, &raters, &comparing.options) {
                    Err(AgreementReportError::Labels(error @ AgreementError::TooManyGrades { .. })) => {
                        add_new(&mut notes, [format!("no figures of the panel: {error}")]);
                        None
                    }
                    found => Some(Box::new(found?)),
                };
                ComparedLabels::Several { others, panel }
            }
        };
        Ok(Self {
            truth: inputs.truth.source,
            truth_name: inputs.truth.name,
            bootstrap: options.bootstrap,
            clamp: options.clamp.map(|clamp| clamp.to_string()),
            compared,
            notes,
        })
    }
}

/// Why there is no kappa: chance alone would agree completely.
fn kappa_undefined(agreement: &Agreement) -> Option<String> {
    let ([grade], None, None) =
        (agreement.grades.as_slice(), &agreement.order, agreement.figures.kappa.plain)
    else {
        return None;
    };
    Some(format!(
        "all {} have grade {grade} on both sides, so chance alone would agree completely",
        counted(agreement.n, "common pair")
    ))
}

/// Compares label sets with the truth, one at a time.
struct Comparing<'a> {
    inputs: &'a AgreementInputs,
    options: AgreementOptions,
    disagreements: usize,
    systems: SystemsOptions,
}

impl Comparing<'_> {
    fn something_in_common(&self) -> Result<(), AgreementReportError> {
        let (truth, others) = (&self.inputs.truth, &self.inputs.others);
        match others.first() {
            Some(first) if !others.iter().any(|labels| truth.has_pairs_of(labels)) => {
                Err(AgreementReportError::NothingInCommon(truth.nothing_in_common(first)))
            }
            _ => Ok(()),
        }
    }

    /// The runs under these labels; nothing without runs.
    fn measured(&self, labels: &NamedLabels, measures: &[Measure]) -> Vec<Scores> {
        match self.options.clamp {
            _ if self.inputs.runs.is_empty() => Vec::new(),
            Some(clamp) => evaluate_all(measures, &clamped(&labels.qrels, clamp), &self.inputs.runs),
            None => evaluate_all(measures, &labels.qrels, &self.inputs.runs),
        }
    }

    /// Compares one label set with the truth. The same remark is added once only: measures share queries and systems,
    /// and label sets share the truth.
    fn compare(
        &self,
        labels: &NamedLabels,
        under_truth: &[Scores],
        notes: &mut Vec<String>,
    ) -> Result<OtherLabels, AgreementReportError> {
        let truth = &self.inputs.truth;
        let named = |agreement| OtherLabels {
            other: labels.source.clone(),
            name: labels.name.clone(),
            agreement,
            ..OtherLabels::default()
        };
        let agreement = self.agreement(labels, notes)?;
        if agreement.n == 0 {
            // A rater of a panel may have graded other pairs than the truth has.
            add_new(notes, [truth.nothing_in_common(labels)]);
            return Ok(named(agreement));
        }
        add_new(notes, truth.check_overlap(labels).ok().flatten().map(|few| few.to_string()));
        let (mut strays, mut binary) = (None, None);
        if agreement.order.is_none() {
            strays = StrayLabels::find(truth, labels, &agreement, &self.options)?;
            binary = BinaryCuts::of(truth, labels, &agreement, &self.options)?;
            add_new(notes, scale_note(truth, labels, &agreement, strays.as_ref(), binary.as_ref()));
        }
        let confidence = self.options.bootstrap.map(|bootstrap| bootstrap.confidence);
        add_new(notes, confidence.and_then(|share| without_interval(agreement.queries, share)));
        let by_measure = self.systems_under(labels, under_truth)?;
        add_new(
            notes,
            by_measure.iter().flat_map(|systems| system_tables::system_notes(&labels.name, systems)),
        );
        let names = system_tables::TestedNames {
            truth: &truth.name,
            other: &labels.name,
            several: self.inputs.others.len() > 1,
        };
        add_new(notes, system_tables::test_notes(&names, &by_measure));
        let agreement = match by_measure.first() {
            Some(first) => agreement.with_systems(&first.agreement),
            None => agreement,
        };
        let disagreements = self.disagreements(labels).filter(|_| agreement.order.is_none());
        let kappa_undefined = kappa_undefined(&agreement);
        Ok(OtherLabels { kappa_undefined, strays, binary, disagreements, by_measure, ..named(agreement) })
    }

    /// The pairs on which these labels and the truth differ, after the clamp.
    fn disagreements(&self, labels: &NamedLabels) -> Option<DifferingPairs<TruthAndOther>> {
        let (truth, other) = (&self.inputs.truth.qrels, &labels.qrels);
        let (most, runs) = (self.disagreements, self.inputs.runs.as_slice());
        (most > 0).then(|| match self.options.clamp {
            Some(clamp) => differing_pairs(&clamped(truth, clamp), &clamped(other, clamp), runs, most),
            None => differing_pairs(truth, other, runs, most),
        })
    }

    /// The figures of one label set against the truth: those of the order alone if there are too many grades for
    /// others, or if only their order means something.
    fn agreement(
        &self,
        labels: &NamedLabels,
        notes: &mut Vec<String>,
    ) -> Result<Agreement, AgreementReportError> {
        let truth = &self.inputs.truth;
        let in_order = || order_agreement(&truth.qrels, &labels.qrels, &self.options);
        if truth.order_only || labels.order_only {
            return Ok(in_order()?);
        }
        match label_agreement(&truth.qrels, &labels.qrels, &self.options) {
            Err(AgreementError::TooManyGrades { found, .. }) => {
                add_new(
                    notes,
                    [format!(
                        "{} and {} hold {found} different grades: figures are those of their order, as kappa and the \
                         like need a few grades",
                        truth.name, labels.name
                    )],
                );
                Ok(in_order()?)
            }
            found => Ok(found?),
        }
    }

    /// The systems under the truth and under these labels, measure by measure; nothing without runs.
    fn systems_under(
        &self,
        labels: &NamedLabels,
        under_truth: &[Scores],
    ) -> Result<Vec<SystemsUnderBoth>, AgreementReportError> {
        if self.inputs.runs.is_empty() {
            return Ok(Vec::new());
        }
        let under_other = self.measured(labels, &self.inputs.measures.other);
        let measures = 0..self.inputs.measures.truth.len();
        measures.map(|measure| systems_under(under_truth, &under_other, measure, &self.systems)).collect()
    }
}

/// Adds the remarks that are not there yet.
fn add_new(notes: &mut Vec<String>, more: impl IntoIterator<Item = String>) {
    for note in more {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
}
