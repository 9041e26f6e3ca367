//! Labels on odd scales: a stray grade, two grades, two scales.
//!
//! Expected values are those of a plain Python script of the textbook formulas (Gwet 2014, Cohen 1960) over the same
//! files.

use llull::agreement::{
    AgreementInputs, AgreementReport, AgreementReportOptions, NamedLabels, UnderBoth, agreement_text,
};
use llull::core::{Qrels, Seed};
use llull::files::read_labels;
use llull::stats::BootstrapOptions;
use llull::{PanelError, PanelLabels, PanelMember};
use llull_conformance::data;

fn labels(name: &str, path: &str) -> NamedLabels {
    NamedLabels::new(name, read_labels(&data(path)).unwrap().value)
}

fn report(truth: NamedLabels, other: NamedLabels) -> AgreementReport {
    let inputs = AgreementInputs {
        truth,
        others: vec![other],
        raters: 1,
        runs: Vec::new(),
        measures: UnderBoth { truth: Vec::new(), other: Vec::new() },
    };
    let bootstrap = BootstrapOptions { resamples: 200, ..BootstrapOptions::new(Seed(1)) };
    AgreementReport::new(inputs, &AgreementReportOptions::new(bootstrap)).unwrap()
}

fn near(figure: Option<f64>, expected: f64) {
    assert!((figure.unwrap() - expected).abs() < 0.000_051, "{figure:?} instead of {expected}");
}

/// One 10 among 4,423 labels lifts AC2 from .7002 to .9741; the report also has the figure without it.
#[test]
fn a_stray_grade_is_said_beside_the_figures_that_it_moves() {
    let people = || labels("people", "llmjudge/llmjudge_test_qrel_idx.txt");
    let set = "llmjudge/submissions/NISTRetrieval-instruct0.qrels.gz";
    let plain = report(people(), labels("set", set));
    near(plain.compared.others()[0].agreement.figures.ac2.quadratic, 0.7002);
    assert!(!plain.notes.iter().any(|note| note.contains("clamp")), "it gives no 3: {:?}", plain.notes);
    let mut stray = labels("set", set);
    let (query, document) = {
        let (query, documents) =
            people().qrels.iter().next().map(|(q, d)| (q.to_owned(), d.clone())).unwrap();
        (query, documents.keys().next().unwrap().to_owned())
    };
    stray.qrels.insert(&query, &document, 10);
    let found = report(people(), stray);
    let other = &found.compared.others()[0];
    near(other.agreement.figures.ac2.quadratic, 0.9741);
    let strays = other.strays.as_ref().unwrap();
    assert_eq!((strays.phrase.as_str(), strays.other), ("1 label is above 3", 1));
    assert!((strays.clamped.ac2.quadratic.unwrap() - 0.7002).abs() < 0.001);
    let text = agreement_text(&found);
    let line = text.lines().find(|line| line.starts_with("AC2, quadratic")).unwrap();
    assert!(line.contains("1 label is above 3"), "{line}");
}

/// The line of the cut at 2 had 0.0000, as the judge gives no 2.
#[test]
fn a_judge_of_two_grades_is_set_against_each_cut() {
    let binary = labels("binary", "dl19/labels/binary.gpt-4o.qrels.gz");
    let found = report(labels("people", "dl19/human.qrels"), binary);
    let other = &found.compared.others()[0];
    assert_eq!(other.agreement.figures.kappa_at[&2], Some(0.0));
    let cuts = other.binary.as_ref().unwrap();
    for (cut, kappa) in [(1, 0.5492), (2, 0.4795), (3, 0.1202)] {
        near(cuts.figures.kappa_at[&cut], kappa);
    }
}

/// The median of a judge of 0 and 1 and one of 0 to 3 is the judge of 0 and 1: kappa .9837.
#[test]
fn a_panel_of_two_scales_is_refused_and_mapped_on_purpose() {
    let member = |name: &str, path: &str, scale: Option<&str>| PanelMember {
        labels: labels(name, path),
        scale: scale.map(|scale| scale.parse().unwrap()),
    };
    let binary = |scale| member("binary", "dl19/labels/binary.gpt-4o.qrels.gz", scale);
    let umbrela = || member("umbrela", "dl19/labels/umbrela.gpt-4o.qrels.gz", None);
    let refused = PanelLabels::of([binary(None), umbrela()].into_iter().collect()).unwrap_err();
    assert!(matches!(refused, PanelError::Scales { .. }), "{refused}");
    let low = member_of_low_grades(umbrela());
    let silent = PanelLabels::of([binary(Some("0..1 -> 0,1")), low].into_iter().collect()).unwrap();
    near(silent.members[0].kappa, 0.9837);
    let mapped = PanelLabels::of([binary(Some("0..1 -> 0,3")), umbrela()].into_iter().collect()).unwrap();
    assert_eq!(mapped.pairs_by_judges.values().sum::<usize>(), 9260);
    assert!(mapped.members[0].kappa.unwrap() < 0.9, "{:?}", mapped.members);
}

/// The labels as they would count in a median with 0 and 1, whose lower one is never above 1.
fn member_of_low_grades(member: PanelMember) -> PanelMember {
    let mut qrels = Qrels::default();
    for (query, documents) in member.labels.qrels.iter() {
        for (document, grade) in documents {
            qrels.insert(query, document, (*grade).min(1));
        }
    }
    PanelMember { labels: NamedLabels::new("umbrela", qrels), scale: None }
}
