//! Fields of queries and documents: which are read, and what is said about the others.

use llull::Severity;
use llull::config::Overrides;

use crate::collection::{PAIRS, corpus, judged, topics};
use crate::folder_study::{FolderStudy, REPLAY};

/// A study whose documents and queries have fields of their own.
fn folder() -> FolderStudy {
    let folder = FolderStudy::new("", REPLAY);
    let documents = corpus().into_iter().map(|document| {
        let value = serde_json::json!({
            "asin": document.id, "id": document.id, "text": document.text,
            "bullet_points": [format!("about {}", document.id)], "brand": "Ace",
        });
        format!("{value}\n")
    });
    folder.write("corpus.jsonl", &documents.collect::<String>());
    let queries = topics();
    let queries = queries.iter().map(|topic| {
        format!("{}\n", serde_json::json!({"id": topic.id, "text": topic.text, "expected_answers": ["yes"]}))
    });
    folder.write("topics.tsv", &queries.collect::<String>());
    folder
}

/// Replaces the corpus by a table.
fn with_table(folder: &FolderStudy, table: &str) {
    folder.edit("llull.toml", "corpus = \"corpus.jsonl\"\n", "");
    folder.edit("llull.toml", "[pool]", &format!("[corpus]\nfile = \"corpus.jsonl\"\n{table}\n[pool]"));
}

fn similarity(folder: &FolderStudy) {
    folder.write(
        "llull.toml",
        &folder.read("llull.toml").replace(REPLAY, "[[judges]]\nmodel = \"similarity\"\n"),
    );
}

#[test]
fn a_field_that_no_judge_sees_is_named_once_with_how_to_read_it() {
    let folder = folder();
    let study = folder.open();
    let inputs = study.inputs().unwrap();
    let notes = [inputs.notes.clone(), study.evidence(&inputs).unwrap().notes].concat();
    let about = |name: &str| notes.iter().filter(|note| note.text.contains(name)).collect::<Vec<_>>();
    let [note] = about("bullet_points")[..] else { panic!("{notes:?}") };
    assert!(
        note.text
            .contains("corpus.jsonl: the fields \"bullet_points\" and \"brand\" are not part of the text"),
        "{note}"
    );
    assert!(note.text.contains("[corpus] file = \"FILE\", text = ["), "{note}");
    let [note] = about("expected_answers")[..] else { panic!("{notes:?}") };
    assert!(
        note.text
            .contains("the field \"expected_answers\" is not read (the first: line 1), so no judge sees it")
    );
    let findings = study.examine(&|_| None, false);
    let found = findings.iter().filter(|finding| finding.text.contains("no judge sees"));
    assert_eq!(
        found.map(|finding| (finding.what.as_str(), finding.severity)).collect::<Vec<_>>(),
        [("topics", Severity::Warning), ("corpus", Severity::Warning)]
    );
}

#[test]
fn metadata_of_queries_change_no_task() {
    let folder = folder();
    similarity(&folder);
    assert_eq!(judged(&folder.open()).1.tallies[0].reused, 0);
    let topics = folder.read("topics.tsv").replace("\"id\":", "\"meta\":{\"segment\":\"head\"},\"id\":");
    folder.write("topics.tsv", &topics);
    let study = folder.open();
    assert!(study.topics().unwrap().iter().all(|topic| !topic.text.contains("head")));
    assert_eq!(study.topics().unwrap().fields().collect::<Vec<_>>(), ["segment"]);
    assert_eq!(judged(&study).1.tallies[0].reused, PAIRS);
}

