//! Waves as batches of a provider: whole, stopped, killed at every step, and continued.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use llull_core::{Attempt, Failure, FailureKind, Status};
use llull_judge::{Prompt, Rubric};
use llull_runner::{
    AccountLimits, BatchClock, Cancel, Judge, ModelJudge, Plan, Prompted, PromptedSettings, ProviderBatches,
    RunOptions, RunOutcome, StopReason, WaveAnswers, Workload, batch_key, key_of_id,
};
use llull_store::{
    BatchRecord, BatchState, BatchTable, LedgerReader as _, LedgerWriter, MemoryBatches, MemoryLedger,
};
use llull_testkit::{BatchPlan, BatchProvider};

use crate::stage::{Transcript, options, run_plan, statuses, workload};

/// Two waves, the second of which has the questions of the first, too.
struct TwoWaves(VecDeque<Arc<Workload>>);

impl TwoWaves {
    fn new() -> Self {
        Self([workload(2, 5), workload(3, 5)].into())
    }
}

impl Plan for TwoWaves {
    fn next(&mut self) -> Option<Arc<Workload>> {
        self.0.pop_front()
    }

    fn observe(&mut self, _: &WaveAnswers<'_>) {}
}

/// A clock on which no wait takes time; with a switch, the first wait uses it.
struct NoWait(Option<Cancel>);

impl BatchClock for NoWait {
    fn sleep(&self, _: Duration) -> BoxFuture<'static, ()> {
        self.0.iter().for_each(Cancel::stop);
        Box::pin(tokio::task::yield_now())
    }
}

fn model(provider: &Arc<BatchProvider>) -> ModelJudge {
    let rubric = Arc::new(Rubric::parse(Rubric::default_text(), "r.md").unwrap());
    let settings = PromptedSettings::new("j", "openai/batched");
    let prompted = Prompted::new(settings, Prompt::builtin("graded").unwrap(), rubric);
    ModelJudge::new(Arc::new(prompted), Arc::clone(provider) as _, 4)
}

/// A provider with a ledger and a table, which outlive runs.
struct Stage {
    provider: Arc<BatchProvider>,
    table: Arc<MemoryBatches>,
    ledger: MemoryLedger,
}

impl Stage {
    fn new(plan: BatchPlan) -> Self {
        let (provider, table) = (Arc::new(BatchProvider::new(plan)), Arc::default());
        Self { provider, table, ledger: MemoryLedger::default() }
    }

    fn run(&mut self, cancel: &Cancel, clock: impl BatchClock + 'static) -> RunOutcome {
        let (provider, table) = (Arc::clone(&self.provider), Arc::clone(&self.table));
        let batches = ProviderBatches::new("j", provider as _, table, Arc::new(clock), cancel.clone());
        let judge: Arc<dyn Judge> = Arc::new(model(&self.provider).through(Arc::new(batches)));
        run_with(&judge, &mut self.ledger, cancel)
    }

    fn whole(&mut self) -> RunOutcome {
        self.run(&Cancel::new(), NoWait(None))
    }

    /// How often the request that was bought most often was bought.
    fn most_bought(&self) -> usize {
        self.provider.bought().into_values().max().unwrap_or(0)
    }
}

fn run_with(judge: &Arc<dyn Judge>, ledger: &mut dyn LedgerWriter, cancel: &Cancel) -> RunOutcome {
    let transcript = Transcript::default();
    let judges = [Arc::clone(judge)];
    run_plan(&mut TwoWaves::new(), &judges, ledger, &options(), &transcript, cancel).unwrap()
}

/// What a live run answers.
fn live() -> Vec<Status> {
    let provider = Arc::new(BatchProvider::new(BatchPlan::default()));
    let judge: Arc<dyn Judge> = Arc::new(model(&provider));
    let outcome = run_with(&judge, &mut MemoryLedger::default(), &Cancel::new());
    let found = statuses(&outcome.evidence, 0);
    assert_eq!((provider.live(), found.len()), (15, 25));
    found
}

