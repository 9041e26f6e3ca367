//! The known providers: their addresses, the variables of their keys, their wire formats.

use llull_http::Address;

use crate::aws::REGION;

/// A provider: everything that can come before `/` in a model's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Provider {
    /// The name, `openai`.
    pub name: &'static str,
    /// The environment variable that holds its key.
    pub key_variable: &'static str,
    /// Whether its own addresses need a key. Another address, such as a server of the user's own, may need none.
    pub needs_key: bool,
    /// The environment variable that overrides its address, where there is a customary one.
    pub address_variable: Option<&'static str>,
    /// How that variable is written.
    pub(crate) address_form: AddressForm,
    /// Its own address; `None` if each customer has another.
    pub address: Option<&'static str>,
    /// The names of its servers, where each customer has an address of their own; `*` is a label or a part of one.
    pub(crate) hosts: &'static [&'static str],
    /// Whether each of its replies states its cost.
    pub(crate) states_price: bool,
    /// Whether it has batches, and promises half the price for their requests.
    pub(crate) half_price_batches: bool,
    /// The command that starts its server, where users run one themselves.
    pub(crate) start_with: Option<&'static str>,
    /// The wire format of its requests and replies.
    pub(crate) wire: Wire,
    /// The path of requests at an address without one.
    pub(crate) root: &'static str,
}

/// The wire formats, and those of OpenAI's that differ from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    OpenAi,
    Responses,
    Azure,
    Mistral,
    Groq,
    Together,
    DeepSeek,
    Anthropic,
    Gemini,
    Vertex,
    Bedrock,
}

impl Wire {
    /// Returns whether its servers make vectors of texts, in OpenAI's form.
    pub(crate) fn has_embeddings(self) -> bool {
        use Wire::{Anthropic, Azure, Bedrock, Gemini, Responses, Vertex};
        !matches!(self, Azure | Anthropic | Gemini | Vertex | Bedrock | Responses)
    }
}

impl Provider {
    /// Returns whether an address is one of those that it gives to customers.
    pub(crate) fn serves(&self, address: &Address) -> bool {
        let server = address.server();
        let matches = |(start, end): (&str, &str)| {
            let host = server.strip_prefix("https://").and_then(|host| host.strip_prefix(start));
            host.and_then(|host| host.strip_suffix(end))
                .is_some_and(|label| !label.is_empty() && !label.contains('.'))
        };
        self.hosts.iter().filter_map(|host| host.split_once('*')).any(matches)
    }
}

/// A provider that needs a key and has one address.
const HOSTED: Provider = Provider {
    name: "",
    key_variable: "",
    needs_key: true,
    address_variable: None,
    address_form: AddressForm::Url,
    address: None,
    hosts: &[],
    states_price: false,
    half_price_batches: false,
    start_with: None,
    wire: Wire::OpenAi,
    root: "/v1",
};

/// A provider that takes half the price for requests in batches.
const WITH_BATCHES: Provider = Provider { half_price_batches: true, ..HOSTED };

/// A server that users run themselves, without a key.
const LOCAL: Provider = Provider { needs_key: false, ..HOSTED };

/// Returns the variables that may hold a provider's address.
pub fn address_variables() -> impl Iterator<Item = &'static str> {
    PROVIDERS.iter().filter_map(|provider| provider.address_variable).chain([REGION])
}

/// The form of an address in an environment variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AddressForm {
    /// As a URL.
    Url,
    /// In the form that `ollama serve` binds to.
    OllamaHost,
}

