//! What the objects of a reply amount to: one grade, or the reason why not.

use llull_core::{Grade, GradedVerdict, Reason, Scale, Unusable};
use serde_json::{Map, Value};

use super::{
    detail::{quote, unusable},
    refusal,
    scan::{self, Found, Sight},
    strict,
};
use crate::prompt::AnswerKind;

/// A reply as it arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawReply<'a> {
    /// Its text, verbatim.
    pub text: &'a str,
    /// Whether the server says that a token limit ended it (`finish_reason` is `length`).
    pub cut_off: bool,
    /// Whether the server says that the model or a filter declined.
    pub refused: bool,
}

/// Reads the verdict out of a reply.
///
/// The answer is a JSON object with the keys of its [`AnswerKind`], bare, in a Markdown fence, in a list of one or among
/// other text, outside the model's reasoning. It begins a line or ends it: an object in the middle of a line, with words
/// before and behind it, is a quotation. Further keys are passed over. The grade is a whole number on the scale,
/// written as a number (`2`, `2.0`) or as a string of its digits (`"2"`). An object inside another is not an answer.
/// If there are several answers, they have to be right and to agree; the last one counts.
///
/// # Errors
/// [`Unusable`], of which the reason is the first of these that holds:
///
/// | what was found | reason |
/// |---|---|
/// | the server says that the model declined | `Refused` |
/// | the server says that the reply was cut off, even if an answer is complete: what would have followed is unknown | `CutOff` |
/// | reasoning that never ends, or braces that are never closed; not so one behind the answer that begins no object | `CutOff` |
/// | an answer, and another that differs from it or is not right; one in text that may be reasoning or a quotation counts as another | `Ambiguous` |
/// | an object with a grade, but a key is missing or has another type | `WrongShape` |
/// | a grade off the scale | `OutOfRange` |
/// | braces around something that is not JSON, or JSON with a repeated key | `Malformed` |
/// | an object without a grade | `WrongShape` |
/// | nothing, or nothing but reasoning | `Empty` |
/// | text that begins like a refusal in English, without an object or with one that is quoted | `Refused` |
/// | any other text: a bare number, `2/3`, `Grade: 2`, `YES` | `NoAnswer` |
pub fn read_answer(reply: &RawReply<'_>, kind: AnswerKind, scale: Scale) -> Result<GradedVerdict, Unusable> {
    if reply.refused {
        return Err(unusable(
            Reason::Refused,
            format!("the server reports a refusal; the text is {}", quote(reply.text)),
        ));
    }
    if reply.cut_off {
        let detail =
            "the server ended the reply at its token limit; raise max_tokens (reasoning counts, too)";
        return Err(unusable(Reason::CutOff, detail));
    }
    judge(scan::walk(reply.text, |found| classify(found, kind, scale)), kind, scale)
}

/// What one object of a reply is. Why it is no answer is said later, for the one object that decides.
#[derive(Debug)]
enum Finding<'a> {
    /// An answer as it should be.
    Answer(Box<GradedVerdict>),
    /// An object with a grade, or text in braces that states one; something is wrong with it.
    BadAnswer(&'a str),
    /// Another object.
    Other(&'a str),
    /// Braces around other text.
    NotJson(&'a str),
}

fn classify<'a>(found: Found<'a>, kind: AnswerKind, scale: Scale) -> Finding<'a> {
    match found {
        Found::Object(value, text) => match read_object(&value, kind, scale) {
            Some(Ok(verdict)) => Finding::Answer(Box::new(verdict)),
            Some(Err(_)) => Finding::BadAnswer(text),
            None => Finding::Other(text),
        },
        Found::Malformed(text) if states_a_grade(text) => Finding::BadAnswer(text),
        Found::Malformed(text) => Finding::NotJson(text),
    }
}

/// What is wrong with an object that is no answer, or no good one.
fn explain(text: &str, kind: AnswerKind, scale: Scale) -> Unusable {
    match strict::parse(text).map(|value| read_object(&value, kind, scale)) {
        Ok(Some(Err(error))) => error,
        Ok(_) => unusable(Reason::WrongShape, format!("an object without \"grade\": {}", quote(text))),
        Err(error) => unusable(Reason::Malformed, format!("{error}: {}", quote(text))),
    }
}

