//! Tests reports on judges that compare.
//!
//! These have sections, words, versions.

use crate::markup;
use crate::sample;

use crate::hostile::HOSTILE;
use std::collections::BTreeMap;

use llull_core::{Ballot, Item, Label, LabelSet, Paradigm, Scale};
use llull_label::{Contradiction, TierScheme, TierView, anchored};
use llull_rank::{TieRule, tiers};
use llull_report::{
    AnchorFigures, DocumentDetail, Exporter, Json, JudgeAnswer, Markdown, Report, ReportView, TierDetail,
    TierVote, TopicDetail, TopicTournament, TournamentSection, TournamentSetup, TournamentTotals, from_json,
    schema, sort_documents, topic_note, version,
};

const LABELS: [&str; 4] = ["ordinal", "geometric", "binary(1)", "anchored"];

/// The sample as judges that compare would have it: two tiers of the first topics are cycles, the others are single
/// documents; the third topic was not finished.
fn compared(labels: &str) -> Report {
    let scheme: TierScheme = labels.parse().unwrap();
    let mut report = sample::report();
    report.coverage.spread = None;
    report.topics.truncate(4);
    for (number, topic) in report.topics.iter_mut().enumerate() {
        *topic = topic_of(number, scheme);
    }
    for judge in &mut report.study.judges {
        judge.paradigm = Paradigm::Listwise;
    }
    report.study.judges[0].paradigm = Paradigm::Graded;
    report.study.aggregation = format!("{scheme} labels of the tiers");
    if scheme != TierScheme::Anchored {
        report.reference.iter_mut().for_each(|reference| {
            reference.not_compared = Some("places in an order are no grades".to_owned());
        });
    }
    let anchors = (scheme == TierScheme::Anchored).then_some(Contradiction {
        graded: 8,
        pairs: 12,
        wrong: 3,
        squares: 2.0,
    });
    let found = report.topics.iter().filter_map(|topic| topic.tournament.as_ref());
    let tournaments = TournamentSection {
        cycles: None,
        people: None,
        totals: TournamentTotals::of(found, 7, anchors),
        setup: TournamentSetup {
            paradigm: Paradigm::Listwise,
            window: 10,
            top: Some(3),
            schedule: "balanced".into(),
            labels: scheme.to_string(),
            meaning: scheme.meaning(),
            relevant_from: scheme.relevant_from(2),
            measured_from: Some(scheme.measured_from(2)),
        },
    };
    report.version = version(Some(&tournaments));
    report.tournaments = Some(tournaments);
    report
}

/// The first before the second, the second before the third, the third before the first.
fn cycle() -> Vec<TierVote> {
    let vote = |better, worse| TierVote { better, worse, votes: 1.0, against: 0.0, tied: 0.0 };
    vec![vote(0, 1), vote(1, 2), vote(2, 0)]
}

/// A topic of six documents in four tiers; the second tier of an even one is a cycle of three.
fn topic_of(number: usize, scheme: TierScheme) -> TopicDetail {
    let id = |n: usize| format!("{} {n}", HOSTILE[(number + n) % HOSTILE.len()]);
    let sizes: &[usize] = if number.is_multiple_of(2) { &[1, 3, 1, 1] } else { &[1, 1, 2, 1, 1] };
    let is_final = number != 2;
    let (mut tiers, mut documents) = (Vec::new(), Vec::new());
    for (at, size) in sizes.iter().enumerate() {
        let grade = is_final.then_some(3 - at.min(3) as i32);
        let first = documents.len();
        tiers.push(TierDetail {
            documents: (first..first + size).map(id).collect(),
            is_final: is_final || at == 0,
            cyclic: *size == 3,
            contradictory: *size == 3,
            support: Some(1.0 / (at + 1) as f64),
            grade,
            fitted: (scheme == TierScheme::Anchored).then_some(2.5),
            votes: if *size == 3 { cycle() } else { Vec::new() },
        });
        documents.extend((first..first + size).map(|n| DocumentDetail {
            id: id(n),
            title: sample::NASTY[(number + n) % sample::NASTY.len()].into(),
            grade,
            tier: Some(at as u32 + 1),
            answers: vec![JudgeAnswer { grade: Some(1), ..Default::default() }, JudgeAnswer::default()],
            ranks: vec![Some(n as u32 + 1), None, None],
            ..DocumentDetail::default()
        }));
    }
    sort_documents(&mut documents);
    let labelled = if is_final { 6 } else { 0 };
    let relevant = scheme.relevant_from(2).map(|_| usize::from(is_final));
    TopicDetail {
        id: format!("q{number}"),
        text: sample::NASTY[number % sample::NASTY.len()].into(),
        pooled: 6,
        labelled,
        relevant,
        note: topic_note(6, labelled, relevant.unwrap_or(0), scheme.relevant_from(2)),
        tournament: Some(TopicTournament {
            is_final,
            calls: 4,
            waves: 3,
            unanswered: 1,
            partial: 0,
            triangles: 10,
            components: sizes.iter().copied().filter(|size| *size == 3).collect(),
            cyclic_triangles: u64::from(number.is_multiple_of(2)) * (number as u64 + 1),
            by_distance: Vec::new(),
            panel: None,
            credible: false,
            spread: None,
            anchors: (scheme == TierScheme::Anchored).then(AnchorFigures::default),
            tiers,
        }),
        documents,
        ..Default::default()
    }
}

