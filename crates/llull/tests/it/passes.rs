//! How much work it is: the ledger is passed over once for each panel, and each task's key is hashed once.

use std::sync::Arc;

use llull::StudyBuilder;
use llull::config::TournamentSettings;
use llull::core::Paradigm;
use llull::label::TierScheme;
use llull_testkit::LedgerUse;

use crate::collection::{PAIRS, study, tournament};
use crate::shared_ledger::shared_ledger;
use crate::simulated_judge::{AskedLog, SimulatedJudge};

/// What was counted between two moments.
struct Counted<'a> {
    ledger: &'a LedgerUse,
    judges: &'a [Arc<AskedLog>],
    passes: usize,
    hashes: usize,
}

impl<'a> Counted<'a> {
    fn new(ledger: &'a LedgerUse, judges: &'a [Arc<AskedLog>]) -> Self {
        Self { ledger, judges, passes: ledger.passes(), hashes: hashes(judges) }
    }

    /// Returns passes and hashes since the last time.
    fn since(&mut self) -> (usize, usize) {
        let now = Self::new(self.ledger, self.judges);
        let counted = (now.passes - self.passes, now.hashes - self.hashes);
        *self = now;
        counted
    }
}

fn hashes(judges: &[Arc<AskedLog>]) -> usize {
    judges.iter().map(|judge| judge.hashes()).sum()
}

/// Runs a study and makes its report, then makes the report alone. So many panels are asked and tasks come up.
#[track_caller]
fn work(builder: StudyBuilder, judges: &[Arc<AskedLog>], panels: usize, tasks: impl Fn() -> usize) {
    let (ledger, used) = shared_ledger();
    let study = builder.shared_ledger(ledger).build().unwrap();
    let inputs = study.inputs().unwrap();
    let mut counted = Counted::new(&used, judges);

    let outcome = study.judge(&inputs).run().unwrap();
    let report = |evidence| {
        let report = study.report(&inputs, evidence).unwrap();
        report.write_json(Vec::new()).unwrap();
        report.markdown().unwrap();
        report.labels().clone()
    };
    report(&outcome.evidence);
    assert_eq!(counted.since(), (panels, tasks()), "a run and its report");

    let evidence = study.evidence(&inputs).unwrap();
    report(&evidence);
    assert_eq!(counted.since(), (panels, tasks()), "a report alone");

    study.judge(&inputs).run().unwrap();
    assert_eq!(counted.since(), (panels, tasks()), "a run with nothing to ask");
}

#[test]
fn graded() {
    let judges = [SimulatedJudge::grading("one", 0.0), SimulatedJudge::grading("two", 1.0)];
    let logs = judges.each_ref().map(SimulatedJudge::log);
    let [one, two] = judges;
    work(study().judge(one).judge(two), &logs, 1, || 2 * PAIRS);
}

#[test]
fn compared() {
    for paradigm in [Paradigm::Listwise, Paradigm::Pairwise] {
        let judges = [SimulatedJudge::comparing("one", paradigm), SimulatedJudge::comparing("two", paradigm)];
        let logs = judges.each_ref().map(SimulatedJudge::log);
        let [one, two] = judges;
        let study = study().tournament(tournament(paradigm)).judge(one).judge(two);
        work(study, &logs, 1, || logs.iter().map(|log| log.calls()).sum());
    }
}

/// What was asked again is found in what was read of the votes; asking it takes a pass of its own.
#[test]
fn asked_again() {
    let judge = SimulatedJudge::comparing("fair", Paradigm::Pairwise);
    let (ledger, used) = shared_ledger();
    let logs = [judge.log()];
    let study = study().tournament(tournament(Paradigm::Pairwise)).recheck(0.05).judge(judge);
    let study = study.shared_ledger(ledger).build().unwrap();
    let inputs = study.inputs().unwrap();
    let mut counted = Counted::new(&used, &logs);
    study.judge(&inputs).run().unwrap();
    assert_eq!(counted.since().0, 2);
    study.evidence(&inputs).unwrap();
    assert_eq!(counted.since().0, 1);
    study.judge(&inputs).run().unwrap();
    assert_eq!(counted.since().0, 1, "nothing to ask");
}

#[test]
fn anchored() {
    let (grader, comparer) =
        (SimulatedJudge::grading("grader", 0.0), SimulatedJudge::comparing("fair", Paradigm::Listwise));
    let logs = [grader.log(), comparer.log()];
    let settings = TournamentSettings { labels: TierScheme::Anchored, ..tournament(Paradigm::Listwise) };
    let study = study().tournament(settings).judge(grader).graders().judge(comparer);
    work(study, &logs, 2, || logs.iter().map(|log| log.calls()).sum());
}
