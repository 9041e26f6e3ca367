//! Finds the JSON objects of a reply outside the model's reasoning.

use serde_json::Value;

use super::{
    reasoning::{self, Mark},
    strict,
};

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
    match strict::parse(slice(text, place, end)) {
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