fn rendered(report: &Report) -> String {
    Markdown::default().to_text(&ReportView::from(report)).unwrap()
}

/// The lines that a graded report does not have; a snapshot of it has the others.
fn own_lines(text: &str, graded: &str) -> String {
    let own = text.lines().filter(|line| !graded.lines().any(|same| same == *line));
    own.map(|line| format!("{line}\n")).collect()
}

#[test]
fn what_judges_that_compare_change_in_a_report() {
    let graded = sample::report();
    insta::assert_snapshot!("compared.md", own_lines(&rendered(&compared("anchored")), &rendered(&graded)));
}

#[test]
fn it_reads_as_it_was_written_and_keeps_to_the_schema() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    for labels in LABELS {
        let report = compared(labels);
        let text = Json.to_text(&report).unwrap();
        let errors: Vec<_> = validator
            .iter_errors(&serde_json::from_str(&text).unwrap())
            .map(|error| error.to_string())
            .collect();
        assert_eq!(errors, Vec::<String>::new());
        assert_eq!(from_json(&text).unwrap(), report);
        assert!(text.contains("\"version\": 2"));
    }
}

/// Written by the first llull whose judges compared; it must be readable as long as version 2 is.
#[test]
fn an_old_report_is_read() {
    let old = from_json(include_str!("../fixtures/report.v2.json")).unwrap();
    let tournaments = old.tournaments.unwrap();
    assert_eq!((tournaments.setup.labels.as_str(), tournaments.setup.top), ("anchored", Some(3)));
    assert_eq!(tournaments.totals.anchors.unwrap().wrong, 3);
    assert_eq!(old.study.judges[1].paradigm, Paradigm::Listwise);
    assert_eq!(old.topics[0].tournament.as_ref().unwrap().tiers[1].documents.len(), 3);
    assert_eq!(old.topics[0].documents[5].tier, Some(4));
}

#[test]
fn a_graded_report_has_nothing_of_it() {
    let text = Json.to_text(&sample::report()).unwrap();
    assert!(!["tournament", "paradigm", "\"tier\""].iter().any(|word| text.contains(word)));
    assert!(text.contains("\"version\": 1") && version(None) == 1);
}

#[test]
fn places_in_an_order_are_not_called_relevance() {
    for (labels, on_scale, relevant) in [
        ("ordinal", false, false),
        ("geometric", false, false),
        ("binary(1)", false, true),
        ("anchored", true, true),
    ] {
        let text = rendered(&compared(labels));
        assert_eq!(text.contains("grades 0 to 3"), on_scale, "{labels}");
        assert_eq!(
            text.contains("agree exactly on") && text.contains("quadratic kappa"),
            on_scale,
            "{labels}"
        );
        assert_eq!(text.contains(", relevant from "), relevant, "{labels}");
        assert_eq!(text.contains("(1 relevant, 6 of 6 labelled)"), relevant, "{labels}");
        assert_eq!(text.contains("no grade says that a document is relevant"), !relevant, "{labels}");
        assert!(text.contains(&format!("Labels are {labels}. A grade")));
    }
}

#[test]
fn only_a_judge_that_grades_is_said_to_grade() {
    let mut report = compared("ordinal");
    let text = rendered(&report);
    assert!(text.contains("to a judge that compares, and one to a judge that grades (lexical)."));
    assert!(text.contains("graded by |") && !text.contains("judge: missing"));
    report.study.judges[0].paradigm = Paradigm::Listwise;
    let text = rendered(&report);
    assert!(text.contains("A question shows up to 10 documents to a judge that compares.\n"));
    assert!(!text.contains("graded by") && !text.contains("lexical: 1"));
}

/// Items 1, 2 and 3 beat each other in a cycle, 0 beats and 4 loses to all of them.
#[test]
fn an_outcome_is_told_as_it_is() {
    let cycle = [[1, 2], [2, 3], [3, 1]].map(|pair| Ballot::strict(pair.map(Item)));
    let around = [1, 2, 3].map(|item| Ballot::strict([0, item, 4].map(Item)));
    let ballots: Vec<Ballot> = around.into_iter().chain(cycle).collect();
    let outcome = tiers(5, &ballots, TieRule::Equal);
    let views: Vec<TierView<'_>> = outcome.tiers.iter().map(TierView::from).collect();
    let grades = BTreeMap::from([(0, 3), (2, 1), (3, 2), (4, 0)].map(|(item, grade)| (Item(item), grade)));
    let found = anchored(5, &views, &grades, Scale::default()).unwrap();
    let told = TopicTournament::new(&outcome, |item| format!("d{item}"), &found.labels, Some(&found));
    assert!(told.is_final && told.is_cyclic());
    assert_eq!((told.triangles, told.cyclic_triangles, &told.components), (10, 1, &vec![3]));
    let tiers: Vec<_> =
        told.tiers.iter().map(|tier| (tier.documents.len(), tier.cyclic, tier.grade, tier.fitted)).collect();
    let expected =
        [(1, false, Some(3), Some(3.0)), (3, true, Some(1), Some(1.5)), (1, false, Some(0), Some(0.0))];
    assert_eq!(tiers, expected);
    assert_eq!((told.tiers[0].documents[0].as_str(), told.tiers[0].support), ("d0", Some(1.0)));
    assert_eq!(told.anchors.map(|anchors| (anchors.graded, anchors.wrong)), Some((4, 0)));
    let plain = TopicTournament::new(&outcome, |item| item.to_string(), &[], None);
    assert!(
        plain.anchors.is_none()
            && plain.tiers.iter().all(|tier| tier.grade.is_none() && tier.fitted.is_none())
    );
}

