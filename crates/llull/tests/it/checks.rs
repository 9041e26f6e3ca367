//! What the answers of a study say about its judges.

use std::sync::Mutex;

use llull::audit::{CheckKind, CheckOutcome};
use llull::config::{Overrides, Source};
use llull::core::{Document, Qrels, Scale, Seed, Usage};
use llull::llm::ChatReply;
use llull::runner::{Event, Reporter};
use llull::{Study, write_demo};
use llull_testkit::{ScriptedModel, SimulatedGrader, answer_json, reply};

use crate::collection::{corpus, new_run, old_run, topics};

/// Errors of 0.35 grades beside the authors' own: in at least 19 of 20 studies no check fails.
#[test]
fn a_careful_judge_is_seldom_accused() {
    let folder = tempfile::tempdir().unwrap();
    write_demo(folder.path()).unwrap();
    let demo = Study::open(folder.path(), &Overrides::default()).unwrap();
    let given = demo.inputs().unwrap();
    let people = given.reference.as_ref().unwrap();
    let fine = (0..20).filter(|seed| {
        let grader = SimulatedGrader { scale: Scale::default(), bias: 0.0, noise: 0.35, seed: Seed(*seed) };
        let mut labels = Qrels::default();
        for (topic, document) in given.pool.iter() {
            let truth = people.grade(topic, &document.id).unwrap_or(0);
            labels.insert(topic, &document.id, grader.grade(topic, &document.id, truth));
        }
        let mut study = Study::builder()
            .topics(given.topics.clone())
            .corpus(Source::file(folder.path().join("corpus.jsonl")));
        for run in &given.runs {
            study = study.run(run.clone());
        }
        let study = study.reference(people.clone()).replay("careful", labels).build().unwrap();
        let inputs = study.inputs().unwrap();
        let evidence = study.judge(&inputs).run().unwrap().evidence;
        let checks = study.judge_checks(&inputs, &evidence);
        assert!(checks.len() >= 7, "{checks:?}");
        checks.iter().all(|check| check.outcome == CheckOutcome::Passed)
    });
    let fine = fine.count();
    assert!(fine >= 19, "{fine} of 20");
}

/// A system of a judge's own family: the verdict without that judge stands beside the one with it.
#[test]
fn the_verdict_without_a_judge_of_a_system_s_family() {
    let folder = tempfile::tempdir().unwrap();
    write_demo(folder.path()).unwrap();
    let demo = Study::open(folder.path(), &Overrides::default()).unwrap();
    let given = demo.inputs().unwrap();
    let people = given.reference.as_ref().unwrap();
    let labels = |noise: f64| {
        let grader = SimulatedGrader { scale: Scale::default(), bias: 0.0, noise, seed: Seed(3) };
        let mut labels = Qrels::default();
        for (topic, document) in given.pool.iter() {
            let truth = people.grade(topic, &document.id).unwrap_or(0);
            labels.insert(topic, &document.id, grader.grade(topic, &document.id, truth));
        }
        labels
    };
    let without = |judges: &[&str], family: Option<&str>| {
        let corpus = Source::file(folder.path().join("corpus.jsonl"));
        let mut study = Study::builder().topics(given.topics.clone()).corpus(corpus);
        for run in &given.runs {
            study = study.run(run.clone());
        }
        if let Some(family) = family {
            study = study.family(family);
        }
        for judge in judges {
            let noise = match *judge {
                "gpt-4o" => 0.2,
                "llama-3" => 0.3,
                _ => 0.4,
            };
            study = study.replay(*judge, labels(noise));
        }
        let study = study.build().unwrap();
        let inputs = study.inputs().unwrap();
        let evidence = study.judge(&inputs).run().unwrap().evidence;
        study.report(&inputs, &evidence).unwrap().summary().decision.clone()
    };
    assert_eq!(without(&["gpt-4o", "llama-3", "claude-x"], None).without, None);
    let found = without(&["gpt-4o", "llama-3", "claude-x"], Some("gpt")).without.unwrap();
    let others = without(&["llama-3", "claude-x"], None);
    let expected: Vec<String> = (others.summary.iter())
        .map(|sentence| format!("Without gpt-4o, which shares a model or family with a system: {sentence}"))
        .collect();
    assert_eq!((found.judges, found.sentences), (vec!["gpt-4o".to_owned()], expected));
    let only = without(&["gpt-4o"], Some("openai")).without.unwrap();
    assert!(only.sentences[0].contains("no judge is left"), "{only:?}");
}

/// Every document is longer than the one before it, and the server reads at most `limit` tokens of a prompt.
fn served_by(limit: u64) -> (Vec<String>, Option<CheckOutcome>) {
    let documents = corpus().into_iter().zip(1..).map(|(document, place)| {
        let text = format!("{}{}", document.text, " It goes on and on.".repeat(60 * place));
        Document { text, ..document }
    });
    let model = ScriptedModel::answering("mine/m", move |request| {
        let words = request.messages.iter().map(|message| message.content.split_whitespace().count() as u64);
        let usage = Usage::new(words.sum::<u64>().min(limit), 5);
        Ok(ChatReply { usage, ..reply(answer_json(2)) })
    });
    let study = Study::builder().topics(topics()).corpus(documents.collect::<Vec<_>>());
    let study = study.run(old_run()).run(new_run()).model("m", model, "graded-direct").build().unwrap();
    let inputs = study.inputs().unwrap();
    let notices = Notices::default();
    let outcome = study.judge(&inputs).reporter(&notices).run().unwrap();
    let checks = study.judge_checks(&inputs, &outcome.evidence);
    let found = checks.iter().find(|check| check.kind == CheckKind::CutPrompts);
    let said = notices.0.into_inner().unwrap();
    (said.into_iter().filter(|text| text.contains("num_ctx")).collect(), found.map(|check| check.outcome))
}

#[derive(Default)]
struct Notices(Mutex<Vec<String>>);

impl Reporter for Notices {
    fn event(&self, event: Event<'_>) {
        if let Event::Notice { text, .. } = event {
            self.0.lock().unwrap().push(text.to_owned());
        }
    }
}

/// 258 tokens were reported for every prompt, and every check passed.
#[test]
fn a_server_that_cuts_prompts_is_reported_during_the_run_and_fails_a_check() {
    let (said, verdict) = served_by(258);
    assert_eq!(verdict, Some(CheckOutcome::Failed));
    assert_eq!(said.len(), 1, "once: {said:?}");
    assert!(said[0].contains("258 prompt tokens") && said[0].contains("OLLAMA_CONTEXT_LENGTH"), "{said:?}");
    assert_eq!(served_by(u64::MAX), (Vec::new(), None), "whole prompts");
    assert_eq!(served_by(0), (Vec::new(), None), "a server that counts no tokens");
}
