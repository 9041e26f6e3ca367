//! A search system of your own, asked in process.
//!
//! `Retriever` is a name and one method; llull pools its results and measures it beside the study's other systems:
//! `cargo run --package llull --example own_retriever`. A system behind HTTP needs no code, see
//! docs/reference/systems.md.

#![allow(clippy::print_stdout, reason = "an example talks to its user")]

mod small_study;

use llull::candidates::{RetrieveError, Retriever};
use llull::core::{Ranking, Topic};

/// Finds documents by the first letter of the query.
struct FirstLetter(Vec<(&'static str, &'static str)>);

impl Retriever for FirstLetter {
    fn name(&self) -> &str {
        "first-letter"
    }

    fn retrieve(&self, topic: &Topic, depth: usize) -> Result<Ranking, RetrieveError> {
        let letter = topic.text.chars().next();
        let found = self.0.iter().filter(|(_, text)| text.chars().next() == letter);
        // Scores fall from result to result, as those of any run.
        Ok(Ranking::from_ordered(found.take(depth).enumerate().map(|(rank, (id, _))| (*id, -(rank as f64)))))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let study = small_study::small_study()
        .retriever(FirstLetter(vec![("d1", "bloom filters"), ("d2", "coffee filters")]))
        .similarity()
        .build()?;
    let inputs = study.inputs()?;
    let evidence = study.judge(&inputs).run()?.evidence;
    for scores in study.measure(&inputs, &evidence.labels) {
        println!("{}: {} {:?}", scores.run, scores.measures[0], scores.mean(0));
    }
    Ok(())
}
