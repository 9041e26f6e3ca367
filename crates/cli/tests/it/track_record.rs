//! The worth of a verdict without human labels: its track record, other judges, and a judge that favours a system.

use serde_json::Value;

use crate::sandbox::{Sandbox, check};

const QUERIES: usize = 40;
const DOCUMENTS: usize = 20;

/// A number from 0 to 99 that looks drawn, and is the same everywhere.
fn drawn(query: usize, document: usize, what: usize) -> usize {
    let mut state = (query * 7_919 + document * 104_729 + what * 1_299_709 + 12_345) as u32;
    for _ in 0..3 {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
    }
    state as usize % 100
}

/// The grade by humans: 0 to 3, low ones more often.
fn human(query: usize, document: usize) -> i32 {
    [3, 2, 2, 1, 1, 1, 0, 0, 0, 0][drawn(query, document, 0) / 10]
}

/// The first ten documents by the grade times a weight, and noise.
fn ranking(query: usize, what: usize, weight: usize) -> Vec<usize> {
    let mut documents: Vec<usize> = (0..DOCUMENTS).collect();
    let score = |at: usize| weight * human(query, at) as usize + drawn(query, at, what);
    documents.sort_by_key(|at| std::cmp::Reverse((score(*at), *at)));
    documents.truncate(10);
    documents
}

fn lines(line: impl Fn(usize, usize) -> String) -> String {
    (0..QUERIES)
        .flat_map(|query| (0..DOCUMENTS).map(move |document| (query, document)))
        .map(|(a, b)| line(a, b))
        .collect()
}

fn run(what: usize, weight: usize) -> String {
    let of_query = |query: usize| {
        let documents = ranking(query, what, weight).into_iter().enumerate();
        documents
            .map(move |(at, document)| format!("q{query} Q0 d{query}-{document} {} {} t\n", at + 1, 20 - at))
    };
    (0..QUERIES).flat_map(of_query).collect()
}

/// A judge's name, and its grade of a document of a query.
type GradedBy<'a> = (&'a str, &'a dyn Fn(usize, usize) -> i32);

