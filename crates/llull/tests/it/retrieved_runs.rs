//! Runs of llull's own retrievers: kept in a folder until something that they depend on changes.

use std::time::SystemTime;

use llull::config::{Field, Overrides, RetrieverKind, SystemSource};
use llull::{RetrievedRun, Study};

use crate::collection::{corpus, topics};
use crate::folder_study::{FolderStudy, REPLAY};

const RETRIEVERS: &str = "[[systems]]\nname = \"words\"\nretriever = \"bm25\"\n\n\
    [[systems]]\nname = \"pieces\"\nretriever = \"ngram\"\n\n\
    [[systems]]\nname = \"fulltext\"\nretriever = \"fts5\"\n\n";

fn folder() -> FolderStudy {
    FolderStudy::new("", &format!("{RETRIEVERS}{REPLAY}"))
}

/// Marks the kept run, so that it shows whether it is made again.
fn mark(folder: &FolderStudy) {
    folder.mark_saved("words.run", "q1 Q0 a1 1 1 marked\n");
}

#[track_caller]
fn is_kept(folder: &FolderStudy, overrides: &Overrides) -> bool {
    folder.open_with(overrides).inputs().unwrap();
    folder.read(".llull/runs/words.run").contains("marked")
}

#[test]
fn a_run_is_kept_and_made_again_when_something_changes() {
    let folder = folder();
    let inputs = folder.open().inputs().unwrap();
    assert_eq!(
        inputs.runs.iter().map(|run| run.name.as_str()).collect::<Vec<_>>(),
        ["old", "new", "words", "pieces", "fulltext"]
    );
    for own in &inputs.runs[2..] {
        assert_eq!(own.ranking("q2").unwrap().get(1).unwrap().document, "b2", "{}", own.name);
    }
    let none = Overrides::default();
    mark(&folder);
    assert!(is_kept(&folder, &none), "nothing has changed");
    assert!(
        is_kept(&folder, &Overrides { depth: Some(2), seed: Some(9), ..none.clone() }),
        "nor what it depends on"
    );

    let changes: [(&str, &dyn Fn()); 5] = [
        ("a setting", &|| {
            folder.edit("llull.toml", "retriever = \"bm25\"", "retriever = \"bm25\"\nk1 = 2.0");
        }),
        ("the language", &|| {
            folder.edit("llull.toml", "k1 = 2.0", "k1 = 2.0\nlanguage = \"german\"");
        }),
        ("the topics", &|| {
            folder.edit("topics.tsv", "as csv", "as CSV table");
        }),
        ("the corpus", &|| {
            let corpus = folder.read("corpus.jsonl");
            folder.write("corpus.jsonl", &format!("{corpus}{{\"id\": \"new\", \"text\": \"A new one.\"}}\n"));
        }),
        ("the depth", &|| {
            folder.edit("llull.toml", "[pool]", "[retrieve]\ndepth = 2\n\n[pool]");
        }),
    ];
    for (what, change) in changes {
        mark(&folder);
        change();
        assert!(!is_kept(&folder, &none), "{what}");
    }
    mark(&folder);
    let file = fs_err::OpenOptions::new().append(true).open(folder.path("corpus.jsonl")).unwrap();
    file.into_parts().0.set_modified(SystemTime::now() + std::time::Duration::from_secs(9)).unwrap();
    assert!(!is_kept(&folder, &none), "the corpus's time");
}

/// A kill between the two writes left a run beside the key of other settings, and from then on it was read.
#[test]
fn a_run_beside_the_key_of_other_settings_is_made_again() {
    let folder = folder();
    let none = Overrides::default();
    folder.open_with(&none).inputs().unwrap();
    let (old_run, old_key) = (folder.read(".llull/runs/words.run"), folder.read(".llull/runs/words.run.key"));
    folder.edit("llull.toml", "retriever = \"bm25\"", "retriever = \"bm25\"\nk1 = 2.0");
    folder.open_with(&none).inputs().unwrap();
    let (new_run, new_key) = (folder.read(".llull/runs/words.run"), folder.read(".llull/runs/words.run.key"));
    assert!(old_run != new_run && old_key != new_key);
    for (run, key) in [(&old_run, &new_key), (&old_run, &old_key), (&new_run, &old_key)] {
        folder.write(".llull/runs/words.run", run).write(".llull/runs/words.run.key", key);
        folder.open_with(&none).inputs().unwrap();
        assert_eq!(folder.read(".llull/runs/words.run"), new_run);
    }
}

#[test]
fn retrieved_says_where_the_runs_are() {
    let folder = folder();
    let study = folder.open();
    let runs = study.retrieval().runs(&study.topics().unwrap()).unwrap();
    assert!(runs[0].is_none() && runs[1].is_none());
    assert!(
        matches!(&runs[2], Some(RetrievedRun::File(file)) if *file == folder.path(".llull/runs/words.run"))
    );
    assert!(folder.files().contains(&".llull/runs/pieces.run".to_owned()));
}

#[test]
fn in_memory_a_run_is_kept_nowhere() {
    let source = |retriever| SystemSource::Retriever {
        retriever,
        fields: vec![Field::Title, Field::Text],
        k1: None,
        b: None,
        language: None,
    };
    let study = Study::builder()
        .topics(topics())
        .corpus(corpus())
        .system("words", source(RetrieverKind::Bm25))
        .system("pieces", source(RetrieverKind::Ngram))
        .system("fulltext", source(RetrieverKind::Fts5))
        .measure("nDCG@3".parse().unwrap())
        .build()
        .unwrap();
    let runs = study.retrieval().runs(&topics()).unwrap();
    assert!(runs.iter().all(|run| matches!(run, Some(RetrievedRun::Run(_)))));
    let folder = folder();
    let (memory, files) = (study.inputs().unwrap(), folder.open().inputs().unwrap());
    for query in ["q1", "q2", "q3"] {
        // Of a file no more is read than pool and measures look at.
        let best = |run: &llull::core::Run| {
            let hits = run.ranking(query).unwrap().iter().take(3);
            hits.map(|hit| hit.document.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(best(&memory.runs[0]), best(&files.runs[2]), "{query}");
        assert_eq!(best(&memory.runs[1]), best(&files.runs[3]), "{query}");
        assert_eq!(best(&memory.runs[2]), best(&files.runs[4]), "{query}");
    }
}

#[cfg(unix)]
#[test]
fn a_run_is_kept_whatever_path_leads_to_the_folder() {
    let folder = folder();
    folder.open().inputs().unwrap();
    mark(&folder);
    let elsewhere = tempfile::tempdir().unwrap();
    let link = elsewhere.path().join("link");
    std::os::unix::fs::symlink(folder.path(""), &link).unwrap();
    Study::open(&link, &Overrides::default()).unwrap().inputs().unwrap();
    assert!(folder.read(".llull/runs/words.run").contains("marked"));
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_read_only_has_its_runs_in_memory() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let lock =
        |mode| fs_err::set_permissions(folder.path(""), std::fs::Permissions::from_mode(mode)).unwrap();
    lock(0o555);
    // nobody can lock root out
    let refused = fs_err::write(folder.path("probe"), "").is_err();
    let study = folder.open();
    let runs = study.retrieval().runs(&study.topics().unwrap());
    let inputs = study.inputs();
    lock(0o755);
    assert_eq!(matches!(runs.unwrap()[2], Some(RetrievedRun::Run(_))), refused);
    assert_eq!(inputs.unwrap().runs[2].ranking("q2").unwrap().get(1).unwrap().document, "b2");
}
