//! A study's evidence, and the labels that follow from it.

use std::sync::Arc;

use llull_core::{Item, LabelSet, Scale};
use llull_data::{DocumentMetadata, FolderNotes};
use llull_files::MixedLabels;
use llull_label::Anchored;
use llull_label::panel::CombineError;
use llull_rank::{Tier, TournamentOutcome, VotesBetween};
use llull_runner::{DocumentIndex, Evidence, JudgeEvidence, TopicIndex, Workload};
use rustc_hash::FxHashMap;

use super::asked_again::{ProbeEvidence, Recheck, RecheckEvidence};
use crate::cycles::{CycleEscalation, EscalatedCycle};
use crate::escalation::Escalation;
use crate::labelling::{FittedPanel, PanelVotes, VoteWeights, graded_labels};
use crate::part::Note;
use crate::people::{HumanComparisons, HumanLabels};

/// The evidence of a study in its ledger, and the labels that follow. Labels, figures, reports and agreement are pure
/// functions of it and of the inputs.
#[derive(Debug, Clone)]
pub struct StudyEvidence {
    /// The pool with its texts: a question for each pair, in the pool's order.
    pub pooled: Arc<Workload>,
    /// The answers of the judges: about every pair of the pool, or about the sets of documents that they compared.
    pub judges: Evidence,
    /// The results of grades, or of comparisons.
    pub answers: StudyAnswers,
    /// The answers of graders: of a few documents of each tier, if labels are anchored, or of the pairs that are hard
    /// for the judges.
    pub graders: Option<Evidence>,
    /// The answers to repeated questions, which measure how consistent judges are; `None` without any. They are no
    /// votes.
    pub rechecked: Option<RecheckEvidence>,
    /// The answers about changed documents, if judges were [probed](crate::Judging::probe); empty if the ledger has
    /// none. They are no votes.
    pub probed: Vec<ProbeEvidence>,
    /// The labels: one for every pair with a verdict, by `method` or fractional, or those of the tiers. They are mixed
    /// with existing labels, if there are any.
    pub labels: LabelSet,
    /// The study's sample with its human labels; `None` if none was drawn.
    pub human_labels: Option<HumanLabels>,
    /// For systems whose results have texts, the number of texts that differ from those that judges see; only systems
    /// with some.
    pub other_texts: Vec<(String, usize)>,
    /// The metadata of pooled documents: the fields of the corpus that judges do not see.
    pub metadata: Arc<DocumentMetadata>,
    /// How the corpus was cut into passages, if it is a folder of texts.
    pub corpus_folder: Option<FolderNotes>,
    /// Notes for the user.
    pub notes: Vec<Note>,
}

/// The results of judges' answers, which are grades or comparisons.
#[derive(Debug, Clone)]
pub enum StudyAnswers {
    /// Judges graded documents one by one.
    Graded(Box<GradedAnswers>),
    /// Judges compared documents.
    Compared(Box<ComparedAnswers>),
}

/// The derivation of labels from grades.
#[derive(Debug, Clone, Default)]
pub struct GradedAnswers {
    /// The pairs for a stronger judge, if the study has one; it is the one of `graders` then.
    pub escalation: Option<Escalation>,
    /// The method that combined the grades of several judges, if the study has one; labels are fractional otherwise.
    pub method: Option<FittedPanel>,
    /// The mixture of existing labels and the judges'; `None` without existing ones.
    pub mixed: Option<MixedLabels>,
}

/// The derivation of tiers from comparisons.
#[derive(Debug, Clone)]
pub struct ComparedAnswers {
    /// The tournament of each query, in the order of the topics.
    pub queries: Vec<ComparedQuery>,
    /// The answers about the compared pairs by attribute, if the rubric names attributes: by field and mode. They are
    /// no votes.
    pub attributes: Vec<Evidence>,
    /// The fit of graded documents to the tiers, query by query, if labels are anchored.
    pub anchored: Vec<Anchored>,
    /// The weights of several judges' votes; `None` for a single judge.
    pub counted: Option<VoteWeights>,
    /// The stronger judge's answers about cycles, if the study has one; it is the one of `graders` then.
    pub cycles: Option<CycleEscalation>,
    /// Annotators' side-by-side comparisons; `None` for an excerpt. They are no votes.
    pub comparisons: Option<HumanComparisons>,
}

