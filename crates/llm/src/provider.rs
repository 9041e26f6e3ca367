//! The known providers: their addresses and the variables of their keys.

/// A provider: everything that can come before `/` in a model's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Provider {
    /// The name, `openai`.
    pub name: &'static str,
    /// The environment variable that holds its key.
    pub key_variable: &'static str,
    /// Whether its own address needs a key. Another address, such as a server of the user's own, may need none.
    pub needs_key: bool,
    /// The environment variable that overrides its address, where there is a customary one.
    pub address_variable: Option<&'static str>,
    /// How that variable is written.
    pub(crate) address_form: AddressForm,
    /// Its own address.
    pub address: &'static str,
    /// Whether each of its replies states its cost.
    pub(crate) states_price: bool,
    /// The command that starts its server, where users run one themselves.
    pub(crate) start_with: Option<&'static str>,
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
pub const PROVIDERS: [Provider; 5] = [
    Provider {
        name: "openai",
        key_variable: "OPENAI_API_KEY",
        needs_key: true,
        address_variable: Some("OPENAI_BASE_URL"),
        address_form: AddressForm::Url,
        address: "https://api.openai.com/v1",
        states_price: false,
        start_with: None,
    },
    Provider {
        name: "openrouter",
        key_variable: "OPENROUTER_API_KEY",
        needs_key: true,
        address_variable: None,
        address_form: AddressForm::Url,
        address: "https://openrouter.ai/api/v1",
        states_price: true,
        start_with: None,
    },
    Provider {
        name: "ollama",
        key_variable: "OLLAMA_API_KEY",
        needs_key: false,
        address_variable: Some("OLLAMA_HOST"),
        address_form: AddressForm::OllamaHost,
        address: "http://localhost:11434/v1",
        states_price: false,
        start_with: Some("ollama serve"),
    },
    Provider {
        name: "vllm",
        key_variable: "VLLM_API_KEY",
        needs_key: false,
        address_variable: None,
        address_form: AddressForm::Url,
        address: "http://localhost:8000/v1",
        states_price: false,
        start_with: Some("vllm serve MODEL"),
    },
    Provider {
        name: "llamacpp",
        key_variable: "LLAMA_API_KEY",
        needs_key: false,
        address_variable: None,
        address_form: AddressForm::Url,
        address: "http://localhost:8080/v1",
        states_price: false,
        start_with: Some("llama-server -m MODEL.gguf"),
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
            needs_key: true,
            address_variable: None,
            address_form: AddressForm::Url,
            address: "https://api.voyageai.com/v1",
            states_price: false,
            start_with: None,
        },
        EmbeddingForm::Voyage,
    ),
    (
        Provider {
            name: "cohere",
            key_variable: "CO_API_KEY",
            needs_key: true,
            address_variable: None,
            address_form: AddressForm::Url,
            address: "https://api.cohere.com/v2",
            states_price: false,
            start_with: None,
        },
        EmbeddingForm::Cohere,
    ),
];
