//! Attempts of every kind, for tests.

use llull_core::{
    Attempt, ComparedVerdict, Failure, FailureKind, GradedVerdict, Hash, JudgeSpec, Outcome, Paradigm,
    Reason, Sampling, Scale, Status, TaskKey, Unusable, Usage, Verdict,
};
use llull_store::{Detail, JudgeId, JudgeLog, LedgerReader, LedgerWriter};

pub(crate) fn spec(model: &str) -> JudgeSpec {
    JudgeSpec {
        paradigm: Paradigm::Graded,
        model: model.into(),
        prompt: "graded".into(),
        prompt_hash: Hash::of(b"prompt"),
        rubric_hash: Hash::of(b"rubric"),
        scale: Scale::default(),
        sampling: Some(Sampling::default()),
        options: Default::default(),
    }
}

pub(crate) fn attempt(topic: &str, document: &str, outcome: Outcome) -> Attempt {
    Attempt {
        topic: topic.into(),
        document: document.into(),
        at_ms: 1_790_000_000_000,
        ..Attempt::new(Hash::of(format!("{topic} {document}").as_bytes()), outcome)
    }
}

pub(crate) fn graded(grade: i32) -> Outcome {
    Outcome::Judged { verdict: Verdict::Graded(GradedVerdict { grade, ..Default::default() }) }
}

pub(crate) fn unusable(reason: Reason) -> Outcome {
    Outcome::Unusable(Unusable { reason, detail: format!("it is {reason}") })
}

pub(crate) fn failed(kind: FailureKind) -> Outcome {
    Outcome::Failed(Failure { retry_after_ms: Some(1500), ..Failure::new(kind, "HTTP 429 \"slow down\"") })
}

/// Adds two judges and an attempt of every kind: the contents of the fixtures of version 1.
pub(crate) fn fill(ledger: &mut dyn LedgerWriter) -> [JudgeId; 2] {
    let model = ledger.register("strict", &spec("openai/gpt-4o-mini")).unwrap();
    let baseline = ledger.register("baseline", &JudgeSpec { sampling: None, ..spec("similarity") }).unwrap();
    let explained = Outcome::Judged {
        verdict: Verdict::Graded(GradedVerdict {
            grade: 3,
            facets_covered: vec!["what".into(), "how — «ça»".into()],
            facets_missing: vec!["why".into()],
            rationale: "It says\nall of it.".into(),
            ..GradedVerdict::default()
        }),
    };
    let answered = |mut attempt: Attempt, reply: &str| {
        attempt.answer.reply = Some(reply.into());
        attempt.answer.model = Some("gpt-4o-mini-2024-07-18".into());
        attempt.answer.usage = Usage::new(812, 57);
        attempt.answer.cost_usd = Some(0.000_156);
        attempt.latency_ms = 734;
        attempt.answer.tokens_cut = 40;
        attempt.at_ms += 1;
        attempt
    };
    let mut batch = vec![
        (model, attempt("q1", "d1", failed(FailureKind::RateLimited))),
        (model, answered(attempt("q1", "d1", explained), "{\"grade\": 3}")),
        (model, answered(attempt("q1", "d2", unusable(Reason::CutOff)), "{\"grade\":")),
        (model, answered(attempt("q1", "d2", unusable(Reason::Refused)), "I cannot.")),
        (model, answered(attempt("q2", "d3", unusable(Reason::OutOfRange)), "{\"grade\": 7}")),
        (model, answered(attempt("q2", "d3", graded(0)), "{\"grade\": 0}")),
    ];
    batch.extend((0..4).map(|grade| (baseline, attempt("q1", &format!("d{grade}"), graded(grade)))));
    ledger.append(&batch).unwrap();
    [model, baseline]
}

pub(crate) fn compared(order: &[&[u16]]) -> Outcome {
    let order = order.iter().map(|group| group.to_vec()).collect();
    let verdict = ComparedVerdict { order, probabilities: Vec::new(), rationale: String::new() };
    Outcome::Judged { verdict: Verdict::Compared(verdict) }
}

