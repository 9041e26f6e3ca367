//! Computes the probabilities of the legal answers from log-probabilities of tokens.

use llull_core::{ComparedVerdict, Grade, Scale};

use super::comparison::read_placed;
use super::decide::RawReply;
use super::{grade, scan};
use crate::form::{AnswerPlace, CompareKind, ComparisonForm, GradeKind};

/// One token of a reply and its alternatives.
#[derive(Debug, Clone, PartialEq)]
pub struct Token<'a> {
    /// Its text, as it is in the reply.
    pub text: &'a str,
    /// The natural logarithm of its probability.
    pub logprob: f64,
    /// The most likely tokens at this place with their log-probabilities; it may be among them or not.
    pub alternatives: Vec<(&'a str, f64)>,
}

/// The largest share of the probability that may belong to tokens whose answer is unknown, either because they
/// begin several answers or because the server did not name them. No probability is off by more.
const LARGEST_DOUBT: f64 = 0.05;

/// Returns the probability of each legal answer at the place where `verdict` was given, renormalised over the
/// legal answers: one for each position in the order shown; what is left to 1 is that of `Neither`, as in
/// [`ComparedVerdict::probabilities`]. An answer that is not among a token's alternatives counts 0; ask for at
/// least as many alternatives as there are answers.
///
/// The answer is where [`read_comparison`](crate::read_comparison) finds it, outside reasoning. The tokens there
/// are followed from the answer's quotation mark on. At each, an alternative counts for an answer if no other
/// answer begins like it (`L` and `LHS` both count for `LHS`). If the token that was written leaves several
/// answers open (`A` of `A` and `AA`, or a quotation mark that is a token of its own), the next token is followed,
/// weighted by the probability of reaching it.
///
/// Returns `None` if the tokens do not state `verdict`, if the form is a ranking (one place in a text does not
/// tell an order), or if more than a twentieth of the probability is open: held by alternatives that leave several
/// answers open and were not followed, or by tokens that the server did not name.
///
/// ```
/// use llull_core::{ComparedVerdict, Grade, Scale};
/// use llull_judge::{CompareKind, ComparisonForm, Token, answer_probabilities};
///
/// let certain = |text| Token { text, logprob: 0.0, alternatives: vec![] };
/// let tokens = [
///     certain("{\""), certain("choice"), certain("\":"), certain(" \""),
///     Token {
///         text: "L",
///         logprob: f64::ln(0.6),
///         alternatives: vec![("L", f64::ln(0.6)), ("R", f64::ln(0.2)), ("?", f64::ln(0.2))],
///     },
///     certain("HS"), certain("\"}"),
/// ];
/// let form = ComparisonForm { kind: CompareKind::Choice, rationale: false, documents: 2, ties: false };
/// let verdict = ComparedVerdict { order: vec![vec![0], vec![1]], ..ComparedVerdict::default() };
/// let probabilities = answer_probabilities(&tokens, &form, &verdict).unwrap();
/// assert!((probabilities[0] - 0.75).abs() < 1e-12 && (probabilities[1] - 0.25).abs() < 1e-12);
/// ```
pub fn answer_probabilities(
    tokens: &[Token<'_>],
    form: &ComparisonForm,
    verdict: &ComparedVerdict,
) -> Option<Vec<f64>> {
    if form.kind == CompareKind::Ranking {
        return None;
    }
    let text: String = tokens.iter().map(|token| token.text).collect();
    let reply = RawReply { text: &text, cut_off: false, refused: false };
    // The verdict is one that was read before, wherever its prompt allows it to stand.
    let (said, object) = read_placed(&reply, form, AnswerPlace::AfterProse).ok()?;
    if said.order != verdict.order {
        return None;
    }
    let place = place_in(&text, object) + place_of_string(object, form.kind.name())?;
    let mut all = of_words(tokens, place, &form.words(), is_quote)?;
    all.truncate(form.documents);
    Some(all)
}

/// Returns the probability of each grade of the scale, from the lowest, at the place where `grade` was given, as
/// [`answer_probabilities`] does for comparisons.
///
/// ```
/// use llull_core::Scale;
/// use llull_judge::{Token, grade_probabilities};
///
/// let certain = |text| Token { text, logprob: 0.0, alternatives: vec![] };
/// let alternatives = vec![("3", f64::ln(0.2)), ("\"", f64::ln(0.2))];
/// let grade = Token { text: "2", logprob: f64::ln(0.6), alternatives };
/// let tokens = [certain("{\"grade"), certain("\":"), certain(" "), grade, certain("}")];
/// let found = grade_probabilities(&tokens, Scale::default(), 2).unwrap();
/// assert!((found[2] - 0.75).abs() < 1e-12 && (found[3] - 0.25).abs() < 1e-12);
/// ```
pub fn grade_probabilities(tokens: &[Token<'_>], scale: Scale, grade: Grade) -> Option<Vec<f64>> {
    let text: String = tokens.iter().map(|token| token.text).collect();
    let reply = RawReply { text: &text, cut_off: false, refused: false };
    // The verdict was read before, with the other keys of its form.
    let (said, object) =
        grade::read_placed(&reply, GradeKind::GradeOnly, scale, AnswerPlace::AfterProse).ok()?;
    if said.grade != grade {
        return None;
    }
    let value = scan::place_of_value(object, "grade")?;
    let quoted = object.get(value..)?.starts_with('"');
    let ends = if quoted { is_quote } else { is_behind_number };
    let words: Vec<String> = scale.grades().map(|grade| grade.to_string()).collect();
    of_words(tokens, place_in(&text, object) + value + usize::from(quoted), &words, ends)
}

/// Whether a letter ends a string.
fn is_quote(letter: char) -> bool {
    letter == '"'
}

/// Whether a letter cannot belong to a number.
fn is_behind_number(letter: char) -> bool {
    !(letter.is_ascii_digit() || matches!(letter, '-' | '.'))
}

/// Returns the place of a part in its text.
fn place_in(text: &str, part: &str) -> usize {
    part.as_ptr().addr() - text.as_ptr().addr()
}

/// Returns the probability of each word at a place, given that it is one of them; `None` if too much of it is open.
fn of_words(
    tokens: &[Token<'_>],
    value_at: usize,
    words: &[String],
    ends: fn(char) -> bool,
) -> Option<Vec<f64>> {
    let mass = follow(tokens, value_at, words, ends)?;
    let total: f64 = mass.of_words.iter().sum();
    let known = total > 0.0 && mass.open <= LARGEST_DOUBT * (total + mass.open);
    known.then(|| mass.of_words.iter().map(|weight| weight / total).collect())
}

/// The probability of each word, and of beginnings of several words.
struct Mass {
    of_words: Vec<f64>,
    open: f64,
}

/// The answers that fit the text after the opening quotation mark so far.
enum Reading {
    /// This word, and no other.
    Word(usize),
    /// One of several words.
    Open,
    /// No legal word.
    Other,
}

/// Follows the tokens from the one with the answer's quotation mark, which ends at `value_at`. A quotation mark
/// that is a token of its own decides nothing; an alternative that holds the answer's first letters too counts for
/// that answer.
fn follow(tokens: &[Token<'_>], value_at: usize, words: &[String], ends: fn(char) -> bool) -> Option<Mass> {
    let mut mass = Mass { of_words: vec![0.0; words.len()], open: 0.0 };
    let (mut reach, mut said, mut end) = (1.0, String::new(), 0);
    for token in tokens {
        let start = end;
        end += token.text.len();
        if end < value_at {
            continue;
        }
        let begun = end > value_at;
        // The part of the first token before the value; empty for later ones.
        let before = token.text.get(..value_at.saturating_sub(start))?;
        let mut unnamed = 1.0 - token.logprob.exp();
        for (text, logprob) in token.alternatives.iter().filter(|(text, _)| *text != token.text) {
            unnamed -= logprob.exp();
            let weight = reach * logprob.exp();
            match reading(&said, before, text, words, ends) {
                Reading::Word(word) => *mass.of_words.get_mut(word)? += weight,
                Reading::Open if begun => mass.open += weight,
                Reading::Open | Reading::Other => {}
            }
        }
        if begun {
            mass.open += reach * unnamed.max(0.0);
        }
        reach *= token.logprob.exp();
        match reading(&said, before, token.text, words, ends) {
            Reading::Word(word) => {
                *mass.of_words.get_mut(word)? += reach;
                return Some(mass);
            }
            Reading::Open => said.push_str(token.text.get(value_at.saturating_sub(start)..)?),
            Reading::Other => return None,
        }
    }
    None
}

/// Reads the answer that `said` and a token `text` make together. The first token has to begin with `before`, the text
/// before the answer, but for white space: JSON has any of it there.
fn reading(said: &str, before: &str, text: &str, words: &[String], ends: fn(char) -> bool) -> Reading {
    let mut rest = text.chars();
    for letter in before.chars().filter(|letter| !letter.is_whitespace()) {
        match rest.find(|letter| !letter.is_whitespace()) {
            Some(found) if found == letter => {}
            Some(_) => return Reading::Other,
            None => return Reading::Open,
        }
    }
    let whole = format!("{said}{}", rest.as_str()).to_lowercase();
    let whole = whole.trim_start();
    let (begun, ended) = match whole.split_once(ends) {
        Some((word, _)) => (word.trim_end(), true),
        None => (whole, false),
    };
    let mut fitting = words.iter().enumerate().filter(|(_, word)| {
        let word = word.to_lowercase();
        word == begun.trim_end() || !ended && word.starts_with(begun)
    });
    match (fitting.next(), fitting.next()) {
        (Some((word, _)), None) => Reading::Word(word),
        (Some(_), Some(_)) => Reading::Open,
        (None, _) => Reading::Other,
    }
}

/// Returns the place after the quotation mark that opens the string under `key`, in the text of a JSON object.
fn place_of_string(object: &str, key: &str) -> Option<usize> {
    let value = scan::place_of_value(object, key)?;
    object.get(value..)?.starts_with('"').then_some(value + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A token, its probability and those of others; the written token is certain otherwise.
    fn token<'a>(text: &'a str, probability: f64, others: &[(&'a str, f64)]) -> Token<'a> {
        let alternatives = others.iter().map(|(text, probability)| (*text, probability.ln())).collect();
        Token { text, logprob: probability.ln(), alternatives }
    }

    fn said(text: &str) -> Token<'_> {
        token(text, 1.0, &[])
    }

    fn form(kind: CompareKind, documents: usize) -> ComparisonForm {
        ComparisonForm { kind, rationale: false, documents, ties: true }
    }

    fn read(tokens: &[Token<'_>], form: &ComparisonForm) -> Option<Vec<f64>> {
        let text: String = tokens.iter().map(|token| token.text).collect();
        let reply = RawReply { text: &text, cut_off: false, refused: false };
        let verdict = read_placed(&reply, form, AnswerPlace::AfterProse).unwrap().0;
        let found = answer_probabilities(tokens, form, &verdict)?;
        Some(found.into_iter().map(|p| (p * 1e6).round() / 1e6).collect())
    }

    #[test]
    fn parts_of_a_word_count_for_it() {
        let choice = form(CompareKind::Choice, 2);
        let others = [("L", 0.2), ("RHS", 0.1), ("rhs", 0.05), ("Ne", 0.05)];
        let tokens = [said(r#"{"choice": ""#), token("LHS", 0.6, &others), said("\"}")];
        assert_eq!(read(&tokens, &choice), Some(vec![0.8, 0.15]));
        // The same where the word comes in two.
        let others = [("LHS", 0.6), ("RHS", 0.1), ("rhs", 0.05), ("Ne", 0.05), ("L", 0.2)];
        let tokens = [said(r#"{"choice": ""#), token("L", 0.2, &others), said("HS"), said("\"}")];
        assert_eq!(read(&tokens, &choice), Some(vec![0.8, 0.15]));
    }

    #[test]
    fn quotation_marks_and_spaces_may_be_in_the_token() {
        let choice = form(CompareKind::Choice, 2);
        let others = [(" \"R", 0.2), ("\"RHS\"}", 0.05), (" \"Neither\"", 0.1), (" null", 0.05)];
        let tokens = [said(r#"{"choice":"#), token(" \"L", 0.6, &others), said("HS\"}")];
        assert_eq!(read(&tokens, &choice), Some(vec![0.631579, 0.263158])); // .6 and .25 of .95
        let tokens = [said(r#"{"choice"#), token("\":\"RHS\"}", 0.7, &[("\":\"LHS", 0.3)])];
        assert_eq!(read(&tokens, &choice), Some(vec![0.3, 0.7]));
        // Inside the quotation marks, as the reader forgives it.
        let tokens = [said(r#"{"choice": ""#), token(" LHS ", 0.75, &[("Neither", 0.25)]), said("\"}")];
        assert_eq!(read(&tokens, &choice), Some(vec![0.75, 0.0]));
    }

    #[test]
    fn where_several_answers_are_open_the_next_token_decides() {
        let best = form(CompareKind::Best, 28);
        let tokens = [
            said("{\"best\": \""),
            token("A", 0.5, &[("B", 0.3), ("AB", 0.2)]),
            token("\"", 0.8, &[("A", 0.1), ("B\"", 0.1)]),
            said("}"),
        ];
        let found = read(&tokens, &best).unwrap();
        assert_eq!((found[0], found[1], found[26], found[27]), (0.4, 0.3, 0.05, 0.25));
        assert_eq!(found.len(), 28);
        // The same where the quotation mark is a token of its own, and might have been another.
        let choice = form(CompareKind::Choice, 2);
        let mark = token(" \"", 0.6, &[("\"", 0.2), (" \"LHS", 0.2)]);
        let tokens = [said("{\"choice\":"), mark, token("RHS", 0.6, &[("LHS", 0.4)]), said("\"}")];
        // .6 * .4 + .2 and .6 * .6 of .8: the tokens after the other mark are unknown and left out.
        assert_eq!(read(&tokens, &choice), Some(vec![0.55, 0.45]));
    }

    #[test]
    fn what_cannot_be_told_is_unknown() {
        let choice = form(CompareKind::Choice, 2);
        let of = |token: Token<'static>| read(&[said(r#"{"choice": ""#), token, said("\"}")], &choice);
        assert_eq!(of(token("LHS", 0.9, &[])), None, "a tenth is not named");
        assert_eq!(of(token("LHS", 0.96, &[])), Some(vec![1.0, 0.0]));
        assert_eq!(of(token("LHS", 0.9, &[("", 0.1)])), None, "a tenth goes on somehow");
        assert_eq!(of(token("LHS", 0.9, &[("x", 0.1)])), Some(vec![1.0, 0.0]), "a tenth is no answer");
        assert_eq!(of(token("LHS", f64::NAN, &[])), None);
        assert_eq!(of(token("LHS", 0.0, &[("", 1.0)])), None);
    }

    /// What is read of a grade's tokens on a scale, in millionths.
    fn graded(tokens: &[Token<'_>], scale: Scale, grade: Grade) -> Option<Vec<f64>> {
        let found = grade_probabilities(tokens, scale, grade)?;
        Some(found.into_iter().map(|p| (p * 1e6).round() / 1e6).collect())
    }

    #[test]
    fn a_grade_may_be_a_number_or_a_string_and_come_with_its_neighbours() {
        let scale = Scale::default();
        let expected = Some(vec![0.0, 0.1, 0.8, 0.1]);
        let others = [("1", 0.1), ("3}", 0.1)];
        let bare =
            [said(r#"{"rationale": "It says.", "grade":"#), said(" "), token("2", 0.8, &others), said("}")];
        assert_eq!(graded(&bare, scale, 2), expected);
        let others = [(" 1", 0.1), (" 3}", 0.1)];
        assert_eq!(
            graded(&[said(r#"{"grade":"#), token(" 2", 0.8, &others), said("\n}")], scale, 2),
            expected
        );
        let others = [(" \"1", 0.1), (" \"3\"}", 0.1)];
        assert_eq!(
            graded(&[said(r#"{"grade":"#), token(" \"2", 0.8, &others), said("\"}")], scale, 2),
            expected
        );
        // White space inside a token of several parts.
        let others = [("\":1", 0.1), ("\" :\n3", 0.1)];
        assert_eq!(
            graded(&[said(r#"{"grade"#), token("\": 2", 0.8, &others), said("}")], scale, 2),
            expected
        );
        // A half is no grade, nor is a word.
        let others = [("1", 0.08), ("2.5", 0.1), ("high", 0.02)];
        let halves = [said(r#"{"grade": "#), token("2", 0.8, &others), said("}")];
        assert_eq!(graded(&halves, scale, 2), Some(vec![0.0, 0.090909, 0.909091, 0.0]));
        assert_eq!(graded(&halves, scale, 1), None, "the tokens say another grade");
        assert_eq!(graded(&[said(r#"{"grade": "#), token("2", 0.9, &[]), said("}")], scale, 2), None);
    }

    #[test]
    fn a_grade_of_two_digits_is_followed() {
        let scale = Scale::new(0, 10).unwrap();
        let tokens = [
            said(r#"{"grade": "#),
            token("1", 0.75, &[("2", 0.25)]),
            token("0", 0.6, &[("}", 0.4)]),
            said("}"),
        ];
        let found = graded(&tokens, scale, 10).unwrap();
        assert_eq!((found[1], found[2], found[10]), (0.3, 0.25, 0.45));
    }

    #[test]
    fn the_tokens_have_to_say_the_verdict() {
        let choice = form(CompareKind::Choice, 2);
        let verdict = |order: Vec<Vec<u16>>| ComparedVerdict { order, ..ComparedVerdict::default() };
        let left = verdict(vec![vec![0], vec![1]]);
        let tokens = [said(r#"{"choice": "LHS"}"#)];
        assert_eq!(answer_probabilities(&tokens, &choice, &left), Some(vec![1.0, 0.0]));
        assert_eq!(answer_probabilities(&tokens, &choice, &verdict(vec![vec![0, 1]])), None);
        assert_eq!(answer_probabilities(&[], &choice, &left), None);
        let ranking = form(CompareKind::Ranking, 2);
        assert_eq!(answer_probabilities(&[said(r#"{"ranking": ["A", "B"]}"#)], &ranking, &left), None);
        // The last answer counts, and a key in a string or deeper down does not.
        let text = r#"{"a": {"choice": "x"}, "b": "\"choice\": \"RHS\"", "choice" : "LHS"}"#;
        assert_eq!(place_of_string(text, "choice"), text.find("LHS"));
        assert_eq!(place_of_string(r#"{"choice": ["LHS"]}"#, "choice"), None);
    }
}
