//! Reads a reply strictly, by field names or JSON pointers.

use serde_json::Value;

use crate::found::FoundText;

/// The most letters of a value that a message shows.
const SHOWN: usize = 60;

/// Where the parts of a result are.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parts {
    /// The document's identifier.
    pub(super) id: String,
    pub(super) score: Option<Score>,
    pub(super) title: Option<String>,
    pub(super) text: Option<String>,
}

/// Where a score is, and which way it counts.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Score {
    /// Higher is better.
    Higher(String),
    /// Lower is better: its negative is the score.
    Distance(String),
    /// Lower is better, and 1 less it is the score: a cosine, where the distance is that of cosines.
    OneLess(String),
}

impl Score {
    fn pointer(&self) -> &str {
        match self {
            Self::Higher(at) | Self::Distance(at) | Self::OneLess(at) => at,
        }
    }

    fn of(&self, value: f64) -> f64 {
        match self {
            Self::Higher(_) => value,
            // 0 and not -0
            Self::Distance(_) => 0.0 - value,
            Self::OneLess(_) => 1.0 - value,
        }
    }
}

/// Returns the JSON pointer of a field, which is named, or is a pointer already; a name's dots are its own.
pub(super) fn pointer(field: &str) -> String {
    match field.starts_with('/') || field.is_empty() {
        true => field.to_owned(),
        false => format!("/{}", field.replace('~', "~0").replace('/', "~1")),
    }
}

/// Returns the list at a pointer.
pub(super) fn list<'a>(reply: &'a Value, at: &str) -> Result<&'a [Value], String> {
    match reply.pointer(at) {
        Some(Value::Array(list)) => Ok(list),
        Some(Value::Null) | None => Err(format!("the reply has no list at {at:?}: it is {}", shown(reply))),
        Some(other) => Err(format!("at {at:?} the reply has {}, and no list", shown(other))),
    }
}

/// Reads the results of a query.
pub(super) fn found(results: &[Value], parts: &Parts) -> Result<Vec<FoundText>, String> {
    let found: Vec<FoundText> = results
        .iter()
        .enumerate()
        .map(|(place, result)| one(result, parts).map_err(|why| format!("result {}: {why}", place + 1)))
        .collect::<Result<_, _>>()?;
    in_order(&found, parts)?;
    Ok(found)
}

fn one(result: &Value, parts: &Parts) -> Result<FoundText, String> {
    let score = match &parts.score {
        None => None,
        Some(score) => Some(score.of(number(result, score.pointer())?)),
    };
    Ok(FoundText {
        doc_id: id(result, &parts.id)?,
        score,
        title: text(result, parts.title.as_deref())?,
        text: text(result, parts.text.as_deref())?,
    })
}

/// A server returns the best first. Scores that grow from the first to the last are distances, and would turn the order
/// round.
fn in_order(found: &[FoundText], parts: &Parts) -> Result<(), String> {
    let scores: Vec<f64> = found.iter().filter_map(|found| found.score).collect();
    let grows = scores.len() > 1 && scores.windows(2).all(|pair| pair.first() < pair.last());
    match (&parts.score, grows) {
        (Some(Score::Higher(at)), true) => Err(format!(
            "the scores at {at:?} grow from the first result to the last, as distances do, of which the smallest is \
             the best"
        )),
        (Some(Score::Distance(at) | Score::OneLess(at)), true) => Err(format!(
            "the distances at {at:?} fall from the first result to the last, as scores do, of which the highest is the \
             best"
        )),
        _ => Ok(()),
    }
}

fn id(result: &Value, at: &str) -> Result<String, String> {
    match result.pointer(at) {
        Some(Value::String(id)) if !id.is_empty() => Ok(id.clone()),
        Some(Value::Number(id)) => Ok(id.to_string()),
        Some(other) => Err(format!("its identifier at {at:?} is {}, neither text nor number", shown(other))),
        None => Err(format!("it has no identifier at {at:?}: it is {}", shown(result))),
    }
}

