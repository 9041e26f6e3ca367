//! A study whose base keeps labels that exist.

use crate::sandbox::{Sandbox, check};

const STUDY: &str = r#"version = 1
name = "holes"
topics = "topics.tsv"
measures = ["nDCG@5", "P@5"]
pool.depth = 8

[[systems]]
name = "old"
run = "old.run"

[[systems]]
name = "new"
run = "new.run"

[[judges]]
name = "lenient"
model = "replay"
labels = "judge.qrels"
"#;

/// People's grade of a document, from 0 to 2.
fn people(query: usize, document: usize) -> usize {
    (query * 5 + document * 7) % 3
}

/// Eight queries. The old system returns d0 to d7, the new one d4 to d11, its best guesses first. People have labelled
/// d0 to d7 of each, and d20, which no system returned. The judge gives one grade more than people do.
fn holes(base: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let (mut topics, mut old, mut new) = (String::new(), String::new(), String::new());
    let (mut judge, mut human) = (String::new(), String::from("q99 0 d1 2\n"));
    for query in 0..8 {
        topics.push_str(&format!("q{query}\twhat is {query}\n"));
        let mut ranked: Vec<usize> = (4..12).collect();
        ranked.sort_by_key(|document| (2 - people(query, *document), *document));
        for (rank, document) in (0..8).enumerate() {
            old.push_str(&format!("q{query} Q0 d{document} {} {} old\n", rank + 1, 8 - rank));
        }
        for (rank, document) in ranked.iter().enumerate() {
            new.push_str(&format!("q{query} Q0 d{document} {} {} new\n", rank + 1, 8 - rank));
        }
        for document in (0..12).chain([20]) {
            judge.push_str(&format!("q{query} 0 d{document} {}\n", people(query, document) + 1));
        }
        for document in (0..8).chain([20]) {
            human.push_str(&format!("q{query} 0 d{document} {}\n", people(query, document)));
        }
    }
    let files = [
        ("topics.tsv", &topics),
        ("old.run", &old),
        ("new.run", &new),
        ("judge.qrels", &judge),
        ("human.qrels", &human),
    ];
    for (name, text) in files {
        sandbox.write(name, text);
    }
    sandbox.write("llull.toml", &STUDY.replace("measures", &format!("{base}\nmeasures")));
    sandbox
}

const ANEW: &str = "base = { file = \"human.qrels\", overlap = 40 }";

/// Every label of the file: query, source, document, grade.
fn labels(sandbox: &Sandbox) -> Vec<(String, String, String, usize)> {
    let text = sandbox.read("labels.qrels");
    let row = |line: &str| {
        let mut columns = line.split_whitespace().map(str::to_owned);
        let mut next = || columns.next().unwrap();
        (next(), next(), next(), next().parse().unwrap())
    };
    text.lines().map(row).collect()
}

/// 32 holes and 40 of 64 labelled pairs are asked about, and nothing the second time.
#[test]
fn judges_are_asked_about_what_the_base_lacks() {
    let sandbox = holes(ANEW);
    let asked = "has 72 labels of these queries; judges get 32 pairs without a label, and 40";
    sandbox.llull(&["run", "--dry-run"]).ends(0).rows(&["lenient 72 0 0 0 0 72 0"]).says(&[asked]);
    check!(sandbox.llull(&["run", "--verbose"]).ends(0).says(&[asked]));
    let found = labels(&sandbox);
    assert_eq!(found.len(), 8 * 13, "the pool is the base and the runs");
    for (query, source, document, grade) in &found {
        let (q, d): (usize, usize) = (query[1..].parse().unwrap(), document[1..].parse().unwrap());
        let hole = (8..12).contains(&d);
        assert_eq!(source, if hole { "lenient" } else { "human" }, "{query} {document}");
        assert_eq!(*grade, people(q, d), "the judge is one grade too lenient: {query} {document}");
    }
    let first = sandbox.read("report.json");
    let again = sandbox.llull(&["run", "--verbose"]).ends(0);
    assert!(again.stderr.contains("72 already in the ledger, 0 to ask"), "{again}");
    assert_eq!(sandbox.read("report.json"), first);
    let report = sandbox.read("report.md");
    for row in
        ["| lenient | 32 | 30.8% | 8 |", "| 3 | 2 | 2.0000 | 14 |", "| old | 0.5677 | [0.4303, 0.6695] |"]
    {
        assert!(report.contains(row), "{row} in\n{report}");
    }
}

#[test]
fn the_report_says_what_each_source_gave() {
    let sandbox = holes(ANEW);
    let report = sandbox.llull(&["run", "--json"]).ends(0).json();
    let mix = &report["mix"];
    assert_eq!(mix["sources"][0]["pairs"], 72);
    assert_eq!((&mix["sources"][1]["name"], &mix["sources"][1]["pairs"]), (&"lenient".into(), &32.into()));
    assert_eq!((&mix["queries"], &mix["queries_mixed"], &mix["both"]), (&8.into(), &8.into(), &40.into()));
    assert_eq!((&mix["calibration"]["method"], &mix["calibration"]["pairs"]), (&"kappa".into(), &40.into()));
    // The judge was not asked about everything, so that only the base has a verdict of its own, with its holes.
    let alone = mix["alone"].as_array().unwrap();
    assert_eq!((alone.len(), &alone[0]["source"], &alone[0]["labels"]), (1, &"human".into(), &72.into()));
    assert!(alone[0]["unjudged_share"].as_f64().unwrap() > 0.0);
    let full: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    let documents = full["topics"][0]["documents"].as_array().unwrap();
    let of = |id: &str| documents.iter().find(|document| document["id"] == id).unwrap();
    assert_eq!((documents.len(), &of("d20")["source"]), (13, &"human".into()));
    assert_eq!(
        (&of("d20")["answers"], &of("d20")["ranks"]),
        (&serde_json::json!([]), &serde_json::json!([null, null]))
    );
    assert_eq!(
        (&of("d9")["source"], &of("d9")["answers"][0]["grade"]),
        (&"lenient".into(), &(people(0, 9) + 1).into())
    );
}

