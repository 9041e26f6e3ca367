//! Tests edge cases of sections.
//!
//! These are missing labels, one topic, unknown names, unknown prices, and many topics.

use crate::sample;

use llull_core::{Label, LabelSet, Qrels, Ranking, Run};
use llull_metrics::{Scores, evaluate_all};
use llull_report::{
    AnswerSource, ComparisonFinding, CoverageSection, DecisionSection, DocumentDetail, Exporter, GateOutcome,
    Html, IncompleteReason, Limits, Markdown, Report, ReportError, ReportView, Streamed, StudyVerdict,
    TopicDetail, TopicSystem, TopicValue, compare, figures, gates, reference_agreement, reference_systems,
    sort_documents, spread, topic_note,
};
use llull_stats::Gate;

fn scores(topics: usize) -> Vec<Scores> {
    let mut qrels = Qrels::default();
    for topic in 1..=topics {
        qrels.insert(&format!("q{topic}"), &format!("d{topic}_1"), 3);
    }
    evaluate_all(&sample::measures(), &qrels, &sample::runs())
}

fn gate(text: &str) -> Vec<Gate> {
    vec![text.parse().unwrap()]
}

#[test]
fn without_topics_nothing_is_decided_and_gates_fail() {
    let scores = scores(0);
    let comparison = compare(&scores, 0, "mixed", &sample::options()).unwrap().remove(0);
    assert_eq!(
        (comparison.decision, comparison.n, comparison.mean_difference),
        (ComparisonFinding::Unmeasured, 0, None)
    );
    assert_eq!(comparison.sentence, "best|first and mixed are not compared by nDCG@3: no query has a label.");
    let figure = &figures(&scores, &sample::options()).unwrap()[0].figures[0];
    assert_eq!((figure.mean, figure.low, figure.n, figure.unjudged_share), (None, None, 0, None));
    assert!(!gates(&gate("nDCG@3 >= -1"), &scores, "mixed", &sample::options()).unwrap()[0].passed);
}

#[test]
fn one_topic_has_a_mean_and_no_interval() {
    let scores = scores(1);
    let comparison = compare(&scores, 0, "best|first", &sample::options()).unwrap().remove(0);
    assert_eq!((comparison.low, comparison.high, comparison.p), (None, None, None));
    assert!(comparison.mean_difference.is_some() && comparison.decision == ComparisonFinding::Inconclusive);
    let by_mean = gates(&gate("nDCG@3 >= -1"), &scores, "best|first", &sample::options()).unwrap();
    assert!(by_mean.iter().all(|result| result.passed));
    let by_low = gates(&gate("low(nDCG@3) >= -1"), &scores, "best|first", &sample::options()).unwrap();
    assert!(by_low.iter().all(|result| !result.passed && result.value.is_none()));
}

#[test]
fn a_gate_on_systems_of_which_nothing_is_labelled_fails() {
    let mut qrels = Qrels::default();
    for topic in 1..=8 {
        qrels.insert(&format!("q{topic}"), "elsewhere", 1);
    }
    let scores = evaluate_all(&sample::measures(), &qrels, &sample::runs());
    let results = gates(&gate("nDCG@3 >= -0.01"), &scores, "mixed", &sample::options()).unwrap();
    assert_eq!(
        (results[0].sentence.as_str(), results[0].outcome),
        ("nDCG@3 >= -0.01 fails as incomplete for best|first: nothing is labelled.", GateOutcome::Incomplete)
    );
    // Equal by convention: nothing was found equal.
    let comparison = compare(&scores, 0, "mixed", &sample::options()).unwrap().remove(0);
    assert_eq!(comparison.decision, ComparisonFinding::Unmeasured);
    let sentence =
        "best|first and mixed are not compared by nDCG@3: no document that they returned has a label.";
    assert_eq!(comparison.sentence, sentence);
}

