//! Tests that evidence from a ledger equals that of its run.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use futures::future::BoxFuture;
use llull_core::{
    Answer, Attempt, ComparedVerdict, Document, FailureKind, GradedVerdict, JudgeSpec, Outcome, Reason,
    Status, TaskKey, Unusable, Verdict,
};
use llull_runner::{
    Budget, Cancel, Case, Evidence, EvidenceError, Exhaustive, Judge, JudgeEvidence, JudgeIdentity, Pair,
    Plan, PooledDocument, RunOptions, RunOutcome, Silent, StatusCounts, StopReason, Workload,
};
use llull_store::{LedgerReader, LedgerWriter, MemoryLedger, SqliteLedger, Totals};
use llull_testkit::WatchedLedger;

use crate::{
    knockout::{Knockout, QUESTIONS, comparer, order, ordered, steady},
    stage::{
        Stub, accounted, failed, grade_of, graded, identities, options, read, run_all, run_plan, samples,
        statuses, unusable, workload,
    },
};

/// A grade with a rationale.
fn explained(case: &Case<'_>) -> Answer {
    let rationale = format!("because of {}", case.document_id());
    let verdict = GradedVerdict { grade: grade_of(case), rationale, ..GradedVerdict::default() };
    Answer { outcome: Outcome::Judged { verdict: Verdict::Graded(verdict) }, ..graded(0) }
}

/// A judge with every outcome of a question: fails once or each time, unusable once or each time, graded with or
/// without a rationale.
fn moody(name: &str) -> Stub {
    Stub::new(name, |case, before| {
        Some(match (case.document_id().chars().last().unwrap(), before) {
            ('1', 0) => failed(FailureKind::Server),
            ('2', 0) | ('3', _) => unusable(Reason::Malformed),
            ('4', _) => failed(FailureKind::Rejected),
            ('5', _) => graded(grade_of(case)),
            _ => explained(case),
        })
    })
}

/// A judge that compares, with rationales. It is unusable about `d0` and `d1`, and fails about `d4` and `d5`.
fn moody_comparer(name: &str) -> Stub {
    comparer(name, |case, _| {
        let ids: Vec<_> = case.document_ids().collect();
        let verdict = ComparedVerdict { rationale: format!("{} is it", ids.join(" or ")), ..order(case) };
        Some(match ids[..] {
            ["d0", "d1"] => unusable(Reason::NotAnOrder),
            ["d4", "d5"] => failed(FailureKind::Rejected),
            _ => Answer { outcome: Outcome::Judged { verdict: Verdict::Compared(verdict) }, ..graded(0) },
        })
    })
}

/// Three queries with ten documents each; `d7` has no text, and `d9` has the text of `d8`.
fn gappy() -> Arc<Workload> {
    let whole = workload(3, 10);
    let mut documents = whole.documents().to_vec();
    documents[7] = PooledDocument::IdOnly("d7".into());
    let twin = documents[8].document().unwrap().clone();
    documents[9] = PooledDocument::Found(Document { id: "d9".into(), ..twin });
    let pairs =
        whole.questions().map(|question| Pair { topic: question.topic, document: question.documents[0] });
    Arc::new(Workload::new(whole.topics().to_vec(), documents, pairs.collect()).unwrap())
}

fn rationales(judge: &JudgeEvidence, questions: usize) -> Vec<Option<&str>> {
    (0..questions).map(|at| judge.rationale(at)).collect()
}

/// Checks that evidence that was read equals the evidence of a run, for the run's questions.
fn assert_says_of_its_questions(read: &Evidence, run: &Evidence) {
    assert!(read.questions().take(run.len()).eq(run.questions()));
    assert_eq!((read.judges().len(), read.len() >= run.len()), (run.judges().len(), true));
    for (read, run_judge) in read.judges().iter().zip(run.judges()) {
        assert_eq!((read.name(), read.spec()), (run_judge.name(), run_judge.spec()));
        let tasks = run_judge.tasks().len();
        let same: Vec<_> = read.tasks().take(tasks).collect();
        assert_eq!(same, run_judge.tasks().collect::<Vec<_>>());
        assert_eq!(read.totals(), run_judge.totals());
        assert_eq!(read.ledger_totals(), run_judge.ledger_totals());
        assert_eq!(rationales(read, run.len()), rationales(run_judge, run.len()));
    }
}

/// Checks that two judges' evidence is equal.
fn assert_same(read: &Evidence, run: &Evidence) {
    assert_says_of_its_questions(read, run);
    let extent = |evidence: &Evidence| (evidence.len(), evidence.waves(), evidence.is_complete());
    assert_eq!(extent(read), extent(run));
    let counts = |evidence: &Evidence| -> Vec<(StatusCounts, usize)> {
        evidence.judges().iter().map(|judge| (judge.counts(), judge.open())).collect()
    };
    assert_eq!(counts(read), counts(run));
}

