//! Rerankers as judges: their requests, and the order or the threshold that their scores give.
//!
//! A score has a scale of its own, by model and often by query. So the order of documents counts, or which of them
//! reach a threshold, and no score becomes a grade.

use std::borrow::Cow;

use llull_core::{Answer, ComparedVerdict, GradedVerdict, Outcome, Reason, Scale, Unusable, Usage, Verdict};
use llull_judge::estimate_tokens;
use serde::Serialize;
use serde_json::{Value, json};

use super::reading::quote;

/// A server that scores documents, and what its scores decide.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scores {
    /// The form of its requests and replies.
    #[serde(rename = "scores")]
    pub form: ScoreForm,
    /// The model that requests name, if any.
    #[serde(skip)]
    pub model: Option<String>,
    /// The score from which a document has the higher of two grades. `None` if the scores order documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// The price of a reply, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<ScorePrice>,
}

/// The price of scores in US dollars, in the unit that the provider counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ScorePrice {
    /// Of one search unit, as Cohere counts them.
    Search(f64),
    /// Of a million tokens.
    Input(f64),
}

impl ScorePrice {
    /// Returns the cost of a reply for which these were counted; `None` if its unit was not.
    pub fn cost(self, tokens: Option<u64>, searches: Option<u64>) -> Option<f64> {
        match self {
            Self::Search(0.0) | Self::Input(0.0) => Some(0.0),
            Self::Search(usd) => searches.map(|searches| searches as f64 * usd),
            Self::Input(usd) => tokens.map(|tokens| tokens as f64 * usd / 1e6),
        }
    }
}

/// The documents of a search unit, and the tokens from which a document counts in pieces
/// (<https://cohere.com/pricing>): 500 of Cohere's, of which at most half are the query's. The estimate of 500 tokens
/// may be as low as 400.
const UNIT: u64 = 100;
const PIECE: u64 = 400;

/// The size of a request for scores, as servers are estimated to count it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ScoreSize {
    /// Tokens. Those of the query count once with each document (<https://docs.voyageai.com/docs/faq>).
    pub tokens: u64,
    /// Search units, whatever the documents' lengths.
    pub searches: u64,
    /// Search units if each piece of a long document counts as a document.
    pub searches_at_most: u64,
}

impl ScoreSize {
    /// Returns the size of a request about these texts.
    pub fn of<'a>(query: &str, texts: impl Iterator<Item = Cow<'a, str>>) -> Self {
        let query = u64::from(estimate_tokens(query));
        let piece = PIECE.saturating_sub(query).max(PIECE / 2);
        let (mut tokens, mut documents, mut pieces) = (0, 0_u64, 0_u64);
        for text in texts {
            let text = u64::from(estimate_tokens(&text));
            tokens += query + text;
            documents += 1;
            pieces += text.div_ceil(piece).max(1);
        }
        Self { tokens, searches: documents.div_ceil(UNIT), searches_at_most: pieces.div_ceil(UNIT) }
    }
}

/// A reply with scores, as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreReply {
    /// The score of each document in the order of the request, or why the reply is unusable.
    pub scores: Result<Vec<f64>, Unusable>,
    /// The tokens that the server counted, which are paid for in either case.
    pub tokens: Option<u64>,
    /// The search units that it counted, likewise.
    pub searches: Option<u64>,
    /// The model that it names.
    pub model: Option<String>,
}

impl Scores {
    /// Returns the verdict of scores on a scale of two grades.
    fn verdict(&self, scores: &[f64], scale: Scale) -> Verdict {
        match (self.threshold, scores) {
            (Some(threshold), [score, ..]) => {
                let grade = if *score >= threshold { scale.high() } else { scale.low() };
                Verdict::Graded(GradedVerdict { grade, ..GradedVerdict::default() })
            }
            _ => Verdict::Compared(ComparedVerdict { order: order(scores), ..ComparedVerdict::default() }),
        }
    }

    /// Reads the outcome of a reply about so many documents.
    pub(super) fn outcome(&self, reply: &[u8], shown: usize, scale: Scale) -> Outcome {
        self.form.read(reply, shown).scores.map(|scores| self.verdict(&scores, scale)).into()
    }

    /// Reads the answer of a reply about so many documents. Its cost is unknown if the price is, or if the server does
    /// not count the unit of the price.
    pub(super) fn answer(&self, reply: &[u8], shown: usize, scale: Scale) -> Answer {
        let ScoreReply { scores, tokens, searches, model } = self.form.read(reply, shown);
        let cost_usd = self.price.and_then(|price| price.cost(tokens, searches));
        let outcome = Outcome::from(scores.map(|scores| self.verdict(&scores, scale)));
        let usage = Usage { prompt_tokens: tokens, ..Usage::default() };
        let reply = Some(String::from_utf8_lossy(reply).into_owned());
        Answer { reply, model, usage, cost_usd, ..Answer::from(outcome) }
    }
}

