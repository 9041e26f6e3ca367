//! The pairs for a stronger judge, and its effect on labels.

use llull_config::EscalateSettings;
use llull_core::{Grade, Label, LabelSet, SampleDesign, Scale};
use llull_label::cascade::{
    EscalationRule, LabelledMargin, MarginRule, PanelOpinion, ThresholdChoice, ThresholdOptions,
    choose_threshold,
};
use llull_label::panel::{CombineError, Combined, PanelGrades};
use llull_report::text::{count, counted};
use llull_runner::{Evidence, JudgeEvidence, Workload};
use rustc_hash::FxHashSet;

use crate::labelling::{FittedPanel, panel_grades, shares_of_votes};
use crate::people::HumanLabels;

/// The escalation of a study whose other judges grade everything.
#[derive(Debug, Clone, PartialEq)]
pub struct Escalation {
    /// The judge.
    pub to: String,
    /// The rule that selects its pairs.
    pub when: EscalationRule,
    /// The places of its pairs in the pool. Its questions are these, in this order.
    pub places: Vec<usize>,
    /// The number of pairs without all answers of the others, which may be hard.
    pub undecided: usize,
    /// The guarantee, if human labels choose the threshold.
    pub guarantee: Option<Guarantee>,
    /// The labels of the others.
    pub panel: LabelSet,
}

/// The guarantee for the labels that are not escalated.
#[derive(Debug, Clone, PartialEq)]
pub struct Guarantee {
    /// The highest share of labels with wrong relevance, and the confidence of that bound.
    pub asked: ThresholdOptions,
    /// The result from human labels.
    pub found: GuaranteeFound,
    /// The number of pairs of the pool outside of the sample's frame, which the sample does not represent. If a
    /// threshold is chosen they are escalated.
    pub beyond: usize,
}

/// The threshold from human labels.
#[derive(Debug, Clone, PartialEq)]
pub enum GuaranteeFound {
    /// None yet, with the reason. Until then no pair is escalated by its margin.
    Waits(String),
    /// None, with the reason. All pairs are escalated.
    Refused(String),
    /// A threshold, or the result that none suffices, so that all pairs are escalated.
    Chosen(ThresholdChoice),
}

/// The state of a panel before the escalation.
pub(crate) struct FirstStage<'a> {
    pub(crate) pooled: &'a Workload,
    pub(crate) judges: &'a [&'a JudgeEvidence],
    pub(crate) method: Option<&'a FittedPanel>,
    /// The probabilities of each grade by a single judge that estimates them, pair by pair.
    pub(crate) chances: Option<Vec<Option<Vec<f64>>>>,
    pub(crate) labels: LabelSet,
    pub(crate) scale: Scale,
    /// The lowest grade that is relevant.
    pub(crate) cutoff: Grade,
    pub(crate) human_labels: Option<&'a HumanLabels>,
}

impl Escalation {
    /// Finds the pairs that are hard for a panel.
    ///
    /// # Errors
    /// Returns an error if the panel's grades cannot be combined.
    pub(crate) fn of(settings: &EscalateSettings, stage: FirstStage<'_>) -> Result<Self, CombineError> {
        let panel = panel_grades(stage.pooled, stage.judges, stage.scale);
        let combined = match (&stage.chances, stage.method) {
            (Some(chances), _) => Combined::of_judge(&panel, 0, chances.iter().cloned()),
            (None, Some(method)) => method.combined(&panel)?,
            (None, None) => shares_of_votes(&panel)?,
        };
        let asked = settings
            .disagreement
            .map(|disagreement| ThresholdOptions { disagreement, confidence: settings.confidence });
        let rule = settings.when;
        let drawable = stage.drawable();
        let guarantee = asked.map(|asked| Guarantee {
            asked,
            found: stage.threshold((&panel, &combined), rule, &asked),
            beyond: drawable.iter().filter(|drawable| !**drawable).count(),
        });
        let (threshold, everything) = match guarantee.as_ref().map(|guarantee| &guarantee.found) {
            None | Some(GuaranteeFound::Waits(_)) => (None, false),
            Some(GuaranteeFound::Refused(_)) => (None, true),
            Some(GuaranteeFound::Chosen(choice)) => {
                let accepted = choice.accepted.map(|bound| bound.margin);
                (accepted, accepted.is_none())
            }
        };
        let (mut places, mut undecided) = (Vec::new(), 0);
        for (place, drawable) in drawable.into_iter().enumerate() {
            if stage.waits(place) {
                undecided += 1;
                continue;
            }
            let given: Vec<Grade> = panel.of_pair(place).map(|given| given.1).collect();
            let opinion = PanelOpinion { given: &given, probabilities: combined.probabilities(place) };
            let unknown = threshold.is_some() && !drawable;
            if everything || unknown || rule.is_hard(&opinion, stage.scale, threshold) {
                places.push(place);
            }
        }
        Ok(Self { to: settings.to.clone(), when: rule, places, undecided, guarantee, panel: stage.labels })
    }

