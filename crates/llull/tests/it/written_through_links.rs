//! A study from a stranger whose files are links: what they lead to is neither written nor read.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use llull::config::Overrides;
use llull::{Scaffold, Study, StudyError, write_demo};

use crate::folder_study::{FolderStudy, REPLAY};

const RETRIEVER: &str = "[[systems]]\nname = \"words\"\nretriever = \"bm25\"\n\n";

/// Does everything that writes into a study's folder.
fn run(folder: &Path) -> Result<(), StudyError> {
    let study = Study::open(folder, &Overrides::default())?;
    let inputs = study.inputs()?;
    let outcome = study.judge(&inputs).run()?;
    study.reports().write(&inputs, &study.report(&inputs, &outcome.evidence)?)?;
    Ok(())
}

/// A study that compares and retrieves, so that it writes every file that there is; it was run, so they are there.
fn study() -> FolderStudy {
    let folder = FolderStudy::new("paradigm = \"pairwise\"\n", &format!("{RETRIEVER}{REPLAY}"));
    run(&folder.path("")).unwrap();
    folder
}

#[test]
fn every_file_that_is_written_is_written_through_no_link() {
    let written: Vec<String> = {
        let given = ["llull.toml", "topics.tsv", "corpus.jsonl", "old.run", "new.run", "known.qrels"];
        study().files().into_iter().filter(|file| !given.contains(&file.as_str())).collect()
    };
    assert!(written.len() >= 8, "{written:?}");
    for file in written {
        for exists in [true, false] {
            let (folder, home) = (study(), tempfile::tempdir().unwrap());
            let victim = home.path().join("bashrc");
            if exists {
                fs_err::write(&victim, "mine").unwrap();
            }
            fs_err::remove_file(folder.path(&file)).unwrap();
            symlink(&victim, folder.path(&file)).unwrap();
            // a run is retrieved again; a saved input is looked for again only where the same one is wanted
            if !file.starts_with(".llull/reports/inputs") {
                folder.edit("llull.toml", "retriever = \"bm25\"", "retriever = \"bm25\"\nk1 = 2.0");
            }
            let error = run(&folder.path("")).unwrap_err().to_string();
            assert!(error.contains("is a symbolic link") && error.contains(&file), "{file}: {error}");
            assert_eq!(victim.exists(), exists, "{file}");
            assert!(!exists || fs_err::read_to_string(&victim).unwrap() == "mine", "{file}");
        }
    }
}

#[test]
fn the_folders_on_the_way_are_no_links_either() {
    for way in [".llull", ".llull/runs"] {
        let (folder, home) = (study(), tempfile::tempdir().unwrap());
        fs_err::remove_dir_all(folder.path(way)).unwrap();
        symlink(home.path(), folder.path(way)).unwrap();
        let error = run(&folder.path("")).unwrap_err().to_string();
        assert!(error.contains("is a symbolic link") && error.contains(way), "{way}: {error}");
        assert_eq!(fs_err::read_dir(home.path()).unwrap().count(), 0, "{way}");
    }
}

#[test]
fn another_name_of_a_file_keeps_what_it_had() {
    for file in
        ["report.md", "report.html", "labels.qrels", ".llull/resolved.toml", ".llull/ledger.sqlite.lock"]
    {
        let (folder, home) = (study(), tempfile::tempdir().unwrap());
        let victim = home.path().join("bashrc");
        fs_err::write(&victim, "mine").unwrap();
        fs_err::remove_file(folder.path(file)).unwrap();
        fs_err::hard_link(&victim, folder.path(file)).unwrap();
        run(&folder.path("")).unwrap();
        assert_eq!(fs_err::read_to_string(&victim).unwrap(), "mine", "{file}");
    }
}

#[test]
fn a_new_study_is_written_through_no_link() {
    let home = tempfile::tempdir().unwrap();
    for (file, demo) in
        [("llull.toml", false), ("rubric.md", false), ("llull.toml", true), ("corpus.jsonl", true)]
    {
        let folder = tempfile::tempdir().unwrap();
        let victim = home.path().join("not there");
        symlink(&victim, folder.path().join(file)).unwrap();
        let error = match demo {
            true => write_demo(folder.path()).unwrap_err(),
            false => Scaffold::default().write(folder.path()).unwrap_err(),
        };
        assert!(error.to_string().contains("is a symbolic link"), "{file}: {error}");
        assert!(!victim.exists(), "{file}");
    }
}

#[test]
fn a_pipe_for_a_configuration_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Command::new("mkfifo").arg(folder.path().join("llull.toml")).status().unwrap().success());
    let error = run(folder.path()).unwrap_err().to_string();
    assert!(error.contains("llull.toml: it is no regular file"), "{error}");
}

/// A path of the study stands in `resolved.toml`, whatever it is.
#[test]
fn a_name_that_is_a_command_is_text_in_what_is_written() {
    let folder = FolderStudy::new("", REPLAY);
    let name = "$(touch gone)`touch gone`'\"\\\n";
    fs_err::rename(folder.path("topics.tsv"), folder.path(name)).unwrap();
    let quoted = toml::Value::from(name).to_string();
    folder.edit("llull.toml", "\"topics.tsv\"", &quoted);
    run(&folder.path("")).unwrap();
    let resolved: toml::Table = folder.read(".llull/resolved.toml").parse().unwrap();
    assert_eq!(resolved["topics"].as_str(), Some(name));
}
