//! A language model whose answers were recorded.

use futures::future::BoxFuture;
use llull_core::{Answer, Attempt, Failure, FailureKind, JudgeSpec, Outcome, TaskKey};
use rustc_hash::FxHashMap;

use super::prompted::Prompted;
use crate::{
    case::Case,
    judge::{Judge, JudgeIdentity},
    reread::Rereader,
};

/// A language model that answers from a recording: the attempts of a ledger that was exported.
///
/// It has the specification of the model that answered, so its answers have the same keys and count as that model's.
/// A request with another text, prompt or rubric than the recorded one has no answer.
pub struct RecordedJudge {
    prompted: Prompted,
    file: String,
    answers: FxHashMap<TaskKey, Attempt>,
}

impl RecordedJudge {
    /// Creates the judge from the attempts of one judge of `file`, oldest first. Of several attempts at a request the
    /// last usable one counts, else the last one that has a reply.
    pub fn new(
        prompted: Prompted,
        file: impl Into<String>,
        attempts: impl IntoIterator<Item = Attempt>,
    ) -> Self {
        let mut answers: FxHashMap<TaskKey, Attempt> = FxHashMap::default();
        let rereader = prompted.rereader();
        for mut attempt in attempts {
            // Earlier rules may have read the reply.
            if let Some(now) = rereader.and_then(|reader| reader.outcome(&attempt)) {
                attempt.answer.outcome = now;
            }
            let known = answers.get(&attempt.key);
            let judged = known.is_some_and(|known| matches!(known.answer.outcome, Outcome::Judged { .. }));
            let replaces = match attempt.answer.outcome {
                Outcome::Judged { .. } => true,
                Outcome::Unusable(_) => !judged,
                Outcome::Failed(_) => false,
            };
            if replaces {
                answers.insert(attempt.key, attempt);
            }
        }
        Self { prompted, file: file.into(), answers }
    }

    /// Returns the model's prompts.
    pub fn prompted(&self) -> &Prompted {
        &self.prompted
    }
}

impl JudgeIdentity for RecordedJudge {
    fn name(&self) -> &str {
        self.prompted.name()
    }

    fn spec(&self) -> &JudgeSpec {
        self.prompted.spec()
    }

    fn key(&self, case: &Case<'_>, sample: u32) -> TaskKey {
        self.prompted.key(case, sample)
    }

    fn in_process(&self) -> bool {
        true
    }

    fn rereader(&self) -> Option<Rereader> {
        self.prompted.rereader()
    }
}

impl Judge for RecordedJudge {
    fn concurrency(&self) -> usize {
        1
    }

    fn ask<'a>(&'a self, case: Case<'a>, sample: u32) -> BoxFuture<'a, Answer> {
        let answer = match self.answers.get(&self.prompted.key(&case, sample)) {
            // Reading it costs nothing, whatever the model cost.
            Some(attempt) => Answer { cost_usd: Some(0.0), ..attempt.answer.clone() },
            // No answer of the model, so it is not counted as one, and a longer recording can still give it.
            None => {
                let message = format!("{} has no answer to this request", self.file);
                Answer { cost_usd: Some(0.0), ..Failure::new(FailureKind::Rejected, message).into() }
            }
        };
        Box::pin(std::future::ready(answer))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures::FutureExt as _;
    use llull_core::{Document, GradedVerdict, Reason, Topic, Unusable, Usage, Verdict};
    use llull_judge::{Prompt, READER_VERSION, Rubric};

    use super::*;
    use crate::{DocumentIndex, PooledDocument, PromptedSettings};

    fn prompted() -> Prompted {
        let rubric = Arc::new(Rubric::parse(Rubric::default_text(), "r.md").unwrap());
        Prompted::new(PromptedSettings::new("then", "openai/m"), Prompt::builtin("graded").unwrap(), rubric)
    }

    fn attempt(key: TaskKey, outcome: Outcome, reply: &str) -> Attempt {
        let answer = Answer {
            reply: Some(reply.into()),
            model: Some("m-2026".into()),
            usage: Usage::new(7, 3),
            cost_usd: Some(0.5),
            ..Answer::computed(outcome)
        };
        Attempt { answer, reader: READER_VERSION, topic: "q".into(), ..Attempt::new(key, judged(0)) }
    }

    fn judged(grade: i32) -> Outcome {
        Outcome::Judged { verdict: Verdict::Graded(GradedVerdict { grade, ..GradedVerdict::default() }) }
    }

    #[test]
    fn a_request_gets_its_recorded_answer_at_no_cost() {
        let topic = Topic { id: "q".into(), text: "why".into() };
        let text = |text: &str| {
            [PooledDocument::Found(Document { id: "d".into(), title: String::new(), text: text.into() })]
        };
        let (stock, changed) = (text("because"), text("because of it"));
        let case = |stock| Case::new(&topic, &[DocumentIndex(0)], stock).unwrap();
        let key = |sample| prompted().key(&case(&stock), sample);
        let unreadable = Outcome::Unusable(Unusable { reason: Reason::Empty, detail: String::new() });
        let attempts = [
            attempt(key(0), judged(2), r#"{"grade": 2}"#),
            attempt(key(0), unreadable, ""),
            // Earlier rules read a grade in a reply that has none by those of today.
            Attempt { reader: 1, ..attempt(key(5), judged(1), "it may be 1") },
        ];
        let judge = RecordedJudge::new(prompted(), "then.jsonl", attempts);
        let ask = |stock, sample| judge.ask(case(stock), sample).now_or_never().unwrap();
        let answer = ask(&stock, 0);
        assert_eq!(
            (answer.outcome, answer.cost_usd, answer.usage.prompt_tokens),
            (judged(2), Some(0.0), Some(7))
        );
        assert!(matches!(ask(&stock, 5).outcome, Outcome::Unusable(_)), "it is read by the rules of today");
        for missing in [ask(&stock, 1), ask(&changed, 0)] {
            assert!(
                matches!(&missing.outcome, Outcome::Failed(why) if why.message.contains("then.jsonl")),
                "no answer of the model, and not saved as one: {missing:?}"
            );
        }
    }
}