/// Returns the order of scored documents: the highest score first, equal scores tied.
fn order(scores: &[f64]) -> Vec<Vec<u16>> {
    let mut scored: Vec<(f64, u16)> = scores.iter().copied().zip(0..).collect();
    scored.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let places = scored.chunk_by(|one, other| one.0 == other.0);
    places.map(|tied| tied.iter().map(|(_, at)| *at).collect()).collect()
}

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

    /// Returns whether servers of this form count the unit of a price; nobody has to count what is free.
    pub fn counts(self, price: ScorePrice) -> bool {
        match price {
            ScorePrice::Search(0.0) | ScorePrice::Input(0.0) => true,
            ScorePrice::Search(_) => self == Self::Cohere,
            ScorePrice::Input(_) => self != Self::Tei,
        }
    }

    /// Returns the body of a request. Texts are sent whole, and a server that can refuse to cut them is told to; Cohere
    /// and Jina cannot.
    pub fn request<'a>(
        self,
        model: Option<&str>,
        query: &str,
        texts: impl Iterator<Item = Cow<'a, str>>,
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

    /// Reads a reply about so many documents.
    pub fn read(self, reply: &[u8], shown: usize) -> ScoreReply {
        let body = serde_json::from_slice::<Value>(reply);
        let tokens = match self {
            Self::Cohere => Some("/meta/billed_units/input_tokens"),
            Self::Jina | Self::Vllm | Self::Voyage => Some("/usage/total_tokens"),
            // It counts none.
            Self::Tei => None,
        };
        let field = |place: &str| body.as_ref().ok()?.pointer(place);
        let count =
            |place: &str| field(place)?.as_f64().filter(|count| *count >= 0.0).map(|count| count as u64);
        let tokens = tokens.and_then(count);
        let searches =
            Some("/meta/billed_units/search_units").filter(|_| self == Self::Cohere).and_then(count);
        let model = field("/model").and_then(Value::as_str).map(str::to_owned);
        ScoreReply { scores: self.scores(body, reply, shown), tokens, searches, model }
    }

    /// Reads one finite score for each document.
    ///
    /// # Errors
    /// Returns why the reply is unusable: it is not in this form, or lacks a score.
    fn scores(
        self,
        body: serde_json::Result<Value>,
        reply: &[u8],
        shown: usize,
    ) -> Result<Vec<f64>, Unusable> {
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
        match scores.into_iter().collect() {
            Some(scores) => Ok(scores),
            None => unusable(Reason::NotAnOrder, format!("not all of the {shown} documents have a score")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(scores: &Scores, reply: &str, shown: usize) -> Outcome {
        scores.outcome(reply.as_bytes(), shown, Scale::new(0, 1).unwrap())
    }

    fn tei(threshold: Option<f64>) -> Scores {
        Scores { form: ScoreForm::Tei, model: None, threshold, price: None }
    }

    #[test]
    fn only_one_score_for_each_document_is_an_order() {
        let read = |reply: &str| match read(&tei(None), reply, 3) {
            Outcome::Judged { verdict: Verdict::Compared(verdict) } => Ok(verdict.order),
            Outcome::Unusable(unusable) => Err(unusable.reason),
            _ => Ok(Vec::new()),
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

    #[test]
    fn a_threshold_tells_two_grades_apart_whatever_the_scale_of_scores() {
        let grade = |score: &str, threshold| match read(
            &tei(Some(threshold)),
            &format!(r#"[{{"index":0,"score":{score}}}]"#),
            1,
        ) {
            Outcome::Judged { verdict } => verdict.grade(),
            _ => None,
        };
        assert_eq!(grade("0.5", 0.5), Some(1), "it reaches the threshold");
        assert_eq!(grade("0.4999999999999999", 0.5), Some(0));
        assert_eq!(grade("-3.2", -4.0), Some(1), "a score of 3.2 is no grade of 3");
        assert_eq!(grade("null", 0.5), None);
    }

    /// Words of five letters are one token each in the estimate.
    #[test]
    fn a_request_is_counted_with_the_query_before_each_document() {
        let size = |query: usize, documents: usize, words: usize| {
            let text = |words: usize| vec!["words"; words].join(" ");
            let size = ScoreSize::of(&text(query), (0..documents).map(|_| text(words).into()));
            (size.tokens, size.searches, size.searches_at_most)
        };
        assert_eq!(size(10, 3, 90), (300, 1, 1));
        assert_eq!(size(10, 101, 90), (10_100, 2, 2));
        assert_eq!(size(100, 100, 301), (40_100, 1, 2), "each document has 301 tokens, a piece 300");
        assert_eq!(size(1_000, 50, 401), (70_050, 1, 2), "a long query takes half of a piece");
    }

    #[test]
    fn a_reply_is_paid_for_in_the_unit_of_its_price_even_if_it_is_unusable() {
        let cost = |form, price, meta: &str| {
            let reply = format!(r#"{{"results":[{{"index":0,"relevance_score":1}}],{meta}}}"#);
            let scores = Scores { form, model: None, threshold: None, price: Some(price) };
            let answer = scores.answer(reply.as_bytes(), 2, Scale::default());
            assert!(matches!(answer.outcome, Outcome::Unusable(_)), "{answer:?}");
            answer.cost_usd
        };
        let units = r#""meta":{"billed_units":{"search_units":3}}"#;
        assert_eq!(cost(ScoreForm::Cohere, ScorePrice::Search(0.002), units), Some(0.006));
        assert_eq!(cost(ScoreForm::Cohere, ScorePrice::Input(0.05), units), None, "no tokens are counted");
        let tokens = r#""usage":{"total_tokens":5000}"#;
        assert_eq!(cost(ScoreForm::Jina, ScorePrice::Input(0.05), tokens), Some(0.000_25));
        assert_eq!(cost(ScoreForm::Jina, ScorePrice::Search(0.002), tokens), None);
        assert_eq!(cost(ScoreForm::Vllm, ScorePrice::Input(0.0), units), Some(0.0), "free without a count");
    }
}
