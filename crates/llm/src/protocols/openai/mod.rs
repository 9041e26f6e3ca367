//! Chat completions as OpenAI defines them (<https://platform.openai.com/docs/api-reference/chat>), and as
//! OpenRouter, vLLM, llama.cpp's server and Ollama understand them.

mod model;
mod refusal;
mod reply;
mod request;
mod server;

pub(crate) use model::OpenAi;
