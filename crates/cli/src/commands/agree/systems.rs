//! Systems under two label sets, as they are printed.

use llull::agreement::{Conclusions, PowerSummary, SystemsUnderBoth};
use llull::stats::{Ends, RankChange};

use super::labels::{ends, interval_heading, number};
use super::output::{Other, Output};
use super::tested::{self, Names};
use llull::report::text::{count, counted, figure as value, text_table};

/// How many drops, and how many queries, are shown.
const SHOWN: usize = 5;

/// What should be known before a figure is believed.
pub(crate) fn notes(other: &str, systems: &SystemsUnderBoth) -> Vec<String> {
    let mut notes = Vec::new();
    let (only_truth, only_other) = (systems.queries_only_truth, systems.queries_only_other);
    if only_truth + only_other > 0 {
        notes.push(format!(
            "{other}: systems are compared over the {} that it shares with the truth; {} of the truth and {} of its own are left out",
            queries(systems.agreement.queries),
            count(only_truth as u64),
            count(only_other as u64)
        ));
    }
    if systems.unanswered > 0 {
        notes.push(format!(
            "{} of {} answers of a system to a query are missing; they count as 0 under both label sets",
            count(systems.unanswered as u64),
            count((systems.agreement.n * systems.agreement.queries) as u64)
        ));
    }
    if systems.agreement.n < 3 {
        notes.push(
            "of two systems nothing but \"alike\" or \"reversed\" could be said: correlations need three"
                .to_owned(),
        );
    }
    notes
}

fn queries(n: usize) -> String {
    if n == 1 { "1 query".to_owned() } else { format!("{} queries", count(n as u64)) }
}

/// Tables, and what stands above them.
pub(crate) fn parts(output: &Output, other: &Other, systems: &SystemsUnderBoth) -> Vec<String> {
    let mut parts = vec![heading(output, other, systems)];
    if systems.agreement.n > 2 {
        parts.push(correlations(systems, output.bootstrap.confidence));
        parts.extend(drops(systems));
        parts.extend(hardest(systems));
    }
    parts.push(conclusions(output, other, &systems.conclusions));
    parts.extend(power(output, other, systems));
    parts
}

fn heading(output: &Output, other: &Other, systems: &SystemsUnderBoth) -> String {
    let measured = if systems.measure == systems.other_measure {
        format!("{} under both", systems.measure)
    } else {
        format!(
            "{} under {}, {} under {}",
            systems.measure, output.truth_name, systems.other_measure, other.name
        )
    };
    let unjudged = |of: llull::agreement::UnjudgedDocuments| match of.seen {
        0 => "none were seen".to_owned(),
        seen => format!("{:.1}%", of.unjudged as f64 / seen as f64 * 100.0),
    };
    format!(
        "{} over {}: {measured}. Documents looked at that have no label: {} in the truth, {} in the other",
        counted(systems.agreement.n as u64, "system"),
        queries(systems.agreement.queries),
        unjudged(systems.unjudged.truth),
        unjudged(systems.unjudged.other)
    )
}

fn correlations(systems: &SystemsUnderBoth, confidence: f64) -> String {
    let (figures, ci) = (systems.agreement.figures, systems.agreement.ci);
    let row = |name: &str, figure: Option<f64>, interval: Option<Ends>| {
        vec![name.to_owned(), number(figure), ends(interval), count(systems.agreement.n as u64)]
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
            change.drop.to_string(),
            change.truth_rank.to_string(),
            change.other_rank.to_string(),
            value(change.truth),
            value(change.other),
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
fn hardest(systems: &SystemsUnderBoth) -> Option<String> {
    let by_query = systems.query_ids.iter().zip(&systems.agreement.tau_by_query);
    let mut taus: Vec<(&str, f64)> =
        by_query.filter_map(|(query, tau)| Some((query.as_str(), (*tau)?))).collect();
    taus.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(b.0)));
    let shown: Vec<String> = taus
        .iter()
        .take_while(|(_, tau)| *tau < 1.0)
        .take(SHOWN)
        .map(|(query, tau)| format!("{query} {}", value(*tau)))
        .collect();
    if shown.is_empty() {
        return None;
    }
    let undefined = match systems.agreement.queries - taus.len() {
        0 => String::new(),
        n => format!("; none on {}, where one side has all systems tied", queries(n)),
    };
    Some(format!("Queries with the lowest tau-b of the systems: {}{undefined}.", shown.join(", ")))
}

