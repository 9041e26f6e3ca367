//! Contexts as pairs of a study.

use std::path::PathBuf;
use std::sync::Arc;

use indexmap::IndexSet;
use llull_config::{BudgetSettings, JudgeKind, JudgeSettings};
use llull_core::{Document, Hash, KeyBuilder, Ranking, Run, Topic, Topics};
use llull_judge::Rubric;
use llull_runner::ExpectedAnswers;
use llull_study::{Study, StudyError, expected_answer_rubric};
use rustc_hash::FxBuildHasher;

use super::person::person_judges;
use crate::expected_answers::AnswerQuestion;

/// What is said of a study of contexts beside its judges. The default keeps answers in memory, and has no limit.
#[derive(Debug, Clone, Default)]
pub struct AnswerStudyOptions {
    /// The file of the ledger that keeps the answers; made if it is not there.
    pub ledger: Option<PathBuf>,
    /// When to stop asking, in this run.
    pub limits: BudgetSettings,
    /// The time, in milliseconds since 1970-01-01 UTC, before which refused questions are asked again.
    pub retry_refused: Option<i64>,
    /// When to stop paying, for all that the ledger records.
    pub budget: BudgetSettings,
    /// The share of contexts that is asked again to learn how judges answer; as in any study without it.
    pub recheck: Option<f64>,
    /// The rubric by which judges grade; without it [`expected_answer_rubric`](llull_study::expected_answer_rubric),
    /// which has yes and no. Its cutoff is the grade from which on a text matches.
    pub rubric: Option<Rubric>,
    /// The seed of all chance; 42 without it.
    pub seed: Option<u64>,
    /// The people whose answers in the ledger count beside the judges', by name. A study with people among its judges
    /// is [read](Study::evidence) and reviewed, and asks nobody.
    pub people: Vec<String>,
}

/// Returns a study in memory that asks these judges about every context: its topics are the different pairs of a query
/// and an expected answer, its documents the different texts. `None` if there is nothing to judge.
///
/// # Errors
/// Returns an error if the study cannot be made of these judges.
pub fn answer_study(
    questions: &[AnswerQuestion<'_>],
    judges: Vec<JudgeSettings>,
    options: AnswerStudyOptions,
) -> Result<Option<Study>, StudyError> {
    let contexts = Contexts::of(questions);
    if contexts.pairs.is_empty() {
        return Ok(None);
    }
    let rubric = match options.rubric {
        Some(rubric) => rubric,
        None => expected_answer_rubric()?,
    };
    let rubric_hash = (rubric.hash, rubric.scale);
    let deepest = contexts.pairs.iter().map(IndexSet::len).max().unwrap_or(0);
    let mut study = Study::builder()
        .name("expected answers")
        .topics(contexts.topics())
        .corpus(contexts.documents())
        .run(contexts.run())
        .rubric(rubric)
        // Its labels are what counts; a measure that looks further down than it is pooled would be warned of.
        .measure("P@1".parse()?)
        .run_limits(options.limits)
        .retry_refused(options.retry_refused)
        .budget(options.budget)
        .pool_depth(deepest);
    let expected = contexts.expected();
    let people = match &options.ledger {
        Some(file) => person_judges(&options.people, rubric_hash, file)?,
        None => Vec::new(),
    };
    for mut judge in judges.into_iter().chain(people) {
        if let JudgeKind::Own(own) = &mut judge.kind {
            own.expected = Arc::clone(&expected);
        }
        study = study.judge_settings(judge);
    }
    if let Some(file) = options.ledger {
        study = study.ledger_file(file);
    }
    if let Some(share) = options.recheck {
        study = study.recheck(share);
    }
    if let Some(seed) = options.seed {
        study = study.seed(seed);
    }
    study.build().map(Some)
}

/// Returns what the topics of an [`answer_study`](crate::answer_study()) stand for, by their identifiers: query and
/// expected answer. A review shows them apart (`ReviewOptions::expected`).
pub fn expected_texts(questions: &[AnswerQuestion<'_>]) -> Arc<ExpectedAnswers> {
    Contexts::of(questions).expected()
}

/// The different questions, and the different texts, of an evaluation.
pub(super) struct Contexts<'a> {
    /// Query and expected answer.
    asked: IndexSet<(&'a str, &'a str), FxBuildHasher>,
    texts: IndexSet<&'a str, FxBuildHasher>,
    /// The texts that each of `asked` is about.
    pairs: Vec<IndexSet<usize, FxBuildHasher>>,
}

impl<'a> Contexts<'a> {
    pub(super) fn of(questions: &[AnswerQuestion<'a>]) -> Self {
        let mut contexts = Self { asked: IndexSet::default(), texts: IndexSet::default(), pairs: Vec::new() };
        for question in questions.iter().filter(|question| question.contexts() > 0) {
            for expected in &question.expected {
                let (asked, _) = contexts.asked.insert_full((question.query, expected));
                if asked == contexts.pairs.len() {
                    contexts.pairs.push(IndexSet::default());
                }
                for text in &question.texts {
                    let (text, _) = contexts.texts.insert_full(text);
                    contexts.pairs[asked].insert(text);
                }
            }
        }
        contexts
    }

    /// Returns the identifiers under which the study has a context: of its topic and of its document.
    pub(super) fn ids(&self, query: &str, expected: &str, text: &str) -> Option<(String, String)> {
        let known = self.asked.contains(&(query, expected)) && self.texts.contains(text);
        known.then(|| (topic_id(query, expected), text_id(text)))
    }

    fn topics(&self) -> Topics {
        let topic = |(query, expected): &(&str, &str)| Topic {
            id: topic_id(query, expected),
            text: format!("Question: {query}\nExpected answer: {expected}"),
        };
        self.asked.iter().map(topic).collect()
    }

    /// Returns what each topic stands for, for judges that are told both apart.
    fn expected(&self) -> Arc<ExpectedAnswers> {
        let pair = |(query, expected): &(&str, &str)| {
            (topic_id(query, expected), ((*query).to_owned(), (*expected).to_owned()))
        };
        Arc::new(self.asked.iter().map(pair).collect())
    }

    fn documents(&self) -> Vec<Document> {
        let document =
            |text: &&str| Document { id: text_id(text), title: String::new(), text: (*text).to_owned() };
        self.texts.iter().map(document).collect()
    }

    fn run(&self) -> Run {
        let mut run = Run::new("retrieved");
        for ((query, expected), texts) in self.asked.iter().zip(&self.pairs) {
            let ids: Vec<String> = texts
                .iter()
                .filter_map(|text| self.texts.get_index(*text))
                .map(|text| text_id(text))
                .collect();
            let scored = ids.iter().enumerate().map(|(rank, id)| (id.as_str(), -(rank as f64)));
            run.insert(topic_id(query, expected), Ranking::from_ordered(scored));
        }
        run
    }
}

/// Identifiers are made of the texts: a context is the same one in every evaluation, whatever else was retrieved, so
/// that a person's answer, which is about a query and a document by their identifiers, stays its own.
fn topic_id(query: &str, expected: &str) -> String {
    let key = KeyBuilder::new("llull expected answer's topic v1").text("query", query);
    format!("answer {}", digits(key.text("expected", expected).finish()))
}

fn text_id(text: &str) -> String {
    format!("text {}", digits(KeyBuilder::new("llull expected answer's text v1").text("text", text).finish()))
}

/// So many digits that no two of a hundred million texts have the same.
fn digits(hash: Hash) -> String {
    hash.to_string().chars().take(20).collect()
}
