//! Systems under two label sets, in tables and sentences.

use llull_metrics::Measure;
use llull_stats::{DiscriminativePower, Ends, RankChange};

use super::label_tables::{ends, interval_heading};
use super::report::{AgreementReport, OtherLabels};
use super::systems::{Conclusions, SystemsUnderBoth, UnjudgedDocuments};
use crate::significance::{Tests, out_of_reach, tested_how};
use crate::text::{count, counted, figure, percent, text_table};

/// How many drops, and how many queries, are shown.
const SHOWN: usize = 5;

/// The tables of one measure, below a heading.
pub(super) fn tables(
    report: &AgreementReport,
    other: &OtherLabels,
    systems: &SystemsUnderBoth,
) -> Vec<String> {
    let mut parts = vec![heading(report, other, systems)];
    if systems.agreement.n > 2 {
        parts.push(correlations(systems, report.bootstrap.confidence));
        parts.extend(drops(systems));
        parts.extend(lowest(systems));
    }
    parts.push(conclusions(report, other, &systems.conclusions));
    parts.extend(power(report, other, systems));
    parts
}

fn heading(report: &AgreementReport, other: &OtherLabels, systems: &SystemsUnderBoth) -> String {
    let measured = if systems.measure == systems.other_measure {
        format!("{} under both", systems.measure)
    } else {
        format!(
            "{} under {}, {} under {}",
            systems.measure, report.truth_name, systems.other_measure, other.name
        )
    };
    let unjudged = |of: UnjudgedDocuments| match of.seen {
        0 => "none were seen".to_owned(),
        seen => percent(of.unjudged as f64 / seen as f64),
    };
    format!(
        "{} over {}: {measured}. Documents looked at that have no label: {} in the truth, {} in the other",
        counted(systems.agreement.n, "system"),
        counted(systems.agreement.queries, "query"),
        unjudged(systems.unjudged.truth),
        unjudged(systems.unjudged.other)
    )
}

fn correlations(systems: &SystemsUnderBoth, confidence: f64) -> String {
    let (figures, ci) = (systems.agreement.figures, systems.agreement.ci);
    let row = |name: &str, value: Option<f64>, interval: Option<Ends>| {
        vec![name.to_owned(), figure(value), ends(interval), count(systems.agreement.n)]
    };
    let rows = vec![
        row("Kendall's tau-b", figures.tau, ci.and_then(|ci| ci.tau)),
        row("tau-AP", figures.tau_ap, ci.and_then(|ci| ci.tau_ap)),
        row("Spearman's rho", figures.spearman, ci.and_then(|ci| ci.spearman)),
        row("Pearson's r", figures.pearson, ci.and_then(|ci| ci.pearson)),
        row("RBO, p = 0.9", figures.rbo, ci.and_then(|ci| ci.rbo)),
        row("tau-b by query, mean", systems.agreement.mean_tau_by_query, None),
    ];
    text_table(["correlation", "value", &interval_heading(confidence), "systems"], rows)
}

/// Systems that rank lower under the other labels, at most five.
fn drops(systems: &SystemsUnderBoth) -> Option<String> {
    let falls = |change: &&RankChange| change.drop > 0;
    let fallen = systems.agreement.changes.iter().filter(falls).count();
    let rows = systems.agreement.changes.iter().filter(falls).take(SHOWN).map(|change| {
        vec![
            change.system.clone(),
            count(change.drop),
            change.truth_rank.to_string(),
            change.other_rank.to_string(),
            figure(change.truth),
            figure(change.other),
        ]
    });
    let heading = match fallen {
        0 => return None,
        n if n > SHOWN => format!("largest drops, {SHOWN} of {n}"),
        _ => "drops".to_owned(),
    };
    Some(text_table([&heading, "ranks", "truth", "other", "mean, truth", "mean, other"], rows))
}