#[test]
fn a_judge_that_always_says_the_same_decides_nothing() {
    let label = |grade| Some(Label::of_grade(grade));
    let coverage = |last| {
        let mut labels = LabelSet::default();
        (1..8).for_each(|topic| labels.record(&format!("q{topic}"), "d1", label(1)));
        labels.record("q8", "d1", label(last));
        CoverageSection::new(&labels, Vec::new(), 0)
    };
    let summary = |coverage: &CoverageSection| {
        let comparisons = compare(&scores(8), 0, "mixed", &sample::options()).unwrap();
        DecisionSection::new("nDCG@3", Some("mixed".into()), comparisons, &[], coverage).summary
    };
    let constant = summary(&coverage(1));
    assert!(constant[0].starts_with("No verdict: all 8 labels are grade 1,"), "{constant:?}");
    assert!(!summary(&coverage(2))[0].starts_with("No verdict"));
}

/// A recording and an annotator do not answer when llull run is repeated.
#[test]
fn a_missing_answer_has_the_remedy_of_its_judge() {
    let mut report = sample::report();
    report.coverage.judges[0].source = AnswerSource::Annotator;
    report.coverage.judges[1].source = AnswerSource::Recording;
    let text = Markdown::default().to_text(&ReportView::from(&report)).unwrap();
    for step in [
        "lexical: 4 pairs not labelled yet: llull review",
        "mini&#124;judge: 1 request without a recorded answer. Name a recording that has them, or another judge.",
        "mini&#124;judge: 2 requests without an answer. Repeat llull run with the same flags",
    ] {
        assert!(text.contains(step), "{step}: {text}");
    }
    let can_continue = |source: AnswerSource, not_asked: u64| {
        let mut report = sample::report();
        report.coverage.judges.remove(0);
        (report.coverage.judges[0].source, report.coverage.judges[0].not_asked) = (source, not_asked);
        let incomplete = IncompleteReason::CouldReverse.into();
        report.decision.comparisons.iter_mut().for_each(|found| found.decision = incomplete);
        let (decision, coverage) = (report.decision, report.coverage);
        let decision = DecisionSection::new("nDCG@3", None, decision.comparisons, &[], &coverage);
        let StudyVerdict::Incomplete { can_continue, .. } = decision.verdict else { panic!("{decision:?}") };
        let words = ["Another llull run adds no label", "llull run continues"][usize::from(can_continue)];
        assert!(decision.summary[0].contains(words), "{:?}", decision.summary);
        if can_continue {
            let decision = decision.of_run(Some("llull run --queries segment=tail".into()));
            let words = "llull run --queries segment=tail continues with what is missing.";
            assert!(decision.summary[0].contains(words), "{:?}", decision.summary);
        }
        can_continue
    };
    let all = [AnswerSource::Requests, AnswerSource::Recording, AnswerSource::Annotator];
    assert_eq!(all.map(|source| can_continue(source, 2)), [true, true, false]);
    assert_eq!(all.map(|source| can_continue(source, 0)), [true, false, false]);
}

#[test]
fn documents_without_a_text_have_a_column_if_there_are_any() {
    let mut report = sample::report();
    let text = |report: &Report| Markdown::default().to_text(&ReportView::from(report)).unwrap();
    assert!(!text(&report).contains(" no text |"));
    report.coverage.judges[0].without_text = 7;
    assert!(text(&report).contains("| failed | not asked | no text | documents cut |"));
    assert!(text(&report).contains("| 0 | 4 | 7 | 0 | 0 |"), "{}", text(&report));
}

/// 24 equal of 24 were "inconclusive", and the two showed "no clear difference".
#[test]
fn systems_with_the_same_values_are_not_inconclusive() {
    let runs = sample::runs();
    let mut again = runs[0].clone();
    again.name = "again".into();
    let twice = vec![runs[0].clone(), again];
    let mut qrels = Qrels::default();
    for (topic, ranking) in runs[0].iter() {
        qrels.insert(topic, ranking.get(1).unwrap().document, 1);
    }
    let scores = evaluate_all(&sample::measures(), &qrels, &twice);
    let comparison = compare(&scores, 0, &runs[0].name, &sample::options()).unwrap().remove(0);
    assert_eq!(comparison.decision, ComparisonFinding::Identical);
    let n = comparison.n;
    assert_eq!(
        comparison.sentence,
        format!("again and {} have the same nDCG@3 on every query ({n} queries).", runs[0].name)
    );
}

