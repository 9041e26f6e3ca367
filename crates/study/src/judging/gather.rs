//! Gathers evidence from plans.
//!
//! The steps are the same whether judges run or a ledger is only read.

use std::sync::Arc;

use llull_config::{Folder, Settings, TournamentSettings};
use llull_core::{JudgeSpec, LabelSet, Seed, Status};
use llull_label::TierScheme;
use llull_label::panel::PanelMethod;
use llull_learner::grade_chances;
use llull_runner::{
    Case, Evidence, Exhaustive, JudgeEvidence, JudgeIdentity, Pair, Plan, ReadOptions, WaveAnswers,
    WordGrader, Workload,
};
use llull_store::LedgerReader;

use super::annotators::human_labels_of;
use super::attributes::{AttributePanel, attribute_panels, panels_of};
use super::entry_order::EntryOrder;
use super::gathering::{Gathering, PanelRole};
use super::panel::Panel;
use super::plan::{AnchorGrading, Rechecking, Tournaments, rechecking};
use super::reread_notes::reread_notes;
use super::tree::{TreeFeatures, TreeWalk};
use crate::circles::{CircleEscalation, EscalatedCircle};
use crate::error::StudyError;
use crate::escalation::{Escalation, FirstStage};
use crate::evidence::{
    ComparedAnswers, ComparedQuery, GradedAnswers, RecheckEvidence, StudyAnswers, StudyEvidence, beside_base,
    fit_anchors, tier_labels, too_few_tiers,
};
use crate::inputs::{Inputs, PooledTexts, pooled_texts};
use crate::judging::error::JudgeError;
use crate::labelling::{FittedPanel, VoteWeights, graded_labels, lower_middle_note};
use crate::part::{InPart, Note, Part, PartError};
use crate::people::HumanLabels;
use crate::saved::StudentFileError;

/// Restricts a study to some judges or pairs.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Excerpt<'a> {
    /// The judges with their earlier specifications, by the places of the study's judges; `None` for the present one.
    pub(crate) registered: &'a [Option<JudgeSpec>],
    /// The places of the selected pairs in the pool; `None` for all. Only if judges grade.
    pub(crate) only: Option<&'a [usize]>,
}

/// The texts and the judges of a study.
pub(crate) struct StudyContext<'a> {
    pub(super) settings: &'a Settings,
    folder: &'a Folder,
    pub(super) inputs: &'a Inputs,
    pub(super) texts: PooledTexts,
    pub(super) judges: Panel,
    graders: Panel,
    attributes: Vec<AttributePanel>,
    /// The features of a tree, if one is the judge; their judges are those of the attributes then.
    pub(super) tree: Option<TreeFeatures>,
    /// Whether a share of the questions is repeated; not for an excerpt.
    pub(super) asks_again: bool,
}

/// Finds the texts of a study that has a judge.
///
/// # Errors
/// Returns an error if there is no judge, or a text is missing.
pub(super) fn texts(settings: &Settings, folder: &Folder, inputs: &Inputs) -> Result<PooledTexts, PartError> {
    if settings.judges.is_empty() {
        let error = StudyError::Judges(JudgeError::NoJudge(folder.config().display().to_string()));
        return Err(error).in_part(|| Part::Judges);
    }
    pooled_texts(settings, folder, inputs).in_part(|| Part::Corpus)
}

impl<'a> StudyContext<'a> {
    /// Finds the texts and makes the judges. None is connected yet.
    ///
    /// # Errors
    /// Returns an error if there is no judge, a judge is invalid, or a text is missing.
    pub(crate) fn open(
        settings: &'a Settings,
        folder: &'a Folder,
        inputs: &'a Inputs,
    ) -> Result<Self, PartError> {
        let texts = texts(settings, folder, inputs)?;
        Self::with_texts(settings, folder, inputs, texts)
    }

