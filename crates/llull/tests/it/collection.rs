//! The material of the tests: three queries, eleven documents and two systems. Labels can be worked out by hand.

use llull::config::TournamentSettings;
use llull::core::{Document, Grade, Paradigm, Qrels, Ranking, Run, Topic, Topics};
use llull::label::TierScheme;
use llull::rank::Schedule;
use llull::{Inputs, JudgingOutcome, Study, StudyBuilder, StudyEvidence};

/// The number of pairs in the pool.
pub(crate) const PAIRS: usize = 11;

/// The true grade of every pair.
pub(crate) const TRUTH: [(&str, &str, Grade); PAIRS] = [
    ("q1", "a1", 3),
    ("q1", "a2", 1),
    ("q1", "a3", 0),
    ("q1", "a4", 2),
    ("q2", "b1", 2),
    ("q2", "b2", 3),
    ("q2", "b3", 0),
    ("q2", "b4", 1),
    ("q3", "c1", 3),
    ("q3", "c2", 0),
    ("q3", "c3", 1),
];

/// Each document's text.
const TEXTS: [(&str, &str); PAIRS] = [
    ("a1", "Choose Forgot password on the sign-in page and follow the link in the mail."),
    ("a2", "A password has at least twelve characters."),
    ("a3", "A passkey is kept on your telephone."),
    ("a4", "Ask an administrator to send you a link that resets your password."),
    ("b1", "Open the report and choose Export. CSV and PDF are offered."),
    ("b2", "To export a report as CSV, choose Export, then CSV."),
    ("b3", "A CSV file can be imported as a table."),
    ("b4", "A report can be sent by mail every Monday."),
    ("c1", "Under Settings, Account, choose Delete my account and confirm."),
    ("c2", "An owner can delete a project."),
    ("c3", "An account belongs to one person."),
];

/// Returns the true grade of a pair; 0 for a pair that is not in the pool.
pub(crate) fn truth(query: &str, document: &str) -> Grade {
    let pair = TRUTH.iter().find(|(topic, id, _)| (*topic, *id) == (query, document));
    pair.map_or(0, |(_, _, grade)| *grade)
}

/// Returns the true grades as labels.
pub(crate) fn known() -> Qrels {
    labels(TRUTH)
}

/// Returns labels.
pub(crate) fn labels<'a>(rows: impl IntoIterator<Item = (&'a str, &'a str, Grade)>) -> Qrels {
    let mut labels = Qrels::default();
    for (query, document, grade) in rows {
        labels.insert(query, document, grade);
    }
    labels
}

pub(crate) fn topics() -> Topics {
    let topics =
        [("q1", "reset a forgotten password"), ("q2", "export a report as csv"), ("q3", "delete my account")];
    topics.map(|(id, text)| Topic { id: id.into(), text: text.into() }).into_iter().collect()
}

pub(crate) fn corpus() -> Vec<Document> {
    let document =
        |(id, text): (&str, &str)| Document { id: id.into(), text: text.into(), ..Document::default() };
    TEXTS.map(document).to_vec()
}

/// Returns a run: each query's documents, best first.
pub(crate) fn run(name: &str, rankings: [&[&str]; 3]) -> Run {
    let mut run = Run::new(name);
    for (query, documents) in ["q1", "q2", "q3"].iter().zip(rankings) {
        let scored = documents.iter().zip((1..=documents.len()).rev());
        run.insert(*query, Ranking::from_scored(scored.map(|(document, score)| (*document, score as f64))));
    }
    run
}

pub(crate) fn old_run() -> Run {
    run("old", [&["a2", "a1", "a3"], &["b1", "b3", "b2"], &["c3", "c2", "c1"]])
}

pub(crate) fn new_run() -> Run {
    run("new", [&["a1", "a2", "a4"], &["b1", "b2", "b4"], &["c1", "c2", "c3"]])
}

/// Begins the study in memory. It has no judge yet.
pub(crate) fn study() -> StudyBuilder {
    Study::builder()
        .name("tiny")
        .topics(topics())
        .corpus(corpus())
        .run(old_run())
        .run(new_run())
        .pool_depth(3)
        .measure("nDCG@3".parse().unwrap())
        // Few questions are asked here, so each would be asked again; tests of that say so.
        .recheck(0.0)
}

/// Returns the settings of a tournament as a study has them that says nothing, but for labels that count tiers.
pub(crate) fn tournament(paradigm: Paradigm) -> TournamentSettings {
    TournamentSettings {
        paradigm,
        window: if paradigm == Paradigm::Pairwise { 2 } else { 10 },
        top: 10,
        schedule: Schedule::Balanced,
        orders: 1,
        rejudge: None,
        neither: true,
        double_check: false,
        window_tokens: 12_500,
        labels: TierScheme::Ordinal,
        anchors: 2,
    }
}

/// Asks the judges of a study.
#[track_caller]
pub(crate) fn judged(study: &Study) -> (Inputs, JudgingOutcome) {
    let inputs = study.inputs().unwrap();
    let outcome = study.judge(&inputs).run().unwrap();
    (inputs, outcome)
}

/// Returns the labels, a line for each query: `q1: a1 3, a2 1`, by document. What has no label is left out.
pub(crate) fn label_lines(evidence: &StudyEvidence) -> Vec<String> {
    let mut lines = Vec::new();
    for (query, labels) in evidence.labels.iter() {
        let mut labels: Vec<String> = labels.map(|(id, label)| format!("{id} {}", label.grade)).collect();
        labels.sort();
        lines.push(format!("{query}: {}", labels.join(", ")));
    }
    lines
}

/// Returns the report as JSON, without how long answers took, which only the ledger remembers.
#[track_caller]
pub(crate) fn untimed_report(study: &Study, inputs: &Inputs, evidence: &StudyEvidence) -> serde_json::Value {
    let mut json = Vec::new();
    study.report(inputs, evidence).unwrap().write_json(&mut json).unwrap();
    let mut report: serde_json::Value = serde_json::from_slice(&json).unwrap();
    for judge in report["cost"]["judges"].as_array_mut().unwrap() {
        judge.as_object_mut().unwrap().remove("latency_ms");
    }
    report
}
