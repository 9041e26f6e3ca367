//! Sends embedding requests.
//!
//! Their forms are OpenAI's (<https://platform.openai.com/docs/api-reference/embeddings>), Voyage AI's
//! (<https://docs.voyageai.com/reference/embeddings-api>) and Cohere's (<https://docs.cohere.com/reference/embed>).

use llull_core::{Failure, FailureKind};
use llull_http::Address;
use serde_json::{Map, Value, json};

use super::{refusal::refusal, server::Server};
use crate::provider::EmbeddingForm;

/// The role of a text in a search: some models encode the two differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextUse {
    /// It looks for others.
    Query,
    /// It is looked for.
    Document,
}

/// A model behind a server that makes vectors of texts.
#[derive(Debug)]
pub struct EmbeddingModel {
    name: String,
    server: Server,
    form: EmbeddingForm,
}

impl EmbeddingModel {
    /// Returns the address of embeddings below a base address.
    pub(crate) fn address(base: &Address, form: EmbeddingForm) -> Address {
        let path = match form {
            EmbeddingForm::OpenAi | EmbeddingForm::Voyage => "embeddings",
            EmbeddingForm::Cohere => "embed",
        };
        base.with_path(&format!("{}/{path}", base.path()))
    }

    pub(crate) fn new(name: &str, form: EmbeddingForm, server: Server) -> Self {
        Self { name: name.to_owned(), server, form }
    }

    /// Returns its name, `openai/text-embedding-3-small`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether it encodes queries otherwise than documents.
    pub fn tells_uses(&self) -> bool {
        match self.form {
            EmbeddingForm::OpenAi => false,
            EmbeddingForm::Voyage | EmbeddingForm::Cohere => true,
        }
    }

    /// Sends one request for the vectors of these texts, and returns them in the order of the texts. A wrong number of
    /// vectors, or of values in a vector, is a failure.
    ///
    /// # Errors
    /// Returns the failure, whose kind shows whether a retry may succeed.
    pub async fn embed(&self, texts: &[&str], what: TextUse) -> Result<Vec<Vec<f32>>, Failure> {
        let response = self.server.transport.post(&self.body(texts, what)).await;
        let response = response.map_err(|error| self.server.unanswered(error))?;
        if !response.is_success() {
            return Err(refusal(&self.server, &response).failure);
        }
        self.read(&response.body, texts.len())
    }

    /// Reads the body of an answer about so many texts, without sending anything.
    ///
    /// # Errors
    /// Returns those of [`embed`](Self::embed) about answers.
    pub fn read(&self, answer: &[u8], texts: usize) -> Result<Vec<Vec<f32>>, Failure> {
        let vectors = self.vectors(answer).map_err(|what| self.server.not_the_protocol(&what))?;
        if vectors.len() != texts {
            let what = format!("{} vectors for {texts} texts", vectors.len());
            return Err(Failure::new(FailureKind::Rejected, self.server.not_the_protocol(&what).message));
        }
        Ok(vectors)
    }

    fn body(&self, texts: &[&str], what: TextUse) -> Value {
        let mut body = Map::new();
        body.insert("model".into(), self.server.model.clone().into());
        let (query, document) = match self.form {
            EmbeddingForm::OpenAi => {
                body.insert("input".into(), json!(texts));
                body.insert("encoding_format".into(), "float".into());
                return body.into();
            }
            EmbeddingForm::Voyage => {
                body.insert("input".into(), json!(texts));
                ("query", "document")
            }
            EmbeddingForm::Cohere => {
                body.insert("texts".into(), json!(texts));
                body.insert("embedding_types".into(), json!(["float"]));
                ("search_query", "search_document")
            }
        };
        let what = if what == TextUse::Query { query } else { document };
        body.insert("input_type".into(), what.into());
        body.into()
    }

    fn vectors(&self, answer: &[u8]) -> Result<Vec<Vec<f32>>, String> {
        let body: Value = serde_json::from_slice(answer).map_err(|error| {
            format!("the answer is not JSON ({error}): {}", String::from_utf8_lossy(answer))
        })?;
        let list = |pointer: &str| {
            let found = body.pointer(pointer).and_then(Value::as_array);
            found.ok_or_else(|| format!("the answer has no list {pointer}: {body}"))
        };
        if self.form == EmbeddingForm::Cohere {
            return list("/embeddings/float")?.iter().map(vector).collect();
        }
        let data = list("/data")?;
        let mut placed: Vec<Option<Vec<f32>>> = vec![None; data.len()];
        for (at, item) in data.iter().enumerate() {
            let index = item.get("index").and_then(Value::as_u64).map_or(at, |index| index as usize);
            let place = placed.get_mut(index).filter(|place| place.is_none());
            let place = place.ok_or_else(|| format!("the answer has a vector of index {index}"))?;
            *place = Some(vector(item.get("embedding").unwrap_or(&Value::Null))?);
        }
        Ok(placed.into_iter().flatten().collect())
    }
}

fn vector(value: &Value) -> Result<Vec<f32>, String> {
    let numbers = value.as_array().filter(|numbers| !numbers.is_empty());
    let numbers = numbers.ok_or_else(|| String::from("an embedding is not a list of numbers"))?;
    let number =
        |number: &Value| number.as_f64().map(|number| number as f32).filter(|number| number.is_finite());
    let read: Option<Vec<f32>> = numbers.iter().map(number).collect();
    read.ok_or_else(|| String::from("a value of an embedding is no finite number"))
}
