//! Represents contexts as pairs of a study.

use std::path::PathBuf;
use std::sync::Arc;

use indexmap::IndexSet;
use llull_config::{BudgetSettings, JudgeKind, JudgeSettings};
use llull_core::{AskAgain, Document, Hash, KeyBuilder, Ranking, Run, Topic, Topics};
use llull_judge::Rubric;
use llull_runner::ExpectedAnswers;
use llull_study::{Study, StudyBuilder, StudyError, expected_answer_rubric};
use rustc_hash::FxBuildHasher;

use super::annotator::annotator_judges;
use crate::expected_answers::AnswerQuestion;

/// The options of a study of contexts. The default keeps answers in memory, and has no limit.
#[derive(Debug, Clone, Default)]
pub struct AnswerStudyOptions {
    /// The ledger's file, which is made if it does not exist.
    pub ledger: Option<PathBuf>,
    /// The limits of this run.
    pub limits: BudgetSettings,
    /// The answers of earlier runs whose questions are repeated; `None` for none.
    pub ask_again: Option<AskAgain>,
    /// Limits of cost, for all requests that the ledger records.
    pub budget: BudgetSettings,
    /// The share of contexts that are repeated to measure how consistent judges are; `None` for the default of studies.
    pub recheck: Option<f64>,
    /// The rubric of the judges' grades; by default [`expected_answer_rubric`](llull_study::expected_answer_rubric),
    /// which has yes and no. Its cutoff is the lowest grade at which a text matches.
    pub rubric: Option<Rubric>,
    /// The seed of all random numbers; 42 by default.
    pub seed: Option<u64>,
    /// The names of the annotators whose answers in the ledger count like the judges'. A study with annotators among
    /// its judges can be [read](Study::evidence) and reviewed; no run sends requests.
    pub people: Vec<String>,
}

impl AnswerStudyOptions {
    /// Repeats nothing by default: the study measures no judge, and no answer is a vote on a label.
    pub(crate) fn without_rechecks(self) -> Self {
        Self { recheck: Some(self.recheck.unwrap_or(0.0)), ..self }
    }

    /// Builds the study with these limits, ledger and seed.
    pub(crate) fn build(self, study: StudyBuilder) -> Result<Study, StudyError> {
        // Only its labels are used. A measure below the depth of the pool would give a warning.
        let mut study = study.measure("P@1".parse()?).run_limits(self.limits).budget(self.budget);
        if let Some(file) = self.ledger {
            study = study.ledger_file(file);
        }
        if let Some(share) = self.recheck {
            study = study.recheck(share);
        }
        if let Some(seed) = self.seed {
            study = study.seed(seed);
        }
        study.build()
    }
}

/// Returns a study in memory in which these judges judge every context. Its topics are the different pairs of a query
/// and an expected answer, its documents the different texts. `None` without any context.
///
/// # Errors
/// Returns an error if the study cannot be made of these judges.
pub fn answer_study(
    questions: &[AnswerQuestion<'_>],
    judges: Vec<JudgeSettings>,
    mut options: AnswerStudyOptions,
) -> Result<Option<Study>, StudyError> {
    let contexts = Contexts::of(questions);
    if contexts.pairs.is_empty() {
        return Ok(None);
    }
    let rubric = match options.rubric.take() {
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
        .ask_again(options.ask_again.take())
        .pool_depth(deepest);
    let expected = contexts.expected();
    let annotators = match &options.ledger {
        Some(file) => annotator_judges(&options.people, rubric_hash, file)?,
        None => Vec::new(),
    };
    for mut judge in judges.into_iter().chain(annotators) {
        if let JudgeKind::Own(own) = &mut judge.kind {
            own.expected = Arc::clone(&expected);
        }
        study = study.judge_settings(judge);
    }
    options.build(study).map(Some)
}

/// Returns the query and the expected answer of each topic of an [`answer_study`](crate::answer_study()), by its
/// identifier. A review shows them separately (`ReviewOptions::expected`).
pub fn expected_texts(questions: &[AnswerQuestion<'_>]) -> Arc<ExpectedAnswers> {
    Contexts::of(questions).expected()
}

/// The different questions, and the different texts, of an evaluation.
pub(super) struct Contexts<'a> {
    /// Query and expected answer.
    asked: IndexSet<(&'a str, &'a str), FxBuildHasher>,
    texts: IndexSet<&'a str, FxBuildHasher>,
    /// The texts for each pair of `asked`.
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

    /// Returns the identifiers of a context in the study: of its topic and of its document.
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

    /// Returns the query and the expected answer of each topic, for judges that see them separately.
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

/// Identifiers are made of the texts. So a context has the same one in every evaluation, whatever else was retrieved.
/// Annotators' answers, which name a query and a document by identifiers, still apply.
fn topic_id(query: &str, expected: &str) -> String {
    let key = KeyBuilder::new("llull expected answer's topic v1").text("query", query);
    format!("answer {}", digits(key.text("expected", expected).finish()))
}

fn text_id(text: &str) -> String {
    format!("text {}", digits(KeyBuilder::new("llull expected answer's text v1").text("text", text).finish()))
}

/// With this number of digits, the identifiers of a hundred million texts do not collide.
fn digits(hash: Hash) -> String {
    hash.to_string().chars().take(20).collect()
}