/// A study of two systems, `new` a little better than `old`, judged by these label files.
fn study(judges: &[GradedBy<'_>], more: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let mut config =
        format!("version = 1\nname = \"worth\"\ntopics = \"topics.tsv\"\nmeasures = [\"nDCG@10\"]\n{more}");
    config.push_str("[pool]\ndepth = 10\n");
    for system in ["old", "new"] {
        config.push_str(&format!("[[systems]]\nname = \"{system}\"\nrun = \"{system}.run\"\n"));
    }
    for (judge, grade) in judges {
        config.push_str(&format!(
            "[[judges]]\nname = \"{judge}\"\nmodel = \"replay\"\nlabels = \"{judge}.qrels\"\nscale = \"0..3\"\n\
             by_judge = true\n"
        ));
        sandbox.write(
            &format!("{judge}.qrels"),
            &lines(|query, document| {
                format!("q{query} 0 d{query}-{document} {}\n", grade(query, document).clamp(0, 3))
            }),
        );
    }
    let topics: String = (0..QUERIES).map(|query| format!("q{query}\tquestion number {query}\n")).collect();
    sandbox.write("llull.toml", &config).write("topics.tsv", &topics);
    sandbox.write("old.run", &run(1, 14)).write("new.run", &run(2, 19));
    sandbox
        .write("human.qrels", &lines(|query, at| format!("q{query} 0 d{query}-{at} {}\n", human(query, at))));
    sandbox
}

/// Half of the grades are one too high or too low.
fn noisy(what: usize) -> impl Fn(usize, usize) -> i32 {
    move |query, document| match drawn(query, document, what) {
        0..25 => human(query, document) + 1,
        25..50 => human(query, document) - 1,
        _ => human(query, document),
    }
}

fn verdict(report: &Value) -> &Value {
    &report["decision"]["comparisons"][0]
}

#[test]
fn a_verdict_of_a_panel_has_its_record_and_its_judges() {
    let judges: [GradedBy<'_>; 3] = [("gpt-4o", &noisy(3)), ("gpt-4", &noisy(7)), ("llama-3", &noisy(10))];
    let sandbox = study(&judges, "");
    check!(sandbox.llull(&["run"]).ends(0));
    let report = sandbox.llull(&["report", "--format", "json"]).ends(0).json();
    let found = verdict(&report);
    let record = &found["track_record"];
    assert_eq!(record["collections"].as_array().unwrap().len(), 2);
    let number = |key: &str| record[key].as_f64().unwrap();
    assert!(number("x") > 0.0 && number("confirmed") <= number("same_direction"), "{record}");
    assert!(number("same_direction") + number("opposite") <= number("verdicts"), "{record}");
    assert_eq!(found["by_judges"]["interval"]["families"], 2);
    let sentence = record["sentences"][0].as_str().unwrap();
    let markdown = sandbox.llull(&["report", "--format", "markdown"]).ends(0);
    let page = sandbox.llull(&["report", "--format", "html"]).ends(0);
    for text in [&markdown, &page] {
        let text = text.stdout.replace('\n', " ");
        // in a report the system's name comes first
        for part in sentence.trim_start_matches('O').split(", ") {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    sandbox
        .llull(&["compare"])
        .ends(0)
        .says(&["two TREC collections", "By its own labels, gpt-4o is undecided"]);
    let compared = sandbox.llull(&["compare", "--json"]).ends(0).json();
    assert_eq!(compared["comparisons"][0]["by_judges"], found["by_judges"]);
}

/// Replayed labels may be human, unless the study says that they are a judge's.
#[test]
fn replayed_labels_have_a_record_only_as_a_judges() {
    let sandbox = study(&[("gpt-4o", &noisy(3)), ("llama-3", &noisy(4))], "");
    let judged = sandbox.llull(&["run", "--json"]).ends(0).json();
    assert!(verdict(&judged)["by_judges"].is_object());
    let config = sandbox.read("llull.toml").replace("by_judge = true\n", "");
    sandbox.write("llull.toml", &config);
    let plain = sandbox.llull(&["run", "--json"]).ends(0).json();
    assert!(verdict(&plain)["mean_difference"].is_number());
    for key in ["track_record", "by_judges"] {
        assert!(verdict(&plain)[key].is_null(), "{key}");
    }
    assert!(plain["decision"]["interval_covers"].is_null());
    sandbox.write("llull.toml", &format!("{config}\n[[judges]]\nmodel = \"similarity\"\nby_judge = true\n"));
    sandbox.llull(&["run"]).refused(1, &["`by_judge` belongs to a replay judge"]);
}

#[test]
fn a_panel_of_one_family_counts_as_one_judge() {
    let judges: [GradedBy<'_>; 3] = [("gpt-4o", &noisy(3)), ("gpt-4", &noisy(4)), ("gpt-5", &noisy(5))];
    let sandbox = study(&judges, "");
    let report = sandbox.llull(&["run", "--json"]).ends(0).json();
    let by_judges = &verdict(&report)["by_judges"];
    assert!(by_judges["interval"].is_null());
    assert!(
        by_judges["no_interval"]
            .as_str()
            .unwrap()
            .starts_with("The 3 judges show one family of models (gpt)")
    );
}

/// Labels of plain files may be human: nothing is said of them unless they are named as a judge's.
#[test]
fn plain_labels_have_a_record_only_as_a_judges() {
    let sandbox = study(&[("gpt-4o", &noisy(3))], "");
    sandbox.write("new.run", &run(2, 24));
    let files = ["compare", "gpt-4o.qrels", "old.run", "new.run"];
    let plain = sandbox.llull(&[&files[..], &["--json"]].concat()).ends(0).json();
    assert!(plain["comparisons"][0]["track_record"].is_null());
    let judged = sandbox.llull(&[&files[..], &["--by-judge", "--json"]].concat()).ends(0).json();
    assert!(judged["comparisons"][0]["track_record"]["verdicts"].as_u64() > Some(400));
    let other = ["compare", "gpt-4o.qrels", "old.run", "new.run", "--by-judge", "-m", "nDCG@5", "--json"];
    assert!(sandbox.llull(&other).ends(0).json()["comparisons"][0]["track_record"].is_null());
    sandbox.llull(&["compare", "--by-judge"]).refused(2, &["--by-judge is about the labels of a file"]);
}

/// Human labels with one grade more for one system's documents: the verdict was the opposite, and no check failed.
#[test]
fn a_judge_that_favours_a_system_decides_nothing() {
    let favours = |query: usize, document: usize| {
        human(query, document) + i32::from(ranking(query, 1, 14).contains(&document))
    };
    let sandbox = study(&[("favours", &favours)], "reference = \"human.qrels\"\n");
    check!(sandbox.llull(&["run"]));
    let report = sandbox.llull(&["report", "--format", "json"]).json();
    assert_eq!(report["decision"]["verdict"]["kind"], "unreliable_judge");
    assert!(verdict(&report)["track_record"].is_null());
    let ignored = sandbox.llull(&["run", "--ignore-checks", "--json"]).json();
    assert!(verdict(&ignored)["track_record"].is_null(), "the record is one of judges without such faults");
}
