//! From which grade on a document is relevant: as the rubric says, unless a measure says otherwise.

use llull::Study;
use llull::config::Overrides;
use llull::core::Paradigm;
use llull::judge::Rubric;
use llull::metrics::Measure;

use crate::collection::{study, tournament};
use crate::folder_study::{FolderStudy, REPLAY};
use crate::simulated_judge::SimulatedJudge;

fn rubric(cutoff: i32) -> Rubric {
    Rubric { cutoff, ..Rubric::parse(Rubric::default_text(), "the built-in rubric").unwrap() }
}

fn names(study: &Study) -> Vec<String> {
    study.settings().measures.iter().map(ToString::to_string).collect()
}

/// `-m RR@10` of a study whose cutoff is 3 was measured from grade 1 on, and nothing was said.
#[test]
fn a_measure_without_a_level_takes_the_rubrics_cutoff() {
    let of = |cutoff| {
        ["nDCG@3", "RR@10", "num_rel_ret", "P(rel=1)@5", "P(rel=3)@1"]
            .into_iter()
            .fold(study().rubric(rubric(cutoff)), |study, name| study.measure(name.parse().unwrap()))
            .judge(SimulatedJudge::grading("fair", 0.0))
            .build()
            .unwrap()
    };
    // The first of the fixture's measures is nDCG@3, too.
    assert_eq!(names(&of(3)), ["nDCG@3", "RR(rel=3)@10", "NumRet(rel=3)", "P@5", "P(rel=3)@1"]);
    assert_eq!(names(&of(1)), ["nDCG@3", "RR@10", "NumRet(rel=1)", "P@5", "P(rel=3)@1"]);
    let resolved = of(3).measure_here(&"Success@5".parse().unwrap()).unwrap();
    assert_eq!(resolved.to_string(), "Success(rel=3)@5");
}

#[test]
fn the_command_lines_measures_do_so_too() {
    let folder = FolderStudy::new("rubric = \"rubric.md\"", REPLAY);
    folder.write("rubric.md", &Rubric::default_text().replace("cutoff = 2", "cutoff = 3"));
    let overrides = Overrides { measures: vec!["RR@10".into(), "P(rel=1)@5".into()], ..Overrides::default() };
    let study = folder.open_with(&overrides);
    assert_eq!(names(&study), ["RR(rel=3)@10", "P@5"]);
}

/// `rel=2` in llull.toml and `cutoff = 3` in the rubric went together in silence.
#[test]
fn a_measure_that_contradicts_the_cutoff_is_warned_of_once() {
    let of = |measures: &[&str]| {
        let base = study().rubric(rubric(3)).judge(SimulatedJudge::grading("fair", 0.0));
        let study = measures.iter().fold(base, |study, name| study.measure(name.parse().unwrap()));
        let notes = study.build().unwrap().inputs().unwrap().notes;
        notes.into_iter().map(|note| note.text).collect::<Vec<_>>()
    };
    let warned = of(&["P(rel=2)@1", "RR(rel=2)@2"]);
    let about: Vec<&String> = warned.iter().filter(|note| note.contains("cutoff = 3")).collect();
    assert_eq!(
        about,
        [
            "P(rel=2)@1, RR(rel=2)@2 take documents of grade 2 and above for relevant, and the rubric those of grade 3 \
          and above (cutoff = 3). Leave out rel= to measure by the rubric, or set its cutoff"
        ]
    );
    assert!(!of(&["P@1", "RR(rel=3)@2"]).iter().any(|note| note.contains("cutoff")));
    assert!(of(&["P(rel=1)@1"]).iter().any(|note| note.starts_with("P(rel=1)@1 takes documents of grade 1")));
}

#[test]
fn labels_of_tiers_have_a_level_of_their_own() {
    let study = study()
        .rubric(rubric(3))
        .tournament(tournament(Paradigm::Listwise))
        .judge(SimulatedJudge::comparing("orders", Paradigm::Listwise))
        .measure("P@1".parse().unwrap())
        .build()
        .unwrap();
    assert_eq!(names(&study)[1..], ["P@1"]);
}

#[test]
fn a_measure_that_is_a_value_is_what_it_is() {
    let exact: Measure = "P@1".parse().unwrap();
    let study = study()
        .rubric(rubric(3))
        .judge(SimulatedJudge::grading("fair", 0.0))
        .measure(exact.into())
        .build()
        .unwrap();
    assert_eq!(study.settings().measures[1], exact);
}
