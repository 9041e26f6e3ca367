//! Tests the sentences of findings: true in every case, and with the number of answers.

use llull_audit::{
    AskedAs, AuditOptions, AuditedCollection, AuditedJudge, AuditedSystem, CheckKind, ComparedAnswer,
    Disguised, DisguisedAnswer, GradedAnswer, JudgeCheck, ProbedAnswer, ProbedAnswers, ShownAnchors,
    ShownDocument, judge_checks,
};
use llull_core::{Item, Seed};

const QUERIES: usize = 20;
const DOCUMENTS: usize = 10;

fn places() -> impl Iterator<Item = (usize, usize)> {
    (0..QUERIES).flat_map(|query| (0..DOCUMENTS).map(move |item| (query, item)))
}

fn found(kind: CheckKind, judge: AuditedJudge, collection: &AuditedCollection) -> JudgeCheck {
    let checks = judge_checks(&[judge], collection, &AuditOptions::new(Seed(1)));
    checks.into_iter().find(|check| check.kind == kind).unwrap()
}

/// Grades with rationales of some length.
fn grading(grade: impl Fn(usize, usize) -> f64, rationale: impl Fn(usize) -> Option<usize>) -> AuditedJudge {
    let answer = |(query, item)| GradedAnswer {
        query,
        document: Item::at(item),
        grade: grade(query, item),
        asked_as: AskedAs::Vote,
        rationale: rationale(item),
    };
    AuditedJudge { judge: "mini".into(), graded: places().map(answer).collect(), ..AuditedJudge::default() }
}

/// Comparisons of the first `window` documents of each query, twice over; `ties` of all are ties.
fn comparing(window: usize, ties: usize) -> AuditedJudge {
    let answer = |at: usize, asked_as: AskedAs| {
        let mut shown: Vec<Item> =
            (0..window).map(|item| Item::at((item + at / QUERIES) % DOCUMENTS)).collect();
        if asked_as == AskedAs::Reversed {
            shown.reverse();
        }
        let first = if at < ties { shown.clone() } else { shown[..1].to_vec() };
        let groups = vec![first];
        ComparedAnswer { query: at % QUERIES, groups, shown, asked_as, rationale: None }
    };
    let votes = (0..5 * QUERIES).map(|at| answer(at, AskedAs::Vote));
    let reversed = (0..5 * QUERIES).map(|at| answer(at, AskedAs::Reversed));
    AuditedJudge {
        judge: "mini".into(),
        compared: votes.chain(reversed).collect(),
        order_randomised: true,
        ..AuditedJudge::default()
    }
}

fn documents(of: impl Fn(usize) -> ShownDocument) -> AuditedCollection {
    let documents = vec![(0..DOCUMENTS).map(of).collect(); QUERIES];
    AuditedCollection { documents, ..AuditedCollection::default() }
}

#[test]
fn a_correlation_names_both_limits_and_the_number_of_answers() {
    let falling = |_: usize, item: usize| ((9 - item) / 3) as f64;
    let none = AuditedCollection::default();
    let verbosity = found(CheckKind::Verbosity, grading(falling, |item| Some(100 + item)), &none);
    assert!(verbosity.value.unwrap() < -0.6, "{verbosity:?}");
    assert!(
        verbosity.finding.ends_with(" on 200 rationales; good judges stay between -0.60 and 0.60)."),
        "{verbosity:?}"
    );
    let longer = documents(|item| ShownDocument { characters: Some(100 + item), ..ShownDocument::default() });
    let length = found(CheckKind::Length, grading(falling, |_| None), &longer);
    assert!(length.finding.contains("; good judges stay above -0.30)"), "{length:?}");
    let anchors = places().map(|(query, item)| {
        let grade = falling(query, item);
        ShownAnchors { query, document: Item::at(item), first: grade, last: 0.0 }
    });
    let judge = AuditedJudge { anchors: anchors.collect(), ..grading(falling, |_| None) };
    let order = found(CheckKind::AnchorOrder, judge, &none);
    assert!(order.finding.contains(" on 200 grades; good judges stay between -0.10 and 0.10)"), "{order:?}");
}

#[test]
fn ties_and_lists_are_counted() {
    let none = AuditedCollection::default();
    let first = found(CheckKind::FirstSide, comparing(2, 40), &none);
    assert!(
        first.finding.contains(" of 60 comparisons (good judges: 45% to 55%). Ties left out: 40."),
        "{first:?}"
    );
    let reversed = found(CheckKind::PositionFlip, comparing(2, 40), &none);
    assert!(reversed.finding.contains(" when 60 questions were repeated"), "{reversed:?}");
    assert!(reversed.finding.ends_with(" Ties left out: 40."), "{reversed:?}");
    let rank = found(CheckKind::ChosenRank, comparing(4, 0), &none);
    assert!(rank.finding.contains(" is 0% of the way down, in 100 lists (good judges"), "{rank:?}");
}