/// The queries on which the two order the systems least alike, where any is not ordered the same.
fn lowest(systems: &SystemsUnderBoth) -> Option<String> {
    let by_query = systems.query_ids.iter().zip(&systems.agreement.tau_by_query);
    let mut taus: Vec<(&str, f64)> =
        by_query.filter_map(|(query, tau)| Some((query.as_str(), (*tau)?))).collect();
    taus.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(b.0)));
    let shown: Vec<String> = taus
        .iter()
        .take_while(|(_, tau)| *tau < 1.0)
        .take(SHOWN)
        .map(|(query, tau)| format!("{query} {}", figure(*tau)))
        .collect();
    if shown.is_empty() {
        return None;
    }
    let undefined = match systems.agreement.queries - taus.len() {
        0 => String::new(),
        n => format!("; none on {}, where one side has all systems tied", counted(n, "query")),
    };
    Some(format!("Queries with the lowest tau-b of the systems: {}{undefined}.", shown.join(", ")))
}

fn conclusions(report: &AgreementReport, other: &OtherLabels, conclusions: &Conclusions) -> String {
    let counts = conclusions.counts;
    let row = |name: &str, agree: u64, disagree: u64| vec![name.to_owned(), count(agree), count(disagree)];
    let rows = vec![
        row("significant under both", counts.active_agreements, counts.active_disagreements),
        row("under one alone (mixed)", counts.mixed_agreements, counts.mixed_disagreements),
        row("under neither", counts.passive_agreements, counts.passive_disagreements),
    ];
    let heading = counted(conclusions.pairs, "pair") + " of systems";
    let names = TestedNames { truth: &report.truth_name, other: &other.name, several: false };
    format!("{}\n{}", text_table([&heading, "agree", "disagree"], rows), test_line(&names, conclusions))
}

fn power(report: &AgreementReport, other: &OtherLabels, systems: &SystemsUnderBoth) -> Option<String> {
    let power = systems.power.as_ref()?;
    let row = |labels: &str, measure: &Measure, of: &DiscriminativePower| {
        vec![
            labels.to_owned(),
            measure.to_string(),
            count(power.n),
            count(of.significant),
            percent(of.share),
            figure(of.median_d),
            figure(of.median_dz),
        ]
    };
    let rows = vec![
        row(&report.truth_name, &systems.measure, &power.power.truth),
        row(&other.name, &systems.other_measure, &power.power.other),
    ];
    let headings =
        ["discriminative power", "measure", "pairs", "significant", "share", "median |d|", "median |d_z|"];
    Some(text_table(headings, rows))
}

/// The sentences about systems under one label set and the truth.
pub(super) fn sentences(
    report: &AgreementReport,
    other: &OtherLabels,
    systems: &SystemsUnderBoth,
) -> Vec<String> {
    let mut sentences: Vec<String> = ranking(report, other, systems).into_iter().collect();
    sentences.push(told_apart(report, other, systems));
    if let Some(power) = &systems.power {
        sentences.push(compared_power(report, other, power.n, &power.power.truth, &power.power.other));
    }
    if other.by_measure.len() > 1 {
        sentences =
            sentences.into_iter().map(|sentence| format!("{}: {sentence}", systems.measure)).collect();
    }
    sentences
}

fn told_apart(report: &AgreementReport, other: &OtherLabels, systems: &SystemsUnderBoth) -> String {
    let counts = systems.conclusions.counts;
    let (same, opposite) = (counts.active_agreements, counts.active_disagreements);
    if counts.significant_truth + counts.significant_other == 0 {
        return format!("{} tells no pair of systems apart, nor does {}.", report.truth_name, other.name);
    }
    if counts.significant_truth == 0 {
        return format!(
            "{} tells no pair of systems apart, {} {}.",
            report.truth_name,
            other.name,
            count(counts.significant_other)
        );
    }
    format!(
        "Of {} of systems that {} tells apart, {} tells {} apart with the same system ahead and {} with the \
         other; it tells {} more apart.",
        counted(counts.significant_truth, "pair"),
        report.truth_name,
        other.name,
        count(same),
        count(opposite),
        count(counts.significant_other - same - opposite),
    )
}