fn run_silently(
    plan: &mut dyn Plan,
    judges: &[Arc<dyn Judge>],
    store: &mut dyn LedgerWriter,
    options: &RunOptions,
) -> RunOutcome {
    let outcome = run_plan(plan, judges, store, options, &Silent, &Cancel::new()).unwrap();
    accounted(&outcome);
    outcome
}

/// Runs a plan of one wave, and checks that reading it gives the same evidence.
fn run_and_read(
    workload: &Arc<Workload>,
    judges: &[Arc<dyn Judge>],
    store: &mut dyn LedgerWriter,
    options: &RunOptions,
) -> RunOutcome {
    let outcome = run_all(workload, judges, store, options).0.unwrap();
    let kept = read(&*store, judges, &mut Exhaustive::new(Arc::clone(workload)), options).unwrap();
    assert_same(&kept, &outcome.evidence);
    outcome
}

#[test]
fn reading_says_what_the_run_has_said_of_graded_questions() {
    let mut store = MemoryLedger::default();
    let judges: [Arc<dyn Judge>; 2] = [Arc::new(moody("j")), Arc::new(moody("k"))];
    let three = RunOptions { samples: samples(3), give_up_limit: 100, ..options() };
    let part = workload(1, 7);
    let outcome = run_and_read(&part, &judges, &mut store, &three);
    let StatusCounts { judged, unusable, failed, .. } = outcome.evidence.judges()[0].counts();
    assert_eq!((judged, unusable, failed), (15, 3, 3));

    // The ledger has some of the answers, and others outside the plan.
    let outcome = run_and_read(&gappy(), &judges, &mut store, &three);
    assert!(outcome.judges[0].reused > 0 && outcome.judges[0].shared > 0);
    let judge = &outcome.evidence.judges()[0];
    assert_eq!((judge.counts().without_text, judge.status(7)), (3, &Status::WithoutText));
    assert_eq!([8, 9].map(|at| judge.rationale(at)), [Some("because of d8"); 2], "they have one text");
    assert_eq!([3, 4, 5, 7].map(|at| judge.rationale(at)), [None; 4]);
    let kept = read(&store, &judges, &mut Exhaustive::new(part), &three).unwrap();
    let judge = &kept.judges()[0];
    assert!(judge.totals().attempts < judge.ledger_totals().attempts);
    // Each sample is a task, and the first one gives the question's status.
    assert!(kept.judges().iter().all(|judge| judge.tasks().len() == 21 && judge.questions().len() == 7));
    let one = read(&store, &judges, &mut Exhaustive::new(workload(1, 7)), &options()).unwrap();
    assert_eq!(statuses(&one, 1), statuses(&kept, 1));
    assert_eq!(one.judges()[0].totals(), judge.totals());
}

#[test]
fn reading_says_what_the_run_has_said_of_waves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.sqlite");
    let judges: [Arc<dyn Judge>; 2] = [Arc::new(moody_comparer("j")), Arc::new(moody_comparer("k"))];
    let mut store = SqliteLedger::open(&path).unwrap();
    let mut played = Knockout::new();
    let outcome = run_silently(&mut played, &judges, &mut store, &options());
    drop(store);
    assert_eq!((outcome.stopped.clone(), outcome.evidence.waves()), (None, 3));
    let ends: Vec<_> =
        outcome.judges.iter().map(|judge| (judge.judged, judge.unusable, judge.gave_up)).collect();
    assert_eq!(ends, [(QUESTIONS - 2, 1, 1); 2]);

    let store = SqliteLedger::open_read_only(&path).unwrap();
    let mut replayed = Knockout::new();
    let kept = read(&store, &judges, &mut replayed, &options()).unwrap();
    assert_same(&kept, &outcome.evidence);
    assert_eq!((replayed.observed, kept.len()), (played.observed, QUESTIONS));
    assert_eq!(rationales(&kept.judges()[1], 3), [None, Some("d2 or d3 is it"), None]);
}

