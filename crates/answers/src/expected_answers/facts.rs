//! Nuggets: an expected answer as a list of facts.
//!
//! A text supports each of the facts or does not.

use std::collections::BTreeMap;
use std::fmt;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use super::found::SupportedFacts;
use super::judge::{AnswerJudgment, AnswerQuestion, Because, FactsFound};

/// The facts of expected answers, and the share of them that a text must support to contain the answer.
///
/// A judge gets each fact in place of an expected answer ([`questions`](Self::questions)). A text contains an answer if
/// it supports at least this share of its facts ([`judgments`](Self::judgments)). Any judge can be used.
///
/// ```
/// use llull_answers::expected_answers::{AnswerFacts, AnswerQuestion};
///
/// let file = r#"{"answer": "Bern, on the Aare", "facts": ["It is Bern.", "It lies on the Aare."]}"#;
/// let facts = AnswerFacts::parse(file, "facts.jsonl", AnswerFacts::SHARE)?;
/// let question = AnswerQuestion { query: "q", expected: vec!["Bern, on the Aare"], texts: vec!["Bern"] };
/// assert_eq!(facts.questions(&[question])?[0].expected, ["It is Bern.", "It lies on the Aare."]);
/// # Ok::<(), llull_answers::expected_answers::FactsError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerFacts {
    file: String,
    by_answer: BTreeMap<String, KnownFacts>,
    /// The answers for which no facts could be made, with the reason. They have no judgments.
    without: BTreeMap<String, String>,
    share: f64,
}

/// The facts of an answer.
#[derive(Debug, Clone, PartialEq)]
struct KnownFacts {
    facts: Vec<String>,
    /// The model that made them; `None` for an annotator's.
    by: Option<String>,
}

/// An error of a facts file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FactsError {
    /// The share is out of range.
    #[error("{0} is no share of facts: it is above 0 and at most 1")]
    Share(f64),
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    answer: String,
    facts: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<String>,
}

impl AnswerFacts {
    /// The default share of an answer's facts that a text must support: half.
    pub const SHARE: f64 = 0.5;

    /// Reads JSON lines, `{"answer": "...", "facts": ["..."]}`, from a file of this name; `by` names the model that
    /// made them. Blank lines are skipped.
    ///
    /// # Errors
    /// Returns an error if a line is no such object, has no fact or a blank one, or repeats an answer. Also if the
    /// share is not above 0 and at most 1.
    pub fn parse(text: &str, file: &str, share: f64) -> Result<Self, FactsError> {
        if !(share > 0.0 && share <= 1.0) {
            return Err(FactsError::Share(share));
        }
        let mut by_answer = BTreeMap::new();
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        for (line, written) in lines {
            let wrong = |problem: String| {
                FactsError::Problem(format!(
                    "{file}, line {line}: {problem}. A line is {{\"answer\": \"...\", \"facts\": [\"...\"]}}, with \
                     the answer as the dataset has it; \"by\" may name the model that made them"
                ))
            };
            let Line { answer, facts, by } =
                serde_json::from_str(written).map_err(|error| wrong(error.to_string()))?;
            if facts.is_empty() || facts.iter().any(|fact| fact.trim().is_empty()) {
                return Err(wrong("an answer has at least one fact, and none is blank".into()));
            }
            let facts: IndexSet<String, FxBuildHasher> = facts.into_iter().collect();
            let facts = facts.into_iter().collect();
            if by_answer.insert(answer, KnownFacts { facts, by }).is_some() {
                return Err(wrong("this answer was there before".into()));
            }
        }
        Ok(Self { file: file.to_owned(), by_answer, without: BTreeMap::new(), share })
    }

    /// Returns whether an answer has facts.
    pub fn knows(&self, answer: &str) -> bool {
        self.by_answer.contains_key(answer)
    }

    /// Adds facts that a model made. Answers without a request yet, and those with an unparsable reply, have no facts:
    /// judges get no question about them, and they have no judgments.
    pub fn add(&mut self, made: MadeFacts) {
        let MadeFacts { by, facts, without, not_asked } = made;
        for (answer, facts) in facts {
            let by = Some(by.clone());
            self.by_answer.entry(answer).or_insert(KnownFacts { facts, by });
        }
        self.without.extend(without);
        self.without.extend(not_asked.into_iter().map(|answer| (answer, "not made yet".to_owned())));
    }

