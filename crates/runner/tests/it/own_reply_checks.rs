//! What holds for every reply of a user's own judge, whatever it is. A target in `fuzz` checks the same, from the same
//! seeds.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use futures::future::{BoxFuture, FutureExt as _, ready};
use llull_core::{Document, Failure, Hash, Outcome, Paradigm, Topic, Verdict};
use llull_judge::Rubric;
use llull_runner::{
    Case, DocumentIndex, Judge, JudgeIdentity as _, OwnChannel, OwnIdentity, OwnJudge, OwnSettings,
    PooledDocument,
};

/// A channel that carries this reply back.
#[derive(Default)]
struct Echo(Mutex<Vec<u8>>);

impl OwnChannel for Echo {
    fn ask(&self, _id: String, _question: Vec<u8>) -> BoxFuture<'_, Result<Vec<u8>, Failure>> {
        ready(Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone())).boxed()
    }

    fn names_questions(&self) -> bool {
        false
    }
}

/// A judge that grades, and one that orders.
fn judges() -> &'static ([OwnJudge; 2], Arc<Echo>) {
    static JUDGES: OnceLock<([OwnJudge; 2], Arc<Echo>)> = OnceLock::new();
    JUDGES.get_or_init(|| {
        let rubric = Rubric::parse(Rubric::default_text(), "rubric.md").unwrap();
        let echo = Arc::new(Echo::default());
        let judge = |paradigm| {
            let settings = OwnSettings {
                name: "mine".into(),
                model: "endpoint".into(),
                meaning: Hash::of(b"address"),
                paradigm,
                expected: Arc::default(),
                scores: None,
            };
            OwnJudge::new(OwnIdentity::new(settings, &rubric), Arc::clone(&echo) as _, 1)
        };
        ([Paradigm::Graded, Paradigm::Listwise].map(judge), echo)
    })
}

/// Checks a reply. Returns whether one of the judges has a verdict by it.
pub(crate) fn check(text: &str) -> bool {
    let (judges, echo) = judges();
    let document = |text: &str| {
        PooledDocument::Found(Document { id: text.into(), title: String::new(), text: text.into() })
    };
    let (topic, pool) = (Topic { id: "q".into(), text: "why".into() }, ["a", "b", "c"].map(document));
    let places = [0, 1, 2].map(DocumentIndex);
    let mut read = false;
    for judge in judges {
        let shown = if judge.spec().paradigm == Paradigm::Graded { 1 } else { 3 };
        *echo.0.lock().unwrap_or_else(PoisonError::into_inner) = text.as_bytes().to_vec();
        let asked = judge.ask(Case::new(&topic, &places[..shown], &pool).unwrap(), 0);
        let answer = asked.now_or_never().unwrap();
        assert_eq!((answer.reply.as_deref(), answer.cost_usd), (Some(text), None));
        match answer.outcome {
            Outcome::Judged { verdict: Verdict::Graded(verdict) } => {
                assert!(shown == 1 && judge.spec().scale.contains(verdict.grade), "{verdict:?}");
                read = true;
            }
            Outcome::Judged { verdict: Verdict::Compared(verdict) } => {
                assert!(shown == 3 && verdict.check(3).is_ok(), "{verdict:?}");
                read = true;
            }
            Outcome::Unusable(unusable) => assert!(unusable.detail.chars().count() < 1_000, "{unusable:?}"),
            Outcome::Failed(failure) => panic!("a reply is no failure: {failure}"),
        }
    }
    read
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn every_seed_is_a_verdict_or_unusable() {
        let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/read_own");
        let files = fs_err::read_dir(seeds).unwrap().map(|file| file.unwrap().path());
        let texts = files.map(|file| fs_err::read_to_string(file).unwrap());
        let (read, refused): (Vec<bool>, Vec<bool>) = texts.map(|text| check(&text)).partition(|read| *read);
        assert!(read.len() >= 4 && refused.len() >= 6, "{} read, {} not", read.len(), refused.len());
    }
}