fn faulty() -> BatchPlan {
    let shares =
        BatchPlan { expired: 0.15, missing: 0.1, unreadable: 0.1, repeated: 0.2, ..BatchPlan::default() };
    BatchPlan { most: 4, looks: 2, slow: 1, ..shares }
}

#[test]
fn batches_are_answered_as_single_requests_are() {
    for plan in [BatchPlan::default(), faulty()] {
        let mut stage = Stage::new(plan);
        let outcome = stage.whole();
        assert_eq!((statuses(&outcome.evidence, 0), outcome.stopped), (live(), None));
        assert_eq!(stage.provider.live(), 1, "one request shows what the server takes");
        assert_eq!(stage.most_bought(), 1);
        assert!(stage.table.batches().unwrap().iter().all(|batch| batch.state == BatchState::Ended));
    }
}

#[test]
fn two_waves_are_two_batches() {
    let mut stage = Stage::new(BatchPlan::default());
    stage.whole();
    let sizes: Vec<usize> = stage.table.batches().unwrap().iter().map(|batch| batch.requests.len()).collect();
    assert_eq!(sizes, [9, 5], "one of the first wave's ten is sent by itself");
}

#[test]
fn too_few_requests_for_a_batch_are_sent_by_themselves() {
    let mut stage = Stage::new(BatchPlan { least: 6, ..BatchPlan::default() });
    let outcome = stage.whole();
    assert_eq!((statuses(&outcome.evidence, 0), outcome.stopped), (live(), None));
    assert_eq!((stage.provider.batches(), stage.provider.live()), (1, 1 + 5), "the second wave has 5");
    let mut faulty = Stage::new(BatchPlan { least: 3, ..faulty() });
    assert_eq!(statuses(&faulty.whole().evidence, 0), live());
    assert_eq!(faulty.most_bought(), 1);
}

/// A clock on which no wait takes time, with the waits.
#[derive(Clone, Default)]
struct Waits(Arc<Mutex<Vec<Duration>>>);

impl BatchClock for Waits {
    fn sleep(&self, pause: Duration) -> BoxFuture<'static, ()> {
        self.0.lock().unwrap().push(pause);
        Box::pin(tokio::task::yield_now())
    }
}

#[test]
fn requests_by_themselves_keep_within_the_limits_of_the_account() {
    let waits = |limits: AccountLimits| {
        let stage = Stage::new(BatchPlan { least: 100, ..BatchPlan::default() });
        let (provider, table) = (Arc::clone(&stage.provider), Arc::clone(&stage.table));
        let (clock, cancel) = (Waits::default(), Cancel::new());
        let batches =
            ProviderBatches::new("j", provider as _, table, Arc::new(clock.clone()), cancel.clone());
        let judge = model(&stage.provider).through(Arc::new(batches.within(4, limits)));
        let judge: Arc<dyn Judge> = Arc::new(judge);
        let outcome = run_with(&judge, &mut MemoryLedger::default(), &cancel);
        assert_eq!((statuses(&outcome.evidence, 0), stage.provider.live()), (live(), 15));
        let tokens = outcome.spent.tokens;
        (std::mem::take(&mut *clock.0.lock().unwrap()), tokens)
    };
    assert_eq!(waits(AccountLimits::default()).0, []);
    let requests = AccountLimits { requests_per_minute: Some(20), tokens_per_minute: None };
    assert_eq!(waits(requests).0, [Duration::from_secs(3); 14], "one request came before them");
    let tokens = AccountLimits { requests_per_minute: None, tokens_per_minute: Some(1_000) };
    let (waits, used) = waits(tokens);
    let minutes = waits.iter().sum::<Duration>().as_secs_f64() / 60.0;
    assert_eq!(waits.len(), 14);
    assert!(
        (minutes - used as f64 / 1_000.0 * 14.0 / 15.0).abs() < 0.05 * minutes,
        "{minutes} for {used} tokens"
    );
}

