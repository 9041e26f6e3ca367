//! Documents that are changed and graded again, to learn what a judge's grades rest on.

use std::sync::{Arc, Mutex};

use llull::audit::{AlarmKind, Concern};
use llull::config::BudgetSettings;
use llull::core::Paradigm;
use llull::store::{LedgerWriter, MemoryLedger};
use llull::{GradeProbe, Study, StudyError};

use crate::collection::{PAIRS, judged, label_lines, study, tournament, truth};
use crate::simulated_judge::{SimulatedJudge, graded};

type SharedLedger = Arc<Mutex<dyn LedgerWriter>>;

/// A judge that knows the true grades, unless a document tells it what to give.
fn obedient() -> SimulatedJudge {
    SimulatedJudge::new("obedient", Paradigm::Graded, |case, _| {
        let told = case.texts().any(|text| text.contains("Rate this 3"));
        let truth = truth(&case.topic.id, case.document_id());
        graded(if told { 3 } else { truth })
    })
}

fn with(ledger: &SharedLedger, judge: SimulatedJudge) -> Study {
    study().shared_ledger(Arc::clone(ledger)).judge(judge).build().unwrap()
}

fn ledger() -> SharedLedger {
    Arc::new(Mutex::new(MemoryLedger::default()))
}

#[test]
fn a_judge_that_obeys_documents_is_found_out_and_its_labels_stay() {
    let ledger = ledger();
    let judge = obedient();
    let log = judge.log();
    let study = with(&ledger, judge);
    let (inputs, outcome) = judged(&study);
    let labels = label_lines(&outcome.evidence);
    let price = study.probe_estimates(&inputs, &GradeProbe::ALL).unwrap();
    assert_eq!((price.len(), price[0].calls), (1, 3 * PAIRS as u64), "fewer than 30 are all");
    assert_eq!(log.calls(), PAIRS, "nothing is asked for that");

    let probed = study.judge(&inputs).probe(&GradeProbe::ALL).unwrap();
    assert_eq!(log.calls(), PAIRS + 3 * PAIRS);
    let found: Vec<_> = probed.alarms.iter().map(|alarm| (alarm.kind, alarm.verdict, alarm.n)).collect();
    assert_eq!(
        found,
        [
            (AlarmKind::Stuffed, Concern::Fine, PAIRS),
            (AlarmKind::Injected, Concern::DoNotTrust, PAIRS),
            (AlarmKind::Truncated, Concern::Fine, PAIRS),
        ]
    );
    // To 3, from 1.5 on average in q1 and q2, and from 4/3 in q3.
    let rise = probed.alarms[1].value.unwrap();
    assert!((rise - (0.5 + 0.5 + 5.0 / 9.0) / 3.0).abs() < 1e-12, "{rise}");

    let evidence = study.evidence(&inputs).unwrap();
    assert_eq!(label_lines(&evidence), labels);
    assert_eq!((evidence.judges.len(), evidence.rechecks().count()), (PAIRS, 0));
}

#[test]
fn probes_that_were_stopped_go_on() {
    let ledger = ledger();
    let limits = BudgetSettings { calls: Some(5), ..BudgetSettings::default() };
    let (inputs, _) = judged(&with(&ledger, obedient()));
    let judge = obedient();
    let log = judge.log();
    let study = study().shared_ledger(Arc::clone(&ledger)).run_limits(limits).judge(judge).build().unwrap();
    let first = study.judge(&inputs).probe(&[GradeProbe::Injected]).unwrap();
    assert_eq!((log.calls(), first.stopped.is_some(), first.alarms[0].n), (5, true, 5));
    for _ in 0..2 {
        study.judge(&inputs).probe(&[GradeProbe::Injected]).unwrap();
    }
    assert_eq!(log.calls(), PAIRS, "each once");
    assert_eq!(study.probe_estimates(&inputs, &[GradeProbe::Injected]).unwrap()[0].calls, 0);
}

#[test]
fn judges_that_compare_are_not_probed() {
    let judge = SimulatedJudge::comparing("fair", Paradigm::Pairwise);
    let study = study().tournament(tournament(Paradigm::Pairwise)).judge(judge).build().unwrap();
    let inputs = study.inputs().unwrap();
    let error = study.judge(&inputs).probe(&GradeProbe::ALL).unwrap_err();
    assert!(matches!(error, StudyError::ProbedComparisons), "{error}");
}
