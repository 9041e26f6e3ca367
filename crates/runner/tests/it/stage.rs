//! Workloads and judges for tests.

use std::{
    num::NonZeroU32,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use futures::future::BoxFuture;
use llull_core::{
    Answer, Attempt, Document, Failure, FailureKind, GradedVerdict, Hash, JudgeSpec, KeyBuilder, Outcome,
    Paradigm, Reason, Scale, Status, TaskKey, Topic, Unusable, Usage, Verdict,
};
use llull_llm::RetryPolicy;
use llull_runner::{
    Cancel, Case, DocumentIndex, DocumentSet, Driver, Event, Evidence, EvidenceError, Exhaustive, Judge,
    JudgeIdentity, Pair, Plan, PooledDocument, ReadOptions, Reporter, RunError, RunOptions, RunOutcome,
    TopicIndex, Workload,
};
use llull_store::{LedgerReader, LedgerWriter};
use tokio::runtime::Runtime;

/// Returns a workload of queries with documents, all with different texts.
pub(crate) fn workload(topics: u32, documents: u32) -> Arc<Workload> {
    let topic = |at| Topic { id: format!("q{at}"), text: format!("what is number {at}") };
    let document = |at| {
        PooledDocument::Found(Document {
            id: format!("d{at}"),
            text: format!("this is {at}"),
            ..Document::default()
        })
    };
    let pairs =
        (0..topics).flat_map(|topic| (0..documents).map(move |at| pair(topic, topic * documents + at)));
    let (topics, documents) = ((0..topics).map(topic), (0..topics * documents).map(document));
    Arc::new(Workload::new(topics.collect(), documents.collect(), pairs.collect()).unwrap())
}

/// Returns a grade that depends on the case alone.
pub(crate) fn grade_of(case: &Case<'_>) -> i32 {
    let text = case.document().map(|document| document.text.as_str()).unwrap_or_default();
    i32::from(Hash::of(format!("{} {text}", case.topic.text).as_bytes()).0[0] % 4)
}

/// Returns an answer with a grade, of 10 tokens at a dollar each.
pub(crate) fn graded(grade: i32) -> Answer {
    Answer {
        outcome: Outcome::Judged { verdict: Verdict::Graded(GradedVerdict { grade, ..Default::default() }) },
        reply: Some(format!("{{\"grade\": {grade}}}")),
        model: Some("stub".into()),
        usage: Usage::new(8, 2),
        cost_usd: Some(10.0),
        tokens_cut: 0,
        adjusted: None,
        request_id: None,
    }
}

pub(crate) fn unusable(reason: Reason) -> Answer {
    Answer { outcome: Outcome::Unusable(Unusable { reason, detail: "it is".into() }), ..graded(0) }
}

pub(crate) fn failed(kind: FailureKind) -> Answer {
    Answer::from(Failure::new(kind, "on purpose"))
}

/// A record of one question to a judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) at: Instant,
    pub(crate) topic: String,
    /// The document's identifier; in a comparison, all identifiers separated by spaces.
    pub(crate) document: String,
    pub(crate) sample: u32,
}

