//! `llull report`

use llull_testkit::{Fault, FaultPlan, FaultyServer};

use crate::sandbox::{Sandbox, check, tiny, tiny_served};

fn judged() -> Sandbox {
    let sandbox = tiny();
    sandbox.llull(&["run"]).ends(0);
    sandbox
}

#[test]
fn writes_the_same_files_again() {
    let sandbox = judged();
    let files = ["report.html", "report.md", "report.json", "labels.qrels"];
    let before = files.map(|file| sandbox.read(file));
    for file in files {
        fs_err::remove_file(sandbox.path(file)).unwrap();
    }
    check!(sandbox.llull(&["report", "--verbose"]).ends(0));
    assert_eq!(files.map(|file| sandbox.read(file)), before);
}

#[test]
fn says_the_same_of_failures_as_the_run_that_met_them() {
    let refused =
        Fault::Raw { status: 400, headers: Vec::new(), body: r#"{"error": {"message": "no"}}"#.into() };
    // One answer, since a run without any is an error and writes no report.
    let script = vec![Fault::None];
    let plan = FaultPlan { script, otherwise: Some(refused), ..FaultPlan::default() };
    let server = FaultyServer::start(plan).unwrap();
    let sandbox = tiny_served(&server.url());
    sandbox.llull(&["run"]).ends(3);
    let at_once = sandbox.read("report.json");
    assert!(at_once.contains("\"failed\": [{\"what\":\"rejected\",\"count\":10}]"), "{at_once}");
    sandbox.llull(&["report"]).ends(3);
    assert_eq!(sandbox.read("report.json"), at_once);
}

#[test]
fn markdown() {
    let sandbox = judged();
    let shown = sandbox.llull(&["report", "--format", "markdown"]).ends(0).stdout;
    assert_eq!(shown.trim_end(), sandbox.read("report.md").trim_end());
    // The parts in their order; crates/report tests their content.
    let parts: Vec<&str> = shown.lines().filter(|line| line.starts_with('#')).collect();
    let expected =
        ["# tiny", "## Systems", "## Judge checks", "## Coverage", "## Cost", "## Queries", "## Provenance"];
    assert_eq!(parts, expected);
    for row in [
        "| nDCG@3 | new | 0.9530 | [n/a, n/a] | 1.0000 | 3 | 0 | 0 of 9 (0.0%) |",
        "| P(rel=2)@1 | new | +0.6667 | [n/a, n/a] (95%, 10,000 resamples) | 3 | 2 | 1 | 0 | no clear difference |",
        "| known | 11 | 11 | 0 | 0 | 0 | 0 | 0 |",
        "| 2 | a4 | Locked out | n/a | 3 | 2 |",
        "| topics | topics.tsv | 76e023fb28bb |",
    ] {
        assert!(shown.contains(&format!("\n{row}\n")), "{row} in\n{shown}");
    }
}

#[test]
fn json_is_short_for_the_format_and_valid_under_the_schema() {
    let sandbox = judged();
    let report = sandbox.llull(&["report", "--json"]).ends(0);
    assert_eq!(report.stdout, sandbox.llull(&["report", "--format", "json"]).ends(0).stdout);
    let schema = Sandbox::new().llull(&["report", "--format", "schema"]).ends(0).json();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let report = report.json();
    assert!(validator.is_valid(&report), "{:?}", validator.iter_errors(&report).next());
    assert_eq!(report["topics"].as_array().unwrap().len(), 3);
}

#[test]
fn of_a_study_that_is_not_judged() {
    tiny().llull(&["report", "--verbose"]).ends(3).says(&[
        "No verdict: none of the 11 pooled pairs has a label",
        "known: 0 attempts, unknown + unknown tokens, price unknown",
    ]);
}

#[test]
fn an_earlier_report_stands_beside_this_one_and_what_the_two_do_not_share_is_said_loudly() {
    let sandbox = judged();
    fs_err::copy(sandbox.path("report.json"), sandbox.path("earlier.json")).unwrap();
    let same = sandbox.llull(&["report", "--since", "earlier.json", "--verbose"]).ends(0).stdout;
    assert!(same.contains("Both reports have the same corpus, queries, rubric and judges"), "{same}");
    assert!(!sandbox.read("report.html").contains("cannot be compared"));

    let changed = "since the earlier report the corpus was corrected";
    let corpus = sandbox.read("corpus.jsonl");
    let (first, rest) = corpus.split_once('\n').unwrap();
    let mut document: serde_json::Value = serde_json::from_str(first).unwrap();
    document["text"] = changed.into();
    fs_err::write(sandbox.path("corpus.jsonl"), format!("{document}\n{rest}")).unwrap();
    sandbox.llull(&["run"]).ends(0);
    let since = sandbox.llull(&["report", "--since", "earlier.json", "--verbose"]).ends(0);
    let verdict = "The two reports differ in corpus: their figures cannot be compared.";
    assert!(since.stdout.find(verdict).unwrap() < since.stdout.find("system ").unwrap(), "{since}");
    since.rows(&[
        "since earlier.json:",
        "corpus: of 11 documents that both pools have and that were looked at, 1 has another text",
        "system measure then now difference",
        "old nDCG@3 0.6770 0.6770 0.0000",
        "new P(rel=2)@1 1.0000 1.0000 0.0000",
    ]);
    let page = sandbox.read("report.html");
    let at = |text: &str| page.find(text).unwrap();
    let (flag, table) = (at("Not comparable with the earlier report"), at("<table"));
    let below = page[at("</table>")..].split("</section>").next().unwrap();
    assert!(flag < table && below.contains(verdict), "the flag, the table, and the sentence: {page}");
    let text = sandbox.read("report.md");
    assert!(text.contains(&format!("**{verdict}**")) && text.contains("## Since the earlier report"));

    sandbox.llull(&["report", "--since", "corpus.jsonl"]).refused(
        1,
        &["corpus.jsonl: it is no report.json of a study", "missing field `version`", "name a report.json"],
    );
    sandbox.llull(&["report", "--since", "1", "--verbose"]).ends(0).says(&["since report 0001"]);
    sandbox.llull(&["report", "--since", "99"]).refused(1, &["99", "llull history"]);
    sandbox.llull(&["report", "--since", "nowhere.json"]).refused(1, &["nowhere.json"]);
}
