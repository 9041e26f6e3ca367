//! The messages of a request in the form that a server takes.

use super::parameter::{Form, Parameter};
use crate::chat::{ChatRequest, Message, Role};

/// The messages of a request, the instructions apart from the turns.
#[derive(Debug, PartialEq)]
pub(super) struct Turns {
    /// The instructions; `None` if there are none, or the server refuses their role.
    pub(super) system: Option<String>,
    pub(super) turns: Vec<Message>,
}

/// Returns the messages. For a server that refuses the system role, instructions are at the beginning of the next user
/// message: some templates require that the roles alternate.
pub(super) fn turns(request: &ChatRequest, form: Form) -> Turns {
    let (mut instructions, mut turns) = (String::new(), Vec::new());
    let apart = form.takes(Parameter::SystemRole);
    for message in &request.messages {
        match message.role {
            Role::System => instructions.extend([&message.content, "\n\n"]),
            Role::User if !apart => {
                let content = format!("{instructions}{}", message.content);
                turns.push(Message { role: Role::User, content });
                instructions.clear();
            }
            Role::User | Role::Assistant => turns.push(message.clone()),
        }
    }
    let rest = (!instructions.is_empty()).then(|| instructions.trim_end().to_owned());
    match rest {
        Some(content) if !apart => {
            turns.push(Message { role: Role::User, content });
            Turns { system: None, turns }
        }
        system => Turns { system, turns },
    }
}
