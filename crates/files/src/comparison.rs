//! Compares systems whose figures are known, with everything that limits the comparison.

use llull_metrics::{Measure, Scores};
use llull_report::text::{counted, percent};
use llull_report::{
    GateResult, LettersWithheld, ReportError, SignificanceOptions, SignificanceTable, SystemRow,
    add_track_records, gates, is_comparable, significance,
};
use llull_stats::{BootstrapOptions, Gate, GateSubject};

use crate::corrections::Corrections;
use crate::missing_bounds::MissingBounds;

/// What limits a comparison of systems; nothing by default.
#[derive(Debug, Default)]
pub struct ComparisonLimits {
    /// How far missing labels could change the figures.
    pub missing: MissingBounds,
    /// The figures, corrected by human labels.
    pub corrected: Corrections,
    /// The unreliable judges, as a phrase for a sentence.
    pub unreliable_judges: Option<String>,
    /// Whether all labels are judges', so that verdicts have a track record.
    pub by_judges_alone: bool,
}

/// The results of a comparison.
#[derive(Debug)]
pub struct SystemsComparison {
    /// A table for each measure by which systems can be compared, in the order of the measures.
    pub tables: Vec<SignificanceTable>,
    /// The results of the gates.
    pub gates: Vec<GateResult>,
}

/// Tests systems against each other by every measure by which they can be compared, and checks gates. A single system
/// has gates on its own figures alone.
///
/// # Errors
/// Returns those of [`significance`] and [`gates`].
pub fn compare_systems(
    scores: &[Scores],
    baseline: &str,
    options: &SignificanceOptions,
    gates_wanted: &[Gate],
    limits: &ComparisonLimits,
) -> Result<SystemsComparison, ReportError> {
    let ComparisonLimits { missing, corrected, unreliable_judges, by_judges_alone } = limits;
    let bootstrap = &options.bootstrap;
    let measures = scores.first().map_or(&[][..], |scores| scores.measures.as_slice());
    let mut tables = Vec::new();
    let comparable = measures.iter().enumerate().filter(|(_, measure)| is_comparable(measure));
    for (place, _) in comparable.filter(|_| scores.len() > 1) {
        let mut table = significance(scores, place, baseline, options)?;
        missing.bound(&mut table, place, bootstrap)?;
        correct(&mut table, corrected, place);
        if let Some(judges) = unreliable_judges {
            table.distrust(judges);
        }
        if *by_judges_alone {
            add_track_records(table.comparisons.iter_mut().map(|tested| &mut tested.comparison), scores);
        }
        tables.push(table);
    }
    let mut gates = gates(gates_wanted, scores, baseline, bootstrap)?;
    bound_gates(&mut gates, (gates_wanted, bootstrap), scores, missing)?;
    correct_gates(&mut gates, gates_wanted, scores, baseline, corrected);
    if let Some(judges) = unreliable_judges {
        gates.iter_mut().for_each(|gate| gate.distrust(judges));
    }
    Ok(SystemsComparison { tables, gates })
}

/// Replaces verdicts by those of human labels where possible, and adds the reason elsewhere.
fn correct(table: &mut SignificanceTable, corrected: &Corrections, measure: usize) {
    for tested in &mut table.comparisons {
        let correction = corrected.difference(&tested.comparison.system, measure);
        match correction {
            Some(Ok(figure)) => tested.comparison.correct(figure.clone()),
            Some(Err(reason)) => tested.comparison.leave_uncorrected(reason),
            None => {}
        }
    }
    if !corrected.is_empty() {
        table.withhold_letters(LettersWithheld::HumanLabels, |_, _| true);
    }
}

/// Fails gates as incomplete whose outcome missing labels could change.
fn bound_gates(
    results: &mut [GateResult],
    (gates, bootstrap): (&[Gate], &BootstrapOptions),
    scores: &[Scores],
    missing: &MissingBounds,
) -> Result<(), ReportError> {
    for result in results {
        let Some((gate, measure)) = tested(result, gates, scores) else { continue };
        let own = gate.subject() == GateSubject::Value;
        result.bound(gate, missing.bounds(&result.system, measure, own), bootstrap)?;
    }
    Ok(())
}

