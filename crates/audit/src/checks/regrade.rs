//! Checks for grades that change when a document is graded again.

use std::collections::BTreeMap;

use llull_core::SplitMix64;

use crate::checks::flips::LEAST_RECHECKS;
use crate::clustered_share::ClusteredShare;
use crate::finding::{Finding, needs};
use crate::reference::Place;
use crate::{AskedAs, AuditOptions, AuditedJudge, CheckKind, CheckOutcome, GradedAnswer};

/// Decent judges change fewer of their grades than this, by convention: with errors of half a grade about a third
/// change.
const DECENT: f64 = 0.4;

/// The chance that a judge with random second grades passes: 2.5%, as for flips.
const CHANCE_PASSES: f64 = 0.025;

/// How often first grades are drawn again, to estimate the result by chance.
const DRAWS: usize = 1999;

/// Returns the share of grades that changed when the same document was graded again. The value by chance is that of
/// drawing from the judge's own grades, query by query.
///
/// The judge has to show consistency, as for flips. From 30 rechecks on, its second grades must be nearer to the first
/// ones than grades of the same query's other documents ([`Again::p_of_chance`]).
pub(crate) fn regrade(judge: &AuditedJudge, options: &AuditOptions) -> Option<Finding> {
    let again = Again::of(judge);
    let changed = |pair: &(usize, f64, f64)| usize::from(pair.1 != pair.2);
    let share = ClusteredShare::new(again.pairs.iter().map(|pair| (changed(pair), 1)))?;
    let differs = |(query, first, _): &(usize, f64, f64)| {
        let all = again.grades_of(*query);
        all.iter().filter(|grade| *grade != first).count() as f64 / all.len() as f64
    };
    let chance = again.pairs.iter().map(differs).sum::<f64>() / again.pairs.len() as f64;
    let enough = share.n >= LEAST_RECHECKS;
    let better = again.p_of_chance(options) <= CHANCE_PASSES;
    let changed = format!(
        "{:.0}% of {} grades changed when the documents were graded again",
        100.0 * share.share,
        share.n
    );
    let by_chance = format!("chance: {:.0}%", 100.0 * chance);
    let more = if !enough {
        needs(LEAST_RECHECKS)
    } else if judge.temperature == Some(0.0) && share.share == 0.0 {
        " At temperature 0, this shows only that it repeats itself.".to_owned()
    } else {
        String::new()
    };
    let no_better = if better { "" } else { " That is not reliably better than chance." };
    // A judge with one grade never changes it, and is no better than drawing from that grade: that is for `one_grade`.
    let burden = enough && !better && share.share > 0.0;
    Some(Finding {
        n: share.n,
        value: Some(share.share),
        interval: share.interval(options.confidence),
        chance: Some(chance),
        p: enough.then(|| share.p_above(DECENT)),
        at_least: if burden { CheckOutcome::Failed } else { CheckOutcome::Passed },
        conclusion: format!(
            "Its grades are noisy: {changed} (good judges stay below {:.0}%; {by_chance}).{no_better}",
            100.0 * DECENT
        ),
        remedy: "Lower the temperature, or use the median of several samples.",
        ..Finding::of_figures(CheckKind::RepeatFlip, format!("{changed} ({by_chance}).{more}"))
    })
}

/// The grades of documents that were graded again.
struct Again {
    /// Each query's first grades, all of them.
    first: BTreeMap<usize, Vec<f64>>,
    /// The query of each document that was graded again, its first grade and the second.
    pairs: Vec<(usize, f64, f64)>,
}

impl Again {
    fn of(judge: &AuditedJudge) -> Self {
        let asked = |way: AskedAs| judge.graded.iter().filter(move |answer| answer.asked_as == way);
        let mut votes: BTreeMap<Place, &GradedAnswer> = BTreeMap::new();
        for answer in asked(AskedAs::Vote) {
            votes.entry((answer.query, answer.document)).or_insert(answer);
        }
        let pairs = asked(AskedAs::Repeated).filter_map(|answer| {
            let vote = votes.get(&(answer.query, answer.document))?;
            Some((answer.query, vote.grade, answer.grade))
        });
        let pairs = pairs.collect();
        let mut first: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for (place, vote) in votes {
            first.entry(place.0).or_default().push(vote.grade);
        }
        Self { first, pairs }
    }

    fn grades_of(&self, query: usize) -> &[f64] {
        self.first.get(&query).map_or(&[], Vec::as_slice)
    }

