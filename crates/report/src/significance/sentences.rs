//! Describes the test of each comparison in sentences.

use llull_stats::{Correction, Direction, PairTest, Undefined};

use super::family::{Family, Tests};
use super::legend::{corrected, test_name};
use super::table::SignificanceTable;
use super::tested_comparison::{EquivalenceTest, TestedComparison};
use crate::comparison::ComparisonFinding;
use crate::text::{capitalised, confidence, count, counted, difference, estimate, figure, probability};

/// Adds the test result to each comparison's sentence, and the number of queries that would decide if these do not.
/// With a margin it adds whether the two are equivalent.
pub(super) fn describe(table: &mut SignificanceTable) {
    let tests = &table.tests;
    let comparisons = table.comparisons.len();
    for tested in &mut table.comparisons {
        let mut sentence = std::mem::take(&mut tested.comparison.sentence);
        // Equal values, or none, are no outcome of a test.
        if !matches!(
            tested.comparison.decision,
            ComparisonFinding::Identical
                | ComparisonFinding::Unmeasured
                | ComparisonFinding::NotTrusted
                | ComparisonFinding::Incomplete { .. }
        ) {
            sentence.push_str(&format!(" {}.", outcome(tested, tests)));
        }
        if let Some(more) = more_topics(tested) {
            sentence.push_str(&format!(" {more}."));
        }
        if let Some(equivalence) = &tested.equivalence {
            sentence.push_str(&format!(
                " {}.",
                equivalent(equivalence, tested.comparison.mean_difference, comparisons)
            ));
        }
        tested.comparison.sentence = sentence;
    }
}

/// `Permutation test: p = 0.0029 corrected for 6 pairs, 0.0005 by itself: significant at 0.05`
fn outcome(tested: &TestedComparison, tests: &Tests) -> String {
    let TestedComparison { comparison, test, .. } = tested;
    let name = capitalised(test_name(test.name));
    let (Some(p), Some(adjusted)) = (test.p, test.p_adjusted) else {
        let reason = test.reason.as_deref().unwrap_or("it does not exist");
        return format!("{name}: no p, since {reason}");
    };
    if let Some(reason) = &test.reason {
        return format!("{name}: p = 1, since {reason}");
    }
    let figures = match corrected(tests) {
        false => equals(p),
        true => format!(
            "{} corrected for {}, {} by itself",
            equals(adjusted),
            counted(tests.tested, "pair"),
            probability(Some(p))
        ),
    };
    let verdict = if test.significant { "significant" } else { "not significant" };
    format!(
        "{name}: {figures}: {verdict} at {}{}{}",
        tests.significance,
        but(comparison.decision, tested, tests),
        against_the_mean(tested).unwrap_or_default()
    )
}

/// A remark if the test favours one of the two and the mean the other.
fn against_the_mean(tested: &TestedComparison) -> Option<String> {
    let TestedComparison { comparison, test, .. } = tested;
    let direction = test.direction.filter(|_| test.significant)?;
    let what = match test.name {
        PairTest::Sign => "its wins against its losses",
        PairTest::Wilcoxon => "the ranks of its wins against those of its losses",
        PairTest::Permutation | PairTest::T | PairTest::Bootstrap | PairTest::Tukey => return None,
    };
    let mean = comparison.mean_difference?;
    let (found, mean) = match direction {
        Direction::Better if mean < 0.0 => ("better", "lower"),
        Direction::Worse if mean > 0.0 => ("worse", "higher"),
        _ => return None,
    };
    Some(format!(
        ". By {what}, which are what is tested, {} is {found}, though its mean is {mean}",
        comparison.system
    ))
}

/// A remark if the decision, which follows from the interval, and the test differ.
fn but(decision: ComparisonFinding, tested: &TestedComparison, tests: &Tests) -> &'static str {
    let of_one = corrected(tests) && tested.test.p.is_some_and(|p| p <= tests.significance);
    match (decision, tested.test.significant) {
        (ComparisonFinding::Inconclusive, true) if tested.comparison.undecidable.is_some() => {
            ", but on too few queries to decide"
        }
        (ComparisonFinding::Inconclusive, true) => ", though the interval holds 0",
        (ComparisonFinding::Better | ComparisonFinding::Worse, false) if of_one => {
            ", though the interval excludes 0: it is of this comparison alone"
        }
        (ComparisonFinding::Better | ComparisonFinding::Worse, false) => ", though the interval excludes 0",
        _ => "",
    }
}

