//! Any server, by a template of the request and JSON pointers.

use llull_core::percent_encoded;
use llull_http::{Address, HttpMethod, KEY, KeyForm};
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::placeholders::{Values, asked_values, filled, filled_text, says, word};
use super::protocol::{AskedQuery, SearchProtocol, SearchRequest};
use super::reply::{Parts, Score, found, list};
use crate::found::QueryAnswer;

/// The text of a template. It is serialized without the address and without the values of headers, which may be
/// secret.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TemplateText {
    /// The address, with `{query}` and `{k}` behind the server's name.
    #[serde(skip)]
    pub url: String,
    /// `GET` or `POST`; by default `POST` with a body and `GET` without.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Headers; `{key}` is the placeholder of the key.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "names")]
    pub headers: Vec<(String, String)>,
    /// The body, with `"{query}"`, `"{k}"` and `"{vector}"` as texts of it.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_json_text")]
    pub body: Option<Value>,
    /// Where the results are, by JSON pointer.
    pub results: String,
    /// Where a result's identifier is, as all that follow from the result.
    pub id: String,
    /// Its score, higher for better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// Its distance, lower for better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<String>,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

fn names<S: Serializer>(headers: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(headers.iter().map(|(name, _)| name))
}

/// Serializes JSON as a text, for a format without null.
pub(super) fn as_json_text<S: Serializer>(json: &impl Serialize, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&serde_json::to_string(json).map_err(S::Error::custom)?)
}

/// A request with places for the query, and pointers into the reply.
#[derive(Debug, Clone, PartialEq)]
pub struct HttpTemplate {
    url: String,
    address: Address,
    method: HttpMethod,
    key: KeyForm,
    headers: Vec<(String, String)>,
    body: Option<Value>,
    results: String,
    parts: Parts,
}

impl HttpTemplate {
    /// Checks a template.
    ///
    /// # Errors
    /// Returns an error with a correction if a part of it is invalid.
    pub fn new(text: &TemplateText) -> Result<Self, String> {
        let url = text.url.trim();
        let sends = |placeholder: &str| {
            url.contains(placeholder) || text.body.as_ref().is_some_and(|body| says(body, placeholder))
        };
        if !sends("{query}") && !sends("{vector}") {
            return Err(
                "nothing of the query is sent: write {query} into `url`, or \"{query}\" into `body`".into()
            );
        }
        server_first(url)?;
        let nothing = AskedQuery { text: "", vector: None, k: 0 };
        let address = Address::parse(&filled_address(url, &nothing)).map_err(|error| error.to_string())?;
        let pointers = [&text.id].into_iter().chain(&text.score).chain(&text.distance);
        for at in pointers.chain(&text.title).chain(&text.text).chain([&text.results]) {
            if !at.is_empty() && !at.starts_with('/') {
                return Err(format!(
                    "{at:?} is no JSON pointer; one begins with /, as in \"/hits/hits\" or \"/_id\""
                ));
            }
        }
        let method = match (text.method.as_deref(), &text.body) {
            (None, None) | (Some("GET"), None) => HttpMethod::Get,
            (None | Some("POST"), _) => HttpMethod::Post,
            (Some("GET"), Some(_)) => return Err("a GET has no `body`; write {query} into `url`".into()),
            (Some(other), _) => return Err(format!("method = {other:?} is none of \"GET\" and \"POST\"")),
        };
        let score = match (text.score.clone(), text.distance.clone()) {
            (Some(_), Some(_)) => {
                return Err("`score` and `distance` are two ways to say one thing; keep one".into());
            }
            (Some(at), None) => Some(Score::Higher(at)),
            (None, Some(at)) => Some(Score::Distance(at)),
            (None, None) => None,
        };
        let (with_key, headers): (Vec<_>, Vec<_>) =
            text.headers.iter().cloned().partition(|(_, value)| value.contains(KEY));
        let key = match with_key.as_slice() {
            [] => KeyForm::Bearer,
            [(name, value)] => KeyForm::Header { name: name.clone(), value: value.clone() },
            _ => return Err("{key} is in several headers; keep one".into()),
        };
        Ok(Self {
            url: url.to_owned(),
            address,
            method,
            key,
            headers,
            body: text.body.clone(),
            results: text.results.clone(),
            parts: Parts { id: text.id.clone(), score, title: text.title.clone(), text: text.text.clone() },
        })
    }

    /// Returns the address without its query string.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Shows the address by the variable that holds it.
    #[must_use]
    pub fn in_variable(self, variable: &str) -> Self {
        Self { address: self.address.in_variable(variable), ..self }
    }
}

