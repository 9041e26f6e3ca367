//! Writes queues of a review as sheets, and reads filled sheets.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use llull::Study;
use llull::report::text::{count, counted};
use llull::review::{LeftOut, ReviewDesk, ReviewOptions, SheetTaken, annotator_name, take_sheet};
use llull::runner::ExpectedAnswers;
use serde_json::json;

use super::correction_notice::say_what_counts;
use super::judge::inputs;
use super::sheet_files::write_with_rubric;
use super::{Context, not_beside_json};

/// The number of unrecorded lines that are listed.
const LISTED: usize = 20;

/// Writes a queue as a sheet; for a named annotator, their open pairs.
pub(super) fn write(
    context: &Context,
    study: &Study,
    options: &ReviewOptions,
    (annotator, output): (Option<&str>, &Path),
) -> Result<()> {
    not_beside_json(context, Some(output))?;
    let annotator = annotator.map(|name| study.annotators().annotator(name)).transpose()?;
    let inputs = inputs(context, study)?;
    let desk = ReviewDesk::of_study(study, &inputs, &study.evidence(&inputs)?, options)?;
    let sheet = desk.sheet(annotator.as_deref())?;
    write_with_rubric(context, &inputs.rubric, &sheet, output)?;
    let (queue, lines) = (options.queue.name(), sheet.rows.len());
    let left_out = desk.len() - lines;
    context.shows_json(&json!({"queue": queue, "rows": lines, "left_out": left_out}))?;
    if left_out > 0 {
        let pairs = counted(left_out, "pair");
        let why = match (&annotator, options.overlap) {
            (Some(annotator), None) => format!("{annotator} has dealt with them"),
            (Some(annotator), Some(_)) => {
                format!("{annotator} has dealt with them, or as many others as are wanted (--overlap) have")
            }
            (None, _) => "enough annotators (--overlap) have answered them".to_owned(),
        };
        context.printer.note(format!("{pairs} of the queue left out: {why}"));
    }
    say_what_counts(context, options, study.settings().tournament.is_some());
    Ok(())
}

/// Takes a sheet into the ledger.
pub(super) fn take(
    context: &Context,
    study: &Study,
    (file, annotator): (&Path, &str),
    expected: Option<Arc<ExpectedAnswers>>,
) -> Result<()> {
    let inputs = inputs(context, study)?;
    let name = annotator_name(annotator)?;
    let taken = take_sheet(study, &inputs, &study.evidence(&inputs)?, (file, &name), expected)?;
    context.shows_json(&json!({"person": annotator, "sheet": taken}))?;
    note_taken(context, annotator, &taken);
    Ok(())
}

/// Notes the effect of importing a sheet.
pub(super) fn note_taken(context: &Context, annotator: &str, taken: &SheetTaken) {
    let SheetTaken { new, corrected, set_aside, unchanged, blank, absent, left_out, .. } = taken;
    context.say_columns();
    context.printer.note(format!(
        "{annotator}: {} new, {} corrected, {} set aside, {} as before, {} blank{}",
        counted(*new, "answer"),
        count(*corrected),
        count(*set_aside),
        count(*unchanged),
        count(*blank),
        if *absent > 0 { format!(", {} not on the sheet", count(*absent)) } else { String::new() }
    ));
    for why in
        [LeftOut::Full, LeftOut::NotTheirs, LeftOut::CorrectedSince, LeftOut::HasAnswer, LeftOut::NoteAlone]
    {
        let lines: Vec<u64> = left_out.iter().filter(|row| row.why == why).map(|row| row.line).collect();
        if !lines.is_empty() {
            context.printer.warn(format!("{} {}", line_list(&lines), reason(why)));
        }
    }
}

/// `line 4`, `lines 4, 7 and 9`
fn line_list(lines: &[u64]) -> String {
    let listed: Vec<String> = lines.iter().take(LISTED).map(ToString::to_string).collect();
    match (lines.len() - listed.len(), listed.as_slice()) {
        (0, [line]) => format!("line {line}"),
        (0, [first @ .., last]) => format!("lines {} and {last}", first.join(", ")),
        (more, listed) => format!("lines {} and {} more", listed.join(", "), count(more)),
    }
}

fn reason(why: LeftOut) -> &'static str {
    match why {
        LeftOut::Full => "not taken: as many others as were wanted have answered there (--overlap)",
        LeftOut::NotTheirs => {
            "not taken: there is nothing to settle for this person there any more, who labelled the pair, or others \
             agree or have settled it"
        }
        LeftOut::CorrectedSince => {
            "not taken: the answer was read from this sheet before, and corrected or taken back since. With another \
             note it is taken again"
        }
        LeftOut::HasAnswer => "not set aside: it has an answer; take that back first",
        LeftOut::NoteAlone => "not taken: there is a note and no answer",
    }
}
