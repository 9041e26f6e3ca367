//! The features of a tree, and their judges.

use llull_config::{JudgeKind, JudgeSettings, Settings, TournamentSettings};
use llull_core::{ComparedVerdict, Item, PairChoice, Paradigm};
use llull_learner::{PairFeature, SavedLearner};

use crate::error::StudyError;
use crate::evidence::{Votes, choice, votes};
use crate::judging::attributes::{AttributeGroup, asked_about};
use crate::judging::error::JudgeError;
use crate::saved::saved_learner;
use crate::study_config::StudyConfig;

pub(crate) struct TreeFeatures {
    pub(super) learner: SavedLearner,
    /// The source of each feature of the learner; `None` for those that it does not read.
    pub(super) features: Vec<Option<TreeFeature>>,
    /// The sources, each with one field in one mode.
    asked: Vec<FeatureJudge>,
}

/// The source of a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TreeFeature {
    /// The position of the source.
    pub(super) asked: usize,
    /// Whether both orders have to name one document.
    pub(super) both: bool,
}

struct FeatureJudge {
    judge: JudgeSettings,
    field: Option<String>,
    tournament: TournamentSettings,
}

impl TreeFeatures {
    /// Reads the training of the tree among a study's judges, and finds the judges of its features; `None` without a
    /// tree.
    ///
    /// # Errors
    /// Returns an error if the tree cannot be read, or no judge of the study answers one of its features.
    pub(crate) fn open(
        StudyConfig { settings, folder }: StudyConfig<'_>,
    ) -> Result<Option<Self>, StudyError> {
        let tree = settings.judges.iter().find_map(|judge| match &judge.kind {
            JudgeKind::Tree { name } => Some(name),
            _ => None,
        });
        let (Some(name), Some(tournament)) = (tree, &settings.tournament) else { return Ok(None) };
        let learner = saved_learner(folder, name)?;
        let mut found = Self { features: vec![None; learner.features.len()], learner, asked: Vec::new() };
        for at in found.learner.learner.features() {
            let Some(PairFeature { name: feature, calls }) = found.learner.features.get(at).cloned() else {
                continue;
            };
            // A table's column `served@2` is the feature served, which costs two calls.
            let (plain, both) = match feature.strip_suffix("@2") {
                Some(plain) => (plain, true),
                None => (feature.as_str(), calls == 2),
            };
            let asked = FeatureJudge::named(plain, settings, tournament).ok_or_else(|| {
                let names: Vec<&str> = settings.graders.iter().map(|judge| judge.name.as_str()).collect();
                let judges = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                let message = format!(
                    "judge tree:{name}: it reads {feature:?}, which no judge of [[judges]] answers (beside the tree \
                     there are: {judges}); give the judge the name that it had when the tree was trained"
                );
                StudyError::Judges(JudgeError::Problem(message))
            })?;
            let place = found.place_of(asked);
            if let Some(feature) = found.features.get_mut(at) {
                *feature = Some(TreeFeature { asked: place, both });
            }
        }
        Ok(Some(found))
    }

    /// The position of the source, which is added if it is new.
    fn place_of(&mut self, asked: FeatureJudge) -> usize {
        let same = |known: &FeatureJudge| known.judge.name == asked.judge.name;
        self.asked.iter().position(same).unwrap_or_else(|| {
            self.asked.push(asked);
            self.asked.len() - 1
        })
    }

    /// Returns the average number of calls of the source at a position for a pair.
    pub(crate) fn calls_per_pair(&self, asked: usize) -> f64 {
        let features = self.features.iter().enumerate();
        let here = features.filter_map(|(at, feature)| Some((at, feature.filter(|one| one.asked == asked)?)));
        let calls = |both: bool| if both { 2.0 } else { 1.0 };
        // A question in both orders includes the one in a single order.
        let each: Vec<f64> =
            here.map(|(at, feature)| self.learner.learner.asked_of(at) * calls(feature.both)).collect();
        each.iter().sum::<f64>().min(2.0)
    }

    /// Returns the sources, each a group of one judge. The tree itself decides about orders.
    pub(crate) fn groups(&self) -> Vec<AttributeGroup> {
        let group = |asked: &FeatureJudge| AttributeGroup {
            field: asked.field.clone(),
            both_orders: false,
            judges: vec![asked.judge.clone()],
            tournament: asked.tournament.clone(),
        };
        self.asked.iter().map(group).collect()
    }
}

impl FeatureJudge {
    /// The source of a feature of this name; `None` if no judge has it.
    fn named(feature: &str, settings: &Settings, study: &TournamentSettings) -> Option<Self> {
        let whole =
            |judge: &JudgeSettings| Self { judge: judge.clone(), field: None, tournament: study.clone() };
        if let Some(judge) = settings.graders.iter().find(|judge| judge.name == feature) {
            return Some(whole(judge));
        }
        let begins = |judge: &&JudgeSettings| {
            feature.strip_prefix(&judge.name).is_some_and(|rest| rest.starts_with(':'))
        };
        let judge = settings.graders.iter().filter(begins).max_by_key(|judge| judge.name.len())?;
        let suffix = feature.strip_prefix(&judge.name)?;
        let (field, neither) = match suffix {
            ":all" => (None, study.neither),
            ":all:neither" => (None, true),
            ":all:forced" => (None, false),
            field => match field.strip_suffix(":forced") {
                Some(field) => (Some(field.trim_start_matches(':').to_owned()), false),
                None => (Some(field.trim_start_matches(':').to_owned()), true),
            },
        };
        let asked = asked_about(judge, field.as_ref(), suffix)?;
        Some(Self { judge: asked, field, tournament: TournamentSettings { neither, ..study.clone() } })
    }
}

/// Returns the choice of the answers to a pair, in the shown order and, for a feature of both orders, in the other.
pub(super) fn answer(feature: TreeFeature, verdicts: &[Option<&ComparedVerdict>]) -> PairChoice {
    let orders = [vec![Item(0), Item(1)], vec![Item(1), Item(0)]];
    let rule = Votes { paradigm: Paradigm::Pairwise, double_check: feature.both };
    let orders = orders.get(..verdicts.len()).unwrap_or(&orders);
    if verdicts.iter().any(Option::is_none) {
        return PairChoice::Missing;
    }
    choice(&votes(rule, orders, verdicts))
}