/// Checks that the server in the address does not depend on the query.
fn server_first(url: &str) -> Result<(), String> {
    let first =
        ["{query}", "{k}", "{vector}"].into_iter().filter_map(|placeholder| url.find(placeholder)).min();
    let begin = first.and_then(|first| url.get(..first)).unwrap_or(url);
    if begin.is_empty() {
        return Err("`url` begins with http:// or https:// and a server".into());
    }
    let behind = begin.split_once("://").map(|(_, rest)| rest.contains(['/', '?']));
    if first.is_some() && behind != Some(true) {
        return Err(format!(
            "in `url` the server is followed by a path before {{query}} or {{k}} may come: {begin:?}"
        ));
    }
    if url.contains("{vector}") {
        return Err("{vector} is sent in a `body`, not in `url`".into());
    }
    Address::parse(begin).map_err(|error| error.to_string()).map(drop)
}

/// Fills an address: filled-in values are percent-encoded.
fn filled_address(url: &str, query: &AskedQuery<'_>) -> String {
    filled_text(url, &values(query), |value| percent_encoded(&word(value)))
}

fn values(query: &AskedQuery<'_>) -> Values<'static> {
    Values { asked: asked_values(query), options: &[] }
}

impl SearchProtocol for HttpTemplate {
    fn key_form(&self) -> KeyForm {
        self.key.clone()
    }

    fn headers(&self) -> &[(String, String)] {
        &self.headers
    }

    fn needs_vectors(&self) -> bool {
        self.body.as_ref().is_some_and(|body| says(body, "{vector}"))
    }

    fn request(&self, queries: &[AskedQuery<'_>]) -> Result<SearchRequest, String> {
        let query = queries.first().ok_or("there is no query")?;
        let address = self.address.sibling(&filled_address(&self.url, query))?;
        let values = values(query);
        let body = self.body.iter().filter_map(|body| filled(body, &values)).collect();
        Ok(SearchRequest { method: self.method, address, body, lines: false })
    }

    fn read(&self, reply: &Value, _: usize) -> Result<Vec<QueryAnswer>, String> {
        Ok(vec![Ok(found(list(reply, &self.results)?, &self.parts)?)])
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text() -> TemplateText {
        TemplateText {
            url: "https://h/v1/search?n={k}".into(),
            headers: vec![("X-Tenant".into(), "eu".into()), ("X-Key".into(), "{key}".into())],
            body: Some(json!({"q": "{query}"})),
            results: "/hits".into(),
            id: "/id".into(),
            score: Some("/score".into()),
            ..TemplateText::default()
        }
    }

    #[test]
    fn a_request_and_its_reply() {
        let template = HttpTemplate::new(&text()).unwrap();
        let request = template.request(&[AskedQuery { text: "cats", vector: None, k: 3 }]).unwrap();
        let address = Address::parse("https://h/v1/search?n=3").unwrap();
        assert_eq!(request, SearchRequest::post(address, json!({"q": "cats"})));
        assert_eq!(template.headers(), [("X-Tenant".to_owned(), "eu".to_owned())]);
        assert!(matches!(template.key, KeyForm::Header { .. }) && !template.needs_vectors());
        let reply = json!({"hits": [{"id": "d1", "score": 2.5}]});
        let answers = template.read(&reply, 1).unwrap();
        assert_eq!(
            (&*answers[0].as_ref().unwrap()[0].doc_id, answers[0].as_ref().unwrap()[0].score),
            ("d1", Some(2.5))
        );
        let said = template.read(&json!({"error": "busy"}), 1).unwrap_err();
        assert_eq!(said, "the reply has no list at \"/hits\": it is {\"error\":\"busy\"}");
    }

    #[test]
    fn what_a_template_cannot_be_is_said() {
        type Edit<'a> = &'a dyn Fn(&mut TemplateText);
        let wrong: [(&str, Edit<'_>); 9] = [
            ("nothing of the query is sent", &|text| text.body = Some(json!({"q": "query"}))),
            ("the server is followed by a path", &|text| text.url = "https://{query}.test/".into()),
            ("begins with http:// or https://", &|text| text.url = "{query}".into()),
            ("an address begins with", &|text| text.url = "ftp://h/{query}".into()),
            ("no user or password", &|text| text.url = "https://me:pw@h/{query}".into()),
            ("is no JSON pointer", &|text| text.results = "hits".into()),
            ("a GET has no `body`", &|text| text.method = Some("GET".into())),
            ("two ways to say one thing", &|text| text.distance = Some("/d".into())),
            ("is in several headers", &|text| text.headers.push(("B".into(), "{key}".into()))),
        ];
        for (says, edit) in wrong {
            let mut text = text();
            edit(&mut text);
            let said = HttpTemplate::new(&text).unwrap_err();
            assert!(said.contains(says) && !said.contains("me:pw"), "{said}");
        }
    }
}
