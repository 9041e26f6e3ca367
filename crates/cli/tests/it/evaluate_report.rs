//! `llull evaluate --report`

use llull_testkit::FaultPlan;

use crate::evaluate::{eight, yes_or_no};
use crate::sandbox::{Sandbox, command_line};

#[test]
fn the_report_of_an_evaluation() {
    let sandbox = eight();
    let base =
        ["evaluate", "questions.csv", "--results", "good.jsonl", "--results", "bad.jsonl", "-m", "RR@3"];
    sandbox
        .llull(&[&base[..], &["--report", "found/first"]].concat())
        .ends(0)
        .says(&["in found/first: report.html, report.md, report.json"]);
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("found/first/report.json")).unwrap();
    let decision = report["decision"]["summary"][0].as_str().unwrap();
    assert!(decision.starts_with("bad is worse than good: RR@3 -0.5625"), "{decision}");
    assert_eq!((report["topics"].as_array().unwrap().len(), &report["coverage"]["missing"]), (8, &7.into()));
    assert!(
        report["study"]["honesty"].as_str().unwrap().starts_with("Labels by: shared words token-overlap.")
    );
    let last = report["topics"][7]["documents"].as_array().unwrap();
    let ranks: Vec<String> = last.iter().map(|document| document["ranks"].to_string()).collect();
    assert_eq!((last[0]["id"].as_str().unwrap(), ranks), ("d8", vec!["[1,null]".to_owned()]));
    let found = &report["topics"][0]["documents"][0];
    assert_eq!((found["id"].as_str(), found["ranks"].to_string()), (Some("d1"), "[1,2]".to_owned()));
    assert_eq!(found["answers"][0]["rationale"], "the city 1 lies in land 1: the passage has the answer",);
    let page = sandbox.read("found/first/report.html");
    assert!(page.contains("good is better than bad") && page.contains("it is known that the city 1"));
    assert!(!page.contains("<script"), "no script at all");
    // The same again gives the same bytes, and texts stay out where they are to.
    sandbox.llull(&[&base[..], &["--report", "again"]].concat()).ends(0);
    assert_eq!(sandbox.read("again/report.json"), sandbox.read("found/first/report.json"));
    sandbox.llull(&[&base[..], &["--report", "bare", "--no-texts"]].concat()).ends(0);
    for file in ["report.html", "report.md", "report.json"] {
        assert!(!sandbox.read(&format!("bare/{file}")).contains("it is known that"), "{file}");
    }
}

#[test]
fn an_answer_that_nobody_found_is_no_pair() {
    let sandbox = Sandbox::new();
    sandbox
        .write(
            "set.json",
            "[{\"query_id\":\"q1\",\"query\":\"a\",\"expected_answers\":[\"nowhere to be seen\"]}]",
        )
        .write(
            "r.jsonl",
            "{\"query_id\":\"q1\",\"results\":[{\"doc_id\":\"d1\",\"text\":\"other words\"}]}\n",
        );
    sandbox.llull(&["evaluate", "set.json", "--results", "r.jsonl", "--report", "found"]).ends(0);
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("found/report.json")).unwrap();
    assert_eq!((&report["coverage"]["pairs"], &report["coverage"]["labelled"]), (&1.into(), &1.into()));
    assert_eq!(report["topics"][0]["documents"].as_array().unwrap().len(), 2, "it is shown all the same");
}

/// bad has 1/2 for seven queries and 0 for the last; the rank of an answer does not depend on the results below it that
/// have no text.
#[test]
fn gates_on_expected_answers() {
    let sandbox = eight();
    let good = ["evaluate", "questions.csv", "--results", "good.jsonl"];
    let both = [&good[..], &["--results", "bad.jsonl"]].concat();
    let by = |systems: &[&str], gate: &str| {
        sandbox.llull(&[systems, &["--gate", gate, "--junit", "gates.xml"]].concat())
    };
    by(&both, "low(RR@3) >= -0.8").ends(0).says(&["low(RR@3) >= -0.8 holds for bad"]);
    let failed = by(&both, "value(RR@3) > 0.9").ends(100);
    failed.says(&["value(RR@3) > 0.9 fails for bad: it is 0.4375"]);
    let cases = sandbox.read("gates.xml");
    assert!(cases.contains("failures=\"1\"") && cases.contains("RR@3"), "{cases}");
    by(&good, "value(RR@3) > 0.9").ends(0);
    by(&good, "low(RR@3) >= 0").refused(2, &["is on the difference from another system", "value(RR@3)"]);
    let json =
        sandbox.llull(&[&both[..], &["--gate", "value(RR@3) > 0.9", "--json"]].concat()).ends(100).json();
    assert_eq!(json["gates"][0]["outcome"], "failed");
}

