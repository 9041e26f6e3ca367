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