/// To compare, judges are asked about everything, and both verdicts stand beside the mixed one.
#[test]
fn judges_can_be_asked_about_everything() {
    let sandbox = holes("base = { file = \"human.qrels\", name = \"TREC\", judge = \"all\" }");
    sandbox.llull(&["run", "--verbose"]).ends(0).says(&[
        "new is better than old: nDCG@5 +0.3508 [+0.2390, +0.4819]",
        "\nBy TREC alone (72 labels, ",
        "another verdict: No clear difference between new and old: nDCG@5 +0.0066 [-0.1287, +0.1292]",
        "\nBy lenient alone (104 labels): new is better than old: nDCG@5 +0.2315 [+0.1557, +0.3209]",
        "On 72 pairs that both labelled",
        "0.0% (Cohen's kappa -0.2857, quadratic 0.5714)",
        "without a label, and 72 with one",
    ]);
    let alone = sandbox.llull(&["run", "--json"]).ends(0).json()["mix"]["alone"].clone();
    assert_eq!((&alone[0]["source"], &alone[1]["source"]), (&"TREC".into(), &"lenient".into()));
    assert_eq!((&alone[1]["labels"], &alone[1]["unjudged_share"]), (&104.into(), &0.0.into()));
    assert_eq!(labels(&sandbox).iter().filter(|label| label.1 == "TREC").count(), 72);
}

/// A reference and a base are two things, and a study may have both.
#[test]
fn a_reference_may_stand_beside_it() {
    let sandbox = holes(&format!("reference = \"judge.qrels\"\n{ANEW}"));
    let report = sandbox.llull(&["run", "--json"]).ends(0).json();
    assert_eq!(
        (&report["reference"]["agreement"]["both"], &report["mix"]["both"]),
        (&104.into(), &40.into())
    );
}

#[test]
fn other_commands_know_it() {
    let sandbox = holes(ANEW);
    sandbox.llull(&["doctor"]).says(&[
        "base",
        "human has 72 labels of these queries",
        "32 pairs without a label",
    ]);
    sandbox.llull(&["pool"]).ends(0).says(&["104 pairs of 8 queries"]);
    sandbox.llull(&["run"]).ends(0);
    let report = sandbox.read("labels.qrels");
    sandbox
        .llull(&["label"])
        .ends(0)
        .says(&["72 (69.2%) by human", "lenient's grades are put on the scale of human"]);
    assert_eq!(sandbox.read("labels.qrels"), report);
    let rows = sandbox.llull(&["label", "--json"]).ends(0).json();
    assert_eq!(rows.as_array().unwrap().iter().filter(|row| row["source"] == "lenient").count(), 32);
    sandbox.llull(&["label", "--calibrate", "kappa"]).ends(2).says(&["on the scale of its base already"]);
    sandbox.llull(&["sample", "-n", "20", "-m", "P@5"]).says(&["draw the sample in a study without base"]);
    sandbox.llull(&["measure"]).ends(0);
    let agreement = sandbox.llull(&["agree", "human.qrels", "--json"]).ends(0).json();
    assert!(agreement.to_string().contains("\"exact\":0.0"), "the judge as it answered: {agreement}");
}

/// Without a scale in common nothing is mixed, whatever the reason.
#[test]
fn nothing_is_mixed_without_a_common_scale() {
    let sandbox = holes(ANEW);
    let few: String = (0..8).map(|query| format!("q{query} 0 d1 1\n")).collect();
    sandbox.write("human.qrels", &few);
    let said = sandbox.llull(&["run", "--verbose"]).ends(1);
    said.says(&["human.qrels (base)", "8 labels", "at least 30", "calibrate = \"none\""]);
    // With the user's word they are mixed as they are.
    let text = ANEW.replace("overlap = 40", "calibrate = \"none\"");
    sandbox.edit("llull.toml", ANEW, &text);
    sandbox.llull(&["run", "--verbose"]).ends(0).says(&["stand as they are (calibrate = \"none\")"]);
    let mixed = sandbox.read("labels.qrels");
    assert!(mixed.contains("q0 lenient d0 1\n") && mixed.contains("q0 human d1 1\n"), "{mixed}");
    // Labels that the judge answers unusably are found out later: the report rests on the base alone.
    let sandbox = holes(ANEW);
    let all = sandbox.read("judge.qrels");
    let holes: Vec<&str> = all
        .lines()
        .filter(|line| ["d8 ", "d9 ", "d10 ", "d11 "].iter().any(|id| line.contains(id)))
        .collect();
    sandbox.write("judge.qrels", &(holes.join("\n") + "\n"));
    sandbox
        .llull(&["run", "--verbose"])
        .ends(3)
        .rows(&["old 0.5677 0.3250 0 of 40 8 0", "new 0.5743 ! 0.2500 ! 19 of 40 8 0"])
        .says(&[
            "No verdict yet: 32 of 104 pooled pairs without a label",
            "32 of 104 pooled pairs (30.8%) have no label",
            "lenient's labels are not mixed with those of human: both have labelled 0 pairs",
            "lenient: 32 judged; missing: 40 not in file",
        ]);
    assert!(labels(&sandbox).iter().all(|label| label.1 == "human"));
}

#[test]
fn judges_that_compare_have_no_base() {
    let sandbox = holes(&format!("paradigm = \"listwise\"\n{ANEW}"));
    sandbox.llull(&["run"]).ends(1).says(&["llull.toml line 5", "judges that compare", "reference"]);
}
