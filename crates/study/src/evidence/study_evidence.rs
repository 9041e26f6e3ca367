//! A study's evidence, and the labels that follow from it.

use std::sync::Arc;

use llull_core::{Item, LabelSet, Scale};
use llull_files::MixedLabels;
use llull_label::Anchored;
use llull_label::panel::CombineError;
use llull_rank::{Tier, TournamentOutcome, VotesBetween};
use llull_runner::{DocumentIndex, Evidence, JudgeEvidence, TopicIndex, Workload};
use rustc_hash::FxHashMap;

use super::probes::ProbeEvidence;
use super::rechecks::{Recheck, RecheckEvidence};
use crate::circles::{CircleEscalation, EscalatedCircle};
use crate::escalation::Escalation;
use crate::labelling::{FittedPanel, graded_labels};
use crate::labelling::{PanelVotes, VoteWeights};
use crate::part::Note;
use crate::people::{PeopleComparisons, PeopleLabels};

/// What a ledger holds of a study, and the labels that follow from it. Labels, figures, reports and agreement are pure
/// functions of it and of the inputs.
#[derive(Debug, Clone)]
pub struct StudyEvidence {
    /// The pool with its texts: a question for each pair, in the pool's order.
    pub pooled: Arc<Workload>,
    /// What the judges said: of every pair of the pool, or of the sets of documents that they compared.
    pub judges: Evidence,
    /// What follows from grades, or from comparisons.
    pub answers: StudyAnswers,
    /// What was said by those who grade a few documents of each tier, where labels are anchored, or what the judges
    /// found hard.
    pub graders: Option<Evidence>,
    /// What was said where judges were asked again, to learn how they answer; `None` where nobody is. No votes.
    pub rechecked: Option<RecheckEvidence>,
    /// What was said of changed documents, where judges were [probed](crate::Judging::probe); empty where the ledger
    /// has nothing of it. No votes.
    pub probed: Vec<ProbeEvidence>,
    /// The labels: one for every pair that has a verdict, the judges' median or by `method`, or what the tiers amount
    /// to; beside labels that exist, if there are some.
    pub labels: LabelSet,
    /// The study's sample and what people say of it; `None` if none was drawn.
    pub people: Option<PeopleLabels>,
    /// Of systems whose results come with texts, how many of these are others than those that judges see; only
    /// systems that have some.
    pub other_texts: Vec<(String, usize)>,
    /// Remarks that the user should see.
    pub notes: Vec<Note>,
}

/// What follows from the answers of judges, who grade or compare.
#[derive(Debug, Clone)]
pub enum StudyAnswers {
    /// Judges graded documents one by one.
    Graded(Box<GradedAnswers>),
    /// Judges compared documents.
    Compared(Box<ComparedAnswers>),
}

/// How grades became labels.
#[derive(Debug, Clone, Default)]
pub struct GradedAnswers {
    /// What a stronger judge sees, where the study says; it is the one of `graders` then.
    pub escalation: Option<Escalation>,
    /// How the grades of several judges became labels, where the study says; the median where this is `None`.
    pub method: Option<FittedPanel>,
    /// How labels that exist and those of the judges came together; `None` if none existed.
    pub mixed: Option<MixedLabels>,
}

/// How comparisons became tiers.
#[derive(Debug, Clone)]
pub struct ComparedAnswers {
    /// The tournament of each query, in the order of the topics.
    pub queries: Vec<ComparedQuery>,
    /// What was said of the compared pairs field by field, where the rubric names attributes: by field and mode. No
    /// votes.
    pub attributes: Vec<Evidence>,
    /// What the graded documents say of the tiers, query by query, where labels are anchored.
    pub anchored: Vec<Anchored>,
    /// How the votes of several judges that compare count; `None` of an only judge.
    pub counted: Option<VoteWeights>,
    /// What a stronger judge says of documents that go in a circle, where the study says; it is the one of `graders`
    /// then.
    pub circles: Option<CircleEscalation>,
    /// What people say of documents side by side; `None` of an excerpt. No votes.
    pub comparisons: Option<PeopleComparisons>,
}

/// What comparing one query's documents has settled.
#[derive(Debug, Clone)]
pub struct ComparedQuery {
    /// The query.
    pub topic: TopicIndex,
    /// The documents that took part, in the order in which they joined, best guess first. The outcome's items are
    /// positions in this list.
    pub documents: Vec<DocumentIndex>,
    /// How many documents a question showed at most.
    pub window: usize,
    /// The questions that came up, each for every judge.
    pub questions: usize,
    /// The sets of documents that some judges of the panel have compared and some have not, because they failed or
    /// answered unusably. The tiers rest on the votes of the others there.
    pub partial: u64,
    /// What each judge said; `None` of an only judge.
    pub panel: Option<PanelVotes>,
    /// The pairs of documents on which votes for one and votes for the other cancel out.
    pub split: usize,
    /// The votes on pairs inside the circles: on the first 12 documents of each.
    pub votes: Vec<VotesBetween>,
    /// The tiers.
    pub outcome: TournamentOutcome,
}