    /// Returns the chance that random second grades come as near to the first, by the sum of squared differences.
    /// First grades are drawn from those of the query, each document's at most once. It is a permutation test within
    /// queries, by 1,999 draws, with the p of Phipson and Smyth (2010), which includes the observed value.
    ///
    /// By simulation on the grades of TREC DL 2019 with 30 rechecks (5 and 20 documents a query), random grades pass
    /// in 2.5% to 3.5%. A judge with normal errors of .35 grades never fails, one of .5 in 1.5% to 4%, one of .8 in
    /// 19% to 26%. With 60 none of .5 fails, and one of .8 in 3% to 6%.
    fn p_of_chance(&self, options: &AuditOptions) -> f64 {
        let squared = |one: f64, other: f64| (one - other) * (one - other);
        let seen: f64 = self.pairs.iter().map(|(_, first, second)| squared(*first, *second)).sum();
        let mut queries: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for (query, _, second) in &self.pairs {
            queries.entry(*query).or_default().push(*second);
        }
        let mut drawn: Vec<(Vec<f64>, Vec<f64>)> =
            queries.into_iter().map(|(query, seconds)| (self.grades_of(query).to_vec(), seconds)).collect();
        let mut stream = SplitMix64::new(options.seed.stream("grades drawn anew"));
        let mut as_near = 0;
        for _ in 0..DRAWS {
            let mut sum = 0.0;
            for (grades, seconds) in &mut drawn {
                // Fisher and Yates's shuffle, as far as it is needed. For so few places the remainder is uniform.
                for (at, second) in seconds.iter().enumerate().take(grades.len()) {
                    let from = at + (stream.next_u64() % (grades.len() - at) as u64) as usize;
                    grades.swap(at, from);
                    sum += squared(grades[at], *second);
                }
            }
            as_near += usize::from(sum <= seen + 1e-9);
        }
        (as_near + 1) as f64 / (DRAWS + 1) as f64
    }
}

#[cfg(test)]
mod tests {
    use llull_core::{Item, Seed};

    use super::*;

    fn uniform(stream: &mut SplitMix64) -> f64 {
        (stream.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Irwin and Hall's approximation of a normal deviate.
    fn error(stream: &mut SplitMix64) -> f64 {
        (0..12).map(|_| uniform(stream)).sum::<f64>() - 6.0
    }

    /// A judge of 40 queries with 8 documents each, whose true grades are skewed as in TREC DL 2019, and 30 rechecks.
    fn judge(seed: u64, grade: impl Fn(f64, &mut SplitMix64) -> f64) -> AuditedJudge {
        let mut stream = SplitMix64::new(Seed(seed).stream("judge"));
        let mut graded = Vec::new();
        let mut truths = Vec::new();
        for place in 0..320 {
            let truth = match uniform(&mut stream) {
                ..0.55 => 0.0,
                0.55..0.72 => 1.0,
                0.72..0.9 => 2.0,
                _ => 3.0,
            };
            truths.push(truth);
            graded.push(answer(place, grade(truth, &mut stream), AskedAs::Vote));
        }
        for place in (0..30).map(|at| at * 32 / 3) {
            graded.push(answer(place, grade(truths[place], &mut stream), AskedAs::Repeated));
        }
        AuditedJudge { judge: "mini".into(), graded, ..AuditedJudge::default() }
    }

    fn answer(place: usize, grade: f64, asked_as: AskedAs) -> GradedAnswer {
        GradedAnswer { query: place / 8, document: Item::at(place % 8), grade, asked_as, rationale: None }
    }

    /// How many of 100 judges are not shown to be better than chance.
    fn accused(grade: impl Fn(f64, &mut SplitMix64) -> f64 + Copy) -> usize {
        let accused = (0..100).filter(|&seed| {
            let finding = regrade(&judge(seed, grade), &AuditOptions::new(Seed(seed))).unwrap();
            finding.at_least == CheckOutcome::Failed
        });
        accused.count()
    }

    #[test]
    fn coins_are_found_and_careful_judges_seldom_accused() {
        let careful = |noise: f64| {
            move |truth: f64, stream: &mut SplitMix64| (truth + noise * error(stream)).round().clamp(0.0, 3.0)
        };
        let coin = |_: f64, stream: &mut SplitMix64| (4.0 * uniform(stream)).floor();
        let lopsided = |_: f64, stream: &mut SplitMix64| (1.6 * uniform(stream)).powi(3).floor().min(3.0);
        let found = [accused(careful(0.35)), accused(careful(0.5)), accused(coin), accused(lopsided)];
        assert!(found[0] == 0 && found[1] <= 5, "{found:?}");
        assert!(found[2] >= 94 && found[3] >= 94, "{found:?}");
    }

    #[test]
    fn at_temperature_0_a_judge_that_repeats_itself_shows_no_more() {
        let exact = judge(1, |truth, _| truth);
        let said = |judge: &AuditedJudge| regrade(judge, &AuditOptions::new(Seed(1))).unwrap().figures;
        assert!(!said(&exact).contains("temperature"), "{}", said(&exact));
        let cold = AuditedJudge { temperature: Some(0.0), ..exact };
        assert!(said(&cold).ends_with("this shows only that it repeats itself."), "{}", said(&cold));
    }
}