/// How many queries would show a difference that these do not show.
fn more_topics(tested: &TestedComparison) -> Option<String> {
    let TestedComparison { comparison, power, .. } = tested;
    let needed = power.topics_needed.filter(|needed| *needed > comparison.n)?;
    // With too few differing queries the comparison's own sentence already has the number needed.
    if comparison.decision != ComparisonFinding::Inconclusive || comparison.undecidable.is_some() {
        return None;
    }
    let often = confidence(power.power);
    let these = power.detectable.map_or_else(String::new, |detectable| {
        format!("; these {} would show one of {} as often", count(comparison.n), figure(detectable))
    });
    Some(format!(
        "If the true difference were the one seen here, {} would show it {often} of the time (paired t test at \
         {}, one comparison){these}",
        format_args!("{} queries", estimate(needed)),
        power.significance,
    ))
}

/// `They are equivalent within ±0.02 (two one-sided t tests, p = 0.0100)`
fn equivalent(equivalence: &EquivalenceTest, mean: Option<f64>, comparisons: usize) -> String {
    let within = format!("within ±{}", equivalence.margin);
    if let (true, Some(always)) = (equivalence.constant, mean) {
        let lies = if always.abs() < equivalence.margin { &within } else { &format!("not {within}") };
        return format!(
            "Their difference is {} on every query, {lies}; without any spread there is no t test, and no p, of \
             whether it is so on other queries",
            difference(Some(always))
        );
    }
    let Some(adjusted) = equivalence.p_adjusted else {
        let reason = equivalence.reason.as_deref().unwrap_or("there is no p");
        return format!("Whether they are equivalent {within} is not tested, since {reason}");
    };
    let finding = if equivalence.equivalent == Some(true) {
        "They are equivalent"
    } else {
        "They are not shown to be equivalent"
    };
    let for_all = match equivalence.correction {
        Correction::None => String::new(),
        _ if comparisons == 1 => String::new(),
        _ => format!(" corrected for {}", counted(comparisons, "comparison")),
    };
    format!("{finding} {within} (two one-sided t tests, {}{for_all})", equals(adjusted))
}

fn equals(p: f64) -> String {
    match probability(Some(p)) {
        small if small.starts_with('<') => format!("p {small}"),
        p => format!("p = {p}"),
    }
}

/// The reasons why no pair of a table can be significant, with advice.
pub(super) fn notes(topics: usize, tests: &Tests) -> Vec<String> {
    let fewer = match tests.family {
        _ if !tests.is_only_corrected_away() => "",
        Family::AllPairs => {
            ", or fewer pairs: fewer systems, or each with the baseline only; or the correction bh"
        }
        Family::Baseline => ", or fewer systems, or the correction bh",
    };
    out_of_reach(topics, tests, fewer).into_iter().collect()
}

/// Explains why no pair of a family, or no pair with a drawn p, can be significant whatever its figures are. It adds
/// how many queries or draws would be enough, and then `instead`: the alternative.
pub fn out_of_reach(topics: usize, tests: &Tests, instead: &str) -> Option<String> {
    let holm = tests.correction == Correction::Holm && tests.tested > 1;
    let after = if holm { " after Holm's correction" } else { "" };
    let none = match tests.out_of_reach {
        1 if tests.tested == 1 => "the one pair cannot".to_owned(),
        1 => "the one pair whose p is drawn cannot".to_owned(),
        all if all == tests.tested => format!("none of the {} can", counted(all, "pair")),
        drawn => format!("none of the {} whose p is drawn can", counted(drawn, "pair")),
    };
    let head = format!("{none} be significant at {}{after}, whatever the figures:", tests.significance);
    let name = test_name(tests.name);
    if let Some((needed, draws)) = tests.draws_needed.zip(tests.draws) {
        let (draws, needed) = (count(draws), count(needed));
        return Some(format!(
            "{head} {draws} draws of the {name} are too few. It takes at least {needed}{instead}"
        ));
    }
    let needed = tests.topics_needed?;
    // The bootstrap draws all queries, the others those that differ.
    let of_all = tests.name == PairTest::Bootstrap;
    let few = if of_all { topics } else { tests.most_differing };
    let are = if few == 1 { "is" } else { "are" };
    let differing = counted(few, "query");
    Some(match few == topics {
        true => {
            format!("{head} {differing} {are} too few for the {name}. It takes at least {needed}{instead}")
        }
        false => format!(
            "{head} no two systems differ on more than {differing} of {}, too few for the {name}. They must \
             differ on at least {needed}{instead}",
            count(topics)
        ),
    })
}

/// Why nothing was tested.
pub(super) const NO_QUERIES: &str = "there are no queries";

/// Explains a missing p, or a p of 1: a test that counts all outcomes gives 1 if there is nothing to count.
pub(super) fn reason(undefined: Option<Undefined>, differing: usize) -> Option<String> {
    undefined.or((differing == 0).then_some(Undefined::Identical)).map(|why| why.to_string())
}

/// The same in a word or two, for a narrow cell.
pub(super) fn short(undefined: Undefined) -> &'static str {
    match undefined {
        Undefined::TooFew { .. } => "too few",
        Undefined::Identical => "identical",
        Undefined::NoSpread => "no spread",
        Undefined::OutOfRange => "out of range",
    }
}