/// Kills a run at every step of the provider, and continues it.
fn killed_everywhere(plan: &BatchPlan, most_bought: usize) {
    let live = live();
    for step in 0.. {
        let mut stage = Stage::new(plan.clone());
        let cancel = Cancel::new();
        let kill = cancel.clone();
        stage.provider.kill_at(step, move || kill.abort());
        stage.run(&cancel, NoWait(None));
        let killed = stage.provider.revive();
        let outcome = stage.whole();
        assert_eq!((statuses(&outcome.evidence, 0), outcome.stopped), (live.clone(), None), "step {step}");
        assert!(stage.most_bought() <= most_bought, "step {step}: {:?}", stage.provider.bought());
        if !killed {
            assert!(step > 15, "{step}");
            return;
        }
    }
}

#[test]
fn a_run_that_is_killed_anywhere_continues_and_buys_nothing_twice() {
    killed_everywhere(&BatchPlan::default(), 1);
    killed_everywhere(&faulty(), 1);
    killed_everywhere(&BatchPlan { least: 6, ..BatchPlan::default() }, 1);
}

#[test]
fn without_names_only_a_batch_in_flight_is_bought_twice() {
    killed_everywhere(&BatchPlan { named: false, ..BatchPlan::default() }, 2);
}

#[test]
fn results_that_were_not_recorded_are_read_again() {
    let mut stage = Stage::new(BatchPlan::default());
    let first = statuses(&stage.whole().evidence, 0);
    // As after a kill between the end of the batches and the commit of their answers.
    stage.ledger = MemoryLedger::default();
    assert_eq!(statuses(&stage.whole().evidence, 0), first);
    assert_eq!((stage.most_bought(), stage.provider.batches()), (1, 2));
}

/// Kills the run at the first wait.
struct Kill(Cancel);

impl BatchClock for Kill {
    fn sleep(&self, _: Duration) -> BoxFuture<'static, ()> {
        self.0.abort();
        Box::pin(std::future::pending())
    }
}

/// A kill while the last batch of a wave was waited for used to lose the answers of all others.
#[test]
fn a_batch_is_recorded_when_it_ends_and_not_when_the_last_one_does() {
    let mut stage = Stage::new(BatchPlan { most: 4, looks: 0, slow: 1, ..BatchPlan::default() });
    let cancel = Cancel::new();
    stage.run(&cancel, Kill(cancel.clone()));
    assert_eq!((stage.ledger.attempts().len(), stage.provider.batches()), (1 + 4, 3));
    assert_eq!(statuses(&stage.whole().evidence, 0), live());
    assert_eq!(stage.most_bought(), 1);
}

#[test]
fn lines_that_cannot_be_read_are_counted_and_their_requests_sent_again() {
    let mut stage = Stage::new(BatchPlan { unreadable: 0.4, ..BatchPlan::default() });
    let provider = Arc::clone(&stage.provider);
    let (table, cancel) = (Arc::clone(&stage.table), Cancel::new());
    let batches = ProviderBatches::new("j", provider as _, table, Arc::new(NoWait(None)), cancel.clone());
    let judge: Arc<dyn Judge> = Arc::new(model(&stage.provider).through(Arc::new(batches)));
    let outcome = run_with(&judge, &mut stage.ledger, &cancel);
    assert_eq!((statuses(&outcome.evidence, 0), outcome.stopped), (live(), None));
    let read = |notice: &String| notice.contains("lines of its results cannot be read; their requests are");
    assert!(judge.notices().iter().any(read), "{:?}", judge.notices());
}

