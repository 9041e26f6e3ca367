//! Compares the ledger in memory with the ledger on disk.

use llull_core::{
    Answer, Attempt, ComparedVerdict, Failure, FailureKind, GradedVerdict, Hash, Outcome, Reason, TaskKey,
    Unusable, Usage, Verdict,
};
use llull_store::{
    Detail, JudgeId, JudgeLog, LedgerReader, LedgerWriter, MemoryLedger, SqliteLedger, StoreError, Totals,
    export,
};
use proptest::{collection::vec, option, prelude::*, sample::select};

use crate::facts::{all, spec};

#[derive(Debug, Clone)]
enum Operation {
    Register(usize),
    Append(Vec<(i64, Attempt)>),
    /// Registers and appends, then returns an error.
    Undo(usize, Vec<(i64, Attempt)>),
    Reopen,
}

fn keys() -> Vec<TaskKey> {
    (0..5_u8).map(|key| Hash::of(&[key])).collect()
}

fn text() -> impl Strategy<Value = String> {
    "(?s).{0,8}"
}

/// Orders of two documents, since the ledger checks orders on reading; grades are on the scale likewise.
fn orders() -> Vec<Vec<Vec<u16>>> {
    vec![vec![vec![0], vec![1]], vec![vec![1], vec![0]], vec![vec![0, 1]], vec![vec![1]]]
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let verdict = (0..4, vec(text(), 0..2), vec(text(), 0..2), text());
    prop_oneof![
        verdict.prop_map(|(grade, facets_covered, facets_missing, rationale)| {
            let probabilities = if rationale.is_empty() { Vec::new() } else { vec![0.25, 0.75] };
            let verdict = GradedVerdict { grade, facets_covered, facets_missing, rationale, probabilities };
            Outcome::Judged { verdict: Verdict::Graded(verdict) }
        }),
        (0..4).prop_map(|grade| {
            let verdict = GradedVerdict { grade, ..GradedVerdict::default() };
            Outcome::Judged { verdict: Verdict::Graded(verdict) }
        }),
        (select(orders()), option::of(vec(0.0..0.5, 2)), text()).prop_map(
            |(order, probabilities, rationale)| {
                let probabilities = probabilities.unwrap_or_default();
                Outcome::Judged {
                    verdict: Verdict::Compared(ComparedVerdict { order, probabilities, rationale }),
                }
            }
        ),
        (select(Reason::ALL.to_vec()), text())
            .prop_map(|(reason, detail)| Outcome::Unusable(Unusable { reason, detail })),
        (select(FailureKind::ALL.to_vec()), text(), option::of(any::<u64>())).prop_map(
            |(kind, message, retry_after_ms)| Outcome::Failed(Failure { kind, message, retry_after_ms })
        ),
    ]
}

fn attempt() -> impl Strategy<Value = Attempt> {
    let asked = (select(keys()), text(), text(), any::<u32>(), vec(text(), 2));
    let answered = (outcome(), option::of(text()), option::of(select(vec!["a", "b"])));
    let count = || option::of(any::<u64>());
    let apart = (count(), count(), count(), option::of(text()));
    let usage = (count(), count(), option::of(0.0..10.0), apart);
    let rest = (0..2000_u32, any::<u32>(), any::<i64>());
    let reading = (option::of(text()), 1..3_u32);
    (asked, answered, usage, rest, reading).prop_map(|(asked, answered, usage, rest, reading)| {
        let graded = matches!(&answered.0, Outcome::Judged { verdict: Verdict::Graded(_) });
        // The ledger checks on reading that documents agree with each other and with the verdict.
        let documents = if graded { Vec::new() } else { asked.4 };
        Attempt {
            key: asked.0,
            topic: asked.1,
            document: documents.first().cloned().unwrap_or(asked.2),
            documents,
            sample: asked.3,
            answer: Answer {
                outcome: answered.0,
                reply: answered.1,
                model: answered.2.map(str::to_owned),
                usage: Usage {
                    prompt_tokens: usage.0,
                    completion_tokens: usage.1,
                    cached_tokens: usage.3.0,
                    cache_written_tokens: usage.3.1,
                    reasoning_tokens: usage.3.2,
                },
                cost_usd: usage.2,
                tokens_cut: rest.1,
                adjusted: reading.0,
                request_id: usage.3.3,
            },
            latency_ms: rest.0,
            at_ms: rest.2,
            reader: reading.1,
        }
    })
}

