//! Language models behind one trait: providers, wire formats, endpoints, failures, prices.
//!
//! A model is named `provider/model` and [`connect`]ed; after that it is a [`ChatModel`] and nothing else:
//!
//! | provider | serves | key | address |
//! |---|---|---|---|
//! | `openai/` | OpenAI, and any compatible server with `base_url` | `OPENAI_API_KEY` | `OPENAI_BASE_URL` |
//! | `openai-responses/` | OpenAI's Responses | `OPENAI_API_KEY` | `OPENAI_BASE_URL` |
//! | `anthropic/` | Anthropic's Messages | `ANTHROPIC_API_KEY` | `ANTHROPIC_BASE_URL` |
//! | `gemini/` | Gemini | `GEMINI_API_KEY` | |
//! | `vertex/` | Gemini at Vertex AI | `VERTEX_ACCESS_TOKEN` | in the settings |
//! | `azure/` | Azure OpenAI; the model is the deployment | `AZURE_OPENAI_API_KEY` | `AZURE_OPENAI_ENDPOINT` |
//! | `bedrock/` | Amazon Bedrock's Converse | `AWS_BEARER_TOKEN_BEDROCK`, or [`AwsSettings`] | in the settings |
//! | `openrouter/` | OpenRouter | `OPENROUTER_API_KEY` | |
//! | `mistral/` | Mistral | `MISTRAL_API_KEY` | |
//! | `groq/` | Groq | `GROQ_API_KEY` | |
//! | `together/` | Together | `TOGETHER_API_KEY` | |
//! | `deepseek/` | DeepSeek | `DEEPSEEK_API_KEY` | |
//! | `ollama/` | Ollama | `OLLAMA_API_KEY`, if set | `OLLAMA_HOST`, or port 11434 here |
//! | `vllm/` | vLLM | `VLLM_API_KEY`, if set | port 8000 here |
//! | `sglang/` | SGLang | `SGLANG_API_KEY`, if set | port 30000 here |
//! | `lmstudio/` | LM Studio | `LMSTUDIO_API_KEY`, if set | port 1234 here |
//! | `llamacpp/` | llama.cpp's `llama-server` | `LLAMA_API_KEY`, if set | port 8080 here |
//!
//! - An [`Endpoint`] has the address of a model's requests and their key, before any is sent; [`connect`] uses exactly
//!   that.
//! - A failure is a [`Failure`](llull_core::Failure) whose kind determines its scope; [`RetryPolicy`] decides whether
//!   and when to retry. No model retries by itself.
//! - No silent fallback: a parameter that a server refuses is learnt once, reported as a [`Notice`], and recorded with
//!   each reply as an [`Adjustment`].
//! - A key is in a header and nowhere else, not in an error even if the server quotes it. Redirects are not followed.
//! - A cost is the server's, or computed from the tokens by a [`Price`]; otherwise it is unknown.
//!
//! ```
//! use llull_llm::{ModelSettings, connect};
//!
//! // the environment is an argument: only the command line reads the real one
//! let no_keys = |_: &str| None;
//! let model = connect(&ModelSettings::new("ollama/qwen3:4b"), &no_keys)?;
//! assert_eq!(model.name(), "ollama/qwen3:4b");
//!
//! let error = connect(&ModelSettings::new("openai/gpt-4o-mini"), &no_keys).err().unwrap();
//! assert!(error.to_string().contains("OPENAI_API_KEY"));
//! # Ok::<(), llull_llm::ModelError>(())
//! ```

mod adjustment;
mod aws;
mod chat;
mod connect;
mod cost;
mod endpoint;
mod error;
mod extra;
mod model_name;
mod notice;
mod observer;
mod price;
mod price_list;
mod probe;
mod protocols;
mod provider;
mod rate_limit;
mod settings;

pub use adjustment::Adjustment;
pub use aws::{AwsBatches, AwsSettings};
pub use chat::{
    BatchLimits, BatchLines, BatchServer, BatchStatus, ChatModel, ChatReply, ChatRequest, Finish, Message,
    ReplyToken, ResponseSchema, Role, line_has_error, line_id,
};
pub use connect::{connect, connect_embedding_model};
pub use cost::cost_of;
pub use endpoint::{AddressSource, BatchTerms, Endpoint};
pub use error::ModelError;
pub use extra::{ExtraFields, ReservedField, check_extra};
pub use model_name::split_name;
pub use notice::Notice;
pub use observer::{AnswerFacts, EndedRequest, ObservedServer, Operation, RequestObserver, observed};
pub use price::Price;
pub use price_list::ListedPrice;
pub use probe::{Probe, SchemaUse, check};
pub use protocols::{EmbeddingModel, TextUse};
pub use provider::{PROVIDERS, Provider, address_variables};
pub use rate_limit::{LimitSubject, RateLimit};
pub use settings::ModelSettings;

pub use llull_http::{Address, AddressError, GiveUp, LONGEST_WAIT, RetryPolicy};
