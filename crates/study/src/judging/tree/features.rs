//! What a tree reads, and who is asked for it.

use llull_config::{Folder, JudgeKind, JudgeSettings, Settings, TournamentSettings};
use llull_core::{ComparedVerdict, Item, PairChoice, Paradigm};
use llull_learner::{PairFeature, SavedLearner};

use crate::error::StudyError;
use crate::evidence::{Votes, choice, votes};
use crate::judging::attributes::{AttributeGroup, asked_about};
use crate::judging::error::JudgeError;
use crate::saved::saved_learner;

/// What a tree reads.
pub(crate) struct TreeFeatures {
    pub(super) learner: SavedLearner,
    /// Where the answer to each feature of the learner comes from; `None` for those that it does not read.
    pub(super) features: Vec<Option<TreeFeature>>,
    /// Who is asked, each about one field in one mode.
    asked: Vec<Asked>,
}

/// Where the answer to a feature comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TreeFeature {
    /// The position of who is asked.
    pub(super) asked: usize,
    /// Whether both orders have to name one document.
    pub(super) both: bool,
}

struct Asked {
    judge: JudgeSettings,
    field: Option<String>,
    tournament: TournamentSettings,
}

impl TreeFeatures {
    /// Reads what the tree among a study's judges was trained on, and finds who answers that; `None` without a tree.
    ///
    /// # Errors
    /// Returns an error if the tree cannot be read, or no judge of the study answers what it reads.
    pub(crate) fn open(settings: &Settings, folder: &Folder) -> Result<Option<Self>, StudyError> {
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
            let asked = Asked::named(plain, settings, tournament).ok_or_else(|| {
                let names: Vec<&str> = settings.graders.iter().map(|judge| judge.name.as_str()).collect();
                let judges = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                let message = format!(
                    "it reads {feature:?}, which no judge of [[judges]] answers (beside the tree there are: {judges}); \
                     name the judge there as it was named when the tree was trained"
                );
                StudyError::Judges(JudgeError::Tree { name: name.clone(), message })
            })?;
            let place = found.place_of(asked);
            if let Some(feature) = found.features.get_mut(at) {
                *feature = Some(TreeFeature { asked: place, both });
            }
        }
        Ok(Some(found))
    }

    /// The position of who is asked, who is added if nobody is asked this yet.
    fn place_of(&mut self, asked: Asked) -> usize {
        let same = |known: &Asked| known.judge.name == asked.judge.name;
        self.asked.iter().position(same).unwrap_or_else(|| {
            self.asked.push(asked);
            self.asked.len() - 1
        })
    }

    /// Returns how many calls of who is asked at a position a pair takes in the mean.
    pub(crate) fn calls_per_pair(&self, asked: usize) -> f64 {
        let features = self.features.iter().enumerate();
        let here = features.filter_map(|(at, feature)| Some((at, feature.filter(|one| one.asked == asked)?)));
        let calls = |both: bool| if both { 2.0 } else { 1.0 };
        // What is asked in both orders has been asked in the one.
        let each: Vec<f64> =
            here.map(|(at, feature)| self.learner.learner.asked_of(at) * calls(feature.both)).collect();
        each.iter().sum::<f64>().min(2.0)
    }

    /// Returns who is asked, each a group of one judge. Which orders are asked is the tree's own affair.
    pub(crate) fn groups(&self) -> Vec<AttributeGroup> {
        let group = |asked: &Asked| AttributeGroup {
            field: asked.field.clone(),
            both_orders: false,
            judges: vec![asked.judge.clone()],
            tournament: asked.tournament.clone(),
        };
        self.asked.iter().map(group).collect()
    }
}

impl Asked {
    /// Who answers a feature of this name; `None` if no judge does.
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

/// Returns what the answers to a pair say, in the order shown and, for a feature of both orders, in the other.
pub(super) fn answer(feature: TreeFeature, verdicts: &[Option<&ComparedVerdict>]) -> PairChoice {
    let orders = [vec![Item(0), Item(1)], vec![Item(1), Item(0)]];
    let rule = Votes { paradigm: Paradigm::Pairwise, double_check: feature.both };
    let orders = orders.get(..verdicts.len()).unwrap_or(&orders);
    if verdicts.iter().any(Option::is_none) {
        return PairChoice::Missing;
    }
    choice(&votes(rule, orders, verdicts))
}
