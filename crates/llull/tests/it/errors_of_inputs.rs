//! What is wrong with a study's files and values, as variants that a caller can match.

use llull::InputError;
use llull::LedgerError;
use llull::ScaffoldError;
use llull::config::ConfigError;
use llull::core::{Qrels, Topics};
use llull::{FileError, Scaffold, Study, StudyError};

use crate::collection::{corpus, judged, known, run, study, topics};
use crate::folder_study::{FolderStudy, REPLAY};
use crate::simulated_judge::SimulatedJudge;

#[test]
fn no_such_file_of_labels_and_corpus_is_found_when_judging() {
    for (file, key) in [("known.qrels", "labels"), ("corpus.jsonl", "corpus")] {
        let folder = FolderStudy::new("", REPLAY);
        fs_err::remove_file(folder.path(file)).unwrap();
        let study = folder.open();
        let inputs = study.inputs().unwrap();
        for error in [study.evidence(&inputs).unwrap_err(), study.judge(&inputs).run().unwrap_err()] {
            assert!(
                matches!(&error, StudyError::Config(ConfigError::NoSuchFile { key: named, .. }) if named == key),
                "{error}"
            );
        }
        assert!(!folder.path(".llull/ledger.sqlite").exists(), "found before anything is written");
    }
}

#[test]
fn no_queries() {
    let empty = study().topics(Topics::default()).build().unwrap();
    assert!(
        matches!(empty.inputs(), Err(StudyError::Inputs(InputError::NoQueries(name))) if name == "topics")
    );
    let folder = FolderStudy::new("", REPLAY);
    folder.write("topics.tsv", "");
    let empty = folder.open().inputs().unwrap_err();
    assert!(matches!(&empty, StudyError::Data(llull::data::DataError::Empty { .. })), "{empty:?}");
}

#[test]
fn no_labels() {
    let named = |error: StudyError, name: &str| {
        let StudyError::File(FileError::NoLabels(file)) = &error else { panic!("{error:?}") };
        assert!(file.ends_with(name), "{file}");
    };
    let folder = FolderStudy::new("reference = \"other.qrels\"\n", REPLAY);
    folder.write("other.qrels", "");
    named(folder.open().inputs().unwrap_err(), "other.qrels");
    let folder = FolderStudy::new("", REPLAY);
    folder.write("known.qrels", "");
    let study = folder.open();
    named(study.evidence(&study.inputs().unwrap()).unwrap_err(), "known.qrels");
}

#[test]
fn no_systems() {
    assert!(matches!(
        Study::builder().topics(topics()).build(),
        Err(StudyError::Inputs(InputError::NoSystems))
    ));
}

#[test]
fn no_corpus() {
    let study = Study::builder()
        .topics(topics())
        .run(crate::collection::new_run())
        .judge(SimulatedJudge::grading("fair", 0.0))
        .build()
        .unwrap();
    let inputs = study.inputs().unwrap();
    assert!(matches!(study.judge(&inputs).run(), Err(StudyError::Inputs(InputError::NoCorpus(_)))));
    assert!(matches!(study.preview(&inputs, None, None), Err(StudyError::Inputs(InputError::NoCorpus(_)))));
}

#[test]
fn a_first_measure_that_cannot_decide() {
    let study = Study::builder().topics(topics()).run(crate::collection::new_run());
    let error = study.measure("GMAP".parse().unwrap()).build().unwrap_err();
    assert!(
        matches!(error, StudyError::Inputs(InputError::CannotDecide { measure, .. }) if measure == "GMAP(rel=2)")
    );
    let folder = FolderStudy::new("", REPLAY);
    folder.edit("llull.toml", "nDCG@3", "NumRet");
    let error = Study::open(&folder.path(""), &Default::default()).unwrap_err();
    assert!(
        matches!(error, StudyError::Inputs(InputError::CannotDecide { measure, .. }) if measure == "NumRet")
    );
}

#[test]
fn a_query_that_is_not_the_studys_is_left_out_with_a_note() {
    let mut more = crate::collection::new_run();
    more.name = "more".into();
    more.insert("x1", llull::core::Ranking::from_scored([("a1", 1.0)]));
    let inputs = study().run(more).build().unwrap().inputs().unwrap();
    assert_eq!(inputs.runs[2].len(), 3);
    assert!(
        inputs.notes.iter().any(|note| note.text.contains("query \"x1\" is not in")),
        "{:?}",
        inputs.notes
    );
}

#[test]
fn two_runs_of_one_name() {
    let error = study().run(crate::collection::new_run()).build().unwrap().inputs().unwrap_err();
    let pool = llull::candidates::PoolError::SameName("new".into());
    assert!(matches!(&error, StudyError::Inputs(InputError::Pool(found)) if *found == pool), "{error}");
}

#[test]
fn an_empty_pool_and_a_query_without_a_document() {
    let nothing = Study::builder()
        .topics(topics())
        .corpus(corpus())
        .run(run("nothing", [&[], &[], &[]]))
        .measure("nDCG@3".parse().unwrap())
        .build()
        .unwrap();
    let inputs = nothing.inputs().unwrap();
    assert!(matches!(nothing.preview(&inputs, None, None), Err(StudyError::Inputs(InputError::EmptyPool))));
    let error = nothing.preview(&inputs, Some("q2"), None).unwrap_err();
    assert!(matches!(error, StudyError::Inputs(InputError::NoDocument(query)) if query == "q2"));
}

#[test]
fn a_folder_that_is_occupied() {
    let folder = tempfile::tempdir().unwrap();
    Scaffold::default().write(folder.path()).unwrap();
    let config = folder.path().join("llull.toml");
    assert!(matches!(
        Scaffold::default().write(folder.path()),
        Err(StudyError::Scaffold(ScaffoldError::Occupied(path))) if path == config
    ));
    let folder = tempfile::tempdir().unwrap();
    fs_err::write(folder.path().join("topics.tsv"), "").unwrap();
    assert!(matches!(
        llull::write_demo(folder.path()),
        Err(StudyError::Scaffold(ScaffoldError::Occupied(path))) if path.ends_with("topics.tsv")
    ));
}

#[test]
fn an_entry_order_that_cannot_be_read() {
    let folder = FolderStudy::new("paradigm = \"pairwise\"\n", REPLAY);
    let (inputs, _) = judged(&folder.open());
    let name = folder.files().into_iter().find(|name| name.contains("joined-")).unwrap();
    for text in ["{", "{\"version\": 9, \"topics\": {}}"] {
        folder.write(&name, text);
        let study = folder.open();
        for error in [study.evidence(&inputs).unwrap_err(), study.judge(&inputs).run().unwrap_err()] {
            assert!(
                matches!(
                    &error,
                    StudyError::Ledger(LedgerError::EntryOrder { path, .. }) if *path == folder.path(&name)
                ),
                "{error}"
            );
        }
    }
}

/// They counted as queries that no system answers.
#[test]
fn labels_of_other_queries_are_no_part_of_the_reference() {
    let mut labels = known();
    labels.insert("x1", "a1", 3);
    let inputs = study().reference(labels).build().unwrap().inputs().unwrap();
    assert_eq!(inputs.reference.as_ref().map(Qrels::pairs), Some(11));
    assert!(
        inputs.notes.iter().any(|note| note.text.contains("of 1 query that the study lacks do not count"))
    );
}

#[test]
fn a_reference_in_memory_is_as_good_as_a_file() {
    let inputs = study().reference(known()).build().unwrap().inputs().unwrap();
    assert_eq!(inputs.reference.as_ref().map(Qrels::pairs), Some(11));
}
