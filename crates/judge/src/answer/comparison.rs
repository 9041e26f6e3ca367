//! Reads comparisons: a choice, an order, or the best of several.

use std::collections::BTreeSet;

use llull_core::{ComparedVerdict, Reason, Unusable};
use serde_json::{Map, Value};

use super::decide::{self, AnswerRules, Placed, RawReply, unusable, wrong_type};
use crate::form::{AnswerPlace, CompareKind, ComparisonForm, NEITHER};

/// Reads a comparison out of a reply, by the rules of [`read_grade`](crate::read_grade): the reply, without the model's
/// reasoning, is a JSON object with the keys of its form, bare or in one fence. If the form asks for a rationale, prose
/// may come before the object, which then stands at the end, on lines of its own. Nothing is picked out of prose.
///
/// Letter case and the white space around a label do not matter; otherwise a label has to be exact. A ranking is a
/// list of places, best first, each a list of labels or one label as a string. The verdict names positions in the
/// order in which the documents were shown, those of one place in ascending order. It has no probabilities; see
/// [`answer_probabilities`](crate::answer_probabilities).
///
/// # Errors
/// Returns [`Unusable`] for the reasons of [`read_grade`](crate::read_grade), in their order. What can be wrong
/// with an answer:
///
/// | what was found | reason |
/// |---|---|
/// | a key is missing or has another type, a place of a ranking is empty | `WrongShape` |
/// | a choice, or a best one, that no document has as its label; `Neither` where it is not allowed | `NotAChoice` |
/// | a ranking that omits, repeats or invents a label, or has ties against the rules | `NotAnOrder`, with the labels |
pub fn read_comparison(reply: &RawReply<'_>, form: &ComparisonForm) -> Result<ComparedVerdict, Unusable> {
    read_placed(reply, form, AnswerPlace::of(form.rationale)).map(|(verdict, _)| verdict)
}

/// Reads the verdict and the text of the object that states it.
pub(super) fn read_placed<'a>(
    reply: &RawReply<'a>,
    form: &ComparisonForm,
    place: AnswerPlace,
) -> Result<Placed<'a, ComparedVerdict>, Unusable> {
    decide::read(reply, Compared { form, labels: &form.labels() }, place)
}

#[derive(Clone, Copy)]
struct Compared<'f> {
    form: &'f ComparisonForm,
    labels: &'f [String],
}

impl AnswerRules for Compared<'_> {
    type Answer = ComparedVerdict;

    fn key(self) -> &'static str {
        self.form.kind.name()
    }

    fn read(
        self,
        object: &Map<String, Value>,
        value: &Value,
        _text: &str,
    ) -> Result<ComparedVerdict, Unusable> {
        let rationale = if self.form.rationale { decide::rationale(object)? } else { String::new() };
        let order = match self.form.kind {
            CompareKind::Choice => self.choice(value)?,
            CompareKind::Ranking => self.ranking(value)?,
            CompareKind::Best => vec![vec![self.named(self.word(value)?)?]],
        };
        Ok(ComparedVerdict { order, probabilities: Vec::new(), rationale })
    }

    fn agree(one: &ComparedVerdict, other: &ComparedVerdict) -> bool {
        one.order == other.order
    }

    fn name(self, verdict: &ComparedVerdict) -> String {
        let label = |at: &u16| self.labels.get(usize::from(*at)).map_or("?", String::as_str);
        let place = |places: &Vec<u16>| places.iter().map(label).collect::<Vec<_>>().join(" = ");
        match (self.form.kind, verdict.order.as_slice()) {
            (CompareKind::Choice, [_]) => NEITHER.to_owned(),
            (CompareKind::Ranking, places) => places.iter().map(place).collect::<Vec<_>>().join(" > "),
            (_, [first, ..]) => place(first),
            (_, []) => String::new(),
        }
    }

    fn decides(self, value: &str) -> bool {
        value
            .trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '[' | '"' | '\''))
            .starts_with(char::is_alphanumeric)
    }
}

