//! Judges every result by every expected answer, once.

use std::borrow::Cow;

use indexmap::IndexSet;
use llull_core::{Grade, Qrels, Ranking, Run};
use llull_data::{EvaluationDataset, ExpectedQuery, FoundDocument};
use llull_report::DocumentDetail;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::documents::{QueryDocuments, RankedResult};
use super::found::{FoundAnswer, QueryAnswers, SystemAnswers};
use super::judge::{AnswerJudgment, AnswerQuestion};
use super::results::SystemResults;

/// Labels and runs of expected answers and of results.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AnswerEvaluation {
    /// For each query with expected answers: these answers, with grade 1, and the ranks of results without one, with
    /// grade 0. A result that could not be judged has no label.
    pub qrels: Qrels,
    /// Each system's results under these names, in the order of the systems.
    pub runs: Vec<Run>,
    /// The answers that each system found.
    pub systems: Vec<SystemAnswers>,
    /// The number of different contexts (query, expected answer, text) that were judged.
    pub judged: usize,
    /// The queries without an expected answer, which no figure counts.
    pub expecting_nothing: Vec<String>,
    /// The number of each system's queries with results that the dataset lacks.
    pub unknown: Vec<usize>,
    /// The documents of each query with expected answers, in the order of `qrels`, for a report. Empty without
    /// [`keeping_documents`](GatheredAnswers::keeping_documents).
    pub documents: Vec<Vec<DocumentDetail>>,
}

/// Expected answers, and every different retrieved text, as questions for a judge. The first `depth` results of each
/// query count, or all with `None`. A text of several systems or ranks is judged once.
///
/// A result is judged by its text, or else by the dataset's document of that identifier. A judge that [reads
/// identifiers](super::AnswerJudge::reads_identifiers) judges it by all of identifier, document and text. If a query
/// names documents, results are compared by identifier, without the judge.
pub struct GatheredAnswers<'a> {
    dataset: &'a EvaluationDataset,
    systems: &'a [SystemResults],
    gathered: Vec<Gathered<'a>>,
    keeps_documents: bool,
}

impl<'a> GatheredAnswers<'a> {
    /// Gathers the questions. With `reads_identifiers` a result is judged by all of its
    /// identifier, the dataset's document and its own text.
    pub fn new(
        dataset: &'a EvaluationDataset,
        systems: &'a [SystemResults],
        depth: Option<usize>,
        reads_identifiers: bool,
    ) -> Self {
        let documents =
            dataset.documents.iter().map(|document| (document.id.as_str(), document.text.as_str()));
        let rules = QuestionRules { documents: documents.collect(), reads_identifiers, depth };
        let expecting = dataset.queries.iter().filter(|query| expects(query));
        let gathered = expecting.map(|query| rules.gather(query, systems)).collect();
        Self { dataset, systems, gathered, keeps_documents: false }
    }

    /// Makes the evaluation save the beginnings of retrieved texts, for a report.
    #[must_use]
    pub fn keeping_documents(self) -> Self {
        Self { keeps_documents: true, ..self }
    }

    /// Returns the questions, query by query.
    pub fn questions(&self) -> Vec<AnswerQuestion<'_>> {
        self.gathered.iter().map(Gathered::question).collect()
    }

    /// Returns labels and runs. `judged` has for each question its texts in turn, and for each text one judgment by
    /// each expected answer.
    pub fn evaluation(&self, judged: Vec<Vec<AnswerJudgment>>) -> AnswerEvaluation {
        let nothing = self.dataset.queries.iter().filter(|query| !expects(query));
        let mut evaluation = AnswerEvaluation {
            judged: self.questions().iter().map(AnswerQuestion::contexts).sum(),
            expecting_nothing: nothing.map(|query| query.id.clone()).collect(),
            unknown: unknown(self.dataset, self.systems),
            ..AnswerEvaluation::default()
        };
        for system in self.systems {
            evaluation.runs.push(Run::new(&system.name));
            evaluation.systems.push(SystemAnswers { system: system.name.clone(), queries: Vec::new() });
        }
        for (gathered, judged) in self.gathered.iter().zip(judged) {
            let judged = JudgedTexts { gathered, judged };
            evaluation.add(&judged);
            if self.keeps_documents {
                evaluation.documents.push(judged.documents());
            }
        }
        evaluation
    }
}

