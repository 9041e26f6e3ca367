//! Checks for answers that change when a question is repeated.

use llull_core::Item;
use llull_stats::{chance_of_at_most, mcnemar_exact, student_critical};

use crate::clustered_ratio::Clustered;
use crate::clustered_share::ClusteredShare;
use crate::finding::{Finding, needs};
use crate::reversals::{repeats, reversals, rotations};
use crate::{AuditOptions, AuditedJudge, CheckKind, CheckOutcome, ComparedAnswer};

/// With fewer repeated questions, the number of changed answers is not evidence.
pub(crate) const LEAST_RECHECKS: usize = 30;

/// The chance that a random judge passes: 2.5%, so that at most 9 of 30, 21 of 60 or 39 of 100 answers may change.
const CHANCE_PASSES: f64 = 0.025;

/// Decent judges change fewer of their answers than this.
const DECENT: f64 = 0.2;

/// A smaller excess in one direction matters little, however certain it is.
const DECENT_EFFECT: f64 = 0.1;

/// A larger one means that the order decides more often than not where it can: the first side wins more than 70%.
const SEVERE_EFFECT: f64 = 0.4;

/// Returns whether a judge that changed `changed` of `n` answers is shown to be better than random answers, of which
/// half change.
///
/// The burden of proof is on the judge. Fewer than [`LEAST_RECHECKS`] answers show nothing.
pub(crate) fn shown_better_than_chance(changed: f64, n: f64) -> bool {
    n >= LEAST_RECHECKS as f64 && chance_of_at_most(changed, n, 0.5) <= CHANCE_PASSES
}

/// Returns the share of answers that changed with the order in which documents were shown, and whether the changes go
/// one way. `None` for a judge that never compared.
pub(crate) fn position(judge: &AuditedJudge, options: &AuditOptions) -> Vec<Finding> {
    if judge.compared.is_empty() {
        return Vec::new();
    }
    let mut both: Vec<_> = reversals(judge).into_iter().map(|both| (both.answer, both.reversed)).collect();
    both.extend(rotations(judge));
    let changed = Changes::of(&both);
    if changed.questions.is_empty() {
        let why = "No question was repeated in another order. Set `recheck = 0.05` to measure the effect of the order.";
        return vec![
            Finding::of_figures(CheckKind::PositionFlip, why),
            Finding::of_figures(CheckKind::Position, why),
        ];
    }
    let mut flips = changed.finding(CheckKind::PositionFlip, options);
    flips.remedy = "Use only answers that are the same in both orders, or use another judge.";
    vec![flips, changed.one_way()]
}

/// Returns the share of comparisons that changed when they were repeated unchanged.
pub(crate) fn repeat(judge: &AuditedJudge, options: &AuditOptions) -> Option<Finding> {
    let changed = Changes::of(&repeats(judge));
    if changed.questions.is_empty() {
        return None;
    }
    let mut flips = changed.finding(CheckKind::RepeatFlip, options);
    flips.remedy = "Lower the temperature, or repeat each question several times.";
    Some(flips)
}

/// The changes between two answers to the same questions.
struct Changes {
    /// For each question with a pair that was decided both times: its query, the pairs that changed, all such pairs.
    questions: Vec<(usize, f64, f64)>,
    /// Whether every question shows two documents.
    pairs_only: bool,
    /// Questions that were answered with a tie, once or twice.
    ties: usize,
    /// Questions in which the same place won both times, the earlier and the later one, of two documents.
    first_twice: u64,
    second_twice: u64,
}

impl Changes {
    fn of(twice: &[(&ComparedAnswer, &ComparedAnswer)]) -> Self {
        let mut changes =
            Self { questions: Vec::new(), pairs_only: true, ties: 0, first_twice: 0, second_twice: 0 };
        for (one, other) in twice {
            changes.pairs_only &= one.shown.len() == 2;
            let (changed, decided) = changed_pairs(one, other);
            if decided == 0 {
                changes.ties += 1;
                continue;
            }
            changes.questions.push((one.query, changed as f64, decided as f64));
            match (one.chosen_place(), other.chosen_place()) {
                (Some(0), Some(0)) => changes.first_twice += 1,
                (Some(a), Some(b)) if a + 1 == one.shown.len() && a == b => changes.second_twice += 1,
                _ => {}
            }
        }
        changes
    }

