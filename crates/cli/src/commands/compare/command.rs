//! `llull compare`: tests pairs of systems, and checks gates.

use anyhow::Result;
use llull::metrics::{Measure, Scores};
use llull::report::text::{counted, percent};
use llull::report::{
    CiResult, Family, GateResult, LettersWithheld, SignificanceOptions, SignificanceTable, SliceLabels,
    SystemRow, add_track_records, check_comparable, gates, significance, slice_sections,
};
use llull::stats::{BootstrapOptions, Correction, Gate, GateSubject, PairTest};

use super::corrections::Corrections;
use super::inputs::{Measured, comparable, files, is_files, of_study};
use super::render::{ComparisonParts, print};
use crate::args::{CompareArgs, Format};
use crate::commands::{Context, MissingBounds, check_ci_outputs, correction, measure, write_ci_outputs};
use crate::exit::{Exit, Usage, refuse};

pub(crate) fn run(context: &Context, args: &CompareArgs) -> Result<Exit> {
    no_latex_beside_human_labels(args)?;
    if args.format == Some(Format::Latex) && !args.queries.slices.is_empty() {
        refuse!("--format latex has no tables of slices; use table, markdown or json with --slice");
    }
    no_other_test_of_slices(args)?;
    check_ci_outputs(context, &args.ci, Some(context.format(args.format)))?;
    let correction = correction(args.test, args.correct)?;
    let mut gates_wanted = args
        .gate
        .iter()
        .map(|text| text.parse::<Gate>().map_err(|error| Usage(format!("--gate: {error}"))))
        .collect::<Result<Vec<_>, _>>()?;
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
        unreliable_judges,
        by_judges_alone,
    } = if of_files {
        files(context, args, &measure::parse(&asked)?)?
    } else {
        of_study(context, args, asked, &mut gates_wanted)?
    };
    if scores.len() < 2 {
        refuse!("there is nothing to compare {baseline} with: name another system, or another --baseline");
    }
    measure::warn_of_unlabelled(context, &scores);
    warn_of_topics(context, &scores);
    measure::warn_of_nothing_relevant(context, &scores);
    if let Some(note) = scores.first().and_then(|scores| measure::level_note(&scores.measures)) {
        context.printer.note(note);
    }
    let options = SignificanceOptions {
        test: args.test,
        correction,
        significance: args.significance,
        draws: args.draws.map(|draws| draws as usize),
        family: if args.baseline.is_some() { Family::Baseline } else { Family::AllPairs },
        margin: args.equivalent,
        bootstrap,
    };
    let withdrawn = unreliable_judges.as_ref().map(|judges| format!("{judges} failed a check"));
    let has_human_labels = !corrected.is_empty();
    let (mut tables, mut slices) = (Vec::new(), Vec::new());
    for measure in comparable(context, &scores) {
        let mut table = significance(&scores, measure, &baseline, &options)?;
        missing.bound(&mut table, measure, &bootstrap)?;
        correct(&mut table, &corrected, measure);
        if let Some(judges) = &unreliable_judges {
            table.distrust(judges);
        }
        if by_judges_alone {
            add_track_records(table.comparisons.iter_mut().map(|tested| &mut tested.comparison), &scores);
        }
        tables.push(table);
        let bounds = |system: &str| missing.differences(system, measure).to_vec();
        let labels = SliceLabels { bounds: Some(&bounds), withdrawn: withdrawn.clone(), has_human_labels };
        slices.extend(slice_sections(&sliced, &scores, measure, Some(&baseline), &labels, &bootstrap)?);
    }
    warn(context, &tables);
    warn_of_unjudged(context, &tables);
    let mut gates = gates(&gates_wanted, &scores, &baseline, &bootstrap)?;
    bound_gates(&mut gates, (&gates_wanted, &bootstrap), &scores, &missing)?;
    correct_gates(&mut gates, &gates_wanted, &scores, &baseline, &corrected);
    if let Some(judges) = &unreliable_judges {
        gates.iter_mut().for_each(|gate| gate.distrust(judges));
    }
    let complete = exit == Exit::Fine;
    let ci = CiResult::of_comparison(name.as_deref(), &tables, &gates, complete);
    let parts = ComparisonParts { selection: selection.as_ref(), slices: &slices, changes: changes.as_ref() };
    print(context, args, baseline, tables, gates, &parts)?;
    write_ci_outputs(context, &args.ci, &ci)?;
    Ok(ci.state().into())
}

/// Warns of systems whose shares of documents without a label differ by ten points or more.
fn warn_of_unjudged(context: &Context, tables: &[SignificanceTable]) {
    for table in tables {
        let share = |row: &SystemRow| Some((row.figure.unjudged_share?, row.system.clone()));
        let mut shares: Vec<(f64, String)> = table.systems.iter().filter_map(share).collect();
        shares.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let (Some((low, least)), Some((high, most))) = (shares.first(), shares.last())
            && high - low >= 0.1
        {
            context.printer.warn(format!(
                "{}: {} of what {most} returned has no label, and {} of what {least} returned. Documents without a \
                 label count as not relevant, which favours {least}. Label more, or leave them out \
                 (judged_only=True)",
                table.measure,
                percent(*high),
                percent(*low),
            ));
        }
    }
}

/// Refuses a choice of the test beside slices, whose verdicts have one of their own.
fn no_other_test_of_slices(args: &CompareArgs) -> Result<()> {
    let other = [
        (args.test != PairTest::default(), "--test"),
        (args.significance != 0.05, "--significance"),
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
) -> Result<()> {
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

/// The names of the given measures, and of those that gates need.
fn asked(args: &CompareArgs, gates: &[Gate]) -> Vec<String> {
    args.measures.iter().cloned().chain(gates.iter().map(|gate| gate.measure().to_owned())).collect()
}

/// The names of the measures for comparisons: the given ones, and those of gates on differences.
fn compared(args: &CompareArgs, gates: &[Gate]) -> Vec<String> {
    let of_gates = gates.iter().filter(|gate| gate.subject() == GateSubject::Difference);
    args.measures.iter().cloned().chain(of_gates.map(|gate| gate.measure().to_owned())).collect()
}

/// Warns of queries that systems do not answer, which changes the comparison: once, whether of one or of many.
fn warn_of_topics(context: &Context, scores: &[Scores]) {
    let missing: Vec<&Scores> = scores.iter().filter(|scores| scores.missing() > 0).collect();
    let Some(first) = missing.first() else { return };
    let text = format!(
        "{}: {} of {} are not answered, and count as 0",
        first.run,
        first.missing(),
        counted(first.topics.len(), "query")
    );
    context.printer.warn(match missing.len() {
        1 => text,
        systems => {
            format!("{systems} systems do not answer some queries, which count as 0 (the first: {text})")
        }
    });
}

/// Prints the notes on the tests: once if they are the same for every measure.
fn warn(context: &Context, tables: &[SignificanceTable]) {
    let Some(first) = tables.first() else { return };
    let shared = tables.iter().all(|table| table.notes == first.notes);
    for table in &tables[..if shared { 1 } else { tables.len() }] {
        for note in &table.notes {
            match shared {
                true => context.printer.warn(note),
                false => context.printer.warn(format!("{}: {note}", table.measure)),
            }
        }
    }
}