/// Every provider that can be named.
pub const PROVIDERS: [Provider; 17] = [
    Provider {
        name: "openai",
        key_variable: "OPENAI_API_KEY",
        address_variable: Some("OPENAI_BASE_URL"),
        address: Some("https://api.openai.com/v1"),
        ..WITH_BATCHES
    },
    Provider {
        name: "openai-responses",
        key_variable: "OPENAI_API_KEY",
        address_variable: Some("OPENAI_BASE_URL"),
        address: Some("https://api.openai.com/v1"),
        wire: Wire::Responses,
        ..WITH_BATCHES
    },
    Provider {
        name: "anthropic",
        key_variable: "ANTHROPIC_API_KEY",
        address_variable: Some("ANTHROPIC_BASE_URL"),
        address: Some("https://api.anthropic.com/v1"),
        wire: Wire::Anthropic,
        ..WITH_BATCHES
    },
    Provider {
        name: "gemini",
        key_variable: "GEMINI_API_KEY",
        address: Some("https://generativelanguage.googleapis.com/v1"),
        wire: Wire::Gemini,
        ..WITH_BATCHES
    },
    Provider {
        name: "vertex",
        key_variable: "VERTEX_ACCESS_TOKEN",
        hosts: &["*.googleapis.com", "aiplatform.*.rep.googleapis.com"],
        wire: Wire::Vertex,
        ..HOSTED
    },
    Provider {
        name: "azure",
        key_variable: "AZURE_OPENAI_API_KEY",
        address_variable: Some("AZURE_OPENAI_ENDPOINT"),
        hosts: &["*.openai.azure.com", "*.cognitiveservices.azure.com", "*.services.ai.azure.com"],
        wire: Wire::Azure,
        root: "/openai/v1",
        ..WITH_BATCHES
    },
    Provider {
        name: "bedrock",
        key_variable: "AWS_BEARER_TOKEN_BEDROCK",
        hosts: &["bedrock-runtime.*.amazonaws.com", "bedrock-runtime-fips.*.amazonaws.com"],
        wire: Wire::Bedrock,
        root: "/",
        ..WITH_BATCHES
    },
    Provider {
        name: "openrouter",
        key_variable: "OPENROUTER_API_KEY",
        address: Some("https://openrouter.ai/api/v1"),
        states_price: true,
        ..HOSTED
    },
    Provider {
        name: "mistral",
        key_variable: "MISTRAL_API_KEY",
        address: Some("https://api.mistral.ai/v1"),
        wire: Wire::Mistral,
        ..HOSTED
    },
    Provider {
        name: "groq",
        key_variable: "GROQ_API_KEY",
        address: Some("https://api.groq.com/openai/v1"),
        wire: Wire::Groq,
        ..HOSTED
    },
    Provider {
        name: "together",
        key_variable: "TOGETHER_API_KEY",
        address: Some("https://api.together.xyz/v1"),
        wire: Wire::Together,
        ..HOSTED
    },
    Provider {
        name: "deepseek",
        key_variable: "DEEPSEEK_API_KEY",
        address: Some("https://api.deepseek.com/v1"),
        wire: Wire::DeepSeek,
        ..HOSTED
    },
    Provider {
        name: "ollama",
        key_variable: "OLLAMA_API_KEY",
        address_variable: Some("OLLAMA_HOST"),
        address_form: AddressForm::OllamaHost,
        address: Some("http://localhost:11434/v1"),
        start_with: Some("ollama serve"),
        ..LOCAL
    },
    Provider {
        name: "vllm",
        key_variable: "VLLM_API_KEY",
        address: Some("http://localhost:8000/v1"),
        start_with: Some("vllm serve MODEL"),
        ..LOCAL
    },
    Provider {
        name: "sglang",
        key_variable: "SGLANG_API_KEY",
        address: Some("http://localhost:30000/v1"),
        start_with: Some("python -m sglang.launch_server --model-path MODEL"),
        ..LOCAL
    },
    Provider {
        name: "llamacpp",
        key_variable: "LLAMA_API_KEY",
        address: Some("http://localhost:8080/v1"),
        start_with: Some("llama-server -m MODEL.gguf"),
        ..LOCAL
    },
    Provider {
        name: "lmstudio",
        key_variable: "LMSTUDIO_API_KEY",
        address: Some("http://localhost:1234/v1"),
        start_with: Some("lms server start"),
        ..LOCAL
    },
];

/// The form of a provider's embedding requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EmbeddingForm {
    OpenAi,
    Voyage,
    Cohere,
}

/// The providers of embedding models only.
pub(crate) const EMBEDDING_PROVIDERS: [(Provider, EmbeddingForm); 2] = [
    (
        Provider {
            name: "voyage",
            key_variable: "VOYAGE_API_KEY",
            address: Some("https://api.voyageai.com/v1"),
            ..HOSTED
        },
        EmbeddingForm::Voyage,
    ),
    (
        Provider {
            name: "cohere",
            key_variable: "CO_API_KEY",
            address: Some("https://api.cohere.com/v2"),
            ..HOSTED
        },
        EmbeddingForm::Cohere,
    ),
];
