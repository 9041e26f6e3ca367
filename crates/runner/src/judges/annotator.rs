//! An annotator whose grades and comparisons are recorded like a judge's.

use llull_core::{
    Answer, Attempt, ComparedVerdict, GradedVerdict, Hash, JudgeSpec, KeyBuilder, Outcome, Paradigm, Reason,
    Scale, TaskKey, Unusable, Verdict,
};

use super::task_key::TASK;
use crate::{case::Case, clock::now_ms, judge::JudgeIdentity};

/// The model's name in the specification of an annotator.
const HUMAN: &str = "human";

/// The option of a specification with the annotator's name: two annotators with one rubric are two judges.
const PERSON: &str = "person";

/// The detail of the unusable outcome that withdraws an answer.
const TAKEN_BACK: &str = "the answer before was taken back";

/// An annotator who grades documents under a rubric, or compares two of them. Answers come from a sheet or from a page
/// in the browser, and are recorded as [attempts](Self::attempt).
#[derive(Debug, Clone)]
pub struct AnnotatorJudge {
    name: String,
    spec: JudgeSpec,
    fingerprint: Hash,
}

impl AnnotatorJudge {
    /// Creates the judge that a person of this name is under a rubric, where documents are graded.
    pub fn new(name: impl Into<String>, rubric_hash: Hash, scale: Scale) -> Self {
        Self::asked_for(Paradigm::Graded, name.into(), rubric_hash, scale)
    }

    /// Creates the judge that a person of this name is under a rubric, where two documents are compared.
    pub fn comparing(name: impl Into<String>, rubric_hash: Hash, scale: Scale) -> Self {
        Self::asked_for(Paradigm::Pairwise, name.into(), rubric_hash, scale)
    }

    fn asked_for(paradigm: Paradigm, name: String, rubric_hash: Hash, scale: Scale) -> Self {
        let spec = JudgeSpec {
            paradigm,
            model: HUMAN.to_owned(),
            prompt: HUMAN.to_owned(),
            prompt_hash: Hash([0; 32]),
            rubric_hash,
            scale,
            sampling: None,
            options: [(PERSON.to_owned(), name.clone())].into(),
        };
        let fingerprint = spec.fingerprint();
        Self { name, spec, fingerprint }
    }

    /// Returns the annotator's name in this specification; `None` for the specification of another kind of judge.
    pub fn annotator(spec: &JudgeSpec) -> Option<&str> {
        (spec.model == HUMAN).then(|| spec.options.get(PERSON).map_or(HUMAN, String::as_str))
    }

    /// Returns the annotator's answer as an attempt of now. `reply` is the answer as it was typed or pressed.
    pub fn attempt(&self, case: &Case<'_>, verdict: GradedVerdict, reply: String) -> Attempt {
        self.recorded(case, Outcome::Judged { verdict: Verdict::Graded(verdict) }, reply)
    }

    /// Returns the annotator's comparison of documents as an attempt of now; positions are those in which they were
    /// shown.
    pub fn comparison(&self, case: &Case<'_>, verdict: ComparedVerdict, reply: String) -> Attempt {
        self.recorded(case, Outcome::Judged { verdict: Verdict::Compared(verdict) }, reply)
    }

    /// Returns an attempt, recorded now, that takes the person's answer before it back: there is no answer then.
    pub fn taken_back(&self, case: &Case<'_>, reply: String) -> Attempt {
        let unusable = Unusable { reason: Reason::NoAnswer, detail: TAKEN_BACK.to_owned() };
        self.recorded(case, Outcome::Unusable(unusable), reply)
    }

    fn recorded(&self, case: &Case<'_>, outcome: Outcome, reply: String) -> Attempt {
        let answer = Answer { reply: Some(reply), ..Answer::computed(outcome) };
        Attempt { at_ms: now_ms(), ..case.attempt(self.key(case, 0), answer) }
    }
}

impl JudgeIdentity for AnnotatorJudge {
    fn name(&self) -> &str {
        &self.name
    }

    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    /// The hash of annotator, rubric, and the pair with its texts: a label does not count for a text that has changed
    /// since.
    fn key(&self, case: &Case<'_>, _sample: u32) -> TaskKey {
        let key = KeyBuilder::new(TASK)
            .part("judge", &self.fingerprint.0)
            .text("topic", &case.topic.id)
            .text("query", &case.topic.text);
        let key = case.document_ids().fold(key, |key, document| key.text("document", document));
        case.texts().fold(key, |key, text| key.text("text", &text)).finish()
    }

    fn needs_text(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use llull_core::{Document, Topic};

    use super::*;
    use crate::{DocumentIndex, PooledDocument};

    #[test]
    fn a_person_is_a_judge_of_a_name_a_rubric_and_the_texts_that_were_shown() {
        let topic = Topic { id: "q".into(), text: "why".into() };
        let document = |text: &str| {
            PooledDocument::Found(Document { id: "d".into(), title: String::new(), text: text.into() })
        };
        let key = |judge: &AnnotatorJudge, text: &str| judge.key(&Case::of_one(&topic, &document(text)), 0);
        let anna = AnnotatorJudge::new("anna", Hash::of(b"rubric"), Scale::default());
        assert_eq!(AnnotatorJudge::annotator(anna.spec()), Some("anna"));
        assert_eq!(key(&anna, "one"), key(&anna, "one"));
        assert_ne!(key(&anna, "one"), key(&anna, "two"));
        assert_ne!(
            key(&anna, "one"),
            key(&AnnotatorJudge::new("ben", Hash::of(b"rubric"), Scale::default()), "one")
        );
        assert_ne!(
            key(&anna, "one"),
            key(&AnnotatorJudge::new("anna", Hash::of(b"other"), Scale::default()), "one")
        );
        let attempt = anna.attempt(
            &Case::of_one(&topic, &document("one")),
            GradedVerdict { grade: 2, ..GradedVerdict::default() },
            "2".into(),
        );
        assert_eq!(
            (attempt.topic.as_str(), attempt.document.as_str(), attempt.key),
            ("q", "d", key(&anna, "one"))
        );
        assert!(attempt.at_ms > 0);
    }

    #[test]
    fn two_documents_are_compared_in_the_order_in_which_they_were_shown() {
        let topic = Topic { id: "q".into(), text: "why".into() };
        let pool = ["a", "b"].map(|id| {
            PooledDocument::Found(Document {
                id: id.into(),
                title: String::new(),
                text: format!("text of {id}"),
            })
        });
        let shown = |order: [u32; 2]| order.map(DocumentIndex);
        let (one, other) = (shown([1, 0]), shown([0, 1]));
        let case = Case::new(&topic, &one, &pool).unwrap();
        let anna = AnnotatorJudge::comparing("anna", Hash::of(b"rubric"), Scale::default());
        let grading = AnnotatorJudge::new("anna", Hash::of(b"rubric"), Scale::default());
        assert_ne!(anna.spec().fingerprint(), grading.spec().fingerprint(), "one person, two judges");
        let verdict = ComparedVerdict { order: vec![vec![0], vec![1]], ..ComparedVerdict::default() };
        let attempt = anna.comparison(&case, verdict, "left".into());
        assert_eq!(
            (attempt.document.as_str(), attempt.documents.clone()),
            ("b", vec!["b".to_owned(), "a".into()])
        );
        assert_eq!(attempt.key, anna.key(&case, 0));
        assert_ne!(
            attempt.key,
            anna.key(&Case::new(&topic, &other, &pool).unwrap(), 0),
            "the sides are in the key"
        );
        assert_eq!(anna.taken_back(&case, String::new()).documents, attempt.documents);
    }
}
