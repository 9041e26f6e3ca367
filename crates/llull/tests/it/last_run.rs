//! How a study was last run is kept, and what asks nothing goes by it.

use llull::config::Overrides;
use llull::core::Paradigm;
use llull::{Recalled, Study};

use crate::collection::judged;
use crate::folder_study::{FolderStudy, REPLAY};

fn listwise() -> Overrides {
    Overrides { paradigm: Some(Paradigm::Listwise), ..Overrides::default() }
}

fn opened(folder: &FolderStudy, typed: &Overrides) -> (Study, Recalled) {
    Study::open_as_last_run(&folder.path("."), typed, &llull::reach::Trust::default()).unwrap()
}

#[test]
fn flags_of_the_last_run_are_applied_until_the_next_run_or_an_edit() {
    let folder = FolderStudy::new("", REPLAY);
    let nothing = Overrides::default();
    assert_eq!(opened(&folder, &nothing).1, Recalled::Nothing);
    folder.open_with(&listwise()).remember().unwrap();
    let (study, recalled) = opened(&folder, &nothing);
    assert_eq!(recalled, Recalled::Applied(Box::new(listwise())));
    assert!(study.settings().tournament.is_some());
    assert!(folder.open().settings().tournament.is_none(), "a run starts from llull.toml");
    let graded = Overrides { paradigm: Some(Paradigm::Graded), ..Overrides::default() };
    let (study, recalled) = opened(&folder, &graded);
    assert!(study.settings().tournament.is_none(), "what is typed stands above");
    assert_eq!(recalled, Recalled::Nothing);

    folder.edit("llull.toml", "depth = 3", "depth = 2");
    let (study, recalled) = opened(&folder, &nothing);
    assert_eq!(recalled, Recalled::Dropped("--paradigm listwise".to_owned()));
    assert!(study.settings().tournament.is_none());
    folder.open().remember().unwrap();
    assert_eq!(opened(&folder, &nothing).1, Recalled::Nothing);
    assert!(!folder.path(".llull/last-run.toml").exists(), "a run without flags leaves none");
}

#[test]
fn what_holds_for_one_run_and_what_may_be_secret_is_not_kept() {
    let folder = FolderStudy::new("", REPLAY);
    let flags = Overrides {
        max_calls: Some(3),
        concurrency: Some(4),
        base_url: Some("http://localhost:1/v1?key=hunter2".to_owned()),
        depth: Some(2),
        ..Overrides::default()
    };
    folder.open_with(&flags).remember().unwrap();
    let kept = folder.read(".llull/last-run.toml");
    assert!(kept.contains("version = 1\n") && kept.contains("depth = 2\n"), "{kept}");
    assert!(["hunter2", "calls", "concurrency"].iter().all(|absent| !kept.contains(absent)), "{kept}");
    let applied = Recalled::Applied(Box::new(Overrides { depth: Some(2), ..Overrides::default() }));
    assert_eq!(opened(&folder, &Overrides::default()).1, applied);
}

#[test]
fn a_broken_file_or_one_of_a_newer_llull_says_what_to_do() {
    let folder = FolderStudy::new("", REPLAY);
    folder.open_with(&listwise()).remember().unwrap();
    let good = folder.read(".llull/last-run.toml");
    for bad in [
        "",
        "version = ",
        "version = \"1\"\n",
        &good.replace("version = 1", "version = 2"),
        &good.replace("listwise", "boolean"),
        &(good.clone() + "trust = true\n"),
        "\u{0}\u{1}",
    ] {
        folder.write(".llull/last-run.toml", bad);
        let error = Study::open_as_last_run(
            &folder.path("."),
            &Overrides::default(),
            &llull::reach::Trust::default(),
        )
        .unwrap_err()
        .to_string();
        assert!(error.contains("last-run.toml: ") && error.contains("Delete it"), "{bad:?}: {error}");
        folder.open();
    }
}

/// With `run --paradigm listwise`, then `report`, the report said that nothing is decided.
#[test]
fn a_report_without_labels_is_written_beside_one_that_has_some() {
    let folder = FolderStudy::new("", REPLAY);
    let study = folder.open();
    let (inputs, outcome) = judged(&study);
    let report = study.report(&inputs, &outcome.evidence).unwrap();
    let files = study.reports().write(&inputs, &report).unwrap();
    assert!(!files.beside);
    let good: Vec<String> =
        ["report.md", "report.html", "report.json", "labels.qrels", ".llull/resolved.toml"]
            .map(|name| folder.read(name))
            .into();

    let other = folder.open_with(&listwise());
    let inputs = other.inputs().unwrap();
    let evidence = other.evidence(&inputs).unwrap();
    assert_eq!(evidence.labels.labelled(), 0);
    let report = other.report(&inputs, &evidence).unwrap();
    let files = other.reports().write(&inputs, &report).unwrap();
    assert!(files.beside && files.moved.is_empty());
    assert_eq!(files.markdown, folder.path("report.undecided.md"));
    assert_eq!(files.labels, folder.path("labels.undecided.qrels"));
    assert_eq!(other.reports().labels_file(&evidence.labels), "labels.undecided.qrels");
    let now: Vec<String> =
        ["report.md", "report.html", "report.json", "labels.qrels", ".llull/resolved.toml"]
            .map(|name| folder.read(name))
            .into();
    assert_eq!(good, now);
}
