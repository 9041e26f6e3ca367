//! `llull review`: annotators judge pairs in the browser, or on a sheet.

use std::path::Path;

use anyhow::Result;
use llull::Study;
use llull::config::Overrides;
use llull::review::{ReviewOptions, ReviewQueue, annotator_name};
use llull_web::{ReviewServerOptions, ServeOptions, Server};

use super::correction_notice::say_what_counts;
use super::{Context, evaluate, sheets};
use crate::args::{QueueChoice, ReviewArgs};
use crate::exit::{Exit, refuse};
use crate::interrupt::Interruption;

pub(crate) fn run(context: &Context, args: ReviewArgs) -> Result<Exit> {
    if let Some(of_answers) = args.of_answers() {
        return evaluate::run(context, &of_answers);
    }
    if let (Some(sheet), Some(annotator)) = (&args.read, &args.annotator) {
        let study = context.study_as_last_run(Overrides::default())?;
        sheets::take(context, &study, (sheet, annotator), None)?;
        return Ok(Exit::Fine);
    }
    let chosen = match (args.query, args.queue) {
        (Some(query), _) => Some(ReviewQueue::Query(query)),
        (None, None) => None,
        (None, Some(QueueChoice::Sample)) => Some(ReviewQueue::Sample),
        (None, Some(QueueChoice::Adjudicate)) => match &args.annotator {
            Some(annotator) => Some(ReviewQueue::Adjudicate(annotator_name(annotator)?)),
            None => {
                refuse!("--queue adjudicate needs --as NAME: the pairs are those that NAME did not label")
            }
        },
        (None, Some(QueueChoice::Random)) => Some(ReviewQueue::Random),
        (None, Some(QueueChoice::Disagreement)) => Some(ReviewQueue::Disagreement),
        (None, Some(QueueChoice::Cycles)) => Some(ReviewQueue::Cycles),
        (None, Some(QueueChoice::Failures)) => Some(ReviewQueue::Failures),
        (None, Some(QueueChoice::Checks)) => Some(ReviewQueue::Checks),
    };
    let study = context.study_as_last_run(Overrides::default())?;
    let compares = study.settings().tournament.is_some();
    let queue = chosen.unwrap_or(if compares { ReviewQueue::Random } else { ReviewQueue::Sample });
    if queue == ReviewQueue::Sample && args.most.is_some() {
        refuse!("--most: a sample is shown whole, and its number is fixed by llull sample -n; leave it out");
    }
    let review = ReviewOptions { queue, overlap: args.overlap, most: args.most, expected: None };
    let review = ReviewServerOptions { review, annotator: args.annotator };
    show(context, study, review, (args.output.as_deref(), &args.server.options()))?;
    Ok(Exit::Fine)
}

/// Writes a queue as a sheet if a file is named, or else shows it in the browser until Ctrl-C ends it.
pub(crate) fn show(
    context: &Context,
    study: Study,
    review: ReviewServerOptions,
    (output, options): (Option<&Path>, &ServeOptions),
) -> Result<()> {
    if let Some(output) = output {
        return sheets::write(context, &study, &review.review, (review.annotator.as_deref(), output));
    }
    let compares = study.settings().tournament.is_some();
    // Signals are caught before the address is printed: who has read it may end the server.
    let interruption = Interruption::catch()?;
    if !options.listen.is_loopback() {
        context.printer.warn(format!(
            "{} is not this machine's own address: what is sent there is not encrypted, and whoever reads the token \
             on its way sees the pairs and can answer under any name",
            options.listen
        ));
    }
    let server = Server::review(study, options, &review)?;
    context.printer.result(server.url())?;
    context.printer.note("open this address in a browser; Ctrl-C ends the server");
    say_what_counts(context, &review.review, compares);
    interruption.wait();
    server.stop();
    Ok(())
}