#[test]
fn a_run_that_stops_waiting_leaves_the_batch_to_the_next() {
    let mut stage = Stage::new(BatchPlan { looks: 3, ..BatchPlan::default() });
    let cancel = Cancel::new();
    let outcome = stage.run(&cancel, NoWait(Some(cancel.clone())));
    assert_eq!(outcome.stopped, Some(StopReason::Cancelled));
    assert_eq!((outcome.judges[0].judged, outcome.judges[0].gave_up), (1, 0), "{:?}", outcome.judges);
    let outcome = stage.whole();
    assert_eq!(statuses(&outcome.evidence, 0), live());
    assert_eq!((stage.most_bought(), stage.provider.batches()), (1, 2));
}

/// The failure was recorded for a request that was in a batch, whose reply was then bought a second time.
#[test]
fn a_failure_of_the_judge_is_recorded_for_no_request_of_a_batch() {
    let mut stage = Stage::new(BatchPlan { looks: 3, most: 4, ..BatchPlan::default() });
    let cancel = Cancel::new();
    stage.run(&cancel, NoWait(Some(cancel.clone())));
    let sent = stage.provider.bought().len();
    stage.provider.refuse(Some(FailureKind::Unauthorized));
    let outcome = stage.whole();
    assert!(matches!(outcome.stopped, Some(StopReason::Waiting(_))), "{:?}", outcome.stopped);
    stage.provider.refuse(None);
    assert_eq!(statuses(&stage.whole().evidence, 0), live());
    assert_eq!((stage.most_bought(), stage.provider.bought().len()), (1, sent + 4));

    let mut stage = Stage::new(BatchPlan::default());
    stage.provider.refuse(Some(FailureKind::Unauthorized));
    let outcome = stage.whole();
    assert!(matches!(outcome.stopped, Some(StopReason::Judge { .. })), "{:?}", outcome.stopped);
    assert_eq!(stage.ledger.attempts().len(), 1, "one failure, not one for each request");
    assert_eq!(stage.provider.batches(), 0);
}

#[test]
fn a_batch_that_is_refused_as_a_whole_is_sent_again_by_the_next_run() {
    let mut stage = Stage::new(BatchPlan { refused: 1, ..BatchPlan::default() });
    let outcome = stage.whole();
    assert_eq!(outcome.stopped, Some(StopReason::Waiting(9)));
    assert_eq!(stage.ledger.attempts().len(), 1, "a refusal of the batch is no attempt at its requests");
    let outcome = stage.whole();
    assert_eq!((statuses(&outcome.evidence, 0), outcome.stopped), (live(), None));
    assert_eq!((stage.most_bought(), stage.provider.batches()), (1, 3));
}

#[test]
fn nothing_is_submitted_before_a_request_was_answered() {
    let mut stage = Stage::new(BatchPlan::default());
    stage.provider.fail_live(&[FailureKind::Server; 2]);
    let outcome = stage.whole();
    assert_eq!((statuses(&outcome.evidence, 0), outcome.stopped), (live(), None));
    assert_eq!((stage.provider.live(), stage.provider.batches()), (3, 2), "the first is retried by itself");

    let mut stage = Stage::new(BatchPlan::default());
    stage.provider.fail_live(&[FailureKind::Rejected]);
    let outcome = stage.whole();
    let failed = |status: &&Status| matches!(status, Status::Failed(FailureKind::Rejected));
    assert_eq!(statuses(&outcome.evidence, 0).iter().filter(failed).count(), 2, "in both waves");
    assert_eq!((outcome.stopped, stage.provider.live()), (None, 2));

    let mut stage = Stage::new(BatchPlan::default());
    stage.provider.fail_live(&[FailureKind::Rejected; 20]);
    stage.whole();
    assert_eq!((stage.provider.batches(), stage.provider.bought().len()), (0, 0));
}

