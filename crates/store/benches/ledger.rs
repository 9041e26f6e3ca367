//! Measures writing and reading the judgments of a large study.
//!
//! It has 1,000 queries, 104,855 pairs and 3 judges. `cargo bench -p llull-store` prints the seconds of each step.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::time::Instant;

use llull_core::{
    Answer, Attempt, GradedVerdict, Hash, JudgeSpec, KeyBuilder, Outcome, Paradigm, Scale, Verdict,
};
use llull_store::{Detail, JudgeId, JudgeLog, LedgerWriter, SqliteLedger, Totals, export, import};

const PAIRS: u64 = 104_855;
const JUDGES: u64 = 3;

fn attempt(judge: u64, pair: u64) -> Attempt {
    let key = KeyBuilder::new("bench").number("judge", judge).number("pair", pair).finish();
    let verdict = Verdict::Graded(GradedVerdict { grade: (pair % 4) as i32, ..GradedVerdict::default() });
    let answer = Answer { model: Some("similarity".into()), ..Answer::computed(Outcome::Judged { verdict }) };
    Attempt {
        topic: (1_000_000 + pair / 105).to_string(),
        document: (pair * 7919 % 8_841_823).to_string(),
        at_ms: 1_790_000_000_000 + pair as i64 / 40,
        ..Attempt::new(key, answer)
    }
}

fn spec(judge: u64) -> JudgeSpec {
    JudgeSpec {
        paradigm: Paradigm::Graded,
        model: format!("similarity-{judge}"),
        prompt: String::new(),
        prompt_hash: Hash::of(b"table"),
        rubric_hash: Hash::of(b"rubric"),
        scale: Scale::default(),
        sampling: None,
        options: Default::default(),
    }
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    println!("{what:44} {:6.3} s", start.elapsed().as_secs_f64());
    done
}

fn main() {
    for batch in [1000, 2000, 4000] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.sqlite");
        let mut ledger = SqliteLedger::open(&path).unwrap();
        let ids: Vec<JudgeId> =
            (0..JUDGES).map(|judge| ledger.register("bench", &spec(judge)).unwrap()).collect();
        let attempts: Vec<(JudgeId, Attempt)> = (0..JUDGES)
            .flat_map(|judge| (0..PAIRS).map(move |pair| (judge, pair)))
            .map(|(judge, pair)| (ids[judge as usize], attempt(judge, pair)))
            .collect();
        timed(&format!("append {} in batches of {batch}", attempts.len()), || {
            attempts.chunks(batch).for_each(|batch| ledger.append(batch).unwrap());
        });
        let all: Vec<_> = ids.iter().copied().map(Some).collect();
        let logs = timed("logs of all judges", || JudgeLog::read(&ledger, &all, Detail::Facts).unwrap());
        assert_eq!(logs.iter().map(|log| log.len() as u64).sum::<u64>(), PAIRS * JUDGES);
        let totals = timed("totals", || Totals::read(&ledger, None).unwrap());
        assert_eq!(totals.judged, PAIRS * JUDGES);
        if batch == 4000 {
            let mut lines = Vec::new();
            timed("export", || export(&ledger, &mut lines).unwrap());
            let summary = timed("import of what is there", || import(&lines[..], &mut ledger).unwrap());
            assert_eq!((summary.added, summary.already_there), (0, PAIRS * JUDGES));
            println!("{:44} {:6.1} MB", "file", path.metadata().unwrap().len() as f64 / 1e6);
        }
    }
}
