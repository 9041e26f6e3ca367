//! Between a prompt and a model: what both kinds of prompted judge do alike.

use llull_core::{Outcome, Sampling};
use llull_judge::{RawReply, Rendered};
use llull_llm::{ChatReply, ChatRequest, Finish, Message, ResponseSchema, Role};

use crate::Answer;

/// The request that puts a prompt before a model. Where there is a seed, sample n is asked with the seed plus n.
pub(super) fn request(
    rendered: &Rendered,
    mut sampling: Sampling,
    sample: u32,
    schema: ResponseSchema,
    logprobs: Option<u8>,
) -> ChatRequest {
    let messages = rendered.messages.iter().map(|message| Message {
        role: match message.role {
            llull_judge::Role::System => Role::System,
            llull_judge::Role::User => Role::User,
        },
        content: message.content.clone(),
    });
    sampling.seed = sampling.seed.map(|seed| seed.wrapping_add(u64::from(sample)));
    ChatRequest { messages: messages.collect(), sampling, schema: Some(schema), logprobs }
}

/// What there is to read of a reply.
pub(super) fn raw(reply: &ChatReply) -> RawReply<'_> {
    RawReply {
        text: &reply.text,
        cut_off: reply.finish == Finish::Length,
        refused: reply.finish == Finish::Refused,
    }
}

/// The answer that a reply was.
pub(super) fn answer(reply: ChatReply, outcome: Outcome, tokens_cut: u32) -> Answer {
    // Reasoning that came apart is kept as models that send it along write it, so that the whole reads as one reply.
    let text = match reply.reasoning {
        Some(reasoning) => format!("<think>\n{reasoning}\n</think>\n{}", reply.text),
        None => reply.text,
    };
    Answer {
        outcome,
        reply: Some(text),
        model: reply.model,
        usage: reply.usage,
        cost_usd: reply.cost_usd,
        tokens_cut,
    }
}
