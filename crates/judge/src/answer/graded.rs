//! What the objects of a reply amount to: one grade, or the reason why not.

use llull_core::{Grade, GradedVerdict, Reason, Scale, Unusable};
use serde_json::{Map, Value};

use super::{
    detail::{quote, unusable},
    refusal,
    scan::{self, Found, Sight},
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
/// other text, outside the model's reasoning. Further keys are passed over. The grade is a whole number on the scale,
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
/// | reasoning that never ends, or braces that are never closed | `CutOff` |
/// | an answer, and another that differs from it or is not right; one in text of which it cannot be told whether it is reasoning counts as another | `Ambiguous` |
/// | an object with a grade, but a key is missing or has another type | `WrongShape` |
/// | a grade off the scale | `OutOfRange` |
/// | braces around something that is not JSON, or JSON with a repeated key | `Malformed` |
/// | an object without a grade | `WrongShape` |
/// | nothing, or nothing but reasoning | `Empty` |
/// | text that begins like a refusal in English | `Refused` |
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
    let keep = |found: Found<'_>| Some(classify(found, kind, scale));
    let sight = scan::walk(reply.text, &keep, &begins_answer);
    judge(sight)
}

/// What one object of a reply is.
#[derive(Debug)]
enum Finding {
    /// An answer as it should be.
    Answer(GradedVerdict),
    /// An object with a grade, or text that states one in braces; and what is wrong with it.
    BadAnswer(Unusable),
    /// Another object, or braces around other text; and why it is not an answer.
    Other(Unusable),
}

fn classify(found: Found<'_>, kind: AnswerKind, scale: Scale) -> Finding {
    match found {
        Found::Object(Value::Object(object)) => match object.get("grade") {
            Some(grade) => match read_object(&object, grade, kind, scale) {
                Ok(verdict) => Finding::Answer(verdict),
                Err(error) => Finding::BadAnswer(error),
            },
            None => {
                let keys: Vec<_> = object.keys().map(|key| format!("{key:?}")).take(4).collect();
                let what = if keys.is_empty() {
                    String::from("no keys")
                } else {
                    format!("the keys {}", keys.join(", "))
                };
                Finding::Other(unusable(
                    Reason::WrongShape,
                    format!("an object without \"grade\"; it has {what}"),
                ))
            }
        },
        Found::Object(_) => Finding::Other(unusable(Reason::WrongShape, "JSON, but not an object")),
        Found::Malformed(text, error) => {
            let unusable = unusable(Reason::Malformed, format!("{error}, in {}", quote(text)));
            if states_a_grade(text) { Finding::BadAnswer(unusable) } else { Finding::Other(unusable) }
        }
    }
}

fn judge(sight: Sight<'_, Finding>) -> Result<GradedVerdict, Unusable> {
    if let Some(mark) = sight.open_reasoning {
        let detail =
            format!("reasoning begins with {mark} and does not end; raise max_tokens if replies are cut off");
        return Err(unusable(Reason::CutOff, detail));
    }
    if let Some(piece) = sight.unclosed {
        let detail = format!(
            "a brace is opened and never closed: {}; raise max_tokens if replies are cut off",
            quote(piece)
        );
        return Err(unusable(Reason::CutOff, detail));
    }
    let drafts: Vec<Grade> = sight.doubtful.iter().filter_map(answer).map(|verdict| verdict.grade).collect();
    let (mut verdict, mut bad, mut others): (Option<GradedVerdict>, Option<Unusable>, Vec<Unusable>) =
        Default::default();
    for finding in sight.kept {
        match finding {
            Finding::Answer(next) => match &verdict {
                Some(before) if before.grade != next.grade => return Err(differ(before.grade, next.grade)),
                _ => verdict = Some(next),
            },
            Finding::BadAnswer(error) => bad = Some(error),
            Finding::Other(error) if others.len() < 2 => others.push(error),
            Finding::Other(_) => {}
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
            None => Ok(verdict),
        },
        (Some(verdict), Some(error)) => {
            let detail =
                format!("one answer of grade {}, and one that is not right: {}", verdict.grade, error.detail);
            Err(unusable(Reason::Ambiguous, detail))
        }
        (None, Some(error)) => Err(error),
        (None, None) => Err(no_answer(others, sight.rest, !drafts.is_empty())),
    }
}

fn answer(finding: &Finding) -> Option<&GradedVerdict> {
    match finding {
        Finding::Answer(verdict) => Some(verdict),
        Finding::BadAnswer(_) | Finding::Other(_) => None,
    }
}

fn differ(first: Grade, second: Grade) -> Unusable {
    unusable(Reason::Ambiguous, format!("two answers that differ: grade {first} and grade {second}"))
}

/// Why a reply without any grade in an object has no answer.
fn no_answer(mut others: Vec<Unusable>, rest: &str, has_draft: bool) -> Unusable {
    others.sort_by_key(|error| error.reason != Reason::Malformed);
    if let Some(error) = others.into_iter().next() {
        return error;
    }
    if rest.is_empty() {
        let detail = match has_draft {
            true => "nothing after the reasoning, in which an answer was drafted",
            false => "nothing but white space and reasoning",
        };
        return unusable(Reason::Empty, detail);
    }
    match refusal::reads_like_one(rest) {
        true => unusable(Reason::Refused, format!("the reply reads like a refusal: {}", quote(rest))),
        false => unusable(Reason::NoAnswer, format!("no JSON object in {}", quote(rest))),
    }
}

/// Whether text that begins with a brace goes on as answers do, with one of their keys.
fn begins_answer(text: &str) -> bool {
    let key = text.trim_start_matches('{').trim_start();
    key.strip_prefix('"')
        .and_then(|key| key.split('"').next())
        .is_some_and(|key| AnswerKind::Reasoned.keys().contains(&key))
}

/// Whether malformed text names a grade with a digit, as in `{grade: 3}` and `{'grade': "3",}`; not so the form of an
/// answer, repeated from the prompt.
fn states_a_grade(text: &str) -> bool {
    text.match_indices("grade").any(|(at, key)| {
        let rest = text.get(at + key.len()..).unwrap_or_default();
        let value = rest.trim_start_matches(['"', '\'', '\\']).trim_start().strip_prefix(':');
        value.is_some_and(|value| {
            value
                .trim_start_matches(['"', '\'', '\\', '-', '+', ' ', '\n', '\t'])
                .starts_with(|c: char| c.is_ascii_digit())
        })
    })
}

/// Reads an object that has a grade.
fn read_object(
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
