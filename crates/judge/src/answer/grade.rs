//! Answers that are a grade.

use llull_core::{Grade, GradedVerdict, Reason, Scale, Unusable};
use serde_json::{Map, Value};

use super::{
    decide::{self, AnswerRules, RawReply, wrong_type},
    detail::{quote, unusable},
};
use crate::form::GradeKind;

/// Reads a grade out of a reply.
///
/// The answer is a JSON object with the keys of its [`GradeKind`], bare, in a Markdown fence, in a list of one or
/// among other text, outside the model's reasoning. It begins a line or ends it: an object in the middle of a
/// line, with words before and after it, is a quotation. Further keys are ignored. The grade is a whole number on
/// the scale, written as a number (`2`, `2.0`) or as a string of its digits (`"2"`). An object inside another is
/// not an answer. If there are several answers, they have to be valid and to agree; the last one counts.
///
/// # Errors
/// Returns [`Unusable`] with the first of these reasons that holds:
///
/// | what was found | reason |
/// |---|---|
/// | the server says that the model declined | `Refused` |
/// | the server says that the reply was cut off, even behind an answer: the rest is unknown | `CutOff` |
/// | reasoning or braces that never end, except a brace behind the answer that begins no object | `CutOff` |
/// | an answer and another that is invalid or differs, even where it may be reasoning or a quotation | `Ambiguous` |
/// | an object with a grade, but a key is missing or has another type | `WrongShape` |
/// | a grade off the scale | `OutOfRange` |
/// | braces around something that is not JSON, or JSON with a repeated key | `Malformed` |
/// | an object without a grade | `WrongShape` |
/// | nothing, or nothing but reasoning | `Empty` |
/// | text that begins like a refusal in English, without an object or with one that is quoted | `Refused` |
/// | any other text: a bare number, `2/3`, `Grade: 2`, `YES` | `NoAnswer` |
pub fn read_grade(reply: &RawReply<'_>, kind: GradeKind, scale: Scale) -> Result<GradedVerdict, Unusable> {
    decide::read(reply, Graded { kind, scale }).map(|(verdict, _)| verdict)
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

    fn read(self, object: &Map<String, Value>, grade: &Value) -> Result<GradedVerdict, Unusable> {
        read_fields(object, grade, self.kind, self.scale)
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

fn read_fields(
    object: &Map<String, Value>,
    grade: &Value,
    kind: GradeKind,
    scale: Scale,
) -> Result<GradedVerdict, Unusable> {
    let mut verdict = GradedVerdict::default();
    if kind == GradeKind::Reasoned {
        verdict.facets_covered = strings(object, "facets_covered")?;
        verdict.facets_missing = strings(object, "facets_missing")?;
        verdict.rationale = decide::rationale(object)?;
    }
    verdict.grade = grade_on_scale(grade, scale)?;
    Ok(verdict)
}

fn strings(object: &Map<String, Value>, key: &str) -> Result<Vec<String>, Unusable> {
    let value = object.get(key);
    let text = |item: &Value| item.as_str().map(str::to_owned);
    value
        .and_then(Value::as_array)
        .and_then(|items| items.iter().map(text).collect())
        .ok_or_else(|| wrong_type(key, "a list of strings", value))
}

/// Reads a whole number on the scale, written as a number or a string.
fn grade_on_scale(value: &Value, scale: Scale) -> Result<Grade, Unusable> {
    let whole = match value {
        Value::Number(number) => number.as_i64().or_else(|| match number.as_f64() {
            Some(float) if float.fract() == 0.0 => Some(float as i64), // saturates: off any scale
            _ => None,
        }),
        Value::String(text) if is_whole(text) => Some(text.parse().unwrap_or(i64::MAX)), // too long: off any scale
        _ => None,
    };
    let Some(whole) = whole else {
        return Err(wrong_type("grade", "a whole number", Some(value)));
    };
    match Grade::try_from(whole) {
        Ok(grade) if scale.contains(grade) => Ok(grade),
        _ => {
            let found = quote(&value.to_string());
            let detail = format!("grade {found} is not on the scale {scale}");
            Err(unusable(Reason::OutOfRange, detail))
        }
    }
}

/// Returns whether a text is a whole number as people write it: digits, no sign but `-`, no leading zeros.
fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (!digits.starts_with('0') || text == "0")
}