fn expects(query: &ExpectedQuery) -> bool {
    !(query.expected_doc_ids.is_empty() && query.expected_answers.is_empty())
}

impl AnswerEvaluation {
    /// Adds a query.
    fn add(&mut self, judged: &JudgedTexts<'_>) {
        let query = &judged.gathered.query.id;
        let expected = 1..=judged.gathered.expected.len();
        let mut labels: Labels = expected.map(|number| (format!("expected {number}"), 1)).collect();
        let systems = self.runs.iter_mut().zip(&mut self.systems);
        for ((run, answers), own) in systems.zip(&judged.gathered.systems) {
            let (ranking, found) = judged.of_system((&run.name, own.as_ref()), &mut labels);
            if let Some(ranking) = ranking {
                run.insert(query, ranking);
            }
            answers.queries.push(found);
        }
        for (document, grade) in &labels {
            self.qrels.insert(query, document, *grade);
        }
    }
}

fn unknown(dataset: &EvaluationDataset, systems: &[SystemResults]) -> Vec<usize> {
    let known: FxHashSet<&str> = dataset.queries.iter().map(|query| query.id.as_str()).collect();
    let of = |system: &SystemResults| {
        system.queries.keys().filter(|query| !known.contains(query.as_str())).count()
    };
    systems.iter().map(of).collect()
}

/// The rules that turn results into questions.
struct QuestionRules<'a> {
    documents: FxHashMap<&'a str, &'a str>,
    reads_identifiers: bool,
    depth: Option<usize>,
}

type Labels = IndexSet<(String, Grade), FxBuildHasher>;

/// A system's results for a query, and the numbers of their texts among the query's.
struct OwnResults<'a> {
    found: &'a [FoundDocument],
    texts: Vec<Vec<usize>>,
}

/// The expected answers of a query, and every different text of its results.
struct Gathered<'a> {
    query: &'a ExpectedQuery,
    /// Whether documents are expected by their identifiers.
    by_id: bool,
    expected: Vec<&'a str>,
    texts: IndexSet<Cow<'a, str>, FxBuildHasher>,
    /// The results of each system that answered.
    systems: Vec<Option<OwnResults<'a>>>,
}

impl Gathered<'_> {
    /// The question for a judge; it is empty if identifiers are compared.
    fn question(&self) -> AnswerQuestion<'_> {
        let (expected, texts) = match self.by_id {
            true => (Vec::new(), Vec::new()),
            false => (self.expected.clone(), self.texts.iter().map(AsRef::as_ref).collect()),
        };
        AnswerQuestion { query: &self.query.text, expected, texts }
    }
}

/// Judgments of a query's texts by its expected answers.
struct JudgedTexts<'a> {
    gathered: &'a Gathered<'a>,
    judged: Vec<AnswerJudgment>,
}

impl<'a> QuestionRules<'a> {
    fn gather(&self, query: &'a ExpectedQuery, systems: &'a [SystemResults]) -> Gathered<'a> {
        let by_id = !query.expected_doc_ids.is_empty();
        let mut texts: IndexSet<Cow<'a, str>, FxBuildHasher> = IndexSet::default();
        let mut own = |system: &'a SystemResults| {
            let found = system.queries.get(&query.id)?;
            let found = found.get(..self.depth.unwrap_or(found.len()).min(found.len()))?;
            let texts_of = |result: &'a FoundDocument| {
                let of = if by_id { vec![result.document.id.as_str().into()] } else { self.texts(result) };
                of.into_iter().map(|text| texts.insert_full(text).0).collect()
            };
            Some(OwnResults { found, texts: found.iter().map(texts_of).collect() })
        };
        let systems = systems.iter().map(&mut own).collect();
        let expected = match by_id {
            true => query.expected_doc_ids.iter().map(String::as_str).collect(),
            false => different(&query.expected_answers),
        };
        Gathered { query, by_id, expected, texts, systems }
    }

    /// The texts by which a result is judged.
    fn texts(&self, result: &'a FoundDocument) -> Vec<Cow<'a, str>> {
        let own = (!result.document.is_blank()).then(|| result.document.shown());
        let document = self.documents.get(result.document.id.as_str()).copied();
        let document = document.filter(|text| !text.trim().is_empty()).map(Cow::from);
        match self.reads_identifiers {
            true => {
                let all = [Some(result.document.id.as_str().into()), document, own];
                all.into_iter().flatten().collect()
            }
            false => own.or(document).into_iter().collect(),
        }
    }
}

