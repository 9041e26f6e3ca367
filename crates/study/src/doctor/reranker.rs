//! Checks a reranker: its price, and online its scores.

use std::borrow::Cow;
use std::time::Instant;

use llull_report::text::seconds;
use llull_runner::{OwnChannel, ScorePrice, Scores};

use super::findings::{Findings, Severity};
use crate::part::Part;

/// A query, and documents of which only the second answers it.
const QUERY: &str = "how long is the river Elbe";
const TEXTS: [&str; 2] = ["Bread is made of flour and water.", "The river Elbe is 1,094 kilometres long."];

impl Findings {
    /// Whether a reranker scores documents, and with `online` by asking it.
    pub(super) fn reranker(&mut self, what: &Part, scores: &Scores, channel: &dyn OwnChannel, online: bool) {
        match online.then(|| ask(scores, channel)) {
            None => self.fine(what, "its address and key are well-formed; it was not contacted"),
            Some(Ok((severity, text))) => self.add(severity, what, text),
            Some(Err(problem)) => self.add(Severity::Error, what, problem),
        }
        let price = match scores.price {
            Some(ScorePrice::Search(usd)) => format!("its price is ${usd} for a search unit"),
            Some(ScorePrice::Input(usd)) => format!("its price is ${usd} for a million tokens"),
            None => "its price is unknown, so its cost is; price = { input = 0.05 } sets that of a million tokens, \
                     price = { search = 0.002 } that of a search unit"
                .to_owned(),
        };
        self.fine(what, price);
    }
}

/// Asks a reranker about two documents, and describes their scores.
fn ask(scores: &Scores, channel: &dyn OwnChannel) -> Result<(Severity, String), String> {
    let request = scores.form.request(scores.model.as_deref(), QUERY, TEXTS.into_iter().map(Cow::Borrowed));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let started = Instant::now();
    let reply = runtime.block_on(channel.ask("doctor".to_owned(), request.to_string().into_bytes()));
    let time = seconds(started.elapsed());
    let reply = reply.map_err(|failure| failure.to_string())?;
    let read = scores.form.read(&reply, TEXTS.len()).scores;
    let read = read.map_err(|unusable| format!("{} ({})", unusable.reason, unusable.detail))?;
    let [other, relevant] = read[..] else { return Err("no two scores".to_owned()) };
    let text = format!(
        "it scores documents, in {time}: {relevant} one that answers the query, {other} one that does not"
    );
    Ok(match scores.threshold {
        Some(threshold) if relevant < threshold || other >= threshold => {
            (Severity::Warning, format!("{text}; threshold = {threshold} does not lie between them"))
        }
        _ if relevant <= other => (Severity::Warning, format!("{text}; see that it is a reranker")),
        _ => (Severity::Fine, text),
    })
}
