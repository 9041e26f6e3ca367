//! Judges of testkit's as judges of the caller's own: they answer in process, and remember what they were asked.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use llull::core::{
    Answer, ComparedVerdict, Failure, FailureKind, GradedVerdict, Hash, JudgeSpec, KeyBuilder, Outcome,
    Paradigm, Reason, Scale, TaskKey, Unusable, Usage, Verdict,
};
use llull::llm::{ChatModel, ChatReply, ChatRequest};
use llull::runner::{Case, Judge, JudgeIdentity};
use llull_testkit::{ScriptedModel, SimulatedGrader};

use crate::collection::truth;

/// What a judge was asked.
#[derive(Default)]
pub(crate) struct AskedLog {
    asked: Mutex<Vec<String>>,
    hashes: AtomicUsize,
}

impl AskedLog {
    /// Returns what was asked: `q1 a1`, or `q1 a1 a2` where documents are compared.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    pub(crate) fn calls(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    /// Returns how many keys were hashed.
    pub(crate) fn hashes(&self) -> usize {
        self.hashes.load(Ordering::Relaxed)
    }
}

type Script = Box<dyn Fn(&Case<'_>, usize) -> Outcome + Send + Sync>;

/// A judge that answers as a function of the case and of how often it was asked the same before.
pub(crate) struct SimulatedJudge {
    name: String,
    spec: JudgeSpec,
    script: Script,
    needs_text: bool,
    log: Arc<AskedLog>,
}

impl SimulatedJudge {
    pub(crate) fn new(
        name: &str,
        paradigm: Paradigm,
        script: impl Fn(&Case<'_>, usize) -> Outcome + Send + Sync + 'static,
    ) -> Self {
        let spec = JudgeSpec {
            paradigm,
            model: name.into(),
            prompt: String::new(),
            prompt_hash: Hash::of(b"prompt"),
            rubric_hash: Hash::of(b"rubric"),
            scale: Scale::default(),
            sampling: None,
            options: Default::default(),
        };
        let script: Script = Box::new(script);
        Self { name: name.into(), spec, script, needs_text: true, log: Arc::default() }
    }

    /// Returns a judge that gives the true grades, through this bias.
    pub(crate) fn grading(name: &str, bias: f64) -> Self {
        let seed = llull::core::Seed(7);
        let grader = SimulatedGrader { scale: Scale::default(), bias, noise: 0.0, seed };
        Self::new(name, Paradigm::Graded, move |case, _| {
            let (query, document) = (&case.topic.id, case.document_id());
            graded(grader.grade(query, document, truth(query, document)))
        })
    }

    /// Returns a judge that puts documents in the order of their true grades; equal ones are tied.
    pub(crate) fn comparing(name: &str, paradigm: Paradigm) -> Self {
        Self::new(name, paradigm, |case, _| ordered(case, truth))
    }

    /// Returns the same judge under another name; its answers stay its own.
    pub(crate) fn called(mut self, name: &str) -> Self {
        self.name = name.into();
        self
    }

    /// Returns the same judge, which reads no texts.
    pub(crate) fn without_texts(mut self) -> Self {
        self.needs_text = false;
        self
    }

    /// Returns what will remember what it is asked.
    pub(crate) fn log(&self) -> Arc<AskedLog> {
        Arc::clone(&self.log)
    }
}

pub(crate) fn graded(grade: i32) -> Outcome {
    let rationale = format!("it is worth {grade}");
    Outcome::Judged { verdict: Verdict::Graded(GradedVerdict { grade, rationale, ..Default::default() }) }
}

pub(crate) fn unusable(reason: Reason) -> Outcome {
    Outcome::Unusable(Unusable { reason, detail: String::new() })
}

pub(crate) fn failed(kind: FailureKind) -> Outcome {
    Outcome::Failed(Failure::new(kind, "on purpose"))
}

/// Returns the positions of the documents that are shown, best first by what they are worth; equal ones are tied.
pub(crate) fn ordered(case: &Case<'_>, worth: impl Fn(&str, &str) -> i32) -> Outcome {
    let mut shown: Vec<(i32, u16)> =
        case.document_ids().zip(0..).map(|(id, at)| (worth(&case.topic.id, id), at)).collect();
    shown.sort_by_key(|(worth, at)| (std::cmp::Reverse(*worth), *at));
    let order = shown.chunk_by(|left, right| left.0 == right.0);
    order_of(order.map(|group| group.iter().map(|(_, at)| *at).collect()).collect())
}

pub(crate) fn order_of(order: Vec<Vec<u16>>) -> Outcome {
    Outcome::Judged { verdict: Verdict::Compared(ComparedVerdict { order, ..Default::default() }) }
}

fn documents(case: &Case<'_>) -> String {
    case.document_ids().collect::<Vec<_>>().join(" ")
}

impl JudgeIdentity for SimulatedJudge {
    fn name(&self) -> &str {
        &self.name
    }

    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn needs_text(&self) -> bool {
        self.needs_text
    }

    fn key(&self, case: &Case<'_>, sample: u32) -> TaskKey {
        self.log.hashes.fetch_add(1, Ordering::Relaxed);
        let key = KeyBuilder::new("test").text("model", &self.spec.model).text("query", &case.topic.text);
        if !self.needs_text {
            return case.document_ids().fold(key, |key, id| key.text("document", id)).finish();
        }
        case.texts()
            .fold(key, |key, text| key.text("document", &text))
            .number("sample", sample.into())
            .finish()
    }
}

impl Judge for SimulatedJudge {
    fn concurrency(&self) -> usize {
        1
    }

    fn ask<'a>(&'a self, case: Case<'a>, _: u32) -> BoxFuture<'a, Answer> {
        let question = format!("{} {}", case.topic.id, documents(&case));
        let before = {
            let mut asked = self.log.asked.lock().unwrap();
            let before = asked.iter().filter(|other| **other == question).count();
            asked.push(question);
            before
        };
        let usage = Usage::new(8, 2);
        let outcome = (self.script)(&case, before);
        Box::pin(async move { Answer { usage, cost_usd: Some(0.5), ..Answer::computed(outcome) } })
    }
}

/// A scripted model that a test goes on looking at.
pub(crate) struct SharedModel(pub(crate) Arc<ScriptedModel>);

impl ChatModel for SharedModel {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn chat<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, Failure>> {
        self.0.chat(request)
    }
}