/// Two systems, each with documents of its own: the first five and the others.
fn systems(mut collection: AuditedCollection) -> AuditedCollection {
    let system = |name: &str, items: std::ops::Range<usize>| AuditedSystem {
        name: name.to_owned(),
        family: None,
        reranked_by: None,
        rankings: vec![items.map(Item::at).collect(); QUERIES],
    };
    collection.systems = vec![system("old", 0..5), system("new", 5..10)];
    collection
}

#[test]
fn length_explains_or_hides_a_difference() {
    // Relevance by length alone: the longer documents are the first system's, but for one of each.
    let longer = |item: usize| item < 4 || item == 9;
    let characters = move |item: usize| Some(if longer(item) { 900 } else { 100 });
    let collection = systems(documents(move |item| ShownDocument {
        characters: characters(item),
        ..ShownDocument::default()
    }));
    let by_length = grading(move |_, item| f64::from(u8::from(longer(item))), |_| None);
    let explained = found(CheckKind::LengthControlled, by_length, &collection);
    assert!(
        explained.finding.starts_with("Length explains part of the difference between old and new"),
        "{explained:?}"
    );
    // By hand: (2.5616 - 0.3869) / 2.9485; at equal length all documents have the same grade.
    assert!(
        explained.finding.ends_with(" The difference in nDCG@10 is +0.74, and +0.00 at equal length."),
        "{explained:?}"
    );
    // The first system wins except where its document is the shorter one.
    let shorter = |item: usize| matches!(item, 0..3 | 9);
    let characters = move |item: usize| Some(if shorter(item) { 100 } else { 900 });
    let collection = systems(documents(move |item| ShownDocument {
        characters: characters(item),
        ..ShownDocument::default()
    }));
    let grade = move |_: usize, item: usize| match item {
        0..5 if shorter(item) => 1.0,
        0..5 => 3.0,
        9 => 0.0,
        _ => 2.0,
    };
    let hidden = found(CheckKind::LengthControlled, grading(grade, |_| None), &collection);
    assert!(
        hidden.finding.starts_with("Length hides part of the difference between old and new"),
        "{hidden:?}"
    );
}

#[test]
fn agreement_that_rises_is_no_fall() {
    let answers = |before: f64, after: f64| -> Vec<DisguisedAnswer> {
        let answer =
            |at: usize| DisguisedAnswer { query: at / 2, relevant: at.is_multiple_of(2), before, after };
        (0..2 * QUERIES).map(answer).collect()
    };
    let disguised =
        Disguised { compared: false, answers: answers(1.0, 0.5), control: Some(answers(0.5, 0.75)) };
    let judge = AuditedJudge { judge: "mini".into(), disguised: Some(disguised), ..AuditedJudge::default() };
    let memory = found(CheckKind::Contamination, judge, &AuditedCollection::default());
    assert!(memory.finding.starts_with("The judge remembers part of this collection. "), "{memory:?}");
    assert!(memory.finding.contains(" here changes from 1.00 to 0.50 (40 answers)"), "{memory:?}");
    assert!(memory.finding.contains(" on the control changes from 0.50 to 0.75 (40 answers)"), "{memory:?}");
}

#[test]
fn a_probe_names_its_change_and_is_not_rounded_to_its_limit() {
    let effect = |kind: CheckKind, change: f64| {
        let answer =
            |query: usize| ProbedAnswer { query, before: 0.5, after: 0.5 + change, again: Some(0.5) };
        let probed = ProbedAnswers { kind, compared: false, answers: (0..QUERIES).map(answer).collect() };
        let judge = AuditedJudge { judge: "mini".into(), probed: vec![probed], ..AuditedJudge::default() };
        found(kind, judge, &AuditedCollection::default()).finding
    };
    let words = effect(CheckKind::Stuffed, 0.048);
    assert!(words.contains(" by +4.8% of the scale (20 documents; good judges stay below +5)"), "{words}");
    let words = effect(CheckKind::Stuffed, 0.054);
    assert!(words.contains(" by +5.4% of the scale"), "{words}");
    let words = effect(CheckKind::Swapped, -0.5);
    assert!(
        words.starts_with("Effect of swapping the query's names and numbers: it changes grades"),
        "{words}"
    );
    let words = effect(CheckKind::Anchors, 0.0);
    assert!(words.starts_with("Effect of reordering the worked examples: it changes grades"), "{words}");
}
