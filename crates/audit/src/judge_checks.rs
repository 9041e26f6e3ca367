//! Runs all checks of all judges.

use std::collections::BTreeMap;

use crate::checks::anchor_order::anchor_order;
use crate::checks::chosen_rank::chosen_rank;
use crate::checks::contamination::contamination;
use crate::checks::cut_prompts::cut_prompts;
use crate::checks::cycles::cycles;
use crate::checks::favoured_system::favoured_system;
use crate::checks::first_side::first_side;
use crate::checks::flips::{position, repeat};
use crate::checks::kappa::{kappa, kappa_reference};
use crate::checks::length_controlled::length_controlled;
use crate::checks::length_words_ranks::associations;
use crate::checks::middle::middle_of_scale;
use crate::checks::middle_places::middle_places;
use crate::checks::near_copies::near_copies_alike;
use crate::checks::one_grade::one_grade;
use crate::checks::panel::independent;
use crate::checks::probes::probe;
use crate::checks::regrade::regrade;
use crate::checks::same_family::same_family;
use crate::checks::unusable::unusable;
use crate::checks::verbosity::verbosity;
use crate::finding::{Finding, judge_findings};
use crate::reference::{Place, Reference, Votes, human_grades, human_preferences};
use crate::{AuditOptions, AuditedCollection, AuditedJudge, CheckKind, CheckOutcome, JudgeCheck};

/// Computes every check that the answers allow, passed ones too: of each judge in the order of [`CheckKind`], and
/// then, for several judges, those of all together, under the name `panel of 3`.
///
/// A check that cannot apply is absent: a judge that only grades has no first side. One that applies and cannot be
/// computed has no value, and its finding names the missing data.
///
/// The chance that a decent judge does not pass is limited over all judges and checks together (Holm's method). So the
/// same answers can fail alone and pass among many judges.
pub fn judge_checks(
    judges: &[AuditedJudge],
    collection: &AuditedCollection,
    options: &AuditOptions,
) -> Vec<JudgeCheck> {
    let all = Judges::of(judges, collection);
    let mut findings: Vec<(String, Finding)> = Vec::new();
    for (number, judge) in judges.iter().enumerate() {
        let mut of_judge = all.findings(number, judge, collection, options);
        weigh_flips(&mut of_judge);
        of_judge.sort_by_key(|finding| finding.kind);
        findings.extend(of_judge.into_iter().map(|finding| (judge.judge.clone(), finding)));
    }
    findings.extend(independent(&all.votes, &all.human_labels).map(|found| (panel_name(&all.votes), found)));
    judge_findings(findings, 1.0 - options.confidence)
}

/// How checks name all judges together.
fn panel_name(judges: &[Votes]) -> String {
    format!("panel of {}", judges.len())
}

/// The values that several checks use, computed once for all judges.
struct Judges {
    votes: Vec<Votes>,
    worth: Vec<BTreeMap<Place, f64>>,
    human_labels: BTreeMap<Place, f64>,
    preferred: Votes,
    worth_to_annotators: BTreeMap<Place, f64>,
}

impl Judges {
    fn of(judges: &[AuditedJudge], collection: &AuditedCollection) -> Self {
        let votes: Vec<Votes> = judges.iter().map(Votes::of).collect();
        let human_labels = human_grades(collection);
        let worth_to_annotators = worth(&Votes { grades: human_labels.clone(), pairs: Vec::new() });
        let preferred = human_preferences(collection);
        Self { preferred, worth: votes.iter().map(worth).collect(), votes, human_labels, worth_to_annotators }
    }

    /// The worth of documents to a judge, without those of queries that it was trained on.
    fn unseen_worth(&self, number: usize, judge: &AuditedJudge) -> BTreeMap<Place, f64> {
        let seen = |place: &Place| judge.trained_on.contains(&place.0);
        let worth = self.worth.get(number).into_iter().flatten();
        worth.filter(|(place, _)| !seen(place)).map(|(place, worth)| (*place, *worth)).collect()
    }

