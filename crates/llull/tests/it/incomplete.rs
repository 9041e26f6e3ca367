//! A study that is not finished decides nothing that the missing labels could reverse.

use llull::config::BudgetSettings;
use llull::core::{Document, Paradigm, Qrels, Ranking, Run, Topic, Topics};
use llull::report::{ComparisonFinding, StudyVerdict, headline};
use llull::{Study, StudyBuilder};

use crate::collection::tournament;

const QUERIES: usize = 12;

/// Twelve queries with two documents each: the baseline finds the wrong one first, the system the right one.
fn study(calls: Option<u64>) -> StudyBuilder {
    let mut labels = Qrels::default();
    let (mut baseline, mut system) = (Run::new("baseline"), Run::new("system"));
    let (mut topics, mut corpus) = (Vec::new(), Vec::new());
    for at in 0..QUERIES {
        let query = format!("q{at:02}");
        let (right, wrong) = (format!("right{at}"), format!("wrong{at}"));
        labels.insert(&query, &right, 3);
        labels.insert(&query, &wrong, 0);
        let ranked = |first: &str, second: &str| Ranking::from_ordered([(first, 2.0), (second, 1.0)]);
        baseline.insert(query.clone(), ranked(&wrong, &right));
        system.insert(query.clone(), ranked(&right, &wrong));
        for id in [&right, &wrong] {
            corpus.push(Document { id: id.clone(), text: format!("About {id}."), ..Document::default() });
        }
        topics.push(Topic { text: format!("question {at}"), id: query });
    }
    Study::builder()
        .name("unfinished")
        .topics(topics.into_iter().collect::<Topics>())
        .corpus(corpus)
        .run(baseline)
        .run(system)
        .pool_depth(2)
        .measure("nDCG@2".parse().unwrap())
        .recheck(0.0)
        .run_limits(BudgetSettings { calls, ..BudgetSettings::default() })
        .replay("known", labels)
}

struct Outcome {
    verdict: StudyVerdict,
    finding: ComparisonFinding,
    sentences: Vec<String>,
    headline: String,
    pages: String,
}

fn outcome(study: StudyBuilder) -> Outcome {
    let study = study.build().unwrap();
    let inputs = study.inputs().unwrap();
    let evidence = study.judge(&inputs).run().unwrap().evidence;
    let report = study.report(&inputs, &evidence).unwrap();
    let decision = &report.summary().decision;
    Outcome {
        verdict: decision.verdict.clone(),
        finding: decision.comparisons[0].decision,
        sentences: decision.summary.clone(),
        headline: headline(decision),
        pages: format!(
            "{}{}{}",
            report.markdown().unwrap(),
            report.html().unwrap(),
            report.served_html(false).unwrap()
        ),
    }
}

#[test]
fn a_study_that_a_budget_stopped_is_incomplete_and_a_finished_one_decides() {
    let stopped = outcome(study(Some(12)));
    assert!(
        matches!(
            stopped.verdict,
            StudyVerdict::Incomplete { missing: 12, pairs: 24, can_continue: true, .. }
        ),
        "{:?}",
        stopped.verdict
    );
    assert!(stopped.finding.is_incomplete());
    assert_eq!(stopped.headline, "No verdict yet: labels are missing that could change the result.");
    assert!(
        stopped.sentences[0].contains("12 of 24 pooled pairs without a label"),
        "{:?}",
        stopped.sentences
    );
    assert!(stopped.sentences[0].ends_with("llull run continues with what is missing."));
    assert!(!stopped.pages.contains("system is better than"));

    let finished = outcome(study(None));
    assert_eq!((finished.verdict, finished.finding), (StudyVerdict::Compared, ComparisonFinding::Better));
    assert_eq!(finished.headline, "system is better than baseline.");
}

#[test]
fn missing_labels_that_could_not_reverse_the_verdict_leave_it() {
    let nearly = outcome(study(Some(22)));
    assert_eq!((nearly.verdict, nearly.finding), (StudyVerdict::Compared, ComparisonFinding::Better));
}

#[test]
fn unfinished_tournaments_count_as_queries_without_labels() {
    let compared = |calls| study(calls).tournament(tournament(Paradigm::Pairwise));
    let stopped = outcome(compared(Some(5)));
    assert!(
        matches!(stopped.verdict, StudyVerdict::Incomplete { queries: 7.., .. }),
        "{:?}",
        stopped.verdict
    );
    assert!(stopped.finding.is_incomplete());
    let finished = outcome(compared(None));
    assert_eq!((finished.verdict, finished.finding), (StudyVerdict::Compared, ComparisonFinding::Better));
}
