//! Worthless judges are called so above the verdict, with default settings, and a careful one is not.

use std::collections::BTreeMap;

use llull_core::{Scale, Seed};
use llull_testkit::{FaultPlan, FaultyServer, SimulatedGrader, Taste};

use crate::sandbox::{Sandbox, Transcript};

/// A document of the demo's pool, as a simulated judge sees it.
struct Seen<'a> {
    query: &'a str,
    document: &'a str,
    /// The authors' own grade.
    truth: i32,
    /// Its place among the query's documents by the query's words, from 0 to 3.
    by_words: i32,
}

/// The demo, judged by a file of labels: it answers every question of the pool.
fn judged_by(name: &str, grade: impl Fn(&Seen<'_>) -> i32) -> (Sandbox, Transcript) {
    let sandbox = Sandbox::new();
    sandbox.llull(&["demo", "-Q"]).ends(0);
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("llull-demo/report.json")).unwrap();
    let mut labels = String::new();
    let texts = texts(&sandbox);
    let truths = truths(&sandbox);
    for topic in report["topics"].as_array().unwrap() {
        let (query, words) = (topic["id"].as_str().unwrap(), topic["text"].as_str().unwrap());
        let documents: Vec<&str> = topic["documents"]
            .as_array()
            .unwrap()
            .iter()
            .map(|found| found["id"].as_str().unwrap())
            .collect();
        let overlap: Vec<f64> =
            documents.iter().map(|id| llull_audit::word_overlap(words, &texts[*id]).unwrap()).collect();
        for (at, document) in documents.iter().enumerate() {
            let truth = truths.get(&(query.to_owned(), (*document).to_owned())).copied().unwrap_or(0);
            let grade = grade(&Seen { query, document, truth, by_words: quarter(&overlap, at) });
            labels.push_str(&format!("{query} 0 {document} {grade}\n"));
        }
    }
    let file = format!("llull-demo/{name}.qrels");
    sandbox.write(&file, &labels);
    let judge = format!("replay:{file}");
    let transcript =
        sandbox.llull(&["-C", "llull-demo", "run", "-Q", "--verbose", "--judge", &judge]).ends(0);
    (sandbox, transcript)
}

fn texts(sandbox: &Sandbox) -> BTreeMap<String, String> {
    let corpus = sandbox.read("llull-demo/corpus.jsonl");
    let of_line = |line: &str| {
        let document: serde_json::Value = serde_json::from_str(line).unwrap();
        let part = |name: &str| document[name].as_str().unwrap().to_owned();
        (part("id"), format!("{}\n{}", part("title"), part("text")))
    };
    corpus.lines().map(of_line).collect()
}

fn truths(sandbox: &Sandbox) -> BTreeMap<(String, String), i32> {
    let labels = sandbox.read("llull-demo/authors.qrels");
    let of_line = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        ((fields[0].to_owned(), fields[2].to_owned()), fields[3].parse().unwrap())
    };
    labels.lines().map(of_line).collect()
}

/// The quarter, from 0 to 3, in which a value lies among the values.
fn quarter(values: &[f64], at: usize) -> i32 {
    let below = values.iter().filter(|value| **value < values[at]).count();
    (4 * below / values.len()) as i32
}

/// Above the verdict stands that this judge is not to be trusted, for this reason, and nothing is decided.
fn is_called(transcript: &Transcript, judge: &str, title: &str) {
    let lines: Vec<&str> = transcript.stdout.lines().collect();
    let at = |start: &str| lines.iter().position(|line| line.starts_with(start));
    let counts = at(&format!("  {judge}: "));
    let check = at(&format!("    FAILED   {title}: "));
    let decision = at(&format!("No verdict: {judge} failed a check")).or_else(|| at("No verdict: all "));
    assert!(counts.is_some() && counts < check && check < decision, "{transcript}");
    assert!(
        !transcript.stdout.contains(" is worse than ") && !transcript.stdout.contains(" is better than ")
    );
}