    /// Makes the judges for texts from [`texts`].
    ///
    /// # Errors
    /// Returns an error if a judge is invalid.
    pub(crate) fn with_texts(
        settings: &'a Settings,
        folder: &'a Folder,
        inputs: &'a Inputs,
        mut texts: PooledTexts,
    ) -> Result<Self, PartError> {
        let rubric = Arc::new(inputs.rubric.clone());
        let tournament = settings.tournament.as_ref();
        let graders: &[_] = match anchored(tournament) {
            _ if settings.escalate.is_some() => &settings.graders,
            true => &settings.graders,
            false => &[],
        };
        // A stronger judge compares, as the others do.
        let graded = if settings.escalate.is_some() { tournament } else { None };
        let surface = texts.surface.as_deref();
        let graders = Panel::new(settings, folder, &rubric, graders, graded, surface)?;
        let judges = Panel::new(settings, folder, &rubric, &settings.judges, tournament, surface)?;
        let tree = TreeFeatures::open(settings, folder).in_part(|| Part::Judges)?;
        let (attributes, notes) = match &tree {
            Some(tree) => {
                let groups = (tree.groups(), surface);
                panels_of(settings, folder, inputs, &texts.pooled, groups)?
            }
            None => attribute_panels(settings, folder, inputs, &texts.pooled)?,
        };
        texts.notes.extend(notes);
        Ok(Self { settings, folder, inputs, texts, judges, graders, attributes, tree, asks_again: true })
    }

    /// Restricts it to an excerpt.
    ///
    /// # Errors
    /// Returns an error if judges compare and pairs are selected.
    pub(crate) fn excerpt(mut self, excerpt: Excerpt<'_>) -> Result<Self, StudyError> {
        self.judges.register(excerpt.registered);
        if !excerpt.registered.is_empty() {
            self.attributes.clear();
        }
        if let Some(only) = excerpt.only {
            if self.settings.tournament.is_some() {
                return Err(StudyError::Judges(JudgeError::SampleOfComparisons));
            }
            let questions = only.iter().filter_map(|at| self.texts.pooled.question(*at));
            let pairs = questions
                .filter_map(|asked| Some(Pair { topic: asked.topic, document: *asked.documents.first()? }));
            self.texts.pooled = Arc::new(self.texts.pooled.grading(pairs.collect())?);
            self.asks_again = false;
        }
        Ok(self)
    }

    /// Returns the number of groups of judges of attributes.
    pub(crate) fn attribute_groups(&self) -> usize {
        self.attributes.len()
    }

    pub(crate) fn panel(&self, panelists: PanelRole) -> &Panel {
        match panelists {
            PanelRole::Judges => &self.judges,
            PanelRole::Graders => &self.graders,
            PanelRole::Attribute(at) => self.attributes.get(at).map_or(&self.judges, |found| &found.panel),
        }
    }

