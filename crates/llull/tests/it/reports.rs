//! Reports: from memory, and into a folder.

use llull::config::TournamentSettings;
use llull::core::Paradigm;
use llull::label::TierScheme;
use llull::{StudyError, StudyReport};

use crate::collection::{PAIRS, judged, known, study, tournament};
use crate::folder_study::{FolderStudy, REPLAY};
use crate::simulated_judge::SimulatedJudge;

fn json(report: &StudyReport<'_>) -> serde_json::Value {
    let mut bytes = Vec::new();
    report.write_json(&mut bytes).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

#[test]
fn a_report_from_memory_has_its_figures_queries_and_labels() {
    let study = study().reference(known()).judge(SimulatedJudge::grading("lenient", 1.0)).build().unwrap();
    let (inputs, outcome) = judged(&study);
    let report = study.report(&inputs, &outcome.evidence).unwrap();
    let json = json(&report);
    assert_eq!(json["version"], 1);
    assert_eq!(json["topics"].as_array().unwrap().len(), 3);
    assert_eq!(json["decision"]["baseline"], "old");
    assert_eq!(json["coverage"]["pairs"], PAIRS);
    assert_eq!(json["reference"]["name"], "memory");
    let answer = &json["topics"][0]["documents"][0]["answers"][0];
    assert!(answer["rationale"].as_str().unwrap().starts_with("it is worth "), "{answer}");
    assert_eq!(report.labels(), outcome.evidence.labels.qrels());
    let markdown = report.markdown().unwrap();
    assert!(markdown.contains("tiny") && markdown.contains("nDCG@3") && markdown.contains("lenient"));
}

#[test]
fn a_report_of_tournaments_says_how_documents_were_compared() {
    let settings = TournamentSettings { labels: TierScheme::Geometric, ..tournament(Paradigm::Pairwise) };
    let study = study().tournament(settings).judge(SimulatedJudge::comparing("fair", Paradigm::Pairwise));
    let study = study.build().unwrap();
    let (inputs, outcome) = judged(&study);
    let json = json(&study.report(&inputs, &outcome.evidence).unwrap());
    assert_eq!(json["version"], 2);
    assert_eq!(json["tournaments"]["setup"]["paradigm"], "pairwise");
    assert_eq!(json["tournaments"]["totals"]["topics_final"], 3);
    assert_eq!(json["topics"][0]["documents"][0]["tier"], 1);
    assert_eq!(json["topics"][0]["documents"][0]["answers"][0]["grade"], serde_json::Value::Null);
}

#[test]
fn the_cost_is_what_the_judges_used() {
    let study = study().judge(SimulatedJudge::grading("fair", 0.0)).build().unwrap();
    let (inputs, outcome) = judged(&study);
    let report = study.report(&inputs, &outcome.evidence).unwrap();
    let cost = &report.summary().cost.judges[0];
    assert_eq!((cost.attempts, cost.prompt_tokens.known), (PAIRS as u64, Some(8 * PAIRS as u64)));
    assert_eq!(cost.cost_usd.known, Some(0.5 * PAIRS as f64));
}

#[test]
fn a_study_in_memory_has_no_files_of_a_report() {
    let study = study().judge(SimulatedJudge::grading("fair", 0.0)).build().unwrap();
    let (inputs, outcome) = judged(&study);
    let report = study.report(&inputs, &outcome.evidence).unwrap();
    assert!(matches!(study.reports().write(&inputs, &report), Err(StudyError::InMemory(_))));
}

#[test]
fn a_folder_has_its_report_written_and_written_again_the_same() {
    let folder = FolderStudy::new("", REPLAY);
    let study = folder.open();
    let (inputs, outcome) = judged(&study);
    let files = study.reports().write(&inputs, &study.report(&inputs, &outcome.evidence).unwrap()).unwrap();
    let read = || {
        [&files.markdown, &files.html, &files.json, &files.labels, &files.resolved].map(|file| {
            let text = fs_err::read_to_string(file).unwrap();
            fs_err::remove_file(file).unwrap();
            text
        })
    };
    let before = read();
    assert_eq!(files.labels, folder.path("labels.qrels"));
    assert_eq!(before[3].lines().count(), PAIRS);
    assert!(before[4].contains("labels = \"known.qrels\""), "{}", before[4]);

    let study = folder.open();
    let inputs = study.inputs().unwrap();
    let evidence = study.evidence(&inputs).unwrap();
    study.reports().write(&inputs, &study.report(&inputs, &evidence).unwrap()).unwrap();
    assert_eq!(read(), before);
}

/// A report without times has no chart of them: that of a report before would show what is not so any more.
#[test]
fn a_chart_that_a_report_has_no_more_does_not_stay() {
    let folder = FolderStudy::new("", REPLAY);
    let write = || {
        let study = folder.open();
        let (inputs, outcome) = judged(&study);
        study.reports().write(&inputs, &study.report(&inputs, &outcome.evidence).unwrap()).unwrap();
        let charts = folder.files().into_iter().filter(|name| name.ends_with(".svg"));
        charts.collect::<Vec<_>>()
    };
    let charts = ["report.differences.svg", "report.systems.svg"];
    assert_eq!(write(), charts);
    let chart = fs_err::read_to_string(folder.path(charts[0])).unwrap();
    for name in ["report.speed.svg", "report.corrected.svg", "report.mine.svg", "speed.svg"] {
        folder.write(name, &chart);
    }
    assert_eq!(write(), [charts[0], "report.mine.svg", charts[1], "speed.svg"]);
    // What llull did not write under that name is not its own.
    folder.write("report.corrected.svg", "<svg/>");
    assert_eq!(write(), ["report.corrected.svg", charts[0], "report.mine.svg", charts[1], "speed.svg"]);
    fs_err::create_dir(folder.path("report.speed.svg")).unwrap();
    let link = folder.path("report.corrected.svg");
    #[cfg(unix)]
    {
        fs_err::remove_file(&link).unwrap();
        fs_err::os::unix::fs::symlink("report.mine.svg", &link).unwrap();
    }
    write();
    assert!(folder.path("report.speed.svg").is_dir() && (cfg!(not(unix)) || link.is_symlink()));
}
