//! A ledger of your own: one that passes on to llull's, and writes a line to a log for every attempt.
//!
//! Whatever a run pays for is appended here before it counts. A store on your own database implements the same two
//! traits: `cargo run --package llull --example own_ledger`.

#![allow(clippy::print_stdout, reason = "an example talks to its user")]

mod small_study;

use llull::core::{Attempt, JudgeSpec};
use llull::store::{Detail, JudgeId, LedgerJudge, LedgerReader, LedgerWriter, MemoryLedger, StoreError};

#[derive(Default)]
struct Logged(MemoryLedger);

impl LedgerReader for Logged {
    fn judges(&self) -> Result<Vec<LedgerJudge>, StoreError> {
        self.0.judges()
    }

    fn scan(
        &self,
        judges: Option<&[JudgeId]>,
        detail: Detail,
        each: &mut dyn FnMut(JudgeId, Attempt) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.0.scan(judges, detail, each)
    }
}

impl LedgerWriter for Logged {
    fn register(&mut self, name: &str, spec: &JudgeSpec) -> Result<JudgeId, StoreError> {
        self.0.register(name, spec)
    }

    fn append(&mut self, attempts: &[(JudgeId, Attempt)]) -> Result<(), StoreError> {
        self.0.append(attempts)?;
        for (_, attempt) in attempts {
            println!("appended: {} {}", attempt.topic, attempt.document);
        }
        Ok(())
    }

    fn atomically(
        &mut self,
        work: &mut dyn FnMut(&mut dyn LedgerWriter) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.0.atomically(work)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let study = small_study::small_study().similarity().ledger(Logged::default()).build()?;
    let inputs = study.inputs()?;
    for run in ["first", "second"] {
        let evidence = study.judge(&inputs).run()?.evidence;
        println!("{run} run: {} labels", evidence.labels.labelled());
    }
    Ok(())
}