pub(crate) fn comparison(documents: &[&str], outcome: Outcome) -> Attempt {
    let key = Hash::of(documents.join(" ").as_bytes());
    Attempt {
        key,
        documents: documents.iter().map(|id| (*id).to_owned()).collect(),
        ..attempt("q1", documents[0], outcome)
    }
}

/// Does the same as [`fill`], then adds a judge that compares and an attempt of every kind: the contents of the
/// fixtures of version 2.
pub(crate) fn fill_compared(ledger: &mut dyn LedgerWriter) -> JudgeId {
    fill(ledger);
    let listwise = JudgeSpec { paradigm: Paradigm::Listwise, ..spec("openai/gpt-4o-mini") };
    let judge = ledger.register("orders", &listwise).unwrap();
    let probable = Outcome::Judged {
        verdict: Verdict::Compared(ComparedVerdict {
            order: vec![vec![1], vec![0]],
            probabilities: vec![0.1 + 0.2, 0.6],
            rationale: "The second says «ça».".into(),
        }),
    };
    let mut explained = comparison(&["d1", "d0"], probable);
    explained.answer.reply = Some("{\"better\": \"RHS\"}".into());
    ledger
        .append(&[
            (judge, comparison(&["d2", "d0", "d1"], failed(FailureKind::Timeout))),
            (judge, comparison(&["d2", "d0", "d1"], compared(&[&[1], &[0, 2]]))),
            (judge, comparison(&["d3", "d0"], unusable(Reason::NotAnOrder))),
            (judge, explained),
        ])
        .unwrap();
    judge
}

/// Does the same as [`fill_compared`], then adds an answer to a request that was adjusted, read by a later reader: the
/// contents of the fixtures of version 3.
pub(crate) fn fill_adjusted(ledger: &mut dyn LedgerWriter) -> JudgeId {
    fill_compared(ledger);
    let judge = ledger.register("strict", &spec("openai/gpt-4o-mini")).unwrap();
    let mut adjusted = attempt("q3", "d1", graded(2));
    adjusted.answer.reply = Some("{\"grade\": 2}".into());
    adjusted.answer.adjusted = Some("{\"left_out\":[\"temperature\"]}".into());
    adjusted.reader = 2;
    ledger.append(&[(judge, adjusted)]).unwrap();
    judge
}

/// Does the same as [`fill_adjusted`], then adds an answer with all that a provider counts apart: the contents of the
/// fixtures of version 5 of a file, and 4 of an export.
pub(crate) fn fill_counted(ledger: &mut dyn LedgerWriter) -> JudgeId {
    let judge = fill_adjusted(ledger);
    let mut counted = attempt("q4", "d1", graded(1));
    counted.answer.reply = Some("{\"grade\": 1}".into());
    counted.answer.usage = Usage {
        cached_tokens: Some(600),
        cache_written_tokens: Some(0),
        reasoning_tokens: Some(40),
        ..Usage::new(812, 57)
    };
    counted.answer.request_id = Some("req_011C".into());
    ledger.append(&[(judge, counted)]).unwrap();
    judge
}

pub(crate) fn all(ledger: &dyn LedgerReader) -> Vec<(JudgeId, Attempt)> {
    let mut all = Vec::new();
    ledger
        .scan(None, Detail::Replies, &mut |judge, attempt| {
            all.push((judge, attempt));
            Ok(())
        })
        .unwrap();
    all
}

pub(crate) fn log(ledger: &dyn LedgerReader, judge: JudgeId) -> JudgeLog {
    JudgeLog::read(ledger, &[Some(judge)], Detail::Verdicts).unwrap().remove(0)
}

pub(crate) fn status(log: &JudgeLog, key: &TaskKey) -> Status {
    log.find(key).map(|place| log.status(place).clone()).unwrap_or_default()
}

pub(crate) fn rationale<'a>(log: &'a JudgeLog, key: &TaskKey) -> Option<&'a str> {
    log.rationale(log.find(key)?)
}
