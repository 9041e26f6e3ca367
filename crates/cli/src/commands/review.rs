//! `llull review`: people judge pairs in the browser.

use anyhow::Result;
use llull::Study;
use llull::config::Overrides;
use llull::review::{ReviewOptions, ReviewQueue};
use llull_web::{ReviewServerOptions, ServeOptions, Server};

use super::Context;
use crate::args::{QueueChoice, ReviewArgs};
use crate::exit::{Exit, refuse};
use crate::interrupt::Interruption;

pub(crate) fn run(context: &Context, args: ReviewArgs) -> Result<Exit> {
    let queue = match (args.query, args.queue) {
        (Some(query), _) => ReviewQueue::Query(query),
        (None, QueueChoice::Sample) => ReviewQueue::Sample,
        (None, QueueChoice::Disagreement) => ReviewQueue::Disagreement,
        (None, QueueChoice::Failures) => ReviewQueue::Failures,
    };
    let sampled = queue == ReviewQueue::Sample;
    if sampled && args.most.is_some() {
        refuse!("--most: a sample is shown whole, and its number is fixed by llull sample -n; leave it out");
    }
    let study = context.study_as_last_run(Overrides::default())?;
    let options = ServeOptions { listen: args.listen, port: args.port, hosts: args.allow_host };
    let review = ReviewServerOptions {
        review: ReviewOptions { queue, overlap: args.overlap, most: args.most, expected: None },
        person: args.person,
    };
    serve(context, study, &options, &review)
}

/// Lets people review until Ctrl-C ends it.
pub(crate) fn serve(
    context: &Context,
    study: Study,
    options: &ServeOptions,
    review: &ReviewServerOptions,
) -> Result<Exit> {
    // Signals are caught before the address is printed: who has read it may end the server.
    let interruption = Interruption::catch()?;
    if !options.listen.is_loopback() {
        context.printer.warn(format!(
            "{} is not this machine's own address: what is sent there is not encrypted, and whoever reads the token \
             on its way sees the pairs and can answer under any name",
            options.listen
        ));
    }
    let server = Server::review(study, options, review)?;
    context.printer.result(server.url())?;
    context.printer.note("open this address in a browser; Ctrl-C ends the server");
    if !review.review.queue.is_random() {
        let what = match review.review.expected {
            None => "correct no figure",
            Some(_) => "do not say how far judges agree with people",
        };
        context.printer.note(format!("answers to this queue {what}: its pairs are not drawn by chance"));
    }
    interruption.wait();
    server.stop();
    Ok(Exit::Fine)
}