/// The gate of a result, and the position of its measure.
fn tested<'a>(result: &GateResult, gates: &'a [Gate], scores: &[Scores]) -> Option<(&'a Gate, usize)> {
    let gate = gates.iter().find(|gate| gate.to_string() == result.gate)?;
    let written: Measure = gate.measure().parse().ok()?;
    Some((gate, scores.first()?.position(&written)?))
}

/// Tests gates on the figures that human labels correct.
fn correct_gates(
    results: &mut [GateResult],
    gates: &[Gate],
    scores: &[Scores],
    baseline: &str,
    corrected: &Corrections,
) {
    for result in results {
        let Some((gate, measure)) = tested(result, gates, scores) else { continue };
        let correction = match gate.subject() {
            GateSubject::Value => corrected.figure(&result.system, measure),
            GateSubject::Difference => corrected.difference(&result.system, measure),
        };
        match correction {
            Some(Ok(figure)) => result.correct(gate, baseline, figure),
            Some(Err(reason)) => result.leave_uncorrected(reason),
            None => {}
        }
    }
}

/// Describes queries that systems do not answer, which changes the comparison; `None` if there are none.
pub fn warning_of_unanswered(scores: &[Scores]) -> Option<String> {
    let missing: Vec<&Scores> = scores.iter().filter(|scores| scores.missing() > 0).collect();
    let first = missing.first()?;
    let text = format!(
        "{}: {} of {} are not answered, and count as 0",
        first.run,
        first.missing(),
        counted(first.topics.len(), "query")
    );
    Some(match missing.len() {
        1 => text,
        systems => {
            format!("{systems} systems do not answer some queries, which count as 0 (the first: {text})")
        }
    })
}

/// Describes systems whose shares of documents without a label differ by ten points or more, measure by measure.
pub fn warnings_of_unjudged_shares(tables: &[SignificanceTable]) -> Vec<String> {
    let of_table = |table: &SignificanceTable| {
        let share = |row: &SystemRow| Some((row.figure.unjudged_share?, row.system.clone()));
        let mut shares: Vec<(f64, String)> = table.systems.iter().filter_map(share).collect();
        shares.sort_by(|a, b| a.0.total_cmp(&b.0));
        let ((low, least), (high, most)) = (shares.first()?, shares.last()?);
        (high - low >= 0.1).then(|| {
            format!(
                "{}: {} of what {most} returned has no label, and {} of what {least} returned. Documents without a \
                 label count as not relevant, which favours {least}. Label more, or leave them out \
                 (judged_only=True)",
                table.measure,
                percent(*high),
                percent(*low),
            )
        })
    };
    tables.iter().filter_map(of_table).collect()
}

/// Describes the measures that are left out, because systems cannot be compared by them; `None` if there are none.
pub fn note_of_left_out(measures: &[Measure]) -> Option<String> {
    let left_out = measures.iter().filter(|measure| !is_comparable(measure));
    let left_out: Vec<String> = left_out.map(ToString::to_string).collect();
    (!left_out.is_empty())
        .then(|| format!("left out, since systems cannot be compared by it: {}", left_out.join(", ")))
}

/// The notes on the tests of each measure: once if they are the same for every measure.
pub fn warnings_of_tests(tables: &[SignificanceTable]) -> Vec<String> {
    let Some(first) = tables.first() else { return Vec::new() };
    if tables.iter().all(|table| table.notes == first.notes) {
        return first.notes.clone();
    }
    let of_table = |table: &SignificanceTable| {
        table.notes.iter().map(|note| format!("{}: {note}", table.measure)).collect::<Vec<_>>()
    };
    tables.iter().flat_map(of_table).collect()
}
