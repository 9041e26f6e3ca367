//! Reads the reply of a judge of the user's own, strictly.

use llull_core::{ComparedVerdict, GradedVerdict, Reason, Scale, Unusable, Verdict};
use serde::Deserialize;
use serde_json::Value;

/// How much of an answer that cannot be counted is quoted, in characters.
const QUOTED: usize = 200;

/// An answer in its JSON form. Other fields are a judge's own; one of these twice is an error.
#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    id: Option<Value>,
    #[serde(default)]
    grade: Option<Value>,
    #[serde(default, rename = "match")]
    matches: Option<Value>,
    #[serde(default)]
    order: Option<Vec<Vec<u16>>>,
    #[serde(default)]
    rationale: Option<Value>,
    #[serde(default)]
    error: Option<Value>,
    /// The kind of error. A word that is no [`Reason`] is a judge's own.
    #[serde(default)]
    reason: Option<Value>,
}

/// Returns the identifier of the question that a line answers; `None` if the line names none.
pub(super) fn answered(line: &[u8]) -> Option<String> {
    match serde_json::from_slice::<Written>(line).ok()?.id? {
        Value::String(id) => Some(id),
        _ => None,
    }
}

/// Reads a reply to the question with this identifier, which the reply has to contain if `named`.
///
/// # Errors
/// Returns why the reply is unusable. It is empty, not JSON or of another shape; it reports a failure, answers another
/// question, or gives several answers; or its grade is off the scale. A match is an answer on a scale of two grades
/// only.
pub(super) fn read_own(line: &[u8], id: &str, named: bool, scale: Scale) -> Result<Verdict, Unusable> {
    let quoted = || quote(&String::from_utf8_lossy(line));
    let written = written(line, id, named)?;
    let grade = match (written.grade, written.matches) {
        (Some(_), Some(_)) => {
            return Err(unusable(Reason::Ambiguous, format!("both a grade and a match: {}", quoted())));
        }
        (None, None) => {
            return Err(unusable(Reason::NoAnswer, format!("neither a grade nor a match: {}", quoted())));
        }
        (Some(grade), None) => whole(&grade).ok_or_else(|| {
            unusable(Reason::WrongShape, format!("grade {grade} is no whole number: {}", quoted()))
        })?,
        (None, Some(Value::Bool(matches))) if scale.grades().len() == 2 => {
            i64::from(if matches { scale.high() } else { scale.low() })
        }
        (None, Some(Value::Bool(_))) => {
            let detail = format!("a match, where a grade from {} to {} is asked", scale.low(), scale.high());
            return Err(unusable(Reason::WrongShape, detail));
        }
        (None, Some(other)) => {
            return Err(unusable(Reason::WrongShape, format!("match {other} is neither true nor false")));
        }
    };
    let Some(grade) = i32::try_from(grade).ok().filter(|grade| scale.contains(*grade)) else {
        let detail = format!("grade {grade} is not from {} to {}", scale.low(), scale.high());
        return Err(unusable(Reason::OutOfRange, detail));
    };
    let rationale = rationale(written.rationale)?;
    Ok(Verdict::Graded(GradedVerdict { grade, rationale, ..GradedVerdict::default() }))
}

/// Reads a reply about the order of so many documents: groups of positions as shown, from 0, the best first. Documents
/// of one group are tied.
///
/// # Errors
/// Returns those of [`read_own`], and an error if the order has not each document once.
pub(super) fn read_order(line: &[u8], id: &str, named: bool, shown: usize) -> Result<Verdict, Unusable> {
    let written = written(line, id, named)?;
    let Some(order) = written.order else {
        let detail = format!("no order: {}", quote(&String::from_utf8_lossy(line)));
        return Err(unusable(Reason::NoAnswer, detail));
    };
    let verdict = ComparedVerdict { order, rationale: rationale(written.rationale)?, ..Default::default() };
    let wrong = |detail| Err(unusable(Reason::NotAnOrder, detail));
    match verdict.check(shown) {
        Err(error) => wrong(error.to_string()),
        Ok(()) if verdict.order.iter().map(Vec::len).sum::<usize>() < shown => {
            wrong(format!("the order leaves out some of the {shown} documents"))
        }
        Ok(()) => Ok(Verdict::Compared(verdict)),
    }
}

