//! A judge of one's own in Rust, in a study in memory.
//!
//! It grades by the share of the query's words that a document has: `cargo run --package llull --example own_judge`.

#![allow(clippy::print_stdout, reason = "an example talks to its user")]

use std::future::ready;
use std::pin::Pin;

use llull::Study;
use llull::core::{
    Answer, Document, GradedVerdict, Hash, JudgeSpec, KeyBuilder, Outcome, Paradigm, Ranking, Run, Scale,
    TaskKey, Topic, Topics, Verdict,
};
use llull::judge::Rubric;
use llull::runner::{Case, Judge, JudgeIdentity};

struct Words(JudgeSpec);

impl Words {
    fn new(rubric: &Rubric) -> Self {
        Self(JudgeSpec {
            paradigm: Paradigm::Graded,
            model: "words, version 1".to_owned(),
            prompt: String::new(),
            prompt_hash: Hash::of(b""),
            rubric_hash: rubric.hash,
            scale: rubric.scale,
            sampling: None,
            options: Default::default(),
        })
    }

    fn grade(scale: Scale, query: &str, text: &str) -> i32 {
        let text = text.to_lowercase();
        let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
        let found = words.iter().filter(|word| text.contains(word.as_str())).count();
        let share = found as f64 / words.len().max(1) as f64;
        scale.low() + (share * f64::from(scale.high() - scale.low())).round() as i32
    }
}

impl JudgeIdentity for Words {
    fn name(&self) -> &str {
        "words"
    }

    fn spec(&self) -> &JudgeSpec {
        &self.0
    }

    // Whatever decides the answer is part of the key, and nothing else: answers of another key are not reused.
    fn key(&self, case: &Case<'_>, _sample: u32) -> TaskKey {
        let key = KeyBuilder::new("my judge of words").part("judge", &self.0.fingerprint().0);
        let key = key.text("query", &case.topic.text);
        case.texts().fold(key, |key, text| key.text("document", &text)).finish()
    }

    fn in_process(&self) -> bool {
        true
    }
}

impl Judge for Words {
    fn concurrency(&self) -> usize {
        4
    }

    fn ask<'a>(&'a self, case: Case<'a>, _sample: u32) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        let text = case.texts().next().unwrap_or_default();
        let grade = Self::grade(self.0.scale, &case.topic.text, &text);
        let verdict = Verdict::Graded(GradedVerdict { grade, ..GradedVerdict::default() });
        Box::pin(ready(Answer::computed(Outcome::Judged { verdict })))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let document = |id: &str, text: &str| Document { id: id.into(), title: String::new(), text: text.into() };
    let rubric = Rubric::parse(Rubric::default_text(), "rubric.md")?;
    let mut run = Run::new("mine");
    run.insert("q1".to_owned(), Ranking::from_ordered([("d2", 2.0), ("d1", 1.0)]));
    let study = Study::builder()
        .topics(Topics::from_iter([Topic { id: "q1".into(), text: "bloom filters".into() }]))
        .corpus(vec![
            document("d1", "Bloom filters answer: perhaps, or no."),
            document("d2", "Coffee filters."),
        ])
        .run(run)
        .judge(Words::new(&rubric))
        .rubric(rubric)
        .build()?;
    let inputs = study.inputs()?;
    let outcome = study.judge(&inputs).run()?;
    for id in ["d1", "d2"] {
        let label = outcome.evidence.labels.get("q1", id).map(|label| label.grade);
        println!("{id}: {label:?}");
    }
    Ok(())
}
