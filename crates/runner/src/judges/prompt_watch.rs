//! Checks during a run whether a model's server reads whole prompts.

use std::sync::{Mutex, PoisonError};

use llull_core::Usage;
use llull_judge::{PromptCut, ServedPrompt, estimate_tokens, prompt_cut};

use crate::case::Case;

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