/// 0.7 is no difference between systems: the gate was meant for the figure, and failed without a word about it.
#[test]
fn a_gate_on_a_figure_and_one_on_a_difference_say_what_they_tested() {
    let scores = scores(12);
    let sentence = |text: &str| {
        let results = gates(&gate(text), &scores, "mixed", &sample::options()).unwrap();
        results.into_iter().find(|result| result.system == "best|first").unwrap()
    };
    let own = figures(&scores, &sample::options()).unwrap()[0].figures[0].clone();
    let absolute = sentence("value(nDCG@3) > 0.7");
    assert_eq!(
        (absolute.absolute, absolute.passed, absolute.value),
        (true, own.mean.unwrap() > 0.7, own.mean)
    );
    assert!(absolute.sentence.contains(" for best|first: it is "), "{}", absolute.sentence);
    let low = sentence("low(value(nDCG@3)) > 0.1");
    assert_eq!((low.value, low.passed), (own.low, own.low.unwrap() > 0.1));
    let bare = sentence("nDCG@3 > 0.7");
    assert!(!bare.passed && !bare.absolute);
    assert!(bare.sentence.contains("the difference from mixed is "), "{}", bare.sentence);
    assert!(bare.sentence.ends_with("write value(nDCG@3) > 0.7."), "{}", bare.sentence);
}

/// A mean of -0.0054 in [-0.0497, +0.0370] passed `>= -0.01` in silence.
#[test]
fn a_mean_that_passes_where_its_interval_does_not_says_so() {
    let scores = scores(12);
    let passing = |threshold: f64| {
        let text = format!("nDCG@3 >= {threshold}");
        gates(&gate(&text), &scores, "best|first", &sample::options()).unwrap().remove(1)
    };
    let found = passing(-1.0);
    let (mean, low) = (found.mean.unwrap(), found.low.unwrap());
    assert!(low < mean && found.passed && !found.sentence.contains("only the mean"));
    let between = passing((low + mean) / 2.0);
    assert!(between.passed, "{between:?}");
    assert!(between.sentence.contains("; only the mean is tested, and low(nDCG@3) >= "), "{between:?}");
}

#[test]
fn a_clear_difference_is_one_in_either_direction() {
    let scores = scores(12);
    let options = sample::options();
    let worse = &compare(&scores, 0, "best|first", &options).unwrap()[0];
    let better = &compare(&scores, 0, "worst_first", &options).unwrap()[0];
    assert_eq!((worse.decision, better.decision), (ComparisonFinding::Worse, ComparisonFinding::Better));
    assert!(better.sentence.starts_with("best|first is better than worst_first: nDCG@3 +"));
}

#[test]
fn names_that_are_not_there_are_refused() {
    let scores = scores(3);
    let options = sample::options();
    let unknown = compare(&scores, 0, "bm25", &options).unwrap_err();
    assert_eq!(unknown.to_string(), "no system is called \"bm25\"; there are best|first, worst_first, mixed");
    assert!(matches!(
        compare(&scores, 9, "mixed", &options),
        Err(ReportError::UnknownMeasure { measure: 9, .. })
    ));
    assert!(matches!(reference_systems(&scores, &scores, 9), Err(ReportError::UnknownMeasure { .. })));
    assert!(matches!(
        gates(&gate("P@1 > 0"), &scores, "mixed", &options),
        Err(ReportError::GateMeasure { .. })
    ));
    assert!(matches!(
        gates(&gate("nonsense > 0"), &scores, "mixed", &options),
        Err(ReportError::GateMeasure { .. })
    ));
}

#[test]
fn systems_under_different_labels_are_not_paired() {
    let mut both = scores(3);
    both.truncate(1);
    both.extend(scores(2).into_iter().skip(1).take(1));
    let error = compare(&both, 0, "best|first", &sample::options()).unwrap_err();
    assert!(matches!(error, ReportError::DifferentTopics { .. }));
}

