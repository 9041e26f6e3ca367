//! How much each judge's votes count.

use llull_config::{JudgeSettings, PanelRule};
use llull_core::Ballot;
use llull_rank::ratings::{JudgeAwareError, RatingOptions, judge_aware};

use super::panel_votes::PanelVotes;

/// How the votes of a panel that compares count.
#[derive(Debug, Clone, PartialEq)]
pub struct VoteWeights {
    /// Whether judges count by how well they tell documents apart, and not alike or as the study says.
    pub judge_aware: bool,
    /// How much a vote of each judge counts, by the judge's place.
    pub weights: Vec<f64>,
    /// How well each judge tells documents apart, by the votes of the others; `None` of one that compared nothing, and
    /// of all where there are fewer than three judges.
    pub discrimination: Vec<Option<f64>>,
    /// Why nothing is known of that, where the votes do not say.
    pub unknown: Option<String>,
}

impl VoteWeights {
    /// Finds out how much each judge's votes count.
    ///
    /// # Errors
    /// Returns an error if judges are to count by how well they tell documents apart, and that cannot be learnt.
    pub(crate) fn of(
        rule: Option<PanelRule>,
        judges: &[JudgeSettings],
        queries: &[&PanelVotes],
    ) -> Result<Self, JudgeAwareError> {
        let configured: Vec<f64> = judges.iter().map(|judge| judge.weight).collect();
        let judge_aware = rule == Some(PanelRule::JudgeAware) && judges.len() > 2;
        let (discrimination, unknown) = match discriminations(queries, judges.len(), None) {
            Ok(found) => (found, None),
            Err(error) if judge_aware => return Err(error),
            Err(error) => (vec![None; judges.len()], Some(error.to_string())),
        };
        let weights = match judge_aware {
            true => discrimination.iter().map(|found| found.unwrap_or(1.0)).collect(),
            false => configured,
        };
        Ok(Self { judge_aware, weights, discrimination, unknown })
    }

    /// Returns the weights without some of the judges, by their places: 0 of those. Where judges count by how well they
    /// tell documents apart, the others are measured without the votes of those.
    ///
    /// # Errors
    /// As [`VoteWeights::of`].
    pub(crate) fn without(
        &self,
        left_out: &[usize],
        queries: &[&PanelVotes],
    ) -> Result<Vec<f64>, JudgeAwareError> {
        let mut weights = match self.judge_aware {
            true => discriminations(queries, self.weights.len(), Some(left_out))?
                .into_iter()
                .map(|found| found.unwrap_or(1.0))
                .collect(),
            false => self.weights.clone(),
        };
        left_out.iter().filter_map(|at| weights.get_mut(*at).map(|weight| *weight = 0.0)).for_each(drop);
        Ok(weights)
    }

    /// What it does, in words.
    pub fn meaning(&self) -> &'static str {
        match (self.judge_aware, self.weights.iter().all(|weight| *weight == 1.0)) {
            (true, _) => {
                "Every judge's votes count by how well it tells documents apart, which is learnt from how far it says \
                 what the others say, without labels: judges that share their mistakes confirm one another"
            }
            (false, true) => "Of each pair the document is ahead for which more judges are",
            (false, false) => {
                "Of each pair the document is ahead for which more judges are, each with its configured weight"
            }
        }
    }
}

/// How well each judge tells documents apart, by what the others say of them. Of two neither says which is the better.
fn discriminations(
    queries: &[&PanelVotes],
    judges: usize,
    left_out: Option<&[usize]>,
) -> Result<Vec<Option<f64>>, JudgeAwareError> {
    let left_out = left_out.unwrap_or_default();
    if judges.saturating_sub(left_out.len()) < 3 {
        return Ok(vec![None; judges]);
    }
    let kept: Vec<(usize, Vec<Ballot>)> = queries
        .iter()
        .map(|panel| {
            let (items, ballots) = panel.ballots();
            let kept = ballots.iter().filter(|ballot| !left_out.contains(&(ballot.judge as usize)));
            (items, kept.cloned().collect())
        })
        .collect();
    let topics: Vec<(usize, &[Ballot])> =
        kept.iter().map(|(items, ballots)| (*items, ballots.as_slice())).collect();
    let mut found = judge_aware(&topics, &RatingOptions::default())?.discrimination;
    found.resize(judges, None);
    Ok(found)
}
