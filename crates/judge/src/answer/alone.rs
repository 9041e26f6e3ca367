//! Checks that an answer is the whole reply, or its end.
//!
//! Prose that explains the answer may come before it.

use std::collections::BTreeMap;

use llull_core::{Reason, Unusable};

use super::{
    detail::{quote, unusable},
    reasoning::skip_blank,
    refusal, strict,
};
use crate::form::AnswerPlace;

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
pub(super) fn is_part(piece: &str, rest: &str) -> bool {
    rest.as_bytes().as_ptr_range().contains(&piece.as_ptr())
}

/// Returns whether a reply is a JSON list, bare or in a fence: it may hold the answer, but no object is the reply.
pub(super) fn is_list(rest: &str) -> bool {
    let (Some(start), Some(end)) = (rest.find('['), rest.rfind(']')) else { return false };
    let piece = |from: usize, to: usize| rest.get(from..to).unwrap_or_default();
    begins(piece(0, start))
        && ends(piece(end + 1, rest.len()))
        && strict::parse(piece(start, end + 1)).is_ok_and(|value| value.is_array())
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
