//! A judge that combines prompts with a language model.

use std::sync::{Arc, Mutex, PoisonError};

use futures::future::BoxFuture;
use llull_core::{Answer, Failure, FailureKind, JudgeSpec, TaskKey, Usage};
use llull_judge::{PromptCut, PromptError, ServedPrompt, estimate_tokens, prompt_cut};
use llull_llm::{ChatModel, ChatReply, RateLimit};

use crate::account_limits::{AccountLimits, AccountUse};
use crate::batch_channel::{Arrivals, BatchChannel, BatchReply, BatchRequest};
use crate::case::Case;
use crate::judge::{BatchQuestion, Judge, JudgeIdentity, PromptJudge};
use crate::reread::Rereader;

/// A judge that renders a request, sends it to a language model and reads the reply.
pub struct ModelJudge {
    prompted: Arc<dyn PromptJudge>,
    model: Arc<dyn ChatModel>,
    concurrency: usize,
    limits: AccountLimits,
    account_use: AccountUse,
    prompts: PromptWatch,
    channel: Option<Arc<dyn BatchChannel>>,
}

impl ModelJudge {
    /// Creates a judge that sends the requests of `prompted` to `model`, at most `concurrency` at once (0 counts as 1).
    pub fn new(prompted: Arc<dyn PromptJudge>, model: Arc<dyn ChatModel>, concurrency: usize) -> Self {
        let (limits, account_use) = <(AccountLimits, AccountUse)>::default();
        let prompts = PromptWatch::default();
        Self { prompted, model, concurrency, limits, account_use, prompts, channel: None }
    }

    /// Sets limits of the model's account. Its use is that of the [run](crate::RunOptions::account_use): it gets the
    /// estimated tokens of answers that state none.
    #[must_use]
    pub fn within(self, limits: AccountLimits, account_use: AccountUse) -> Self {
        Self { limits, account_use, ..self }
    }

    /// Sends all requests of a wave together, through this channel.
    #[must_use]
    pub fn through(self, channel: Arc<dyn BatchChannel>) -> Self {
        Self { channel: Some(channel), ..self }
    }

    /// Reads what came back for a request.
    fn answer(&self, case: &Case<'_>, tokens_cut: u32, reply: Result<ChatReply, Failure>) -> Answer {
        match reply {
            Ok(reply) => {
                let learnt = self.model.notices().len();
                self.prompts.add(case, tokens_cut, &reply.usage, learnt);
                self.prompted.read(case, reply)
            }
            Err(failure) => Answer { tokens_cut, ..Answer::from(failure) },
        }
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
        notices.extend(self.channel.iter().flat_map(|channel| channel.notices()));
        notices
    }

    fn limits(&self) -> Option<(&str, Vec<RateLimit>)> {
        Some((self.model.account(), self.model.limits())).filter(|(_, limits)| !limits.is_empty())
    }

    fn set_limits(&self) -> Option<(&str, AccountLimits)> {
        Some((self.model.account(), self.limits)).filter(|(_, limits)| !limits.is_none())
    }

    fn ask<'a>(&'a self, case: Case<'a>, sample: u32) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            let request = match self.prompted.request(&case, sample) {
                Ok(request) => request,
                Err(error) => return not_rendered(&error),
            };
            let reply = self.model.chat(&request.chat).await;
            if let Ok(reply) = reply.as_ref()
                && reply.usage.prompt_tokens.is_none()
            {
                let written = reply.reasoning.iter().chain([&reply.text]).map(|text| estimate_tokens(text));
                let tokens = written.chain([request.tokens]).map(u64::from).sum();
                self.account_use.estimate(self.model.account(), tokens);
            }
            self.answer(&case, request.tokens_cut, reply)
        })
    }

    fn in_batches(&self) -> bool {
        self.channel.is_some()
    }

    fn asks_one_first(&self) -> bool {
        self.channel.as_ref().is_some_and(|channel| channel.asks_one_first())
    }

    fn ask_all<'a>(
        &'a self,
        questions: Vec<BatchQuestion<'a>>,
        arrived: Arrivals<'a, Answer>,
    ) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            // Each request's place among the questions, with the tokens that were cut from its documents.
            let (mut requests, mut sent) = (Vec::new(), Vec::new());
            for (place, BatchQuestion { case, sample, id }) in questions.iter().enumerate() {
                match self.prompted.request(case, *sample) {
                    Ok(request) => {
                        requests.push(BatchRequest { id: id.clone(), chat: request.chat });
                        sent.push((place, case, request.tokens_cut));
                    }
                    Err(error) => arrived(vec![(place, not_rendered(&error))]),
                }
            }
            let Some(channel) = &self.channel else { return };
            let answered = |replies: Vec<(usize, BatchReply)>| {
                let answer = |(request, reply)| {
                    let (place, case, tokens_cut) = *sent.get::<usize>(request)?;
                    Some((place, self.answer(case, tokens_cut, reply)))
                };
                arrived(replies.into_iter().filter_map(answer).collect());
            };
            channel.exchange(&requests, &answered).await;
        })
    }
}

/// The answer to a question whose request cannot be made.
fn not_rendered(error: &PromptError) -> Answer {
    Answer::from(Failure::new(FailureKind::Rejected, error.to_string()))
}

/// The counts are checked at this many answers, and again whenever there are twice as many.
const FIRST_LOOK: usize = 8;

/// Watches the tokens that a server reports for its prompts.
#[derive(Debug, Default)]
pub(super) struct PromptWatch(Mutex<Watched>);

#[derive(Debug, Default)]
struct Watched {
    prompts: Vec<ServedPrompt>,
    /// The sign of a cut, and how many notices there were when it was found.
    found: Option<(PromptCut, usize)>,
}

impl PromptWatch {
    /// Takes note of a prompt that was answered. `notices` is the number of the model's notices so far.
    pub(super) fn add(&self, case: &Case<'_>, tokens_cut: u32, usage: &Usage, notices: usize) {
        let Some(reported) = usage.prompt_tokens else { return };
        let mut watched = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if watched.found.is_some() {
            return;
        }
        let (mut documents, mut last) = (0, 0);
        for text in case.texts() {
            last = u64::from(estimate_tokens(&text));
            documents += last;
        }
        let shown = |tokens: u64| tokens.saturating_sub(u64::from(tokens_cut));
        watched.prompts.push(ServedPrompt { documents: shown(documents), last: shown(last), reported });
        let count = watched.prompts.len();
        if count >= FIRST_LOOK && count.is_power_of_two() {
            watched.found = prompt_cut(&watched.prompts).map(|cut| (cut, notices));
        }
    }

    /// Adds the finding to the notices of a model, at its place among them.
    pub(super) fn add_notice(&self, model: &str, notices: &mut Vec<String>) {
        let watched = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((cut, place)) = watched.found else { return };
        let what = match cut {
            PromptCut::AtLimit { tokens, .. } => {
                format!(
                    "it reports {tokens} prompt tokens for prompts that are longer than that, or differ much"
                )
            }
            PromptCut::FarBelow { .. } => {
                String::from("it reports fewer prompt tokens than half of the document alone has")
            }
        };
        let text = format!(
            "{model}: the server seems to cut prompts: {what}. The judge does not read whole documents. Raise the \
             server's context length (Ollama: num_ctx, or OLLAMA_CONTEXT_LENGTH)"
        );
        notices.insert(place.min(notices.len()), text);
    }
}
