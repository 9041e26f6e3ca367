//! What inputs may be: how datasets are read, which files are no inputs, and how large they may be.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::evaluate::eight;
use crate::sandbox::{Sandbox, tiny_judged_by};

/// Three questions whose answers have commas, with results that hold two of the answers.
fn with_commas() -> Sandbox {
    let sandbox = Sandbox::new();
    let answers = [
        "Anna Alba, Bea Bonn, Cleo Cork",
        "the red door, the blue window, the green roof",
        "Mars, Venus, Saturn",
    ];
    let objects: Vec<String> = answers
        .iter()
        .enumerate()
        .map(|(at, answer)| {
            format!(r#"{{"query_id":"q{at}","query_text":"which is {at}","expected_answers":["{answer}"]}}"#)
        })
        .collect();
    sandbox.write("json.json", &format!("{{\"queries\":[{}]}}", objects.join(",")));
    let rows: Vec<String> = answers
        .iter()
        .enumerate()
        .map(|(at, answer)| format!("q{at},which is {at},\"{answer}\"\n"))
        .collect();
    sandbox.write("plain.csv", &format!("query_id,query_text,expected_answers\n{}", rows.concat()));
    let found = ["Bea Bonn", answers[1], answers[2]];
    let lines: Vec<String> = found
        .iter()
        .enumerate()
        .map(|(at, text)| {
            format!("{{\"query_id\":\"q{at}\",\"results\":[{{\"doc_id\":\"d{at}\",\"text\":\"{text}\"}}]}}\n")
        })
        .collect();
    sandbox.write("found.jsonl", &lines.concat());
    sandbox
}

#[test]
fn a_csv_whose_answers_have_commas_scores_as_the_same_json() {
    let sandbox = with_commas();
    let value = |file: &str, more: &[&str]| {
        let args = ["evaluate", file, "--results", "found.jsonl", "-m", "HitRate@4", "--format", "csv"];
        sandbox.llull(&[&args[..], more].concat()).ends(0)
    };
    let (json, csv) = (value("json.json", &[]), value("plain.csv", &[]));
    assert_eq!(json.stdout, csv.stdout);
    assert!(csv.stdout.contains("found,HitRate@4,all,0.66"), "{}", csv.stdout);
    csv.says(&["plain.csv: 3 cells of expected_answers with commas or semicolons, each read as one answer"]);
    let declared = value("plain.csv", &["--answers-separator", ","]);
    assert!(declared.stdout.contains("found,HitRate@4,all,1\n"), "{}", declared.stdout);
    declared.says(&["plain.csv: 3 cells of expected_answers split at \",\" into 9 answers"]);
    value("plain.csv", &["-Q"]);
    sandbox
        .llull(&["evaluate", "plain.csv", "--results", "found.jsonl", "--answers-separator", ""])
        .ends(2)
        .says(&["must not be empty"]);
}

#[test]
fn missing_values_are_counted_and_no_answers() {
    let sandbox = with_commas();
    sandbox.edit("plain.csv", "\"Mars, Venus, Saturn\"", "nan");
    sandbox.llull(&["evaluate", "plain.csv", "--results", "found.jsonl", "-m", "Recall@4"]).ends(0).says(&[
        "warning: plain.csv: 1 expected value of nan, None or null, read as missing (first: query q2)",
        "Recall@4",
    ]);
}

#[test]
fn evaluate_calls_a_measure_as_it_was_typed() {
    let sandbox = eight();
    let measures = ["-m", "HitRate@4", "-m", "Recall@4"];
    let evaluate = |more: &[&str]| {
        let args = ["evaluate", "questions.csv", "--results", "bad.jsonl", "--results", "good.jsonl"];
        sandbox.llull(&[&args[..], &measures, more].concat()).ends(0)
    };
    let called = |text: &str| {
        assert!(text.contains("HitRate@4") && text.contains("Recall@4"), "{text}");
        assert!(!text.contains("Success@4") && !text.contains("R@4"), "{text}");
    };
    for more in [&[][..], &["--json"], &["--format", "csv"], &["--format", "markdown"]] {
        called(&evaluate(more).stdout);
    }
    evaluate(&["--report", "report"]);
    for file in ["report/report.md", "report/report.html", "report/report.json"] {
        called(&sandbox.read(file));
    }
}

#[test]
fn qrels_in_the_order_of_ir_datasets_are_read() {
    let sandbox = Sandbox::new();
    sandbox.write("a.qrels", "q1 d1 2 0\nq1 d2 1 0\nq2 d3 1 0\n");
    sandbox.write("a.run", "q1 Q0 d1 1 2 a\nq2 Q0 d3 1 2 a\n");
    let measured = sandbox.llull(&["measure", "a.qrels", "a.run", "-m", "DCG@1"]).ends(0);
    measured.rows(&["a DCG@1 1.5000 [n/a, n/a] 2 0 0 of 2"]).says(&[
        "a.qrels: the columns are read as those of ir_datasets: query, document, grade and iteration",
    ]);
}

/// Puts a named pipe where a file is.
fn pipe_in_place_of(sandbox: &Sandbox, name: &str) {
    std::fs::remove_file(sandbox.path(name)).unwrap();
    assert!(Command::new("mkfifo").arg(sandbox.path(name)).status().unwrap().success());
}

#[test]
fn a_named_pipe_of_a_study_is_refused_and_not_waited_for() {
    for name in ["topics.tsv", "corpus.jsonl", "old.run", "rubric.md", "llull.toml"] {
        let sandbox = tiny_judged_by("[[judges]]\nmodel = \"similarity\"\n");
        if name == "rubric.md" {
            sandbox.write(name, "");
            sandbox.edit("llull.toml", "name = \"tiny\"\n", "name = \"tiny\"\nrubric = \"rubric.md\"\n");
        }
        pipe_in_place_of(&sandbox, name);
        let said = sandbox.llull(&["run"]).ends(1);
        assert!(said.stderr.contains(name), "{}", said.stderr);
        assert!(
            said.stderr.contains("named pipe") || said.stderr.contains("no regular file"),
            "{}",
            said.stderr
        );
    }
}

#[test]
fn pipes_of_the_shell_are_read() {
    let sandbox = Sandbox::new();
    sandbox.write("a.qrels", "q1 0 d1 1\n").write("a.run", "q1 Q0 d1 1 2 a\n");
    let plain =
        sandbox.llull(&["measure", "a.qrels", "a.run", "-m", "P@1", "--format", "csv"]).ends(0).stdout;
    let llull = sandbox.command(&[]);
    let script = "\"$0\" measure <(cat a.qrels) <(cat a.run) -m P@1 --format csv";
    let mut bash = Command::new("bash");
    bash.arg("-c").arg(script).arg(llull.get_program()).current_dir(sandbox.path("."));
    let output = bash.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().next(), plain.lines().next());
    assert!(text.trim_end().ends_with(",P@1,all,1"), "{text}");
    let mut child = Command::new(llull.get_program());
    child
        .args(["measure", "/dev/stdin", "a.run", "-m", "P@1", "--format", "csv"])
        .current_dir(sandbox.path("."));
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"q1 0 d1 1\n").unwrap();
    assert_eq!(String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap(), plain);
    pipe_in_place_of(&sandbox, "a.run");
    sandbox
        .llull(&["measure", "a.qrels", "a.run"])
        .ends(1)
        .says(&["a.run is a named pipe. Name a regular file"]);
    sandbox.llull(&["measure", "a.qrels", "/dev/zero"]).ends(1).says(&["/dev/zero is a device"]);
}

