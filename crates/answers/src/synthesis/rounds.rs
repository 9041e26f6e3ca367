//! Makes questions round by round: draw, write, drop duplicates, check.

use llull_config::{CustomJudge, Environment, JudgeKind, JudgeSettings};
use llull_core::{Status, Topic};
use llull_data::{EvaluationDataset, ExpectedQuery, QueryOrigin};
use llull_judge::{QuestionCategory, QuestionPrompt};
use llull_runner::JudgeEvidence;
use llull_study::{Study, StudyEvidence};
use rustc_hash::FxHashMap;

use super::check::{
    Pairs, YES, answers_question_rubric, asked, fate_by_nearest, fate_by_own, fate_of_answered,
};
use super::choice::CategoryQueue;
use super::duplicates::QuestionWords;
use super::item::{CategoryCounts, DroppedQuestion, Fate, Item, SynthesisCounts};
use super::options::{SynthesisError, SynthesisOptions};
use super::shares::divided;
use super::writer::{QuestionForm, scale, written};
use crate::answer_study::AnswerStudyOptions;
use crate::generation::{ModelWriter, WRITTEN};
use llull_core::Passage;

/// The models that wrote and checked questions, for their origin.
#[derive(Debug, Clone, Copy)]
pub struct SynthesisModels<'a> {
    /// The model that writes.
    pub writer: &'a str,
    /// The model that checks; `None` without a check.
    pub checker: Option<&'a str>,
    /// The comparison by meaning: an encoder, and the cosine from which questions are near duplicates. `None` if only
    /// words are compared.
    pub told_apart_by: Option<&'a str>,
}

/// A synthesis: it draws questions, takes the writer's, drops duplicates and takes checks, round by round.
///
/// It ends with enough questions, or without passages. It sends no request itself. Equal passages, options and replies
/// give equal questions.
pub struct Synthesis {
    options: SynthesisOptions,
    passages: Vec<Passage>,
    queues: Vec<CategoryQueue>,
    items: Vec<Item>,
    /// The number of the current round's first item.
    round: usize,
}

impl Synthesis {
    /// Begins with these passages.
    ///
    /// # Errors
    /// Returns an error if there is no passage, or a share is invalid.
    pub fn new(passages: Vec<Passage>, options: SynthesisOptions) -> Result<Self, SynthesisError> {
        for (at, share) in options.shares.iter().enumerate() {
            let (category, number) = (share.category, share.share);
            if !(number > 0.0 && number.is_finite()) {
                return Err(SynthesisError::Problem(format!(
                    "the share of {category} is {number}; a share is above 0"
                )));
            }
            if options.shares.iter().take(at).any(|earlier| earlier.category == category) {
                return Err(SynthesisError::Problem(format!(
                    "the category {category} is given twice; give each once"
                )));
            }
        }
        if passages.is_empty() {
            return Err(SynthesisError::Problem(
                "no document has a letter or a digit in it, so there is nothing to write questions about"
                    .to_owned(),
            ));
        }
        let wanted = divided(options.questions, &options.shares);
        let queue = |(share, wanted): (&super::shares::CategoryShare, usize)| {
            CategoryQueue::new(share.category, wanted, &passages, options.seed)
        };
        let queues = options.shares.iter().zip(wanted).map(queue).collect();
        Ok(Self { options, passages, queues, items: Vec::new(), round: 0 })
    }

