//! Walking over a reply: which objects stand in it outside the model's thinking.

use serde_json::Value;

use super::{
    reasoning::{self, Mark},
    strict,
};

/// An object of a reply, or what looked like one.
#[derive(Debug)]
pub(super) enum Found<'a> {
    /// A JSON object.
    Object(Value),
    /// Braces that match, around something that is not JSON; and what is wrong with it.
    Malformed(&'a str, String),
}

/// What a walk came across. Lasts as long as the reply.
#[derive(Debug)]
pub(super) struct Sight<'a, T> {
    /// What was kept of the objects outside reasoning, in order.
    pub(super) kept: Vec<T>,
    /// What was kept of the objects in text of which it cannot be told whether it is reasoning.
    pub(super) doubtful: Vec<T>,
    /// Braces that are opened and never closed, up to the end of the reply.
    pub(super) unclosed: Option<&'a str>,
    /// The mark of reasoning that is begun and never ended.
    pub(super) open_reasoning: Option<&'static str>,
    /// The reply behind its reasoning and the white space after it.
    pub(super) rest: &'a str,
}

/// Walks over `text` once. `keep` is shown every object and decides what to keep of it.
///
/// Marks of reasoning inside a JSON object are part of its strings and mean nothing. Outside, a block that stands before
/// all other text is reasoning beyond doubt and passed over. A closing mark without an opening one makes reasoning of all that
/// stands before it (some chat templates put the opening mark into the prompt). Of that text, and of a block which begins
/// after other text, it cannot be known whether the model thought it or quoted the mark from a document: objects in it
/// are reported as doubtful. Braces that do not hold JSON and do not begin as an answer does, with a closing mark
/// inside, are taken for thoughts, too.
///
/// Every byte is looked at a bounded number of times, whatever the text.
pub(super) fn walk<'a, T>(
    text: &'a str,
    keep: &dyn Fn(Found<'a>) -> Option<T>,
    begins_answer: &dyn Fn(&str) -> bool,
) -> Sight<'a, T> {
    let mut sight =
        Sight { kept: Vec::new(), doubtful: Vec::new(), unclosed: None, open_reasoning: None, rest: text };
    let (mut at, mut rest_at) = (0, 0);
    while let Some((place, mark)) = next_mark(text, at) {
        match mark {
            None => match take_braces(text, place) {
                Braces::Json(value, end) => {
                    sight.kept.extend(keep(Found::Object(value)));
                    at = end;
                }
                Braces::Other { end, error } => {
                    let piece = slice(text, place, end.unwrap_or(text.len()));
                    if let Some(close) = thoughts_in(piece, begins_answer) {
                        sight.doubt();
                        collect(slice(text, place + 1, place + close), keep, &mut sight.doubtful);
                        at = place + close;
                        rest_at = at;
                    } else if let Some(end) = end {
                        sight.kept.extend(keep(Found::Malformed(piece, error)));
                        at = end;
                    } else {
                        sight.unclosed = Some(piece);
                        break;
                    }
                }
            },
            Some(Mark::Close(close)) => {
                sight.doubt();
                at = place + close.len();
                rest_at = at;
            }
            Some(Mark::Open(open)) => {
                let Some(length) = reasoning::end_of_block(slice(text, place, text.len()).as_bytes(), open)
                else {
                    sight.open_reasoning = Some(open);
                    break;
                };
                at = place + length;
                if reasoning::skip_blank(slice(text, rest_at, place)).is_empty() {
                    rest_at = at;
                } else {
                    collect(slice(text, place + open.len(), at), keep, &mut sight.doubtful);
                }
            }
        }
    }
    sight.rest = reasoning::skip_blank(slice(text, rest_at, text.len()));
    sight
}

impl<T> Sight<'_, T> {
    /// Everything so far may have been reasoning.
    fn doubt(&mut self) {
        self.doubtful.append(&mut self.kept);
    }
}

fn slice(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or_default()
}

/// The end of the last closing mark in braces which are not JSON and not an answer either.
fn thoughts_in(piece: &str, begins_answer: &dyn Fn(&str) -> bool) -> Option<usize> {
    if begins_answer(piece) { None } else { reasoning::last_close(piece.as_bytes()) }
}

/// The next opening brace (`None`) or mark of reasoning at or after `from`.
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
    Other { end: Option<usize>, error: String },
}

/// What stands between the brace at `place` and the one that closes it.
fn take_braces(text: &str, place: usize) -> Braces {
    let Some(end) = closing_brace(text.as_bytes(), place) else {
        return Braces::Other { end: None, error: String::new() };
    };
    match strict::parse(slice(text, place, end)) {
        Ok(value) => Braces::Json(value, end),
        Err(error) => Braces::Other { end: Some(end), error },
    }
}

/// The place behind the brace that closes the one at `place`; braces in JSON strings do not count.
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

/// Keeps what there is to keep of the objects in a stretch of text, marks or no marks.
fn collect<'a, T>(text: &'a str, keep: &dyn Fn(Found<'a>) -> Option<T>, into: &mut Vec<T>) {
    let mut at = 0;
    while let Some(step) = slice(text, at, text.len()).find('{') {
        let place = at + step;
        match take_braces(text, place) {
            Braces::Json(value, end) => {
                into.extend(keep(Found::Object(value)));
                at = end;
            }
            Braces::Other { end: Some(end), error } => {
                into.extend(keep(Found::Malformed(slice(text, place, end), error)));
                at = end;
            }
            Braces::Other { end: None, .. } => break,
        }
    }
}