    /// Returns the lines of a facts file, in the form of [`parse`](Self::parse), with the facts that a model made.
    ///
    /// # Errors
    /// Returns an error if a text cannot be written as JSON.
    pub fn lines(made: &MadeFacts) -> Result<String, serde_json::Error> {
        let mut lines = String::new();
        for (answer, facts) in &made.facts {
            let (answer, facts, by) = (answer.clone(), facts.clone(), Some(made.by.clone()));
            lines.push_str(&serde_json::to_string(&Line { answer, facts, by })?);
            lines.push('\n');
        }
        Ok(lines)
    }

    /// Counts the facts of these questions' answers, by their author.
    pub fn tally(&self, questions: &[AnswerQuestion<'_>]) -> FactsTally {
        let answers = questions.iter().flat_map(|question| &question.expected).copied();
        let answers: IndexSet<&str, FxBuildHasher> = answers.collect();
        let mut tally = FactsTally { answers: answers.len(), ..FactsTally::default() };
        for answer in answers {
            if let Some(known) = self.by_answer.get(answer) {
                tally.facts += known.facts.len();
                if let Some(model) = &known.by {
                    *tally.made_by.entry(model.clone()).or_default() += 1;
                }
            } else if let Some(reason) = self.without.get(answer) {
                let (answer, reason) = (answer.to_owned(), reason.clone());
                tally.without.push(AnswerWithoutFacts { answer, reason });
            }
        }
        tally
    }

    /// Returns the share of an answer's facts that a text must support.
    pub fn share(&self) -> f64 {
        self.share
    }

    /// Returns these questions with facts in place of answers: the facts of all answers of a question, each once.
    ///
    /// # Errors
    /// Returns an error if an answer has no facts, and [`add`](Self::add) has not marked it as one without.
    pub fn questions<'a>(
        &'a self,
        questions: &[AnswerQuestion<'a>],
    ) -> Result<Vec<AnswerQuestion<'a>>, FactsError> {
        let without = |question: &AnswerQuestion<'a>| {
            let missing = question.expected.iter();
            let missing = missing.filter(|answer| {
                !self.by_answer.contains_key(**answer) && !self.without.contains_key(**answer)
            });
            missing.map(|answer| (answer.to_string(), question.query.to_owned())).collect::<Vec<_>>()
        };
        let missing: Vec<(String, String)> = questions.iter().flat_map(without).collect();
        if let Some((answer, query)) = missing.first().cloned() {
            return Err(FactsError::Problem(format!(
                "{file} has no facts of {count} of the expected answers; the first is {answer:?}, to the query \
                 {query:?}. A line for each is needed, or a model that makes them",
                file = self.file,
                count = missing.len()
            )));
        }
        let of = |question: &AnswerQuestion<'a>| AnswerQuestion {
            expected: self.facts_of(question).into_iter().collect(),
            ..question.clone()
        };
        Ok(questions.iter().map(of).collect())
    }

    /// Returns the judgments of these questions from those of [the facts](Self::questions). The answer is unusable if
    /// the facts without a usable judgment could change the result.
    pub fn judgments(
        &self,
        questions: &[AnswerQuestion<'_>],
        judged: &[Vec<AnswerJudgment>],
    ) -> Vec<Vec<AnswerJudgment>> {
        let of = |(question, judged): (&AnswerQuestion<'_>, &Vec<AnswerJudgment>)| {
            let facts = self.facts_of(question);
            let of_text = |text: usize| {
                let judged = judged.get(text * facts.len()..(text + 1) * facts.len()).unwrap_or_default();
                question.expected.iter().map(|answer| self.judged(answer, &facts, judged)).collect::<Vec<_>>()
            };
            (0..question.texts.len()).flat_map(of_text).collect()
        };
        questions.iter().zip(judged).map(of).collect()
    }

    fn facts_of<'a>(&'a self, question: &AnswerQuestion<'_>) -> IndexSet<&'a str, FxBuildHasher> {
        let answers = question.expected.iter().filter_map(|answer| self.by_answer.get(*answer));
        answers.flat_map(|known| &known.facts).map(String::as_str).collect()
    }

    /// Judges a text by one answer: `judged` has its judgments by all of `facts`.
    fn judged(
        &self,
        answer: &str,
        facts: &IndexSet<&str, FxBuildHasher>,
        judged: &[AnswerJudgment],
    ) -> AnswerJudgment {
        let Some(KnownFacts { facts: own, .. }) = self.by_answer.get(answer) else {
            let reason = self.without.get(answer).map_or("none are known", String::as_str);
            return AnswerJudgment::Unusable(format!("the answer has no facts: {reason}"));
        };
        let said: Vec<(&str, Option<bool>)> = own
            .iter()
            .map(|fact| {
                let judgment = facts.get_index_of(fact.as_str()).and_then(|at| judged.get(at));
                (fact.as_str(), judgment.and_then(AnswerJudgment::matches))
            })
            .collect();
        let supported = said.iter().filter(|(_, supported)| *supported == Some(true)).count();
        let unknown = said.iter().filter(|(_, supported)| supported.is_none()).count();
        let all = own.len();
        let enough = |count: usize| count > 0 && count as f64 >= self.share * all as f64;
        if enough(supported) != enough(supported + unknown) {
            return AnswerJudgment::Unusable(format!("{unknown} of {all} facts have no usable judgment"));
        }
        let not = said.iter().find(|(_, supported)| *supported == Some(false));
        let not = not.map(|(fact, _)| Box::from(*fact));
        let found = FactsFound { facts: SupportedFacts { supported, all, unknown }, not };
        AnswerJudgment::Judged { matches: enough(supported), because: Because::Facts(found.into()) }
    }
}

