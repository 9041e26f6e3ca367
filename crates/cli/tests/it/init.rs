//! `llull init`

use crate::sandbox::{Sandbox, check};

#[test]
fn writes_a_study_that_only_lacks_its_data() {
    let sandbox = Sandbox::new();
    sandbox.llull(&["init", "study"]).ends(0).says(&[
        "wrote study/llull.toml\nwrote study/rubric.md\n",
        "llull -C study doctor ",
        "llull -C study run ",
    ]);
    check!(sandbox.read("study/llull.toml"));
    let doctor = sandbox.llull(&["-C", "study", "doctor", "--offline"]).ends(1);
    doctor.says(&[
        "topics = \"topics.tsv\": there is no such file",
        "needs a key: set OPENAI_API_KEY in the environment or in .env",
        "error: 2 of 3 checks failed; nothing was judged\n",
    ]);
}

#[test]
fn ends_with_a_study_that_doctor_passes_before_there_is_a_key() {
    let sandbox = Sandbox::new();
    sandbox.write("queries.csv", "id,query\n1,shoes\n").write("products.csv", "sku,title\na,Shoes\n");
    let init =
        ["init", "--topics", "queries.csv", "--corpus", "products.csv", "--judge", "openai/gpt-4.1-mini"];
    let note = "still missing: OPENAI_API_KEY, the judge's key\n";
    sandbox.llull(&init).ends(0).says(&[note]);
    for doctor in [&["doctor"][..], &["doctor", "--offline"]] {
        sandbox
            .llull(doctor)
            .ends(0)
            .says(&["set OPENAI_API_KEY in the environment or in .env; until then llull run"]);
    }
    sandbox.llull(&["run"]).refused(1, &["needs a key"]);
}

#[test]
fn flags_fill_it_in() {
    let sandbox = Sandbox::new();
    sandbox.write("queries.tsv", "q1\thow to vacuum\n").write("human.qrels", "q1 0 d1 1\n");
    sandbox.write("docs.jsonl", "{\"id\":\"d1\",\"text\":\"so\"}\n");
    sandbox.write("runs/bm25.run", "q1 Q0 d1 1 1.0 a\n").write("runs/dense.run", "q1 Q0 d1 1 1.0 a\n");
    let transcript = sandbox.llull(&[
        "init",
        "--name",
        "help \"centre\"",
        "--topics",
        "queries.tsv",
        "--corpus",
        "docs.jsonl",
        "--run",
        "old=runs/bm25.run",
        "--run",
        "runs/dense.run",
        "--judge",
        "replay:human.qrels",
        "--json",
    ]);
    assert_eq!(transcript.ends(0).json()["written"], serde_json::json!(["llull.toml", "rubric.md"]));
    let config = sandbox.read("llull.toml");
    for line in [
        "name = 'help \"centre\"'\n",
        "topics = \"queries.tsv\" ",
        "corpus = \"docs.jsonl\" ",
        "baseline = \"old\"\n",
        "name = \"old\"\nrun = \"runs/bm25.run\" ",
        "name = \"dense\"\nrun = \"runs/dense.run\" ",
        "[[judges]]\nmodel = \"replay\"\nlabels = \"human.qrels\"\n",
    ] {
        assert!(config.contains(line), "{line} in\n{config}");
    }
    assert!(!config.contains("retriever = \"bm25\""), "{config}");
    sandbox.llull(&["doctor", "--offline"]).ends(0);
}

#[test]
fn what_is_there_is_kept() {
    let sandbox = Sandbox::new();
    sandbox.write("rubric.md", "mine");
    sandbox.llull(&["init"]).ends(0);
    assert_eq!(sandbox.read("rubric.md"), "mine");
    sandbox.write("llull.toml", "also mine");
    sandbox.llull(&["init"]).ends(1).says(&["error: ./llull.toml is there already; nothing was written."]);
    assert_eq!(sandbox.read("llull.toml"), "also mine");
}

#[test]
fn files_that_are_here_are_named_as_the_study_sees_them() {
    let sandbox = Sandbox::new();
    sandbox
        .write("queries.tsv", "q1\thow to vacuum\n")
        .write("docs.jsonl", "{\"id\":\"d1\",\"text\":\"so\"}\n");
    sandbox.write("a.run", "q1 Q0 d1 1 1.0 a\n").write("a.qrels", "q1 0 d1 1\n");
    let flags =
        ["--topics", "queries.tsv", "--corpus", "docs.jsonl", "--run", "a.run", "--judge", "replay:a.qrels"];
    for folder in ["study", "deep/er/study", "."] {
        sandbox.llull(&[["init", folder].as_slice(), &flags].concat()).ends(0);
        sandbox.llull(&["-C", folder, "run"]).ends(0);
    }
    assert!(sandbox.read("study/llull.toml").contains("run = \"../a.run\""));
    assert!(sandbox.read("llull.toml").contains("run = \"a.run\""));
}

