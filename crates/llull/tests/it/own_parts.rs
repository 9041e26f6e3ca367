//! Parts of the caller's own, by their traits: judges, models, retrievers and ledgers.

use std::cell::RefCell;
use std::sync::{Arc, Mutex};

use llull::candidates::{RetrieveError, Retriever};
use llull::core::{Paradigm, Ranking, Topic};
use llull::runner::{Event, Reporter, StopReason};
use llull::store::{LedgerWriter, MemoryLedger, SqliteLedger};
use llull::{RetrievalError, RetrievedRun, Study, StudyError};
use llull_testkit::{ScriptedModel, Taste, answer_json, compared_json, prompt_of, reply};

use crate::collection::{PAIRS, corpus, judged, known, label_lines, study, topics, tournament};
use crate::shared_ledger::attempts;
use crate::simulated_judge::{SharedModel, SimulatedJudge};

#[test]
fn a_model_with_a_prompt_that_grades() {
    let model = Arc::new(ScriptedModel::answering("mine/m", |_| Ok(reply(answer_json(2)))));
    let study = study().model("mine", SharedModel(Arc::clone(&model)), "graded").build().unwrap();
    let (inputs, outcome) = judged(&study);
    assert_eq!((model.calls(), outcome.evidence.labels.labelled()), (PAIRS, PAIRS));
    assert_eq!(outcome.evidence.labels.get("q1", "a1").unwrap().grade, 2);
    assert_eq!(outcome.spent.tokens, 120 * PAIRS as u64);
    let prompts: Vec<String> = model.requests().iter().map(|request| prompt_of(&request.messages)).collect();
    assert!(prompts.iter().any(|prompt| prompt.contains("reset a forgotten password")));
    let report = study.report(&inputs, &outcome.evidence).unwrap();
    assert_eq!(report.summary().study.judges[0].model, "mine/m");
}

#[test]
fn a_model_with_a_prompt_that_compares() {
    for (paradigm, prompt) in
        [(Paradigm::Listwise, "listwise"), (Paradigm::Listwise, "setwise"), (Paradigm::Pairwise, "pairwise")]
    {
        let model = ScriptedModel::answering("mine/m", |request| {
            let answer =
                compared_json(&prompt_of(&request.messages), Taste::Merit, llull::core::Scale::default());
            Ok(reply(answer.unwrap()))
        });
        let study = study().tournament(tournament(paradigm)).model("mine", model, prompt).build().unwrap();
        let (_, outcome) = judged(&study);
        assert!(outcome.evidence.is_complete(), "{prompt}");
        assert_eq!(outcome.evidence.labels.labelled(), PAIRS, "{prompt}");
    }
}

#[test]
fn a_model_needs_no_key_and_looks_at_no_environment() {
    let model = ScriptedModel::in_order("mine/m", (0..PAIRS).map(|_| Ok(reply(answer_json(1)))));
    let study = study().model("mine", model, "graded-direct").build().unwrap();
    let inputs = study.inputs().unwrap();
    let outcome = study.judge(&inputs).environment(&|name| panic!("{name} was looked up")).run().unwrap();
    assert!(outcome.evidence.is_complete());
    assert!(study.endpoint(&study.settings().judges[0], &|_| None).unwrap().is_none());
}

/// A retriever that returns documents by how many of the query's words they hold.
struct WordCount;

impl Retriever for WordCount {
    fn name(&self) -> &str {
        "words"
    }

    fn retrieve(&self, topic: &Topic, depth: usize) -> Result<Ranking, RetrieveError> {
        let documents = corpus();
        let score = |text: &str| topic.text.split(' ').filter(|word| text.contains(*word)).count() as f64;
        let scored = documents.iter().map(|document| (document.id.as_str(), score(&document.text)));
        let mut found: Vec<_> = scored.filter(|(_, score)| *score > 0.0).collect();
        found.sort_by(|left, right| right.1.total_cmp(&left.1).then(right.0.cmp(left.0)));
        found.truncate(depth);
        Ok(Ranking::from_scored(found))
    }
}

/// A retriever that cannot answer.
struct Broken;

impl Retriever for Broken {
    fn name(&self) -> &str {
        "broken"
    }

    fn retrieve(&self, topic: &Topic, _: usize) -> Result<Ranking, RetrieveError> {
        Err(RetrieveError { retriever: "broken".into(), topic: topic.id.clone(), source: "no index".into() })
    }
}

#[test]
fn a_retriever_is_asked_for_every_query_and_its_run_is_kept_nowhere() {
    let study = study().retriever(WordCount).judge(SimulatedJudge::grading("fair", 0.0)).build().unwrap();
    let retrieved = study.retrieval().runs(&topics()).unwrap();
    assert!(
        matches!(retrieved.as_slice(), [None, None, Some(RetrievedRun::Run(all))] if all.run.name == "words")
    );
    let (inputs, outcome) = judged(&study);
    assert_eq!(inputs.runs.iter().map(|run| run.name.as_str()).collect::<Vec<_>>(), ["old", "new", "words"]);
    assert_eq!(inputs.runs[2].ranking("q2").unwrap().get(1).unwrap().document, "b2");
    assert!(outcome.evidence.is_complete());
}