fn ranking(report: &AgreementReport, other: &OtherLabels, systems: &SystemsUnderBoth) -> Option<String> {
    let tau = systems.agreement.figures.tau?;
    let interval = systems
        .agreement
        .ci
        .and_then(|ci| ci.tau)
        .map_or_else(String::new, |tau| format!(" {}", ends(Some(tau))));
    let furthest = systems.agreement.changes.first().filter(|change| change.drop > 0);
    let furthest = furthest.map_or_else(String::new, |change| {
        format!(
            "; {} falls furthest, from rank {} to {}",
            change.system, change.truth_rank, change.other_rank
        )
    });
    Some(format!(
        "The rankings of the {} systems under {} and {} have tau {}{interval}{furthest}.",
        count(systems.agreement.n),
        report.truth_name,
        other.name,
        figure(tau)
    ))
}

fn compared_power(
    report: &AgreementReport,
    other: &OtherLabels,
    pairs: usize,
    truth: &DiscriminativePower,
    theirs: &DiscriminativePower,
) -> String {
    format!(
        "{} tells {} of {} of systems apart, {} {}; the median effect |d| is {} against {}. To tell more apart \
         is not to be right.",
        other.name,
        percent(theirs.share),
        counted(pairs, "pair"),
        report.truth_name,
        percent(truth.share),
        figure(theirs.median_d),
        figure(truth.median_d)
    )
}

/// The warnings about the agreement of systems, a sentence each.
pub(super) fn system_notes(other: &str, systems: &SystemsUnderBoth) -> Vec<String> {
    let mut notes = Vec::new();
    let (only_truth, only_other) = (systems.queries_only_truth, systems.queries_only_other);
    if only_truth + only_other > 0 {
        notes.push(format!(
            "{other}: systems are compared over the {} that it shares with the truth; {} of the truth and {} of \
             its own are left out",
            counted(systems.agreement.queries, "query"),
            count(only_truth),
            count(only_other)
        ));
    }
    if systems.unanswered > 0 {
        notes.push(format!(
            "{} of {} answers of a system to a query are missing; they count as 0 under both label sets",
            count(systems.unanswered),
            count(systems.agreement.n * systems.agreement.queries)
        ));
    }
    let sides = [
        ("the truth", systems.measure, systems.without_relevant.truth),
        (other, systems.other_measure, systems.without_relevant.other),
    ];
    for (labels, measure, queries) in sides {
        if queries > 0 {
            notes.push(format!(
                "{labels}: {} of {} have no relevant document by {measure} and count as 0 for every system",
                count(queries),
                counted(systems.agreement.queries, "query"),
            ));
        }
    }
    if systems.agreement.n < 3 {
        notes.push("two systems can only be \"alike\" or \"reversed\": correlations need three".to_owned());
    }
    notes
}

/// The names of the two label sets.
pub(super) struct TestedNames<'a> {
    pub(super) truth: &'a str,
    pub(super) other: &'a str,
    /// Whether there are several other label sets, so that a remark has to name the one it is about.
    pub(super) several: bool,
}

/// `Significant: p at most 0.05 by the sign test (exact), Holm's correction for the 6 pairs.`
fn test_line(names: &TestedNames<'_>, conclusions: &Conclusions) -> String {
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
pub(super) fn test_notes(names: &TestedNames<'_>, by_measure: &[SystemsUnderBoth]) -> Vec<String> {
    let beyond = |systems: &SystemsUnderBoth, tests: &Tests| {
        out_of_reach(systems.agreement.queries, tests, &instead(tests))
    };
    let mut notes = of_each(names, by_measure, beyond);
    notes.extend(of_each(names, by_measure, |_, tests| without_p(tests)));
    notes
}

fn of_each(
    names: &TestedNames<'_>,
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
