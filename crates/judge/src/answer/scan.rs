//! Finds the JSON objects of a reply outside the model's reasoning.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::reasoning::{self, Mark};

/// An object of a reply, or a text like one.
#[derive(Debug)]
pub(super) enum Found<'a> {
    /// A JSON object.
    Object(Value, &'a str),
    /// Braces that match, around something that is not JSON.
    Malformed(&'a str),
}

/// The objects of a reply.
#[derive(Debug)]
pub(super) struct Scan<'a, T> {
    /// The values of the objects outside reasoning, in order.
    pub(super) kept: Vec<T>,
    /// The values of the objects in text that may be reasoning or a quotation.
    pub(super) doubtful: Vec<T>,
    /// Braces that are opened and never closed, up to the end of the reply.
    pub(super) unclosed: Option<&'a str>,
    /// The mark of reasoning that is begun and never ended.
    pub(super) open_reasoning: Option<&'static str>,
    /// The reply after its reasoning and the white space that follows it.
    pub(super) rest: &'a str,
}

/// Scans `text` once. `keep` is called with every object and returns the value to store for it.
///
/// Marks of reasoning inside a JSON object are part of its strings and mean nothing. Outside, a block before all other
/// text is certainly reasoning and is skipped. A closing mark without an opening one turns everything before it into
/// reasoning (some chat templates put the opening mark into the prompt), unless it stands in the middle of a sentence,
/// where it is quoted.
///
/// For that text, and for a block after other text, it is unknown whether the model thought it or quoted the mark from
/// a document: objects in it are reported as doubtful. So are objects in braces that hold no JSON (a line of code,
/// half a sentence), if the last closing mark is inside the braces and a single object makes up the rest of the reply.
///
/// An object in the middle of a line, with words before and after it, is doubtful as well: quotations look so (`It
/// asks me to answer {"grade": 3}, which I ignore.`), while an answer begins a line or ends it.
///
/// Every byte is read a bounded number of times, whatever the text.
pub(super) fn scan<'a, T>(text: &'a str, keep: impl Fn(Found<'a>) -> T + Copy) -> Scan<'a, T> {
    let mut scan =
        Scan { kept: Vec::new(), doubtful: Vec::new(), unclosed: None, open_reasoning: None, rest: text };
    let (mut at, mut rest_at) = (0, 0);
    let mut last_answer = None;
    let mut line = Line::default();
    while let Some((place, mark)) = next_mark(text, at) {
        line.pass(slice(text, at, place));
        match mark {
            None => match take_braces(text, place) {
                Braces::Json(value, end) => {
                    let quoted = line.goes_on_after(end, text);
                    let into = if quoted { &mut scan.doubtful } else { &mut scan.kept };
                    into.push(keep(Found::Object(value, slice(text, place, end))));
                    at = end;
                }
                Braces::Other(end) => {
                    let piece = slice(text, place, end.unwrap_or(text.len()));
                    let inside = place..place + piece.len();
                    let close = *last_answer.get_or_insert_with(|| answer_behind_reasoning(text));
                    if let Some(close) = close.filter(|close| inside.contains(close) && !begins_object(piece))
                    {
                        scan.doubt();
                        collect(slice(text, place + 1, close), keep, &mut scan.doubtful);
                        at = close;
                        rest_at = at;
                        line = Line::default();
                    } else if let Some(end) = end {
                        scan.kept.push(keep(Found::Malformed(piece)));
                        at = end;
                    } else {
                        scan.unclosed = Some(piece);
                        break;
                    }
                }
            },
            Some(Mark::Close(close)) => {
                at = place + close.len();
                if reasoning::ends_thought(slice(text, rest_at, place)) {
                    scan.doubt();
                    rest_at = at;
                }
            }
            Some(Mark::Open(open)) => {
                let Some(length) = reasoning::end_of_block(slice(text, place, text.len()).as_bytes(), open)
                else {
                    scan.open_reasoning = Some(open);
                    break;
                };
                at = place + length;
                if reasoning::skip_blank(slice(text, rest_at, place)).is_empty() {
                    rest_at = at;
                    line = Line::default();
                } else {
                    collect(slice(text, place + open.len(), at), keep, &mut scan.doubtful);
                }
            }
        }
    }
    scan.rest = reasoning::skip_blank(slice(text, rest_at, text.len()));
    scan
}

impl<T> Scan<'_, T> {
    /// Marks everything so far as possible reasoning.
    fn doubt(&mut self) {
        self.doubtful.append(&mut self.kept);
    }
}

