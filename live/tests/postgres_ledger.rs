//! Tests the ledger in PostgreSQL: it holds what a file holds, and several runs share a study.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot be set up fails")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use llull::core::{
    Answer, Attempt, ComparedVerdict, Failure, FailureKind, GradedVerdict, Hash, JudgeSpec, Outcome,
    Paradigm, Scale, Seed, Usage, Verdict,
};
use llull::store::{
    Detail, JudgeId, Leases, LedgerReader, LedgerWriter, PostgresLedger, SqliteLedger, StoreError, copy,
    export,
};
use llull_live::Database;
use llull_postgres::PostgresAddress;
use llull_testkit::{FaultPlan, FaultyServer, SyntheticStudy};

fn spec(model: &str, paradigm: Paradigm) -> JudgeSpec {
    JudgeSpec {
        paradigm,
        model: model.into(),
        prompt: "p".into(),
        prompt_hash: Hash::of(b"p"),
        rubric_hash: Hash::of(b"r"),
        scale: Scale::default(),
        sampling: None,
        options: Default::default(),
    }
}

/// Attempts with all that one can have, and with texts that a database may refuse.
fn attempts(graded: JudgeId, compared: JudgeId) -> Vec<(JudgeId, Attempt)> {
    let odd = "O'Brien; DROP TABLE x; -- \"\\u0000\" \u{0} \u{1} 東京 \u{202e}";
    let verdict = Verdict::Graded(GradedVerdict {
        grade: 2,
        rationale: odd.into(),
        facets_covered: vec!["a".into()],
        ..GradedVerdict::default()
    });
    let answer = Answer {
        reply: Some(odd.repeat(100)),
        model: Some("m-1".into()),
        usage: Usage::new(u64::MAX, 3),
        cost_usd: Some(0.1 + 0.2),
        tokens_cut: 7,
        ..Outcome::Judged { verdict }.into()
    };
    let failure = Failure { retry_after_ms: Some(1500), ..Failure::new(FailureKind::RateLimited, odd) };
    let order =
        Verdict::Compared(ComparedVerdict { order: vec![vec![1], vec![0]], ..ComparedVerdict::default() });
    let at = |name: &str, answer: Answer| Attempt {
        topic: "q 1".into(),
        document: "d1".into(),
        latency_ms: 12,
        at_ms: 1_700_000_000_000,
        ..Attempt::new(Hash::of(name.as_bytes()), answer)
    };
    let listed = Attempt {
        documents: vec!["d1".into(), odd.into()],
        ..at("list", Outcome::Judged { verdict: order }.into())
    };
    vec![
        (graded, at("a", failure.into())),
        (graded, at("a", answer)),
        (compared, listed),
        (graded, at("b", Outcome::Judged { verdict: Verdict::Graded(GradedVerdict::default()) }.into())),
    ]
}

