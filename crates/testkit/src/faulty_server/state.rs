//! The shared state of the server's requests: plan and counts.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::{HeaderMap, header::AUTHORIZATION};
use llull_core::{Hash, Scale};
use serde_json::Value;
use tokio::sync::watch;

use super::batches::ServerBatch;
use super::bedrock::Bedrock;
use super::served::{Recorded, Served};
use super::steps::Steps;
use crate::{fault::Fault, fault_plan::FaultPlan};

#[derive(Debug)]
pub(super) struct ServerState {
    pub(super) plan: FaultPlan,
    pub(super) scale: Scale,
    counts: Mutex<Counts>,
    batches: Mutex<Vec<ServerBatch>>,
    bedrock: Mutex<Bedrock>,
    /// How many requests are answered; `None` for all.
    answers: watch::Sender<Option<usize>>,
    pub(super) steps: Steps,
}

#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) served: Served,
    pub(super) recorded: Vec<Recorded>,
    arrivals: usize,
    open: usize,
}

impl Counts {
    /// How many requests are being answered.
    pub(super) fn open(&self) -> usize {
        self.open
    }
}

/// Counts a request as open for as long as it lives, also if the client hangs up and the handler is dropped.
pub(super) struct OpenRequest(pub(super) Arc<ServerState>);

impl Drop for OpenRequest {
    fn drop(&mut self) {
        self.0.counts().open -= 1;
    }
}

impl ServerState {
    pub(super) fn new(plan: FaultPlan, scale: Scale) -> Self {
        let answers = watch::Sender::new(None);
        let (counts, batches, bedrock) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { plan, scale, counts, batches, bedrock, answers, steps: Steps::default() }
    }

    pub(super) fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn batches(&self) -> MutexGuard<'_, Vec<ServerBatch>> {
        self.batches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn bedrock(&self) -> MutexGuard<'_, Bedrock> {
        self.bedrock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers so many requests, counted from the server's start, and lets others wait; `None` answers all.
    pub(super) fn answer(&self, requests: Option<usize>) {
        self.answers.send_replace(requests);
    }

    /// Whether requests may have to wait.
    pub(super) fn holds(&self) -> bool {
        self.answers.borrow().is_some()
    }

    /// Waits until the request may be answered.
    pub(super) async fn turn_of(&self, arrival: usize) {
        let mut answers = self.answers.subscribe();
        // The sender lives as long as this state.
        let _ = answers.wait_for(|answers| answers.is_none_or(|answers| arrival < answers)).await;
    }

    /// Counts a request and decides its answer, in one step. Also returns the number of earlier requests with its
    /// prompt, and of all.
    pub(super) fn arrive(&self, body: &Value, headers: &HeaderMap, prompt: &Hash) -> (Decision, u32, usize) {
        let mut counts = self.counts();
        let counts = &mut *counts;
        let authorization =
            headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let decision = self.decide(body, authorization.as_deref(), prompt, counts);
        let arrival = counts.arrivals;
        counts.arrivals += 1;
        counts.open += 1;
        counts.served.most_open = counts.served.most_open.max(counts.open);
        *counts.served.kinds.entry(decision.name()).or_default() += 1;
        let count = counts.served.prompts.entry(*prompt).or_default();
        let asked = count.asked;
        count.asked += 1;
        count.stumbled += u32::from(decision.is_in_transit());
        if self.plan.record {
            counts.recorded.push(Recorded { authorization, body: body.clone() });
        }
        (decision, asked, arrival)
    }

    fn decide(&self, body: &Value, authorization: Option<&str>, prompt: &Hash, counts: &Counts) -> Decision {
        let key = self.plan.key.as_ref().map(|key| format!("Bearer {key}"));
        if key.is_some() && key.as_deref() != authorization {
            return Decision::Do(Fault::Unauthorized);
        }
        if self.plan.new_limit_name && body.get("max_tokens").is_some() {
            return Decision::NewLimitName;
        }
        if let Some(name) = self.plan.refused_parameters.iter().find(|name| body.get(**name).is_some()) {
            return Decision::RefusedParameter(name);
        }
        if self.plan.no_schema && body.get("response_format").is_some() {
            return Decision::NoSchema;
        }
        let count = counts.served.prompts.get(prompt).copied().unwrap_or_default();
        Decision::Do(self.plan.fault(prompt, counts.arrivals, count.asked, count.stumbled))
    }
}

/// How a request is answered.
#[derive(Debug)]
pub(super) enum Decision {
    /// The schema is refused.
    NoSchema,
    /// The old name of the token limit is refused.
    NewLimitName,
    /// This parameter is refused.
    RefusedParameter(&'static str),
    /// As planned.
    Do(Fault),
}

impl Decision {
    fn name(&self) -> &'static str {
        match self {
            Self::NoSchema => "no_schema",
            Self::NewLimitName => "new_limit_name",
            Self::RefusedParameter(_) => "refused_parameter",
            Self::Do(fault) => fault.name(),
        }
    }

    /// Returns whether the fault is in transit, so that asking again may help.
    pub(super) fn is_in_transit(&self) -> bool {
        use Fault::{Hang, RateLimited, Reset, ServerError};
        matches!(self, Self::Do(RateLimited { .. } | ServerError | Hang | Reset))
    }
}
