//! What the tests of a table say, in sentences.

use llull_stats::{Correction, Direction, PairTest};

use super::{EquivalenceTest, Family, SignificanceTable, Test, TestedComparison, Tests};
use crate::{
    ComparisonFinding,
    numbers::{confidence, count, counted, difference, probability},
    systems::without_interval,
};

/// Adds to each comparison's sentence what the test says, how many topics would tell where these do not, and whether
/// the two are equivalent where that was asked.
pub(super) fn describe(table: &mut SignificanceTable) {
    let tests = &table.tests;
    let comparisons = table.comparisons.len();
    for tested in &mut table.comparisons {
        let mut sentence = std::mem::take(&mut tested.comparison.sentence);
        sentence.push_str(&format!(" {}.", outcome(tested, tests)));
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
    let name = capitalised(named(test.name));
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

/// Where the test found one of the two better, and the mean is the other's.
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

/// Where the decision, which is the interval's, and the test differ.
fn but(decision: ComparisonFinding, tested: &TestedComparison, tests: &Tests) -> &'static str {
    let of_one = corrected(tests) && tested.test.p.is_some_and(|p| p <= tests.significance);
    match (decision, tested.test.significant) {
        (ComparisonFinding::Inconclusive, true) if tested.comparison.undecidable.is_some() => {
            ", but on too few topics to decide"
        }
        (ComparisonFinding::Inconclusive, true) => ", though the interval holds 0",
        (ComparisonFinding::Better | ComparisonFinding::Worse, false) if of_one => {
            ", though the interval excludes 0: it is of this comparison alone"
        }
        (ComparisonFinding::Better | ComparisonFinding::Worse, false) => ", though the interval excludes 0",
        _ => "",
    }
}

/// How many topics would show a difference that these do not.
fn more_topics(tested: &TestedComparison) -> Option<String> {
    let TestedComparison { comparison, power, .. } = tested;
    let needed = power.topics_needed.filter(|needed| *needed > comparison.n)?;
    // Of too few differing topics the comparison has said already how many it takes.
    if comparison.decision != ComparisonFinding::Inconclusive || comparison.undecidable.is_some() {
        return None;
    }
    let often = confidence(power.power);
    let these = power.detectable.map_or_else(String::new, |detectable| {
        format!("; these {} would show one of {detectable:.4} as often", count(comparison.n as u64))
    });
    Some(format!(
        "If the true difference were the one seen here, about {} would show it {often} of the time (paired t test at \
         {}, one comparison){these}",
        counted(needed, "topic"),
        power.significance,
    ))
}

/// `They are equivalent within ±0.02 (two one-sided t tests, p = 0.0100)`
fn equivalent(equivalence: &EquivalenceTest, mean: Option<f64>, comparisons: usize) -> String {
    let within = format!("within ±{}", equivalence.margin);
    if let (true, Some(always)) = (equivalence.constant, mean) {
        let lies = if always.abs() < equivalence.margin { &within } else { &format!("not {within}") };
        return format!(
            "Their difference is {} on every topic, {lies}; without any spread there is no t test, and no p, of whether it is so on other \
             topics",
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

/// What keeps every pair of a table from being significant, and what to do about it.
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

/// What keeps every pair, or every drawn one, of a family over so many topics from being significant, whatever its figures are, and how many topics or draws it takes.
/// `instead` goes on from there: what else can be done.
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
    let name = named(tests.name);
    if let Some((needed, draws)) = tests.draws_needed.zip(tests.draws) {
        let (draws, needed) = (count(draws as u64), count(needed as u64));
        return Some(format!(
            "{head} {draws} draws of the {name} are too few. It takes at least {needed}{instead}"
        ));
    }
    let needed = tests.topics_needed?;
    // The bootstrap draws all topics, the others those that differ.
    let of_all = tests.name == PairTest::Bootstrap;
    let few = if of_all { topics } else { tests.most_differing };
    let are = if few == 1 { "is" } else { "are" };
    let differing = counted(few, "topic");
    Some(match few == topics {
        true => {
            format!("{head} {differing} {are} too few for the {name}. It takes at least {needed}{instead}")
        }
        false => format!(
            "{head} no two systems differ on more than {differing} of {}, too few for the {name}. They must differ on at \
             least {needed}{instead}",
            count(topics as u64)
        ),
    })
}

/// How the p of all pairs of systems came about: `permutation test (exact: all sign flips), Holm's correction for the 6 pairs`.
pub fn tested_how(tests: &Tests) -> String {
    let all = match tests.tested {
        tested if tested == tests.pairs => format!("the {}", counted(tested, "pair")),
        tested => format!("the {tested} of {} that have a p", counted(tests.pairs, "pair")),
    };
    format!("{}, {}", how(&[tests]), corrected_for(tests, &all, ""))
}

/// What the letters and intervals of tables mean that were made with the same options: two sentences.
pub fn significance_legend(tables: &[SignificanceTable]) -> Vec<String> {
    let Some(first) = tables.first() else { return Vec::new() };
    let tests = &first.tests;
    let of_measure = if tables.len() > 1 { " of one measure" } else { "" };
    let with_p = tables.iter().any(|table| table.tests.tested < table.tests.pairs);
    let with_p = if with_p { " that have a p" } else { "" };
    let pairs = match tests.family {
        Family::AllPairs => format!("the {}{of_measure}{with_p}", counted(tests.pairs, "pair")),
        Family::Baseline => {
            let comparisons = counted(tests.pairs, "comparison");
            format!("the {comparisons} with {}{of_measure}{with_p}", first.baseline)
        }
    };
    let of_each = if tables.len() > 1 { " of each measure" } else { "" };
    let family = corrected_for(tests, &pairs, of_each);
    let across = if tables.len() > 1 { "; nothing is corrected across measures" } else { "" };
    let letter = match tests.family {
        Family::AllPairs => "A letter beside a figure: significantly better than that system".to_owned(),
        Family::Baseline => {
            format!("The letter a beside a figure: significantly better than {}", first.baseline)
        }
    };
    let all: Vec<&Tests> = tables.iter().map(|table| &table.tests).collect();
    let letters =
        format!("{letter}, at {}. {}, {family}{across}.", tests.significance, capitalised(&how(&all)));
    let of_means = without_interval(first.n, "topics", first.confidence).unwrap_or_else(|| {
        format!(
            "Intervals: {}, expanded bootstrap (BCa of means, percentile of differences), {} resamples, seed {}; of d_z by the noncentral t.",
            confidence(first.confidence),
            count(first.resamples as u64),
            first.seed
        )
    });
    let intervals = format!("{}. {of_means}", counted(first.n, "topic"));
    vec![letters, intervals]
}

/// For what p are corrected: for these pairs. One pair may be one `of_each` measure.
fn corrected_for(tests: &Tests, pairs: &str, of_each: &str) -> String {
    match tests.correction {
        _ if tests.name == PairTest::Tukey => "p hold for all systems together".to_owned(),
        _ if tests.pairs == 1 && !of_each.is_empty() => format!("one pair{of_each}"),
        _ if tests.pairs == 1 => "one pair, so that there is nothing to correct for".to_owned(),
        Correction::None => format!("not corrected for there being {}", counted(tests.pairs, "pair")),
        Correction::Holm => format!("Holm's correction for {pairs}"),
        Correction::BenjaminiHochberg => format!("Benjamini and Hochberg's correction for {pairs}"),
    }
}

/// The test, and how its p were computed.
fn how(tests: &[&Tests]) -> String {
    let Some(first) = tests.first() else { return String::new() };
    let name = named(first.name);
    let all = |figure: fn(&Tests) -> usize| tests.iter().map(|tests| figure(tests)).sum::<usize>();
    let (exact, tested) = (all(|tests| tests.exact), all(|tests| tests.tested));
    let drawn = tests.iter().find_map(|tests| tests.draws.zip(tests.seed));
    match (first.name, drawn) {
        (PairTest::Permutation, None) => format!("{name} (exact: all sign flips)"),
        (PairTest::Permutation, Some((draws, seed))) => {
            let draws = count(draws as u64);
            let some = if exact > 0 { "exact on few differing topics, else " } else { "" };
            format!("{name} ({some}{draws} random sign flips, seed {seed})")
        }
        (_, Some((draws, seed))) => format!("{name} ({} draws, seed {seed})", count(draws as u64)),
        (PairTest::Wilcoxon, None) if exact < tested => {
            format!("{name} ({exact} of {tested} exact, the others by the normal distribution)")
        }
        (PairTest::Wilcoxon | PairTest::Sign, None) => format!("{name} (exact)"),
        (_, None) => name.to_owned(),
    }
}

fn named(test: PairTest) -> &'static str {
    match test {
        PairTest::Permutation => "permutation test",
        PairTest::T => "paired t test",
        PairTest::Wilcoxon => "Wilcoxon signed-rank test",
        PairTest::Sign => "sign test",
        PairTest::Bootstrap => "bootstrap test",
        PairTest::Tukey => "randomised Tukey HSD test",
    }
}

/// Whether a corrected p can be another than p.
pub(super) fn corrected(tests: &Tests) -> bool {
    tests.correction != Correction::None && tests.tested > 1
}

/// What stands in a cell for p: the number, or in a word why there is none or it is 1.
pub(super) fn cell(p: Option<f64>, test: &Test) -> String {
    test.short.map_or_else(|| probability(p), str::to_owned)
}

fn equals(p: f64) -> String {
    match probability(Some(p)) {
        small if small.starts_with('<') => format!("p {small}"),
        p => format!("p = {p}"),
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
