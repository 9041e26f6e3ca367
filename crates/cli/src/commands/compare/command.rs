//! `llull compare`: tests pairs of systems, and checks gates.

use anyhow::Result;
use llull::files::{
    ComparisonLimits, SystemsComparison, compare_systems, note_of_left_out, warning_of_unanswered,
    warnings_of_tests, warnings_of_unjudged_shares,
};
use llull::report::{
    CiResult, Family, SignificanceOptions, SliceLabels, check_comparable, is_comparable, level_note,
    slice_sections,
};
use llull::stats::{Correction, Gate, GateSubject, PairTest};

use super::inputs::{Measured, files, is_files, of_study};
use super::render::{ComparisonParts, print};
use crate::args::{CompareArgs, Format};
use crate::commands::{Context, check_ci_outputs, correction, measure, read_gates, write_ci_outputs};
use crate::exit::{Exit, Usage, refuse};

pub(crate) fn run(context: &Context, args: &CompareArgs) -> Result<Exit> {
    no_latex_beside_human_labels(args)?;
    if args.format == Some(Format::Latex) && !args.queries.slices.is_empty() {
        refuse!("--format latex has no tables of slices; use table, markdown or json with --slice");
    }
    no_other_test_of_slices(args)?;
    check_ci_outputs(context, &args.ci, Some(context.format(args.format)))?;
    let correction = correction(args.test, args.correct)?;
    let mut gates_wanted = read_gates(&args.gate)?;
    let of_files = is_files(context, args);
    let asked = asked(args, &gates_wanted);
    measure::parse(&asked)?;
    for measure in measure::parse_each(&compared(args, &gates_wanted))? {
        check_comparable(&measure).map_err(|error| Usage(error.to_string()))?;
    }
    let Measured {
        name,
        scores,
        baseline,
        exit,
        bootstrap,
        missing,
        corrected,
        changes,
        selection,
        sliced,
        check_gates,
        unreliable_judges,
        by_judges_alone,
        study,
    } = if of_files {
        files(context, args, &measure::parse(&asked)?)?
    } else {
        of_study(context, args, asked, &mut gates_wanted)?
    };
    context.check_columns()?;
    if scores.len() < 2 {
        refuse!("there is nothing to compare {baseline} with: name another system, or another --baseline");
    }
    measure::warn_of_unlabelled(context, &scores);
    context.printer.warnings(warning_of_unanswered(&scores));
    measure::warn_of_nothing_relevant(context, &scores);
    if let Some(note) = scores.first().and_then(|scores| level_note(&scores.measures)) {
        context.printer.note(note);
    }
    let options = SignificanceOptions {
        test: args.test,
        correction,
        family: if args.baseline.is_some() { Family::Baseline } else { Family::AllPairs },
        margin: args.equivalent,
        ..SignificanceOptions::new(bootstrap)
    };
    let limits = ComparisonLimits { missing, corrected, unreliable_judges, by_judges_alone };
    let measures = scores.first().map_or(&[][..], |scores| scores.measures.as_slice());
    context.printer.notes(note_of_left_out(measures));
    let SystemsComparison { mut tables, gates } =
        compare_systems(&scores, &baseline, &options, &gates_wanted, &limits)?;
    if let Some((study, known)) = &study {
        let tested = tables.iter_mut().flat_map(|table| &mut table.comparisons);
        let mut comparisons: Vec<_> = tested.map(|tested| &mut tested.comparison).collect();
        study.reports().add_by_judges(&known.inputs, &known.evidence, &mut comparisons)?;
    }
    let withdrawn = limits.unreliable_judges.as_ref().map(|judges| format!("{judges} failed a check"));
    let has_human_labels = !limits.corrected.is_empty();
    let mut slices = Vec::new();
    for (place, _) in measures.iter().enumerate().filter(|(_, measure)| is_comparable(measure)) {
        let bounds = |system: &str| limits.missing.differences(system, place).to_vec();
        let labels = SliceLabels { bounds: Some(&bounds), withdrawn: withdrawn.clone(), has_human_labels };
        slices.extend(slice_sections(&sliced, &scores, place, Some(&baseline), &labels, &bootstrap)?);
    }
    context.printer.warnings(warnings_of_tests(&tables));
    context.printer.warnings(warnings_of_unjudged_shares(&tables));
    let complete = exit == Exit::Fine;
    context
        .printer
        .warnings(check_gates.iter().filter(|gate| !gate.passed).map(|gate| gate.sentence.clone()));
    let ci = CiResult::of_comparison(name.as_deref(), &tables, (&gates, &check_gates), complete);
    let parts = ComparisonParts {
        selection: selection.as_ref(),
        slices: &slices,
        changes: changes.as_ref(),
        check_gates: &check_gates,
    };
    print(context, args, baseline, tables, gates, &parts)?;
    write_ci_outputs(context, &args.ci, &ci)?;
    Ok(ci.state().into())
}

/// Refuses a choice of the test beside slices, whose verdicts have one of their own.
fn no_other_test_of_slices(args: &CompareArgs) -> Result<()> {
    let other = [
        (args.test != PairTest::default(), "--test"),
        (!matches!(args.correct, None | Some(Correction::Holm)), "--correct"),
    ];
    if let Some((_, flag)) = other.iter().find(|(given, _)| *given && !args.queries.slices.is_empty()) {
        refuse!(
            "{flag} holds for the comparison of all queries; verdicts on slices are by bootstrap, Holm-adjusted at the \
             confidence of the intervals: leave out {flag} or --slice"
        );
    }
    Ok(())
}

/// Refuses the format that shows only figures of the judge's labels.
fn no_latex_beside_human_labels(args: &CompareArgs) -> Result<()> {
    if args.people.human.is_some() && args.format == Some(Format::Latex) {
        refuse!(
            "--format latex has the figures by the judge's labels alone; use table, markdown or json with --human"
        );
    }
    Ok(())
}

/// The names of the given measures, and of those that gates need.
fn asked(args: &CompareArgs, gates: &[Gate]) -> Vec<String> {
    args.measures.iter().cloned().chain(gates.iter().map(|gate| gate.measure().to_owned())).collect()
}

/// The names of the measures for comparisons: the given ones, and those of gates on differences.
fn compared(args: &CompareArgs, gates: &[Gate]) -> Vec<String> {
    let of_gates = gates.iter().filter(|gate| gate.subject() == GateSubject::Difference);
    args.measures.iter().cloned().chain(of_gates.map(|gate| gate.measure().to_owned())).collect()
}
