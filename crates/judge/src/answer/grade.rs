//! Reads a grade from a reply.

use llull_core::{Grade, GradedVerdict, Reason, Scale, Unusable};
use serde_json::{Map, Value};

use super::decide::{self, AnswerRules, Placed, RawReply, quote, unusable, wrong_type};
use super::scan;
use crate::form::{AnswerPlace, GradeKind};

/// Reads a grade out of a reply.
///
/// An answer is the reply itself, not a part of it. Without the model's reasoning, the reply has to be one JSON object
/// with the keys of its [`GradeKind`], bare or in one Markdown fence. Before a [`Reasoned`](GradeKind::Reasoned)
/// answer prose may stand; the object then comes at the end, on lines of its own, and no other answer stands in the
/// prose. Marks of chat templates without content (`<|im_end|>`) are skipped. Further keys are ignored. The grade is a
/// whole number on the scale, written as a number in plain digits (`2`, `2.0`) or as a string of its digits (`"2"`).
///
/// # Errors
/// Returns [`Unusable`] with the first of these reasons that holds:
///
/// | what was found | reason |
/// |---|---|
/// | the server says that the model declined | `Refused` |
/// | the server says that the reply was cut off, and no whole answer ends it | `CutOff` |
/// | reasoning or braces that never end, except a brace behind the answer that begins no object | `CutOff` |
/// | an answer and another that is invalid or differs, even where it may be reasoning or a quotation | `Ambiguous` |
/// | an answer with other text where none may stand | `NotAlone` |
/// | an object with a grade, but a key is missing or has another type | `WrongShape` |
/// | a grade off the scale | `OutOfRange` |
/// | braces around something that is not JSON, or JSON with a repeated key | `Malformed` |
/// | an object without a grade, or a list | `WrongShape` |
/// | nothing, or nothing but reasoning | `Empty` |
/// | text that begins like a refusal in English, without an object or with one that is quoted | `Declined` |
/// | any other text: a bare number, `2/3`, `Grade: 2`, `YES` | `NoAnswer` |
pub fn read_grade(reply: &RawReply<'_>, kind: GradeKind, scale: Scale) -> Result<GradedVerdict, Unusable> {
    read_at(reply, kind, scale, AnswerPlace::of(kind == GradeKind::Reasoned))
}

/// Reads a grade out of a reply with the answer at this place.
pub(super) fn read_at(
    reply: &RawReply<'_>,
    kind: GradeKind,
    scale: Scale,
    place: AnswerPlace,
) -> Result<GradedVerdict, Unusable> {
    read_placed(reply, kind, scale, place).map(|(verdict, _)| verdict)
}

/// Does the same, and returns the text of the answer's object, too.
pub(super) fn read_placed<'a>(
    reply: &RawReply<'a>,
    kind: GradeKind,
    scale: Scale,
    place: AnswerPlace,
) -> Result<Placed<'a, GradedVerdict>, Unusable> {
    decide::read(reply, Graded { kind, scale }, place)
}

#[derive(Clone, Copy)]
struct Graded {
    kind: GradeKind,
    scale: Scale,
}

impl AnswerRules for Graded {
    type Answer = GradedVerdict;

    fn key(self) -> &'static str {
        "grade"
    }

    fn read(self, object: &Map<String, Value>, grade: &Value, text: &str) -> Result<GradedVerdict, Unusable> {
        let mut verdict = GradedVerdict::default();
        if self.kind == GradeKind::Reasoned {
            verdict.facets_covered = strings(object, "facets_covered")?;
            verdict.facets_missing = strings(object, "facets_missing")?;
            verdict.rationale = decide::rationale(object)?;
        }
        verdict.grade = grade_on_scale(grade, text, self.scale)?;
        Ok(verdict)
    }

    fn agree(one: &GradedVerdict, other: &GradedVerdict) -> bool {
        one.grade == other.grade
    }

    fn name(self, verdict: &GradedVerdict) -> String {
        format!("grade {}", verdict.grade)
    }

    fn decides(self, value: &str) -> bool {
        value.starts_with(|c: char| c.is_ascii_digit())
    }
}

fn strings(object: &Map<String, Value>, key: &str) -> Result<Vec<String>, Unusable> {
    let value = object.get(key);
    let text = |item: &Value| item.as_str().map(str::to_owned);
    value
        .and_then(Value::as_array)
        .and_then(|items| items.iter().map(text).collect())
        .ok_or_else(|| wrong_type(key, "a list of strings", value))
}

/// Reads a whole number on the scale, written as a number or a string. `text` is the object's.
fn grade_on_scale(value: &Value, text: &str, scale: Scale) -> Result<Grade, Unusable> {
    // A floating-point number is near the written one, and not always equal to it.
    let literal = match value {
        Value::Number(number) if number.is_f64() => scan::literal(text, "grade"),
        _ => None,
    };
    let whole = match value {
        Value::Number(number) => match literal {
            Some(literal) => whole_of(literal)?,
            None => number.as_i64().or(number.as_u64().map(|_| OFF_ANY_SCALE)),
        },
        Value::String(text) if is_whole(text) => Some(text.parse().unwrap_or(OFF_ANY_SCALE)),
        _ => None,
    };
    let written = || literal.map_or_else(|| value.to_string(), str::to_owned);
    let Some(whole) = whole else {
        let detail = format!("\"grade\" is {}, not a whole number", quote(&written()));
        return Err(unusable(Reason::WrongShape, detail));
    };
    match Grade::try_from(whole) {
        Ok(grade) if scale.contains(grade) => Ok(grade),
        _ => {
            let detail = format!("grade {} is not on the scale {scale}", quote(&written()));
            Err(unusable(Reason::OutOfRange, detail))
        }
    }
}

/// Represents a whole number that is too long for any scale.
const OFF_ANY_SCALE: i64 = i64::MAX;

/// Reads a JSON number with a point, an exponent, a minus before zero or very many digits; `None` if it is not whole.
fn whole_of(literal: &str) -> Result<Option<i64>, Unusable> {
    if literal.contains(['e', 'E']) {
        let detail = format!(
            "\"grade\" is {}; a grade is a whole number in plain digits, without an exponent",
            quote(literal)
        );
        return Err(unusable(Reason::WrongShape, detail));
    }
    let (digits, fraction) = literal.split_once('.').unwrap_or((literal, ""));
    let is_whole = fraction.bytes().all(|byte| byte == b'0');
    Ok(is_whole.then(|| digits.parse().unwrap_or(OFF_ANY_SCALE)))
}

/// Returns whether a text is a whole number as people write it: digits, no sign but `-`, no leading zeros.
fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (!digits.starts_with('0') || text == "0")
}
