//! The texts and the judges of a study, open for questions.

use std::sync::Arc;

use llull_config::TournamentSettings;
use llull_core::JudgeSpec;
use llull_label::TierScheme;
use llull_runner::{Evidence, Pair, Plan, ReadOptions, Workload};
use llull_store::{LedgerJudge, LedgerReader};

use super::annotators::human_labels_of;
use super::attributes::{AttributePanel, attribute_panels, panels_of};
use super::evidence_source::PanelRole;
use super::panel::Panel;
use super::tree::TreeFeatures;
use crate::error::StudyError;
use crate::history::check_kept_texts;
use crate::inputs::{Inputs, PooledTexts, pooled_texts};
use crate::judging::error::JudgeError;
use crate::part::{InPart, Part, PartError};
use crate::people::HumanLabels;
use crate::study_config::StudyConfig;

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
    pub(super) config: StudyConfig<'a>,
    pub(super) inputs: &'a Inputs,
    pub(super) texts: PooledTexts,
    pub(super) judges: Panel,
    pub(super) graders: Panel,
    pub(super) attributes: Vec<AttributePanel>,
    /// The features of a tree, if one is the judge; their judges are those of the attributes then.
    pub(super) tree: Option<TreeFeatures>,
    /// Whether a share of the questions is repeated; not for an excerpt.
    pub(super) asks_again: bool,
}

/// Finds the texts of a study that has a judge.
///
/// # Errors
/// Returns an error if there is no judge, or a text is missing.
pub(super) fn texts(config: StudyConfig<'_>, inputs: &Inputs) -> Result<PooledTexts, PartError> {
    if config.settings.judges.is_empty() {
        let error = StudyError::Judges(JudgeError::NoJudge(config.folder.config().display().to_string()));
        return Err(error).in_part(|| Part::Judges);
    }
    let check = |found: Option<&_>| Ok(check_kept_texts(config, inputs, found)?);
    pooled_texts(config, inputs, check).in_part(|| Part::Corpus)
}

impl<'a> StudyContext<'a> {
    /// Finds the texts and makes the judges. None is connected yet.
    ///
    /// # Errors
    /// Returns an error if there is no judge, a judge is invalid, or a text is missing.
    pub(crate) fn open(config: StudyConfig<'a>, inputs: &'a Inputs) -> Result<Self, PartError> {
        let texts = texts(config, inputs)?;
        Self::with_texts(config, inputs, texts)
    }

    /// Makes the judges for texts from [`texts`].
    ///
    /// # Errors
    /// Returns an error if a judge is invalid.
    pub(crate) fn with_texts(
        config: StudyConfig<'a>,
        inputs: &'a Inputs,
        mut texts: PooledTexts,
    ) -> Result<Self, PartError> {
        let settings = config.settings;
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
        let graders = Panel::new(config, &rubric, graders, graded, surface)?;
        let judges = Panel::new(config, &rubric, &settings.judges, tournament, surface)?;
        let tree = TreeFeatures::open(config).in_part(|| Part::Judges)?;
        let (attributes, notes) = match &tree {
            Some(tree) => {
                let groups = (tree.groups(), surface);
                panels_of(config, inputs, &texts.pooled, groups)?
            }
            None => attribute_panels(config, inputs, &texts.pooled)?,
        };
        texts.notes.extend(notes);
        Ok(Self { config, inputs, texts, judges, graders, attributes, tree, asks_again: true })
    }

    /// Finds the answers of rerankers among these judges of a ledger, which an earlier version may have written.
    pub(crate) fn with_recorded(mut self, recorded: &[LedgerJudge]) -> Self {
        self.judges.take_recorded_rerankers(recorded);
        self.graders.take_recorded_rerankers(recorded);
        self
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
            if self.config.settings.tournament.is_some() {
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
        let ask_again = self.config.settings.ask_again;
        let options = ReadOptions { detail: panel.detail(), ask_again, ..ReadOptions::default() };
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
        human_labels_of(self.config.folder, self.inputs, pooled, ledger)
    }
}

fn anchored(tournament: Option<&TournamentSettings>) -> bool {
    tournament.is_some_and(|tournament| tournament.labels == TierScheme::Anchored)
}
