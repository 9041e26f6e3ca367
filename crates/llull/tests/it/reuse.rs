//! What is in the ledger is not asked again, and what would be asked differently is.

use std::sync::{Arc, Mutex};

use llull::StudyBuilder;
use llull::config::{JudgeKind, JudgeSettings};
use llull::core::{Document, Sampling};
use llull::judge::Rubric;
use llull::store::LedgerWriter;
use llull_testkit::{ScriptedModel, answer_json, grade_of_prompt, prompt_of, reply};

use crate::collection::{PAIRS, corpus, judged, run, study, topics};
use crate::shared_ledger::shared_ledger;
use crate::simulated_judge::{SharedModel, SimulatedJudge};

/// A model that grades by the prompt's text.
fn model(name: &str) -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answering(name, |request| {
        let grade = grade_of_prompt(&prompt_of(&request.messages), llull::core::Scale::default());
        Ok(reply(answer_json(grade)))
    }))
}

struct Rerun {
    model: Arc<ScriptedModel>,
    ledger: Arc<Mutex<dyn LedgerWriter>>,
}

impl Rerun {
    /// Judges the study for the first time.
    fn new() -> Self {
        let rerun = Self { model: model("openai/m"), ledger: shared_ledger().0 };
        assert_eq!(rerun.asks("judge", "graded", |study| study), PAIRS);
        rerun
    }

    /// Returns how many questions the study asks that was changed like this.
    fn asks(&self, judge: &str, prompt: &str, change: impl Fn(StudyBuilder) -> StudyBuilder) -> usize {
        let model = SharedModel(Arc::clone(&self.model));
        self.asks_of(change(study().model(judge, model, prompt)))
    }

    fn asks_of(&self, study: StudyBuilder) -> usize {
        let before = self.model.calls();
        judged(&study.shared_ledger(Arc::clone(&self.ledger)).build().unwrap());
        self.model.calls() - before
    }
}

#[test]
fn running_again_asks_nothing() {
    assert_eq!(Rerun::new().asks("judge", "graded", |study| study), 0);
}

#[test]
fn a_judge_that_is_renamed_keeps_its_answers() {
    assert_eq!(Rerun::new().asks("renamed", "graded", |study| study), 0);
}

#[test]
fn another_rubric_is_judged_again_and_the_old_answers_are_still_there() {
    let rerun = Rerun::new();
    let text = Rubric::default_text().replace("fully and directly", "without a gap");
    assert_ne!(text, Rubric::default_text());
    let other = |study: StudyBuilder| study.rubric(Rubric::parse(&text, "rubric.md").unwrap());
    assert_eq!(rerun.asks("judge", "graded", other), PAIRS);
    assert_eq!(rerun.asks("judge", "graded", other), 0);
    assert_eq!(rerun.asks("judge", "graded", |study| study), 0);
}

#[test]
fn another_prompt_model_or_sampling_is_judged_again() {
    let rerun = Rerun::new();
    assert_eq!(rerun.asks("judge", "umbrela", |study| study), PAIRS);
    let other = model("openai/n");
    rerun.asks_of(study().model("judge", SharedModel(Arc::clone(&other)), "graded"));
    assert_eq!(other.calls(), PAIRS);
    let sampled = |temperature| {
        let settings =
            study().model("judge", SharedModel(Arc::clone(&rerun.model)), "graded").build().unwrap();
        let mut judge: JudgeSettings = settings.settings().judges[0].clone();
        let JudgeKind::Prompted { sampling, timeout, .. } = &mut judge.kind else { unreachable!() };
        (*sampling, *timeout) = (Sampling { temperature, ..*sampling }, 7);
        judge.concurrency = 3;
        rerun.asks_of(study().judge_settings(judge))
    };
    assert_eq!(
        sampled(Sampling::default().temperature),
        0,
        "timeouts and concurrency are no part of the question"
    );
    assert_eq!(sampled(Some(0.7)), PAIRS);
}

#[test]
fn a_document_that_changes_is_judged_again() {
    let mut corpus = corpus();
    corpus[1].text = corpus[1].text.replace("twelve", "fourteen");
    assert_eq!(Rerun::new().asks("judge", "graded", |study| study.corpus(corpus.clone())), 1);
}

#[test]
fn a_system_that_is_added_has_only_its_new_pairs_judged() {
    // a4 and b4 are in the pool already; q2 a1 and q3 b1 are new pairs of documents that are.
    let third = run("third", [&["a4", "a1", "a3"], &["b4", "a1", "b2"], &["c1", "b1", "c2"]]);
    assert_eq!(Rerun::new().asks("judge", "graded", |study| study.run(third.clone())), 2);
}

#[test]
fn two_documents_with_one_text_are_asked_about_once() {
    let twins: Vec<Document> = ["x", "y"]
        .map(|id| Document { id: id.into(), text: "The same text.".into(), ..Document::default() })
        .to_vec();
    let judge = SimulatedJudge::grading("fair", 0.0);
    let log = judge.log();
    let study = llull::Study::builder()
        .topics(topics())
        .corpus(twins)
        .run(run("twins", [&["x", "y"], &[], &[]]))
        .measure("nDCG@3".parse().unwrap())
        .judge(judge)
        .build()
        .unwrap();
    let (_, outcome) = judged(&study);
    assert_eq!((log.calls(), outcome.tallies[0].judged), (1, 2));
    let label = |document| outcome.evidence.labels.get("q1", document);
    assert!(label("x").is_some() && label("x") == label("y"));
}
