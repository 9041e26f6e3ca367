//! Picks the one answer among the JSON objects of a reply.
//!
//! It works for every form of answer, and returns the reason if there is no answer.

use llull_core::{Reason, Unusable};
use serde_json::{Map, Value};

use super::{
    alone,
    detail::{quote, unusable},
    refusal,
    scan::{self, Found, Scan},
    strict,
};

use crate::form::AnswerPlace;

/// A reply as it arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawReply<'a> {
    /// Its text, verbatim.
    pub text: &'a str,
    /// Whether the server reports that a token limit ended it (`finish_reason` is `length`). A whole answer counts all
    /// the same, if only white space and end marks follow it.
    pub cut_off: bool,
    /// Whether the server reports that the model or a filter declined.
    pub refused: bool,
}

/// How one form of answer is read: a JSON object in which one key decides.
pub(super) trait AnswerRules: Copy {
    type Answer;

    /// Returns the key that makes an object an answer.
    fn key(self) -> &'static str;

    /// Reads an object with that key, whose value is `value`; `text` is how the object is written.
    fn read(self, object: &Map<String, Value>, value: &Value, text: &str) -> Result<Self::Answer, Unusable>;

    /// Returns whether two answers have the same verdict, whatever their other content.
    fn agree(one: &Self::Answer, other: &Self::Answer) -> bool;

    /// Describes the decision for a person: `grade 2`.
    fn name(self, answer: &Self::Answer) -> String;

    /// Returns whether text that is not JSON states a decision, where `value` follows the key and its colon.
    fn decides(self, value: &str) -> bool;
}

/// An answer and the text of its object, a part of the reply.
pub(super) type Placed<'a, A> = (A, &'a str);

/// Reads the answer out of a reply.
pub(super) fn read<'a, F: AnswerRules>(
    reply: &RawReply<'a>,
    form: F,
    place: AnswerPlace,
) -> Result<Placed<'a, F::Answer>, Unusable> {
    if reply.refused {
        return Err(unusable(
            Reason::Refused,
            format!("the server reports a refusal; the text is {}", quote(reply.text)),
        ));
    }
    let found = scan::scan(reply.text, |found| classify(found, form));
    let rest = found.rest;
    let read = decide(found, form, place).map_err(|error| of_a_list(error, rest));
    // A whole answer ends the reply, so the limit has cut off nothing but white space and marks.
    if reply.cut_off && read.is_err() {
        let detail =
            "the server ended the reply at its token limit; raise max_tokens (reasoning counts, too)";
        return Err(unusable(Reason::CutOff, detail));
    }
    read
}

/// Returns the reason for a reply that is a JSON list: it is neither prose nor an answer among other text.
fn of_a_list(error: Unusable, rest: &str) -> Unusable {
    let misread = matches!(error.reason, Reason::NotAlone | Reason::NoAnswer | Reason::Malformed);
    match misread && alone::is_list(rest) {
        true => {
            unusable(Reason::WrongShape, format!("the reply is a JSON list, not an object: {}", quote(rest)))
        }
        false => error,
    }
}

/// Describes a key that is missing or whose value has the wrong type.
pub(super) fn wrong_type(key: &str, expected: &str, found: Option<&Value>) -> Unusable {
    let detail = match found {
        None => format!("the key {key:?} is missing"),
        Some(value) => format!("{key:?} is {}, not {expected}", quote(&value.to_string())),
    };
    unusable(Reason::WrongShape, detail)
}

/// Reads the `rationale` of an answer that has to hold one.
pub(super) fn rationale(object: &Map<String, Value>) -> Result<String, Unusable> {
    match object.get("rationale") {
        Some(Value::String(text)) => Ok(text.clone()),
        other => Err(wrong_type("rationale", "a string", other)),
    }
}

