//! One wire format a file.

mod openai;

pub(crate) use openai::OpenAi;