#[test]
fn reading_says_what_a_run_has_said_that_its_budget_stopped() {
    let budget = |attempts| RunOptions {
        budget: Budget { attempts: Some(attempts), ..Budget::default() },
        samples: samples(2),
        give_up_limit: 100,
        ..options()
    };
    let (judges, mut store): ([Arc<dyn Judge>; 2], _) =
        ([Arc::new(moody("j")), Arc::new(moody("k"))], MemoryLedger::default());
    for run in 0..2 {
        let outcome = run_and_read(&gappy(), &judges, &mut store, &budget(60));
        assert!(matches!(outcome.stopped, Some(StopReason::Budget(_))), "{run}: {:?}", outcome.stopped);
        assert!(outcome.evidence.judges().iter().all(|judge| judge.open() > 0));
    }
    let outcome = run_and_read(&gappy(), &judges, &mut store, &budget(1_000));
    assert_eq!((outcome.stopped, outcome.judges[1].not_asked), (None, 0));
}

/// A run that has stopped requests no further wave from its plan. Reading does not stop: the further waves are in the
/// evidence, with questions that were not sent.
#[test]
fn reading_goes_on_with_a_plan_where_the_run_has_stopped() {
    let spent = Budget { attempts: Some(15), ..Budget::default() };
    let gone = comparer("j", |case, _| {
        let second = case.document_ids().eq(["d1", "d3"]);
        Some(if second { failed(FailureKind::Quota) } else { ordered(case) })
    });
    for (judge, budget) in [(steady(), spent), (Stub { concurrency: 1, ..gone }, Budget::default())] {
        let judges: [Arc<dyn Judge>; 1] = [Arc::new(judge)];
        let (mut store, mut played, mut replayed) =
            (MemoryLedger::default(), Knockout::new(), Knockout::new());
        let options = RunOptions { budget, ..options() };
        let outcome = run_silently(&mut played, &judges, &mut store, &options);
        assert!(outcome.stopped.is_some() && outcome.evidence.waves() == 2);
        let kept = read(&store, &judges, &mut replayed, &options).unwrap();
        assert_says_of_its_questions(&kept, &outcome.evidence);
        assert_eq!(replayed.observed[..2], played.observed);
        assert_eq!((kept.waves(), kept.len(), outcome.evidence.len()), (3, QUESTIONS, QUESTIONS - 3));
        assert_eq!(statuses(&kept, 0)[QUESTIONS - 3..], vec![Status::NotAsked; 3]);
        // The evidence of the run, played on, equals the evidence that is read.
        let mut evidence = outcome.evidence;
        evidence.play_on(&mut played, &identities(&judges)).unwrap();
        assert_same(&kept, &evidence);
        assert_eq!(replayed.observed, played.observed);
    }
}

/// A judge that counts the hashes of keys.
struct Counting {
    stub: Stub,
    keys: AtomicUsize,
}

impl Counting {
    fn new(stub: Stub) -> Arc<Self> {
        Arc::new(Self { stub, keys: AtomicUsize::new(0) })
    }

    /// Returns the number of keys that were hashed since the last call.
    fn take(&self) -> usize {
        self.keys.swap(0, Ordering::SeqCst)
    }
}

impl JudgeIdentity for Counting {
    fn name(&self) -> &str {
        self.stub.name()
    }

    fn spec(&self) -> &JudgeSpec {
        self.stub.spec()
    }

    fn key(&self, case: &Case<'_>, sample: u32) -> TaskKey {
        self.keys.fetch_add(1, Ordering::SeqCst);
        self.stub.key(case, sample)
    }
}

impl Judge for Counting {
    fn concurrency(&self) -> usize {
        self.stub.concurrency()
    }

    fn ask<'a>(&'a self, case: Case<'a>, sample: u32) -> BoxFuture<'a, Answer> {
        self.stub.ask(case, sample)
    }
}

/// Checks that a run of `tasks` tasks for each judge, and reading it, take one pass over the ledger and hash each key
/// once.
fn assert_once(
    plan: impl Fn() -> Box<dyn Plan>,
    judge: fn(&str) -> Stub,
    options: &RunOptions,
    tasks: usize,
) {
    let names = ["a", "b", "c"];
    for panel in 1..=names.len() {
        let counting: Vec<_> = names[..panel].iter().map(|name| Counting::new(judge(name))).collect();
        let judges: Vec<Arc<dyn Judge>> =
            counting.iter().map(|judge| Arc::clone(judge) as Arc<dyn Judge>).collect();
        let mut store = WatchedLedger::default();
        // The first run sends and retries, the second sends the failed questions.
        for runs in 1..=2 {
            run_silently(&mut *plan(), &judges, &mut store, options);
            assert_eq!(store.used().passes(), runs, "a run with {panel} judges");
            assert!(counting.iter().all(|judge| judge.take() == tasks));
        }
        read(&store, &judges, &mut *plan(), options).unwrap();
        assert_eq!(store.used().passes(), 3, "reading {panel} judges");
        assert!(counting.iter().all(|judge| judge.take() == tasks));
    }
}