    /// Draws the passages of the next round: as many as questions are missing. Returns their number; 0 if there are
    /// enough questions, or no passages.
    pub fn begin_round(&mut self) -> usize {
        self.round = self.items.len();
        let Self { options, passages, queues, items, .. } = self;
        let mut used = vec![false; passages.len()];
        let mut by_document: FxHashMap<&str, usize> = FxHashMap::default();
        for item in items.iter() {
            if let Some(used) = used.get_mut(item.passage) {
                *used = true;
            }
            if let (Fate::Accepted, Some(passage)) = (item.fate, passages.get(item.passage)) {
                *by_document.entry(&passage.document).or_default() += 1;
            }
        }
        for queue in queues {
            let has = |item: &&Item| item.category == queue.category && item.fate == Fate::Accepted;
            let missing = queue.wanted.saturating_sub(items.iter().filter(has).count());
            for _ in 0..missing {
                let document = |at: usize| passages.get(at).map_or("", |passage| &passage.document);
                let may = |at: usize| {
                    let of_document = by_document.get(document(at)).copied().unwrap_or(0);
                    options.per_document.is_none_or(|most| of_document < most)
                };
                let unused = |at: usize| may(at) && used.get(at) == Some(&false);
                let Some(passage) = queue.take(unused, may) else { break };
                *by_document.entry(document(passage)).or_default() += 1;
                if let Some(used) = used.get_mut(passage) {
                    *used = true;
                }
                items.push(Item::new(queue.category, passage));
            }
        }
        items.len() - self.round
    }

    /// Returns the study that writes this round's questions; `None` for an empty round. Without an environment it can
    /// only be read.
    ///
    /// # Errors
    /// Returns an error if the writer is no language model, or its name, address or key cannot be used.
    pub fn writing_study(
        &self,
        writer: &JudgeSettings,
        environment: Option<Environment<'_>>,
        options: AnswerStudyOptions,
    ) -> Result<Option<Study>, SynthesisError> {
        let of = |category: QuestionCategory| {
            let of_round = self.items.iter().skip(self.round);
            let items = of_round.filter(move |item| item.category == category);
            let passages: Vec<&Passage> = items.filter_map(|item| self.passages.get(item.passage)).collect();
            let (id, text) = (category.name().to_owned(), category.name().to_owned());
            (Topic { id, text }, passages)
        };
        let asked = QuestionCategory::ALL.into_iter().map(of).filter(|(_, passages)| !passages.is_empty());
        let made = ModelWriter::new(writer, QuestionForm::new()?, scale()?, environment)?;
        let kind = JudgeKind::Custom { judge: CustomJudge(std::sync::Arc::new(made)) };
        study(Pairs::of(asked), JudgeSettings { kind, ..writer.clone() }, options)
    }

    /// Takes the writer's questions, and drops duplicates.
    pub fn take_questions(&mut self, evidence: &StudyEvidence) {
        let answers = Answers::of(evidence);
        let round = self.round;
        for at in round..self.items.len() {
            let Some(item) = self.items.get(at) else { continue };
            let Some(passage) = self.passages.get(item.passage) else { continue };
            let (fate, question) = answers.written(item.category, passage);
            let words = question.as_ref().map(|question| QuestionWords::of(&question.question));
            let earlier = self.items.iter().take(at).filter(|other| other.stands());
            let mut earlier = earlier.filter_map(|other| other.words.as_ref());
            let is_duplicate = words
                .as_ref()
                .is_some_and(|words| earlier.any(|other| words.is_like(other, self.options.similar)));
            if let Some(item) = self.items.get_mut(at) {
                item.fate = if is_duplicate { Fate::Duplicate } else { fate };
                (item.written, item.words) = (question, words);
            }
        }
    }

    /// Returns this round's unchecked questions, for an encoder.
    pub fn questions(&self) -> Vec<&str> {
        self.to_check(|_| true).map(|(_, question)| question).collect()
    }

    /// Drops questions whose meaning is close to another's: the cosine of their vectors is at least `cosine`. `vectors`
    /// are those of [`questions`](Self::questions), in their order, each of length 1 (or 0, which is close to none).
    pub fn drop_near(&mut self, vectors: Vec<Vec<f32>>, cosine: f64) {
        let places: Vec<usize> = self.to_check(|_| true).map(|(at, _)| at).collect();
        for (at, vector) in places.into_iter().zip(vectors) {
            let near = |other: &Vec<f32>| {
                let product: f32 = other.iter().zip(&vector).map(|(one, other)| one * other).sum();
                f64::from(product) >= cosine
            };
            let earlier = self.items.iter().take(at).filter(|other| other.stands());
            let is_near = earlier.filter_map(|other| other.vector.as_ref()).any(near);
            if let Some(item) = self.items.get_mut(at) {
                item.vector = Some(vector);
                if is_near {
                    item.fate = Fate::NearDuplicate;
                }
            }
        }
    }

