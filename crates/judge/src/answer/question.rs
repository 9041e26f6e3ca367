//! Reads a question about a passage from a reply.

use llull_core::{Reason, Unusable};
use serde_json::{Map, Value};

use super::decide::{self, AnswerRules, RawReply, unusable, wrong_type};
use crate::form::{AnswerPlace, QuestionCategory, WrittenQuestion};

/// The longest question and the longest answer that are read, in characters. Longer ones are no questions, and no
/// answers, but a passage over again.
const LONGEST_QUESTION: usize = 500;
const LONGEST_ANSWER: usize = 2_000;

/// Reads a question with its expected answer out of a reply, by the rules of [`read_grade`](crate::read_grade). The
/// reply is one JSON object with the keys `question` and `answer`, bare or in one Markdown fence, and nothing else.
/// `None` means that the passage supports no such question: both are null.
///
/// # Errors
/// Returns the reason why the reply cannot be counted: those of [`read_grade`](crate::read_grade); also a question
/// without an answer where one is expected, an answer where none is, and either of them blank or too long.
pub fn read_question(
    reply: &RawReply<'_>,
    category: QuestionCategory,
) -> Result<Option<WrittenQuestion>, Unusable> {
    decide::read(reply, Written(category), AnswerPlace::Alone).map(|(written, _)| written)
}

#[derive(Clone, Copy)]
struct Written(QuestionCategory);

impl AnswerRules for Written {
    type Answer = Option<WrittenQuestion>;

    fn key(self) -> &'static str {
        "question"
    }

    fn read(self, object: &Map<String, Value>, question: &Value, _: &str) -> Result<Self::Answer, Unusable> {
        let answer = object.get("answer");
        let question = match question {
            Value::Null if answer == Some(&Value::Null) => return Ok(None),
            Value::String(text) => line(text, "question", LONGEST_QUESTION)?,
            other => return Err(wrong_type("question", "a string", Some(other))),
        };
        let answer = match (answer, self.0.is_answered()) {
            (Some(Value::String(text)), true) => Some(line(text, "answer", LONGEST_ANSWER)?),
            (Some(Value::Null), false) => None,
            (other, true) => return Err(wrong_type("answer", "a string", other)),
            (other, false) => {
                return Err(wrong_type("answer", "null, as for a question without an answer", other));
            }
        };
        Ok(Some(WrittenQuestion { question, answer }))
    }

    fn agree(one: &Self::Answer, other: &Self::Answer) -> bool {
        one == other
    }

    fn name(self, written: &Self::Answer) -> String {
        if written.is_some() { "a question".to_owned() } else { "no question".to_owned() }
    }

    fn decides(self, value: &str) -> bool {
        value.starts_with('"') || value.starts_with("null")
    }
}

/// A text on one line, with single spaces and without control characters. Blank texts, and those of more than
/// `longest` characters, are refused.
pub(super) fn line(text: &str, key: &str, longest: usize) -> Result<String, Unusable> {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    let length = line.chars().count();
    match length {
        0 => Err(unusable(Reason::WrongShape, format!("{key:?} is blank"))),
        _ if length > longest => {
            Err(unusable(Reason::WrongShape, format!("{key:?} has {length} characters; {longest} are read")))
        }
        _ => Ok(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, category: QuestionCategory) -> Result<Option<WrittenQuestion>, Reason> {
        let reply = RawReply { text, cut_off: false, refused: false };
        read_question(&reply, category).map_err(|unusable| unusable.reason)
    }

    fn written(question: &str, answer: Option<&str>) -> Result<Option<WrittenQuestion>, Reason> {
        Ok(Some(WrittenQuestion { question: question.into(), answer: answer.map(str::to_owned) }))
    }

    #[test]
    fn a_reply_is_a_question_or_it_is_unusable() {
        use QuestionCategory::{Detail, OutOfContext};
        let whole = r#"{"question": " How\n high is\tit? ", "answer": "8 m"}"#;
        assert_eq!(read(whole, Detail), written("How high is it?", Some("8 m")));
        assert_eq!(read(&format!("```json\n{whole}\n```"), Detail), written("How high is it?", Some("8 m")));
        assert_eq!(read(r#"{"question": "Why?", "answer": null}"#, OutOfContext), written("Why?", None));
        assert_eq!(read(r#"{"question": null, "answer": null}"#, Detail), Ok(None));
        let long = format!(r#"{{"question": "{}", "answer": "x"}}"#, "why ".repeat(200));
        for (text, category, reason) in [
            ("How high is it? 8 m", Detail, Reason::NoAnswer),
            (&format!("Here it is: {whole}"), Detail, Reason::NotAlone),
            (&format!("{whole}\n{}", r#"{"question": "Why?", "answer": "x"}"#), Detail, Reason::Ambiguous),
            (r#"{"question": "Why?"}"#, Detail, Reason::WrongShape),
            (r#"{"question": "Why?", "answer": null}"#, Detail, Reason::WrongShape),
            (r#"{"question": "Why?", "answer": "x"}"#, OutOfContext, Reason::WrongShape),
            (r#"{"question": null, "answer": "x"}"#, Detail, Reason::WrongShape),
            (r#"{"question": " ", "answer": "x"}"#, Detail, Reason::WrongShape),
            (r#"{"question": ["Why?"], "answer": "x"}"#, Detail, Reason::WrongShape),
            (r#"{"Question": "Why?", "answer": "x"}"#, Detail, Reason::WrongShape),
            (r#"{"question": "Why?", "question": "Who?", "answer": "x"}"#, Detail, Reason::Malformed),
            (&long, Detail, Reason::WrongShape),
            ("", Detail, Reason::Empty),
        ] {
            assert_eq!(read(text, category), Err(reason), "{text}");
        }
        let cut_off = RawReply { text: whole.strip_suffix('}').unwrap(), cut_off: true, refused: false };
        assert_eq!(read_question(&cut_off, Detail).unwrap_err().reason, Reason::CutOff);
    }
}