impl JudgedTexts<'_> {
    /// The judgment of a text; `None` if identifiers are compared.
    fn judgment(&self, text: usize, answer: usize) -> Option<&AnswerJudgment> {
        self.judged.get(text * self.gathered.expected.len() + answer)
    }

    /// Whether a text contains an answer; `None` without a usable judgment.
    fn holds(&self, text: usize, answer: usize) -> Option<bool> {
        let Gathered { by_id, texts, expected, .. } = self.gathered;
        match by_id {
            true => Some(texts.get_index(text).map(AsRef::as_ref) == expected.get(answer).copied()),
            false => self.judgment(text, answer).and_then(AnswerJudgment::matches),
        }
    }

    /// A system's ranking under the labels' names, and the answers that it found. Ranks without an answer become
    /// labels.
    fn of_system(
        &self,
        (system, own): (&str, Option<&OwnResults<'_>>),
        labels: &mut Labels,
    ) -> (Option<Ranking>, QueryAnswers) {
        let query = self.gathered.query.id.clone();
        let mut answers = QueryAnswers { query, answered: own.is_some(), ..QueryAnswers::default() };
        let mut left: Vec<Option<&str>> = self.gathered.expected.iter().copied().map(Some).collect();
        let ranking = own.map(|own| {
            let mut names = Vec::new();
            for (at, (place, result)) in self.places(own).into_iter().zip(own.found).enumerate() {
                let rank = at + 1;
                names.push(match place {
                    Place::Answer { answer, text } => {
                        left.get_mut(answer).and_then(Option::take);
                        let text = own.texts.get(at).and_then(|own| own.get(text)).copied();
                        answers.found.push(self.found(answer, text.unwrap_or_default(), rank, result));
                        format!("expected {}", answer + 1)
                    }
                    Place::None => {
                        let name = format!("result {rank}");
                        labels.insert((name.clone(), 0));
                        name
                    }
                    Place::Unjudged => {
                        let has_text = own.texts.get(at).is_some_and(|texts| !texts.is_empty());
                        answers.without_text += usize::from(!has_text);
                        answers.unusable += usize::from(has_text);
                        // Another system's unjudged result at this rank may be another text.
                        format!("unjudged {rank} of {system}")
                    }
                });
            }
            Ranking::from_ordered(names.iter().enumerate().map(|(at, name)| (name.as_str(), -(at as f64))))
        });
        answers.never_found = left.into_iter().flatten().map(str::to_owned).collect();
        (ranking, answers)
    }

    /// The results of all systems in one table, and the answers that none of them found.
    fn documents(&self) -> Vec<DocumentDetail> {
        let Gathered { systems, expected, texts, .. } = self.gathered;
        let mut documents = QueryDocuments::new(systems.len());
        let mut left: Vec<bool> = vec![true; expected.len()];
        for (system, own) in systems.iter().enumerate().filter_map(|(at, own)| Some((at, own.as_ref()?))) {
            for (at, (place, result)) in self.places(own).into_iter().zip(own.found).enumerate() {
                let texts_of = own.texts.get(at).map(Vec::as_slice).unwrap_or_default();
                let (grade, because, text) = match place {
                    Place::Answer { answer, text } => {
                        if let Some(left) = left.get_mut(answer) {
                            *left = false;
                        }
                        let text = texts_of.get(text).copied();
                        let found = self.found(answer, text.unwrap_or_default(), at + 1, result);
                        (Some(1), Some(format!("{}: {}", found.expected, found.because)), text)
                    }
                    Place::None => (Some(0), None, texts_of.first().copied()),
                    Place::Unjudged => {
                        let why = if texts_of.is_empty() { "without_text" } else { "unusable" };
                        (None, Some(why.to_owned()), texts_of.first().copied())
                    }
                };
                let judged_by = text.and_then(|text| texts.get_index(text)).map(AsRef::as_ref);
                // If identifiers are compared, they are the texts.
                let text = judged_by.filter(|_| !self.gathered.by_id).unwrap_or(&result.document.text);
                documents.add(RankedResult { system, rank: at + 1, result, text, grade, because });
            }
        }
        let missed = expected.iter().enumerate().zip(left).filter(|(_, left)| *left);
        documents.finish(missed.map(|((number, answer), _)| (number, *answer)))
    }

    fn places(&self, own: &OwnResults<'_>) -> Vec<Place> {
        let lengths = own.texts.iter().map(Vec::len);
        map_results(self.gathered.expected.len(), lengths, |result, text, answer| {
            self.holds(*own.texts.get(result)?.get(text)?, answer)
        })
    }

    fn found(&self, answer: usize, text: usize, rank: usize, result: &FoundDocument) -> FoundAnswer {
        let Gathered { expected, texts, .. } = self.gathered;
        let (because, facts, passage) = match self.judgment(text, answer) {
            Some(AnswerJudgment::Judged { because, .. }) => {
                let passage = texts.get_index(text).map(AsRef::as_ref).unwrap_or_default();
                (because.to_string(), because.facts(), passage)
            }
            Some(AnswerJudgment::Unusable(_)) | None => ("the expected document".to_owned(), None, ""),
        };
        FoundAnswer {
            expected: expected.get(answer).copied().unwrap_or_default().to_owned(),
            rank,
            document: result.document.id.clone(),
            because,
            facts,
            passage: passage.to_owned(),
        }
    }
}

