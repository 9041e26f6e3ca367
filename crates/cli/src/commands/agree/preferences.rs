//! `llull agree --preferences`: reads pairwise answers, compares, prints.

use anyhow::{Result, bail};
use llull::agreement::{JudgePreferences, PreferenceReport, PreferenceTruth, preferences_text};
use llull::config::Overrides;
use llull::data::shown_path;
use llull::preferences::{JudgeAnswers, against, answers_of, read_answers, read_reference};

use super::inputs::truth_among_others;
use crate::args::AgreeArgs;
use crate::commands::{Context, ledger, one_standard_input};
use crate::exit::{Exit, refuse};

pub(super) fn run(context: &Context, args: &AgreeArgs) -> Result<Exit> {
    if let [_, second, ..] = args.others.as_slice() {
        refuse!(
            "{}: --preferences compares one file of answers; a file may hold those of several judges (judge, in \
             CSV and JSON lines)",
            shown_path(second)
        );
    }
    one_standard_input(args.truth.iter().chain(&args.others))?;
    truth_among_others(context, args)?;
    let truth = read_reference(args.truth(), &context.global.columns)?;
    context.printer.warnings(&truth.notes);
    let mut report = PreferenceReport {
        truth: PreferenceTruth { file: shown_path(args.truth()), pairs: truth.value.decided() },
        confidence: context.intervals()?.confidence,
        judges: Vec::new(),
    };
    for judge in answers(context, args)? {
        let found = against(&truth.value, &judge, report.confidence)?;
        let lists = judge.lists;
        let found = JudgePreferences::new(judge.judge, found.unknown, &found.agreement);
        report.judges.push(if lists { found.of_lists() } else { found });
    }
    context.show(&report, || preferences_text(&report))?;
    Ok(Exit::Fine)
}

/// The answers of the file, or else of the study.
fn answers(context: &Context, args: &AgreeArgs) -> Result<Vec<JudgeAnswers>> {
    let Some(file) = args.others.first() else {
        context.need_study(|none| {
            format!(
                "{none} whose judges could be compared with {}. Name a file of answers behind it:\n  \
                 llull agree --preferences TRUTH ANSWERS",
                shown_path(args.truth())
            )
        })?;
        let study = context.study_as_last_run(Overrides::default())?;
        return Ok(answers_of(&*ledger::opened(context, study.ledger())?, &args.judges)?);
    };
    let read = read_answers(file, &context.global.columns)?;
    context.printer.warnings(&read.notes);
    let mut judges = read.value;
    if let Some(unknown) = args.judges.iter().find(|name| judges.iter().all(|judge| judge.judge != **name)) {
        let known: Vec<&str> = judges.iter().map(|judge| judge.judge.as_str()).collect();
        bail!("{}: no judge {unknown:?}; there are {}", shown_path(file), known.join(", "));
    }
    judges.retain(|judge| args.judges.is_empty() || args.judges.contains(&judge.judge));
    Ok(judges)
}
