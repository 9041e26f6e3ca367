//! Judges that compare words, without a model: the lexical baseline and students.

use std::cmp::Reverse;
use std::sync::Arc;

use futures::future::BoxFuture;
use llull_core::{
    Answer, ComparedVerdict, Document, GradedVerdict, Hash, JudgeSpec, KeyBuilder, Paradigm, Reason, Scale,
    TaskKey, Unusable, Verdict,
};
use llull_judge::{Idf, Meanings, Similarity, Student, UngradedReason};

use super::{
    task_key::{NO_RUBRIC, TASK},
    tied_order::tied_order,
};
use crate::{
    case::Case,
    judge::{Judge, JudgeIdentity},
};

/// A grader of documents by their words, in this process.
pub trait WordGrader: Send + Sync + 'static {
    /// Returns the model that its answers are recorded under.
    fn model(&self) -> &str;

    /// Returns the hash of everything that decides its answers.
    fn hash(&self) -> Hash;

    /// Returns the grades that it may give.
    fn scale(&self) -> Scale;

    /// Grades a document, with a value that is finer than the grade.
    ///
    /// # Errors
    /// Returns why there is no grade.
    fn grade(&self, query: &str, document: &Document) -> Result<(GradedVerdict, f64), UngradedReason>;
}

/// Grades by its [coverage](llull_judge::WordCoverage::coverage) of the query. Its labels should not be relied on.
impl WordGrader for Similarity {
    fn model(&self) -> &str {
        "similarity"
    }

    fn hash(&self) -> Hash {
        self.hash()
    }

    fn scale(&self) -> Scale {
        self.scale()
    }

    fn grade(&self, query: &str, document: &Document) -> Result<(GradedVerdict, f64), UngradedReason> {
        let coverage = self.grade(query, &document.shown()).ok_or(UngradedReason::NoWord)?;
        let verdict = GradedVerdict {
            grade: coverage.grade,
            facets_covered: coverage.matched,
            facets_missing: coverage.missing,
            ..GradedVerdict::default()
        };
        Ok((verdict, coverage.coverage))
    }
}

/// A [`Student`] with a name and the corpus statistics that it needs.
#[derive(Debug, Clone)]
pub struct NamedStudent {
    model: String,
    student: Student,
    idf: Idf,
    meanings: Arc<Meanings>,
    scale: Scale,
}

impl NamedStudent {
    /// Makes one that is recorded as `student:NAME`. The scale is one that [`Student::check_scale`] has checked;
    /// meanings are of its encoder, if it has one.
    pub fn new(name: &str, student: Student, idf: Idf, meanings: Arc<Meanings>, scale: Scale) -> Self {
        Self { model: format!("student:{name}"), student, idf, meanings, scale }
    }

    /// Returns the student.
    pub fn student(&self) -> &Student {
        &self.student
    }
}

impl WordGrader for NamedStudent {
    fn model(&self) -> &str {
        &self.model
    }

    fn hash(&self) -> Hash {
        self.student.hash(&self.idf)
    }

    fn scale(&self) -> Scale {
        self.scale
    }

    fn grade(&self, query: &str, document: &Document) -> Result<(GradedVerdict, f64), UngradedReason> {
        let found = self.student.grade(query, document, &self.idf, &self.meanings, self.scale)?;
        let verdict = GradedVerdict { grade: found.grade, ..GradedVerdict::default() };
        Ok((verdict, found.score))
    }
}

/// A judge that grades a document by its words, or orders several by the value behind the grade, which is finer; equal
/// values are a tie. It never contradicts itself.
#[derive(Debug, Clone)]
pub struct WordJudge<G> {
    name: String,
    grader: G,
    concurrency: usize,
    spec: JudgeSpec,
    fingerprint: Hash,
}

/// The lexical baseline as a judge.
pub type SimilarityJudge = WordJudge<Similarity>;

/// A student as a judge.
pub type StudentJudge = WordJudge<NamedStudent>;

impl<G: WordGrader> WordJudge<G> {
    /// Creates a judge for questions of a paradigm. The best `concurrency` is the number of processors.
    pub fn new(name: impl Into<String>, grader: G, paradigm: Paradigm, concurrency: usize) -> Self {
        let spec = JudgeSpec {
            paradigm,
            model: grader.model().to_owned(),
            prompt: String::new(),
            prompt_hash: grader.hash(),
            rubric_hash: NO_RUBRIC,
            scale: grader.scale(),
            sampling: None,
            options: Default::default(),
        };
        let fingerprint = spec.fingerprint();
        Self { name: name.into(), grader, concurrency, spec, fingerprint }
    }

    fn look_at(&self, case: &Case<'_>, document: Option<&Document>) -> Result<(GradedVerdict, f64), String> {
        let document = document.ok_or("the document has no text")?;
        self.grader.grade(&case.topic.text, document).map_err(|why| why.to_string())
    }

    fn grade(&self, case: &Case<'_>) -> Result<Verdict, String> {
        Ok(Verdict::Graded(self.look_at(case, case.document())?.0))
    }

    fn compare(&self, case: &Case<'_>) -> Result<Verdict, String> {
        let value = |document: Option<&Document>| Ok(Reverse(rounded(self.look_at(case, document)?.1)));
        let values: Vec<_> = case.documents().map(value).collect::<Result<_, String>>()?;
        let order = tied_order(&values);
        Ok(Verdict::Compared(ComparedVerdict { order, ..ComparedVerdict::default() }))
    }
}

/// Rounds a value to billionths, so that values of the same words compare equal in spite of rounding errors.
fn rounded(value: f64) -> i64 {
    (value * 1e9).round() as i64
}

impl<G: WordGrader> JudgeIdentity for WordJudge<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn key(&self, case: &Case<'_>, _sample: u32) -> TaskKey {
        let key = KeyBuilder::new(TASK).part("judge", &self.fingerprint.0).text("query", &case.topic.text);
        case.texts().fold(key, |key, document| key.text("document", &document)).finish()
    }

    fn in_process(&self) -> bool {
        true
    }
}

impl<G: WordGrader> Judge for WordJudge<G> {
    fn concurrency(&self) -> usize {
        self.concurrency
    }

    fn ask<'a>(&'a self, case: Case<'a>, _sample: u32) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            let verdict = match self.spec.paradigm {
                Paradigm::Graded => self.grade(&case),
                Paradigm::Pairwise | Paradigm::Listwise => self.compare(&case),
            };
            let unusable = |detail| Unusable { reason: Reason::NoAnswer, detail };
            Answer::computed(verdict.map_err(unusable).into())
        })
    }
}