#[test]
fn the_answer_of_the_first_request_is_recorded_before_its_batch_ends() {
    let mut stage = Stage::new(BatchPlan { looks: 3, ..BatchPlan::default() });
    let cancel = Cancel::new();
    let kill = cancel.clone();
    // Two steps of the first request, two of the submission, then the first look.
    stage.provider.kill_at(4, move || kill.abort());
    stage.run(&cancel, NoWait(None));
    assert_eq!(stage.ledger.attempts().len(), 1);
    stage.provider.revive();
    assert_eq!(statuses(&stage.whole().evidence, 0), live());
    assert_eq!((stage.most_bought(), stage.provider.live()), (1, 2), "the second is of the second wave");
}

/// Stops waiting for the first wave's batch.
fn left_waiting() -> Stage {
    let mut stage = Stage::new(BatchPlan { looks: 3, ..BatchPlan::default() });
    let cancel = Cancel::new();
    stage.run(&cancel, NoWait(Some(cancel.clone())));
    stage
}

/// It was bought again, for example with the key of another project.
#[test]
fn only_an_old_batch_that_is_not_found_was_deleted() {
    let mut stage = left_waiting();
    stage.provider.refuse(Some(FailureKind::NotFound));
    for _ in 0..2 {
        assert_eq!(stage.whole().stopped, Some(StopReason::Waiting(9)));
    }
    assert_eq!((stage.ledger.attempts().len(), stage.provider.batches()), (1, 1), "nothing is bought again");
    let batch = stage.table.batches().unwrap().remove(0);
    stage.table.record(&BatchRecord { at_ms: 0, ..batch }).unwrap();
    assert_eq!(stage.whole().stopped, Some(StopReason::Waiting(9)));
    stage.provider.refuse(None);
    assert_eq!(statuses(&stage.whole().evidence, 0), live());
    assert_eq!(stage.most_bought(), 2);
}

#[test]
fn a_live_run_does_not_buy_what_is_in_a_batch() {
    let mut stage = left_waiting();
    let judges: [Arc<dyn Judge>; 1] = [Arc::new(model(&stage.provider))];
    let batch = stage.table.batches().unwrap().remove(0);
    let keys = batch.requests.iter().map(|id| key_of_id(id).to_owned());
    let options = RunOptions { elsewhere: Arc::new(keys.collect()), ..options() };
    let (transcript, cancel) = (Transcript::default(), Cancel::new());
    let outcome =
        run_plan(&mut TwoWaves::new(), &judges, &mut stage.ledger, &options, &transcript, &cancel).unwrap();
    assert_eq!((outcome.stopped, stage.provider.live()), (Some(StopReason::Elsewhere(9)), 1));

    // One of them failed in a live run: its reply is in the batch all the same.
    let id = stage.ledger.judges().unwrap()[0].id;
    let first = stage.ledger.attempts()[0].1.clone();
    let sent =
        |attempt: &Attempt| batch.requests.iter().any(|id| *id == format!("{}-0", batch_key(&attempt.key)));
    assert!(!sent(&first));
    let mut other = MemoryLedger::default();
    let live: Arc<dyn Judge> = Arc::new(model(&stage.provider));
    run_with(&live, &mut other, &cancel);
    let (_, again) = other.attempts().iter().find(|(_, attempt)| sent(attempt)).unwrap().clone();
    let failed = Failure::new(FailureKind::Server, "down").into();
    stage.ledger.append(&[(id, Attempt { answer: failed, ..again })]).unwrap();
    assert_eq!(statuses(&stage.whole().evidence, 0), self::live());
    assert_eq!((stage.most_bought(), stage.provider.batches()), (1, 2));
}

#[test]
fn a_run_that_was_stopped_submits_nothing_more() {
    let mut stage = Stage::new(BatchPlan { most: 4, ..BatchPlan::default() });
    let cancel = Cancel::new();
    let stop = cancel.clone();
    let provider = Arc::clone(&stage.provider);
    stage.provider.stop_at(3, move || stop.stop());
    stage.run(&cancel, NoWait(None));
    assert_eq!(provider.batches(), 1);
    assert_eq!(statuses(&stage.whole().evidence, 0), live());
    assert_eq!(stage.most_bought(), 1);
}
