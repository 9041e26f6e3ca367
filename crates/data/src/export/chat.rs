//! Chats to train a language model with: an object on each line.

use std::io::Write;

use serde::Serialize;

use crate::DataError;
use crate::trec::output;

/// A message of a chat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChatMessage<'a> {
    /// `system`, `user` or `assistant`.
    pub role: &'a str,
    /// The text.
    pub content: &'a str,
}

/// A chat: a prompt, and the reply to learn as its last message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChatExample<'a> {
    /// The messages in their order.
    pub messages: Vec<ChatMessage<'a>>,
}

/// Writes chats as `{"messages": [{"role": "system", "content": ...}, ...]}`, one on each line: the form of OpenAI's
/// fine-tuning, which Hugging Face's TRL, Axolotl, Unsloth and others read.
///
/// # Errors
/// Returns an error if `out` fails.
pub fn write_chat<'a>(
    examples: impl Iterator<Item = ChatExample<'a>>,
    out: &mut dyn Write,
) -> Result<(), DataError> {
    for example in examples {
        serde_json::to_writer(&mut *out, &example).map_err(|error| output(error.into()))?;
        out.write_all(b"\n").map_err(output)?;
    }
    out.flush().map_err(output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_a_line() {
        let message = |role, content| ChatMessage { role, content };
        let example = ChatExample { messages: vec![message("user", "Grade\nit"), message("assistant", "3")] };
        let mut bytes = Vec::new();
        write_chat([example].into_iter(), &mut bytes).unwrap();
        let line = "{\"messages\":[{\"role\":\"user\",\"content\":\"Grade\\nit\"},\
                    {\"role\":\"assistant\",\"content\":\"3\"}]}\n";
        assert_eq!(String::from_utf8(bytes).unwrap(), line);
    }
}