/// One object of a reply. The reason why it is not an answer is found later, for the object that decides.
#[derive(Debug)]
enum Finding<'a, A> {
    /// A valid answer.
    Answer(Box<A>, &'a str),
    /// An object with the key of an answer, or text in braces that has it, which is no valid answer.
    BadAnswer(&'a str),
    /// Another object.
    Other(&'a str),
    /// Braces around other text.
    NotJson(&'a str),
}

fn classify<'a, F: AnswerRules>(found: Found<'a>, form: F) -> Finding<'a, F::Answer> {
    match found {
        Found::Object(value, text) => match read_object(&value, text, form) {
            Some(Ok(answer)) => Finding::Answer(Box::new(answer), text),
            Some(Err(_)) => Finding::BadAnswer(text),
            None => Finding::Other(text),
        },
        Found::Malformed(text) if states_an_answer(text, form) => Finding::BadAnswer(text),
        Found::Malformed(text) => Finding::NotJson(text),
    }
}

/// Reads an answer; `None` for an object without its key. A key such as `Grade` is not the expected one, but it is not
/// ignored either: next to `grade` it makes the answer ambiguous.
fn read_object<F: AnswerRules>(value: &Value, text: &str, form: F) -> Option<Result<F::Answer, Unusable>> {
    let (object, wanted) = (value.as_object()?, form.key());
    if let Some(key) = object.keys().find(|key| *key != wanted && key.trim().eq_ignore_ascii_case(wanted)) {
        let detail = format!("the key is {key:?}, not {wanted:?}: {}", quote(&value.to_string()));
        return Some(Err(unusable(Reason::WrongShape, detail)));
    }
    Some(form.read(object, object.get(wanted)?, text))
}

/// Explains why an object is no answer, or no valid one.
fn explain<F: AnswerRules>(text: &str, form: F) -> Unusable {
    match strict::parse(text).map(|value| read_object(&value, text, form)) {
        Ok(Some(Err(error))) => error,
        Ok(_) => unusable(Reason::WrongShape, format!("an object without {:?}: {}", form.key(), quote(text))),
        Err(error) => unusable(Reason::Malformed, format!("{error}: {}", quote(text))),
    }
}

/// Picks the one answer of everything that was found in a reply, and checks that it stands where it has to.
fn decide<'a, F: AnswerRules>(
    found: Scan<'a, Finding<'a, F::Answer>>,
    form: F,
    place: AnswerPlace,
) -> Result<Placed<'a, F::Answer>, Unusable> {
    if let Some(mark) = found.open_reasoning {
        let detail =
            format!("reasoning begins with {mark} and does not end; raise max_tokens if replies are cut off");
        return Err(unusable(Reason::CutOff, detail));
    }
    let answered = found.kept.iter().any(|finding| answer(finding).is_some());
    if let Some(piece) = found.unclosed.filter(|piece| !(answered && is_prose(piece, form.key()))) {
        return Err(never_closed(piece));
    }
    let drafts: Vec<_> = found.doubtful.iter().filter_map(answer).collect();
    let texts: Vec<_> = found.kept.iter().chain(&found.doubtful).filter_map(text_of_answer).collect();
    let mut decision: Option<(Box<F::Answer>, &str)> = None;
    let (mut bad, mut not_json, mut other) = (None, None, None);
    for finding in found.kept {
        match finding {
            Finding::Answer(next, text) => match &decision {
                Some((before, _)) if !F::agree(before, &next) => return Err(differ(form, before, &next)),
                _ => decision = Some((next, text)),
            },
            Finding::BadAnswer(text) => bad = Some(text),
            Finding::NotJson(text) => not_json = not_json.or(Some(text)),
            Finding::Other(text) => other = other.or(Some(text)),
        }
    }
    match (decision, bad) {
        (Some((decision, text)), None) => match drafts.iter().find(|draft| !F::agree(draft, &decision)) {
            Some(draft) => {
                let detail = format!(
                    "{} is answered, and {} in text that may be reasoning or a quotation",
                    form.name(&decision),
                    form.name(draft)
                );
                Err(unusable(Reason::Ambiguous, detail))
            }
            None => match alone::check(found.rest, text, &texts, place) {
                Ok(()) => Ok((*decision, text)),
                Err(defect) => Err(defect.explain(&form.name(&decision))),
            },
        },
        (Some((decision, _)), Some(text)) => {
            let wrong = explain(text, form).detail;
            let detail = format!("one answer, {}, and one that is not right: {wrong}", form.name(&decision));
            Err(unusable(Reason::Ambiguous, detail))
        }
        (None, Some(text)) => Err(explain(text, form)),
        (None, None) => match not_json.or(other) {
            Some(text) => Err(explain(text, form)),
            None => {
                let quoted = texts.iter().any(|text| alone::is_part(text, found.rest));
                Err(no_object(found.rest, &drafts, quoted, form))
            }
        },
    }
}