fn exported(ledger: &dyn LedgerReader) -> String {
    let mut bytes = Vec::new();
    export(ledger, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn address(database: &Database) -> PostgresAddress {
    PostgresAddress::parse(database.address()).unwrap()
}

/// The tables and an attempt as version 1 wrote them.
const VERSION_1: &str = r#"
    CREATE TABLE llull_ledger (version bigint NOT NULL, study text);
    INSERT INTO llull_ledger VALUES (1, 'old');
    CREATE TABLE llull_judges (
        id bigint PRIMARY KEY, fingerprint bytea NOT NULL UNIQUE, name text NOT NULL, spec json NOT NULL
    );
    CREATE TABLE llull_attempts (
        id bigint PRIMARY KEY, judge bigint NOT NULL REFERENCES llull_judges, key bytea NOT NULL,
        run text NOT NULL, attempt json NOT NULL, reply json
    );
    CREATE INDEX llull_attempts_key ON llull_attempts (judge, key);
    CREATE TABLE llull_runs (run text PRIMARY KEY, alive_until timestamptz NOT NULL);
    CREATE TABLE llull_leases (
        judge bigint NOT NULL, key bytea NOT NULL, run text NOT NULL, PRIMARY KEY (judge, key)
    );
"#;

#[test]
fn tables_of_an_older_version_are_read_and_raised_and_newer_ones_are_refused() {
    let database = Database::create("ledger_versions");
    let address = address(&database);
    database.execute(VERSION_1);
    let reader = PostgresLedger::open_if_begun(&address).unwrap().unwrap();
    assert_eq!(reader.judges().unwrap().len(), 0, "reading raises nothing");
    let mut writer = PostgresLedger::open(&address).unwrap().of_study("old").unwrap();
    let judge = writer.register("g", &spec("m", Paradigm::Graded)).unwrap();
    let usage = Usage { cached_tokens: Some(3), ..Usage::new(5, 1) };
    let answer = Outcome::Judged { verdict: Verdict::Graded(GradedVerdict::default()) };
    let attempt = Attempt { topic: "q".into(), document: "d".into(), ..Attempt::new(Hash::of(b"a"), answer) };
    let attempt = Attempt { answer: Answer { usage, ..attempt.answer.clone() }, ..attempt };
    writer.append(&[(judge, attempt)]).unwrap();
    assert!(exported(&reader).contains("\"cached_tokens\":3"), "{}", exported(&reader));
    database.execute("UPDATE llull_ledger SET version = version + 1");
    let said = PostgresLedger::open(&address).unwrap_err().to_string();
    assert!(said.contains("it has version 3, and this llull reads up to 2; use a newer llull"), "{said}");
}

#[test]
fn it_holds_what_a_file_holds() {
    let database = Database::create("ledger_rows");
    let folder = tempfile::tempdir().unwrap();
    let mut file = SqliteLedger::open(folder.path().join("ledger.sqlite")).unwrap();
    assert!(PostgresLedger::open_if_begun(&address(&database)).unwrap().is_none(), "no tables yet");
    let mut tables = PostgresLedger::open(&address(&database)).unwrap();
    let mut all = Vec::new();
    for ledger in [&mut file as &mut dyn LedgerWriter, &mut tables] {
        let graded = ledger.register("g", &spec("m", Paradigm::Graded)).unwrap();
        let compared = ledger.register("l", &spec("m", Paradigm::Listwise)).unwrap();
        assert_eq!(ledger.register("other name", &spec("m", Paradigm::Graded)).unwrap(), graded);
        all = attempts(graded, compared);
        ledger.append(&all[..1]).unwrap();
        ledger.append(&all[1..]).unwrap();
        let undone = ledger.atomically(&mut |ledger| {
            ledger.append(&all)?;
            ledger.register("x", &spec("x", Paradigm::Graded))?;
            Err(StoreError::UnknownJudge(JudgeId(77)))
        });
        assert!(matches!(undone, Err(StoreError::UnknownJudge(JudgeId(77)))));
        let strange = ledger.append(&[all[0].clone(), (JudgeId(99), all[0].1.clone())]);
        assert!(matches!(strange, Err(StoreError::UnknownJudge(JudgeId(99)))), "{strange:?}");
    }
    let reader = PostgresLedger::open_if_begun(&address(&database)).unwrap().unwrap();
    assert_eq!(exported(&file), exported(&reader));
    for ledger in [&file as &dyn LedgerReader, &reader] {
        let mut found = Vec::new();
        let mut each = |judge, attempt: Attempt| {
            found.push((judge, attempt.key, attempt.answer.reply.is_some()));
            Ok(())
        };
        assert_eq!(ledger.follow(1, Some(&[all[0].0]), Detail::Verdicts, &mut each).unwrap(), 4);
        let rest = [&all[1], &all[3]].map(|(judge, attempt)| (*judge, attempt.key, false));
        assert_eq!(found, rest);
        let mut places = Vec::new();
        let mut each = |place, _, attempt: Attempt| {
            places.push((place, attempt.answer.reply.is_some()));
            Ok(())
        };
        ledger.read_at(&[3, 2, 9], Detail::Replies, &mut each).unwrap();
        assert_eq!(places, [(3, false), (2, true)]);
    }
    let refused = PostgresLedger::open_if_begun(&address(&database)).unwrap().unwrap().append(&all);
    assert!(refused.unwrap_err().to_string().contains("read-only"), "a reader changes nothing");
}

#[test]
fn a_ledger_is_copied_from_a_file_and_back() {
    let database = Database::create("ledger_copy");
    let folder = tempfile::tempdir().unwrap();
    let mut file = SqliteLedger::open(folder.path().join("ledger.sqlite")).unwrap();
    let graded = file.register("g", &spec("m", Paradigm::Graded)).unwrap();
    let compared = file.register("l", &spec("m", Paradigm::Listwise)).unwrap();
    file.append(&attempts(graded, compared)).unwrap();
    let mut tables = PostgresLedger::open(&address(&database)).unwrap();
    assert_eq!(copy(&file, &mut tables).unwrap().added, 4);
    assert_eq!(copy(&file, &mut tables).unwrap().already_there, 4);
    let mut back = SqliteLedger::open(folder.path().join("back.sqlite")).unwrap();
    assert_eq!(copy(&tables, &mut back).unwrap().added, 4);
    assert_eq!((exported(&tables), exported(&back)), (exported(&file), exported(&file)));
    tables.append(&attempts(graded, compared)[..1]).unwrap();
    assert!(matches!(copy(&file, &mut tables), Err(StoreError::OtherAttempts(1))));
    assert_eq!(tables.recorded().unwrap(), 5);
}

#[test]
fn a_question_is_leased_to_one_run_until_it_is_answered_or_the_run_is_gone() {
    let database = Database::create("ledger_leases");
    let open = || PostgresLedger::open(&address(&database)).unwrap();
    let (mut one, other) = (open(), open());
    let judge = one.register("g", &spec("m", Paradigm::Graded)).unwrap();
    let attempt = attempts(judge, judge).remove(1);
    let key = attempt.1.key;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let (ours, theirs) = (one.leases().unwrap(), other.leases().unwrap());
    let take = |leases: &dyn Leases, seen| runtime.block_on(leases.take(judge, key, seen)).unwrap();

    assert!(take(&*ours, 0) && !take(&*theirs, 0));
    assert!(take(&*ours, 0), "a run that retries has the lease still");
    assert!(other.is_in_use().unwrap());
    one.append(std::slice::from_ref(&attempt)).unwrap();
    assert!(!take(&*theirs, 0), "the lease is over, and the question answered");
    let (found, seen) = runtime.block_on(theirs.recorded_by_others(0)).unwrap();
    assert_eq!((found.len(), found[0].1.key, seen), (1, key, 1));
    assert_eq!(
        runtime.block_on(ours.recorded_by_others(0)).unwrap(),
        (Vec::new(), 1),
        "it has made it itself"
    );
    assert!(take(&*theirs, seen), "what is known and still open may be asked again");
    assert!(!take(&*ours, 1));
    // A run that was killed says nothing more.
    drop(theirs);
    let is_free = || {
        database.execute("UPDATE llull_runs SET alive_until = now() - interval '1 second'");
        take(&*ours, 1)
    };
    // Its last sign of life may arrive after the first update.
    assert!((0..3).any(|_| is_free()), "the lease of a run that is gone is free");
}

const PAIRS: usize = 600;

/// A copy of the study, as another machine has it.
fn study(server: &FaultyServer) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let study = SyntheticStudy { topics: 30, pairs: PAIRS, runs: 2, depth: 20, seed: Seed(5) };
    study.write(folder.path()).unwrap();
    let toml = format!(
        "version = 1\nname = \"shared\"\nrecheck = 0\ntopics = \"topics.tsv\"\ncorpus = \"corpus.jsonl\"\n\
         measures = [\"nDCG@10\"]\nledger = \"DATABASE_URL\"\npool = {{ depth = 20 }}\n[compare]\nresamples = 200\n\
         [[systems]]\nname = \"one\"\nrun = \"system-1.run\"\n[[systems]]\nname = \"two\"\nrun = \"system-2.run\"\n\
         [[judges]]\nname = \"served\"\nmodel = \"vllm/faulty-1\"\nbase_url = \"{}\"\nconcurrency = 8\n",
        server.url()
    );
    fs_err::write(folder.path().join("llull.toml"), toml).unwrap();
    folder
}

/// The binary: `LLULL`, as for the other tests of whole programs.
fn llull(folder: &Path, database: &str, arguments: &[&str]) -> Command {
    let binary = std::env::var_os("LLULL").map(PathBuf::from).unwrap();
    let mut command = Command::new(std::path::absolute(binary).unwrap());
    command.args(arguments).current_dir(folder).env("DATABASE_URL", database);
    command.env("LLULL_TRUST", trusted(folder, database)).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The entries of the trust in the judge's server, and in the database as the user is told it.
fn trusted(folder: &Path, database: &str) -> String {
    let binary = std::path::absolute(std::env::var_os("LLULL").map(PathBuf::from).unwrap()).unwrap();
    let refused = Command::new(binary)
        .args(["ledger", "status"])
        .current_dir(folder)
        .env("DATABASE_URL", database)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    let Some((_, entry)) = said.split_once("--trust ") else { panic!("{said}") };
    assert!(!said.contains("://"), "an address may hold a password: {said}");
    let toml = fs_err::read_to_string(folder.join("llull.toml")).unwrap();
    let (_, server) = toml.split_once("base_url = \"").unwrap();
    let (server, _) = server.split_once("/v1").unwrap();
    format!("{},{server}", entry.trim())
}

fn finished(child: Child) {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn labels(folder: &Path) -> String {
    fs_err::read_to_string(folder.join("labels.qrels")).unwrap()
}

/// Two runs on two copies of a study, of which one is killed at 20 moments: the labels are those of one undisturbed
/// run, and nothing is asked twice but what was in flight when a run was killed.
#[test]
fn two_runs_share_a_study_and_either_may_be_killed() {
    let plan = || FaultPlan { delay_ms: 30..=60, ..FaultPlan::default() };
    let server = FaultyServer::start(plan()).unwrap();
    let alone = study(&server);
    let database = Database::create("ledger_alone");
    finished(llull(alone.path(), database.address(), &["run"]).spawn().unwrap());
    assert_eq!(server.served().total(), PAIRS as u64);

    let server = FaultyServer::start(plan()).unwrap();
    let copies = [study(&server), study(&server)];
    let database = Database::create("ledger_shared");
    let run = |at: usize| llull(copies[at].path(), database.address(), &["run"]).spawn().unwrap();
    let mut runs = [run(0), run(1)];
    let mut kills = 0;
    for requests in (20..PAIRS as u64).step_by(29) {
        let begin = Instant::now();
        while server.served().total() < requests {
            assert!(begin.elapsed() < Duration::from_secs(600), "{:?}", server.served().kinds);
            std::thread::sleep(Duration::from_millis(5));
        }
        let at = kills % 2;
        runs[at].kill().unwrap();
        runs[at].wait().unwrap();
        runs[at] = run(at);
        kills += 1;
    }
    runs.into_iter().for_each(finished);
    let twice = server.served().total() - PAIRS as u64;
    assert!(twice <= kills as u64 * 8, "{twice} requests more than there are questions, after {kills} kills");
    for copy in &copies {
        assert_eq!(labels(copy.path()), labels(alone.path()));
    }
}
