//! Questions that follow from answers: waves of comparisons.

use std::{sync::Arc, time::Duration};

use llull_core::{ComparedVerdict, FailureKind, JudgeSpec, Outcome, Paradigm, Reason, TaskKey, Verdict};
use llull_runner::{
    Answer, Budget, Cancel, Case, Ended, Judge, JudgeOutcome, Limit, Pair, PooledDocument, Reporter,
    RunError, RunOptions, RunOutcome, StopReason, Transcript, WaveOutcome, Workload, run, run_waves,
};
use llull_store::{JudgeId, JudgmentStore, Known, MemoryLedger, SqliteLedger};

use crate::{
    stage::{Stub, accounted, failed, graded, options, runtime, unusable, workload},
    watched::Watched,
};

const TOPICS: u32 = 3;
const DOCUMENTS: u32 = 8;

/// The documents of a case by number, which is the order that a judge puts them in: the highest first.
fn order(case: &Case<'_>) -> ComparedVerdict {
    let number = |id: &str| id.trim_start_matches('d').parse::<u32>().unwrap();
    let mut order: Vec<(u32, u16)> = case.document_ids().map(number).zip(0..).collect();
    order.sort_unstable_by(|a, b| b.cmp(a));
    ComparedVerdict { order: order.into_iter().map(|(_, place)| vec![place]).collect(), ..Default::default() }
}

fn ordered(case: &Case<'_>) -> Answer {
    Answer { outcome: Outcome::Judged { verdict: Verdict::Compared(order(case)) }, ..graded(0) }
}