fn conclusions(output: &Output, other: &Other, conclusions: &Conclusions) -> String {
    let counts = conclusions.counts;
    let row = |name: &str, agree: u64, disagree: u64| vec![name.to_owned(), count(agree), count(disagree)];
    let rows = vec![
        row("significant under both", counts.active_agreements, counts.active_disagreements),
        row("under one alone (mixed)", counts.mixed_agreements, counts.mixed_disagreements),
        row("under neither", counts.passive_agreements, counts.passive_disagreements),
    ];
    let heading = counted(conclusions.pairs, "pair") + " of systems";
    let names = Names { truth: &output.truth_name, other: &other.name, several: false };
    format!("{}\n{}", text_table([&heading, "agree", "disagree"], rows), tested::line(&names, conclusions))
}

fn power(output: &Output, other: &Other, systems: &SystemsUnderBoth) -> Option<String> {
    let power = systems.power.as_ref()?;
    let row = |labels: &str, measure: &llull::metrics::Measure, of: &PowerSummary| {
        vec![
            labels.to_owned(),
            measure.to_string(),
            count(power.n as u64),
            count(of.significant as u64),
            of.share.map_or_else(|| "-".to_owned(), |share| format!("{:.1}%", share * 100.0)),
            number(of.median_d),
            number(of.median_dz),
        ]
    };
    let rows = vec![
        row(&output.truth_name, &systems.measure, &power.power.truth),
        row(&other.name, &systems.other_measure, &power.power.other),
    ];
    let headings =
        ["discriminative power", "measure", "pairs", "significant", "share", "median |d|", "median |d_z|"];
    Some(text_table(headings, rows))
}

/// What the figures say, and nothing about whether that is good enough.
pub(crate) fn sentences(output: &Output, other: &Other, systems: &SystemsUnderBoth) -> Vec<String> {
    let mut sentences: Vec<String> = ranking(output, other, systems).into_iter().collect();
    sentences.push(told_apart(output, other, systems));
    if let Some(power) = &systems.power {
        sentences.push(compared_power(output, other, power.n, &power.power.truth, &power.power.other));
    }
    if other.by_measure.len() > 1 {
        sentences =
            sentences.into_iter().map(|sentence| format!("{}: {sentence}", systems.measure)).collect();
    }
    sentences
}

fn told_apart(output: &Output, other: &Other, systems: &SystemsUnderBoth) -> String {
    let counts = systems.conclusions.counts;
    let (same, opposite) = (counts.active_agreements, counts.active_disagreements);
    if counts.significant_truth + counts.significant_other == 0 {
        return format!("{} tells no pair of systems apart, nor does {}.", output.truth_name, other.name);
    }
    if counts.significant_truth == 0 {
        return format!(
            "{} tells no pair of systems apart, {} {}.",
            output.truth_name,
            other.name,
            count(counts.significant_other)
        );
    }
    format!(
        "Of {} of systems that {} tells apart, {} tells {} apart with the same system ahead and {} with the other, and {} more \
         besides.",
        counted(counts.significant_truth, "pair"),
        output.truth_name,
        other.name,
        count(same),
        count(opposite),
        count(counts.significant_other - same - opposite),
    )
}

fn ranking(output: &Output, other: &Other, systems: &SystemsUnderBoth) -> Option<String> {
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
        "{} ranks the {} systems as {} does up to tau {}{interval}{furthest}.",
        other.name,
        count(systems.agreement.n as u64),
        output.truth_name,
        value(tau)
    ))
}

fn compared_power(
    output: &Output,
    other: &Other,
    pairs: usize,
    truth: &PowerSummary,
    theirs: &PowerSummary,
) -> String {
    let percent = |power: &PowerSummary| {
        power.share.map_or_else(|| "-".to_owned(), |share| format!("{:.1}%", share * 100.0))
    };
    format!(
        "{} tells {} of {} of systems apart, {} {}; the median effect |d| is {} against {}. To tell more apart is not to be right.",
        other.name,
        percent(theirs),
        counted(pairs as u64, "pair"),
        output.truth_name,
        percent(truth),
        number(theirs.median_d),
        number(truth.median_d)
    )
}