/// Counts by hand: of 12 pairs here and 11 there 10 are common, and 7 of these are equal.
#[test]
fn agreement_is_over_the_common_pairs() {
    let (mut here, mut there) = (Qrels::default(), Qrels::default());
    for document in 0..12 {
        here.insert(["q1", "q2"][document % 2], &document.to_string(), [0, 1, 3][document % 3]);
    }
    for document in 2..13 {
        let grade = [0, 1, 3][document % 3];
        there.insert(["q1", "q2"][document % 2], &document.to_string(), if document < 5 { 2 } else { grade });
    }
    let agreement = reference_agreement(&here, &there).unwrap();
    assert_eq!((agreement.both, agreement.only_here, agreement.only_there), (10, 2, 1));
    assert_eq!(agreement.exact, Some(0.7));
    assert_eq!(agreement.confusion.grades, [0, 1, 2, 3]);
    assert_eq!(agreement.confusion.counts, [[2, 0, 1, 0], [0, 2, 1, 0], [0, 0, 0, 0], [0, 0, 1, 3]]);
    assert!(llull_report::reference_agreement(&here, &Qrels::default()).unwrap().kappa.is_none());
}

#[test]
fn two_systems_have_no_rank_correlation() {
    let scores = scores(12);
    let two = reference_systems(&scores[..2], &scores, 0).unwrap();
    assert_eq!((two.means.len(), two.kendall_tau), (2, None));
    assert_eq!(reference_systems(&scores, &scores, 0).unwrap().kendall_tau, Some(1.0));
    let alone = reference_systems(&scores, &scores[..1], 0).unwrap();
    assert_eq!((alone.means[1].there, alone.means[1].there_n, alone.kendall_tau), (None, 0, None));
}

#[test]
fn spread_counts_pairs_with_two_judges() {
    let spread = spread(&sample::labels(), 2).unwrap();
    assert_eq!(spread.pairs, 23);
    assert_eq!(spread.histogram.iter().map(|bar| bar.pairs).collect::<Vec<_>>(), [13, 9, 0, 1]);
    let widest: Vec<_> = spread.disagreements.iter().map(|pair| pair.document.as_str()).collect();
    assert_eq!(widest, ["d6_1", "d1_1"]);
}

#[test]
fn documents_are_listed_best_label_first_and_unlabelled_last() {
    let document = |id: &str, grade, ranks: &[Option<u32>]| DocumentDetail {
        id: id.into(),
        grade,
        ranks: ranks.into(),
        ..Default::default()
    };
    let mut documents = [
        document("unlabelled", None, &[Some(1)]),
        document("late", Some(3), &[None, Some(9)]),
        document("b", Some(3), &[Some(2), None]),
        document("a", Some(3), &[None, Some(2)]),
        document("negative", Some(-1), &[Some(1)]),
    ];
    sort_documents(&mut documents);
    assert_eq!(
        documents.each_ref().map(|document| document.id.as_str()),
        ["a", "b", "late", "negative", "unlabelled"]
    );
}

#[test]
fn a_topic_says_what_is_wrong_with_it() {
    let notes = [(0, 0, 0), (3, 0, 0), (3, 3, 0), (3, 2, 0), (3, 2, 1), (3, 3, 1)]
        .map(|(pooled, labelled, relevant)| topic_note(pooled, labelled, relevant, 2));
    let notes = notes.each_ref().map(|note| note.as_deref().unwrap_or("-"));
    assert_eq!(
        notes,
        [
            "No system returned a document.",
            "None of the 3 pooled documents has a label.",
            "No document reaches grade 2: there is nothing relevant to find here.",
            "No labelled document reaches grade 2, and 1 of 3 pooled documents have no label.",
            "1 of 3 pooled documents have no label.",
            "-",
        ]
    );
}