/// The answers that differ in more than case and spaces.
fn different(answers: &[String]) -> Vec<&str> {
    let mut folded = FxHashSet::default();
    let fold = |answer: &str| answer.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ");
    answers.iter().map(String::as_str).filter(|answer| folded.insert(fold(answer))).collect()
}

/// The outcome of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It contains the answer at this position, in its own text at this position.
    Answer { answer: usize, text: usize },
    /// It contains none of the remaining answers.
    None,
    /// It has no text, or no usable judgment by one of the remaining answers.
    Unjudged,
}

/// Maps results, best first, to the first remaining answer that each contains: the rule of evret 0.0.3.
///
/// `texts` has the number of texts of each result; `holds` returns whether a result's text contains an answer, if that
/// is known.
pub(super) fn map_results(
    answers: usize,
    texts: impl IntoIterator<Item = usize>,
    holds: impl Fn(usize, usize, usize) -> Option<bool>,
) -> Vec<Place> {
    let mut taken = vec![false; answers];
    let place = |(result, texts): (usize, usize)| {
        if texts == 0 {
            return Place::Unjudged;
        }
        let mut known = true;
        for (answer, taken) in taken.iter_mut().enumerate().filter(|(_, taken)| !**taken) {
            for text in 0..texts {
                match holds(result, text, answer) {
                    Some(true) => {
                        *taken = true;
                        return Place::Answer { answer, text };
                    }
                    Some(false) => {}
                    None => known = false,
                }
            }
        }
        if known { Place::None } else { Place::Unjudged }
    };
    texts.into_iter().enumerate().map(place).collect()
}

#[cfg(test)]
mod tests {
    use llull_core::Document;
    use llull_judge::{OverlapOptions, TokenOverlap};
    use llull_metrics::{Measure, evaluate_all};

    use super::super::judge::AnswerJudge;
    use super::*;

    fn found(id: &str, text: &str) -> FoundDocument {
        let document = Document { id: id.into(), title: String::new(), text: text.into() };
        FoundDocument { document, score: 0.0 }
    }

    fn system(name: &str, queries: &[(&str, &[(&str, &str)])]) -> SystemResults {
        let results = |results: &[(&str, &str)]| results.iter().map(|(id, text)| found(id, text)).collect();
        let queries = queries.iter().map(|(query, found)| ((*query).to_owned(), results(found)));
        SystemResults { name: name.into(), queries: queries.collect(), ..Default::default() }
    }

    fn query(id: &str, answers: &[&str], documents: &[&str]) -> ExpectedQuery {
        let owned = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
        ExpectedQuery {
            origin: None,
            id: id.into(),
            text: "what".into(),
            expected_answers: owned(answers),
            expected_doc_ids: owned(documents),
        }
    }

    fn evaluated(dataset: &EvaluationDataset, systems: &[SystemResults], depth: usize) -> AnswerEvaluation {
        let matcher = TokenOverlap::new(OverlapOptions::default()).unwrap();
        let gathered = GatheredAnswers::new(dataset, systems, Some(depth), matcher.reads_identifiers());
        let judged = matcher.judge(&gathered.questions()).unwrap();
        gathered.evaluation(judged)
    }

