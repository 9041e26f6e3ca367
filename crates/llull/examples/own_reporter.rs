//! Progress of a run in a program of your own.
//!
//! A `Reporter` receives every event of a run in order, on one thread:
//! `cargo run --package llull --example own_reporter`.

#![allow(clippy::print_stdout, reason = "an example talks to its user")]

mod small_study;

use llull::runner::{Event, Reporter};

struct Lines;

impl Reporter for Lines {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Planned { name, tasks, reused, .. } => {
                println!("{name}: {tasks} pairs, {reused} in the ledger");
            }
            Event::Judged { attempt, .. } => {
                println!("  {} {}", attempt.topic, attempt.document);
            }
            Event::Finished(_) => println!("done"),
            _ => {}
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let study = small_study::small_study().similarity().build()?;
    let inputs = study.inputs()?;
    study.judge(&inputs).reporter(&Lines).run()?;
    Ok(())
}