#[test]
fn what_no_system_found_is_a_row() {
    let sandbox = eight();
    sandbox.llull(&["evaluate", "questions.csv", "--results", "bad.jsonl", "--report", "found"]).ends(0);
    let text = sandbox.read("found/report.md");
    assert!(text.contains("no result counts for it: the city 8 lies in land 8"), "{text}");
}

/// A panel is one judge in the rows, and what is known of each of its members stands beside it.
#[test]
fn the_report_of_a_panel() {
    let server = yes_or_no(FaultPlan::default());
    let sandbox = eight();
    sandbox
        .llull(&[
            "evaluate",
            "questions.csv",
            "--results",
            "good.jsonl",
            "--judge",
            "token-overlap",
            "--judge",
            "vllm/m",
            "--base-url",
            &server.url(),
            "--ledger",
            "a.sqlite",
            "--report",
            "found",
        ])
        .ends(0);
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("found/report.json")).unwrap();
    let judges = report["study"]["judges"].as_array().unwrap();
    assert_eq!((judges.len(), &judges[0]["model"]), (1, &"token-overlap, m".into()));
    assert_eq!(report["coverage"]["judges"].as_array().unwrap().len(), 2);
    assert_eq!(report["cost"]["judges"].as_array().unwrap().len(), 2);
    assert!(report["panel"]["agreement"][0]["n"].as_u64().unwrap() >= 8);
}

#[test]
fn a_studys_own_report_is_not_replaced() {
    let sandbox = eight();
    sandbox.write("study/llull.toml", "");
    sandbox
        .llull(&["evaluate", "questions.csv", "--results", "good.jsonl", "--report", "study"])
        .ends(2)
        .says(&["--report study: this is a study's folder", "study/found"]);
    sandbox
        .llull(&["evaluate", "questions.csv", "--results", "good.jsonl", "--no-texts"])
        .ends(2)
        .says(&["--report <DIR>"]);
}

/// Times and prices come with results; a system whose results have none is named, and has no 0.
#[test]
fn quality_stands_against_speed_and_price() {
    let sandbox = eight();
    let timed: String = sandbox
        .read("good.jsonl")
        .lines()
        .enumerate()
        .map(|(n, line)| format!("{},\"ms\":{},\"usd\":0.25}}\n", line.strip_suffix('}').unwrap(), n + 1))
        .collect();
    sandbox.write("timed.jsonl", &timed);
    let results = ["--results", "timed.jsonl", "--results", "bad.jsonl", "--report", "found"];
    let json =
        sandbox.llull(&[&["evaluate", "questions.csv", "--json"], &results[..]].concat()).ends(0).json();
    let found = &json["systems"][0]["retrieval"];
    let queries = found["n"].as_u64().unwrap();
    assert!(queries >= 7, "{found}");
    assert_eq!(found["p95_ms"].as_f64(), Some(queries as f64), "the slowest of fewer than 20");
    assert_eq!(found["cost_usd"]["known"].as_f64(), Some(queries as f64 / 4.0));
    let untimed = &json["systems"][1]["retrieval"];
    assert_eq!((&untimed["errors"], &untimed["n"], &untimed["p95_ms"]), (&1.into(), &0.into(), &().into()));
    let page = sandbox.read("found/report.html");
    assert!(page.contains("Quality against speed and price") && page.contains("Without times: bad"));
}

/// A link in the folder of the report led the report elsewhere, over whatever was there.
#[cfg(unix)]
#[test]
fn a_report_is_written_through_no_link() {
    let sandbox = eight();
    let command =
        command_line("evaluate questions.csv --results good.jsonl --results bad.jsonl --report found");
    sandbox.llull(&command).ends(0);
    let files: Vec<_> =
        fs_err::read_dir(sandbox.path("found")).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(files.len() >= 3, "{files:?}");
    for file in files {
        sandbox.write("mine", "mine");
        fs_err::remove_file(&file).unwrap();
        std::os::unix::fs::symlink(sandbox.path("mine"), &file).unwrap();
        sandbox.llull(&command).ends(1).says(&["is a symbolic link"]);
        assert_eq!(sandbox.read("mine"), "mine", "{}", file.display());
        fs_err::remove_file(&file).unwrap();
    }
}