#[test]
fn a_judge_that_counts_the_query_s_words() {
    let (sandbox, transcript) = judged_by("words", |seen| seen.by_words);
    is_called(&transcript, "words.qrels", "word overlap");
    let ignored =
        sandbox.llull(&["-C", "llull-demo", "report", "-Q", "--verbose", "--ignore-checks"]).ends(0);
    assert!(ignored.stdout.starts_with("  words.qrels: 1 check failed, "), "{ignored}");
    ignored.says(&[
        "\n    FAILED   word overlap: Its grades follow word overlap with the query (correlation 0.94; good\n",
        "bm25-titles is worse than bm25: nDCG@10 -0.2140 [-0.2635, -0.1685]",
        "Checks are ignored (--ignore-checks)",
        "against authors.qrels: 359 pairs in both, exact agreement 42.6%, Cohen's kappa 0.1462 (quadratic 0.1970)",
        "nDCG@10 under authors.qrels",
    ]);
}

#[test]
fn a_careful_judge_is_fine() {
    let (_, transcript) = judged_by("careful", |seen| {
        let grader = SimulatedGrader { scale: Scale::default(), bias: 0.0, noise: 0.35, seed: Seed(7) };
        grader.grade(seen.query, seen.document, seen.truth)
    });
    assert!(
        !transcript.stdout.contains(" failed, ") && !transcript.stdout.contains("    warning  "),
        "{transcript}"
    );
    transcript.says(&["bm25-titles is worse than bm25: nDCG@10 "]);
}

/// Nobody's labels, no other judge and no flag: the 30 documents that are graded again are enough.
#[test]
fn a_judge_that_tosses_a_coin_for_each_grade() {
    let server = FaultyServer::start(FaultPlan { taste: Taste::Coin, ..FaultPlan::default() }).unwrap();
    let mut sandbox = Sandbox::new();
    sandbox.llull(&["demo", "-Q"]).ends(0);
    let config = sandbox.read("llull-demo/llull.toml");
    let alone: Vec<&str> = config.lines().filter(|line| !line.starts_with("reference")).collect();
    sandbox.write("llull-demo/llull.toml", &alone.join("\n"));
    sandbox.set("LLULL_BASE_URL", &server.url());
    let study = ["-C", "llull-demo"];
    let judge = ["--judge", "vllm/faulty-1"];
    let dry = sandbox.llull(&[&study[..], &["run", "--dry-run"], &judge].concat()).ends(0);
    dry.says(&["389 requests, 30 of them repeated to check its answers"]);
    let run = sandbox.llull(&[&study[..], &["run", "-Q", "--verbose"], &judge].concat()).ends(0);
    assert_eq!(server.served().total(), 389);
    is_called(&run, "faulty-1", "answers change when repeated");
    // What rests on these answers elsewhere.
    let compared = sandbox.llull(&["-C", "llull-demo", "compare", "bm25", "bm25-titles"]).ends(0);
    assert!(
        !compared.stdout.contains(" is worse ") && !compared.stdout.contains(" is better "),
        "{compared}"
    );
    compared
        .rows(&[
            "bm25-titles vs bm25 nDCG@10 -0.0788 [-0.1298, -0.0236] -0.61 [-1.04, -0.17] 24 5/0/19 0.0073 no verdict",
            "bm25-titles vs bm25 Judged@10 0.0000 [0.0000, 0.0000] identical 24 0/24/0 identical the same",
        ])
        .says(&[
            "There are no letters, since a judge failed a check.",
            "No verdict between bm25-titles and bm25: nDCG@10 -0.0788",
            "faulty-1 failed a check.",
            "warning: faulty-1 failed the check answers change when repeated: Its grades are noisy: 57% of 30 grades",
            "settings of the last run: --judge vllm/faulty-1",
        ]);
    for what in ["labels", "letor", "opensearch"] {
        let exported = sandbox.llull(&["-C", "llull-demo", "export", what]);
        exported
            .says(&["warning: faulty-1 failed the check answers change when repeated: Its grades are noisy"]);
    }
}
