//! Tests kappa of judges that compare, against human comparisons.

use llull_audit::{
    AskedAs, AuditOptions, AuditedCollection, AuditedJudge, CheckKind, CheckOutcome, ComparedAnswer,
    HumanPreference, JudgeCheck, ShownDocument, judge_checks,
};
use llull_core::{Item, Seed};

/// A judge that compares two documents of each query six times over, each time two others. It agrees with annotators
/// where `agrees` is true of the number of the pair.
fn judge(name: &str, queries: usize, agrees: impl Fn(usize) -> bool) -> AuditedJudge {
    let answer = |at: usize| {
        let (query, pair) = (at / 6, at % 6);
        let [one, other] = [2 * pair, 2 * pair + 1].map(Item::at);
        let shown = if at.is_multiple_of(2) { vec![one, other] } else { vec![other, one] };
        let (first, second) = if agrees(at) { (one, other) } else { (other, one) };
        let groups = vec![vec![first], vec![second]];
        ComparedAnswer { query, shown, groups, asked_as: AskedAs::Vote, rationale: None }
    };
    AuditedJudge {
        judge: name.to_owned(),
        compared: (0..6 * queries).map(answer).collect(),
        order_randomised: true,
        ..AuditedJudge::default()
    }
}

/// People for whom the document with the lower number is better, in so many of the pairs.
fn collection(queries: usize, compared: usize) -> AuditedCollection {
    let of = |at: usize| {
        let [better, worse] = [2 * (at % 6), 2 * (at % 6) + 1].map(Item::at);
        HumanPreference { query: at / 6, better, worse }
    };
    AuditedCollection {
        documents: vec![vec![ShownDocument::default(); 12]; queries],
        preferences: (0..compared).map(of).collect(),
        ..AuditedCollection::default()
    }
}

fn kappa(judges: &[AuditedJudge], collection: &AuditedCollection) -> JudgeCheck {
    let found = judge_checks(judges, collection, &AuditOptions::new(Seed(1)));
    found.into_iter().find(|check| check.kind == CheckKind::Kappa).unwrap()
}

#[test]
fn who_says_the_opposite_of_people_is_not_to_be_trusted() {
    let found = kappa(&[judge("j", 20, |at| at % 5 == 0)], &collection(20, 120));
    // 24 of 120 pairs alike: twice a fifth, less one.
    assert_eq!((found.n, found.chance, found.outcome), (120, Some(0.0), CheckOutcome::Failed));
    assert!((found.value.unwrap() + 0.6).abs() < 1e-12);
    assert!(found.high.unwrap() < 0.0);
    let words =
        "contradicts human comparisons of pairs in random order: kappa -0.60 within queries on 120 pairs";
    assert!(found.finding.contains(words), "{}", found.finding);
    assert!(found.finding.ends_with("(chance: 0).") && found.remedy.contains("llull agree --people"));
}

#[test]
fn a_coin_is_looked_at_and_who_agrees_is_not() {
    // Alike in every other pair: each query has as many of both.
    let coin = kappa(&[judge("j", 20, |at| at.is_multiple_of(2))], &collection(20, 120));
    assert_eq!((coin.value, coin.outcome), (Some(0.0), CheckOutcome::Warning));
    assert!(coin.finding.contains("does not reliably agree beyond chance with"), "{}", coin.finding);
    // Close pairs are hard: a judge that is a little better than chance on them passes, and would not pass against
    // grades.
    let close = |at: usize| !matches!(at % 6, 1 | 3) || at % 12 == 3;
    let close = kappa(&[judge("j", 20, close)], &collection(20, 120));
    assert_eq!(close.outcome, CheckOutcome::Passed, "{}", close.finding);
}

/// The test is corrected with all others: a judge that fails alone may pass among many.
#[test]
fn few_pairs_ring_nothing_and_give_way_to_another_judge() {
    let opposite = |name: &str| judge(name, 20, |_| false);
    let alone = kappa(&[opposite("j")], &collection(20, 29));
    assert_eq!((alone.n, alone.value, alone.outcome), (29, Some(-1.0), CheckOutcome::Passed));
    assert!(alone.finding.starts_with("Agreement with human comparisons"), "{}", alone.finding);
    assert!(alone.finding.contains("The check needs at least 30."), "{}", alone.finding);
    let beside = kappa(&[opposite("j"), opposite("k")], &collection(20, 29));
    assert_eq!((beside.n, beside.value), (120, Some(1.0)));
    assert!(beside.finding.contains("the other judge"), "{}", beside.finding);
    let enough = kappa(&[opposite("j"), opposite("k")], &collection(20, 30));
    assert_eq!((enough.n, enough.value), (30, Some(-1.0)));
    // Five queries of six pairs each: every pair counts as independent.
    let lone = kappa(&[opposite("j")], &collection(5, 30));
    assert_eq!(lone.outcome, CheckOutcome::Failed, "{}", lone.finding);
    let among: Vec<AuditedJudge> = (0..40).map(|at| opposite(&format!("j{at}"))).collect();
    let reached = judge_checks(&among[..1], &collection(20, 36), &AuditOptions::new(Seed(1)));
    let one = reached.into_iter().find(|check| check.kind == CheckKind::Kappa).unwrap();
    assert_eq!((one.n, one.outcome), (36, CheckOutcome::Failed));
    let many = judge_checks(&among, &collection(20, 36), &AuditOptions::new(Seed(1)));
    let many: Vec<&JudgeCheck> = many.iter().filter(|check| check.kind == CheckKind::Kappa).collect();
    assert!(many.iter().all(|check| check.n == 36 && check.outcome == CheckOutcome::Passed), "{:?}", many[0]);
}

#[test]
fn a_judge_that_grades_is_not_held_against_comparisons() {
    let graded = AuditedJudge {
        judge: "g".to_owned(),
        graded: vec![llull_audit::GradedAnswer {
            query: 0,
            document: Item(0),
            grade: 1.0,
            asked_as: AskedAs::Vote,
            rationale: None,
        }],
        ..AuditedJudge::default()
    };
    let found = kappa(&[graded], &collection(20, 120));
    assert_eq!((found.n, found.value), (0, None));
    assert!(found.finding.contains("no other judges and no human labels"), "{}", found.finding);
}