    fn findings(
        &self,
        number: usize,
        judge: &AuditedJudge,
        collection: &AuditedCollection,
        options: &AuditOptions,
    ) -> Vec<Finding> {
        let (Some(own), Some(own_worth)) = (self.votes.get(number), self.worth.get(number)) else {
            return Vec::new();
        };
        let reference = Reference::of(number, &self.votes, &self.human_labels);
        let reference = reference.as_ref();
        let others_alone = (!judge.trained_on.is_empty()).then(|| own.without(&judge.trained_on));
        let unseen = others_alone.as_ref().unwrap_or(own);
        let compared = Reference::of_comparisons(own, &self.preferred);
        let others: Vec<&BTreeMap<Place, f64>> = if self.human_labels.is_empty() {
            let others = self.worth.iter().enumerate().filter(|(other, _)| *other != number);
            others.map(|(_, worth)| worth).collect()
        } else {
            vec![&self.worth_to_annotators]
        };
        let single = [
            first_side(judge, options),
            chosen_rank(judge, options),
            middle_places(judge, options),
            repeat(judge, options).or_else(|| regrade(judge, options)),
            cycles(judge, options),
            one_grade(judge, options),
            middle_of_scale(own, reference, collection, options),
            anchor_order(own, judge, options),
            kappa(unseen, kappa_reference(unseen, compared.as_ref(), reference), options),
            unusable(judge, collection, options),
            cut_prompts(judge),
            verbosity(judge, options),
            near_copies_alike(own, collection, options),
            length_controlled(own, own_worth, collection, options),
            same_family(judge, own_worth, &others, reference, collection, options),
            favoured_system(unseen, &self.unseen_worth(number, judge), reference, collection, options),
        ];
        let mut findings: Vec<Finding> = single.into_iter().flatten().collect();
        findings.extend(position(judge, options));
        findings.extend(judge.probed.iter().map(|probed| probe(probed, options)));
        findings.extend(judge.disguised.as_ref().map(|disguised| contamination(disguised, options)));
        findings.extend(associations(own, reference, collection, options));
        findings
    }
}

/// Above this flip rate a judge follows the order, however good its other answers are.
const MOST_FLIPS: f64 = 0.6;

/// Lowers a failed flip rate, no better than chance, to a warning, if another figure shows a better judge. That is
/// agreement with annotators or other judges, or fewer cycles than by chance. Of 78 published judges, those that
/// changed 40% to 60% of their answers with the order were right in .89 of the others.
fn weigh_flips(findings: &mut [Finding]) {
    if !findings.iter().any(|finding| finding.shows_sense) {
        return;
    }
    for finding in findings.iter_mut().filter(|finding| {
        matches!(finding.kind, CheckKind::PositionFlip | CheckKind::RepeatFlip)
            && finding.at_least == CheckOutcome::Failed
            && finding.interval.is_some_and(|(low, _)| low <= MOST_FLIPS)
    }) {
        finding.at_least = CheckOutcome::Warning;
        finding.conclusion.push_str(" Other checks show that it distinguishes good documents from bad ones.");
    }
}

/// Returns the worth of each document to a judge: its grade, or the share of its comparisons that it won, less the
/// judge's mean and in units of the judge's standard deviation. Empty if all values are equal.
fn worth(votes: &Votes) -> BTreeMap<Place, f64> {
    let raw = if votes.grades.is_empty() { shares_won(votes) } else { votes.grades.clone() };
    let n = raw.len() as f64;
    let mean = raw.values().sum::<f64>() / n;
    let deviation = (raw.values().map(|one| (one - mean) * (one - mean)).sum::<f64>() / n).sqrt();
    if deviation > 0.0 {
        raw.into_iter().map(|(place, one)| (place, (one - mean) / deviation)).collect()
    } else {
        BTreeMap::new()
    }
}

fn shares_won(votes: &Votes) -> BTreeMap<Place, f64> {
    let mut won: BTreeMap<Place, (f64, f64)> = BTreeMap::new();
    for &(query, better, worse) in &votes.pairs {
        for (item, points) in [(better, 1.0), (worse, 0.0)] {
            let entry = won.entry((query, item)).or_default();
            entry.0 += points;
            entry.1 += 1.0;
        }
    }
    won.into_iter().map(|(place, (points, all))| (place, points / all)).collect()
}