impl ComparedQuery {
    /// Puts what a stronger judge has settled of a circle in the place of the tier that has just its documents, if
    /// there is one.
    pub(crate) fn refine(&mut self, circle: &EscalatedCircle) {
        let Some(found) = circle.settled.as_ref().filter(|_| circle.topic == self.topic) else { return };
        let place = |document: &DocumentIndex| self.documents.iter().position(|own| own == document);
        let items: Vec<Item> = circle.documents.iter().filter_map(place).map(Item::at).collect();
        let has_all = |tier: &Tier| {
            tier.items.len() == items.len() && tier.items.iter().all(|item| items.contains(item))
        };
        if let Some(tier) = self.outcome.tiers.iter().position(has_all) {
            self.outcome.refine(tier, &items, found);
        }
    }

    /// Counts a panel's votes anew, each judge's with this weight; 0 leaves a judge out.
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

    /// Returns the tournament of each query, in the order of the topics; `None` where judges grade.
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

    /// Returns the cycles that a stronger judge compared: see [`ComparedAnswers::circles`].
    pub fn circles(&self) -> Option<&CircleEscalation> {
        self.comparing()?.circles.as_ref()
    }

    /// Returns the comparisons of annotators: see [`ComparedAnswers::comparisons`].
    pub fn comparisons(&self) -> Option<&PeopleComparisons> {
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

    /// Returns whether nothing is missing: every pair has its verdicts, or every query's best documents are in order,
    /// every document has a label, and no question is left that another run would ask.
    pub fn is_complete(&self) -> bool {
        let Some(compared) = self.compared() else {
            let refused = self.mixed().is_some_and(|mixed| mixed.refused.is_some());
            return self.judges.is_complete()
                && self.graders.as_ref().is_none_or(Evidence::is_complete)
                && !refused;
        };
        compared.iter().all(|query| query.outcome.complete)
            && self.judges.judges().iter().all(|judge| judge.open() == 0)
            && self.graders.as_ref().is_none_or(|graders| match self.circles() {
                Some(_) => graders.judges().iter().all(|judge| judge.open() == 0),
                None => graders.is_complete(),
            })
            && self.attributes().iter().flat_map(Evidence::judges).all(|judge| judge.open() == 0)
            && self.labels.labelled() == self.labels.asked()
    }

    /// Returns what people say of the study's sample, where that is its reference (`is_reference`).
    pub(crate) fn reviewers(&self, is_reference: bool) -> Option<&PeopleLabels> {
        self.people.as_ref().filter(|_| is_reference)
    }

    /// Returns why a sample that people label corrects nothing here; `None` if it may. What corrects takes it that a
    /// pair's label does not depend on whether the pair was drawn. That of a panel in which a person votes does: the
    /// person votes where pairs were shown, and those of the sample are.
    pub fn uncorrectable(&self) -> Option<String> {
        let person = self.judges.judges().iter().find(|judge| !judge.is_asked())?;
        Some(format!(
            "{} is one of the judges, so that a pair's label depends on whether a person was shown it, and a sample \
             corrects labels that are made alike whether a pair was drawn or not",
            person.name()
        ))
    }

    /// Returns the labels as the judges gave them, without labels that existed and on no scale but their own.
    pub fn judged(&self) -> &LabelSet {
        self.mixed().map_or(&self.labels, |mixed| &mixed.judged)
    }

    /// Returns the labels that these judges make, some of the panel or all, where judges grade; without what a stronger
    /// judge says of what is hard, and without labels that existed.
    ///
    /// # Errors
    /// Returns an error if the study's method has nothing to learn about these judges.
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

    /// Returns labels of some of the panel, with the stronger judge's where the whole panel finds it hard, if the study
    /// has one.
    pub(crate) fn escalated(&self, labels: LabelSet) -> LabelSet {
        match (self.escalation(), &self.graders) {
            (Some(escalation), Some(strong)) => escalation.over(&labels, &self.pooled, strong),
            _ => labels,
        }
    }

    /// Returns the questions that judges were asked again, answered or not, judge by judge: in reverse order and as
    /// they were. Where both orders of a set are votes, the votes say what reversing does, and are not among these.
    pub fn rechecks(&self) -> impl Iterator<Item = Recheck<'_>> {
        self.rechecked.iter().flat_map(RecheckEvidence::rechecks)
    }

    /// Returns every judge's part: those that the labels begin with, those that grade a few documents of each
    /// tier, then those that are asked about attributes.
    pub fn panel(&self) -> impl Iterator<Item = &JudgeEvidence> {
        let others = self.graders.iter().chain(self.attributes());
        self.judges.judges().iter().chain(others.flat_map(Evidence::judges))
    }
}
