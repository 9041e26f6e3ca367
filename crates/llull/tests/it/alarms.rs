//! What the answers of a study say about its judges.

use llull::audit::Concern;
use llull::config::{Overrides, Source};
use llull::core::{Qrels, Scale, Seed};
use llull::{Study, write_demo};
use llull_testkit::SimulatedGrader;

/// Errors of 0.35 grades beside the authors' own: in at least 19 of 20 studies nothing rings.
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
        let alarms = study.alarms(&inputs, &evidence);
        assert!(alarms.len() >= 7, "{alarms:?}");
        alarms.iter().all(|alarm| alarm.verdict == Concern::Fine)
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
        .map(|sentence| format!("Without gpt-4o, of one family of models with a system: {sentence}"))
        .collect();
    assert_eq!((found.judges, found.sentences), (vec!["gpt-4o".to_owned()], expected));
    let only = without(&["gpt-4o"], Some("openai")).without.unwrap();
    assert!(only.sentences[0].contains("no judge is left"), "{only:?}");
}
