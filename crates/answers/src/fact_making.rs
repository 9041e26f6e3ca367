//! The facts of expected answers, made once by a language model.
//!
//! [`FactMaking`] has the answers that a file of facts lacks. In a study in memory a model lists the facts of each
//! ([`FactMaking::study`]), and they ([`FactMaking::made`]) are added to the file. A person can read and correct the
//! file: its answers are never requested again, and its facts precede the model's.

use std::sync::Arc;

use indexmap::IndexSet;
use llull_config::{CustomJudge, Environment, JudgeKind, JudgeSettings};
use llull_core::{Document, Hash, KeyBuilder, Ranking, Run, Status, Topic, Topics, Unusable};
use llull_judge::{FactsPrompt, PromptError, RawReply, Rendered, facts_schema, read_facts};
use llull_llm::ResponseSchema;
use llull_runner::Case;
use llull_study::{Estimate, Study, StudyError, StudyEvidence, expected_answer_rubric};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::answer_study::AnswerStudyOptions;
use crate::expected_answers::{AnswerFacts, AnswerQuestion, MadeFacts};
use crate::generation::{ModelWriter, WriterError, WrittenForm, estimate_of_writer};

/// The only topic of the study.
const TOPIC: &str = "facts";

/// The expected answers without facts, each once, for which a language model makes them. The prompt shows an answer
/// alone: facts are of the answer, whichever question expects it.
pub struct FactMaking<'a> {
    answers: IndexSet<&'a str, FxBuildHasher>,
}

impl<'a> FactMaking<'a> {
    /// Collects the answers of these questions without facts.
    pub fn new(questions: &[AnswerQuestion<'a>], facts: &AnswerFacts) -> Self {
        let expected = questions.iter().flat_map(|question| &question.expected).copied();
        Self { answers: expected.filter(|answer| !facts.knows(answer)).collect() }
    }

    /// Returns the number of answers without facts.
    pub fn count(&self) -> usize {
        self.answers.len()
    }

    /// Returns the study that makes their facts; `None` if there are no such answers. Without an environment it can
    /// only be read.
    ///
    /// # Errors
    /// Returns an error if the writer is no language model, or its name, address or key cannot be used.
    pub fn study(
        &self,
        writer: &JudgeSettings,
        environment: Option<Environment<'_>>,
        options: AnswerStudyOptions,
    ) -> Result<Option<Study>, WriterError> {
        if self.answers.is_empty() {
            return Ok(None);
        }
        let rubric = expected_answer_rubric().map_err(StudyError::from)?;
        let made = ModelWriter::new(writer, FactsForm::new()?, rubric.scale, environment)?;
        let kind = JudgeKind::Custom { judge: CustomJudge(Arc::new(made)) };
        let (id, text) = (TOPIC.to_owned(), "the facts of an answer".to_owned());
        let study = Study::builder()
            .name("facts of expected answers")
            .topics([Topic { id, text }].into_iter().collect::<Topics>())
            .corpus(self.documents())
            .run(self.run())
            .rubric(rubric)
            .pool_depth(self.answers.len())
            .judge_settings(JudgeSettings { kind, ..writer.clone() });
        Ok(Some(options.without_rechecks().build(study)?))
    }

    fn documents(&self) -> Vec<Document> {
        let document = |(at, text): (usize, &&str)| Document {
            id: answer_id(at),
            title: String::new(),
            text: (*text).to_owned(),
        };
        self.answers.iter().enumerate().map(document).collect()
    }

    fn run(&self) -> Run {
        let ids: Vec<String> = (0..self.answers.len()).map(answer_id).collect();
        let scored = ids.iter().enumerate().map(|(rank, id)| (id.as_str(), -(rank as f64)));
        let mut run = Run::new("answers");
        run.insert(TOPIC, Ranking::from_ordered(scored));
        run
    }

    /// Collects the replies of a writer of this name.
    pub fn made(&self, writer: &str, evidence: &StudyEvidence) -> MadeFacts {
        let mut made = MadeFacts { by: writer.to_owned(), ..MadeFacts::default() };
        let judge = evidence.judges.judges().first();
        let places = evidence.pooled.cases().enumerate().map(|(place, case)| (case.document_id(), place));
        let places: FxHashMap<&str, usize> = places.collect();
        for (at, answer) in self.answers.iter().enumerate() {
            let id = answer_id(at);
            let known = places.get(id.as_str()).and_then(|place| Some((*place, judge?)));
            let answer = (*answer).to_owned();
            match known.map(|(place, judge)| (judge.status(place), judge.rationale(place))) {
                Some((Status::Judged(_), said)) => match said.and_then(written) {
                    Some(facts) => made.facts.push((answer, facts)),
                    None => made.without.push((answer, "what was written are no facts".to_owned())),
                },
                Some((Status::Unusable { reason, .. }, _)) => {
                    made.without.push((answer, format!("the reply cannot be read: {reason}")));
                }
                Some((Status::Refused(reason), _)) => {
                    made.without.push((answer, format!("the model's server refused the answer: {reason}")));
                }
                Some((Status::WithoutText, _)) => {
                    made.without.push((answer, "the answer is blank".to_owned()));
                }
                Some((Status::Failed(_) | Status::NotAsked, _)) | None => made.not_asked.push(answer),
            }
        }
        made
    }
}

/// The name of an answer in a ledger.
fn answer_id(at: usize) -> String {
    format!("answer {}", at + 1)
}

/// Returns the cost of the facts of a [study](FactMaking::study) that its ledger lacks.
///
/// # Errors
/// Returns an error if the writer is no language model, or the prompt cannot be rendered.
pub fn facts_estimate(
    settings: &JudgeSettings,
    evidence: &StudyEvidence,
) -> Result<Option<Estimate>, WriterError> {
    let scale = expected_answer_rubric().map_err(StudyError::from)?.scale;
    estimate_of_writer(settings, FactsForm::new()?, scale, evidence)
}

/// The facts of an expected answer.
pub(super) struct FactsForm(FactsPrompt);

impl FactsForm {
    pub(super) fn new() -> Result<Self, PromptError> {
        Ok(Self(FactsPrompt::new()?))
    }
}

/// Returns the facts in a verdict's explanation; `None` if it holds none.
pub(super) fn written(rationale: &str) -> Option<Vec<String>> {
    serde_json::from_str(rationale).ok()
}

impl WrittenForm for FactsForm {
    const WRITES: &'static str = "facts";

    fn prompt(&self) -> (&'static str, Hash) {
        (self.0.name(), self.0.hash())
    }

    fn schema(&self) -> ResponseSchema {
        ResponseSchema { name: "facts".to_owned(), schema: facts_schema() }
    }

    fn render(&self, case: &Case<'_>) -> Result<Rendered, String> {
        self.0.render(&case.texts().next().unwrap_or_default()).map_err(|error| error.to_string())
    }

    fn key(&self, writer: &Hash, case: &Case<'_>) -> KeyBuilder {
        let key = KeyBuilder::new("llull facts of an answer v1").part("writer", &writer.0);
        case.texts().fold(key, |key, text| key.text("answer", &text))
    }

    fn read(&self, _: &Case<'_>, reply: &RawReply<'_>) -> Result<Option<String>, Unusable> {
        read_facts(reply).map(|facts| Some(serde_json::json!(facts).to_string()))
    }
}