/// The file was looked for in the study's folder.
#[test]
fn a_recording_is_named_as_the_study_sees_it() {
    let sandbox = Sandbox::new();
    sandbox.write("queries.tsv", "q1\thow to vacuum\n").write("claude.jsonl", "{\"llull_ledger\":3}\n");
    sandbox.write("a.jsonl", "{\"query_id\":\"q1\",\"id\":\"d1\",\"text\":\"so\"}\n");
    let flags = ["--topics", "queries.tsv", "--run", "a.jsonl", "--judge", "recorded:claude.jsonl"];
    for (folder, copies, file) in [
        ("study", None, "../claude.jsonl"),
        ("copied", Some("--copy"), "data/claude.jsonl"),
        (".", None, "claude.jsonl"),
    ] {
        let copies: Vec<&str> = copies.into_iter().collect();
        sandbox.llull(&[["init", folder].as_slice(), &flags, &copies].concat()).ends(0);
        let config = sandbox.read(&format!("{folder}/llull.toml"));
        assert!(config.contains(&format!("\nmodel = \"recorded:{file}\"\n")), "{config}");
        // It is found and trusted: only the answers are missing.
        let doctor = sandbox.llull(&["-C", folder, "doctor", "--offline"]).ends(1);
        doctor.says(&["it has no graded answers of a language model", "error: 1 of "]);
    }
}

/// The study named a corpus that nobody has, and no command of it worked.
#[test]
fn finished_labels_of_runs_without_texts_need_no_corpus() {
    let sandbox = Sandbox::new();
    sandbox.write("queries.tsv", "q1\thow to vacuum\n");
    sandbox.write("a.run", "q1 Q0 d1 1 1.0 a\n").write("a.qrels", "q1 0 d1 3\n");
    let flags = ["init", "--topics", "queries.tsv", "--run", "a.run", "--judge", "replay:a.qrels"];
    sandbox.llull(&flags).ends(0);
    sandbox.llull(&["doctor", "--offline"]).ends(0);
    sandbox.llull(&["run"]).ends(0).says(&["1 query, 1 query-document pair labelled by a.qrels."]);
}

/// Each of these was written into `llull.toml`, and found by `doctor` or `run`.
#[test]
fn what_is_given_is_checked_and_nothing_is_written_if_it_is_wrong() {
    let sandbox = Sandbox::new();
    sandbox.write("q.tsv", "q1\thow to vacuum\n").write("a.run", "q1 Q0 d1 1 1.0 a\n");
    sandbox
        .write("d.jsonl", "{\"id\":\"d1\",\"text\":\"so\"}\n{\"id\":\"d2\"\n")
        .write("b/a.run", "q1 Q0 d1\n");
    sandbox.write("a.qrels", "q1 0 d1 good\n").write("empty.tsv", "");
    let wrong: [(&[&str], i32, &str); 8] = [
        (&["--run", "mine=no.run"], 1, "error: no.run: there is no such file; nothing was written."),
        (
            &["--run", "a.run", "--run", "a=b/a.run"],
            1,
            "two systems are called \"a\": ../a.run and ../b/a.run; nothing",
        ),
        (&["--run", "b=b/a.run"], 1, "b/a.run line 1: "),
        (&["--topics", "no.tsv"], 1, "error: no.tsv: there is no such file; nothing was written."),
        (&["--topics", "empty.tsv"], 1, "empty.tsv: there is no query in it"),
        (&["--topics", "q.tsv", "--corpus", "d.jsonl"], 1, "d.jsonl line 2: "),
        (&["--judge", "replay:a.qrels"], 1, "a.qrels line 1, column 4 (grade): "),
        (&["--judge", "nobody/m"], 1, "nobody"),
    ];
    for (flags, code, said) in wrong {
        sandbox.llull(&[&["init", "study", "--yes"], flags].concat()).ends(code).says(&[said]);
        assert!(!sandbox.path("study").exists(), "{flags:?}");
    }
    sandbox.llull(&["init", "study", "--topics", "q.tsv", "--run", "a.run"]).ends(0);
    assert!(sandbox.read("study/llull.toml").contains("run = \"../a.run\""));
}