#[test]
fn the_ledger_is_passed_over_once_and_each_key_hashed_once() {
    let three = RunOptions { samples: samples(3), give_up_limit: 100, ..options() };
    assert_once(|| Box::new(Exhaustive::new(workload(2, 10))), moody, &three, 60);
    assert_once(|| Box::new(Knockout::new()), moody_comparer, &options(), QUESTIONS);
}

#[test]
fn a_judge_that_the_ledger_has_never_seen_was_asked_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.sqlite");
    let workload = workload(2, 5);
    let known: Arc<dyn Judge> = Arc::new(Stub::steady("known"));
    run_all(&workload, &[known.clone()], &mut SqliteLedger::open(&path).unwrap(), &options()).0.unwrap();
    let stranger: Arc<dyn Judge> = Arc::new(Stub::steady("stranger"));

    let ledger = SqliteLedger::open(&path).unwrap();
    let evidence =
        read(&ledger, &[stranger.clone(), known], &mut Exhaustive::new(workload.clone()), &options())
            .unwrap();
    assert_eq!(statuses(&evidence, 0), vec![Status::NotAsked; 10]);
    let judge = &evidence.judges()[0];
    assert_eq!(judge.counts(), StatusCounts { not_asked: 10, ..StatusCounts::default() });
    assert_eq!(
        (judge.open(), judge.totals(), judge.ledger_totals()),
        (10, Totals::default(), Totals::default())
    );
    assert_eq!(rationales(judge, 10), [None; 10]);
    assert!(!evidence.is_complete());
    assert!(statuses(&evidence, 1).iter().all(Status::is_judged), "and the other as it was");

    let registered: Vec<_> = ledger.judges().unwrap().into_iter().map(|judge| judge.name).collect();
    assert_eq!(registered, ["known"]);
    assert_eq!(ledger.find(stranger.spec()).unwrap(), None);
    assert_eq!(Totals::read(&ledger, None).unwrap().attempts, 10);

    let empty = WatchedLedger::default();
    let evidence = read(&empty, &[stranger], &mut Exhaustive::new(workload), &options()).unwrap();
    assert_eq!(statuses(&evidence, 0), vec![Status::NotAsked; 10]);
    assert_eq!((empty.judges().unwrap(), empty.used().passes()), (Vec::new(), 0));
}

#[test]
fn two_equal_judges_are_refused() {
    let first: Arc<dyn Judge> = Arc::new(Stub::steady("j"));
    let judges: [Arc<dyn Judge>; 3] = [
        first.clone(),
        Arc::new(Stub::steady("other")),
        Arc::new(Stub { name: "k".into(), ..Stub::steady("j") }),
    ];
    let (workload, empty, mut used) = (workload(1, 2), MemoryLedger::default(), MemoryLedger::default());
    run_all(&workload, &[first], &mut used, &options()).0.unwrap();
    for ledger in [empty, used] {
        let refused = read(&ledger, &judges, &mut Exhaustive::new(workload.clone()), &options());
        let Err(EvidenceError::SameJudge { first, second }) = refused else { panic!("{refused:?}") };
        assert_eq!((first.as_str(), second.as_str()), ("j", "k"));
    }
}

/// A document's first attempt in the ledger, which has documents in the order in which they were answered.
fn first_attempt<'a>(store: &'a MemoryLedger, document: &str) -> &'a Attempt {
    let mut attempts = store.attempts().iter().map(|(_, attempt)| attempt);
    attempts.find(|attempt| attempt.document == document).unwrap()
}

#[test]
fn a_grade_off_the_scale_is_unusable_whoever_gives_it() {
    let script = |case: &Case<'_>, before| {
        Some(graded(match (case.document_id(), before) {
            ("d0", _) | ("d1", 0) => 4,
            ("d2", _) => -1,
            ("d3", _) => 0,
            ("d4", _) => i32::MIN,
            _ => 3,
        }))
    };
    let off = |times| Status::Unusable { reason: Reason::OutOfRange, times };
    let (judge, mut store) = (Arc::new(Stub::new("j", script)), MemoryLedger::default());
    let outcome = run_and_read(&workload(1, 6), &[judge.clone()], &mut store, &options());
    let grades: Vec<_> = statuses(&outcome.evidence, 0).iter().map(Status::grade).collect();
    assert_eq!(grades, [None, Some(3), None, Some(0), None, Some(3)]);
    assert_eq!([0, 2, 4].map(|at| outcome.evidence.judges()[0].status(at).clone()), [2; 3].map(off));
    assert_eq!((judge.calls(), outcome.spent.usd), (10, Some(100.0)), "each is asked again once, and paid");
    let why = Unusable { reason: Reason::OutOfRange, detail: "grade 4 is not on the scale 0 to 3".into() };
    assert_eq!(first_attempt(&store, "d1").answer.outcome, Outcome::Unusable(why));
    assert_eq!(
        first_attempt(&store, "d1").answer.reply.as_deref(),
        graded(4).reply.as_deref(),
        "what it said is kept"
    );

    // An in-process judge would give the same answer again.
    let judge = Arc::new(Stub { in_process: true, ..Stub::new("j", script) });
    let outcome = run_and_read(&workload(1, 6), &[judge.clone()], &mut MemoryLedger::default(), &options());
    assert_eq!((judge.calls(), statuses(&outcome.evidence, 0)[1].clone()), (6, off(1)));
}

