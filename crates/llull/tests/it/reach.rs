//! The reach of a study through the library: nothing is trusted unless the caller says so.

use llull::config::Overrides;
use llull::reach::{ReachKind, Trust};
use llull::{Study, StudyError};

use crate::folder_study::{FolderStudy, REPLAY};

#[test]
fn a_file_outside_is_read_only_if_it_is_trusted() {
    let home = tempfile::tempdir().unwrap();
    let folder = FolderStudy::new("", REPLAY);
    fs_err::rename(folder.path("known.qrels"), home.path().join("known.qrels")).unwrap();
    let outside = home.path().join("known.qrels").display().to_string();
    folder.edit("llull.toml", "known.qrels", &outside);
    let none = Overrides::default();
    let error = Study::open(&folder.path(""), &none).unwrap_err();
    assert!(matches!(&error, StudyError::Untrusted(untrusted) if untrusted.0.len() == 1), "{error}");
    let trust = Trust::default().with(&home.path().display().to_string()).unwrap();
    Study::open_trusting(&folder.path(""), &none, &trust).unwrap();
    // The caller's own choice is not the study's.
    let typed = Overrides { judges: vec![format!("replay:{outside}")], ..Overrides::default() };
    Study::open(&folder.path(""), &typed).unwrap();
    Study::open(&folder.path(""), &typed.from_file(".llull/last-run.toml")).unwrap_err();
}

#[test]
fn a_server_is_asked_only_if_it_is_trusted() {
    let judge = "[[judges]]\nmodel = \"vllm/m\"\nbase_url = \"https://stranger.test/v1\"\n";
    let folder = FolderStudy::new("", judge);
    let study = folder.open();
    let error = study.judge(&study.inputs().unwrap()).run().unwrap_err();
    assert!(error.to_string().contains("add --trust https://stranger.test"), "{error}");
    let none = Overrides::default();
    let reach = Study::reach(&folder.path(""), &none, false, &Trust::default(), &|_| None).unwrap();
    assert_eq!(reach.iter().map(|entry| entry.kind).collect::<Vec<_>>(), [ReachKind::Server]);
    // The provider's own server is no reach.
    folder.edit("llull.toml", "https://stranger.test/v1", "http://localhost:8000");
    assert!(Study::reach(&folder.path(""), &none, false, &Trust::default(), &|_| None).unwrap().is_empty());
}
