//! Whether judges know a collection: their agreement with people where words are changed, beside a control.

use llull::audit::{CheckKind, CheckOutcome, JudgeCheck};
use llull::core::{Document, Grade, Paradigm, Qrels, Ranking, Run, Seed, SplitMix64, Topic, Topics};
use llull::runner::Case;
use llull::{JudgeProbe, Study, StudyBuilder};

use crate::collection::{judged, tournament};
use crate::simulated_judge::{SimulatedJudge, graded, ordered};

const QUERIES: usize = 25;
const DOCUMENTS: usize = 6;

/// What people say of a document: half of them are relevant.
fn truth(id: &str) -> Grade {
    id.bytes().last().map_or(0, |last| i32::from(last % 4))
}

fn topics(text: &str) -> Topics {
    let topic = |query| Topic { id: format!("q{query}"), text: format!("{text} {query}") };
    (0..QUERIES).map(topic).collect()
}

/// A study in memory, of 25 queries with 6 documents each.
fn study(collection: &str) -> StudyBuilder {
    let mut labels = Qrels::default();
    let mut runs = ["one", "other"].map(Run::new);
    let mut corpus = Vec::new();
    for query in 0..QUERIES {
        let ids: Vec<String> = (0..DOCUMENTS).map(|at| format!("{collection}-{query}-{at}")).collect();
        for (id, own) in ids.iter().zip('a'..) {
            labels.insert(&format!("q{query}"), id, truth(id));
            let words: Vec<String> = ('a'..'s').map(|letter| format!("{own}{letter}")).collect();
            let text = format!("subject {query}: {}", words.join(" "));
            corpus.push(Document { id: id.clone(), text, ..Document::default() });
        }
        let ranked = ids.iter().zip((1..=ids.len()).rev()).map(|(id, score)| (id.as_str(), score as f64));
        let ranking = Ranking::from_scored(ranked);
        runs.iter_mut().for_each(|run| {
            run.insert(format!("q{query}"), ranking.clone());
        });
    }
    let [one, other] = runs;
    Study::builder()
        .topics(topics("subject"))
        .paraphrases(topics("what is there about"))
        .corpus(corpus)
        .reference(labels)
        .run(one)
        .run(other)
        .pool_depth(DOCUMENTS)
        .measure("P@3".parse().unwrap())
        .recheck(0.0)
}

/// The grade that a judge gives: it is right in so many of 100 cases, else the opposite, as the seed and what it is
/// shown have it.
fn grade(seed: u64, case: &Case<'_>, id: &str, right: u64) -> Grade {
    let shown: Vec<_> = case.texts().map(|text| text.into_owned()).collect();
    let purpose = format!("{} {id} {}", case.topic.text, shown.join("\n"));
    let lot = SplitMix64::new(Seed(seed).stream(&purpose)).next_u64() % 100;
    if lot < right { truth(id) } else { 3 - truth(id) }
}

/// Probes a judge, right in so many of 100 cases as a function of whether words are changed, on a collection.
fn probed(seed: u64, collection: &'static str, compares: bool, right: fn(bool) -> u64) -> (Study, usize) {
    let changed = |case: &Case<'_>| {
        let masked = case.texts().all(|text| text.contains("___"));
        assert_eq!(masked, case.topic.text.starts_with("what is there about"), "both or neither");
        masked
    };
    let judge = match compares {
        false => SimulatedJudge::new("mini", Paradigm::Graded, move |case, _| {
            graded(grade(seed, case, case.document_id(), right(changed(case))))
        }),
        true => SimulatedJudge::new("mini", Paradigm::Pairwise, move |case, _| {
            ordered(case, |_, id| grade(seed, case, id, right(changed(case))))
        }),
    };
    let log = judge.log();
    let study = study(collection).seed(seed);
    let study = if compares { study.tournament(tournament(Paradigm::Pairwise)) } else { study };
    let study = study.judge(judge).build().unwrap();
    let (inputs, outcome) = judged(&study);
    let price = study.estimates().of_probes(&inputs, &[JudgeProbe::Contamination]).unwrap()[0].calls;
    let votes = log.calls();
    let _ = study.judge(&inputs).probe(&[JudgeProbe::Contamination]).unwrap();
    assert_eq!(log.calls() - votes, price as usize, "what was asked is what was to be asked");
    let evidence = study.evidence(&inputs).unwrap();
    assert_eq!(evidence.judges.len(), outcome.evidence.judges.len(), "no votes");
    (study, price as usize)
}

fn check(here: &Study, control: Option<&Study>) -> JudgeCheck {
    let mut inputs = here.inputs().unwrap();
    inputs.control = control.map(|control| {
        let inputs = control.inputs().unwrap();
        control.as_control(&inputs, &control.evidence(&inputs).unwrap())
    });
    let checks = here.judge_checks(&inputs, &here.evidence(&inputs).unwrap());
    checks.into_iter().find(|check| check.kind == CheckKind::Contamination).unwrap()
}

/// Always right about the questions that it knows.
fn remembers(changed: bool) -> u64 {
    if changed { 65 } else { 100 }
}

fn guesses(_: bool) -> u64 {
    65
}

/// Words matter to it, wherever they stand.
fn reads(changed: bool) -> u64 {
    if changed { 70 } else { 90 }
}

#[test]
fn a_judge_that_remembers_people_s_labels_is_found_out_and_one_that_words_disturb_is_not() {
    for compares in [false, true] {
        let raised = |here: fn(bool) -> u64, control: fn(bool) -> u64| {
            let raised = |seed: &u64| {
                let (here, asked) = probed(*seed, "old", compares, here);
                let (control, _) = probed(*seed, "new", compares, control);
                let check = check(&here, Some(&control));
                assert!(asked == 100 || compares, "{asked}");
                assert_eq!(check.n, asked, "{check:?}");
                check.is_raised()
            };
            (0..12).filter(raised).count()
        };
        let (caught, accused) = (raised(remembers, guesses), raised(reads, reads));
        assert!(caught >= 11 && accused <= 1, "{compares} {caught} {accused}");
    }
}

#[test]
fn without_a_control_nothing_is_decided_and_answers_are_asked_once() {
    let (here, _) = probed(1, "old", false, remembers);
    let alone = check(&here, None);
    assert_eq!((alone.outcome, alone.value, alone.n), (CheckOutcome::Passed, None, 100));
    assert!(alone.finding.contains("changes from 1.00 to 0."), "{alone:?}");
    let inputs = here.inputs().unwrap();
    assert_eq!(here.estimates().of_probes(&inputs, &[JudgeProbe::Contamination]).unwrap()[0].calls, 0);
    // A control whose judge is another's says nothing of this one.
    let other = study("new").judge(SimulatedJudge::grading("another", 0.0)).build().unwrap();
    let (_, _) = judged(&other);
    assert_eq!(check(&here, Some(&other)).value, None);
}
