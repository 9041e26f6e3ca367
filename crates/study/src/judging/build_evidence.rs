//! Builds a study's evidence: plays its plans, then derives labels from the answers.
//!
//! The steps are the same whether judges run or a ledger is only read.

use std::sync::Arc;

use llull_config::TournamentSettings;
use llull_core::{LabelSet, Seed, Status};
use llull_label::TierScheme;
use llull_label::panel::PanelMethod;
use llull_learner::grade_chances;
use llull_report::text::counted;
use llull_runner::{
    Case, Evidence, Exhaustive, JudgeEvidence, JudgeIdentity, Pair, Plan, ReadOptions, WaveAnswers,
    WordGrader, Workload,
};

use super::entry_order::EntryOrder;
use super::evidence_source::{EvidenceSource, PanelRole};
use super::plan::{AnchorGrading, Rechecking, Tournaments, rechecking};
use super::study_context::StudyContext;
use super::tree::{TreeFeatures, TreeWalk};
use crate::cycles::{CycleEscalation, EscalatedCycle};
use crate::error::StudyError;
use crate::escalation::{Escalation, FirstStage};
use crate::evidence::{
    ComparedAnswers, ComparedQuery, GradedAnswers, RecheckEvidence, StudyAnswers, StudyEvidence, beside_base,
    fit_anchors, tier_labels, too_few_tiers,
};
use crate::history::check_kept_judges;
use crate::labelling::{FittedPanel, VoteWeights, graded_labels, lower_middle_note};
use crate::part::{Note, Part};
use crate::saved::UnusableStudent;