fn number(result: &Value, at: &str) -> Result<f64, String> {
    let found = match result.pointer(at) {
        Some(Value::Number(number)) => number.as_f64(),
        // Weaviate writes its scores as text.
        Some(Value::String(text)) => text.parse().ok(),
        _ => None,
    };
    found.filter(|number| number.is_finite()).ok_or_else(|| match result.pointer(at) {
        Some(other) => format!("its score at {at:?} is {}, and no number", shown(other)),
        None => format!("it has no score at {at:?}: it is {}", shown(result)),
    })
}

/// A text that is not there is no error: the study's corpus may have it. Several are joined by lines, as the parts of
/// one field are.
fn text(result: &Value, at: Option<&str>) -> Result<Option<String>, String> {
    let Some(at) = at else { return Ok(None) };
    match result.pointer(at) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(Value::Array(parts)) if parts.iter().all(Value::is_string) => {
            Ok(Some(parts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")))
        }
        Some(Value::Number(number)) => Ok(Some(number.to_string())),
        Some(other) => Err(format!("its text at {at:?} is {}, and no text", shown(other))),
    }
}

/// Returns a value as a message shows it: its beginning.
pub(super) fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parts(score: Option<Score>) -> Parts {
        Parts { id: "/id".into(), score, title: Some("/meta/title".into()), text: Some("/text".into()) }
    }

    #[test]
    fn a_result_is_read_by_its_pointers() {
        let results = json!([
            {"id": "a", "distance": 0.0, "text": ["one", "two"], "meta": {"title": "T"}},
            {"id": 7, "distance": 0.25, "text": null},
        ]);
        let read = |score| found(results.as_array().unwrap(), &parts(Some(score))).unwrap();
        let first = read(Score::Distance("/distance".into()));
        assert_eq!(
            (&*first[0].doc_id, first[0].text.as_deref(), first[0].title.as_deref()),
            ("a", Some("one\ntwo"), Some("T"))
        );
        assert_eq!((&*first[1].doc_id, first[1].score, first[1].text.as_deref()), ("7", Some(-0.25), None));
        assert!(first[0].score.unwrap().is_sign_positive());
        assert_eq!(read(Score::OneLess("/distance".into()))[1].score, Some(0.75));
    }

    #[test]
    fn what_is_wrong_with_a_result_is_said() {
        let score = || Some(Score::Higher("/score".into()));
        for (results, says) in [
            (json!([{"score": 1}]), "result 1: it has no identifier at \"/id\": it is {\"score\":1}"),
            (
                json!([{"id": "a", "score": 1}, {"id": null, "score": 1}]),
                "result 2: its identifier at \"/id\" is null",
            ),
            (json!([{"id": "a"}]), "it has no score at \"/score\""),
            (json!([{"id": "a", "score": "high"}]), "its score at \"/score\" is \"high\", and no number"),
            (
                json!([{"id": "a", "score": 1, "text": {"en": "x"}}]),
                "its text at \"/text\" is {\"en\":\"x\"}",
            ),
            (
                json!([{"id": "a", "score": 1}, {"id": "b", "score": 2}]),
                "grow from the first result to the last",
            ),
        ] {
            let said = found(results.as_array().unwrap(), &parts(score())).unwrap_err();
            assert!(said.contains(says), "{said}");
        }
        let falling = json!([{"id": "a", "d": 2}, {"id": "b", "d": 1}]);
        let said = found(falling.as_array().unwrap(), &parts(Some(Score::OneLess("/d".into())))).unwrap_err();
        assert!(said.contains("fall from the first result to the last"), "{said}");
    }

    #[test]
    fn a_name_is_a_pointer_to_itself() {
        assert_eq!((&*pointer("text"), &*pointer("/a/b"), &*pointer("a/b~")), ("/text", "/a/b", "/a~1b~0"));
    }
}
