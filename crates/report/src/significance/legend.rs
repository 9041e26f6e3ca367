//! Explains the letters, p and intervals of a table.

use llull_stats::{Correction, PairTest};

use super::family::{Family, Tests};
use super::table::{LettersWithheld, SignificanceTable};
use crate::systems::without_interval;
use crate::text::{ALPHABET, capitalised, confidence, count, counted};

/// How the p of all pairs of systems were computed:
/// `permutation test (exact: all sign flips), Holm's correction for the 6 pairs`.
pub fn tested_how(tests: &Tests) -> String {
    let all = match tests.tested {
        tested if tested == tests.pairs => format!("the {}", counted(tested, "pair")),
        tested => format!("the {tested} of {} that have a p", counted(tests.pairs, "pair")),
    };
    format!("{}, {}", how(&[tests]), corrected_for(tests, &all, ""))
}

/// The meaning of letters and intervals in tables that were made with the same options: two sentences.
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
    let withheld = match tables.iter().find_map(|table| table.letters_withheld) {
        None => "",
        Some(LettersWithheld::JudgeFailed) => " There are no letters, since a judge failed a check.",
        Some(LettersWithheld::HumanLabels) => {
            " There are no letters, since human labels correct the figures."
        }
        Some(LettersWithheld::MissingLabels) => " A pair that missing labels could reverse has no letter.",
    };
    let letters = format!(
        "{letter}, at {}. {}, {family}{across}.{withheld}",
        tests.significance,
        capitalised(&how(&all))
    );
    let of_means = without_interval(first.n, first.confidence).unwrap_or_else(|| {
        format!(
            "Intervals: {}, expanded bootstrap (BCa of means, percentile of differences), {} resamples, seed {}; \
             exact of means of zeros and ones; of d_z by the noncentral t.",
            confidence(first.confidence),
            count(first.resamples),
            first.seed
        )
    });
    let intervals = format!("{}. {of_means}", counted(first.n, "query"));
    vec![letters, intervals]
}

/// The family that p are corrected for. `of_each` adds that there is one such family for each measure.
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
    let name = test_name(first.name);
    let all = |figure: fn(&Tests) -> usize| tests.iter().map(|tests| figure(tests)).sum::<usize>();
    let (exact, tested) = (all(|tests| tests.exact), all(|tests| tests.tested));
    let drawn = tests.iter().find_map(|tests| tests.draws.zip(tests.seed));
    match (first.name, drawn) {
        (PairTest::Permutation, None) => format!("{name} (exact: all sign flips)"),
        (PairTest::Permutation, Some((draws, seed))) => {
            let draws = count(draws);
            let some = if exact > 0 { "exact on few differing queries, else " } else { "" };
            format!("{name} ({some}{draws} random sign flips, seed {seed})")
        }
        (_, Some((draws, seed))) => format!("{name} ({} draws, seed {seed})", count(draws)),
        (PairTest::Wilcoxon, None) if exact < tested => {
            format!("{name} ({exact} of {tested} exact, the others by the normal distribution)")
        }
        (PairTest::Wilcoxon | PairTest::Sign, None) => format!("{name} (exact)"),
        (_, None) => name.to_owned(),
    }
}

pub(super) fn test_name(test: PairTest) -> &'static str {
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

/// The letter of a system, given its place from 0: a to z without q, then aa, ab and so on, as columns of a
/// spreadsheet are called.
///
/// ```
/// use llull_report::letter;
/// assert_eq!([0, 15, 16, 24, 25, 49, 50, 649, 650].map(letter), ["a", "p", "r", "z", "aa", "az", "ba", "zz", "aaa"]);
/// ```
pub fn letter(place: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = place + 1;
    while rest > 0 {
        rest -= 1;
        letters.extend(ALPHABET.get(rest % ALPHABET.len()).map(|(letter, _)| *letter));
        rest /= ALPHABET.len();
    }
    letters.iter().rev().collect()
}

/// The letters of systems, given by their places in ascending order, as one text: `acd`.
///
/// If there are so many systems that some have two letters, the list has commas, and three or more in a row become a
/// range: `a-d,f,ab`.
pub fn letters(places: &[usize], lettered: usize) -> String {
    if lettered <= ALPHABET.len() {
        return places.iter().map(|place| letter(*place)).collect();
    }
    let rows = places.chunk_by(|before, after| before + 1 == *after);
    let written = rows.map(|row| match row {
        [first, .., last] if row.len() > 2 => format!("{}-{}", letter(*first), letter(*last)),
        row => row.iter().map(|place| letter(*place)).collect::<Vec<_>>().join(","),
    });
    written.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_system_has_a_letter_of_its_own() {
        let all: BTreeSet<String> = (0..2_000).map(letter).collect();
        assert_eq!(all.len(), 2_000);
        assert!(all.iter().all(|letters| !letters.contains('q')));
    }

    #[test]
    fn letters_are_run_together_until_some_have_two() {
        assert_eq!(letters(&[0, 1, 2, 3, 24], 25), "abcdz");
        assert_eq!(letters(&[0, 1, 2, 3, 24], 26), "a-d,z");
        assert_eq!(letters(&[0, 1, 5, 23, 24, 25, 27], 28), "a,b,f,y-aa,ac");
        assert_eq!(letters(&[], 40), "");
    }
}
