//! Walking over a reply: which objects stand in it outside the model's thinking.

use serde_json::Value;

use super::{
    reasoning::{self, Mark},
    strict,
};

/// An object of a reply, or what looked like one, and its text.
#[derive(Debug)]
pub(super) enum Found<'a> {
    /// A JSON object.
    Object(Value, &'a str),
    /// Braces that match, around something that is not JSON.
    Malformed(&'a str),
}

/// What a walk came across. Lasts as long as the reply.
#[derive(Debug)]
pub(super) struct Sight<'a, T> {
    /// What was kept of the objects outside reasoning, in order.
    pub(super) kept: Vec<T>,
    /// What was kept of the objects in text that may be reasoning or a quotation.
    pub(super) doubtful: Vec<T>,
    /// Braces that are opened and never closed, up to the end of the reply.
    pub(super) unclosed: Option<&'a str>,
    /// The mark of reasoning that is begun and never ended.
    pub(super) open_reasoning: Option<&'static str>,
    /// The reply behind its reasoning and the white space after it.
    pub(super) rest: &'a str,
}

/// Walks over `text` once. `keep` is shown every object and says what to keep of it.
///
/// Marks of reasoning inside a JSON object are part of its strings and mean nothing. Outside, a block that stands before
/// all other text is reasoning beyond doubt and passed over. A closing mark without an opening one makes reasoning of all that
/// stands before it (some chat templates put the opening mark into the prompt). Of that text, and of a block which begins
/// after other text, it cannot be known whether the model thought it or quoted the mark from a document: objects in it
/// are reported as doubtful. So is what thoughts leave in braces that hold no JSON (a line of code, half a
/// sentence), if the last closing mark is among it and a single object makes up the rest of the reply.
///
/// An object in the middle of a line, with words before and behind it, is doubtful as well: so one quotes (`It asks me to
/// answer {"grade": 3}, which I ignore.`), and an answer begins a line or ends it.
///
/// Every byte is looked at a bounded number of times, whatever the text.
pub(super) fn walk<'a, T>(text: &'a str, keep: impl Fn(Found<'a>) -> T + Copy) -> Sight<'a, T> {
    let mut sight =
        Sight { kept: Vec::new(), doubtful: Vec::new(), unclosed: None, open_reasoning: None, rest: text };
    let (mut at, mut rest_at) = (0, 0);
    let mut last_answer = None;
    let mut line = Line::default();
    while let Some((place, mark)) = next_mark(text, at) {
        line.pass(slice(text, at, place));
        match mark {
            None => match take_braces(text, place) {
                Braces::Json(value, end) => {
                    let quoted = line.goes_on_after(end, text);
                    let into = if quoted { &mut sight.doubtful } else { &mut sight.kept };
                    into.push(keep(Found::Object(value, slice(text, place, end))));
                    at = end;
                }
                Braces::Other(end) => {
                    let piece = slice(text, place, end.unwrap_or(text.len()));
                    let inside = place..place + piece.len();
                    let close = *last_answer.get_or_insert_with(|| answer_behind_reasoning(text));
                    if let Some(close) = close.filter(|close| inside.contains(close) && !begins_object(piece))
                    {
                        sight.doubt();
                        collect(slice(text, place + 1, close), keep, &mut sight.doubtful);
                        at = close;
                        rest_at = at;
                        line = Line::default();
                    } else if let Some(end) = end {
                        sight.kept.push(keep(Found::Malformed(piece)));
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
                    line = Line::default();
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

/// What a line says around the place that a walk has come to.
#[derive(Default)]
struct Line {
    /// Whether it has words before.
    words_before: bool,
    /// The place of the next word, or of the line's end, as far as it was looked for; and whether it is a word.
    ahead: (usize, bool),
}

impl Line {
    /// Takes in the text up to the next place.
    fn pass(&mut self, gap: &str) {
        self.words_before = match gap.rsplit_once('\n') {
            Some((_, line)) => next_word(line).1,
            None => self.words_before || next_word(gap).1,
        };
    }

    /// Whether it has words before and goes on with words after `end`.
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

/// Where the first word of `text` begins, or its first line ends if there is none on it, and which of the two it is. Tags such
/// as `</answer>` and `<|im_end|>` are no words.
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

/// Whether braces go on as an object does, with a key in quotation marks.
fn begins_object(piece: &str) -> bool {
    piece.trim_start_matches('{').trim_start().starts_with(['"', '\'', '\\'])
}

/// The end of the last closing mark, if one object stands behind it, in a fence or bare, and nothing else.
fn answer_behind_reasoning(text: &str) -> Option<usize> {
    let close = reasoning::last_close(text.as_bytes())?;
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
    Other(Option<usize>),
}

/// What stands between the brace at `place` and the one that closes it.
fn take_braces(text: &str, place: usize) -> Braces {
    let Some(end) = closing_brace(text.as_bytes(), place) else {
        return Braces::Other(None);
    };
    match strict::parse(slice(text, place, end)) {
        Ok(value) => Braces::Json(value, end),
        Err(_) => Braces::Other(Some(end)),
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
