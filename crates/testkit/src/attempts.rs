//! Attempts of judges for ledgers in tests.

use llull_core::{Attempt, ComparedVerdict, Hash, JudgeSpec, Outcome, Paradigm, Scale, Verdict};

/// Returns the specification of a judge of this paradigm that is this model.
pub fn spec(paradigm: Paradigm, model: &str) -> JudgeSpec {
    JudgeSpec {
        paradigm,
        model: model.into(),
        prompt: String::new(),
        prompt_hash: Hash::of(b"prompt"),
        rubric_hash: Hash::of(b"rubric"),
        scale: Scale::default(),
        sampling: None,
        options: Default::default(),
    }
}

/// Returns an attempt at a question about these documents of query `q1`.
pub fn attempt(question: &str, documents: &[&str], outcome: Outcome) -> Attempt {
    Attempt {
        topic: "q1".into(),
        document: documents.first().copied().unwrap_or_default().into(),
        documents: documents.iter().map(|document| (*document).to_owned()).collect(),
        ..Attempt::new(Hash::of(question.as_bytes()), outcome)
    }
}

/// Returns a verdict that puts the documents in this order.
pub fn order(order: &[&[u16]]) -> Outcome {
    let order = order.iter().map(|group| group.to_vec()).collect();
    Outcome::Judged { verdict: Verdict::Compared(ComparedVerdict { order, ..Default::default() }) }
}