fn judge(sight: Sight<'_, Finding<'_>>, kind: AnswerKind, scale: Scale) -> Result<GradedVerdict, Unusable> {
    if let Some(mark) = sight.open_reasoning {
        let detail =
            format!("reasoning begins with {mark} and does not end; raise max_tokens if replies are cut off");
        return Err(unusable(Reason::CutOff, detail));
    }
    let answered = sight.kept.iter().any(|finding| answer(finding).is_some());
    if let Some(piece) = sight.unclosed.filter(|piece| !(answered && is_prose(piece))) {
        return Err(never_closed(piece));
    }
    let drafts: Vec<Grade> = sight.doubtful.iter().filter_map(answer).map(|verdict| verdict.grade).collect();
    let mut verdict: Option<Box<GradedVerdict>> = None;
    let (mut bad, mut not_json, mut other) = (None, None, None);
    for finding in sight.kept {
        match finding {
            Finding::Answer(next) => match &verdict {
                Some(before) if before.grade != next.grade => return Err(differ(before.grade, next.grade)),
                _ => verdict = Some(next),
            },
            Finding::BadAnswer(text) => bad = Some(text),
            Finding::NotJson(text) => not_json = not_json.or(Some(text)),
            Finding::Other(text) => other = other.or(Some(text)),
        }
    }
    match (verdict, bad) {
        (Some(verdict), None) => match drafts.iter().find(|draft| **draft != verdict.grade) {
            Some(draft) => {
                let detail = format!(
                    "grade {} is answered, and grade {draft} in text that may be reasoning or a quotation",
                    verdict.grade
                );
                Err(unusable(Reason::Ambiguous, detail))
            }
            None => Ok(*verdict),
        },
        (Some(verdict), Some(text)) => {
            let wrong = explain(text, kind, scale).detail;
            Err(unusable(
                Reason::Ambiguous,
                format!("one answer of grade {}, and one that is not right: {wrong}", verdict.grade),
            ))
        }
        (None, Some(text)) => Err(explain(text, kind, scale)),
        (None, None) => match not_json.or(other) {
            Some(text) => Err(explain(text, kind, scale)),
            None => Err(no_object(sight.rest, &drafts)),
        },
    }
}

fn answer<'f>(finding: &'f Finding<'_>) -> Option<&'f GradedVerdict> {
    match finding {
        Finding::Answer(verdict) => Some(verdict),
        Finding::BadAnswer(_) | Finding::Other(_) | Finding::NotJson(_) => None,
    }
}

fn differ(first: Grade, second: Grade) -> Unusable {
    unusable(Reason::Ambiguous, format!("two answers that differ: grade {first} and grade {second}"))
}

/// Why a brace that is never closed makes a reply unusable.
fn never_closed(piece: &str) -> Unusable {
    let quoted = quote(piece);
    if piece.trim_start_matches('{').trim_start().starts_with('\\') {
        let detail = format!("JSON inside a string, its quotation marks escaped: {quoted}");
        return unusable(Reason::Malformed, detail);
    }
    let detail =
        format!("a brace is opened and never closed: {quoted}; raise max_tokens if replies are cut off");
    unusable(Reason::CutOff, detail)
}

/// Whether a brace that is never closed is a mere sign in a sentence: words follow that are no key, and nothing behind it
/// could be a second answer.
fn is_prose(piece: &str) -> bool {
    let words = piece.get(1..).unwrap_or_default();
    words.trim_start().starts_with(char::is_alphanumeric)
        && !words.contains('{')
        && !words.to_ascii_lowercase().contains("grade")
}

/// Why a reply without an object that could be its answer has none. `drafts` are the grades of those that could not.
fn no_object(rest: &str, drafts: &[Grade]) -> Unusable {
    if rest.is_empty() {
        let detail = match drafts {
            [] => "nothing but white space and reasoning",
            _ => "nothing after the reasoning, in which an answer was drafted",
        };
        return unusable(Reason::Empty, detail);
    }
    if refusal::reads_like_one(rest) {
        return unusable(Reason::Refused, format!("the reply reads like a refusal: {}", quote(rest)));
    }
    match drafts {
        [] => unusable(Reason::NoAnswer, format!("no answer in JSON: {}", quote(rest))),
        [first, others @ ..] => match others.iter().find(|other| *other != first) {
            Some(other) => differ(*first, *other),
            None => {
                let detail = format!(
                    "grade {first} is named in reasoning or in the middle of a line, as in a quotation, and not answered: {}",
                    quote(rest)
                );
                unusable(Reason::NoAnswer, detail)
            }
        },
    }
}

