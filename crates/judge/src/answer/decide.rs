//! Picks the one answer among the JSON objects of a reply.
//!
//! It works for every form of answer, and returns the reason if there is none. An answer is the whole reply, or its end
//! after prose that explains it.

use std::collections::BTreeMap;

use llull_core::{Reason, Unusable};
use serde_json::{Map, Value};

use super::reasoning::skip_blank;
use super::refusal;
use super::scan::{self, Found, Scan};
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
    match misread && is_list(rest) {
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
    match scan::parse(text).map(|value| read_object(&value, text, form)) {
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
            None => match check(found.rest, text, &texts, place) {
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
                let quoted = texts.iter().any(|text| is_part(text, found.rest));
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
                    "{} is in the middle of a line, as in a quotation: {}",
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

/// Why an answer does not count where it stands.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Defect<'a> {
    /// This is before it, and nothing should be.
    Before(&'a str),
    /// This comes after it.
    After(&'a str),
    /// It does not have lines of its own: this is before it on its first line.
    OnItsLine(&'a str),
    /// It is inside a block that begins like this.
    Inside(&'a str),
    /// This is an answer, too.
    Another(&'a str),
    /// The prose before it declines.
    Refused(&'a str),
}

impl Defect<'_> {
    /// Words the defect of an answer with this name.
    pub(super) fn explain(self, name: &str) -> Unusable {
        let detail = match self {
            Self::Before(text) => format!("{name} does not stand alone; before it: {}", quote(text)),
            Self::After(text) => format!("{name} is not the end of the reply; after it: {}", quote(text)),
            Self::OnItsLine(text) => {
                format!("{name} is not on a line of its own; before it: {}", quote(text))
            }
            Self::Inside(text) => format!("{name} is inside a block that begins with {}", quote(text)),
            Self::Another(text) => format!("{name} is not the only answer; there is {}, too", quote(text)),
            Self::Refused(text) => {
                let detail = format!("{name} follows what reads like a refusal: {}", quote(text));
                return unusable(Reason::Declined, detail);
            }
        };
        unusable(Reason::NotAlone, detail)
    }
}

/// Checks the place of the object `answer` in `rest`, the reply after its reasoning, of which it is a part. `answers`
/// are the texts of all answers in the reply.
pub(super) fn check<'a>(
    rest: &'a str,
    answer: &str,
    answers: &[&'a str],
    place: AnswerPlace,
) -> Result<(), Defect<'a>> {
    let start = answer.as_ptr().addr().saturating_sub(rest.as_ptr().addr());
    let (before, after) = match (rest.get(..start), rest.get(start + answer.len()..)) {
        (Some(before), Some(after)) => (before, after),
        _ => return Err(Defect::Before(rest)),
    };
    if !ends(after) {
        return Err(Defect::After(after.trim()));
    }
    if begins(before) {
        return Ok(());
    }
    match place {
        AnswerPlace::Alone => Err(Defect::Before(before)),
        AnswerPlace::AfterProse => behind_prose(before, rest, answer, answers),
    }
}

/// Returns whether a piece of the reply is a piece of its `rest`.
fn is_part(piece: &str, rest: &str) -> bool {
    rest.as_bytes().as_ptr_range().contains(&piece.as_ptr())
}

/// Returns whether a reply is a JSON list, bare or in a fence: it may hold the answer, but no object is the reply.
fn is_list(rest: &str) -> bool {
    let (Some(start), Some(end)) = (rest.find('['), rest.rfind(']')) else { return false };
    let piece = |from: usize, to: usize| rest.get(from..to).unwrap_or_default();
    begins(piece(0, start))
        && ends(piece(end + 1, rest.len()))
        && scan::parse(piece(start, end + 1)).is_ok_and(|value| value.is_array())
}

fn behind_prose<'a>(
    before: &'a str,
    rest: &'a str,
    answer: &str,
    answers: &[&'a str],
) -> Result<(), Defect<'a>> {
    let prose = prose_before(before)?;
    if refusal::declines(prose) {
        return Err(Defect::Refused(prose));
    }
    if let Some(open) = open_block(prose) {
        return Err(Defect::Inside(open));
    }
    // Drafts in the reasoning, before `rest`, are no part of the prose.
    let other = |text: &&&str| is_part(text, rest) && text.as_ptr() != answer.as_ptr();
    match answers.iter().find(other) {
        Some(another) => Err(Defect::Another(another)),
        None => Ok(()),
    }
}

/// Returns whether nothing comes before an answer but white space, marks without content and the opening of a fence.
fn begins(before: &str) -> bool {
    let before = skip_blank(before);
    before.is_empty() || opens_fence(before)
}

/// Returns whether nothing comes after an answer but white space, marks without content and the closing of a fence.
/// The opening may be missing: some servers put it into the prompt.
fn ends(after: &str) -> bool {
    let after = skip_blank(after);
    skip_blank(behind_fence(after).unwrap_or(after)).is_empty()
}

/// Returns the text after the three or more characters of a fence.
fn behind_fence(text: &str) -> Option<&str> {
    ['`', '~'].into_iter().find_map(|mark| {
        let rest = text.trim_start_matches(mark);
        (text.len() - rest.len() >= 3).then_some(rest)
    })
}

/// Returns whether a text is the opening of a fence for JSON, and nothing else.
fn opens_fence(text: &str) -> bool {
    behind_fence(text).is_some_and(|info| {
        let info = info.trim();
        info.is_empty() || info.eq_ignore_ascii_case("json")
    })
}

/// Returns the prose before an answer that has lines of its own, without the fence around the answer.
fn prose_before(before: &str) -> Result<&str, Defect<'_>> {
    let (lines, line) = before.rsplit_once('\n').unwrap_or(("", before));
    // The last line with anything on it, and the text before that line.
    let words = before.trim_end();
    let (earlier, last) = words.rsplit_once('\n').unwrap_or(("", words));
    if opens_fence(last.trim()) && !open_fence(earlier) {
        return Ok(earlier);
    }
    match open_fence(before) {
        true => Err(Defect::Inside(before)),
        false if line.trim().is_empty() => Ok(lines),
        false => Err(Defect::OnItsLine(line)),
    }
}

/// Returns whether a fence is opened in a text and not closed.
fn open_fence(text: &str) -> bool {
    text.lines().filter(|line| behind_fence(line.trim_start()).is_some()).count() % 2 == 1
}

/// Returns the beginning of a comment or an element that is opened at the start of a line and goes on to the end of the
/// text: `<!--`, `<scratchpad>`.
fn open_block(prose: &str) -> Option<&str> {
    if let Some(comment) = prose.rfind("<!--").and_then(|at| prose.get(at..))
        && !comment.contains("-->")
    {
        return Some(comment);
    }
    // Where each element is closed for the last time.
    let closed: BTreeMap<&str, usize> = prose
        .match_indices("</")
        .filter_map(|(at, _)| {
            let behind = prose.get(at + 2..)?;
            let length = behind.bytes().take(LONGEST_NAME + 1).position(|byte| byte == b'>')?;
            Some((behind.get(..length)?, at))
        })
        .collect();
    let mut at = 0;
    for line in prose.split_inclusive('\n') {
        let opened = line.trim_start().strip_prefix('<').and_then(|tag| tag.split_once('>'));
        if let Some((name, _)) = opened.filter(|(name, _)| is_name(name))
            && closed.get(name).is_none_or(|close| *close < at)
        {
            return Some(line);
        }
        at += line.len();
    }
    None
}

/// The longest name of an element, in bytes.
const LONGEST_NAME: usize = 64;

/// Returns whether a text is the name of an element.
fn is_name(name: &str) -> bool {
    name.len() <= LONGEST_NAME
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':'))
}

/// The longest detail, in characters.
pub(super) const LONGEST: usize = 200;

/// How much of a reply a detail quotes, in characters.
const QUOTED: usize = 60;

/// Returns the reason with its detail, shortened.
pub(super) fn unusable(reason: Reason, detail: impl Into<String>) -> Unusable {
    Unusable { reason, detail: shorten(&detail.into(), LONGEST) }
}

/// Quotes the beginning of a text, on one line.
pub(super) fn quote(text: &str) -> String {
    format!("`{}`", shorten(text, QUOTED))
}

/// Returns at most `longest` characters of `text`, with single spaces for white space and control characters, and
/// `…` if it goes on.
fn shorten(text: &str, longest: usize) -> String {
    let mut short = String::new();
    let (mut count, mut gap) = (0, false);
    for c in text.trim().chars() {
        if c.is_whitespace() || c.is_control() {
            gap = true;
            continue;
        }
        if count + usize::from(gap) + 1 >= longest {
            short.push('…');
            return short;
        }
        if std::mem::take(&mut gap) {
            short.push(' ');
            count += 1;
        }
        short.push(c);
        count += 1;
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_are_short_and_on_one_line() {
        assert_eq!(quote(" a\n\tb\u{0}c "), "`a b c`");
        assert_eq!(quote(&"é".repeat(500)).chars().count(), QUOTED + 2);
        let detail = unusable(Reason::NoAnswer, "x y ".repeat(300)).detail;
        assert!(detail.chars().count() <= LONGEST && detail.ends_with('…'), "{detail}");
    }
}
