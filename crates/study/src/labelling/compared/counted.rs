//! Weighs the votes of judges.

use llull_config::{JudgeSettings, PanelRule};
use llull_core::Ballot;
use llull_rank::ratings::{JudgeAwareError, RatingOptions, judge_aware};

use super::panel_votes::PanelVotes;

/// The weights of a panel's votes, if it compares.
#[derive(Debug, Clone, PartialEq)]
pub struct VoteWeights {
    /// Whether judges are weighted by their discrimination, rather than equally or as the study sets.
    pub judge_aware: bool,
    /// The weight of each judge's votes, by the judge's place.
    pub weights: Vec<f64>,
    /// The discrimination of each judge, by the votes of the others; `None` for one without a comparison, and for all
    /// with fewer than three judges.
    pub discrimination: Vec<Option<f64>>,
    /// The reason why the votes do not show it, if they do not.
    pub unknown: Option<String>,
}

impl VoteWeights {
    /// Computes the weight of each judge's votes.
    ///
    /// # Errors
    /// Returns an error if judges are weighted by their discrimination, and that cannot be computed.
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

    /// Returns the weights without some of the judges, by their places: 0 for those. If judges are weighted by their
    /// discrimination, the others' is computed without the votes of those.
    ///
    /// # Errors
    /// Returns those of [`VoteWeights::of`].
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

    /// Describes the weights.
    pub fn meaning(&self) -> &'static str {
        match (self.judge_aware, self.weights.iter().all(|weight| *weight == 1.0)) {
            (true, _) => {
                "Every judge's votes count by how well it tells documents apart, which llull learns from its agreement \
                 with the others, without labels: judges that share their mistakes confirm one another"
            }
            (false, true) => "Of each pair the document is ahead for which more judges are",
            (false, false) => {
                "Of each pair the document is ahead for which more judges are, each with its configured weight"
            }
        }
    }
}

/// The discrimination of each judge, by the votes of the others. With two judges neither vote shows which is better.
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
