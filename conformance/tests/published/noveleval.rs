//! NovelEval: 21 queries, 20 passages each, with human grades 0 to 2.

use std::path::Path;

use flate2::read::GzDecoder;
use llull::files::{read_labels, read_systems};
use llull::metrics::{Measure, evaluate_all};
use llull_conformance::{data, open_study};
use serde_json::{Value, json};

/// Writes the collection as a study: queries, corpus, and the order of the file as a run.
fn write_study(folder: &Path) {
    let file = std::fs::File::options().read(true).open(data("noveleval/data.json.gz")).unwrap();
    let queries: Vec<Value> = serde_json::from_reader(GzDecoder::new(file)).unwrap();
    let (mut topics, mut corpus, mut run) = (String::new(), String::new(), String::new());
    for (query, item) in queries.iter().enumerate() {
        topics += &format!("{query}\t{}\n", item["query"].as_str().unwrap());
        for (place, hit) in item["hits"].as_array().unwrap().iter().enumerate() {
            corpus += &format!("{}\n", json!({"id": format!("{query}-{place}"), "text": hit["content"]}));
            run += &format!("{query} Q0 {query}-{place} {} {} file\n", place + 1, 20 - place);
        }
    }
    let config = format!(
        "version = 1\ntopics = \"topics.tsv\"\ncorpus = \"corpus.jsonl\"\nreference = {:?}\n\
         measures = [\"nDCG@10\", \"RR(rel=2)@10\"]\n[pool]\ndepth = 20\n\
         [[systems]]\nname = \"file\"\nrun = \"file.run\"\n[[systems]]\nname = \"bm25\"\nretriever = \"bm25\"\n\
         [[judges]]\nmodel = \"similarity\"\n",
        data("noveleval/qrels.txt")
    );
    for (name, text) in
        [("topics.tsv", topics), ("corpus.jsonl", corpus), ("file.run", run), ("llull.toml", config)]
    {
        use std::io::Write as _;
        std::fs::File::create_new(folder.join(name)).unwrap().write_all(text.as_bytes()).unwrap();
    }
}

/// Published: nDCG of the file's order with linear gain is .6429 at 1, .5824 at 5, .6503 at 10.
#[test]
fn ndcg_of_the_order_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    write_study(folder.path());
    let measures: Vec<Measure> = ["nDCG@1", "nDCG@5", "nDCG@10"].map(|name| name.parse().unwrap()).into();
    let qrels = read_labels(&data("noveleval/qrels.txt")).unwrap().value;
    let runs =
        read_systems(&[folder.path().join("file.run")], &measures, Default::default(), []).unwrap().value;
    let scores = evaluate_all(&measures, &qrels, &runs);
    let means: Vec<String> = (0..3).map(|index| format!("{:.4}", scores[0].mean(index).unwrap())).collect();
    assert_eq!(means, ["0.6429", "0.5824", "0.6503"]);
}

/// The study runs to the end with the baseline judge, and reports its agreement with people.
#[test]
fn a_study_runs_with_the_baseline_judge() {
    let folder = tempfile::tempdir().unwrap();
    write_study(folder.path());
    let study = open_study(folder.path());
    let inputs = study.inputs().unwrap();
    // All 20 passages of the file, and those that BM25 finds among the other queries' passages.
    assert!(inputs.pool.pairs() >= 420);
    let evidence = study.judge(&inputs).run().unwrap().evidence;
    let report = study.report(&inputs, &evidence).unwrap();
    let files = study.reports().write(&inputs, &report).unwrap();
    let report = report.summary();
    assert!(evidence.is_complete());
    assert_eq!(report.coverage.labelled, inputs.pool.pairs());
    assert_eq!(report.reference.as_ref().unwrap().agreement.both, 420);
    assert!(files.markdown.is_file() && files.json.is_file());

    // A second run sends nothing and writes the same bytes.
    let before =
        std::io::read_to_string(std::fs::File::options().read(true).open(&files.json).unwrap()).unwrap();
    let again = study.judge(&inputs).run().unwrap();
    assert_eq!(again.tallies[0].reused, inputs.pool.pairs());
    let report = study.report(&inputs, &again.evidence).unwrap();
    study.reports().write(&inputs, &report).unwrap();
    let after =
        std::io::read_to_string(std::fs::File::options().read(true).open(&files.json).unwrap()).unwrap();
    assert_eq!(before, after);
}