#[test]
fn metadata_of_documents_change_no_task_and_are_left_out_with_the_texts() {
    let folder = folder();
    similarity(&folder);
    assert_eq!(judged(&folder.open()).1.tallies[0].reused, 0);
    let corpus = folder.read("corpus.jsonl").replace("\"brand\":\"Ace\"", "\"brand\":\"Bo\",\"price\":9.5");
    folder.write("corpus.jsonl", &corpus);
    let study = folder.open();
    let (inputs, outcome) = judged(&study);
    assert_eq!(outcome.tallies[0].reused, PAIRS);
    let report = study.report(&inputs, &outcome.evidence).unwrap();
    let documents = report.query(0).unwrap().documents;
    let id = &documents[0].id;
    let of = |field: &str, value: &str| (field.to_owned(), value.to_owned());
    let expected =
        [of("asin", id), of("bullet_points", &format!("about {id}")), of("brand", "Bo"), of("price", "9.5")];
    let mut found = documents[0].metadata.clone();
    found.sort_by_key(|(field, _)| expected.iter().position(|(known, _)| known == field));
    assert_eq!(found, expected);
    assert!(report.without_texts().query(0).unwrap().documents[0].metadata.is_empty());
}

#[test]
fn a_field_that_is_named_is_shown_and_changes_the_tasks_of_those_who_read_it() {
    let folder = folder();
    similarity(&folder);
    let reused = || judged(&folder.open()).1.tallies[0].reused;
    assert_eq!((reused(), reused()), (0, PAIRS));
    with_table(&folder, "");
    assert_eq!(reused(), PAIRS, "a table that says nothing changes nothing");
    let named = "file = \"corpus.jsonl\"\nid = \"asin\"\ntext = [\"text\", \"bullet_points\"]\nignore = [\"brand\"]\n";
    folder.edit("llull.toml", "file = \"corpus.jsonl\"\n", named);
    assert_eq!(reused(), 0, "the judge reads other texts");
    let study = folder.open();
    let inputs = study.inputs().unwrap();
    let notes = study.evidence(&inputs).unwrap().notes;
    assert!(notes.is_empty(), "{notes:?}");
}

#[test]
fn a_kept_run_is_made_again_when_other_fields_are_read() {
    let folder = folder();
    let text = folder.read("llull.toml");
    folder.write("llull.toml", &format!("{text}\n[[systems]]\nname = \"words\"\nretriever = \"bm25\"\n"));
    with_table(&folder, "");
    folder.open().inputs().unwrap();
    let kept = || {
        folder.mark_saved("words.run", "q1 Q0 a1 1 1 marked\n");
        folder.open().inputs().unwrap();
        folder.read(".llull/runs/words.run").contains("marked")
    };
    assert!(kept(), "nothing has changed");
    folder.edit("llull.toml", "file = \"corpus.jsonl\"\n", "file = \"corpus.jsonl\"\nignore = \"brand\"\n");
    assert!(kept(), "what is left out is not read either way");
    folder.edit("llull.toml", "ignore = \"brand\"\n", "text = [\"text\", \"brand\"]\n");
    assert!(!kept(), "other texts are searched");
}

#[test]
fn a_table_of_the_corpus_that_is_wrong_names_its_line_or_its_field() {
    let folder = folder();
    with_table(&folder, "text = [\"bulet_points\"]\n");
    let study = folder.open();
    let error = study.evidence(&study.inputs().unwrap()).unwrap_err().to_string();
    assert!(
        error.contains("no document has the field \"bulet_points\", which [corpus] in llull.toml names"),
        "{error}"
    );
    for (line, said) in [
        ("texts = [\"a\"]\n", "unknown field `texts`"),
        ("text = []\n", "the list is empty"),
        ("text = 3\n", "the name of a field, or a list"),
    ] {
        folder.write("llull.toml", &folder.read("llull.toml").replace("text = [\"bulet_points\"]\n", line));
        let error = llull::Study::open(&folder.path(""), &Overrides::default()).unwrap_err().to_string();
        assert!(error.contains(said) && error.contains("line"), "{error}");
        folder.write("llull.toml", &folder.read("llull.toml").replace(line, "text = [\"bulet_points\"]\n"));
    }
}