fn unusable(reason: Reason, detail: String) -> Unusable {
    Unusable { reason, detail }
}

/// Reads the fields of a reply to the question with this identifier.
fn written(line: &[u8], id: &str, named: bool) -> Result<Written, Unusable> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Err(unusable(Reason::Empty, "it answered nothing".into()));
    }
    let quoted = || quote(&String::from_utf8_lossy(line));
    let written: Written = match serde_json::from_slice::<Value>(line) {
        Err(error) => {
            return Err(unusable(Reason::Malformed, format!("no JSON ({error}): {}", quoted())));
        }
        // Read again from the bytes: a value has lost fields that are there twice.
        Ok(Value::Object(_)) => serde_json::from_slice(line)
            .map_err(|error| unusable(Reason::WrongShape, format!("{error}: {}", quoted())))?,
        Ok(_) => return Err(unusable(Reason::WrongShape, format!("no JSON object: {}", quoted()))),
    };
    match &written.id {
        Some(Value::String(said)) if said == id => {}
        None if !named => {}
        said => {
            let said = said.as_ref().map_or_else(|| "none".to_owned(), |said| quote(&said.to_string()));
            return Err(unusable(
                Reason::WrongShape,
                format!("it answers question {said}, and \"{id}\" was asked"),
            ));
        }
    }
    if let Some(error) = written.error {
        let error = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
        let reason = written.reason.as_ref().and_then(Value::as_str).and_then(Reason::from_name);
        let detail = format!("it says that it failed: {}", quote(&error));
        return Err(unusable(reason.unwrap_or(Reason::Declined), detail));
    }
    Ok(written)
}

fn rationale(written: Option<Value>) -> Result<String, Unusable> {
    Ok(match written {
        None => String::new(),
        Some(Value::String(rationale)) => rationale,
        Some(other) => {
            return Err(unusable(
                Reason::WrongShape,
                format!("rationale {} is no text", quote(&other.to_string())),
            ));
        }
    })
}

/// Returns a number that is whole and written so.
fn whole(value: &Value) -> Option<i64> {
    value.as_i64()
}

