//! Combines a panel's labels by the method of a study.

use llull_config::PanelRule;
use llull_core::{Grade, LabelSet, Scale, Seed};
use llull_label::label_among;
use llull_label::panel::{
    CombineError, Combined, DAWID_SKENE_WARNING, PanelChoice, PanelGrades, PanelMethod, choose_method,
    combine, combine_across_queries,
};
use llull_report::text::{count, counted, figure};
use llull_runner::{JudgeEvidence, Workload};
use llull_stats::BootstrapOptions;

use super::votes::{graded_labels, graded_votes};
use crate::people::HumanLabels;

/// The method that combines the grades of a study's panel.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedPanel {
    /// The method in the configuration.
    pub rule: PanelRule,
    /// The method of the labels.
    pub method: PanelMethod,
    /// The trial of methods on human labels, if they chose one.
    pub choice: Option<PanelChoice>,
    /// The reason why the labels are fractional instead: human labels, which the method needs, are missing.
    pub waits: Option<String>,
    /// The number of the pool's pairs with human labels, if the method learns from them.
    pub human_labels: usize,
    /// The human label of each pair of the pool.
    truth: Vec<Option<Grade>>,
    seed: Seed,
}

impl FittedPanel {
    /// Chooses the method of these judges' labels. Without the human labels that the rule needs, they are fractional,
    /// with the reason.
    pub(crate) fn of(
        rule: PanelRule,
        pooled: &Workload,
        judges: &[&JudgeEvidence],
        scale: Scale,
        human_labels: Option<&HumanLabels>,
        seed: Seed,
    ) -> Self {
        let plain = Self {
            rule,
            method: PanelMethod::Fractional,
            choice: None,
            waits: None,
            human_labels: 0,
            truth: Vec::new(),
            seed,
        };
        match rule {
            PanelRule::By(method) if !method.needs_truth() => return Self { method, ..plain },
            // Settings refuse it if judges grade.
            PanelRule::JudgeAware => return plain,
            PanelRule::By(_) | PanelRule::Choose => {}
        }
        let waiting = |why: String| Self {
            waits: Some(format!(
                "method = \"{rule}\" learns from human labels of the study's sample: {why}. Until then labels are as \
                 without it"
            )),
            ..plain.clone()
        };
        let Some(human_labels) = human_labels else {
            return waiting("none is drawn yet (llull sample)".into());
        };
        let said =
            |query: &str, document: &str| human_labels.labels.get(query, document).map(|label| label.grade);
        let truth: Vec<Option<Grade>> = pooled
            .cases()
            .map(|case| said(&case.topic.id, case.document_id()).filter(|grade| on(scale, *grade)))
            .collect();
        let there = truth.iter().flatten().count();
        if there == 0 {
            return waiting("none of it is labelled yet".into());
        }
        let panel = panel_grades(pooled, judges, scale);
        let (method, choice) = match rule {
            PanelRule::By(method) => (method, None),
            PanelRule::JudgeAware => (PanelMethod::Fractional, None),
            PanelRule::Choose => match choose_method(&panel, &truth, &BootstrapOptions::new(seed)) {
                Ok(choice) => (choice.grade, Some(choice)),
                Err(error) => return waiting(error.to_string()),
            },
        };
        let fitted = Self { method, choice, human_labels: there, truth, ..plain.clone() };
        match combine_across_queries(&panel, method, &fitted.truth, seed) {
            Ok(_) => fitted,
            Err(error) => waiting(error.to_string()),
        }
    }

    /// Returns the labels of these judges, all of the panel or some; a pair without a verdict has none. If the method
    /// learns from human labels, a query's labels are based on human labels of other queries.
    ///
    /// # Errors
    /// Returns an error if the method cannot learn about these judges.
    pub(crate) fn labels(
        &self,
        pooled: &Workload,
        judges: &[&JudgeEvidence],
        scale: Scale,
    ) -> Result<LabelSet, CombineError> {
        let method = match self.method {
            PanelMethod::Best(few) => PanelMethod::Best(few.min(judges.len())),
            method => method,
        };
        if method == PanelMethod::Fractional || judges.len() < 2 {
            return Ok(graded_labels(pooled, judges));
        }
        let panel = panel_grades(pooled, judges, scale);
        let combined = combine_across_queries(&panel, method, &self.truth, self.seed)?;
        let mut labels = LabelSet::default();
        for (pair, case) in pooled.cases().enumerate() {
            let given: Vec<Grade> = panel.of_pair(pair).map(|given| given.1).collect();
            let grade = combined.grades.get(pair).copied().flatten();
            let label = grade.and_then(|grade| label_among(grade, &given));
            labels.record(&case.topic.id, case.document_id(), label);
        }
        Ok(labels)
    }