/// The results of comparing one query's documents.
#[derive(Debug, Clone)]
pub struct ComparedQuery {
    /// The query.
    pub topic: TopicIndex,
    /// The documents that took part, in the order in which they joined, best guess first. The outcome's items are
    /// positions in this list.
    pub documents: Vec<DocumentIndex>,
    /// The highest number of documents in a question.
    pub window: usize,
    /// The number of questions, each for every judge.
    pub questions: usize,
    /// The number of sets that only some judges of the panel have compared, because the others failed or answered
    /// unusably. For these, the tiers are based on the votes of the judges that answered.
    pub partial: u64,
    /// The votes of each judge; `None` for a single judge.
    pub panel: Option<PanelVotes>,
    /// The number of pairs whose votes for one document and for the other cancel out.
    pub split: usize,
    /// The votes on pairs inside the cycles: on the first 12 documents of each.
    pub votes: Vec<VotesBetween>,
    /// The tiers.
    pub outcome: TournamentOutcome,
}

impl ComparedQuery {
    /// Replaces the tier that has just the documents of a cycle by the stronger judge's result, if there is such a
    /// tier.
    pub(crate) fn refine(&mut self, cycle: &EscalatedCycle) {
        let Some(found) = cycle.settled.as_ref().filter(|_| cycle.topic == self.topic) else { return };
        let place = |document: &DocumentIndex| self.documents.iter().position(|own| own == document);
        let items: Vec<Item> = cycle.documents.iter().filter_map(place).map(Item::at).collect();
        let has_all = |tier: &Tier| {
            tier.items.len() == items.len() && tier.items.iter().all(|item| items.contains(item))
        };
        if let Some(tier) = self.outcome.tiers.iter().position(has_all) {
            self.outcome.refine(tier, &items, found);
        }
    }

    /// Recounts a panel's votes, each judge's with this weight; 0 leaves a judge out.
    pub(crate) fn recount(&mut self, weights: &[f64]) {
        if let Some(anew) = self.panel.as_ref().map(|panel| panel.recount(weights)) {
            (self.outcome, self.split, self.votes) = (anew.outcome, anew.split, anew.votes);
        }
    }

    /// Returns the tier, from 0, of each document that took part.
    pub fn tiers(&self) -> FxHashMap<DocumentIndex, usize> {
        let tiers = self.outcome.tiers.iter().enumerate();
        tiers
            .flat_map(|(place, tier)| tier.items.iter().map(move |item| (*item, place)))
            .filter_map(|(item, place)| Some((*self.documents.get(item.index())?, place)))
            .collect()
    }
}

impl StudyEvidence {
    /// Returns whether the judge at this place of the panel compares. Graders, which come between the judges of the
    /// tournament and those of attributes, do not, except one that judges cycles.
    pub fn compares(&self, place: usize) -> bool {
        self.compared().is_some() && (self.cycles().is_some() || self.estimated(place).is_some())
    }

    /// Returns the place of this panel's judge among the estimates; `None` for graders of tiers, which have none.
    pub fn estimated(&self, place: usize) -> Option<usize> {
        let judges = self.judges.judges().len();
        let graders = self.graders.as_ref().map_or(0, |graders| graders.judges().len());
        match place {
            place if place < judges || self.escalation().is_some() => Some(place),
            place if place < judges + graders => None,
            place => Some(place - graders),
        }
    }

    fn graded(&self) -> Option<&GradedAnswers> {
        match &self.answers {
            StudyAnswers::Graded(graded) => Some(graded),
            StudyAnswers::Compared(_) => None,
        }
    }

    fn comparing(&self) -> Option<&ComparedAnswers> {
        match &self.answers {
            StudyAnswers::Graded(_) => None,
            StudyAnswers::Compared(compared) => Some(compared),
        }
    }

    /// Returns the tournament of each query, in the order of the topics; `None` if judges grade.
    pub fn compared(&self) -> Option<&[ComparedQuery]> {
        self.comparing().map(|compared| compared.queries.as_slice())
    }

    /// Returns the answers about attributes: see [`ComparedAnswers::attributes`].
    pub fn attributes(&self) -> &[Evidence] {
        self.comparing().map_or(&[], |compared| &compared.attributes)
    }

    /// Returns the fits of graded documents to tiers: see [`ComparedAnswers::anchored`].
    pub fn anchored(&self) -> &[Anchored] {
        self.comparing().map_or(&[], |compared| &compared.anchored)
    }

    /// Returns the weights of judges' votes: see [`ComparedAnswers::counted`].
    pub fn counted(&self) -> Option<&VoteWeights> {
        self.comparing()?.counted.as_ref()
    }

    /// Returns the cycles that a stronger judge compared: see [`ComparedAnswers::cycles`].
    pub fn cycles(&self) -> Option<&CycleEscalation> {
        self.comparing()?.cycles.as_ref()
    }

