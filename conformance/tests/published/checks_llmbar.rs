//! The audit of a plain file.
//!
//! It has the answers of three models to LLMBar's pairs in both orders.

use std::fmt::Write as _;

use llull::audit::{AuditOptions, CheckKind, CheckOutcome, JudgeCheck};
use llull::audit_pairs;
use llull::core::Seed;
use llull::data::Columns;
use llull_conformance::audited::text;
use llull_conformance::data;

/// Writes the answers of all models and prompts as `query,left,right,winner,judge`, each pair in both orders.
fn checks() -> Vec<JudgeCheck> {
    let mut table = "query,left,right,winner,judge\n".to_owned();
    for line in text(data("llmbar-swap/verdicts.tsv.gz")).lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [dataset, item, _, model, prompt, shown, swapped] = columns.as_slice() else { panic!("{line}") };
        for (left, right, winner) in [("1", "2", shown), ("2", "1", swapped)] {
            // Unreadable answers are no answers.
            if *winner != "None" {
                writeln!(table, "{dataset} {item},{left},{right},{winner},{model} {prompt}").unwrap();
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("llmbar.csv");
    std::io::Write::write_all(&mut std::fs::File::create_new(&path).unwrap(), table.as_bytes()).unwrap();
    audit_pairs(&path, &Columns::default(), false, &AuditOptions::new(Seed(42))).unwrap()
}

fn of<'a>(checks: &'a [JudgeCheck], judge: &str, kind: CheckKind) -> &'a JudgeCheck {
    checks.iter().find(|check| check.judge == judge && check.kind == kind).unwrap()
}

fn close(check: &JudgeCheck, value: f64, low: f64, high: f64) -> bool {
    let near = |got: Option<f64>, expected: f64| got.is_some_and(|got| (got - expected).abs() < 0.0006);
    near(check.value, value) && near(check.low, low) && near(check.high, high)
}

/// Flips with the interval of Clopper and Pearson, and McNemar's exact p (scipy 1.17.1: `stats.beta.ppf`,
/// `stats.binom.cdf`).
#[test]
fn figures_are_those_of_scipy() {
    let found = checks();
    let flips = of(&found, "GPT-4 Swap", CheckKind::PositionFlip);
    assert!(flips.n == 419 && close(flips, 0.036, 0.020, 0.058), "{flips:?}");
    let position = of(&found, "GPT-4 Swap", CheckKind::Position);
    assert!(position.finding.contains("in 13,") && position.finding.contains("in 2 ("), "{position:?}");
    assert!(position.finding.contains("exact p 0.007"), "{position:?}");
    let flips = of(&found, "ChatGPT CoT", CheckKind::PositionFlip);
    assert!(flips.n == 414 && close(flips, 0.411, 0.363, 0.460), "{flips:?}");
    let first = of(&found, "LLaMA2 Swap", CheckKind::FirstSide);
    assert!(first.n == 830 && (first.value.unwrap() - 0.32).abs() < 0.003, "{first:?}");
}

/// GPT-4 changes 2% to 13% of its answers: fine with every prompt. ChatGPT and LLaMA 2 change 17% to 41%, mostly in
/// favour of one side: a look. No side wins more than 70%, so that the answers that hold in both orders can be used.
#[test]
fn who_is_accused() {
    let found = checks();
    let gravest =
        |judge: &str| found.iter().filter(|check| check.judge == judge).map(|check| check.outcome).max();
    // The check of all judges together names all of them.
    let alone = found.iter().filter(|check| check.kind != CheckKind::IndependentVotes);
    let mut judges: Vec<&str> = alone.map(|check| check.judge.as_str()).collect();
    judges.dedup();
    assert_eq!(judges.len(), 24);
    let with = |outcome: CheckOutcome, model: &str| -> Vec<&str> {
        judges
            .iter()
            .copied()
            .filter(|judge| judge.starts_with(model) && gravest(judge) == Some(outcome))
            .collect()
    };
    assert_eq!(with(CheckOutcome::Passed, "GPT-4").len(), 8, "{found:#?}");
    assert_eq!(with(CheckOutcome::Failed, ""), [""; 0]);
    assert_eq!(
        with(CheckOutcome::Passed, "ChatGPT"),
        ["ChatGPT Swap"],
        "its prompt asks in both orders already"
    );
    assert_eq!(with(CheckOutcome::Passed, "LLaMA2"), [""; 0]);
}