    /// Returns the combined grades of the whole panel, with the probability of each grade of every pair.
    ///
    /// # Errors
    /// Returns those of [`FittedPanel::labels`].
    pub(crate) fn combined(&self, panel: &PanelGrades) -> Result<Combined, CombineError> {
        combine_across_queries(panel, self.method, &self.truth, self.seed)
    }

    /// Describes the combination of this number of judges' grades.
    pub(crate) fn description(&self, judges: usize) -> String {
        let how = match self.method {
            PanelMethod::Median => {
                format!(
                    "the median of {judges} judges' grades; of an even number the lower of the two in the middle"
                )
            }
            PanelMethod::Majority => {
                format!("the grade that most of {judges} judges gave, the lowest of equals")
            }
            PanelMethod::Mean => {
                format!("the grade nearest to the mean of {judges} judges', the lower of two")
            }
            PanelMethod::Fractional => fractional(judges),
            PanelMethod::Ordinal => {
                format!(
                    "the grade of each pair's place on a hidden scale of {judges} judges, learnt without human labels"
                )
            }
            PanelMethod::DawidSkene => {
                format!(
                    "the likeliest grade by the confusion matrices of {judges} judges, learnt without human labels"
                )
            }
            PanelMethod::Severity => {
                format!(
                    "the human grade to expect at each pair's place on a hidden scale of {judges} judges and annotators"
                )
            }
            PanelMethod::Beta => {
                format!(
                    "the middle of the human grades to expect from each of {judges} judges, by Beta curves"
                )
            }
            PanelMethod::Weights => format!("the weighted median of {judges} judges' grades"),
            PanelMethod::Best(few) => {
                format!(
                    "the majority of the {few} of {judges} judges that agree best with human labels within queries"
                )
            }
            PanelMethod::Judge(judge) => format!("the grade of judge number {judge} of {judges}"),
        };
        let learnt = match self.method.needs_truth() {
            true => format!(
                "; learnt from human labels of {}, each query's from those of other queries",
                counted(self.human_labels, "pair")
            ),
            false => String::new(),
        };
        format!("{how} ({}{learnt})", self.method)
    }

    /// Returns notes about the method.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.waits.iter().cloned().collect();
        if let Some(choice) = &self.choice {
            let others = choice.tried.iter().filter(|one| one.method != self.method);
            let close = match others.filter(|one| one.is_close_by_kappa()).count() {
                0 => "All others show a clear difference from it".to_owned(),
                1 => "1 of the others shows no clear difference from it".to_owned(),
                several => format!("{} of the others show no clear difference from it", count(several)),
            };
            notes.push(format!(
                "labels are by {}: of {} methods and judges, tried on queries that they were not fitted to, it has the \
                 highest kappa within queries with human labels ({} in {}); choosing so gives {} on queries that \
                 neither fit nor choice has seen. {close}",
                self.method,
                count(choice.tried.len()),
                counted(choice.pairs, "pair"),
                counted(choice.queries, "query"),
                figure(choice.kappa),
            ));
        }
        notes.extend((self.method == PanelMethod::DawidSkene).then(|| DAWID_SKENE_WARNING.to_owned()));
        notes
    }
}

/// Describes labels of a panel whose study names no method.
pub(crate) fn fractional(judges: usize) -> String {
    format!(
        "the median of {judges} judges' grades, of an even number the lower of the two in the middle; nDCG with the \
         grade as gain and Compat read their mean"
    )
}

fn on(scale: Scale, grade: Grade) -> bool {
    (scale.low()..=scale.high()).contains(&grade)
}

/// Returns a panel's combined grades without a method: the probability of a grade is its share of the votes.
///
/// # Errors
/// Returns no error: nothing is learned.
pub(crate) fn shares_of_votes(panel: &PanelGrades) -> Result<Combined, CombineError> {
    combine(panel, PanelMethod::Median, None)
}

/// Returns the grades of these judges, a pair for each of the pool.
pub(crate) fn panel_grades(pooled: &Workload, judges: &[&JudgeEvidence], scale: Scale) -> PanelGrades {
    let mut panel = PanelGrades::new(scale, judges.len());
    for (question, (_, _, votes)) in pooled.questions().zip(graded_votes(pooled, judges)) {
        let given = votes.into_iter().enumerate();
        let given =
            given.filter_map(|(judge, grade)| Some((judge, grade.filter(|grade| on(scale, *grade))?)));
        // Every grade was compared with the scale, so none is refused.
        let _ = panel.push(question.topic.get(), given);
    }
    panel
}
