//! The parameters that a server may refuse, and requests without them.

use super::wire_format::WireFormat;
use crate::{
    adjustment::{Adjustment, JSON_OBJECT},
    chat::{ChatRequest, Role},
};

/// A parameter that llull sends and that some server or model refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parameter {
    Temperature,
    TopP,
    Seed,
    /// `max_tokens`. It is never left out, since it limits the cost of a reply, but sent under its newer name.
    MaxTokens,
    /// `response_format`: the JSON schema. It is sent in the next form that the format has.
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

    /// Returns the parameter that a server calls by this name. xAI writes `topP`, Gemini `Logprobs`; Mistral's seed is
    /// `random_seed`, the schema is in Anthropic's `output_config`, in Gemini's `responseJsonSchema` and in
    /// `text.format` of OpenAI's Responses.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        let plain = |name: &str| name.replace('_', "").to_ascii_lowercase();
        let name = plain(name);
        let own = Self::ALL.into_iter().find(|parameter| plain(parameter.name()) == name);
        own.or(match name.as_str() {
            // OpenAI's Responses ask for them by `include`, which asks for nothing else.
            "toplogprobs" | "responselogprobs" | "include" => Some(Self::Logprobs),
            "randomseed" => Some(Self::Seed),
            "outputconfig" | "outputformat" | "responsejsonschema" | "responsemimetype" | "text.format" => {
                Some(Self::ResponseFormat)
            }
            "systeminstruction" => Some(Self::SystemRole),
            _ => None,
        })
    }

    /// Returns the name under which it is sent to a server that refuses its own; `None` if it is left out.
    /// [`Form::other_name`] knows that of a schema.
    pub(super) fn other_name(self) -> Option<&'static str> {
        match self {
            Self::MaxTokens => Some(NEW_LIMIT_NAME),
            Self::SystemRole => Some(OTHER_ROLE),
            _ => None,
        }
    }

    pub(super) fn is_asked_for(self, request: &ChatRequest) -> bool {
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

/// How a request demands the form of its reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SchemaForm {
    /// By the server's own field for schemas.
    Native,
    /// By a tool with the schema that the model has to call. Its call is the reply.
    Tool,
    /// By the field for any JSON object, without the schema.
    Object,
}

impl SchemaForm {
    fn name(self) -> &'static str {
        match self {
            Self::Native => "json_schema",
            Self::Tool => "tool",
            Self::Object => JSON_OBJECT,
        }
    }
}

/// The form of a request: which parameters this server refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    refused: [bool; Parameter::ALL.len()],
    /// The forms of a schema, and how many of them are refused.
    schemas: &'static [SchemaForm],
    refused_schemas: usize,
}

impl Form {
    /// Returns the form that a server of a wire format takes, as far as is known before the first request.
    pub(super) fn of(format: &dyn WireFormat) -> Self {
        let schemas = format.schema_forms();
        let refused = Parameter::ALL.map(|parameter| format.lacks().contains(&parameter));
        Self { refused, schemas, refused_schemas: 0 }
    }

    /// Returns the form of a schema; `None` if the server takes none.
    pub(super) fn schema(self) -> Option<SchemaForm> {
        self.schemas.get(self.refused_schemas).copied()
    }

    /// Returns the name of the tool that the model has to call in a request of this form, if there is one.
    pub(super) fn tool(self, request: &ChatRequest) -> Option<&str> {
        let schema = request.schema.as_ref().filter(|_| self.schema() == Some(SchemaForm::Tool));
        schema.map(|schema| &*schema.name)
    }

    /// Returns whether the server takes a parameter under its own name; a schema in any form.
    pub(super) fn takes(self, parameter: Parameter) -> bool {
        if parameter == Parameter::ResponseFormat {
            return self.schema().is_some();
        }
        let mut all = Parameter::ALL.into_iter().zip(self.refused);
        !all.any(|(known, refused)| known == parameter && refused)
    }

    /// Returns whether a request in this form holds a parameter under its own name.
    pub(super) fn sends(self, parameter: Parameter, request: &ChatRequest) -> bool {
        self.takes(parameter) && parameter.is_asked_for(request)
    }

    /// Returns whether this form already does without what a server refused in another.
    pub(super) fn avoids(self, parameter: Parameter, tried: Self) -> bool {
        match parameter {
            Parameter::ResponseFormat => self.refused_schemas > tried.refused_schemas,
            _ => !self.takes(parameter),
        }
    }

    /// Returns the form without a parameter, or with it under its other name.
    #[must_use]
    pub(super) fn without(mut self, parameter: Parameter) -> Self {
        if parameter == Parameter::ResponseFormat {
            self.refused_schemas += 1;
            return self;
        }
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
        let is_adjusted = |parameter: &Parameter| match parameter {
            Parameter::ResponseFormat => self.schema() != Some(SchemaForm::Native),
            parameter => !self.takes(*parameter),
        };
        let asked = Parameter::ALL.into_iter().filter(|parameter| parameter.is_asked_for(request));
        asked
            .filter(is_adjusted)
            .map(|parameter| Adjustment { parameter: parameter.name(), sent_as: self.other_name(parameter) })
            .collect()
    }

    /// Returns the name under which a parameter is sent that the server refuses; `None` if it is left out.
    pub(super) fn other_name(self, parameter: Parameter) -> Option<&'static str> {
        match parameter {
            Parameter::ResponseFormat => self.schema().map(SchemaForm::name),
            parameter => parameter.other_name(),
        }
    }
}
