//! Describes a judge that was stopped because its replies are unusable.

use llull::runner::JudgeStop;

/// How many characters of a reply are shown.
const SHOWN: usize = 500;

/// Describes why a judge was stopped: how many replies, one of them, the likely cause, and how to go on.
pub(super) fn in_words(stop: &JudgeStop) -> String {
    let JudgeStop { judge, found, reason, detail, topic, document, .. } = stop;
    let reply = match stop.reply.as_deref().map(excerpt) {
        Some(text) if text.is_empty() => String::from("  its reply is empty\n"),
        Some(text) => format!("  its reply: {text}\n"),
        None => String::new(),
    };
    let cause = stop.likely_cause();
    format!(
        "judge {judge} was stopped: {found}. Its answers are in the ledger, and other judges go on\n  \
         query {topic}, document {document}: {reason} ({detail})\n{reply}  \
         likely cause: {cause}\n  \
         llull does not retry unusable answers: the same command goes on after them, and stops again at the next \
         unusable one; --keep-going does not stop"
    )
}

/// Returns the beginning of a reply on one line.
fn excerpt(reply: &str) -> String {
    let line = reply.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}
