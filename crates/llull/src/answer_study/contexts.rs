//! Contexts as pairs of a study.

use std::path::PathBuf;
use std::sync::Arc;

use indexmap::IndexSet;
use llull_core::{Document, Ranking, Run, Topic, Topics};
use llull_judge::{Rubric, RubricError};
use llull_runner::ExpectedAnswers;
use rustc_hash::FxBuildHasher;

use crate::config::{BudgetSettings, JudgeKind, JudgeSettings};
use crate::error::StudyError;
use crate::expected_answers::AnswerQuestion;
use crate::study::Study;

/// Returns the rubric by which language models judge: grade 1 is yes, the text states the expected answer, 0 is no.
///
/// # Errors
/// The text is built in; an error would be one of its own.
pub fn expected_answer_rubric() -> Result<Rubric, RubricError> {
    Rubric::parse(include_str!("../../../../rubrics/expected-answer.md"), "rubrics/expected-answer.md")
}

/// What is said of a study of contexts beside its judges. The default keeps answers in memory, and has no limit.
#[derive(Debug, Clone, Default)]
pub struct AnswerStudyOptions {
    /// The file of the ledger that keeps the answers; made if it is not there.
    pub ledger: Option<PathBuf>,
    /// When to stop asking, in this run.
    pub limits: BudgetSettings,
    /// When to stop paying, for all that the ledger records.
    pub budget: BudgetSettings,
    /// The share of contexts that is asked again to learn how judges answer; as in any study without it.
    pub recheck: Option<f64>,
    /// The rubric by which judges grade; without it [`expected_answer_rubric`], which has yes and no. Its cutoff is the
    /// grade from which on a text matches.
    pub rubric: Option<Rubric>,
    /// The seed of all chance; 42 without it.
    pub seed: Option<u64>,
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
        .budget(options.budget)
        .pool_depth(deepest);
    let expected = Arc::new(contexts.expected());
    for mut judge in judges {
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
        Some((
            topic_id(self.asked.get_index_of(&(query, expected))?),
            text_id(self.texts.get_index_of(text)?),
        ))
    }

    fn topics(&self) -> Topics {
        let topic = |(at, (query, expected)): (usize, &(&str, &str))| Topic {
            id: topic_id(at),
            text: format!("Question: {query}\nExpected answer: {expected}"),
        };
        self.asked.iter().enumerate().map(topic).collect()
    }

    /// Returns what each topic stands for, for judges that are told both apart.
    fn expected(&self) -> ExpectedAnswers {
        let pair = |(at, (query, expected)): (usize, &(&str, &str))| {
            (topic_id(at), ((*query).to_owned(), (*expected).to_owned()))
        };
        self.asked.iter().enumerate().map(pair).collect()
    }

    fn documents(&self) -> Vec<Document> {
        let document = |(at, text): (usize, &&str)| Document {
            id: text_id(at),
            title: String::new(),
            text: (*text).to_owned(),
        };
        self.texts.iter().enumerate().map(document).collect()
    }

    fn run(&self) -> Run {
        let mut run = Run::new("retrieved");
        for (at, texts) in self.pairs.iter().enumerate() {
            let ids: Vec<String> = texts.iter().map(|text| text_id(*text)).collect();
            let scored = ids.iter().enumerate().map(|(rank, id)| (id.as_str(), -(rank as f64)));
            run.insert(topic_id(at), Ranking::from_ordered(scored));
        }
        run
    }
}

fn topic_id(at: usize) -> String {
    format!("answer {}", at + 1)
}

fn text_id(at: usize) -> String {
    format!("text {}", at + 1)
}