impl StudyContext<'_> {
    /// Repeats some of the answered questions, to measure how consistent judges are.
    fn rechecked(
        &self,
        votes: &Evidence,
        source: &mut dyn EvidenceSource,
    ) -> Result<Option<RecheckEvidence>, StudyError> {
        if !self.asks_again {
            return Ok(None);
        }
        let (pooled, identities) = (&self.texts.pooled, self.judges.identities());
        let chosen = rechecking(self.config.settings, pooled, votes, &identities)?;
        let Some(Rechecking { workload, questions, judges }) = chosen else { return Ok(None) };
        let mut known = votes.without_questions(&judges);
        known.play_on(&mut Exhaustive::new(Arc::clone(&workload)), &some_of(&identities, &judges))?;
        let asked = source.play_again(known, &workload, &judges)?;
        Ok(Some(RecheckEvidence::new(asked, judges, questions)))
    }

    /// Builds the study's evidence.
    ///
    /// # Errors
    /// Returns the first error of `source`, or an error if the settings are invalid.
    pub(crate) fn build_evidence(
        &self,
        source: &mut dyn EvidenceSource,
    ) -> Result<StudyEvidence, StudyError> {
        match &self.config.settings.tournament {
            None => self.graded(source),
            Some(tournament) => self.compared(tournament, source),
        }
    }

    /// Every judge grades every pair of the pool.
    fn graded(&self, source: &mut dyn EvidenceSource) -> Result<StudyEvidence, StudyError> {
        let pooled = Arc::clone(&self.texts.pooled);
        let judges = source.play(&mut Exhaustive::new(Arc::clone(&pooled)), PanelRole::Judges)?;
        let panel: Vec<_> = judges.judges().iter().collect();
        let method = self.method(&pooled, &panel, source)?;
        let judged = match &method {
            Some(method) => method.labels(&pooled, &panel, self.inputs.rubric.scale)?,
            None => graded_labels(&pooled, &panel),
        };
        let escalation = self.escalation((&pooled, &panel), method.as_ref(), &judged, source)?;
        let graders = match &escalation {
            Some(escalation) => Some(source.play(&mut self.hard_pairs(escalation)?, PanelRole::Graders)?),
            None => None,
        };
        let judged = match (&escalation, &graders) {
            (Some(escalation), Some(strong)) => escalation.over(&judged, &pooled, strong),
            _ => judged,
        };
        // A few pairs do not suffice to fit a scale.
        let mixed = match self.asks_again {
            true => beside_base(self.config.settings, self.inputs, &pooled, &judged)?,
            false => None,
        };
        let mut notes = self.texts.notes.clone();
        notes.extend_from_slice(self.judges.notes());
        let is_median = |method| matches!(method, PanelMethod::Median | PanelMethod::Fractional);
        let by_median = method.as_ref().is_none_or(|method| is_median(method.method));
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
        let evidence = StudyEvidence {
            pooled,
            judges,
            graders,
            rechecked,
            probed,
            labels: mixed.as_ref().map_or(judged, |mixed| mixed.labels.clone()),
            answers: StudyAnswers::Graded(Box::new(GradedAnswers { escalation, method, mixed })),
            human_labels: None,
            other_texts: self.texts.other_texts.clone(),
            metadata: Arc::clone(&self.texts.metadata),
            corpus_folder: self.texts.corpus_folder.clone(),
            notes,
        };
        if self.asks_again {
            check_kept_judges(self.config, &evidence)?;
        }
        Ok(evidence)
    }

    /// The pairs of the pool for a stronger judge, if the study has one; not for an excerpt.
    fn escalation(
        &self,
        (pooled, judges): (&Workload, &[&JudgeEvidence]),
        method: Option<&FittedPanel>,
        labels: &LabelSet,
        source: &dyn EvidenceSource,
    ) -> Result<Option<Escalation>, StudyError> {
        let Some(settings) = self.config.settings.escalate.as_ref().filter(|_| self.asks_again) else {
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
            human_labels: human_labels.as_ref(),
        };
        Ok(Some(Escalation::of(settings, stage)?))
    }

    /// The probabilities of grades by the study's only judge, if that is a student, pair by pair.
    fn chances(&self, pooled: &Workload) -> Result<Option<Vec<Option<Vec<f64>>>>, StudyError> {
        let Some(student) = self.judges.only_student() else { return Ok(None) };
        let Some(noise) = student.student().noise else {
            return Err(UnusableStudent::Problem(format!(
                "{} was taught by an earlier llull and does not state how sure it is, which escalate needs of an only \
                 judge: teach it again (llull train --student NAME), or name a second judge beside it",
                student.model()
            ))
            .into());
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
        source: &dyn EvidenceSource,
    ) -> Result<Option<FittedPanel>, StudyError> {
        let Some(rule) = self.config.settings.method.filter(|_| panel.len() > 1) else { return Ok(None) };
        let human_labels = if rule.needs_human_labels() { source.human_labels(pooled)? } else { None };
        let (scale, seed) = (self.inputs.rubric.scale, Seed(self.config.settings.seed));
        Ok(Some(FittedPanel::of(rule, pooled, panel, scale, human_labels.as_ref(), seed)))
    }

    /// Compares every query's documents, wave by wave; a few of each tier are graded, if labels are anchored.
    fn compared(
        &self,
        settings: &TournamentSettings,
        source: &mut dyn EvidenceSource,
    ) -> Result<StudyEvidence, StudyError> {
        let pooled = Arc::clone(&self.texts.pooled);
        let identities = self.judges.identities();
        let mut notes = self.texts.notes.clone();
        let mut tournaments = self.tournaments(settings, &identities, source.asks())?;
        notes.extend(tournaments.note().map(|text| Note::new(Part::Judges, text)));
        let (judges, mut compared, mut attributes) = match &self.tree {
            Some(tree) => self.by_tree(tree, settings, tournaments, source)?,
            None => {
                let mut judges = source.play(&mut tournaments, PanelRole::Judges)?;
                if tournaments.is_limited() {
                    // The run went query by query. The order of questions affects the last digits of figures, so it is
                    // made that of a run without a limit.
                    tournaments = self.tournaments(settings, &identities, false)?;
                    judges = judges.play_again(&mut tournaments, &identities)?;
                }
                (judges, tournaments.finish(), Vec::with_capacity(self.attributes.len()))
            }
        };
        let counted = match self.config.settings.judges.as_slice() {
            [] | [_] => None,
            judges => {
                let votes: Vec<_> = compared.iter().filter_map(|query| query.panel.as_ref()).collect();
                Some(VoteWeights::of(self.config.settings.method, judges, &votes)?)
            }
        };
        if let Some(counted) = counted.as_ref().filter(|counted| counted.judge_aware) {
            compared.iter_mut().for_each(|query| query.recount(&counted.weights));
        }
        let graders = match settings.labels {
            TierScheme::Anchored => {
                let seed = Seed(self.config.settings.seed);
                let mut plan = AnchorGrading::new(&pooled, &compared, settings.anchors, seed)?;
                Some(source.play(&mut plan, PanelRole::Graders)?)
            }
            TierScheme::Rating | TierScheme::Ordinal | TierScheme::Geometric | TierScheme::Binary { .. } => {
                None
            }
        };
        let (graders, cycles) = match self.config.settings.escalate.as_ref().filter(|_| self.asks_again) {
            Some(escalate) => {
                let strong = self.config.settings.graders.as_slice();
                let mut plan =
                    Tournaments::of_cycles(self.config.settings, settings, strong, &pooled, &compared)?;
                let answers = source.play(&mut plan, PanelRole::Graders)?;
                let cycles: Vec<EscalatedCycle> = plan
                    .finish()
                    .into_iter()
                    .map(|of| EscalatedCycle::new(of.topic, of.documents, of.outcome, &answers))
                    .collect();
                for query in &mut compared {
                    cycles.iter().for_each(|cycle| query.refine(cycle));
                }
                (Some(answers), Some(CycleEscalation { to: escalate.to.clone(), cycles }))
            }
            None => (graders, None),
        };
        for (at, group) in self.attributes.iter().enumerate().skip(attributes.len()) {
            let mut plan = Exhaustive::new(group.questions(&judges)?);
            attributes.push(source.play(&mut plan, PanelRole::Attribute(at))?);
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
            ComparedAnswers { queries: compared, attributes, anchored, counted, cycles, comparisons: None };
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
            metadata: Arc::clone(&self.texts.metadata),
            corpus_folder: self.texts.corpus_folder.clone(),
            notes,
        })
    }

    /// A tree chooses the better of two documents, from other judges' answers about them.
    fn by_tree(
        &self,
        tree: &TreeFeatures,
        settings: &TournamentSettings,
        mut tournaments: Tournaments<'_>,
        source: &mut dyn EvidenceSource,
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
            asked.push(source.play(&mut Exhaustive::new(walk.asked(at)?), PanelRole::Attribute(at))?);
        }
        Ok((judges, again.finish(), asked))
    }

    pub(super) fn tournaments<'b>(
        &'b self,
        settings: &'b TournamentSettings,
        identities: &[Arc<dyn JudgeIdentity>],
        asks: bool,
    ) -> Result<Tournaments<'b>, StudyError> {
        let before = EntryOrder::read(self.config.folder, identities)?;
        let mut order = before.clone();
        let tournaments = Tournaments::new(
            self.config.settings,
            settings,
            self.inputs,
            &self.texts.pooled,
            identities,
            &mut order,
        )?;
        if asks && order != before {
            order.write(self.config.folder, identities)?;
        }
        Ok(tournaments.limited(self.config.settings.run_limits.calls.filter(|_| asks)))
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

/// Returns a note for each judge with changed answers.
pub(super) fn reread_notes<'a>(judges: impl IntoIterator<Item = &'a JudgeEvidence>) -> Vec<Note> {
    let changed = judges.into_iter().filter(|judge| judge.reread().total() > 0);
    changed.map(|judge| Note::new(Part::Ledger, text(judge))).collect()
}

fn text(judge: &JudgeEvidence) -> String {
    let changes: Vec<String> =
        judge.reread().changes().map(|(before, after, n)| format!("{n} from {before} to {after}")).collect();
    format!(
        "judge {}: {} in the ledger changed when their replies were read again, by the rules of this version: {}. The \
         next run repeats requests whose answers are unusable now",
        judge.name(),
        counted(judge.reread().total(), "answer"),
        changes.join(", ")
    )
}