    fn finding(&self, kind: CheckKind, options: &AuditOptions) -> Finding {
        let (conclusion, how) = match kind {
            CheckKind::PositionFlip if self.pairs_only => {
                ("Its answers depend on the order", "in reverse order")
            }
            CheckKind::PositionFlip => ("Its answers depend on the order", "in another order"),
            _ => ("Its answers are noisy", "unchanged"),
        };
        let n = self.questions.len();
        let (value, interval, better, p) =
            if self.pairs_only { self.of_pairs(options) } else { self.of_lists(options) };
        let enough = n >= LEAST_RECHECKS;
        let ties = if self.ties == 0 { String::new() } else { format!(" Ties left out: {}.", self.ties) };
        let what = if self.pairs_only { "answers" } else { "orders of two documents" };
        let changed =
            format!("{:.0}% of {what} changed when {n} questions were repeated {how}", 100.0 * value);
        let few = if enough { String::new() } else { needs(LEAST_RECHECKS) };
        let no_better = if better { "" } else { " That is not reliably better than chance." };
        Finding {
            n,
            value: Some(value),
            interval,
            chance: Some(0.5),
            p: enough.then_some(p),
            at_least: if enough && !better { CheckOutcome::Failed } else { CheckOutcome::Passed },
            conclusion: format!(
                "{conclusion}: {changed} (good judges: under {:.0}%; chance: 50%).{no_better}{ties}",
                100.0 * DECENT
            ),
            ..Finding::of_figures(kind, format!("{changed}.{ties}{few}"))
        }
    }

    /// Of two documents the answer changes or does not: everything is exact.
    fn of_pairs(&self, options: &AuditOptions) -> (f64, Option<(f64, f64)>, bool, f64) {
        let queries = self.questions.iter().map(|(_, changed, _)| (usize::from(*changed > 0.0), 1));
        let changed = self.questions.iter().filter(|question| question.1 > 0.0).count() as f64;
        let n = self.questions.len() as f64;
        let better = shown_better_than_chance(changed, n);
        let share = ClusteredShare::new(queries);
        let p = share.map_or(1.0, |share| share.p_above(DECENT));
        (changed / n, share.and_then(|share| share.interval(options.confidence)), better, p)
    }

    /// Of lists, the pairs of one question hang together: questions are the units.
    fn of_lists(&self, options: &AuditOptions) -> (f64, Option<(f64, f64)>, bool, f64) {
        let units: Vec<(usize, f64, f64)> = self
            .questions
            .iter()
            .enumerate()
            .map(|(unit, (_, changed, all))| (unit, *changed, *all))
            .collect();
        let Some(ratio) = Clustered::ratio(&units) else { return (0.0, None, false, 1.0) };
        let bound = ratio.value + student_critical(CHANCE_PASSES, ratio.degrees) * ratio.error;
        let better = units.len() >= LEAST_RECHECKS && bound < 0.5;
        (ratio.value, ratio.interval(options.confidence, (0.0, 1.0)), better, ratio.p_above(DECENT))
    }

    /// Whether the place that wins twice is rather the first or rather the last.
    fn one_way(&self) -> Finding {
        let n = self.questions.len();
        let effect = (self.first_twice as f64 - self.second_twice as f64) / n as f64;
        let p = mcnemar_exact(self.first_twice, self.second_twice);
        let asked = format!("Of {n} questions in {} orders", if self.pairs_only { "both" } else { "two" });
        let won = format!("{}, the last in {} (exact p {})", self.first_twice, self.second_twice, shown_p(p));
        let place = if effect > 0.0 { "first" } else { "last" };
        Finding {
            n,
            value: Some(effect),
            chance: Some(0.0),
            p: Some(if effect.abs() > DECENT_EFFECT { p } else { 1.0 }),
            severe: effect.abs() > SEVERE_EFFECT,
            conclusion: format!(
                "The judge favours the {place} place: {}, the first won both times in {won}.",
                asked.to_lowercase()
            ),
            remedy: "Ask each pair in both orders and use only answers that agree.",
            ..Finding::of_figures(
                CheckKind::Position,
                format!("{asked}, the first place won both times in {won}."),
            )
        }
    }
}

/// Returns a p as sentences show it.
pub(crate) fn shown_p(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// Returns how many pairs of documents changed their order in the second answer, among those that both answers put in
/// an order.
fn changed_pairs(one: &ComparedAnswer, other: &ComparedAnswer) -> (usize, usize) {
    let levels: Vec<(usize, usize)> =
        one.shown.iter().map(|&item: &Item| (one.level(item), other.level(item))).collect();
    let (mut changed, mut decided) = (0, 0);
    for (place, a) in levels.iter().enumerate() {
        for b in levels.iter().skip(place + 1) {
            if a.0 != b.0 && a.1 != b.1 {
                decided += 1;
                changed += usize::from((a.0 < b.0) != (a.1 < b.1));
            }
        }
    }
    (changed, decided)
}

#[cfg(test)]
mod tests {
    use super::shown_better_than_chance;

    /// The counts that the notes give, from the binomial distribution (scipy 1.17.1: `stats.binom.cdf`).
    #[test]
    fn the_burden_lies_on_the_judge() {
        for (most, n) in [(9.0, 30.0), (21.0, 60.0), (39.0, 100.0)] {
            assert!(shown_better_than_chance(most, n), "{most} of {n}");
            assert!(!shown_better_than_chance(most + 1.0, n), "{most} + 1 of {n}");
        }
        assert!(!shown_better_than_chance(0.0, 29.0));
    }
}
