//! A judge that combines prompts with a language model.

use std::sync::Arc;

use futures::future::BoxFuture;
use llull_core::{Answer, Failure, FailureKind, JudgeSpec, TaskKey};
use llull_llm::ChatModel;

use super::prompt_watch::PromptWatch;
use crate::{
    case::Case,
    judge::{Judge, JudgeIdentity, PromptJudge},
    reread::Rereader,
};

/// A judge that renders a request, sends it to a language model and reads the reply.
pub struct ModelJudge {
    prompted: Arc<dyn PromptJudge>,
    model: Arc<dyn ChatModel>,
    concurrency: usize,
    prompts: PromptWatch,
}

impl ModelJudge {
    /// Creates a judge that sends the requests of `prompted` to `model`, at most `concurrency` at once (0 counts as 1).
    pub fn new(prompted: Arc<dyn PromptJudge>, model: Arc<dyn ChatModel>, concurrency: usize) -> Self {
        Self { prompted, model, concurrency, prompts: PromptWatch::default() }
    }

    /// Returns the prompts without the model.
    pub fn prompted(&self) -> &Arc<dyn PromptJudge> {
        &self.prompted
    }
}

impl JudgeIdentity for ModelJudge {
    fn name(&self) -> &str {
        self.prompted.name()
    }

    fn spec(&self) -> &JudgeSpec {
        self.prompted.spec()
    }

    fn key(&self, case: &Case<'_>, sample: u32) -> TaskKey {
        self.prompted.key(case, sample)
    }

    fn needs_text(&self) -> bool {
        self.prompted.needs_text()
    }

    fn knows(&self, topic: &str, document: &str) -> bool {
        self.prompted.knows(topic, document)
    }

    fn in_process(&self) -> bool {
        self.prompted.in_process()
    }

    fn rereader(&self) -> Option<Rereader> {
        self.prompted.rereader()
    }
}

impl Judge for ModelJudge {
    fn concurrency(&self) -> usize {
        self.concurrency
    }

    fn notices(&self) -> Vec<String> {
        let mut notices = self.model.notices().iter().map(ToString::to_string).collect();
        self.prompts.add_notice(self.model.name(), &mut notices);
        notices
    }

    fn ask<'a>(&'a self, case: Case<'a>, sample: u32) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            let request = match self.prompted.request(&case, sample) {
                Ok(request) => request,
                Err(error) => return Answer::from(Failure::new(FailureKind::Rejected, error.to_string())),
            };
            match self.model.chat(&request.chat).await {
                Ok(reply) => {
                    let learnt = self.model.notices().len();
                    self.prompts.add(&case, request.tokens_cut, &reply.usage, learnt);
                    self.prompted.read(&case, reply)
                }
                Err(failure) => Answer { tokens_cut: request.tokens_cut, ..Answer::from(failure) },
            }
        })
    }
}
