//! Notices about a model's server.

use std::fmt;

/// A limit of a model's server that readers of the results should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// The server refused to enforce a JSON schema, so replies follow only the prompt.
    SchemaRefused {
        /// The model's name as configured.
        model: String,
        /// The server's words.
        words: String,
    },
    /// The server gives no log-probabilities, so probabilities of answers stay unknown.
    NoLogprobs {
        /// The model's name as configured.
        model: String,
        /// The words with which it refused them; `None` if it accepts the request and leaves them out.
        words: Option<String>,
    },
    /// The server refuses a parameter, which is left out or sent under another name.
    ParameterRefused {
        /// The model's name as configured.
        model: String,
        /// The parameter.
        parameter: &'static str,
        /// The name under which it is sent instead; `None` if it is left out.
        sent_as: Option<&'static str>,
        /// The server's words.
        words: String,
    },
    /// The server refuses the system role, so the instructions are part of the user's message.
    SystemRoleRefused {
        /// The model's name as configured.
        model: String,
        /// The server's words.
        words: String,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SchemaRefused { model, words } => write!(
                f,
                "{model}: the server takes no JSON schema, so it is asked without one and more replies may be \
                 unusable ({words})"
            ),
            Self::NoLogprobs { model, words } => write!(
                f,
                "{model}: the server gives no log-probabilities, so the probabilities of answers are unknown ({})",
                words.as_deref().unwrap_or("it takes the request and leaves them out")
            ),
            Self::SystemRoleRefused { model, words } => write!(
                f,
                "{model}: the server takes no system role, so the instructions are sent at the start of the user \
                 message ({words})"
            ),
            Self::ParameterRefused { model, parameter, sent_as: Some(name), words } => {
                write!(f, "{model}: the server takes no {parameter}, so it is sent as {name} ({words})")
            }
            Self::ParameterRefused { model, parameter, sent_as: None, words } => write!(
                f,
                "{model}: the server takes no {parameter}, so it is left out and the server's own applies ({words})"
            ),
        }
    }
}