    /// Returns the comparisons of annotators: see [`ComparedAnswers::comparisons`].
    pub fn comparisons(&self) -> Option<&HumanComparisons> {
        self.comparing()?.comparisons.as_ref()
    }

    /// Returns the pairs that a stronger judge grades: see [`GradedAnswers::escalation`].
    pub fn escalation(&self) -> Option<&Escalation> {
        self.graded()?.escalation.as_ref()
    }

    /// Returns the fitted panel: see [`GradedAnswers::method`].
    pub fn method(&self) -> Option<&FittedPanel> {
        self.graded()?.method.as_ref()
    }

    /// Returns existing labels with those of the judges: see [`GradedAnswers::mixed`].
    pub fn mixed(&self) -> Option<&MixedLabels> {
        self.graded()?.mixed.as_ref()
    }

    /// Returns whether the evidence is complete.
    ///
    /// Every pair has its verdicts, or every query's best documents are in order; every document has a label, and
    /// another run would have no question.
    pub fn is_complete(&self) -> bool {
        let Some(compared) = self.compared() else {
            let refused = self.mixed().is_some_and(|mixed| mixed.refused.is_some());
            return self.judges.is_complete()
                && self.graders.as_ref().is_none_or(Evidence::is_complete)
                && !refused;
        };
        compared.iter().all(|query| query.outcome.complete)
            && self.judges.judges().iter().all(|judge| judge.open() == 0)
            && self.graders.as_ref().is_none_or(|graders| match self.cycles() {
                Some(_) => graders.judges().iter().all(|judge| judge.open() == 0),
                None => graders.is_complete(),
            })
            && self.attributes().iter().flat_map(Evidence::judges).all(|judge| judge.open() == 0)
            && self.labels.labelled() == self.labels.asked()
    }

    /// Returns the human labels of the study's sample, if the sample is its reference (`is_reference`).
    pub(crate) fn reviewers(&self, is_reference: bool) -> Option<&HumanLabels> {
        self.human_labels.as_ref().filter(|_| is_reference)
    }

    /// Returns the reason why a human sample corrects no figure here; `None` if it may.
    ///
    /// A correction assumes that a pair's label does not depend on whether the pair was drawn. In a panel with a voting
    /// annotator it does: the annotator votes on the pairs that were shown, and those of the sample are shown.
    pub fn uncorrectable(&self) -> Option<String> {
        let annotator = self.judges.judges().iter().find(|judge| !judge.is_asked())?;
        Some(format!(
            "{} is one of the judges, so that a pair's label depends on whether a person was shown it, and a sample \
             corrects labels that are made alike whether a pair was drawn or not",
            annotator.name()
        ))
    }

    /// Returns the original labels of the judges, without existing labels and without a map to another scale.
    pub fn judged(&self) -> &LabelSet {
        self.mixed().map_or(&self.labels, |mixed| &mixed.judged)
    }

    /// Returns the labels of these judges, some of the panel or all, if judges grade. They lack the stronger judge's
    /// labels of hard pairs, and existing labels.
    ///
    /// # Errors
    /// Returns an error if the study's method cannot learn about these judges.
    pub(crate) fn labels_of(
        &self,
        judges: &[&JudgeEvidence],
        scale: Scale,
    ) -> Result<LabelSet, CombineError> {
        match self.method() {
            Some(method) => method.labels(&self.pooled, judges, scale),
            None => Ok(graded_labels(&self.pooled, judges)),
        }
    }

    /// Returns labels of some of the panel, with the stronger judge's for the pairs that are hard for the whole panel,
    /// if the study has one.
    pub(crate) fn escalated(&self, labels: LabelSet) -> LabelSet {
        match (self.escalation(), &self.graders) {
            (Some(escalation), Some(strong)) => escalation.over(&labels, &self.pooled, strong),
            _ => labels,
        }
    }

    /// Returns the repeated questions, answered or not, judge by judge: in reverse order and in the same order. If both
    /// orders of a set are votes, the votes show the effect of reversing, and are not among these.
    pub fn rechecks(&self) -> impl Iterator<Item = Recheck<'_>> {
        self.rechecked.iter().flat_map(RecheckEvidence::tasks)
    }

    /// Returns every judge's part: those of the labels, then graders of a few documents of each tier, then judges of
    /// attributes.
    pub fn panel(&self) -> impl Iterator<Item = &JudgeEvidence> {
        let others = self.graders.iter().chain(self.attributes());
        self.judges.judges().iter().chain(others.flat_map(Evidence::judges))
    }
}