/// A report had "19 queries have a cycle" and "0 of 16,307 triangles": it counted answers that ties or repeated pairs
/// contradict as cycles.
#[test]
fn other_contradictions_are_not_counted_as_cycles_and_are_named() {
    let mut cycle = TopicTournament { triangles: 4, components: vec![4], ..Default::default() };
    cycle.tiers = vec![TierDetail { cyclic: true, contradictory: true, ..Default::default() }];
    let mut split = TopicTournament { triangles: 4, ..Default::default() };
    split.tiers = vec![TierDetail { contradictory: true, ..Default::default() }];
    let totals = TournamentTotals::of([&cycle, &split, &split, &TopicTournament::default()], 1, None);
    assert_eq!((totals.topics_cyclic, totals.topics_contradictory, totals.cyclic_triangles), (1, 2, 0));
    let mut report = compared("ordinal");
    report.tournaments.as_mut().unwrap().totals = totals;
    let text = rendered(&report);
    for sentence in [
        "0 of 12 triangles, which are three documents compared pair by pair, are cyclic (0.0%). 1 query has a cycle, \
         of three documents or of more, not all of which need be compared pair \
         by pair. By their documents: 1 cycle of 4.",
        "In 2 queries more, answers contradict each other without a cycle: ",
    ] {
        assert!(text.contains(sentence), "{text}");
    }
}

#[test]
fn totals_add_up() {
    let report = compared("anchored");
    let totals = report.tournaments.unwrap().totals;
    assert_eq!((totals.topics_final, totals.topics_provisional), (3, 1));
    assert_eq!((totals.calls, totals.waves, totals.unanswered), (16, 7, 4));
    assert_eq!((totals.cyclic_triangles, totals.triangles, totals.cyclic_share), (4, 40, Some(0.1)));
    let sizes: Vec<_> = totals.components.iter().map(|c| (c.documents, c.components)).collect();
    assert_eq!((sizes, totals.topics_cyclic), (vec![(3, 2)], 2));
    let anchors = totals.anchors.unwrap();
    assert_eq!((anchors.wrong_share, anchors.distance), (Some(0.25), Some(0.5)));
    let empty = TournamentTotals::of([], 0, None);
    assert_eq!((empty.cyclic_share, empty.anchors, empty.components.len()), (None, None, 0));
}

#[test]
fn a_cycle_names_its_documents_and_a_provisional_tier_says_so() {
    let text = rendered(&compared("ordinal"));
    assert!(text.contains("- A cycle among 3: a\"; b -&gt; c [label=\"d 1, back&#92;slash&#92; 2, %%{init"));
    assert!(text.contains("- A cycle among 3, provisional: "));
    assert!(text.contains(
        "Tiers provisional: 4 calls in 3 waves, 1 without a usable answer; 3 of 10 triangles cyclic; cycles of 3 \
         documents."
    ));
}

#[test]
fn a_report_on_hostile_documents_has_no_markup_but_its_own() {
    LABELS.iter().for_each(|labels| markup::is_ours(&rendered(&compared(labels))));
}

#[test]
fn documents_of_one_label_come_by_tier() {
    let document = |id: &str, tier, rank| DocumentDetail {
        id: id.into(),
        grade: Some(0),
        tier,
        ranks: vec![Some(rank)],
        ..Default::default()
    };
    let mut documents = [document("c", None, 1), document("b", Some(4), 2), document("a", Some(3), 3)];
    sort_documents(&mut documents);
    assert_eq!(documents.map(|document| document.id), ["a", "b", "c"]);
}

#[test]
fn without_a_cutoff_nothing_is_said_of_relevance() {
    assert_eq!(topic_note(3, 3, 0, None), None);
    assert_eq!(topic_note(3, 2, 0, None).as_deref(), Some("1 of 3 pooled documents have no label."));
    assert_eq!(topic_note(3, 0, 0, None).as_deref(), Some("None of the 3 pooled documents has a label."));
}

/// Labels of tiers are one source, so no report claims that judges agreed on them.
#[test]
fn labels_of_tiers_have_no_spread() {
    let mut labels = LabelSet::default();
    labels.record("q1", "d1", Some(Label::of_grade(4)));
    assert_eq!(llull_report::spread(&labels, 10), None);
}