    /// Returns this round's questions out of context that their own passages do not answer. Other passages may answer
    /// them.
    pub fn out_of_context(&self) -> Vec<&str> {
        self.to_check(|item| item.own_declines).map(|(_, question)| question).collect()
    }

    /// Adds the nearest passages to the check of each question [out of context](Self::out_of_context), in the order of
    /// these. `found_by` names the search that found them.
    pub fn check_nearest(&mut self, nearest: Vec<Vec<Passage>>, found_by: &str) {
        let places: Vec<usize> = self.to_check(|item| item.own_declines).map(|(at, _)| at).collect();
        for (at, mut nearest) in places.into_iter().zip(nearest) {
            let own = self.items.get(at).and_then(|item| self.passages.get(item.passage)).map(Passage::id);
            nearest.retain(|passage| Some(passage.id()) != own);
            if let Some(item) = self.items.get_mut(at) {
                item.nearest = nearest;
                item.found_by = Some(found_by.to_owned());
            }
        }
    }

    /// Returns the number of this round's questions out of context.
    pub fn out_of_context_asked(&self) -> usize {
        self.items.iter().skip(self.round).filter(|item| !item.category.is_answered()).count()
    }

    fn to_check(&self, wanted: impl Fn(&Item) -> bool) -> impl Iterator<Item = (usize, &str)> {
        let items = self.items.iter().enumerate().skip(self.round);
        let items = items.filter(move |(_, item)| item.fate == Fate::NotChecked && wanted(item));
        items.filter_map(|(at, item)| Some((at, item.written.as_ref()?.question.as_str())))
    }

    /// Returns the study that checks this round's questions against their own passages; `None` without any.
    ///
    /// # Errors
    /// Returns an error if the study cannot be made of this judge.
    pub fn checking_study(
        &self,
        checker: JudgeSettings,
        options: AnswerStudyOptions,
    ) -> Result<Option<Study>, SynthesisError> {
        self.checked(|item| self.passages.get(item.passage).into_iter().collect(), checker, options)
    }

    /// Returns the study that checks this round's questions out of context against the [nearest
    /// passages](Self::check_nearest); `None` without any.
    ///
    /// # Errors
    /// Returns an error if the study cannot be made of this judge.
    pub fn nearest_study(
        &self,
        checker: JudgeSettings,
        options: AnswerStudyOptions,
    ) -> Result<Option<Study>, SynthesisError> {
        self.checked(|item| item.nearest.iter().collect(), checker, options)
    }

    fn checked<'a>(
        &'a self,
        against: impl Fn(&'a Item) -> Vec<&'a Passage>,
        checker: JudgeSettings,
        options: AnswerStudyOptions,
    ) -> Result<Option<Study>, SynthesisError> {
        let pairs = self.items.iter().enumerate().skip(self.round).filter_map(|(at, item)| {
            let question = item.written.as_ref().filter(|_| item.fate == Fate::NotChecked)?;
            let passages = Some(against(item)).filter(|passages| !passages.is_empty())?;
            Some((Topic { id: question_id(at), text: asked(question) }, passages))
        });
        study(Pairs::of(pairs), checker, options)
    }

    /// Takes the checks of own passages: a question is accepted if its passage answers it as expected. One out of
    /// context that its own passage does not answer is [decided later](Self::take_nearest).
    pub fn take_checks(&mut self, evidence: &StudyEvidence) {
        let answers = Answers::of(evidence);
        for (at, item) in self.items.iter_mut().enumerate().skip(self.round) {
            let Some(passage) = self.passages.get(item.passage).filter(|_| item.fate == Fate::NotChecked)
            else {
                continue;
            };
            let own = answers.status(&question_id(at), &passage.id());
            let fate =
                if item.category.is_answered() { Some(fate_of_answered(own)) } else { fate_by_own(own) };
            item.own_declines = fate.is_none();
            item.fate = fate.unwrap_or(Fate::NotChecked);
        }
    }