#[test]
fn a_file_that_is_read_whole_has_a_limit_that_the_environment_raises() {
    let mut sandbox = with_commas();
    sandbox.set("LLULL_MAX_FILE", "100");
    let evaluate = ["evaluate", "json.json", "--results", "found.jsonl"];
    sandbox.llull(&evaluate).ends(1).says(&["json.json: more than 100 bytes", "LLULL_MAX_FILE=4GiB"]);
    sandbox.set("LLULL_MAX_FILE", "much");
    sandbox.llull(&evaluate).ends(2).says(&["LLULL_MAX_FILE=much: expected a size, such as 500MB or 4GiB"]);
    sandbox.set("LLULL_MAX_FILE", "1MiB");
    sandbox.llull(&evaluate).ends(0);
    sandbox.set("LLULL_MAX_FILE", "600");
    let long = "x".repeat(700);
    sandbox.write("facts.jsonl", &long).write("rubric.md", &long).write("pairs.csv", &long);
    sandbox.write("study/llull.toml", &long);
    for (args, file) in [
        ([&evaluate[..], &["--facts", "facts.jsonl"]].concat(), "facts.jsonl"),
        ([&evaluate[..], &["--rubric", "rubric.md", "--judge", "openai/x"]].concat(), "rubric.md"),
        (vec!["-C", "study", "run"], "llull.toml"),
    ] {
        sandbox.llull(&args).refused(1, &[&format!("{file}: more than 600 bytes")]);
    }
}
