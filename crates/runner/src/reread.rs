//! Reads replies again that earlier rules read.

use std::collections::BTreeMap;

use llull_core::{Attempt, JudgeSpec, Outcome, Reason, Scale, TaskKey, Verdict};
use llull_judge::{AnswerPlace, Prompt, PromptKind, READER_VERSION, RawReply, read_reply};

/// Reads the replies of one judge again, if earlier rules read them. Of unparsable replies only those that were cut off
/// are: earlier rules threw whole answers away, and all other rules have only become stricter.
#[derive(Debug, Clone, Copy)]
pub struct Rereader {
    kind: PromptKind,
    place: AnswerPlace,
    scale: Scale,
    ties: bool,
}

impl Rereader {
    /// Creates the reader of replies to a prompt. `ties` is true if documents may be equally good.
    pub fn new(prompt: &Prompt, scale: Scale, ties: bool) -> Self {
        Self { kind: prompt.kind, place: prompt.place, scale, ties }
    }

    /// Returns the reader of a judge in a ledger, if its prompt is built in; only then the expected reply is known.
    pub fn of_spec(spec: &JudgeSpec) -> Option<Self> {
        let prompt = Prompt::builtin(&spec.prompt).ok()?;
        let ties = spec.options.get("ties").is_none_or(|ties| ties != "forbidden");
        (prompt.hash() == spec.prompt_hash).then(|| Self::new(&prompt, spec.scale, ties))
    }

    /// Returns whether the rules of today may read an attempt otherwise than the earlier rules that read it.
    pub fn concerns(attempt: &Attempt) -> bool {
        attempt.reader < READER_VERSION && (is_judged(attempt) || was_cut_off(attempt))
    }

    /// Returns the outcome of an attempt by the current rules, if it differs from the recorded one.
    pub fn outcome(&self, attempt: &Attempt) -> Option<Outcome> {
        let text = attempt.answer.reply.as_deref().filter(|_| Self::concerns(attempt))?;
        let form = self.kind.form(self.scale, attempt.documents.len().max(1), self.ties);
        // An answer that was counted was neither cut off nor refused.
        let reply = RawReply { text, cut_off: was_cut_off(attempt), refused: false };
        match (read_reply(&reply, &[], &form, self.place), &attempt.answer.outcome) {
            (Ok(now), Outcome::Judged { verdict }) if decides_alike(verdict, &now) => None,
            (Ok(verdict), _) => Some(Outcome::Judged { verdict }),
            (Err(unusable), Outcome::Judged { .. }) => Some(Outcome::Unusable(unusable)),
            (Err(_), _) => None,
        }
    }
}

fn is_judged(attempt: &Attempt) -> bool {
    matches!(attempt.answer.outcome, Outcome::Judged { .. })
}

fn was_cut_off(attempt: &Attempt) -> bool {
    matches!(&attempt.answer.outcome, Outcome::Unusable(unusable) if unusable.reason == Reason::CutOff)
}

/// Whether two verdicts decide alike; probabilities and rationales aside.
fn decides_alike(one: &Verdict, other: &Verdict) -> bool {
    match (one, other) {
        (Verdict::Graded(one), Verdict::Graded(other)) => one.grade == other.grade,
        (Verdict::Compared(one), Verdict::Compared(other)) => one.order == other.order,
        _ => false,
    }
}

/// How many answers of a judge changed when they were read again, by old and new outcome.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RereadCounts(BTreeMap<(String, String), usize>);

impl RereadCounts {
    pub(crate) fn of(changes: BTreeMap<TaskKey, (String, String)>) -> Self {
        let mut counts = Self::default();
        changes.into_values().for_each(|change| *counts.0.entry(change).or_default() += 1);
        counts
    }

    /// Returns the number of answers that changed.
    pub fn total(&self) -> usize {
        self.0.values().sum()
    }

    /// Returns the changes: the old outcome, the new outcome, and how often.
    pub fn changes(&self) -> impl Iterator<Item = (&str, &str, usize)> {
        self.0.iter().map(|((before, after), count)| (before.as_str(), after.as_str(), *count))
    }
}