    #[test]
    fn an_answer_counts_once_and_a_text_is_judged_once() {
        let dataset = EvaluationDataset {
            queries: vec![query("q1", &["red wine", "RED  wine", "white wine"], &[]), query("q2", &[], &[])],
            documents: vec![Document { id: "d4".into(), title: String::new(), text: "white wine".into() }],
        };
        let a: &[(&str, &str)] = &[("d1", "red wine"), ("d1", "a red wine"), ("d3", ""), ("d4", "")];
        let b: &[(&str, &str)] = &[("d1", "red wine"), ("d9", "beer")];
        let systems = [system("a", &[("q1", a), ("q9", b)]), system("b", &[("q1", b)]), system("c", &[])];
        let found = evaluated(&dataset, &systems, 10);
        // texts: "red wine" of both systems, "a red wine", "white wine" of the dataset, "beer"; two answers
        assert_eq!((found.judged, found.unknown.as_slice()), (8, &[1, 0, 0][..]));
        assert_eq!(found.expecting_nothing, ["q2"]);
        let of = |system: usize| &found.systems[system].queries[0];
        let ranks: Vec<_> = of(0).found.iter().map(|found| (found.rank, found.expected.as_str())).collect();
        assert_eq!(ranks, [(1, "red wine"), (4, "white wine")]);
        assert_eq!((of(0).without_text, of(0).never_found.len()), (1, 0));
        assert_eq!(of(1).never_found, ["white wine"]);
        assert_eq!((of(2).answered, of(2).never_found.len()), (false, 2));
        let measures: Vec<Measure> =
            ["R@4", "P@4", "AP@4", "Judged@4"].map(|name| name.parse().unwrap()).into();
        let scores = evaluate_all(&measures, &found.qrels, &found.runs);
        let means = |system: usize| (0..4).map(|at| scores[system].mean(at).unwrap()).collect::<Vec<_>>();
        assert_eq!(means(0), [1.0, 0.5, 0.75, 0.75]);
        assert_eq!(means(1), [0.5, 0.25, 0.5, 1.0]);
        assert_eq!(scores[2].missing(), 1);
        // Only as deep as the measures look.
        assert_eq!(evaluated(&dataset, &systems, 2).systems[0].queries[0].never_found, ["white wine"]);
    }

    #[test]
    fn documents_that_are_expected_are_told_by_identifier() {
        let dataset =
            EvaluationDataset { queries: vec![query("q1", &["beer"], &["d2", "d5"])], documents: Vec::new() };
        let systems = [system("a", &[("q1", &[("d1", "beer"), ("d2", ""), ("d2", "")])])];
        let found = evaluated(&dataset, &systems, 10);
        let query = &found.systems[0].queries[0];
        assert_eq!((found.judged, query.found.len(), query.found[0].rank), (0, 1, 2));
        assert_eq!((query.never_found.as_slice(), query.without_text), (&["d5".to_owned()][..], 0));
    }

    #[test]
    fn an_answer_is_taken_by_the_best_result_that_holds_it() {
        let holds = [[vec![true, true]], [vec![true, false]], [vec![true, true]], [vec![true, true]]];
        let places = map_results(2, [1, 1, 1, 1], |result, text, answer| Some(holds[result][text][answer]));
        let answer = |answer| Place::Answer { answer, text: 0 };
        assert_eq!(places, [answer(0), Place::None, answer(1), Place::None]);
    }

    #[test]
    fn the_answer_decides_before_the_text_and_no_text_is_no_judgment() {
        let places = map_results(2, [0, 2], |_, text, answer| Some(text != answer));
        assert_eq!(places, [Place::Unjudged, Place::Answer { answer: 0, text: 1 }]);
    }

    #[test]
    fn what_a_judge_did_not_say_is_not_a_no() {
        let said = [[None, Some(true)], [None, Some(false)], [Some(false), Some(false)]];
        let places = map_results(2, [1, 1, 1], |result, _, answer| said[result][answer]);
        assert_eq!(places, [Place::Answer { answer: 1, text: 0 }, Place::Unjudged, Place::None]);
    }
}