#[test]
fn a_verdict_of_the_other_kind_is_unusable() {
    let wrong =
        |detail: &str| Outcome::Unusable(Unusable { reason: Reason::WrongShape, detail: detail.to_owned() });
    let twice = Status::Unusable { reason: Reason::WrongShape, times: 2 };

    // A grade, even one off the scale, from a judge that compares.
    let judges: [Arc<dyn Judge>; 1] = [Arc::new(comparer("j", |_, before| Some(graded(4 * before as i32))))];
    let (mut store, mut knockout) = (MemoryLedger::default(), Knockout::new());
    let to_the_end = RunOptions { unusable: None, ..options() };
    let outcome = run_silently(&mut knockout, &judges, &mut store, &to_the_end);
    assert_eq!(statuses(&outcome.evidence, 0), vec![twice.clone(); QUESTIONS]);
    assert_eq!(knockout.left(), [[0], [8], [16]], "the first is through");
    assert_eq!(first_attempt(&store, "d0").answer.outcome, wrong("not a verdict of a listwise judge"));
    let kept = read(&store, &judges, &mut Knockout::new(), &options()).unwrap();
    assert_same(&kept, &outcome.evidence);

    // An order from a judge that grades.
    let (judge, mut store) =
        (Arc::new(Stub::new("j", |case, _| Some(ordered(case)))), MemoryLedger::default());
    let outcome = run_and_read(&workload(1, 3), &[judge.clone()], &mut store, &options());
    assert_eq!((judge.calls(), statuses(&outcome.evidence, 0)), (6, vec![twice; 3]));
    assert_eq!(first_attempt(&store, "d0").answer.outcome, wrong("not a verdict of a graded judge"));
}

#[test]
fn a_judge_that_is_not_asked_says_what_the_ledger_has_and_leaves_nothing_open() {
    let answers = Arc::new(Stub::steady("asked"));
    let annotator =
        || Arc::new(Stub { is_asked: false, ..Stub::new("person", |_, _| panic!("it is asked")) });
    let mut store = MemoryLedger::default();
    // The annotator's answers come from elsewhere: two grades, a correction, and a withdrawn answer.
    let id = store.register("person", &annotator().spec).unwrap();
    let workload = workload(1, 4);
    let key = |at: usize| annotator().key(&workload.case_at(at).unwrap(), 0);
    let says = |at: usize, grade| {
        let verdict = Verdict::Graded(GradedVerdict { grade, ..GradedVerdict::default() });
        Attempt { document: format!("d{at}"), ..Attempt::new(key(at), Outcome::Judged { verdict }) }
    };
    let takes_back = |at: usize| {
        let unusable = Unusable { reason: Reason::NoAnswer, detail: String::new() };
        Attempt { document: format!("d{at}"), ..Attempt::new(key(at), Outcome::Unusable(unusable)) }
    };
    let said = [says(0, 1), says(1, 2), says(0, 3), says(2, 2), takes_back(2), says(2, 1), takes_back(1)];
    store.append(&said.map(|attempt| (id, attempt))).unwrap();

    let judges: [Arc<dyn Judge>; 2] = [answers, annotator()];
    let outcome = run_and_read(&workload, &judges, &mut store, &options());
    let grades: Vec<_> = statuses(&outcome.evidence, 1).iter().map(Status::grade).collect();
    assert_eq!(grades, [Some(3), None, Some(1), None]);
    assert_eq!(statuses(&outcome.evidence, 1)[1], Status::NotAsked, "taken back is not answered");
    let person_of = &outcome.evidence.judges()[1];
    assert_eq!((person_of.open(), outcome.evidence.is_complete()), (0, true));

    // Alone it leaves open the questions that it has not answered.
    let alone: [Arc<dyn Judge>; 1] = [annotator()];
    assert!(!run_and_read(&workload, &alone, &mut store, &options()).evidence.is_complete());
}
