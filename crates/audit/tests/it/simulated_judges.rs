//! Tests judges with known faults.

use llull_audit::{
    AskedAs, AuditOptions, AuditedCollection, AuditedJudge, CheckKind, CheckOutcome, GradedAnswer,
    JudgeCheck, ShownDocument, UnusableAnswer, judge_checks,
};
use llull_core::{Item, Seed};
use llull_rank::TournamentOptions;
use llull_rank::simulate::NoisyJudge;
use llull_testkit::comparing_judge;

const QUERIES: usize = 20;
const DOCUMENTS: usize = 20;

/// Numbers from 0 to 1 that depend only on the seed and `of`.
fn uniform(seed: u64, of: [usize; 3]) -> f64 {
    let purpose = format!("{} {} {}", of[0], of[1], of[2]);
    (Seed(seed).stream(&purpose) >> 11) as f64 / (1_u64 << 53) as f64
}

/// Documents whose length and words are independent of the worth, and whose rank depends on it a little.
fn collection(seed: u64) -> AuditedCollection {
    let document = |query: usize, item: usize| ShownDocument {
        characters: Some(100 + (900.0 * uniform(seed, [query, item, 1])) as usize),
        overlap: Some((5.0 * uniform(seed, [query, item, 2])).floor() / 5.0),
        fused_rank: Some(item + 1),
        copy_of: None,
        human_grade: None,
    };
    let documents =
        (0..QUERIES).map(|query| (0..DOCUMENTS).map(|item| document(query, item)).collect()).collect();
    AuditedCollection { documents, ..AuditedCollection::default() }
}

fn worth(seed: u64, query: usize) -> Vec<f64> {
    (0..DOCUMENTS).map(|item| uniform(seed, [query, item, 3]) + 0.02 * (DOCUMENTS - item) as f64).collect()
}

/// A comparison of documents in the order in which they are shown, for the `number`-th time of asking.
type Compare<'a> = dyn Fn(usize, &[Item], usize) -> Vec<Vec<Item>> + 'a;

/// A judge's tournaments of lists of this length.
fn comparing(seed: u64, window: usize, compare: &Compare<'_>) -> AuditedJudge {
    let options = TournamentOptions { window, top: 5, ..TournamentOptions::default() };
    comparing_judge(&[DOCUMENTS; QUERIES], &options, Seed(seed), compare).unwrap()
}

fn by(mut shown: Vec<Item>, key: impl Fn(Item) -> f64) -> Vec<Vec<Item>> {
    shown.sort_by(|a, b| key(*b).total_cmp(&key(*a)));
    shown.into_iter().map(|item| vec![item]).collect()
}

fn audit(seed: u64, judge: AuditedJudge) -> Vec<JudgeCheck> {
    judge_checks(&[judge], &collection(seed), &AuditOptions::new(Seed(seed)))
}

fn failed(checks: &[JudgeCheck]) -> Vec<CheckKind> {
    checks.iter().filter(|check| check.outcome == CheckOutcome::Failed).map(|check| check.kind).collect()
}

#[test]
fn always_the_first_is_not_to_be_trusted() {
    for seed in 0..10 {
        let first = |_: usize, shown: &[Item], _: usize| shown.iter().map(|&item| vec![item]).collect();
        let found = failed(&audit(seed, comparing(seed, 2, &first)));
        assert!(
            found.contains(&CheckKind::FirstSide) && found.contains(&CheckKind::Position),
            "{seed}: {found:?}"
        );
        let found = failed(&audit(seed, comparing(seed, 5, &first)));
        assert!(
            found.contains(&CheckKind::ChosenRank) && found.contains(&CheckKind::PositionFlip),
            "{found:?}"
        );
    }
}

/// A random judge passes the rechecks in one of forty.
#[test]
fn a_coin_is_not_to_be_trusted() {
    let mut passed = Vec::new();
    for seed in 0..20 {
        for window in [2, 5] {
            let coin = |query: usize, shown: &[Item], number: usize| {
                by(shown.to_vec(), |item| uniform(seed, [query * 31 + number, item.index(), 5]))
            };
            let found = audit(seed, comparing(seed, window, &coin));
            if failed(&found).is_empty() {
                passed.push((seed, window));
            }
        }
    }
    assert!(passed.len() <= 2, "{passed:?}");
}

#[test]
fn who_reads_the_length_or_the_words_alone_is_not_to_be_trusted() {
    for seed in 0..5 {
        let collection = collection(seed);
        for window in [2, 5] {
            let longer = |query: usize, shown: &[Item], _: usize| {
                by(shown.to_vec(), |item| {
                    collection.documents[query][item.index()].characters.unwrap() as f64
                })
            };
            let found = failed(&audit(seed, comparing(seed, window, &longer)));
            assert_eq!(found, [CheckKind::Length], "{seed}, {window}");
            let words = |query: usize, shown: &[Item], _: usize| {
                by(shown.to_vec(), |item| {
                    let overlap = collection.documents[query][item.index()].overlap.unwrap();
                    overlap + 1e-3 * uniform(seed, [query, item.index(), 6])
                })
            };
            let found = failed(&audit(seed, comparing(seed, window, &words)));
            assert_eq!(found, [CheckKind::Overlap], "{seed}, {window}");
        }
    }
}