    /// Reads the states of a plan's questions for a panel; it sends no request.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub(crate) fn read(
        &self,
        ledger: &dyn LedgerReader,
        plan: &mut dyn Plan,
        panelists: PanelRole,
    ) -> Result<Evidence, StudyError> {
        let panel = self.panel(panelists);
        let retry_refused = self.settings.retry_refused;
        let options = ReadOptions { detail: panel.detail(), retry_refused, ..ReadOptions::default() };
        Ok(Evidence::read(ledger, &panel.identities(), plan, &options)?)
    }

    /// Reads the human labels of the study's sample; `None` if none was drawn.
    ///
    /// # Errors
    /// Returns an error if the sample or the ledger cannot be read.
    pub(crate) fn human_labels(
        &self,
        pooled: &Workload,
        ledger: &dyn LedgerReader,
    ) -> Result<Option<HumanLabels>, StudyError> {
        human_labels_of(self.folder, self.inputs, pooled, ledger)
    }

    /// Repeats some of the answered questions, to measure how consistent judges are.
    fn rechecked(
        &self,
        votes: &Evidence,
        source: &mut dyn Gathering,
    ) -> Result<Option<RecheckEvidence>, StudyError> {
        if !self.asks_again {
            return Ok(None);
        }
        let (pooled, identities) = (&self.texts.pooled, self.judges.identities());
        let chosen = rechecking(self.settings, pooled, votes, &identities)?;
        let Some(Rechecking { workload, questions, judges }) = chosen else { return Ok(None) };
        let mut known = votes.without_questions(&judges);
        known.play_on(&mut Exhaustive::new(Arc::clone(&workload)), &some_of(&identities, &judges))?;
        let asked = source.gather_again(known, &workload, &judges)?;
        Ok(Some(RecheckEvidence::new(asked, judges, questions)))
    }

    /// Gathers the study's evidence.
    ///
    /// # Errors
    /// Returns the first error of `source`, or an error if the settings are invalid.
    pub(crate) fn gather(&self, source: &mut dyn Gathering) -> Result<StudyEvidence, StudyError> {
        match &self.settings.tournament {
            None => self.graded(source),
            Some(tournament) => self.compared(tournament, source),
        }
    }

    /// Every judge grades every pair of the pool.
    fn graded(&self, source: &mut dyn Gathering) -> Result<StudyEvidence, StudyError> {
        let pooled = Arc::clone(&self.texts.pooled);
        let judges = source.gather(&mut Exhaustive::new(Arc::clone(&pooled)), PanelRole::Judges)?;
        let panel: Vec<_> = judges.judges().iter().collect();
        let method = self.method(&pooled, &panel, source)?;
        let judged = match &method {
            Some(method) => method.labels(&pooled, &panel, self.inputs.rubric.scale)?,
            None => graded_labels(&pooled, &panel),
        };
        let escalation = self.escalation((&pooled, &panel), method.as_ref(), &judged, source)?;
        let graders = match &escalation {
            Some(escalation) => Some(source.gather(&mut self.hard_pairs(escalation)?, PanelRole::Graders)?),
            None => None,
        };
        let judged = match (&escalation, &graders) {
            (Some(escalation), Some(strong)) => escalation.over(&judged, &pooled, strong),
            _ => judged,
        };
        // A few pairs do not suffice to fit a scale.
        let mixed = match self.asks_again {
            true => beside_base(self.settings, self.inputs, &pooled, &judged)?,
            false => None,
        };
        let mut notes = self.texts.notes.clone();
        notes.extend_from_slice(self.judges.notes());
        let by_median = method.as_ref().is_none_or(|method| method.method == PanelMethod::Median);
        let places = escalation.as_ref().map_or(&[] as &[usize], |found| &found.places);
        let lower_middle = by_median.then(|| lower_middle_note(&pooled, &panel, places)).flatten();
        let about_method = method.iter().flat_map(FittedPanel::notes);
        notes.extend(about_method.chain(lower_middle).map(|text| Note::new(Part::Labels, text)));
        notes.extend(reread_notes(judges.judges()));
        notes.extend(judges.judges().iter().filter_map(unlabelled_note));
        let refused =
            mixed.as_ref().filter(|_| judges.is_complete()).and_then(|mixed| mixed.refused.as_ref());
        notes.extend(refused.map(|reason| {
            Note::new(Part::Base, format!("the judges' labels are not mixed with these: {reason}"))
        }));
        let rechecked = self.rechecked(&judges, source)?;
        let probed = self.probed(&judges, source)?;
        Ok(StudyEvidence {
            pooled,
            judges,
            graders,
            rechecked,
            probed,
            labels: mixed.as_ref().map_or(judged, |mixed| mixed.labels.clone()),
            answers: StudyAnswers::Graded(Box::new(GradedAnswers { escalation, method, mixed })),
            human_labels: None,
            other_texts: self.texts.other_texts.clone(),
            notes,
        })
    }

    /// The pairs of the pool for a stronger judge, if the study has one; not for an excerpt.
    fn escalation(
        &self,
        (pooled, judges): (&Workload, &[&JudgeEvidence]),
        method: Option<&FittedPanel>,
        labels: &LabelSet,
        source: &dyn Gathering,
    ) -> Result<Option<Escalation>, StudyError> {
        let Some(settings) = self.settings.escalate.as_ref().filter(|_| self.asks_again) else {
            return Ok(None);
        };
        let human_labels = if Escalation::chooses(settings) { source.human_labels(pooled)? } else { None };
        let stage = FirstStage {
            pooled,
            judges,
            method,
            chances: self.chances(pooled)?,
            labels: labels.clone(),
            scale: self.inputs.rubric.scale,
            cutoff: self.inputs.rubric.cutoff,
            people: human_labels.as_ref(),
        };
        Ok(Some(Escalation::of(settings, stage)?))
    }

    /// The probabilities of grades by the study's only judge, if that is a student, pair by pair.
    fn chances(&self, pooled: &Workload) -> Result<Option<Vec<Option<Vec<f64>>>>, StudyError> {
        let Some(student) = self.judges.only_student() else { return Ok(None) };
        let Some(noise) = student.student().noise else {
            return Err(StudentFileError::NoNoise(student.model().to_owned()).into());
        };
        let of = |case: Case<'_>| {
            let (_, score) = student.grade(&case.topic.text, case.document()?).ok()?;
            Some(grade_chances(score, &student.student().thresholds, noise))
        };
        Ok(Some(pooled.cases().map(of).collect()))
    }

    /// The plan of the stronger judge: all hard pairs, in one wave.
    fn hard_pairs(&self, escalation: &Escalation) -> Result<Exhaustive, StudyError> {
        let pooled = &self.texts.pooled;
        let questions = escalation.places.iter().filter_map(|place| pooled.question(*place));
        let pairs = questions
            .filter_map(|asked| Some(Pair { topic: asked.topic, document: *asked.documents.first()? }));
        Ok(Exhaustive::new(Arc::new(pooled.grading(pairs.collect())?)))
    }

    /// The method that combines the grades of several judges, if the study has one.
    fn method(
        &self,
        pooled: &Workload,
        panel: &[&JudgeEvidence],
        source: &dyn Gathering,
    ) -> Result<Option<FittedPanel>, StudyError> {
        let Some(rule) = self.settings.method.filter(|_| panel.len() > 1) else { return Ok(None) };
        let human_labels = if rule.needs_human_labels() { source.human_labels(pooled)? } else { None };
        let (scale, seed) = (self.inputs.rubric.scale, Seed(self.settings.seed));
        Ok(Some(FittedPanel::of(rule, pooled, panel, scale, human_labels.as_ref(), seed)))
    }

    /// Compares every query's documents, wave by wave; a few of each tier are graded, if labels are anchored.
    fn compared(
        &self,
        settings: &TournamentSettings,
        source: &mut dyn Gathering,
    ) -> Result<StudyEvidence, StudyError> {
        let pooled = Arc::clone(&self.texts.pooled);
        let identities = self.judges.identities();
        let mut notes = self.texts.notes.clone();
        let mut tournaments = self.tournaments(settings, &identities, source.asks())?;
        notes.extend(tournaments.note().map(|text| Note::new(Part::Judges, text)));
        let (judges, mut compared, mut attributes) = match &self.tree {
            Some(tree) => self.by_tree(tree, settings, tournaments, source)?,
            None => {
                let mut judges = source.gather(&mut tournaments, PanelRole::Judges)?;
                if tournaments.is_limited() {
                    // The run went query by query. The order of questions affects the last digits of figures, so it is
                    // made that of a run without a limit.
                    tournaments = self.tournaments(settings, &identities, false)?;
                    judges = judges.play_again(&mut tournaments, &identities)?;
                }
                (judges, tournaments.finish(), Vec::with_capacity(self.attributes.len()))
            }
        };
        let counted = match self.settings.judges.as_slice() {
            [] | [_] => None,
            judges => {
                let votes: Vec<_> = compared.iter().filter_map(|query| query.panel.as_ref()).collect();
                Some(VoteWeights::of(self.settings.method, judges, &votes)?)
            }
        };
        if let Some(counted) = counted.as_ref().filter(|counted| counted.judge_aware) {
            compared.iter_mut().for_each(|query| query.recount(&counted.weights));
        }
        let graders = match settings.labels {
            TierScheme::Anchored => {
                let seed = Seed(self.settings.seed);
                let mut plan = AnchorGrading::new(&pooled, &compared, settings.anchors, seed)?;
                Some(source.gather(&mut plan, PanelRole::Graders)?)
            }
            TierScheme::Ordinal | TierScheme::Geometric | TierScheme::Binary { .. } => None,
        };
        let (graders, circles) = match self.settings.escalate.as_ref().filter(|_| self.asks_again) {
            Some(escalate) => {
                let strong = self.settings.graders.as_slice();
                let mut plan = Tournaments::of_circles(self.settings, settings, strong, &pooled, &compared)?;
                let answers = source.gather(&mut plan, PanelRole::Graders)?;
                let circles: Vec<EscalatedCircle> = plan
                    .finish()
                    .into_iter()
                    .map(|of| EscalatedCircle::new(of.topic, of.documents, of.outcome, &answers))
                    .collect();
                for query in &mut compared {
                    circles.iter().for_each(|circle| query.refine(circle));
                }
                (Some(answers), Some(CircleEscalation { to: escalate.to.clone(), circles }))
            }
            None => (graders, None),
        };
        for (at, group) in self.attributes.iter().enumerate().skip(attributes.len()) {
            let mut plan = Exhaustive::new(group.questions(&judges)?);
            attributes.push(source.gather(&mut plan, PanelRole::Attribute(at))?);
        }
        let anchored = match &graders {
            Some(graders) => fit_anchors(self.inputs.rubric.scale, &compared, graders)?,
            None => Vec::new(),
        };
        let labels = tier_labels(settings.labels, &pooled, &compared, &anchored);
        let too_few = too_few_tiers(settings, &pooled, &compared, &labels);
        notes.extend(too_few.map(|text| Note::new(Part::Labels, text)));
        let graded = graders.iter().flat_map(Evidence::judges);
        notes.extend(reread_notes(judges.judges().iter().chain(graded)));
        let rechecked = self.rechecked(&judges, source)?;
        let probed = self.probed(&judges, source)?;
        let answers =
            ComparedAnswers { queries: compared, attributes, anchored, counted, circles, comparisons: None };
        Ok(StudyEvidence {
            pooled,
            judges,
            graders,
            rechecked,
            probed,
            labels,
            answers: StudyAnswers::Compared(Box::new(answers)),
            human_labels: None,
            other_texts: self.texts.other_texts.clone(),
            notes,
        })
    }

    /// A tree chooses the better of two documents, from other judges' answers about them.
    fn by_tree(
        &self,
        tree: &TreeFeatures,
        settings: &TournamentSettings,
        mut tournaments: Tournaments<'_>,
        source: &mut dyn Gathering,
    ) -> Result<(Evidence, Vec<ComparedQuery>, Vec<Evidence>), StudyError> {
        let mut walk = TreeWalk::new(tree, &self.attributes);
        let identities = self.judges.identities();
        while let Some(wave) = tournaments.next() {
            let statuses = walk.wave(&wave, source)?;
            let status = |_, question: usize| statuses.get(question).unwrap_or(&Status::NotAsked);
            tournaments.observe(&WaveAnswers::new(1, wave.len(), &status));
        }
        // The answers of the tree are replayed like those of a judge with requests.
        let mut again = self.tournaments(settings, &identities, false)?;
        let said = walk.said(&identities)?;
        let judges = Evidence::read(&said, &identities, &mut again, &ReadOptions::default())?;
        let mut asked = Vec::with_capacity(self.attributes.len());
        for at in 0..self.attributes.len() {
            asked.push(source.gather(&mut Exhaustive::new(walk.asked(at)?), PanelRole::Attribute(at))?);
        }
        Ok((judges, again.finish(), asked))
    }

    pub(super) fn tournaments<'b>(
        &'b self,
        settings: &'b TournamentSettings,
        identities: &[Arc<dyn JudgeIdentity>],
        asks: bool,
    ) -> Result<Tournaments<'b>, StudyError> {
        let before = EntryOrder::read(self.folder, identities)?;
        let mut order = before.clone();
        let tournaments = Tournaments::new(
            self.settings,
            settings,
            self.inputs,
            &self.texts.pooled,
            identities,
            &mut order,
        )?;
        if asks && order != before {
            order.write(self.folder, identities)?;
        }
        Ok(tournaments.limited(self.settings.run_limits.calls.filter(|_| asks)))
    }
}

/// Returns a note about an annotator among the judges without a label in the pool.
fn unlabelled_note(judge: &JudgeEvidence) -> Option<Note> {
    let none = !judge.is_asked() && judge.counts().judged == 0;
    let text = "has labelled no pair of this pool under this rubric; llull review --as NAME shows them, and a run \
                asks nobody";
    none.then(|| Note::new(Part::Judge(judge.name().to_owned()), format!("judge {} {text}", judge.name())))
}

pub(super) fn some_of<T: Clone>(items: &[T], positions: &[usize]) -> Vec<T> {
    positions.iter().filter_map(|at| items.get(*at)).cloned().collect()
}

fn anchored(tournament: Option<&TournamentSettings>) -> bool {
    tournament.is_some_and(|tournament| tournament.labels == TierScheme::Anchored)
}