    /// Returns labels in which the stronger judge's grades replace others.
    pub(crate) fn over(&self, labels: &LabelSet, pooled: &Workload, strong: &Evidence) -> LabelSet {
        let mut grades: Vec<Option<Grade>> = vec![None; pooled.len()];
        if let Some(judge) = strong.judges().first() {
            for (question, place) in self.places.iter().enumerate() {
                if let Some(grade) = grades.get_mut(*place) {
                    *grade = judge.status(question).grade();
                }
            }
        }
        let mut set = LabelSet::default();
        for (case, grade) in pooled.cases().zip(grades) {
            let (query, document) = (case.topic.id.as_str(), case.document_id());
            let label = match grade {
                Some(grade) => Some(Label::of_grade(grade)),
                None => labels.get(query, document),
            };
            set.record(query, document, label);
        }
        set
    }

    /// Returns whether the threshold still lacks human labels.
    pub(crate) fn waits(&self) -> bool {
        self.guarantee.as_ref().is_some_and(|guarantee| matches!(guarantee.found, GuaranteeFound::Waits(_)))
    }

    /// Returns whether human labels choose the threshold.
    pub(crate) fn chooses(settings: &EscalateSettings) -> bool {
        settings.when.margin == Some(MarginRule::Chosen)
    }
}

impl FirstStage<'_> {
    /// Whether an answer about a pair is still open.
    fn waits(&self, place: usize) -> bool {
        self.judges.iter().any(|judge| judge.is_open(judge.status(place)))
    }

    /// The pairs of the pool in the sample's frame; all without a sample.
    fn drawable(&self) -> Vec<bool> {
        let Some(human_labels) = self.human_labels else { return vec![true; self.pooled.len()] };
        let units = &human_labels.sample.sample.units;
        let frame: FxHashSet<(&str, &str)> =
            units.iter().map(|unit| (unit.topic.as_str(), unit.document.as_str())).collect();
        self.pooled
            .cases()
            .map(|case| frame.contains(&(case.topic.id.as_str(), case.document_id())))
            .collect()
    }

    fn threshold(
        &self,
        (panel, combined): (&PanelGrades, &Combined),
        rule: EscalationRule,
        asked: &ThresholdOptions,
    ) -> GuaranteeFound {
        let Some(human_labels) = self.human_labels else {
            return GuaranteeFound::Waits("no sample is drawn yet (llull sample --design uniform)".into());
        };
        let design = human_labels.sample.sample.design;
        if design != Some(SampleDesign::Pairs) {
            return GuaranteeFound::Refused(format!(
                "the sample is drawn by {}, and the bound is for pairs that are all equally likely (llull sample \
                 --design uniform --replace)",
                design.map_or("an unknown design", SampleDesign::name)
            ));
        }
        let (drawn, labelled) = (human_labels.sample.drawn(), human_labels.labels.labelled());
        if labelled < drawn {
            return GuaranteeFound::Waits(format!(
                "{} of the sample's {} are labelled",
                count(labelled),
                counted(drawn, "pair")
            ));
        }
        let relevant = |grade: Grade| grade >= self.cutoff;
        let mut margins = Vec::new();
        for (place, case) in self.pooled.cases().enumerate() {
            let (query, document) = (case.topic.id.as_str(), case.document_id());
            let said = human_labels.labels.get(query, document).map(|label| label.grade);
            let ours = self.labels.get(query, document).map(|label| label.grade);
            let given: Vec<Grade> = panel.of_pair(place).map(|given| given.1).collect();
            let opinion = PanelOpinion { given: &given, probabilities: combined.probabilities(place) };
            // The bound is for labels that are not escalated: pairs that the rest of the rule escalates at any
            // threshold do not count.
            if self.waits(place) || rule.is_hard(&opinion, self.scale, None) {
                continue;
            }
            if let (Some(said), Some(ours), Some(margin)) = (said, ours, opinion.margin()) {
                margins.push(LabelledMargin { margin, errs: relevant(said) != relevant(ours) });
            }
        }
        GuaranteeFound::Chosen(choose_threshold(&margins, asked))
    }
}
