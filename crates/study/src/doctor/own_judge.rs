//! Tests whether a judge of the user's own conforms to its protocol.

use std::collections::BTreeMap;
use std::sync::Arc;

use llull_core::{Answer, Document, Outcome, Reason, Topic};
use llull_report::text::counted;
use llull_runner::{Case, Judge, PooledDocument};
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::findings::{DoctorFinding, Severity};

/// The number of questions in a batch.
const BATCH: usize = 50;

/// The number of repeated questions.
const TWICE: usize = 10;

/// The length of the long text, in bytes: far longer than the buffer of a pipe or a line.
const LONG: usize = 1_000_000;

/// A question for a judge.
struct TestQuestion {
    topic: Topic,
    document: PooledDocument,
}

impl TestQuestion {
    fn new(id: impl ToString, query: &str, title: &str, text: impl Into<String>) -> Self {
        let id = id.to_string();
        let document = Document { id: id.clone(), title: title.to_owned(), text: text.into() };
        Self { topic: Topic { id, text: query.to_owned() }, document: PooledDocument::Found(document) }
    }
}

/// A judge under test, with its name and its number of questions at once.
pub(crate) struct TestedJudge<'a> {
    pub(crate) name: &'a str,
    pub(crate) judge: Arc<dyn Judge>,
    pub(crate) at_once: usize,
}

impl TestedJudge<'_> {
    /// Tests it: a finding for each check, an error for each failed one.
    ///
    /// # Errors
    /// Returns an error if the runtime cannot be built.
    pub(crate) fn test(&self) -> std::io::Result<Vec<DoctorFinding>> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let mut findings = vec![self.one(&runtime)];
        // A judge without answers fails every check, so one finding is enough.
        if findings.iter().all(|finding| finding.severity != Severity::Error) {
            let batch = self.ask(&runtime, batch());
            let again = self.ask(&runtime, batch_of(TWICE));
            findings.push(self.whole_batch(&batch));
            findings.push(self.scale(&batch));
            findings.push(self.same_twice(&batch, &again));
            findings.extend(odd_texts().into_iter().map(|(what, question)| {
                let answers = self.ask(&runtime, vec![question]);
                self.survives(what, answers.first())
            }));
            let after = self.ask(&runtime, batch_of(1));
            findings.push(self.still_there(after.first()));
            findings.push(self.once());
        }
        runtime.shutdown_background();
        Ok(findings)
    }

    /// Tests whether it answers questions with an expected answer; the topic of this identifier stands for one.
    ///
    /// # Errors
    /// Returns an error if the runtime cannot be built.
    pub(crate) fn test_expected(&self, topic: &str) -> std::io::Result<DoctorFinding> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let question = TestQuestion::new(topic, "", "", "The Elbe is 1,094 kilometres long.");
        let answers = self.ask(&runtime, vec![question]);
        runtime.shutdown_background();
        Ok(match answers.first().map(said) {
            Some(Ok(grade)) => {
                let what = if grade == 1 { "a match" } else { "no match" };
                self.fine("expected answers", format!("it judges them, too: the one of the test is {what}"))
            }
            other => self.finding(
                Severity::Warning,
                "expected answers",
                format!(
                    "it does not judge them ({}), which llull evaluate would ask it to: a question with \"expected\" \
                     is \
                     answered by \"match\": true or false",
                    why(other.as_ref())
                ),
            ),
        })
    }

    fn finding(&self, severity: Severity, check: &str, text: impl Into<String>) -> DoctorFinding {
        let what = format!("judge {}, {check}", self.name);
        DoctorFinding { severity, what, text: text.into(), missing_key: None }
    }

    fn fine(&self, check: &str, text: impl Into<String>) -> DoctorFinding {
        self.finding(Severity::Fine, check, text)
    }

    /// Sends all of these questions at once, up to the allowed number.
    fn ask(&self, runtime: &Runtime, questions: Vec<TestQuestion>) -> Vec<Answer> {
        let places = Arc::new(Semaphore::new(self.at_once));
        runtime.block_on(async {
            let mut asked = JoinSet::new();
            for (at, question) in questions.into_iter().enumerate() {
                let (judge, places) = (Arc::clone(&self.judge), Arc::clone(&places));
                asked.spawn(async move {
                    let _place = places.acquire().await;
                    (at, judge.ask(Case::of_one(&question.topic, &question.document), 0).await)
                });
            }
            let answers: BTreeMap<usize, Answer> = asked.join_all().await.into_iter().collect();
            answers.into_values().collect()
        })
    }

    fn one(&self, runtime: &Runtime) -> DoctorFinding {
        let answers = self.ask(runtime, batch_of(1));
        match answers.first().map(said) {
            Some(Ok(grade)) => self.fine("a question", format!("answered with grade {grade}")),
            other => self.finding(
                Severity::Error,
                "a question",
                format!(
                    "{}. It is answered by one JSON object, {{\"id\":\"...\",\"grade\":1}}; a program prints it on a \
                     line of its own and flushes it, prints nothing else there, and goes on to read \
                     (docs/reference/own-judges.md)",
                    why(other.as_ref())
                ),
            ),
        }
    }

    /// Whether each question of a batch has an answer in the right form.
    fn whole_batch(&self, answers: &[Answer]) -> DoctorFinding {
        // Grades off the scale are found by another check.
        let wrong = |answer: &&Answer| said(answer).is_err() && !off_the_scale(answer);
        let all = answers.len();
        match answers.iter().filter(wrong).count() {
            0 => self.fine("a batch", format!("{} in one go are all answered", counted(all, "question"))),
            count => {
                let first = answers.iter().find(wrong).map(said);
                let text = format!(
                    "{count} of {all} questions in one go have no usable answer; the first: {}. A program may be sent \
                     many questions before it answers the first; each answer has the \"id\" of its question",
                    why(first.as_ref())
                );
                self.finding(Severity::Error, "a batch", text)
            }
        }
    }

    fn scale(&self, answers: &[Answer]) -> DoctorFinding {
        let scale = self.judge.spec().scale;
        let (low, high) = (scale.low(), scale.high());
        match answers.iter().find(|answer| off_the_scale(answer)).map(said) {
            None => self.fine("the scale", format!("every grade is from {low} to {high}")),
            Some(off) => self.finding(
                Severity::Error,
                "the scale",
                format!(
                    "{}: \"rubric\" has the scale of the question as \"low\" and \"high\"",
                    why(Some(&off))
                ),
            ),
        }
    }

    fn same_twice(&self, first: &[Answer], again: &[Answer]) -> DoctorFinding {
        let pairs =
            first.iter().zip(again).filter_map(|(one, other)| Some((said(one).ok()?, said(other).ok()?)));
        let (mut same, mut all) = (0, 0);
        for (one, other) in pairs {
            all += 1;
            same += usize::from(one == other);
        }
        if same == all {
            return self.fine(
                "the same again",
                format!("{} sent twice have the same grades", counted(all, "question")),
            );
        }
        let text = format!(
            "{} of {all} questions sent twice have other grades: its answers vary. If that is meant, llull repeats a \
             share of the questions (recheck) and reports how far that matters; else fix a seed, or ask the model at \
             temperature 0",
            all - same
        );
        self.finding(Severity::Warning, "the same again", text)
    }

    fn survives(&self, what: &str, answer: Option<&Answer>) -> DoctorFinding {
        let declined = answer.is_some_and(|answer| {
            let reply: Option<Value> =
                answer.reply.as_deref().and_then(|reply| serde_json::from_str(reply).ok());
            let says_so = reply.is_some_and(|reply| reply.get("error").is_some_and(|error| !error.is_null()));
            // A reply to another question is of a wrong shape.
            says_so
                && matches!(&answer.outcome, Outcome::Unusable(found) if found.reason != Reason::WrongShape)
        });
        match answer.map(said) {
            Some(Ok(_)) => self.fine(what, "answered"),
            Some(Err(why)) if declined => {
                let text = format!("{why}. That is allowed: it is unusable, and counted as that");
                self.finding(Severity::Warning, what, text)
            }
            other => self.finding(
                Severity::Error,
                what,
                format!(
                    "{}. Read a line as bytes up to its end, and decode JSON as UTF-8",
                    why(other.as_ref())
                ),
            ),
        }
    }

    fn still_there(&self, answer: Option<&Answer>) -> DoctorFinding {
        match answer.map(said) {
            Some(Ok(_)) => self.fine("after that", "it goes on answering"),
            other => self.finding(
                Severity::Error,
                "after that",
                format!("it does not go on answering: {}", why(other.as_ref())),
            ),
        }
    }

    /// Whether the transport noticed repeated or unknown answers.
    fn once(&self) -> DoctorFinding {
        match self.judge.notices().first() {
            None => self.fine("once each", "every question has one answer, in whatever order"),
            Some(notice) => self.finding(Severity::Error, "once each", notice),
        }
    }
}