/// Whether malformed text names a grade with a digit, as in `{grade: 3}`, `{Grade = 3}` and `{'grade': "3",}`; not so the
/// form of an answer, repeated from the prompt.
fn states_a_grade(text: &str) -> bool {
    let passed_over = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '\\' | '`' | '*' | '-' | '+');
    text.to_ascii_lowercase().match_indices("grade").any(|(at, key)| {
        let part_of_a_word = text.get(..at).is_some_and(|before| before.ends_with(char::is_alphanumeric));
        let rest = text.get(at + key.len()..).unwrap_or_default().trim_start_matches(passed_over);
        !part_of_a_word
            && rest.strip_prefix([':', '=']).is_some_and(|value| {
                value.trim_start_matches(passed_over).starts_with(|c: char| c.is_ascii_digit())
            })
    })
}

/// Reads an answer; `None` for what has no grade. A key such as `Grade` is not the one that was asked for, and the grade under
/// it may not be passed over either: beside `grade` it leaves open which was meant.
fn read_object(value: &Value, kind: AnswerKind, scale: Scale) -> Option<Result<GradedVerdict, Unusable>> {
    let object = value.as_object()?;
    if let Some(key) = object.keys().find(|key| *key != "grade" && key.trim().eq_ignore_ascii_case("grade")) {
        let detail = format!("the key is {key:?}, not \"grade\": {}", quote(&value.to_string()));
        return Some(Err(unusable(Reason::WrongShape, detail)));
    }
    let grade = object.get("grade")?;
    Some(read_fields(object, grade, kind, scale))
}

fn read_fields(
    object: &Map<String, Value>,
    grade: &Value,
    kind: AnswerKind,
    scale: Scale,
) -> Result<GradedVerdict, Unusable> {
    let mut verdict = GradedVerdict::default();
    if kind == AnswerKind::Reasoned {
        verdict.facets_covered = strings(object, "facets_covered")?;
        verdict.facets_missing = strings(object, "facets_missing")?;
        verdict.rationale = match object.get("rationale") {
            Some(Value::String(text)) => text.clone(),
            other => return Err(wrong("rationale", "a string", other)),
        };
    }
    verdict.grade = read_grade(grade, scale)?;
    Ok(verdict)
}

fn strings(object: &Map<String, Value>, key: &str) -> Result<Vec<String>, Unusable> {
    let value = object.get(key);
    let text = |item: &Value| item.as_str().map(str::to_owned);
    value
        .and_then(Value::as_array)
        .and_then(|items| items.iter().map(text).collect())
        .ok_or_else(|| wrong(key, "a list of strings", value))
}

fn wrong(key: &str, expected: &str, found: Option<&Value>) -> Unusable {
    let detail = match found {
        None => format!("the key {key:?} is missing"),
        Some(value) => format!("{key:?} is {}, not {expected}", quote(&value.to_string())),
    };
    unusable(Reason::WrongShape, detail)
}

/// A whole number as a number or a string, on the scale.
fn read_grade(value: &Value, scale: Scale) -> Result<Grade, Unusable> {
    let whole = match value {
        Value::Number(number) => number.as_i64().or_else(|| match number.as_f64() {
            Some(float) if float.fract() == 0.0 => Some(float as i64), // saturates: off any scale
            _ => None,
        }),
        Value::String(text) if is_whole(text) => Some(text.parse().unwrap_or(i64::MAX)), // too long: off any scale
        _ => None,
    };
    let Some(whole) = whole else {
        return Err(wrong("grade", "a whole number", Some(value)));
    };
    match Grade::try_from(whole) {
        Ok(grade) if scale.contains(grade) => Ok(grade),
        _ => {
            let found = quote(&value.to_string());
            let detail = format!("grade {found} is not on the scale {} to {}", scale.low(), scale.high());
            Err(unusable(Reason::OutOfRange, detail))
        }
    }
}

/// Whether a text is a whole number as one writes it: digits, no sign but `-`, no zeros in front.
fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (!digits.starts_with('0') || text == "0")
}