    /// Takes the checks of the nearest passages. A question out of context is accepted if no nearest passage answers
    /// it, or if it has none. `None` is for a round without such a study.
    pub fn take_nearest(&mut self, evidence: Option<&StudyEvidence>) {
        let answers = evidence.map(Answers::of);
        for (at, item) in self.items.iter_mut().enumerate().skip(self.round) {
            if item.fate != Fate::NotChecked || !item.own_declines {
                continue;
            }
            let topic = question_id(at);
            let status = |passage: &Passage| answers.as_ref()?.status(&topic, &passage.id());
            let nearest: Vec<_> = item.nearest.iter().map(status).collect();
            item.fate = fate_by_nearest(&nearest);
            if item.fate == Fate::AnsweredElsewhere {
                let yes = nearest.iter().position(|status| status.and_then(Status::grade) == Some(YES));
                item.answered_by = yes.and_then(|at| item.nearest.get(at)).map(Passage::id);
            }
        }
    }

    /// Accepts this round's questions without a check.
    pub fn accept_unchecked(&mut self) {
        for item in self.items.iter_mut().skip(self.round).filter(|item| item.fate == Fate::NotChecked) {
            item.fate = Fate::Accepted;
        }
    }

    /// Returns the accepted questions so far, each with its origin.
    ///
    /// # Errors
    /// The prompt is built in; an error would be one of its own.
    pub fn dataset(&self, models: SynthesisModels<'_>) -> Result<EvaluationDataset, SynthesisError> {
        let prompt_hash = QuestionPrompt::new()?.hash().to_string();
        let accepted = self.items.iter().filter(|item| item.fate == Fate::Accepted);
        let query = |(number, item): (usize, &Item)| {
            let (passage, written) = (self.passages.get(item.passage)?, item.written.as_ref()?);
            let check = if item.category.is_answered() { "answered" } else { "not-answered" };
            Some(ExpectedQuery {
                id: format!("synthetic-{}", number + 1),
                text: written.question.clone(),
                expected_answers: written.answer.iter().cloned().collect(),
                expected_doc_ids: Vec::new(),
                origin: Some(QueryOrigin {
                    synthetic: true,
                    category: item.category.name().to_owned(),
                    model: models.writer.to_owned(),
                    documents: vec![passage.document.clone()],
                    characters: Some(passage.characters),
                    prompt_hash: prompt_hash.clone(),
                    seed: Some(self.options.seed.0),
                    checked_by: models.checker.unwrap_or_default().to_owned(),
                    check: models.checker.map(|_| check.to_owned()).unwrap_or_default(),
                    passages_checked: models.checker.map(|_| 1 + item.nearest.len() as u64),
                    passages_found_by: item.found_by.clone().unwrap_or_default(),
                    told_apart_by: models.told_apart_by.unwrap_or_default().to_owned(),
                }),
            })
        };
        let queries = accepted.enumerate().filter_map(query).collect();
        Ok(EvaluationDataset { queries, documents: Vec::new() })
    }

    /// Returns the questions outside of the dataset, with the reasons, in the order of their requests.
    pub fn dropped(&self) -> Vec<DroppedQuestion> {
        let dropped = |item: &Item| {
            let passage = self.passages.get(item.passage)?;
            Some(DroppedQuestion {
                reason: item.fate,
                category: item.category.name(),
                document: passage.document.clone(),
                characters: passage.characters,
                question: item.written.as_ref().map(|written| written.question.clone()),
                answer: item.written.as_ref().and_then(|written| written.answer.clone()),
                answered_by: item.answered_by.clone(),
            })
        };
        self.items.iter().filter(|item| item.fate != Fate::Accepted).filter_map(dropped).collect()
    }

    /// Counts the questions by outcome.
    pub fn counts(&self) -> SynthesisCounts {
        let of = |queue: &CategoryQueue| {
            let items = || self.items.iter().filter(|item| item.category == queue.category);
            CategoryCounts {
                category: queue.category.name(),
                wanted: queue.wanted,
                asked: items().count(),
                questions: items().filter(|item| item.fate == Fate::Accepted).count(),
            }
        };
        let categories = self.queues.iter().map(of).collect();
        let mut counts = SynthesisCounts { categories, ..SynthesisCounts::default() };
        for item in self.items.iter().filter(|item| item.fate != Fate::Accepted) {
            *counts.dropped.entry(item.fate).or_default() += 1;
        }
        counts
    }
}

