//! `llull synthesize`: writes questions with expected answers about documents.

use anyhow::Result;
use llull::core::Seed;
use llull::report::text::{count, counted};
use llull::synthesis::{CategoryShare, Synthesis, SynthesisOptions, drawn_documents, passages};

use super::models::{Models, models};
use super::output;
use super::writing_session::{Halted, WritingSession};
use crate::args::SynthesizeArgs;
use crate::commands::Context;
use crate::exit::{Exit, refuse};

/// For each question that is wanted, how many documents are read for passages at most: passages that give no question
/// are followed by others.
const DOCUMENTS: usize = 4;

pub(crate) fn run(context: &Context, args: &SynthesizeArgs) -> Result<Exit> {
    let context = &context.at_hand();
    let models = models(context, args)?;
    let mut synthesis = drawn(context, args)?;
    if args.dry_run {
        return WritingSession::new(context, args, &models).estimate(&mut synthesis);
    }
    let mut session = WritingSession::new(context, args, &models);
    let mut halted = Halted::No;
    while halted == Halted::No && synthesis.begin_round() > 0 {
        halted = session.round(&mut synthesis)?;
    }
    finish(context, args, &models, &synthesis, halted)
}

/// Draws documents, and cuts them into passages.
fn drawn(context: &Context, args: &SynthesizeArgs) -> Result<Synthesis> {
    let most = DOCUMENTS.saturating_mul(args.questions);
    let seed = Seed(args.seed);
    let drawn = drawn_documents(&args.documents, &context.global.columns, most, seed)?;
    context.check_columns()?;
    let found = drawn.found.len() as u64;
    if found < drawn.notes.documents - drawn.notes.blank {
        context.printer.note(format!(
            "{} of {} are drawn for passages",
            count(drawn.found.len()),
            counted(drawn.notes.documents, "document")
        ));
    }
    let passages =
        drawn.found.values().flat_map(|document| passages(document, args.passage_tokens)).collect();
    let shares = match args.categories.as_slice() {
        [] => CategoryShare::DEFAULT.to_vec(),
        shares => shares.to_vec(),
    };
    let options = SynthesisOptions {
        questions: args.questions,
        shares,
        per_document: args.per_document,
        similar: args.similar,
        seed,
    };
    Ok(Synthesis::new(passages, options)?)
}

/// Writes the dataset and the dropped questions, and prints a summary.
fn finish(
    context: &Context,
    args: &SynthesizeArgs,
    models: &Models,
    synthesis: &Synthesis,
    halted: Halted,
) -> Result<Exit> {
    let counts = synthesis.counts();
    if let Some(file) = &args.dropped {
        output::dropped(context, file, &synthesis.dropped())?;
    }
    if counts.questions() > 0 {
        output::dataset(context, &args.output, &synthesis.dataset(models.names())?)?;
    }
    output::show(context, args, models, &counts)?;
    let unfinished = halted != Halted::No || counts.waiting() > 0;
    if counts.questions() == 0 && !unfinished {
        refuse!(
            "no question has passed, so {} is not written: {}",
            args.output.display(),
            "--dropped FILE lists each with its reason"
        );
    }
    if counts.questions() < counts.wanted() && !unfinished {
        context.printer.warn(format!(
            "{} of {} are there: three passages were tried for each question, or there are no more",
            count(counts.questions()),
            counted(counts.wanted(), "question")
        ));
    }
    Ok(if unfinished { Exit::Incomplete } else { Exit::Fine })
}