impl Compared<'_> {
    fn choice(self, value: &Value) -> Result<Vec<Vec<u16>>, Unusable> {
        let word = self.word(value)?;
        if !same(word, NEITHER) {
            let chosen = self.named(word)?;
            return Ok(vec![vec![chosen], vec![1 - chosen.min(1)]]);
        }
        match self.form.ties {
            true => Ok(vec![vec![0, 1]]),
            false => {
                let detail =
                    format!("{word:?} is answered, and the judge was to choose {}", self.labels.join(" or "));
                Err(unusable(Reason::NotAChoice, detail))
            }
        }
    }

    fn word(self, value: &Value) -> Result<&str, Unusable> {
        value.as_str().ok_or_else(|| wrong_type(self.key(), "a label as a string", Some(value)))
    }

    /// Returns the position of the document that a word names.
    fn named(self, word: &str) -> Result<u16, Unusable> {
        self.position(word).ok_or_else(|| {
            let detail = format!(
                "{word:?} is answered, and no document is called so; there are {}",
                self.labels.join(", ")
            );
            unusable(Reason::NotAChoice, detail)
        })
    }

    fn position(self, word: &str) -> Option<u16> {
        self.labels.iter().zip(0u16..).find(|(label, _)| same(label, word)).map(|(_, at)| at)
    }

    fn ranking(self, value: &Value) -> Result<Vec<Vec<u16>>, Unusable> {
        let places = places(value)
            .ok_or_else(|| wrong_type("ranking", "a list of labels or of lists of labels", Some(value)))?;
        let mut order = Vec::with_capacity(places.len());
        let (mut seen, mut invented, mut repeated) = (BTreeSet::new(), Vec::new(), BTreeSet::new());
        for place in &places {
            let mut positions = Vec::with_capacity(place.len());
            for &word in place {
                match self.position(word) {
                    Some(at) if seen.insert(at) => positions.push(at),
                    Some(at) => _ = repeated.insert(at),
                    None => invented.push(format!("{:?}", word.trim())),
                }
            }
            positions.sort_unstable();
            order.push(positions);
        }
        let positions = 0..u16::try_from(self.labels.len()).unwrap_or(u16::MAX);
        let omitted: Vec<_> = positions.filter(|at| !seen.contains(at)).collect();
        let mut defects = Vec::new();
        if !invented.is_empty() {
            defects.push(format!("invents {}", invented.join(", ")));
        }
        for (what, positions) in [("repeats", repeated.into_iter().collect()), ("omits", omitted)] {
            if !positions.is_empty() {
                defects.push(format!("{what} {}", self.list(&positions)));
            }
        }
        match (defects.is_empty(), order.iter().find(|place| place.len() > 1)) {
            (false, _) => Err(unusable(Reason::NotAnOrder, format!("the ranking {}", defects.join(", ")))),
            (true, Some(tied)) if !self.form.ties => {
                let detail = format!("{} share a place, and no ties were allowed", self.list(tied));
                Err(unusable(Reason::NotAnOrder, detail))
            }
            (true, _) => Ok(order),
        }
    }

    fn list(self, positions: &[u16]) -> String {
        let labels: Vec<_> =
            positions.iter().filter_map(|at| self.labels.get(usize::from(*at))).map(String::as_str).collect();
        labels.join(", ")
    }
}

/// Returns the places of a ranking; `None` if the value has another shape.
fn places(value: &Value) -> Option<Vec<Vec<&str>>> {
    value.as_array()?.iter().map(labels_of_place).collect()
}

fn labels_of_place(value: &Value) -> Option<Vec<&str>> {
    match value {
        Value::String(label) => Some(vec![label]),
        Value::Array(labels) if !labels.is_empty() => labels.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

/// Returns whether a word is this label, except for letter case and the white space around it.
fn same(label: &str, word: &str) -> bool {
    word.trim().eq_ignore_ascii_case(label)
}
