//! Topics, runs, labels and texts that do not fit: the file, the line and the remedy.

use crate::sandbox::{Sandbox, Transcript, tiny, tiny_judged_by};

/// The tiny study, judged by similarity, with one file changed.
fn with(file: &str, from: &str, to: &str) -> Sandbox {
    let sandbox = tiny_judged_by("[[judges]]\nmodel = \"similarity\"\n");
    sandbox.edit(file, from, to);
    sandbox
}

fn refused(file: &str, from: &str, to: &str) -> Transcript {
    let sandbox = with(file, from, to);
    let transcript = sandbox.llull(&["run"]).ends(1);
    assert!(!sandbox.path("report.md").exists(), "nothing was written");
    transcript
}

/// It advised `--round` and `--repeats`, which `llull run` does not have.
#[test]
fn a_bad_grade_of_a_replayed_file_is_answered_with_keys_of_llull_toml() {
    let sandbox = tiny();
    for (labels, key) in
        [("q1 0 a1 0.5\n", "round = true"), ("q1 0 a1 1\nq1 0 a1 0\n", "repeats = \"first\"")]
    {
        sandbox.write("bad.qrels", labels);
        let said =
            sandbox.llull(&["run", "--judge", "replay:bad.qrels"]).ends(1).says(&["bad.qrels line", key]);
        assert!(!said.stderr.contains("--round") && !said.stderr.contains("--repeats"), "{said}");
    }
}

/// The message was the system's: `failed to open file (os error 2)`.
#[test]
fn a_missing_file_is_named_with_what_to_do_by_every_command() {
    let sandbox = tiny_judged_by("[[judges]]\nmodel = \"similarity\"\n");
    sandbox
        .write("set.json", "[{\"query\": \"a\", \"expected_answers\": [\"b\"]}]")
        .write("hits.jsonl", "{\"query_id\": \"q1\", \"results\": []}\n");
    for command in [
        "measure none known.run",
        "measure known.qrels none",
        "compare known.qrels old.run none",
        "compare known.qrels old.run new.run --topics none --slice x",
        "label none known.qrels",
        "agree known.qrels none",
        "agree --preferences none old.run",
        "audit none",
        "rank none",
        "diff known.qrels none",
        "evaluate none --results old.run",
        "evaluate set.json --results none",
        "evaluate set.json --retriever ngram --corpus none",
        "evaluate set.json --results hits.jsonl --judge openai/m --rubric none",
        "batch import none",
        "review --as me --read none",
        "export runs --run none",
        "export labels --qrels none",
        "export pairs --qrels none",
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let transcript = sandbox.llull(&words).ends(1);
        assert!(transcript.stderr.contains("none"), "{command}: {transcript}");
        assert!(!transcript.stderr.contains("os error"), "{command}: {transcript}");
    }
}

#[test]
fn a_query_of_a_run_that_is_not_among_the_topics_is_left_out_and_said() {
    let more = "q3 Q0 c1 3 1 old\nq7 Q0 c1 1 1 old\nq8 Q0 c1 1 1 old\n";
    with("old.run", "q3 Q0 c1 3 1 old\n", more)
        .llull(&["run"])
        .ends(0)
        .says(&["warning: old.run line 10: query \"q7\" is not in topics.tsv, nor is another of this run's"]);
}

#[test]
fn a_run_that_answers_other_queries_altogether() {
    let sandbox = with("topics.tsv", "q1", "1");
    sandbox.edit("topics.tsv", "q2", "2").edit("topics.tsv", "q3", "3");
    sandbox.llull(&["run"]).ends(1).says(&[
        "error: old.run line 1: query \"q1\" is not in topics.tsv, nor is any other query of this run.",
    ]);
}

#[test]
fn a_query_that_a_system_does_not_answer_counts_as_0() {
    let sandbox = with("new.run", "q3 Q0 c1 1 3 new\nq3 Q0 c2 2 2 new\nq3 Q0 c3 3 1 new\n", "");
    let report = sandbox.llull(&["run", "--json"]).ends(0).json();
    assert_eq!(report["systems"][1]["figures"][0]["missing_topics"], 1);
    sandbox.llull(&["doctor"]).ends(0).says(&[
        "warning system new: 2 queries answered, 6 pairs in the pool; 1 query is not answered and counts",
    ]);
}

#[test]
fn a_document_without_a_text_is_not_judged_and_said() {
    let sandbox = with(
        "corpus.jsonl",
        "{\"id\":\"c2\",\"title\":\"Deleting a project\",\"text\":\"An owner can delete a project.\"}",
        "{\"id\":\"c2\",\"title\":\"\",\"text\":\" \"}",
    );
    sandbox.llull(&["run", "--verbose"]).ends(3).says(&[
        "similarity: 10 judged; missing: 1 without a text\n",
        "11 pairs, 0 already in the ledger, 1 without a text, 10 to ask\n",
        "warning: corpus.jsonl line 10: document \"c2\" has neither title nor text; it cannot be judged",
    ]);
}

#[test]
fn a_document_that_is_not_in_the_corpus() {
    refused("new.run", "q2 Q0 b4", "q2 Q0 b99")
        .says(&["error: new.run line 6: document \"b99\" of query \"q2\" is not in corpus.jsonl. A"]);
}

#[test]
fn grades_that_are_none() {
    let sandbox = tiny();
    let measure = || sandbox.llull(&["measure", "known.qrels", "old.run"]);
    sandbox.edit("known.qrels", "q1 0 a2 1", "q1 0 a2 good");
    for transcript in [sandbox.llull(&["run"]), measure()] {
        transcript
            .refused(1, &["known.qrels line 2, column 4 (grade): found \"good\", expected a whole number"]);
    }
    sandbox.edit("known.qrels", "q1 0 a2 good", "q1 0 a2 1\nq1 0 a2 2");
    measure().refused(
        1,
        &["known.qrels lines 2 and 3: document a2 of query q1 is graded 1 and then 2", "--repeats"],
    );
}

/// An archive that was copied in part is told apart from a wrong one, and so is a folder.
#[test]
fn files_that_cannot_be_read() {
    let sandbox = tiny();
    let lines: String = (0..2_000).map(|n| format!("q{n} Q0 a{n} 1 1 t\n")).collect();
    for name in ["whole.run.gz", "whole.run.zst"] {
        let mut file = llull::data::create(sandbox.path(name)).unwrap();
        std::io::Write::write_all(&mut file, lines.as_bytes()).unwrap();
        file.finish().unwrap();
        let bytes = fs_err::read(sandbox.path(name)).unwrap();
        fs_err::write(sandbox.path(&name.replace("whole", "part")), &bytes[..bytes.len() / 2]).unwrap();
    }
    fs_err::create_dir(sandbox.path("runs")).unwrap();
    sandbox.write("one.run", "q1\n");
    for (run, says) in [
        ("part.run.gz", "The file is cut off: compress or copy it again"),
        ("part.run.zst", "The file is cut off: compress or copy it again"),
        ("runs", "runs is a folder. Name a file in it"),
        ("one.run", "one.run line 1: found 1 column, expected the six of a run"),
    ] {
        let said = sandbox.llull(&["measure", "known.qrels", run]).ends(1).stderr;
        assert!(said.contains(says), "{said}");
    }
}