fn comparer(name: &str, script: impl Fn(&Case<'_>, u32) -> Option<Answer> + Send + Sync + 'static) -> Stub {
    let stub = Stub::new(name, script);
    Stub { spec: JudgeSpec { paradigm: Paradigm::Listwise, ..stub.spec.clone() }, ..stub }
}

fn steady() -> Stub {
    comparer("j", |case, _| Some(ordered(case)))
}

/// A knockout in each topic: pairs of those who are left, best two guesses first, until one is left. A question
/// without an answer lets its first document through.
struct Knockout {
    stock: Arc<Workload>,
    left: Vec<Vec<u32>>,
    /// What was told of each wave: for each judge how each question ended.
    told: Vec<Vec<Vec<Ended>>>,
    stops: Vec<Option<StopReason>>,
}

impl Knockout {
    fn new() -> Self {
        let stock = workload(TOPICS, DOCUMENTS);
        let left = (0..TOPICS).map(|topic| (topic * DOCUMENTS..(topic + 1) * DOCUMENTS).collect());
        Self { stock, left: left.collect(), told: Vec::new(), stops: Vec::new() }
    }

    fn wave(&self) -> Option<Arc<Workload>> {
        let pairs = |(topic, left): (u32, &Vec<u32>)| {
            left.chunks_exact(2).map(|pair| (topic, pair.to_vec())).collect::<Vec<_>>()
        };
        let questions: Vec<_> = (0..).zip(&self.left).flat_map(pairs).collect();
        (!questions.is_empty()).then(|| Arc::new(self.stock.comparing(&questions).unwrap()))
    }

    fn observe(&mut self, wave: &WaveOutcome<'_>) -> Option<Arc<Workload>> {
        assert_eq!(wave.wave, self.told.len());
        wave.judges.iter().for_each(|judge| assert_eq!(judge.questions().len(), wave.workload.len()));
        let ends = |judge: &JudgeOutcome| judge.questions().map(|ends| ends[0].clone()).collect();
        self.told.push(wave.judges.iter().map(ends).collect());
        self.stops.push(wave.stopped.cloned());
        let mut left = vec![Vec::new(); TOPICS as usize];
        for (question, ends) in wave.workload.questions().zip(wave.judges[0].questions()) {
            let best = match &ends[0] {
                Ended::Answered(Known::Compared(verdict)) => usize::from(verdict.order[0][0]),
                _ => 0,
            };
            left[question.topic as usize].push(question.documents[best]);
        }
        self.left = left;
        self.wave()
    }

    fn run(
        &mut self,
        judges: &[Arc<dyn Judge>],
        store: &mut dyn JudgmentStore,
        options: &RunOptions,
        reporter: &dyn Reporter,
        cancel: &Cancel,
    ) -> Result<RunOutcome, RunError> {
        let first = self.wave().unwrap();
        let mut next = |wave: &WaveOutcome<'_>| self.observe(wave);
        let outcome =
            run_waves(runtime().handle(), &first, judges, store, options, reporter, cancel, &mut next)?;
        accounted(&outcome);
        Ok(outcome)
    }
}

fn play(
    judge: Stub,
    store: &mut dyn JudgmentStore,
    options: &RunOptions,
) -> (Knockout, RunOutcome, Arc<Stub>) {
    let (judge, mut knockout) = (Arc::new(judge), Knockout::new());
    let judges: [Arc<dyn Judge>; 1] = [judge.clone()];
    let outcome = knockout.run(&judges, store, options, &Transcript::default(), &Cancel::new()).unwrap();
    (knockout, outcome, judge)
}

/// 8 documents: 4 pairs, 2 pairs, 1 pair in each topic.
const QUESTIONS: usize = 7 * TOPICS as usize;

#[test]
fn questions_follow_from_answers_and_the_outcome_sums_the_waves() {
    let (mut store, transcript) = (MemoryLedger::default(), Transcript::default());
    let judges: [Arc<dyn Judge>; 2] = [
        Arc::new(steady()),
        Arc::new(Stub {
            latency: |_| Duration::from_millis(2),
            ..comparer("k", |case, _| Some(ordered(case)))
        }),
    ];
    let mut knockout = Knockout::new();
    let outcome = knockout.run(&judges, &mut store, &options(), &transcript, &Cancel::new()).unwrap();
    assert_eq!(knockout.left, [[7], [15], [23]], "the best of each topic");
    assert_eq!(
        (outcome.waves, outcome.stopped.clone(), outcome.spent.attempts),
        (3, None, 2 * QUESTIONS as u64)
    );
    assert!(outcome.is_complete());
    for judge in &outcome.judges {
        assert_eq!((judge.planned, judge.judged, judge.questions().len()), (QUESTIONS, QUESTIONS, QUESTIONS));
    }
    assert_eq!(knockout.told[0][0], knockout.told[0][1], "both judges say the same, whoever is faster");
    let told: Vec<_> = knockout.told.iter().flat_map(|wave| wave[1].clone()).collect();
    assert!(outcome.judges[1].questions().flatten().eq(&told), "one wave after the other");
    let waves: Vec<_> = transcript.lines().into_iter().filter(|line| line.starts_with("wave")).collect();
    let said =
        ["wave 0: 12 questions, 0 reused", "wave 1: 6 questions, 0 reused", "wave 2: 3 questions, 0 reused"];
    assert_eq!(waves, said);
    assert_eq!((transcript.count("planned"), transcript.count("finished")), (6, 1));
    for (_, attempt) in store.attempts() {
        assert_eq!((attempt.documents.len(), &attempt.documents[0]), (2, &attempt.document));
    }
}

#[test]
fn the_ledger_is_read_once() {
    let mut store = Watched::default();
    play(steady(), &mut store, &options());
    assert_eq!(store.reads.get(), 1, "three waves, one judge");
}

#[test]
fn a_run_that_was_interrupted_replays_its_waves_without_asking() {
    struct Impatient(Cancel, std::cell::Cell<usize>);
    impl Reporter for Impatient {
        fn event(&self, event: llull_runner::Event<'_>) {
            if let llull_runner::Event::Judged { .. } = event {
                self.1.set(self.1.get() + 1);
                if self.1.get() == 14 {
                    self.0.interrupt();
                }
            }
        }
    }
    let whole = play(steady(), &mut MemoryLedger::default(), &options()).0;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.sqlite");
    let judge = Arc::new(Stub { concurrency: 1, ..steady() });
    let judges: [Arc<dyn Judge>; 1] = [judge.clone()];
    let (cancel, mut knockout) = (Cancel::new(), Knockout::new());
    let reporter = Impatient(cancel.clone(), Default::default());
    let mut store = SqliteLedger::open(&path).unwrap();
    let outcome = knockout.run(&judges, &mut store, &options(), &reporter, &cancel).unwrap();
    drop(store);
    assert_eq!((outcome.waves, outcome.stopped), (2, Some(StopReason::Cancelled)));
    assert_eq!(
        knockout.stops,
        [None, Some(StopReason::Cancelled)],
        "the plan hears of the wave that was cut short"
    );
    assert_eq!((judge.calls(), outcome.judges[0].judged, outcome.judges[0].not_asked), (14, 14, 4));

    let mut store = SqliteLedger::open(&path).unwrap();
    let (resumed, outcome, judge) = play(steady(), &mut store, &options());
    assert_eq!((judge.calls(), outcome.judges[0].reused), (QUESTIONS - 14, 14));
    assert_eq!(resumed.told, whole.told);
    let none = RunOptions { budget: Budget { attempts: Some(0), ..Budget::default() }, ..options() };
    let (replayed, outcome, judge) = play(steady(), &mut store, &none);
    assert_eq!((judge.calls(), outcome.stopped, outcome.judges[0].reused), (0, None, QUESTIONS));
    assert_eq!(replayed.told, whole.told);
}

#[test]
fn a_budget_is_one_for_all_waves() {
    let budget = Budget { attempts: Some(15), ..Budget::default() };
    let (knockout, outcome, judge) =
        play(steady(), &mut MemoryLedger::default(), &RunOptions { budget, ..options() });
    let spent = StopReason::Budget(Limit::Attempts);
    assert_eq!((judge.calls(), outcome.spent.attempts, outcome.waves), (15, 15, 2));
    assert_eq!(knockout.stops, [None, Some(spent.clone())]);
    assert_eq!((outcome.stopped, outcome.judges[0].not_asked), (Some(spent), 3));
}

#[test]
fn a_judge_that_fails_for_good_ends_the_run_with_its_wave() {
    let judge = comparer("j", |case, _| {
        // d3 is through to the second wave.
        let second = case.document_ids().eq(["d1", "d3"]);
        Some(if second { failed(FailureKind::Quota) } else { ordered(case) })
    });
    let (knockout, outcome, judge) =
        play(Stub { concurrency: 1, ..judge }, &mut MemoryLedger::default(), &options());
    assert!(matches!(outcome.stopped, Some(StopReason::Judge { .. })), "{:?}", outcome.stopped);
    assert_eq!((outcome.waves, judge.calls()), (2, 12 + 1));
    assert_eq!(knockout.told[1][0][0], Ended::GaveUp(FailureKind::Quota));
    assert_eq!(knockout.told[1][0][1..], vec![Ended::NotAsked; 5]);
}

#[test]
fn tasks_given_up_in_a_row_are_counted_over_waves() {
    // Three topics: 12, 6, 3 questions. None is answered, so the first document of each is through.
    let judge = comparer("j", |_, _| Some(failed(FailureKind::Rejected)));
    let options = RunOptions { give_up_limit: 15, ..options() };
    let (knockout, outcome, _) =
        play(Stub { concurrency: 1, ..judge }, &mut MemoryLedger::default(), &options);
    assert!(matches!(outcome.stopped, Some(StopReason::Failing { tasks: 15, .. })), "{:?}", outcome.stopped);
    assert_eq!((outcome.waves, outcome.judges[0].gave_up, knockout.stops.len()), (2, 15, 2));
}

#[test]
fn an_answer_that_cannot_be_used_is_told_and_kept_with_its_documents() {
    let judge = comparer("j", |case, before| {
        let odd = case.document_ids().eq(["d0", "d1"]);
        Some(if odd && before < 2 { unusable(Reason::NotAnOrder) } else { ordered(case) })
    });
    let mut store = MemoryLedger::default();
    let (knockout, outcome, judge) = play(judge, &mut store, &options());
    let not_an_order = Ended::Answered(Known::Unusable { reason: Reason::NotAnOrder, times: 2 });
    assert_eq!(knockout.told[0][0][0], not_an_order);
    assert_eq!((outcome.judges[0].unusable, judge.calls()), (1, QUESTIONS + 1), "it was asked again once");
    let kept: Vec<_> = store.attempts().iter().filter(|(_, attempt)| attempt.document == "d0").collect();
    assert!(kept[..2].iter().all(|(_, attempt)| attempt.documents == ["d0", "d1"]));
}

#[test]
fn what_a_wave_learns_is_not_asked_by_the_next() {
    let stock = workload(1, 3);
    let questions = |orders: &[[u32; 2]]| {
        let questions: Vec<_> = orders.iter().map(|order| (0, order.to_vec())).collect();
        Arc::new(stock.comparing(&questions).unwrap())
    };
    let judge = Arc::new(steady());
    let judges: [Arc<dyn Judge>; 1] = [judge.clone()];
    let mut reused = Vec::new();
    let outcome = run_waves(
        runtime().handle(),
        &questions(&[[0, 1]]),
        &judges,
        &mut MemoryLedger::default(),
        &options(),
        &Transcript::default(),
        &Cancel::new(),
        &mut |wave| {
            reused.push(wave.judges[0].reused);
            (wave.wave == 0).then(|| questions(&[[0, 1], [1, 0], [2, 1]]))
        },
    );
    assert_eq!((reused, judge.calls()), (vec![0, 1], 3), "another order is another question");
    assert_eq!((outcome.unwrap().judges[0].planned), 4);
}

#[test]
fn every_document_that_a_question_shows_needs_its_text() {
    let topics = workload(1, 1).topics().to_vec();
    let mut documents = workload(1, 2).documents().to_vec();
    documents.push(PooledDocument::IdOnly("d2".into()));
    let stock = Workload::new(topics, documents, Vec::<Pair>::new()).unwrap();
    let workload = Arc::new(stock.comparing(&[(0, vec![0, 2]), (0, vec![0, 1])]).unwrap());
    let judges: [Arc<dyn Judge>; 1] = [Arc::new(steady())];
    let (mut store, silent) = (MemoryLedger::default(), Transcript::default());
    let outcome =
        run(runtime().handle(), &workload, &judges, &mut store, &options(), &silent, &Cancel::new()).unwrap();
    let ends: Vec<_> =
        outcome.judges[0].questions().map(|ends| matches!(ends, [Ended::WithoutText])).collect();
    assert_eq!((ends, outcome.judges[0].without_text, outcome.waves), (vec![true, false], 1, 1));
}

#[test]
fn a_probability_that_is_no_number_does_not_spoil_the_ledger() {
    let judge = comparer("j", |case, _| {
        let verdict = ComparedVerdict { probabilities: vec![f64::NAN, 0.5], ..order(case) };
        Some(Answer { outcome: Outcome::Judged { verdict: Verdict::Compared(verdict) }, ..graded(0) })
    });
    let folder = tempfile::tempdir().unwrap();
    let mut store = SqliteLedger::open(folder.path().join("ledger.sqlite")).unwrap();
    let (knockout, ..) = play(judge, &mut store, &options());
    let known = store.known(JudgeId(1)).unwrap();
    assert_eq!(known.len(), QUESTIONS);
    let bare = |(_, known): (&TaskKey, &Known)| match known {
        Known::Compared(verdict) => verdict.probabilities.is_empty(),
        _ => false,
    };
    assert!(known.iter().all(bare));
    assert_eq!(knockout.left, [[7], [15], [23]]);
}