/// The noise of the worth is 0.35 of the spread of the documents' worth: a judge with moderate errors.
#[test]
fn a_careful_judge_is_fine_in_19_of_20() {
    for window in [2, 5] {
        let mut raised = Vec::new();
        for seed in 0..20 {
            let judges: Vec<NoisyJudge> = (0..QUERIES)
                .map(|query| NoisyJudge { noise: 0.1, ..NoisyJudge::new(worth(seed, query), seed) })
                .collect();
            let careful = |query: usize, shown: &[Item], number: usize| {
                judges[query].answer(shown, number as u32).groups
            };
            let found = audit(seed, comparing(seed, window, &careful));
            raised.extend(found.into_iter().filter(JudgeCheck::is_raised).map(|check| (seed, check)));
        }
        let mut seeds: Vec<u64> = raised.iter().map(|(seed, _)| *seed).collect();
        seeds.dedup();
        assert!(seeds.len() <= 1, "lists of {window}: {raised:#?}");
    }
}

/// Grades of each document by `grade`, and 40 of them again.
fn grading(grade: impl Fn(usize, usize, usize) -> f64) -> AuditedJudge {
    let answer = |query: usize, item: usize, number: usize, asked_as: AskedAs| GradedAnswer {
        query,
        document: Item::at(item),
        grade: grade(query, item, number),
        asked_as,
        rationale: None,
    };
    let all = (0..QUERIES).flat_map(|query| (0..DOCUMENTS).map(move |item| (query, item)));
    let votes = all.clone().map(|(query, item)| answer(query, item, 0, AskedAs::Vote));
    let again =
        all.step_by(QUERIES * DOCUMENTS / 40).map(|(query, item)| answer(query, item, 1, AskedAs::Repeated));
    AuditedJudge {
        judge: "simulated".to_owned(),
        graded: votes.chain(again).collect(),
        ..AuditedJudge::default()
    }
}

#[test]
fn graders_with_known_faults_are_not_to_be_trusted() {
    for seed in 0..10 {
        let one = audit(seed, grading(|_, _, _| 2.0));
        assert_eq!(failed(&one), [CheckKind::OneGrade], "{one:#?}");
        let coin = audit(
            seed,
            grading(|query, item, number| (4.0 * uniform(seed, [query, item, 10 + number])).floor()),
        );
        assert!(failed(&coin).contains(&CheckKind::RepeatFlip), "{seed}: {coin:#?}");
        let known = collection(seed);
        let longer = audit(
            seed,
            grading(|query, item, _| {
                (known.documents[query][item].characters.unwrap() as f64 / 250.0).floor().min(3.0)
            }),
        );
        assert_eq!(failed(&longer), [CheckKind::Length], "{longer:#?}");
        let words = audit(
            seed,
            grading(|query, item, _| (known.documents[query][item].overlap.unwrap() * 4.0).floor()),
        );
        assert_eq!(failed(&words), [CheckKind::Overlap], "{words:#?}");
    }
}

#[test]
fn a_careful_grader_is_fine_in_19_of_20() {
    let mut raised = 0;
    for seed in 0..20 {
        let careful = grading(|query, item, number| {
            let noise = uniform(seed, [query, item, 20 + number]) - 0.5;
            ((worth(seed, query)[item] + 0.3 * noise) * 3.0).floor().clamp(0.0, 3.0)
        });
        let found = audit(seed, careful);
        raised += usize::from(found.iter().any(JudgeCheck::is_raised));
    }
    assert!(raised <= 1, "{raised}");
}

/// With human labels or with other judges, a random judge without repetitions is found too.
#[test]
fn a_coin_agrees_with_nobody() {
    let mut known = collection(1);
    let truth = |query: usize, item: usize| (worth(1, query)[item] * 3.0).floor().min(3.0);
    for (query, documents) in known.documents.iter_mut().enumerate() {
        for (item, document) in documents.iter_mut().enumerate() {
            document.human_grade = Some(truth(query, item));
        }
    }
    let votes = |mut judge: AuditedJudge, name: &str| {
        judge.graded.retain(|answer| answer.asked_as == AskedAs::Vote);
        AuditedJudge { judge: name.to_owned(), ..judge }
    };
    let coin = votes(grading(|query, item, _| (4.0 * uniform(7, [query, item, 30])).floor()), "coin");
    let careful = |seed: u64, name: &str| {
        let noise = move |query: usize, item: usize| 0.4 * (uniform(seed, [query, item, 31]) - 0.5);
        votes(
            grading(|query, item, _| {
                ((worth(1, query)[item] + noise(query, item)) * 3.0).floor().clamp(0.0, 3.0)
            }),
            name,
        )
    };
    let judges = [careful(1, "one"), careful(2, "two"), careful(3, "three"), coin];
    let of_coin = |checks: &[JudgeCheck]| -> Vec<(String, CheckKind)> {
        let found = checks.iter().filter(|check| check.is_raised());
        found.map(|check| (check.judge.clone(), check.kind)).collect()
    };
    let expected = [("coin".to_owned(), CheckKind::Kappa)];
    assert_eq!(of_coin(&judge_checks(&judges, &known, &AuditOptions::new(Seed(1)))), expected);
    let without_people = collection(1);
    assert_eq!(of_coin(&judge_checks(&judges, &without_people, &AuditOptions::new(Seed(1)))), expected);
    // Of two that do not agree, either may be the random one: both get a warning, neither fails.
    let pair = judge_checks(&judges[2..], &without_people, &AuditOptions::new(Seed(1)));
    let kappas = pair.iter().filter(|check| check.kind == CheckKind::Kappa);
    assert!(kappas.map(|check| check.outcome).eq([CheckOutcome::Warning; 2]), "{pair:#?}");
}