/// Returns the beginning of a reply, on one line.
pub(super) fn quote(text: &str) -> String {
    let shown: String = text.chars().take(QUOTED).collect();
    let more = if text.chars().nth(QUOTED).is_some() { "…" } else { "" };
    format!("{}{more}", shown.escape_debug())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(line: &str, high: i32) -> Result<(i32, String), Reason> {
        match read_own(line.as_bytes(), "7", true, Scale::new(0, high).unwrap()) {
            Ok(verdict) => Ok((verdict.grade().unwrap(), verdict.rationale().to_owned())),
            Err(unusable) => Err(unusable.reason),
        }
    }

    #[test]
    fn what_counts() {
        assert_eq!(read(r#"{"id":"7","grade":2,"rationale":"names it"}"#, 3), Ok((2, "names it".into())));
        assert_eq!(read(r#" {"grade":0,"id":"7","mine":[1]} "#, 3), Ok((0, String::new())));
        assert_eq!(read(r#"{"id":"7","match":true}"#, 1), Ok((1, String::new())));
        assert_eq!(read(r#"{"id":"7","match":false}"#, 1), Ok((0, String::new())));
    }

    #[test]
    fn what_does_not() {
        for (line, reason) in [
            ("  ", Reason::Empty),
            ("yes", Reason::Malformed),
            (r#"{"id":"7","grade":NaN}"#, Reason::Malformed),
            (r#"{"id":"7","grade":1"#, Reason::Malformed),
            (r#"[{"id":"7","grade":1}]"#, Reason::WrongShape),
            (r#"{"id":"7","grade":1,"grade":3}"#, Reason::WrongShape),
            (r#"{"grade":1}"#, Reason::WrongShape),
            (r#"{"id":7,"grade":1}"#, Reason::WrongShape),
            (r#"{"id":"8","grade":1}"#, Reason::WrongShape),
            (r#"{"id":"7"}"#, Reason::NoAnswer),
            (r#"{"id":"7","grade":1,"match":true}"#, Reason::Ambiguous),
            (r#"{"id":"7","grade":"1"}"#, Reason::WrongShape),
            (r#"{"id":"7","grade":1.0}"#, Reason::WrongShape),
            (r#"{"id":"7","grade":true}"#, Reason::WrongShape),
            (r#"{"id":"7","grade":4}"#, Reason::OutOfRange),
            (r#"{"id":"7","grade":-1}"#, Reason::OutOfRange),
            (r#"{"id":"7","grade":9000000000}"#, Reason::OutOfRange),
            (r#"{"id":"7","match":true}"#, Reason::WrongShape),
            (r#"{"id":"7","grade":1,"rationale":3}"#, Reason::WrongShape),
            (r#"{"id":"7","error":"out of memory"}"#, Reason::Declined),
            (r#"{"id":"7","grade":1,"error":"half done"}"#, Reason::Declined),
            (r#"{"id":"7","error":"it ends before its answer","reason":"cut_off"}"#, Reason::CutOff),
            (r#"{"id":"7","error":"no","reason":"bad luck"}"#, Reason::Declined),
            (r#"{"id":"7","error":"no","reason":3}"#, Reason::Declined),
        ] {
            assert_eq!(read(line, 3), Err(reason), "{line}");
        }
    }

    #[test]
    fn an_order_has_each_document_once() {
        let read = |line: &str| match read_order(line.as_bytes(), "7", true, 3) {
            Ok(Verdict::Compared(verdict)) => Ok(verdict.order),
            Ok(Verdict::Graded(_)) => Ok(Vec::new()),
            Err(unusable) => Err(unusable.reason),
        };
        assert_eq!(read(r#"{"id":"7","order":[[2],[0,1]]}"#), Ok(vec![vec![2], vec![0, 1]]));
        for (line, reason) in [
            (r#"{"id":"7","order":[[2],[0]]}"#, Reason::NotAnOrder),
            (r#"{"id":"7","order":[[2],[0,1],[2]]}"#, Reason::NotAnOrder),
            (r#"{"id":"7","order":[[2],[0,1,3]]}"#, Reason::NotAnOrder),
            (r#"{"id":"7","order":[]}"#, Reason::NotAnOrder),
            (r#"{"id":"7","order":[2,0,1]}"#, Reason::WrongShape),
            (r#"{"id":"7","order":"left"}"#, Reason::WrongShape),
            (r#"{"id":"7","grade":1}"#, Reason::NoAnswer),
            (r#"{"id":"7","error":"no"}"#, Reason::Declined),
        ] {
            assert_eq!(read(line), Err(reason), "{line}");
        }
    }

    proptest! {
        /// Whatever comes is read, and only a grade on the scale comes out.
        #[test]
        fn no_line_gives_another_grade(line in proptest::collection::vec(any::<u8>(), 0..60)) {
            if let Ok(verdict) = read_own(&line, "7", false, Scale::default()) {
                prop_assert!(Scale::default().contains(verdict.grade().unwrap()));
            }
        }

        #[test]
        fn every_number_is_a_grade_or_none(number in any::<i64>()) {
            let line = format!("{{\"id\":\"7\",\"grade\":{number}}}");
            prop_assert_eq!(read(&line, 3).is_ok(), (0..=3).contains(&number));
        }
    }
}