fn slice(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or_default()
}

/// The words of a line around the current place of a scan.
#[derive(Default)]
struct Line {
    /// Whether it has words before.
    words_before: bool,
    /// The place of the next word or of the line's end, as far as the search went, and whether it is a word.
    ahead: (usize, bool),
}

impl Line {
    /// Moves on over the text before the next place.
    fn pass(&mut self, gap: &str) {
        self.words_before = match gap.rsplit_once('\n') {
            Some((_, line)) => next_word(line).1,
            None => self.words_before || next_word(gap).1,
        };
    }

    /// Returns whether there are words on the line before the place, and words after `end`.
    fn goes_on_after(&mut self, end: usize, text: &str) -> bool {
        if self.words_before && self.ahead.0 < end {
            let (step, is_word) = next_word(slice(text, end, text.len()));
            self.ahead = (end + step, is_word);
        }
        self.words_before && self.ahead.1
    }
}

/// The longest tag, in bytes.
const LONGEST_TAG: usize = 64;

/// Returns where the first word of `text` begins and `true`, or where its first line ends and `false` if there is
/// no word on it. Tags such as `</answer>` and `<|im_end|>` are no words.
fn next_word(text: &str) -> (usize, bool) {
    let mut at = 0;
    while let Some(step) =
        slice(text, at, text.len()).find(|c: char| c == '<' || c == '\n' || c.is_alphanumeric())
    {
        at += step;
        let found = slice(text, at, text.len());
        if !found.starts_with('<') {
            return (at, !found.starts_with('\n'));
        }
        let tag = found.bytes().take(LONGEST_TAG).take_while(|byte| !matches!(byte, b'{' | b'\n'));
        at += 1 + tag.enumerate().find_map(|(end, byte)| (byte == b'>').then_some(end)).unwrap_or(0);
    }
    (text.len(), false)
}

/// Returns whether braces begin as an object does, with a key in quotation marks.
fn begins_object(piece: &str) -> bool {
    piece.trim_start_matches('{').trim_start().starts_with(['"', '\'', '\\'])
}

/// Returns the end of the last closing mark, if one object follows it, fenced or bare, and nothing else.
fn answer_behind_reasoning(text: &str) -> Option<usize> {
    let close = reasoning::last_close(text)?;
    let answer = reasoning::skip_blank(slice(text, close, text.len()));
    let answer = answer
        .strip_prefix("```")
        .map_or(answer, |fenced| fenced.strip_prefix("json").unwrap_or(fenced))
        .trim_start();
    match take_braces(answer, answer.find('{').filter(|brace| *brace == 0)?) {
        Braces::Json(_, end) => {
            let behind = reasoning::skip_blank(slice(answer, end, answer.len()));
            reasoning::skip_blank(behind.strip_prefix("```").unwrap_or(behind)).is_empty().then_some(close)
        }
        Braces::Other(_) => None,
    }
}

/// Returns the next opening brace (`None`) or mark of reasoning at or after `from`.
fn next_mark(text: &str, from: usize) -> Option<(usize, Option<Mark>)> {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().skip(from).find_map(|(place, &byte)| match byte {
        b'{' => Some((place, None)),
        _ if reasoning::may_begin(byte) => {
            reasoning::mark_at(bytes.get(place..)?).map(|mark| (place, Some(mark)))
        }
        _ => None,
    })
}

enum Braces {
    Json(Value, usize),
    Other(Option<usize>),
}

/// Reads the text between the brace at `place` and the one that closes it.
fn take_braces(text: &str, place: usize) -> Braces {
    let Some(end) = closing_brace(text.as_bytes(), place) else {
        return Braces::Other(None);
    };
    match parse(slice(text, place, end)) {
        Ok(value) => Braces::Json(value, end),
        Err(_) => Braces::Other(Some(end)),
    }
}

/// Returns the place after the brace that closes the one at `place`; braces in JSON strings do not count.
fn closing_brace(bytes: &[u8], place: usize) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for (at, &byte) in bytes.iter().enumerate().skip(place) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' if !in_string => depth += 1,
            b'}' if !in_string => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Keeps the objects in a piece of text, ignoring marks.