/// Returns the grade of an answer, or the reason for its absence.
fn said(answer: &Answer) -> Result<i32, String> {
    match &answer.outcome {
        Outcome::Judged { verdict } => verdict.grade().ok_or_else(|| "no grade".to_owned()),
        Outcome::Unusable(unusable) => Err(format!("{} ({})", unusable.reason, unusable.detail)),
        Outcome::Failed(failure) => Err(failure.to_string()),
    }
}

fn why(said: Option<&Result<i32, String>>) -> String {
    match said {
        Some(Err(why)) => why.clone(),
        _ => "no answer".to_owned(),
    }
}

fn off_the_scale(answer: &Answer) -> bool {
    matches!(&answer.outcome, Outcome::Unusable(unusable) if unusable.reason == Reason::OutOfRange)
}

fn batch() -> Vec<TestQuestion> {
    batch_of(BATCH)
}

/// The first questions of the batch, which differ.
fn batch_of(count: usize) -> Vec<TestQuestion> {
    let question = |at: usize| {
        let river = ["Elbe", "Rhine", "Danube", "Oder", "Weser"][at % 5];
        let text = match at % 3 {
            0 => format!("The {river} is {} kilometres long.", 1_000 + at),
            1 => format!("Boats on the {river} carry coal."),
            _ => "Bread is made of flour and water.".to_owned(),
        };
        TestQuestion::new(at, &format!("how long is the river {river} number {at}"), river, text)
    };
    (0..count).map(question).collect()
}

/// Texts that often break programs.
fn odd_texts() -> Vec<(&'static str, TestQuestion)> {
    let of = |query: &str, text: &str| TestQuestion::new("odd", query, "", text);
    vec![
        (
            "letters of all scripts",
            of(
                "東京の人口 🗼",
                "Zürich, naïve e\u{301}, Ελλάδα, москва, 東京, \u{202e}עברית\u{202c}, 👩‍👩‍👧 \u{1d518}",
            ),
        ),
        (
            "control characters",
            of("a\tb", "bell \u{7} null \u{0} escape \u{1b}[31m next\u{85}line \u{2028} \u{2029} end"),
        ),
        (
            "quotes and ends of lines",
            of("what is \"{\"?", "one\ntwo\r\nthree \\n \"id\":\"1\",\"grade\":9} {{ }} \\"),
        ),
        ("a text of 1 MB", of("what is long", &"many words ".repeat(LONG / 11))),
        ("an empty text", of("what is empty", "")),
        ("an empty query", of("", "The Elbe is 1,094 kilometres long.")),
    ]
}