/// The name of a question in a ledger.
fn question_id(at: usize) -> String {
    format!("question {}", at + 1)
}

/// Makes a study in memory of pairs and one judge; `None` if there are no pairs.
fn study(
    pairs: Pairs,
    judge: JudgeSettings,
    options: AnswerStudyOptions,
) -> Result<Option<Study>, SynthesisError> {
    if pairs.deepest == 0 {
        return Ok(None);
    }
    let study = Study::builder()
        .name("synthetic questions")
        .topics(pairs.topics)
        .corpus(pairs.documents)
        .run(pairs.run)
        .rubric(answers_question_rubric().map_err(llull_study::StudyError::from)?)
        .pool_depth(pairs.deepest)
        .judge_settings(judge);
    Ok(Some(options.without_rechecks().build(study)?))
}

/// A study's answers, by the identifiers of topic and document.
struct Answers<'a> {
    judge: Option<&'a JudgeEvidence>,
    places: FxHashMap<(&'a str, &'a str), usize>,
}

impl<'a> Answers<'a> {
    fn of(evidence: &'a StudyEvidence) -> Self {
        let cases = evidence.pooled.cases().enumerate();
        let places =
            cases.map(|(place, case)| ((case.topic.id.as_str(), case.document_id()), place)).collect();
        Self { judge: evidence.judges.judges().first(), places }
    }

    fn status(&self, topic: &str, document: &str) -> Option<&'a Status> {
        let place = *self.places.get(&(topic, document))?;
        self.judge.map(|judge| judge.status(place))
    }

    /// Returns the question about a passage.
    fn written(
        &self,
        category: QuestionCategory,
        passage: &Passage,
    ) -> (Fate, Option<llull_judge::WrittenQuestion>) {
        let id = passage.id();
        match self.status(category.name(), &id) {
            Some(status) if status.grade().is_some_and(|grade| grade != WRITTEN) => (Fate::Declined, None),
            Some(Status::Judged(_)) => {
                let place = self.places.get(&(category.name(), id.as_str())).copied();
                let said = place.and_then(|place| self.judge?.rationale(place)).and_then(written);
                (if said.is_some() { Fate::NotChecked } else { Fate::Unusable }, said)
            }
            Some(Status::Unusable { .. } | Status::Refused(_)) => (Fate::Unusable, None),
            _ => (Fate::NotWritten, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use llull_core::Seed;
    use llull_judge::WrittenQuestion;

    use super::*;

    /// The cosine decides, to the point, and what is dropped is no measure for others.
    #[test]
    fn questions_that_mean_the_same_are_one() {
        let passage =
            |document: &str| Passage { document: document.into(), characters: [0, 5], text: "words".into() };
        let passages = ["a", "b", "c", "d"].map(passage).to_vec();
        let mut synthesis = Synthesis::new(passages, SynthesisOptions::new(4, Seed(1))).unwrap();
        for at in 0..4 {
            let mut item = Item::new(QuestionCategory::Detail, at);
            item.written = Some(WrittenQuestion { question: format!("question {at}"), answer: None });
            item.fate = Fate::NotChecked;
            synthesis.items.push(item);
        }
        assert_eq!(synthesis.questions().len(), 4);
        // Cosines with the first: .8 and .6; of the second with the third: .96.
        let vectors = vec![vec![1.0, 0.0], vec![0.8, 0.6], vec![0.6, 0.8], vec![0.0, 0.0]];
        synthesis.drop_near(vectors, 0.7);
        let fates: Vec<Fate> = synthesis.items.iter().map(|item| item.fate).collect();
        assert_eq!(fates, [Fate::NotChecked, Fate::NearDuplicate, Fate::NotChecked, Fate::NotChecked]);
        assert_eq!(synthesis.questions(), ["question 0", "question 2", "question 3"]);
    }
}
