//! `semantic`: judges by the cosine of vectors of passage and answer.

use std::collections::BTreeMap;
use std::sync::Mutex;

use indexmap::IndexSet;
use llull_encoder::{Encoded, Encoder, KeptVectors, TextRole, dot, encode_kept};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::judge::{AnswerJudge, AnswerJudgeError, AnswerJudgment, AnswerQuestion, Because};

/// With all-MiniLM-L6-v2, the cosine of related texts is about .3, that of paraphrases about .8.
const THRESHOLD: f64 = 0.7;

/// A judge that compares vectors of texts. Each answer and each passage is encoded once, in the same way.
pub struct SemanticJudge<'a> {
    name: String,
    encoder: &'a dyn Encoder,
    threshold: f64,
    kept: Mutex<KeptVectors>,
    encoded: Box<dyn Fn(Encoded) + Sync + 'a>,
}

impl<'a> SemanticJudge<'a> {
    /// The default threshold: .7.
    pub const DEFAULT_THRESHOLD: f64 = THRESHOLD;

    /// Returns a judge for which texts from this cosine on match, from -1 to 1. Saved vectors come from `kept`, and new
    /// ones are added to it; `encoded` receives the progress.
    pub fn new(
        encoder: &'a dyn Encoder,
        kept: KeptVectors,
        threshold: f64,
        encoded: impl Fn(Encoded) + Sync + 'a,
    ) -> Self {
        let name = format!("semantic ({})", encoder.name());
        Self { name, encoder, threshold, kept: Mutex::new(kept), encoded: Box::new(encoded) }
    }

    /// Returns the number of texts so far that were longer than the encoder reads.
    pub fn cut(&self) -> usize {
        let kept = self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        (0..kept.len()).filter(|row| kept.is_cut(*row as u32)).count()
    }
}

impl AnswerJudge for SemanticJudge<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn parameters(&self) -> BTreeMap<String, String> {
        let encoder = self.encoder.name().to_owned();
        BTreeMap::from([
            ("threshold".to_owned(), self.threshold.to_string()),
            ("encoder".to_owned(), encoder),
        ])
    }

    fn cosine_threshold(&self) -> Option<f64> {
        Some(self.threshold)
    }

    fn judge(&self, questions: &[AnswerQuestion<'_>]) -> Result<Vec<Vec<AnswerJudgment>>, AnswerJudgeError> {
        let mut texts: IndexSet<&str, FxBuildHasher> = IndexSet::default();
        for question in questions.iter().filter(|question| question.contexts() > 0) {
            texts.extend(question.expected.iter().chain(&question.texts));
        }
        let mut kept = self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let all: Vec<&str> = texts.iter().copied().collect();
        let rows =
            encode_kept(self.encoder, &mut kept, &all, TextRole::Document, &mut |at| (self.encoded)(at));
        let rows =
            rows.map_err(|error| AnswerJudgeError { judge: self.name.clone(), source: error.into() })?;
        let kept = &*kept;
        let vector = |text: &str| {
            let row = texts.get_index_of(text).and_then(|at| rows.get(at));
            row.map(|row| kept.vector(*row)).unwrap_or_default()
        };
        let of = |question: &AnswerQuestion<'_>| -> Vec<AnswerJudgment> {
            let expected: Vec<&[f32]> = question.expected.iter().map(|text| vector(text)).collect();
            let judged = |text: &&str| {
                let text = vector(text);
                expected.iter().map(move |expected| self.judged(dot(expected, text)))
            };
            question.texts.iter().flat_map(judged).collect()
        };
        Ok(questions.par_iter().map(of).collect())
    }
}

impl SemanticJudge<'_> {
    fn judged(&self, cosine: f32) -> AnswerJudgment {
        AnswerJudgment::Judged {
            matches: f64::from(cosine) >= self.threshold,
            because: Because::Cosine(cosine),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use llull_encoder::{EncodeError, Vectors};

    use super::*;

    /// Counts letters a and b; knows no text "fail".
    struct Letters(AtomicUsize);

    impl Encoder for Letters {
        fn name(&self) -> &str {
            "letters"
        }

        fn encode(&self, texts: &[&str], _: TextRole) -> Result<Vectors, EncodeError> {
            self.0.fetch_add(texts.len(), Ordering::Relaxed);
            if texts.contains(&"fail") {
                return Err(EncodeError::Model { encoder: "letters".into(), reason: "no".into() });
            }
            let count = |text: &str, letter: char| text.matches(letter).count() as f32;
            let vectors = texts.iter().map(|text| (vec![count(text, 'a'), count(text, 'b')], text.len() > 4));
            Vectors::normalized(2, vectors)
        }
    }

    #[test]
    fn what_is_near_matches_and_each_text_is_encoded_once() {
        let letters = Letters(AtomicUsize::new(0));
        let judge = SemanticJudge::new(&letters, KeptVectors::in_memory(), 0.7, |_| {});
        let ask = |expected: &[&'static str], texts: &[&'static str]| AnswerQuestion {
            query: "q",
            expected: expected.to_vec(),
            texts: texts.to_vec(),
        };
        let questions =
            [ask(&["a", "b"], &["ab", "aab", "abbbb"]), ask(&["a"], &["b", "ab"]), ask(&[], &["never"])];
        let judged = judge.judge(&questions).unwrap();
        let matches = |at: usize| judged[at].iter().map(|one| one.matches().unwrap()).collect::<Vec<_>>();
        assert_eq!(matches(0), [true, true, true, false, false, true]);
        assert_eq!(matches(1), [false, true]);
        assert!(judged[2].is_empty());
        assert_eq!((letters.0.load(Ordering::Relaxed), judge.cut()), (5, 1));
        let AnswerJudgment::Judged { because, .. } = &judged[0][0] else { panic!() };
        assert_eq!(because.to_string(), "cosine 0.707");
        let failed = judge.judge(&[ask(&["a"], &["fail"])]).unwrap_err().to_string();
        assert_eq!(failed, "judge semantic (letters): encoder letters: no");
    }
}
