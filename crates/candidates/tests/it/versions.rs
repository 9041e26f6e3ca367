//! Tests that results change only with a version, which saved runs need.
use llull_candidates::{
    Bm25Builder, Bm25Options, CharNgramsBuilder, Fields, Fts5Builder, Language, Retriever, retrieve_all,
    versions,
};
use llull_core::{Document, Topic, Topics};

const TEXTS: [[&str; 2]; 6] = [
    ["Shards", "How to reindex a shard while the server's index isn't running: re-indexing, step by step."],
    [
        "Runners",
        "She ran ten miles before breakfast, and RUNS later; running 10.5 km is no run-of-the-mill run.",
    ],
    ["Café", "Crème brûlée and naïve cafés. Äpfel, Häuser, Straße, œuvre; the cafe's menu of 2024-05-01."],
    ["", "東京の天気 東京タワー données élèves größer häuser haus der die das und"],
    ["Wine", "Red wine should be served at sixteen degrees; wines that aren't red, at ten."],
    ["Empty of words", "-- !! ... \u{1F600} C++ C# node.js foo_bar a_b user@example.org"],
];

const QUERIES: [&str; 6] = [
    "running shards and re-indexing",
    "naive cafes with crème brulee",
    "東京 größere Häuser",
    "which wine is served at 10 degrees?",
    "foo_bar node.js c++",
    "the of and",
];

/// Every result with its score to three decimals: the rest may depend on the machine.
fn results(retriever: &dyn Retriever) -> String {
    let topics =
        QUERIES.iter().zip(1..).map(|(text, id)| Topic { id: format!("q{id}"), text: (*text).into() });
    let run = retrieve_all(retriever, &Topics::from_iter(topics), 4).unwrap().run;
    let query = |(topic, ranking): (&str, &llull_core::Ranking)| {
        let hits = ranking.iter().map(|hit| format!(" {} {:.3}", hit.document, hit.score));
        format!("{topic}:{}\n", hits.collect::<String>())
    };
    run.iter().map(query).collect()
}

fn documents() -> impl Iterator<Item = Document> {
    TEXTS.iter().zip(1..).map(|([title, text], id)| Document {
        id: format!("d{id}"),
        title: (*title).into(),
        text: (*text).into(),
    })
}

#[track_caller]
fn is_of_version_1(version: u64, found: &str, hash: &str) {
    assert_eq!((version, llull_core::Hash::of(found.as_bytes()).short().as_str()), (1, hash), "{found}");
}

fn bm25(language: Language) -> String {
    let options = Bm25Options { language, ..Bm25Options::default() };
    let mut builder = Bm25Builder::new("bm25", options).unwrap();
    documents().for_each(|document| builder.add(&document).unwrap());
    results(&builder.build())
}

#[test]
fn other_results_of_bm25_need_another_version() {
    let found: String =
        Language::ALL.iter().map(|language| format!("{language}\n{}", bm25(*language))).collect();
    is_of_version_1(versions::BM25, &found, "e9b041a31eb8");
}

#[test]
fn other_results_of_n_grams_need_another_version() {
    let mut builder = CharNgramsBuilder::new("ngram", Fields::All);
    documents().for_each(|document| builder.add(&document).unwrap());
    let found = results(&builder.build());
    is_of_version_1(versions::NGRAM, &found, "7bcc60be15a1");
}

#[test]
fn other_results_of_fts5_need_another_version() {
    let mut builder = Fts5Builder::new("fts5", Fields::All).unwrap();
    documents().for_each(|document| builder.add(&document).unwrap());
    let found = results(&builder.build().unwrap());
    is_of_version_1(versions::FTS5, &found, "13c1e09a50ec");
}