fn operation() -> impl Strategy<Value = Operation> {
    // Judge 3 may or may not be registered when it is named.
    let attempts = || vec((1..=3_i64, attempt()), 0..6);
    prop_oneof![
        2 => (0..3_usize).prop_map(Operation::Register),
        4 => attempts().prop_map(Operation::Append),
        1 => ((0..3_usize), attempts()).prop_map(|(judge, attempts)| Operation::Undo(judge, attempts)),
        1 => Just(Operation::Reopen),
    ]
}

fn batch(attempts: Vec<(i64, Attempt)>) -> Vec<(JudgeId, Attempt)> {
    attempts.into_iter().map(|(judge, attempt)| (JudgeId(judge), attempt)).collect()
}

/// Applies an operation to a ledger. Returns the result as text.
fn perform(ledger: &mut dyn LedgerWriter, operation: Operation) -> String {
    let register = |ledger: &mut dyn LedgerWriter, judge: usize| {
        ledger.register(&format!("judge {judge}"), &spec(&format!("model {judge}")))
    };
    let said = match operation {
        Operation::Register(judge) => register(ledger, judge).map(|id| id.0),
        Operation::Append(attempts) => ledger.append(&batch(attempts)).map(|()| 0),
        Operation::Undo(judge, attempts) => {
            let batch = batch(attempts);
            let undone = ledger.atomically(&mut |ledger| {
                register(ledger, judge)?;
                ledger.append(&batch)?;
                Err(StoreError::Line { line: 1, problem: "no".into() })
            });
            undone.map(|()| 0)
        }
        Operation::Reopen => Ok(0),
    };
    said.map_or_else(|error| error.to_string(), |id| id.to_string())
}

fn same(memory: &MemoryLedger, disk: &SqliteLedger) -> Result<(), TestCaseError> {
    prop_assert_eq!(memory.judges().unwrap(), disk.judges().unwrap());
    prop_assert_eq!(all(memory), all(disk));
    let some: Vec<TaskKey> = keys().into_iter().take(2).collect();
    for judge in [1, 2, 9].map(JudgeId) {
        let totals = |ledger: &dyn LedgerReader| Totals::read(ledger, Some(judge)).unwrap();
        prop_assert_eq!(totals(memory), totals(disk));
        for detail in [Detail::Facts, Detail::Verdicts, Detail::Replies] {
            let log =
                |ledger: &dyn LedgerReader| JudgeLog::read(ledger, &[Some(judge)], detail).unwrap().remove(0);
            prop_assert_eq!(log(memory), log(disk));
            prop_assert_eq!(log(memory).totals(), totals(disk));
            let sum = |log: JudgeLog| log.totals_of(some.iter().filter_map(|key| log.find(key)));
            prop_assert_eq!(sum(log(memory)), sum(log(disk)));
        }
    }
    let (mut from_memory, mut from_disk) = (Vec::new(), Vec::new());
    export(memory, &mut from_memory).unwrap();
    export(disk, &mut from_disk).unwrap();
    prop_assert_eq!(from_memory, from_disk);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn memory_and_disk_agree(operations in vec(operation(), 0..12)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.sqlite");
        let mut memory = MemoryLedger::default();
        let mut disk = SqliteLedger::open(&path).unwrap();
        for operation in operations {
            if matches!(operation, Operation::Reopen) {
                drop(disk);
                disk = SqliteLedger::open(&path).unwrap();
            }
            prop_assert_eq!(perform(&mut memory, operation.clone()), perform(&mut disk, operation));
        }
        same(&memory, &disk)?;
        drop(disk);
        same(&memory, &SqliteLedger::open_read_only(&path).unwrap())?;
    }
}