/// A retriever that answers but for one query.
struct Moody;

impl Retriever for Moody {
    fn name(&self) -> &str {
        "moody"
    }

    fn retrieve(&self, topic: &Topic, depth: usize) -> Result<Ranking, RetrieveError> {
        if topic.id == "q1" { Broken.retrieve(topic, depth) } else { WordCount.retrieve(topic, depth) }
    }
}

#[test]
fn a_query_that_fails_is_said_and_the_others_are_not_lost() {
    let study = study().retriever(Moody).judge(SimulatedJudge::grading("fair", 0.0)).build().unwrap();
    let (inputs, outcome) = judged(&study);
    assert!(inputs.runs[2].ranking("q1").is_none() && inputs.runs[2].ranking("q2").is_some());
    let notes: Vec<String> = inputs.notes.iter().map(ToString::to_string).collect();
    let said =
        "queries failed and count as unanswered: retriever \"broken\" cannot answer query \"q1\": no index";
    assert!(notes.iter().any(|note| note.contains(said)), "{notes:?}");
    assert!(outcome.evidence.is_complete());
}

#[test]
fn a_retriever_that_fails_is_named() {
    let study = study().retriever(Broken).build().unwrap();
    let Err(StudyError::Retrieval(RetrievalError::Retrieve(error))) = study.inputs() else {
        panic!("it cannot answer")
    };
    assert_eq!((error.retriever.as_str(), error.source.to_string().as_str()), ("broken", "no index"));
}

#[test]
fn two_studies_share_a_ledger_that_the_caller_goes_on_using() {
    let ledger: Arc<Mutex<dyn LedgerWriter>> = Arc::new(Mutex::new(MemoryLedger::default()));
    let judge = || SimulatedJudge::grading("fair", 0.0);
    let first = study().judge(judge()).shared_ledger(Arc::clone(&ledger)).build().unwrap();
    judged(&first);
    assert_eq!(attempts(&ledger).len(), PAIRS);
    let other = judge();
    let log = other.log();
    let second = study().judge(other.called("again")).shared_ledger(Arc::clone(&ledger)).build().unwrap();
    let (_, outcome) = judged(&second);
    assert_eq!((log.calls(), outcome.tallies[0].reused), (0, PAIRS));
}

#[test]
fn a_ledger_in_a_file_of_the_callers_choice_outlives_the_study() {
    let folder = tempfile::tempdir().unwrap();
    let open = || SqliteLedger::open(folder.path().join("mine.sqlite")).unwrap();
    let judge = SimulatedJudge::grading("fair", 0.0);
    let first = judged(&study().judge(judge).ledger(open()).build().unwrap()).1;
    let judge = SimulatedJudge::grading("fair", 0.0);
    let log = judge.log();
    let study = study().judge(judge).ledger(open()).build().unwrap();
    let inputs = study.inputs().unwrap();
    assert_eq!(study.evidence(&inputs).unwrap().labels, first.evidence.labels);
    assert_eq!(log.calls(), 0);
}

#[test]
fn a_judge_that_reads_no_texts_needs_no_corpus() {
    let judge = SimulatedJudge::grading("identifiers", 0.0).without_texts();
    let study = Study::builder()
        .topics(topics())
        .run(crate::collection::new_run())
        .measure("nDCG@3".parse().unwrap())
        .judge(judge)
        .build()
        .unwrap();
    assert_eq!(label_lines(&judged(&study).1.evidence)[2], "q3: c1 3, c2 0, c3 1");
}

/// The judge of each verdict; `None` at the end of the run.
#[derive(Default)]
struct Heard(RefCell<Vec<Option<usize>>>);

impl Reporter for Heard {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Judged { judge, .. } => self.0.borrow_mut().push(Some(judge)),
            Event::Finished(_) => self.0.borrow_mut().push(None),
            _ => {}
        }
    }
}

#[test]
fn a_reporter_hears_of_every_question() {
    let study = study().judge(SimulatedJudge::grading("fair", 0.0)).replay("known", known()).build().unwrap();
    let inputs = study.inputs().unwrap();
    let heard = Heard::default();
    study.judge(&inputs).reporter(&heard).run().unwrap();
    let heard = heard.0.into_inner();
    let of_judge = |judge| heard.iter().filter(|event| **event == Some(judge)).count();
    assert_eq!((of_judge(0), of_judge(1)), (PAIRS, PAIRS));
    assert_eq!(heard.last(), Some(&None), "the end");
}

#[test]
fn a_script_that_ends_is_a_judge_that_fails() {
    let model = ScriptedModel::in_order("mine/m", [Ok(reply(answer_json(1)))]);
    let (_, outcome) = judged(&study().model("mine", model, "graded").build().unwrap());
    assert_eq!((outcome.tallies[0].judged, outcome.tallies[0].gave_up), (1, PAIRS - 1));
    assert!(!matches!(outcome.stopped, Some(StopReason::Cancelled)));
}
