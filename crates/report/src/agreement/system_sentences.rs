//! Describes the agreement of systems in sentences, without a judgement of quality.

use super::label_tables::ends;
use super::power::PowerSummary;
use super::report::{AgreementReport, OtherLabels};
use super::systems::SystemsUnderBoth;
use crate::text::{count, counted, figure, percent};

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
    truth: &PowerSummary,
    theirs: &PowerSummary,
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
