//! The parameters that a server may refuse, and requests without them.

use crate::{
    adjustment::Adjustment,
    chat::{ChatRequest, Role},
};

/// A parameter that llull sends and that some server or model refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parameter {
    Temperature,
    TopP,
    Seed,
    /// `max_tokens`. It is never left out, since it limits the cost of a reply, but sent under its newer name.
    MaxTokens,
    /// `response_format`: the JSON schema.
    ResponseFormat,
    /// `logprobs` and `top_logprobs`.
    Logprobs,
    /// The role `system` of a message. Its text is never left out, but put before the user's text.
    SystemRole,
}

/// The newer name of the token limit.
const NEW_LIMIT_NAME: &str = "max_completion_tokens";

/// The role of instructions at a server that refuses their own.
const OTHER_ROLE: &str = "user";

impl Parameter {
    /// All parameters, in the order in which they are sent.
    pub(super) const ALL: [Self; 7] = [
        Self::MaxTokens,
        Self::Temperature,
        Self::TopP,
        Self::Seed,
        Self::ResponseFormat,
        Self::Logprobs,
        Self::SystemRole,
    ];

    /// Returns the name under which it is sent.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Temperature => "temperature",
            Self::TopP => "top_p",
            Self::Seed => "seed",
            Self::MaxTokens => "max_tokens",
            Self::ResponseFormat => "response_format",
            Self::Logprobs => "logprobs",
            Self::SystemRole => "system role",
        }
    }

    /// Returns the parameter that a server calls by this name. xAI writes `topP`, Gemini `Logprobs`.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        let plain = |name: &str| name.replace('_', "").to_ascii_lowercase();
        let name = plain(name);
        let of_logprobs = || (name == "toplogprobs").then_some(Self::Logprobs);
        Self::ALL.into_iter().find(|parameter| plain(parameter.name()) == name).or_else(of_logprobs)
    }

    /// Returns the name under which it is sent to a server that refuses its own; `None` if it is left out.
    pub(super) fn other_name(self) -> Option<&'static str> {
        match self {
            Self::MaxTokens => Some(NEW_LIMIT_NAME),
            Self::SystemRole => Some(OTHER_ROLE),
            _ => None,
        }
    }

    fn is_asked_for(self, request: &ChatRequest) -> bool {
        match self {
            Self::Temperature => request.sampling.temperature.is_some(),
            Self::TopP => request.sampling.top_p.is_some(),
            Self::Seed => request.sampling.seed.is_some(),
            Self::MaxTokens => true,
            Self::ResponseFormat => request.schema.is_some(),
            Self::Logprobs => request.logprobs.is_some(),
            Self::SystemRole => request.messages.iter().any(|message| message.role == Role::System),
        }
    }
}

/// The form of a request: which parameters this server refuses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Form {
    refused: [bool; Parameter::ALL.len()],
}

impl Form {
    /// Returns whether the server takes a parameter under its own name.
    pub(super) fn takes(self, parameter: Parameter) -> bool {
        let mut all = Parameter::ALL.into_iter().zip(self.refused);
        !all.any(|(known, refused)| known == parameter && refused)
    }

    /// Returns whether a request in this form holds a parameter under its own name.
    pub(super) fn sends(self, parameter: Parameter, request: &ChatRequest) -> bool {
        self.takes(parameter) && parameter.is_asked_for(request)
    }

    #[must_use]
    pub(super) fn without(mut self, parameter: Parameter) -> Self {
        for (known, refused) in Parameter::ALL.into_iter().zip(&mut self.refused) {
            *refused |= known == parameter;
        }
        self
    }

    /// Returns the name of the token limit.
    pub(super) fn limit_name(self) -> &'static str {
        match (self.takes(Parameter::MaxTokens), Parameter::MaxTokens.other_name()) {
            (false, Some(other)) => other,
            _ => Parameter::MaxTokens.name(),
        }
    }

    /// Returns the differences between a request in this form and as configured.
    pub(super) fn adjustments(self, request: &ChatRequest) -> Vec<Adjustment> {
        let adjusted = |parameter: &Parameter| parameter.is_asked_for(request) && !self.takes(*parameter);
        let adjusted = Parameter::ALL.into_iter().filter(adjusted);
        adjusted
            .map(|parameter| Adjustment { parameter: parameter.name(), sent_as: parameter.other_name() })
            .collect()
    }
}
