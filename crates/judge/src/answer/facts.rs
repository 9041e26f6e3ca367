//! Reads the facts of a text from a reply.

use std::collections::BTreeSet;

use llull_core::{Reason, Unusable};
use serde_json::{Map, Value};

use super::decide::{self, AnswerRules, RawReply, unusable, wrong_type};
use super::question::line;
use crate::form::{AnswerPlace, MOST_FACTS};

/// The longest fact that is read, in characters.
const LONGEST: usize = 500;

/// Reads the facts of a text out of a reply, by the rules of [`read_grade`](crate::read_grade): the reply is one JSON
/// object with the key `facts`, bare or in one Markdown fence, and nothing else. Facts that differ in case and spaces
/// alone are one.
///
/// # Errors
/// Returns the reason why the reply cannot be counted: those of [`read_grade`](crate::read_grade); also no fact, more
/// than [`MOST_FACTS`], and one that is no text, is blank or too long.
pub fn read_facts(reply: &RawReply<'_>) -> Result<Vec<String>, Unusable> {
    decide::read(reply, Facts, AnswerPlace::Alone).map(|(facts, _)| facts)
}

#[derive(Clone, Copy)]
struct Facts;

impl AnswerRules for Facts {
    type Answer = Vec<String>;

    fn key(self) -> &'static str {
        "facts"
    }

    fn read(self, _: &Map<String, Value>, facts: &Value, _: &str) -> Result<Self::Answer, Unusable> {
        let Value::Array(written) = facts else {
            return Err(wrong_type("facts", "a list of strings", Some(facts)));
        };
        let (mut read, mut known) = (Vec::new(), BTreeSet::new());
        for fact in written {
            let Value::String(text) = fact else {
                return Err(wrong_type("facts", "a list of strings", Some(facts)));
            };
            let fact = line(text, "facts", LONGEST)?;
            if known.insert(fact.to_lowercase()) {
                read.push(fact);
            }
        }
        match read.len() {
            0 => Err(unusable(Reason::WrongShape, "\"facts\" is empty")),
            count if count > MOST_FACTS => {
                Err(unusable(Reason::WrongShape, format!("there are {count} facts; {MOST_FACTS} are read")))
            }
            _ => Ok(read),
        }
    }

    fn agree(one: &Self::Answer, other: &Self::Answer) -> bool {
        one == other
    }

    fn name(self, facts: &Self::Answer) -> String {
        if facts.len() == 1 { "1 fact".to_owned() } else { format!("{} facts", facts.len()) }
    }

    fn decides(self, value: &str) -> bool {
        value.starts_with('[')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<String>, Reason> {
        read_facts(&RawReply { text, cut_off: false, refused: false }).map_err(|unusable| unusable.reason)
    }

    #[test]
    fn a_reply_is_facts_or_it_is_unusable() {
        let whole = r#"{"facts": [" It is\n Bern. ", "it is bern.", "It lies on the Aare."]}"#;
        let facts = Ok(vec!["It is Bern.".to_owned(), "It lies on the Aare.".to_owned()]);
        assert_eq!(read(whole), facts);
        assert_eq!(read(&format!("```json\n{whole}\n```")), facts);
        let many = |count: usize| {
            let facts: Vec<String> = (0..count).map(|n| format!("\"fact {n}\"")).collect();
            format!("{{\"facts\": [{}]}}", facts.join(", "))
        };
        assert_eq!(read(&many(MOST_FACTS)).unwrap().len(), MOST_FACTS);
        let long = format!(r#"{{"facts": ["{}"]}}"#, "so ".repeat(300));
        for (text, reason) in [
            ("It is Bern. It lies on the Aare.", Reason::NoAnswer),
            (&format!("Here they are: {whole}"), Reason::NotAlone),
            (&format!("{whole}\n{{\"facts\": [\"It is Basel.\"]}}"), Reason::Ambiguous),
            (r#"{"facts": []}"#, Reason::WrongShape),
            (r#"{"facts": ["It is Bern.", " "]}"#, Reason::WrongShape),
            (r#"{"facts": ["It is Bern.", 140000]}"#, Reason::WrongShape),
            (r#"{"facts": "It is Bern."}"#, Reason::WrongShape),
            (r#"{"facts": null}"#, Reason::WrongShape),
            (r#"{"Facts": ["It is Bern."]}"#, Reason::WrongShape),
            (r#"["It is Bern."]"#, Reason::WrongShape),
            (r#"{"facts": ["a"], "facts": ["b"]}"#, Reason::Malformed),
            (&many(MOST_FACTS + 1), Reason::WrongShape),
            (&long, Reason::WrongShape),
            ("", Reason::Empty),
        ] {
            assert_eq!(read(text), Err(reason), "{text}");
        }
        let cut_off = RawReply { text: whole.strip_suffix('}').unwrap(), cut_off: true, refused: false };
        assert_eq!(read_facts(&cut_off).unwrap_err().reason, Reason::CutOff);
    }
}