fn answer<'f, A>(finding: &'f Finding<'_, A>) -> Option<&'f A> {
    match finding {
        Finding::Answer(answer, _) => Some(answer),
        Finding::BadAnswer(_) | Finding::Other(_) | Finding::NotJson(_) => None,
    }
}

fn text_of_answer<'a, A>(finding: &Finding<'a, A>) -> Option<&'a str> {
    match finding {
        Finding::Answer(_, text) => Some(text),
        Finding::BadAnswer(_) | Finding::Other(_) | Finding::NotJson(_) => None,
    }
}

fn differ<F: AnswerRules>(form: F, first: &F::Answer, second: &F::Answer) -> Unusable {
    let detail = format!("two answers that differ: {} and {}", form.name(first), form.name(second));
    unusable(Reason::Ambiguous, detail)
}

/// Explains why a brace that is never closed makes a reply unusable.
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

/// Returns whether a brace that is never closed is part of a sentence: words follow that are no key, and nothing
/// after it could be a second answer.
fn is_prose(piece: &str, key: &str) -> bool {
    let words = piece.get(1..).unwrap_or_default();
    words.trim_start().starts_with(char::is_alphanumeric)
        && !words.contains('{')
        && !words.to_ascii_lowercase().contains(key)
}

/// Explains why a reply has no answer outside reasoning and quotations. `drafts` are the answers inside them, and
/// `quoted` is true if one of them is in `rest`.
fn no_object<F: AnswerRules>(rest: &str, drafts: &[&F::Answer], quoted: bool, form: F) -> Unusable {
    if rest.is_empty() {
        let detail = match drafts {
            [] => "nothing but white space and reasoning",
            _ => "nothing after the reasoning, in which an answer was drafted",
        };
        return unusable(Reason::Empty, detail);
    }
    if refusal::reads_like_one(rest) {
        return unusable(Reason::Declined, format!("the reply reads like a refusal: {}", quote(rest)));
    }
    match drafts {
        [] => unusable(Reason::NoAnswer, format!("no answer in JSON: {}", quote(rest))),
        [first, others @ ..] => match others.iter().find(|other| !F::agree(first, other)) {
            Some(other) => differ(form, first, other),
            None if quoted => {
                let detail = format!(
                    "{} stands in the middle of a line, as in a quotation: {}",
                    form.name(first),
                    quote(rest)
                );
                unusable(Reason::NotAlone, detail)
            }
            None => {
                let detail =
                    format!("{} is named in reasoning, and not answered: {}", form.name(first), quote(rest));
                unusable(Reason::NoAnswer, detail)
            }
        },
    }
}

/// Returns whether malformed text has the key of an answer and a value, as in `{grade: 3}`, `{Grade = 3}` and
/// `{'grade': "3",}`. The form of an answer, repeated from the prompt, has no value.
fn states_an_answer<F: AnswerRules>(text: &str, form: F) -> bool {
    let passed_over = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '\\' | '`' | '*' | '-' | '+');
    text.to_ascii_lowercase().match_indices(form.key()).any(|(at, key)| {
        let part_of_a_word = text.get(..at).is_some_and(|before| before.ends_with(char::is_alphanumeric));
        let rest = text.get(at + key.len()..).unwrap_or_default().trim_start_matches(passed_over);
        !part_of_a_word
            && rest
                .strip_prefix([':', '='])
                .is_some_and(|value| form.decides(value.trim_start_matches(passed_over)))
    })
}
