//! A language model behind an interface of your own.
//!
//! `ChatModel` is one method: a request goes in, a reply or a failure comes out. This one is a function; yours calls
//! your gateway. Retries, limits, budgets and the ledger are llull's: `cargo run --package llull --example own_model`.

#![allow(clippy::print_stdout, reason = "an example talks to its user")]

mod small_study;

use std::future::ready;
use std::pin::Pin;

use llull::core::{Failure, Usage};
use llull::llm::{ChatModel, ChatReply, ChatRequest, Finish};

struct Gateway;

impl ChatModel for Gateway {
    fn name(&self) -> &str {
        "gateway/words-1"
    }

    // A failure says whether trying again can help: `Failure::new` takes its kind, and the runner decides.
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> Pin<Box<dyn Future<Output = Result<ChatReply, Failure>> + Send + 'a>> {
        let prompt: String = request.messages.iter().map(|message| message.content.as_str()).collect();
        let grade = if prompt.contains("perhaps") { 2 } else { 0 };
        Box::pin(ready(Ok(ChatReply {
            text: format!(r#"{{"grade": {grade}, "rationale": "by one word"}}"#),
            reasoning: None,
            finish: Finish::Stop,
            usage: Usage::default(),
            model: Some("words-1".to_owned()),
            tokens: Vec::new(),
            cost_usd: Some(0.0),
            adjusted: Vec::new(),
            request_id: None,
        })))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let study = small_study::small_study().model("gateway", Gateway, "graded-direct").build()?;
    let inputs = study.inputs()?;
    let evidence = study.judge(&inputs).run()?.evidence;
    let grade = |id| evidence.labels.get("q1", id).map(|label| label.grade);
    println!("d1: {:?}, d2: {:?}", grade("d1"), grade("d2"));
    assert_eq!((grade("d1"), grade("d2")), (Some(2), Some(0)));
    Ok(())
}