/// Of some 400 replies, 2 that cannot be read are of one query: 0.5%, which changes nothing. 40 give a warning.
#[test]
fn a_few_unusable_replies_are_no_fault_wherever_they_are() {
    let unusable = |lost: usize| {
        let mut judge = grading(|query, item, _| (worth(3, query)[item] * 3.0).floor().min(3.0));
        let lost_of = |number: usize| UnusableAnswer { query: 0, shown: vec![Item::at(number % DOCUMENTS)] };
        judge.unusable = (0..lost).map(lost_of).collect();
        audit(3, judge).into_iter().find(|check| check.kind == CheckKind::Unusable).unwrap()
    };
    assert!(!unusable(2).is_raised(), "{:#?}", unusable(2));
    assert!(unusable(40).is_raised(), "{:#?}", unusable(40));
}

/// The share and its n are of the same grades: those of documents that people graded, too.
#[test]
fn the_middle_of_the_scale_counts_the_grades_that_it_compares() {
    let mut known = collection(1);
    known.grades = vec![0.0, 1.0, 2.0, 3.0];
    for documents in &mut known.documents {
        for document in documents.iter_mut().skip(DOCUMENTS / 2) {
            document.human_grade = Some(3.0);
        }
    }
    // in the middle of the scale for all documents without a human label, at its end for all others
    let judge = grading(|_, item, _| if item < DOCUMENTS / 2 { 1.0 } else { 3.0 });
    let found = judge_checks(&[judge], &known, &AuditOptions::new(Seed(1)));
    let middle = found.iter().find(|check| check.kind == CheckKind::MiddleOfScale).unwrap();
    assert_eq!((middle.n, middle.value), (QUERIES * DOCUMENTS / 2, Some(0.0)), "{middle:#?}");
}

/// Without human labels, the words that relevant documents share with the query show a judge that does not read: from
/// 50 documents a query on, since those of a small pool share them all.
#[test]
fn grades_that_follow_no_shared_words_are_weak_in_large_pools() {
    let outcome = |documents: usize, grade: &dyn Fn(usize, usize) -> f64| {
        let overlap = |query: usize, item: usize| uniform(5, [query, item, 2]);
        let shown = |query: usize, item: usize| ShownDocument {
            overlap: Some(overlap(query, item)),
            ..ShownDocument::default()
        };
        let collection = AuditedCollection {
            documents: (0..QUERIES)
                .map(|query| (0..documents).map(|item| shown(query, item)).collect())
                .collect(),
            ..AuditedCollection::default()
        };
        let answer = |query: usize, item: usize| GradedAnswer {
            query,
            document: Item::at(item),
            grade: grade(query, item),
            asked_as: AskedAs::Vote,
            rationale: None,
        };
        let graded = (0..QUERIES).flat_map(|query| (0..documents).map(move |item| (query, item)));
        let judge = AuditedJudge {
            judge: "simulated".to_owned(),
            graded: graded.map(|(query, item)| answer(query, item)).collect(),
            ..AuditedJudge::default()
        };
        let checks = judge_checks(&[judge], &collection, &AuditOptions::new(Seed(5)));
        checks.into_iter().find(|check| check.kind == CheckKind::Overlap).map(|check| check.outcome)
    };
    // A third of the grade's spread is that of the words.
    let reads = |query: usize, item: usize| {
        (uniform(5, [query, item, 2]) + 2.0 * uniform(5, [query, item, 3])).floor()
    };
    let opposite = |query: usize, item: usize| {
        (2.0 - 0.5 * uniform(5, [query, item, 2]) + 2.0 * uniform(5, [query, item, 3])).floor()
    };
    let by_query = |query: usize, _: usize| (query % 3) as f64;
    assert_eq!(outcome(60, &reads), Some(CheckOutcome::Passed));
    for (documents, expected) in [(60, CheckOutcome::Weak), (40, CheckOutcome::Passed)] {
        assert_eq!(outcome(documents, &opposite), Some(expected), "{documents}");
    }
    assert_eq!(outcome(60, &by_query), Some(CheckOutcome::Weak));
    assert_eq!(outcome(40, &by_query), None);
}
