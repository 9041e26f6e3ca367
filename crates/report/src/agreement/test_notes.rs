//! Describes the tests of systems, and why no pair can be significant.

use super::conclusions::Conclusions;
use super::systems::SystemsUnderBoth;
use crate::significance::{Tests, out_of_reach, tested_how};
use crate::text::{count, counted};

/// The names of the two label sets.
pub(super) struct Names<'a> {
    pub(super) truth: &'a str,
    pub(super) other: &'a str,
    /// Whether there are several other label sets, so that a remark has to name the one it is about.
    pub(super) several: bool,
}

/// `Significant: p at most 0.05 by the sign test (exact), Holm's correction for the 6 pairs.`
pub(super) fn line(names: &Names<'_>, conclusions: &Conclusions) -> String {
    let level = format!("Significant: p at most {}", conclusions.significance);
    let (truth, other) = (tested_how(&conclusions.tests.truth), tested_how(&conclusions.tests.other));
    match truth == other {
        true => format!("{level} by the {truth}."),
        false => {
            format!("{level}; under {} by the {truth}; under {} by the {other}.", names.truth, names.other)
        }
    }
}

/// The reasons why no pair can be significant. Measure and labels are named unless the remark holds for all.
pub(super) fn notes(names: &Names<'_>, by_measure: &[SystemsUnderBoth]) -> Vec<String> {
    let beyond = |systems: &SystemsUnderBoth, tests: &Tests| {
        out_of_reach(systems.agreement.queries, tests, &instead(tests))
    };
    let mut notes = of_each(names, by_measure, beyond);
    notes.extend(of_each(names, by_measure, |_, tests| without_p(tests)));
    notes
}

fn of_each(
    names: &Names<'_>,
    by_measure: &[SystemsUnderBoth],
    said: impl Fn(&SystemsUnderBoth, &Tests) -> Option<String>,
) -> Vec<String> {
    let of = |systems: &SystemsUnderBoth| {
        let tests = &systems.conclusions.tests;
        (said(systems, &tests.truth), said(systems, &tests.other))
    };
    let Some(first) = by_measure.first().map(of) else { return Vec::new() };
    let shared = by_measure.iter().all(|systems| of(systems) == first);
    let mut notes = Vec::new();
    for systems in &by_measure[..if shared { 1 } else { by_measure.len() }] {
        let measure = if shared { String::new() } else { format!("{}: ", systems.measure) };
        match of(systems) {
            (Some(truth), Some(other)) if truth == other && !names.several => {
                notes.push(format!("{measure}{truth}"));
            }
            (truth, other) => {
                let sides = [(names.truth, truth), (names.other, other)];
                let sides = sides.into_iter().filter_map(|(name, note)| Some((name, note?)));
                notes.extend(sides.map(|(name, note)| format!("{measure}under {name}, {note}")));
            }
        }
    }
    notes
}

/// Advice besides more queries or draws.
fn instead(tests: &Tests) -> String {
    let tukey = if tests.draws_needed.is_some() { ", or --test tukey" } else { "" };
    match tests.is_only_corrected_away() {
        true => format!(", or fewer systems, or --correct bh{tukey}"),
        false => String::new(),
    }
}

/// How many pairs have no p, and why.
fn without_p(tests: &Tests) -> Option<String> {
    let (has, counts) = match tests.pairs - tests.tested {
        0 => return None,
        1 => ("has", "counts"),
        _ => ("have", "count"),
    };
    let reasons: Vec<String> = match tests.untested.as_slice() {
        [only] => vec![only.reason.clone()],
        several => several.iter().map(|why| format!("{}: {}", count(why.pairs), why.reason)).collect(),
    };
    Some(format!(
        "{} of {} of systems {has} no p and {counts} as not significant ({})",
        count((tests.pairs - tests.tested) as u64),
        counted(tests.pairs, "pair"),
        reasons.join("; ")
    ))
}