/// The facts that a model has made of answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MadeFacts {
    /// The model.
    pub by: String,
    /// The answers, each with its facts.
    pub facts: Vec<(String, Vec<String>)>,
    /// The answers without facts, because the reply is unparsable, with the reason.
    pub without: Vec<(String, String)>,
    /// The answers without a reply yet.
    pub not_asked: Vec<String>,
}

/// The number of expected answers' facts, by their author.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FactsTally {
    /// The number of different expected answers.
    pub answers: usize,
    /// The number of their facts.
    pub facts: usize,
    /// The number of answers whose facts a model made, by its name. The facts of the others are people's.
    pub made_by: BTreeMap<String, usize>,
    /// The answers without facts, for which judges get no question.
    pub without: Vec<AnswerWithoutFacts>,
}

/// An expected answer that has no facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AnswerWithoutFacts {
    /// The answer.
    pub answer: String,
    /// The reason.
    pub reason: String,
}

/// The number of facts, and their authors.
impl fmt::Display for FactsTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by: Vec<String> = self
            .made_by
            .iter()
            .map(|(model, answers)| format!("those of {answers} made by {model}"))
            .collect();
        let by = if by.is_empty() { String::new() } else { format!(", {}", by.join(", ")) };
        let without = match self.without.len() {
            0 => String::new(),
            without => format!("; {without} have no facts, and no judgments"),
        };
        write!(f, "{} facts of {} expected answers{by}{without}", self.facts, self.answers)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FILE: &str = "{\"answer\": \"A\", \"facts\": [\"one\", \"two\", \"three\"]}\n\n\
                    {\"answer\": \"B\", \"facts\": [\"two\"]}\n";

    fn said(matches: Option<bool>) -> AnswerJudgment {
        match matches {
            Some(matches) => AnswerJudgment::Judged { matches, because: Because::Said("so".into()) },
            None => AnswerJudgment::Unusable("no".into()),
        }
    }

    fn question() -> Vec<AnswerQuestion<'static>> {
        vec![AnswerQuestion { query: "q", expected: vec!["A", "B"], texts: vec!["x", "y"] }]
    }

    #[test]
    fn a_text_holds_an_answer_by_the_share_of_its_facts() {
        let facts = AnswerFacts::parse(FILE, "f", 0.5).unwrap();
        let questions = question();
        let asked = facts.questions(&questions).unwrap();
        assert_eq!(asked[0].expected, ["one", "two", "three"], "a fact of two answers is asked about once");
        let judged = [true, true, false, true, false, false].map(|matches| said(Some(matches)));
        let judgments = facts.judgments(&questions, &[judged.to_vec()]);
        let matches: Vec<_> = judgments[0].iter().map(AnswerJudgment::matches).collect();
        assert_eq!(matches, [Some(true), Some(true), Some(false), Some(false)]);
        let AnswerJudgment::Judged { because, .. } = &judgments[0][0] else { panic!() };
        assert_eq!(because.to_string(), "2 of 3 facts; not: three");
    }

    #[test]
    fn what_is_not_known_decides_nothing() {
        let facts = AnswerFacts::parse(FILE, "f", 0.5).unwrap();
        let one = |judged: [Option<bool>; 3]| {
            let questions = vec![AnswerQuestion { query: "q", expected: vec!["A"], texts: vec!["x"] }];
            facts.judgments(&questions, &[judged.map(said).to_vec()])[0][0].matches()
        };
        assert_eq!(one([Some(true), Some(true), None]), Some(true));
        assert_eq!(one([Some(true), None, Some(false)]), None);
        assert_eq!(one([None, Some(false), Some(false)]), Some(false));
        assert_eq!(one([None, None, None]), None);
    }

    #[test]
    fn files_that_are_none() {
        let problem = |text: &str| AnswerFacts::parse(text, "f", 0.5).unwrap_err().to_string();
        assert!(problem("\n{\"answer\": 3}").starts_with("f, line 2: "), "{}", problem("\n{\"answer\": 3}"));
        assert!(problem("{\"answer\": \"A\", \"facts\": []}").contains("at least one fact"));
        assert!(problem("{\"answer\": \"A\", \"facts\": [\" \"]}").contains("none is blank"));
        assert!(problem(&FILE.replace('B', "A")).starts_with("f, line 3: this answer was there before"));
        assert_eq!(AnswerFacts::parse(FILE, "f", 0.0).unwrap_err(), FactsError::Share(0.0));
        assert!(AnswerFacts::parse(FILE, "f", f64::NAN).is_err());
        let facts = AnswerFacts::parse(FILE, "f", 0.5).unwrap();
        let other = vec![AnswerQuestion { query: "q", expected: vec!["A", "C"], texts: vec![] }];
        let missing = facts.questions(&other).unwrap_err().to_string();
        assert_eq!(
            missing,
            "f has no facts of 1 of the expected answers; the first is \"C\", to the query \"q\". A line for each is \
         needed, or a model that makes them"
        );
    }

    /// A model's facts are read as they were written, with its name, and never replace an annotator's.
    #[test]
    fn what_is_made_is_added_and_what_is_not_has_no_judgment() {
        let mut facts = AnswerFacts::parse(FILE, "f", 0.5).unwrap();
        let of = |answer: &str, fact: &str| (answer.to_owned(), vec![fact.to_owned()]);
        let made = MadeFacts {
            by: "m".into(),
            facts: vec![of("A", "else"), of("C", "\"four\"")],
            without: vec![("D".into(), "the reply cannot be read: no-answer".into())],
            not_asked: vec!["E".into()],
        };
        let lines = AnswerFacts::lines(&made).unwrap();
        assert_eq!(lines.lines().last(), Some(r#"{"answer":"C","facts":["\"four\""],"by":"m"}"#));
        assert!(AnswerFacts::parse(&lines, "f", 0.5).unwrap().knows("C"));
        facts.add(made);
        let expected = vec!["A", "C", "D", "E"];
        let questions = vec![AnswerQuestion { query: "q", expected, texts: vec!["x", "y"] }];
        assert_eq!(facts.questions(&questions).unwrap()[0].expected, ["one", "two", "three", "\"four\""]);
        let judged = [1, 1, 0, 1, 0, 0, 0, 1].map(|yes| said(Some(yes == 1)));
        let judgments = facts.judgments(&questions, &[judged.to_vec()]).remove(0);
        let matches: Vec<_> = judgments.iter().map(AnswerJudgment::matches).collect();
        assert_eq!(
            matches,
            [Some(true), Some(true), None, None, Some(false), Some(true), None, None],
            "each text by each answer"
        );
        let AnswerJudgment::Unusable(why) = &judgments[2] else { panic!() };
        assert_eq!(why, "the answer has no facts: the reply cannot be read: no-answer");
        let tally = facts.tally(&questions);
        assert_eq!((tally.answers, tally.facts, tally.made_by["m"]), (4, 4, 1));
        assert_eq!((tally.without.len(), tally.without[1].reason.as_str()), (2, "not made yet"));
        // A query all of whose answers have none still has its judgments, one for each text.
        let none = vec![AnswerQuestion { query: "q", expected: vec!["D"], texts: vec!["x", "y"] }];
        assert_eq!(facts.judgments(&none, &[Vec::new()])[0].len(), 2);
    }

    proptest! {
        /// More support never turns a match into none, and a lower cut never does.
        #[test]
        fn support_and_cut_are_monotone(
            supported in proptest::collection::vec(any::<bool>(), 3),
            at in 0usize..3,
            cut in 0.01f64..1.0,
        ) {
            let matches = |supported: &[bool], cut: f64| {
                let facts = AnswerFacts::parse(FILE, "f", cut).unwrap();
                let questions = vec![AnswerQuestion { query: "q", expected: vec!["A"], texts: vec!["x"] }];
                let judged = supported.iter().map(|one| said(Some(*one))).collect();
                facts.judgments(&questions, &[judged])[0][0].matches().unwrap()
            };
            let mut more = supported.clone();
            more[at] = true;
            prop_assert!(matches(&more, cut) >= matches(&supported, cut));
            prop_assert!(matches(&supported, cut / 2.0) >= matches(&supported, cut));
        }
    }
}