/// 300 topics of falling difficulty: the Markdown has the hardest, in order, and the number left out.
#[test]
fn the_drill_down_is_limited_to_the_hardest_topics() {
    let topic = |number: usize| TopicDetail {
        id: format!("t{number:03}"),
        pooled: 15,
        labelled: if number == 7 { 0 } else { 15 },
        relevant: Some(usize::from(number % 100 != 7)),
        systems: vec![TopicSystem {
            system: "best|first".into(),
            answered: true,
            values: vec![TopicValue { value: Some(1.0 - number as f64 / 300.0), seen: 3, unjudged: 0 }; 2],
        }],
        documents: (0..15)
            .map(|document| DocumentDetail { id: document.to_string(), ..Default::default() })
            .collect(),
        ..Default::default()
    };
    let mut report = sample::report();
    report.systems.truncate(1);
    let limits = Limits { markdown_topics: 4, documents: 2, disagreements: 0, ..Limits::default() };
    let view = ReportView::with_queries(&report, &Streamed(|| (0..300).map(topic)), limits);
    let text = Markdown::default().to_text(&view).unwrap();
    let shown: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("<summary>")?.get(..4)).collect();
    assert_eq!(shown, ["t299", "t298", "t297", "t296"]);
    assert!(text.contains(
        "The hardest first, by the systems' mean nDCG@3.\nThese are 4 of 300 queries; the other 296 are in report.json."
    ));
    assert_eq!(text.matches("13 more documents in report.json.").count(), 4);
    assert!(text.contains("Without any label: t007.") && text.contains("above: t107, t207."));
    assert!(!text.contains("| q6 | d6_1 |"), "no disagreement was to be shown");
}

/// The queries were in the order of the hardest, which hides where two systems differ.
#[test]
fn queries_of_two_systems_come_by_their_difference() {
    let mut report = sample::report();
    let compared = report.decision.comparisons[0].clone();
    let place = |name: &str| report.systems.iter().position(|system| system.system == name).unwrap();
    let (baseline, system) = (place(&compared.baseline), place(&compared.system));
    report.decision.comparisons = vec![compared];
    report.topics.retain(|topic| topic.systems.len() == report.systems.len());
    report.topics.truncate(4);
    // The first is the hardest, and the third has the largest difference.
    for (topic, values) in report.topics.iter_mut().zip([(0.0, 0.1), (0.5, 0.5), (0.9, 0.2), (0.4, 0.7)]) {
        topic.systems[baseline].values[0].value = Some(values.0);
        topic.systems[system].values[0].value = Some(values.1);
    }
    let ids: Vec<String> = [2, 3, 0, 1].map(|at: usize| report.topics[at].id.clone()).into();
    let view = ReportView::from(&report);
    let text = Markdown::default().to_text(&view).unwrap();
    let page = Html::default().to_text(&view).unwrap();
    let starts = |text: &str, mark: &str| -> Vec<usize> {
        let starts = ids.iter().map(|id| text.find(&format!("{mark}{id}")).unwrap());
        starts.collect()
    };
    assert!(starts(&text, "<summary>").is_sorted(), "{text}");
    assert!(starts(&page, "<summary><h3><bdi>").is_sorted(), "{page}");
    assert!(
        text.contains("The largest difference of worst_first from best&#124;first in nDCG@3 first."),
        "{text}"
    );
    assert!(page.contains(
        "Queries, the largest difference of <bdi>worst_first</bdi> from <bdi>best|first</bdi> first</h2>"
    ));
}

#[test]
fn a_run_that_answers_unknown_topics_says_so() {
    let mut run = Run::new("extra");
    run.insert("q1", Ranking::from_ordered([("d1_1", 1.0)]));
    run.insert("elsewhere", Ranking::from_ordered([("d", 1.0)]));
    let report = sample::build(&sample::labels(), &[run], None);
    assert_eq!(report.systems[0].unlabelled_topics, 1);
    assert_eq!(report.systems[0].figures[0].missing_topics, 10);
    let text = Markdown::default().to_text(&ReportView::from(&report)).unwrap();
    assert!(text.contains("extra also answers 1 query that the labels do not know; no figure counts them."));
}