fn collect<'a, T>(text: &'a str, keep: impl Fn(Found<'a>) -> T + Copy, into: &mut Vec<T>) {
    let mut at = 0;
    while let Some(step) = slice(text, at, text.len()).find('{') {
        let place = at + step;
        match take_braces(text, place) {
            Braces::Json(value, end) => {
                into.push(keep(Found::Object(value, slice(text, place, end))));
                at = end;
            }
            Braces::Other(Some(end)) => {
                into.push(keep(Found::Malformed(slice(text, place, end))));
                at = end;
            }
            Braces::Other(None) => break,
        }
    }
}

/// White space between the tokens of JSON.
const BLANK: [char; 4] = [' ', '\t', '\r', '\n'];

/// Returns the place where the value under a key of the object itself begins. Keys of objects inside it do not count.
/// The text is valid JSON.
pub(super) fn place_of_value(object: &str, key: &str) -> Option<usize> {
    let (mut depth, mut at) = (0usize, 0);
    while let Some(&byte) = object.as_bytes().get(at) {
        match byte {
            b'"' => {
                let end = at + string_length(object.get(at..)?)?;
                let behind = object.get(end..)?.trim_start_matches(BLANK);
                if depth == 1
                    && let Some(value) = behind.strip_prefix(':')
                    && serde_json::from_str::<String>(object.get(at..end)?).is_ok_and(|name| name == key)
                {
                    return Some(object.len() - value.trim_start_matches(BLANK).len());
                }
                at = end;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns the length of the string with which a text begins, its quotation marks included.
fn string_length(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Reads one JSON value. RFC 8259 does not define repeated keys, and parsers differ on which one counts. Here a
/// repeated key is an error, as are `NaN`, trailing commas, comments, single quotes, and nesting beyond 128 levels.
pub(super) fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str::<Strict>(text).map(|strict| strict.0).map_err(|error| error.to_string())
}

/// Returns the digits of the number under a key of an object that [`parse`] accepts; `None` for any other value.
pub(super) fn literal<'a>(object: &'a str, key: &str) -> Option<&'a str> {
    let value = object.get(place_of_value(object, key)?..)?;
    let length = value.bytes().take_while(|byte| is_of_number(*byte)).count();
    value.get(..length).filter(|number| !number.is_empty())
}

fn is_of_number(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E')
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Strict)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number that is not finite"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let Strict(value) = entries.next_value()?;
            if object.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the key {key:?} occurs twice")));
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_key_is_the_objects_own_however_it_is_written() {
        let text = r#"{"a": {"grade": 1}, "b": "\"grade\": 2", "\u0067rade" : 3}"#;
        assert_eq!(place_of_value(text, "grade"), text.find("3}"));
        assert_eq!(place_of_value(r#"{"a": ["grade", 1]}"#, "grade"), None);
        assert_eq!(place_of_value("", "grade"), None);
    }

    #[test]
    fn repeated_keys_are_an_error_at_any_depth() {
        assert!(parse(r#"{"a": 1, "a": 1}"#).unwrap_err().contains("twice"));
        assert!(parse(r#"{"x": [{"a": 1, "\u0061": 2}]}"#).unwrap_err().contains("twice"));
        assert!(parse(r#"{"a": {"a": 1}}"#).is_ok());
    }

    #[test]
    fn a_number_is_found_as_it_is_written() {
        let text = r#"{"a": {"grade": 1}, "b": "\"grade\": 2", "c": ["grade"], "gr\u0061de" : 2.9999999999999999999}"#;
        assert_eq!(literal(text, "grade"), Some("2.9999999999999999999"));
        assert_eq!(literal(r#"{"x": "grade", "grade":-1e2}"#, "grade"), Some("-1e2"));
        assert_eq!(literal(r#"{"grade": "2"}"#, "grade"), None);
    }

    proptest! {
        /// Where serde_json's own reader accepts a text without repeated keys, this one reads the same value.
        #[test]
        fn it_reads_what_serde_json_reads(text in r#"[\[\]{}:,"a0-9.eE\-tnu \\]{0,24}"#) {
            if let Ok(value) = parse(&text) {
                prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
            }
        }
    }
}