type Script = Box<dyn Fn(&Case<'_>, u32) -> Option<Answer> + Send + Sync>;

/// A judge that answers by a function of the case and of the number of earlier requests. `None` never answers.
pub(crate) struct Stub {
    pub(crate) name: String,
    pub(crate) spec: JudgeSpec,
    pub(crate) concurrency: usize,
    pub(crate) in_process: bool,
    pub(crate) is_asked: bool,
    pub(crate) latency: fn(u32) -> Duration,
    pub(crate) script: Script,
    pub(crate) log: Mutex<Vec<Question>>,
}

impl Stub {
    pub(crate) fn new(
        name: &str,
        script: impl Fn(&Case<'_>, u32) -> Option<Answer> + Send + Sync + 'static,
    ) -> Self {
        let spec = JudgeSpec {
            paradigm: Paradigm::Graded,
            model: name.into(),
            prompt: String::new(),
            prompt_hash: Hash::of(b"prompt"),
            rubric_hash: Hash::of(b"rubric"),
            scale: Scale::default(),
            sampling: None,
            options: Default::default(),
        };
        Self {
            name: name.into(),
            spec,
            concurrency: 4,
            in_process: false,
            is_asked: true,
            latency: |_| Duration::ZERO,
            script: Box::new(script),
            log: Mutex::default(),
        }
    }

    /// Creates a judge that answers every question immediately.
    pub(crate) fn steady(name: &str) -> Self {
        Self::new(name, |case, _| Some(graded(grade_of(case))))
    }

    pub(crate) fn asked(&self) -> Vec<Question> {
        self.log.lock().unwrap().clone()
    }

    pub(crate) fn calls(&self) -> usize {
        self.log.lock().unwrap().len()
    }
}

impl JudgeIdentity for Stub {
    fn name(&self) -> &str {
        &self.name
    }

    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn in_process(&self) -> bool {
        self.in_process
    }

    fn is_asked(&self) -> bool {
        self.is_asked
    }

    fn key(&self, case: &Case<'_>, sample: u32) -> TaskKey {
        let key = KeyBuilder::new("test").text("q", &case.topic.text);
        let texts = case.documents().map(|document| document.map_or("", |document| document.text.as_str()));
        texts.fold(key, |key, text| key.text("d", text)).number("s", u64::from(sample)).finish()
    }
}

impl Judge for Stub {
    fn concurrency(&self) -> usize {
        self.concurrency
    }

    fn ask<'a>(&'a self, case: Case<'a>, sample: u32) -> BoxFuture<'a, Answer> {
        let (before, calls) = {
            let mut asked = self.log.lock().unwrap();
            let question = Question {
                at: Instant::now(),
                topic: case.topic.id.clone(),
                document: case.document_ids().collect::<Vec<_>>().join(" "),
                sample,
            };
            let same =
                |other: &&Question| (&other.topic, &other.document) == (&question.topic, &question.document);
            let before = asked.iter().filter(same).count() as u32;
            asked.push(question);
            (before, asked.len() as u32)
        };
        let answer = (self.script)(&case, before);
        let latency = (self.latency)(calls);
        Box::pin(async move {
            if !latency.is_zero() {
                tokio::time::sleep(latency).await;
            }
            match answer {
                Some(answer) => answer,
                None => std::future::pending().await,
            }
        })
    }
}

/// Returns options with short waits between retries.
pub(crate) fn options() -> RunOptions {
    let retry = RetryPolicy { attempts: 3, base: Duration::from_millis(2), cap: Duration::from_millis(10) };
    RunOptions { retry, ..RunOptions::default() }
}

pub(crate) fn samples(count: u32) -> NonZeroU32 {
    NonZeroU32::new(count).unwrap()
}

pub(crate) fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// A reporter that keeps a line for each event.
#[derive(Debug, Default)]
pub(crate) struct Transcript(Mutex<Vec<String>>);

impl Transcript {
    /// Returns the lines so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }

    /// Returns the number of lines that begin with `beginning`.
    pub(crate) fn count(&self, beginning: &str) -> usize {
        self.lines().iter().filter(|line| line.starts_with(beginning)).count()
    }
}

impl Reporter for Transcript {
    fn event(&self, event: Event<'_>) {
        let at = |attempt: &Attempt| format!("{} {}", attempt.topic, attempt.document);
        let line = match event {
            Event::Wave { wave, questions, reused, .. } => {
                format!("wave {wave}: {questions} questions, {reused} reused")
            }
            Event::Planned { name, tasks, reused, shared, without_text, .. } => {
                format!(
                    "planned {name}: {tasks}, {reused} reused, {shared} shared, {without_text} without text"
                )
            }
            Event::Judged { judge, attempt } => format!("judged {judge} {}", at(attempt)),
            Event::Unusable { judge, attempt, again } => {
                format!("unusable {judge} {} again={again}", at(attempt))
            }
            Event::Refused { judge, attempt } => format!("refused {judge} {}", at(attempt)),
            Event::AttemptFailed { judge, attempt, retry_in } => {
                format!("failed {judge} {} again={}", at(attempt), retry_in.is_some())
            }
            Event::GaveUp { judge, attempt, failure } => {
                format!("gave up {judge} {} {}: {failure}", attempt.topic, attempt.document)
            }
            Event::Paused { judge, .. } => format!("paused {judge}"),
            Event::Notice { judge, text } => format!("notice {judge}: {text}"),
            Event::JudgeStopped { judge, stop } => format!("judge {judge} stops: {}", stop.found),
            Event::Stopping { reason, in_flight } => format!("stopping, {in_flight} in flight: {reason}"),
            Event::Limited { attempts } => format!("at most {attempts} attempts"),
            Event::Waiting { .. } => "waiting".into(),
            Event::Finished(_) => "finished".into(),
        };
        self.0.lock().unwrap().push(line);
    }
}

/// Runs a plan to its end.
pub(crate) fn run_all(
    workload: &Arc<Workload>,
    judges: &[Arc<dyn Judge>],
    store: &mut dyn LedgerWriter,
    options: &RunOptions,
) -> (Result<RunOutcome, RunError>, Transcript) {
    let transcript = Transcript::default();
    let outcome = run(workload, judges, store, options, &transcript, &Cancel::new());
    if let Ok(outcome) = &outcome {
        accounted(outcome);
    }
    (outcome, transcript)
}

/// Checks that every task is in exactly one count.
pub(crate) fn accounted(outcome: &RunOutcome) {
    for judge in &outcome.judges {
        let sum = judge.judged
            + judge.unusable
            + judge.refused
            + judge.gave_up
            + judge.not_asked
            + judge.without_text;
        assert_eq!(sum, judge.planned, "{judge:?}");
    }
}

/// Runs a plan of one wave.
pub(crate) fn run(
    workload: &Arc<Workload>,
    judges: &[Arc<dyn Judge>],
    store: &mut dyn LedgerWriter,
    options: &RunOptions,
    reporter: &dyn Reporter,
    cancel: &Cancel,
) -> Result<RunOutcome, RunError> {
    run_plan(&mut Exhaustive::new(Arc::clone(workload)), judges, store, options, reporter, cancel)
}

pub(crate) fn run_plan(
    plan: &mut dyn Plan,
    judges: &[Arc<dyn Judge>],
    store: &mut dyn LedgerWriter,
    options: &RunOptions,
    reporter: &dyn Reporter,
    cancel: &Cancel,
) -> Result<RunOutcome, RunError> {
    let runtime = runtime();
    Driver { runtime: runtime.handle(), options, reporter, cancel }.run(plan, judges, store)
}

/// Reads the evidence of a plan from a ledger with the options of a run.
pub(crate) fn read(
    ledger: &dyn LedgerReader,
    judges: &[Arc<dyn Judge>],
    plan: &mut dyn Plan,
    options: &RunOptions,
) -> Result<Evidence, EvidenceError> {
    Evidence::read(ledger, &identities(judges), plan, &ReadOptions::from(options))
}

/// Returns the judges' identities.
pub(crate) fn identities(judges: &[Arc<dyn Judge>]) -> Vec<Arc<dyn JudgeIdentity>> {
    judges.iter().map(|judge| Arc::clone(judge) as Arc<dyn JudgeIdentity>).collect()
}

/// Returns a pair of a query and a document, by their positions.
pub(crate) fn pair(topic: u32, document: u32) -> Pair {
    Pair { topic: TopicIndex(topic), document: DocumentIndex(document) }
}

/// Returns document positions.
pub(crate) fn positions(documents: &[u32]) -> Vec<DocumentIndex> {
    documents.iter().copied().map(DocumentIndex).collect()
}

/// Returns the set of a query's documents, by their positions.
pub(crate) fn set(topic: u32, documents: &[u32]) -> DocumentSet {
    DocumentSet { topic: TopicIndex(topic), documents: positions(documents) }
}

/// Returns the status of each question with a judge, for the first sample.
pub(crate) fn statuses(evidence: &Evidence, judge: usize) -> Vec<Status> {
    let judge = &evidence.judges()[judge];
    (0..evidence.len()).map(|at| judge.status(at).clone()).collect()
}
