//! A language model that answers from a script.

use std::{
    collections::VecDeque,
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures::future::BoxFuture;
use llull_core::{Failure, FailureKind, Usage};
use llull_llm::{ChatModel, ChatReply, ChatRequest, Finish};

type Answer = Result<ChatReply, Failure>;

/// A [`ChatModel`] that answers from a script and records its requests.
pub struct ScriptedModel {
    name: String,
    script: Script,
    latency: Duration,
    requests: Mutex<Vec<ChatRequest>>,
}

enum Script {
    InOrder(Mutex<VecDeque<Answer>>),
    Answering(Box<dyn Fn(&ChatRequest) -> Answer + Send + Sync>),
}

impl ScriptedModel {
    /// Returns a model that gives these answers in order, then failures of the kind `Rejected`.
    pub fn in_order(name: &str, answers: impl IntoIterator<Item = Answer>) -> Self {
        Self::with(name, Script::InOrder(Mutex::new(answers.into_iter().collect())))
    }

    /// Returns a model that answers each request as a function does.
    pub fn answering(name: &str, answer: impl Fn(&ChatRequest) -> Answer + Send + Sync + 'static) -> Self {
        Self::with(name, Script::Answering(Box::new(answer)))
    }

    fn with(name: &str, script: Script) -> Self {
        Self { name: name.to_owned(), script, latency: Duration::ZERO, requests: Mutex::default() }
    }

    /// Returns the same model with each answer delayed by `latency`.
    #[must_use]
    pub fn with_latency(self, latency: Duration) -> Self {
        Self { latency, ..self }
    }

    /// Returns the number of its requests.
    pub fn calls(&self) -> usize {
        locked(&self.requests).len()
    }

    /// Returns its requests, in order.
    pub fn requests(&self) -> Vec<ChatRequest> {
        locked(&self.requests).clone()
    }

    fn answer(&self, request: &ChatRequest) -> Answer {
        locked(&self.requests).push(request.clone());
        match &self.script {
            Script::Answering(answer) => answer(request),
            Script::InOrder(answers) => locked(answers).pop_front().unwrap_or_else(|| {
                let message = format!("the script of {} has ended", self.name);
                Err(Failure::new(FailureKind::Rejected, message))
            }),
        }
    }
}

impl ChatModel for ScriptedModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn chat<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            let answer = self.answer(request);
            if !self.latency.is_zero() {
                tokio::time::sleep(self.latency).await;
            }
            answer
        })
    }
}

impl fmt::Debug for ScriptedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedModel").field("name", &self.name).field("calls", &self.calls()).finish()
    }
}

/// Returns a finished reply with this text, token counts and no price, from a model called `scripted`.
pub fn reply(text: impl Into<String>) -> ChatReply {
    ChatReply {
        text: text.into(),
        reasoning: None,
        finish: Finish::Stop,
        usage: Usage::new(100, 20),
        model: Some(String::from("scripted")),
        tokens: Vec::new(),
        cost_usd: None,
        adjusted: Vec::new(),
        request_id: None,
    }
}

/// Locks a mutex. A test that panicked while it held the lock has failed already, and the values are still valid.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use llull_core::Sampling;
    use llull_llm::{Message, Role};

    use super::*;

    fn request(text: &str) -> ChatRequest {
        let messages = vec![Message { role: Role::User, content: text.into() }];
        ChatRequest { messages, sampling: Sampling::default(), schema: None, logprobs: None }
    }

    #[tokio::test]
    async fn a_script_is_followed_to_its_end() {
        let broken = Failure::new(FailureKind::Timeout, "too slow");
        let model = ScriptedModel::in_order("m", [Ok(reply("one")), Err(broken.clone())]);
        assert_eq!(model.chat(&request("a")).await.unwrap().text, "one");
        assert_eq!(model.chat(&request("b")).await.unwrap_err(), broken);
        assert!(model.chat(&request("c")).await.unwrap_err().message.contains("has ended"));
        assert_eq!(model.calls(), 3);
        assert_eq!(model.requests()[1], request("b"));
    }

    #[tokio::test]
    async fn a_function_sees_the_request() {
        let model =
            ScriptedModel::answering("m", |request| Ok(reply(request.messages[0].content.to_uppercase())));
        assert_eq!(model.chat(&request("a")).await.unwrap().text, "A");
    }
}
