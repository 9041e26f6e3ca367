//! Rerankers as judges: their requests, and the order that their scores give.
//!
//! A score has a scale of its own, by model and often by query. So only the order of documents counts, and no score
//! becomes a grade.

use llull_core::{ComparedVerdict, Reason, Unusable, Usage, Verdict};
use serde::Serialize;
use serde_json::{Value, json};

use super::reading::quote;

/// The wire form of a server that scores documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreForm {
    /// Cohere's `/v2/rerank`.
    Cohere,
    /// Jina's `/v1/rerank`.
    Jina,
    /// `/rerank` of Hugging Face's text-embeddings-inference.
    Tei,
    /// `/rerank` of vLLM.
    Vllm,
    /// Voyage's `/v1/rerank`.
    Voyage,
}

impl ScoreForm {
    /// All forms, by their names.
    pub const ALL: [Self; 5] = [Self::Cohere, Self::Jina, Self::Tei, Self::Vllm, Self::Voyage];

    /// Returns its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cohere => "cohere",
            Self::Jina => "jina",
            Self::Tei => "tei",
            Self::Vllm => "vllm",
            Self::Voyage => "voyage",
        }
    }

    /// Returns the body of a request. Texts are sent whole, and a server that can refuse to cut them is told to; Cohere
    /// and Jina cannot.
    pub(super) fn request<'a>(
        self,
        model: Option<&str>,
        query: &str,
        texts: impl Iterator<Item = std::borrow::Cow<'a, str>>,
    ) -> Value {
        let texts: Vec<_> = texts.collect();
        let mut body = match self {
            Self::Cohere | Self::Vllm => json!({ "query": query, "documents": texts }),
            Self::Jina => json!({ "query": query, "documents": texts, "return_documents": false }),
            Self::Voyage => json!({ "query": query, "documents": texts, "truncation": false }),
            Self::Tei => json!({ "query": query, "texts": texts, "truncate": false }),
        };
        if let (Some(model), Some(fields)) = (model, body.as_object_mut()) {
            fields.insert("model".to_owned(), model.into());
        }
        body
    }

    /// Reads the order of so many documents from a reply, or why it is unusable; and the tokens that the server
    /// counted, which are paid for in either case.
    pub(super) fn read(self, reply: &[u8], shown: usize) -> (Result<Verdict, Unusable>, Usage) {
        let body = serde_json::from_slice::<Value>(reply);
        let tokens = match self {
            Self::Cohere => Some("/meta/billed_units/input_tokens"),
            Self::Jina | Self::Vllm | Self::Voyage => Some("/usage/total_tokens"),
            // It counts none.
            Self::Tei => None,
        };
        let counted = tokens.and_then(|tokens| body.as_ref().ok()?.pointer(tokens)?.as_u64());
        (self.order(body, reply, shown), Usage { prompt_tokens: counted, ..Usage::default() })
    }

    /// Reads the order: highest score first, equal scores tied.
    ///
    /// # Errors
    /// Returns why the reply is unusable: it is not in this form, or has not one finite score for each document.
    fn order(self, body: serde_json::Result<Value>, reply: &[u8], shown: usize) -> Result<Verdict, Unusable> {
        let quoted = || quote(&String::from_utf8_lossy(reply));
        let unusable =
            |reason, detail: String| Err(Unusable { reason, detail: format!("{detail}: {}", quoted()) });
        let body = match body {
            Ok(body) => body,
            Err(error) => return unusable(Reason::Malformed, format!("no JSON ({error})")),
        };
        let (list, field) = match self {
            Self::Cohere | Self::Jina | Self::Vllm => (body.get("results"), "relevance_score"),
            Self::Voyage => (body.get("data"), "relevance_score"),
            Self::Tei => (Some(&body), "score"),
        };
        let Some(list) = list.and_then(Value::as_array) else {
            return unusable(Reason::WrongShape, format!("no list of scores in the form of {}", self.name()));
        };
        let mut scores: Vec<Option<f64>> = vec![None; shown];
        for item in list {
            let index =
                item.get("index").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok());
            let score = item.get(field).and_then(Value::as_f64).filter(|score| score.is_finite());
            match (index.and_then(|index| scores.get_mut(index)), score) {
                (Some(place @ None), Some(score)) => *place = Some(score),
                _ => {
                    let item = quote(&item.to_string());
                    return unusable(Reason::NotAnOrder, format!("{item} is no score of one more document"));
                }
            }
        }
        let scored: Option<Vec<(f64, u16)>> =
            scores.into_iter().zip(0..).map(|(score, at)| Some((score?, at))).collect();
        let Some(mut scored) = scored else {
            return unusable(Reason::NotAnOrder, format!("not all of the {shown} documents have a score"));
        };
        scored.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let places = scored.chunk_by(|one, other| one.0 == other.0);
        let order = places.map(|tied| tied.iter().map(|(_, at)| *at).collect()).collect();
        Ok(Verdict::Compared(ComparedVerdict { order, ..ComparedVerdict::default() }))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever comes is read, and an order has each document once.
        #[test]
        fn no_reply_gives_half_an_order(
            items in proptest::collection::vec((0..4_u8, -2..3_i8), 0..5),
            form in 0..5_usize,
        ) {
            let form = ScoreForm::ALL[form];
            let items: Vec<Value> = items
                .iter()
                .map(|(index, score)| json!({ "index": index, "score": score, "relevance_score": score }))
                .collect();
            let reply = match form {
                ScoreForm::Tei => json!(items),
                _ => json!({ "results": items, "data": items }),
            };
            if let Ok(verdict) = form.read(reply.to_string().as_bytes(), 3).0 {
                let Verdict::Compared(verdict) = verdict else { return Err(TestCaseError::fail("a grade")) };
                prop_assert!(verdict.check(3).is_ok() && verdict.order.concat().len() == 3);
            }
        }

        #[test]
        fn no_bytes_are_too_strange(reply in proptest::collection::vec(any::<u8>(), 0..60)) {
            prop_assert!(ScoreForm::Tei.read(&reply, 1).0.is_err());
        }
    }

    #[test]
    fn an_unusable_reply_has_its_tokens() {
        let reply = br#"{"results":[{"index":0,"relevance_score":1}],"usage":{"total_tokens":5000}}"#;
        let (read, usage) = ScoreForm::Jina.read(reply, 2);
        assert_eq!((read.is_err(), usage.prompt_tokens), (true, Some(5000)));
    }

    #[test]
    fn only_one_score_for_each_document_is_an_order() {
        let read = |reply: &str| match ScoreForm::Tei.read(reply.as_bytes(), 3).0 {
            Ok(Verdict::Compared(verdict)) => Ok(verdict.order),
            Ok(_) => Ok(Vec::new()),
            Err(unusable) => Err(unusable.reason),
        };
        let all = r#"[{"index":2,"score":-1.5},{"index":0,"score":-1.5},{"index":1,"score":7}]"#;
        assert_eq!(read(all), Ok(vec![vec![1], vec![0, 2]]));
        for (reply, reason) in [
            ("", Reason::Malformed),
            (r#"{"results":[]}"#, Reason::WrongShape),
            (r#"[{"index":0,"score":1}]"#, Reason::NotAnOrder),
            (r#"[{"index":0,"score":1},{"index":0,"score":1},{"index":1,"score":1}]"#, Reason::NotAnOrder),
            (r#"[{"index":0,"score":1},{"index":1,"score":1},{"index":3,"score":1}]"#, Reason::NotAnOrder),
            (r#"[{"index":0,"score":1},{"index":1,"score":1},{"index":2,"score":null}]"#, Reason::NotAnOrder),
            (r#"[{"index":0,"score":1},{"index":1,"score":1},{"index":2,"grade":1}]"#, Reason::NotAnOrder),
        ] {
            assert_eq!(read(reply), Err(reason), "{reply}");
        }
    }
}
