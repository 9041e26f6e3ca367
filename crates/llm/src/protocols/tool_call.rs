//! Reads the calls of tools in a reply of Anthropic's or Bedrock's form.

use serde_json::{Value, json};

use crate::chat::Finish;

/// Returns the text and the end of a reply that has these calls. `tool` is the name of the model's only tool, if a call
/// of it is the form of the answer; a text before such a call is no answer.
pub(super) fn with_calls(
    text: String,
    finish: Finish,
    calls: &[&Value],
    tool: Option<&str>,
) -> (String, Finish) {
    let input_for = |tool: &str| match calls {
        [call] if call.get("name").and_then(Value::as_str) == Some(tool) => call.get("input"),
        _ => None,
    };
    match (finish, tool) {
        // It could call the tool and did not.
        (Finish::ToolCall, _) if calls.is_empty() => (text, Finish::Other("tool_use".into())),
        (finish, _) if calls.is_empty() || finish == Finish::Refused => (text, finish),
        // What was cut may lack fields.
        (Finish::Length, Some(_)) => (String::new(), Finish::Length),
        (finish, Some(tool)) => match input_for(tool) {
            // Some models of Bedrock say that their turn has ended (strands-agents/harness-sdk#1838).
            Some(input) if matches!(finish, Finish::ToolCall | Finish::Stop) => {
                (input.to_string(), Finish::Stop)
            }
            _ => (json!(calls).to_string(), Finish::ToolCall),
        },
        _ if text.is_empty() => (json!(calls).to_string(), Finish::ToolCall),
        (Finish::ToolCall, None) => (text, Finish::Other("tool_use".into())),
        (finish, None) => (text, finish),
    }
}
