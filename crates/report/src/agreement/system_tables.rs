//! Tables of systems under two label sets.

use llull_metrics::Measure;
use llull_stats::{Ends, RankChange};

use super::conclusions::Conclusions;
use super::label_tables::{ends, interval_heading};
use super::power::PowerSummary;
use super::report::{AgreementReport, OtherLabels};
use super::systems::SystemsUnderBoth;
use super::test_notes;
use super::under_both::UnjudgedDocuments;
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
    let names = test_notes::Names { truth: &report.truth_name, other: &other.name, several: false };
    format!(
        "{}\n{}",
        text_table([&heading, "agree", "disagree"], rows),
        test_notes::line(&names, conclusions)
    )
}

fn power(report: &AgreementReport, other: &OtherLabels, systems: &SystemsUnderBoth) -> Option<String> {
    let power = systems.power.as_ref()?;
    let row = |labels: &str, measure: &Measure, of: &PowerSummary| {
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
