//! Tests the checks on published judges: decent ones pass, bad ones fail.

use std::collections::BTreeMap;

use llull::audit::{
    AuditOptions, AuditedCollection, AuditedJudge, CheckKind, CheckOutcome, GradedAnswer, JudgeCheck,
    judge_checks,
};
use llull::core::{Grade, Item, Scale, Seed};
use llull_conformance::audited::{self, Audited};
use llull_conformance::data;
use llull_testkit::JudgeFault;

fn audit(audited: &Audited) -> Vec<JudgeCheck> {
    judge_checks(&audited.judges, &audited.collection, &AuditOptions::new(Seed(1)))
}

/// Returns the least and the largest value of a kind.
fn range(checks: &[JudgeCheck], kind: CheckKind) -> (f64, f64) {
    let values = checks.iter().filter(|check| check.kind == kind).filter_map(|check| check.value);
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

fn raised(checks: &[JudgeCheck]) -> Vec<String> {
    let rings = checks.iter().filter(|check| check.is_raised());
    rings.map(|check| format!("{} {}: {}", check.judge, check.kind.name(), check.outcome.words())).collect()
}

fn of<'a>(checks: &'a [JudgeCheck], judge: &str, kind: CheckKind) -> &'a JudgeCheck {
    checks.iter().find(|check| check.judge == judge && check.kind == kind).unwrap()
}

fn within(got: (f64, f64), expected: (f64, f64)) -> bool {
    (got.0 - expected.0).abs() < 0.0051 && (got.1 - expected.1).abs() < 0.0051
}

fn without_people(mut audited: Audited) -> Audited {
    audited.collection.documents.iter_mut().flatten().for_each(|document| document.human_grade = None);
    audited
}

/// LLMJudge's 20 judges graded 4,423 passages each, and none is useless: all checks pass, with human labels or
/// without. The most frequent grade is at most 0.76 of a judge's grades, the raw correlation with the query's words
/// within queries is 0.17 to 0.35.
#[test]
fn the_judges_of_llmjudge_are_fine() {
    let judges = audited::llmjudge();
    let found = audit(&judges);
    assert_eq!(raised(&found), [""; 0]);
    assert!(within(range(&found, CheckKind::OneGrade), (0.43, 0.76)));
    assert!(
        within(range(&found, CheckKind::Length), (-0.17, -0.03)),
        "{:?}",
        range(&found, CheckKind::Length)
    );
    assert!(
        within(range(&found, CheckKind::Overlap), (0.11, 0.28)),
        "{:?}",
        range(&found, CheckKind::Overlap)
    );
    let alone = without_people(judges);
    assert_eq!(raised(&audit(&alone)), [""; 0]);
    let raw: Vec<JudgeCheck> = alone
        .judges
        .iter()
        .flat_map(|judge| {
            judge_checks(std::slice::from_ref(judge), &alone.collection, &AuditOptions::new(Seed(1)))
        })
        .collect();
    assert_eq!(raised(&raw), [""; 0]);
    assert!(within(range(&raw, CheckKind::Overlap), (0.17, 0.35)), "{:?}", range(&raw, CheckKind::Overlap));
}

/// LLMJudge's 20 judges make the same errors: by these they count like 2.45 independent ones (trust_notes, section 8).
/// All of them use the grades between the ends of the scale about as often as annotators do.
#[test]
fn a_panel_of_20_is_worth_few() {
    let found = audit(&audited::llmjudge());
    let panel = of(&found, "panel of 20", CheckKind::IndependentVotes);
    assert!(panel.value.is_some_and(|worth| (worth - 2.45).abs() < 0.01), "{panel:?}");
    assert!(panel.finding.contains("below a third") && panel.outcome == CheckOutcome::Passed, "{panel:?}");
    let beside = |check: &JudgeCheck| -> Option<f64> {
        let words: Vec<&str> = check.finding.split_whitespace().collect();
        let at = words.iter().position(|word| *word == "points")?;
        words.get(at.checked_sub(1)?)?.parse().ok()
    };
    let middles = found.iter().filter(|check| check.kind == CheckKind::MiddleOfScale);
    let points: Vec<f64> = middles.filter_map(beside).collect();
    let most = points.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert!(points.len() == 20 && most < 40.0, "{points:?}");
}

/// Among those 20, judges with known faults on the same passages.
#[test]
fn faulty_judges_among_them_are_not() {
    let mut judges = audited::llmjudge();
    let template = judges.judges.first().unwrap().clone();
    let known = judges.collection.documents.clone();
    let mut add = |name: &str, grade: &dyn Fn(usize, Item) -> f64| {
        let mut graded = template.graded.clone();
        graded.iter_mut().for_each(|answer| answer.grade = grade(answer.query, answer.document));
        judges.judges.push(AuditedJudge { judge: name.to_owned(), graded, ..AuditedJudge::default() });
    };
    let shown = |query: usize, item: Item| {
        known.get(query).and_then(|documents| documents.get(item.index())).unwrap()
    };
    add("one grade", &|_, _| 2.0);
    add("coin", &|query, item| (Seed(3).stream(&format!("{query} {}", item.0)) % 4) as f64);
    add("length", &|query, item| (shown(query, item).characters.unwrap() as f64 / 200.0).floor().min(3.0));
    add("words", &|query, item| (3.99 * shown(query, item).overlap.unwrap()).floor());
    let found = audit(&judges);
    let expected = [
        ("one grade", CheckKind::OneGrade),
        ("coin", CheckKind::Kappa),
        ("length", CheckKind::Length),
        ("words", CheckKind::Overlap),
    ];
    for (judge, kind) in expected {
        let check = of(&found, judge, kind);
        assert_eq!(check.outcome, CheckOutcome::Failed, "{check:?}");
    }
    let accused =
        found.iter().filter(|check| check.is_raised() && !expected.iter().any(|one| one.0 == check.judge));
    assert_eq!(accused.count(), 0, "{:?}", raised(&found));
}

/// TREC DL 2019's 13 label sets: yes and no, grades, exam answers, nuggets and preferences, all useful (their order of
/// systems has a tau of .87 to .94 with the human one). All checks pass, that of the fused rank of the 37 runs
/// included.
#[test]
fn the_judges_of_dl19_are_fine() {
    let judges = audited::dl19();
    let found = audit(&judges);
    assert_eq!(raised(&found), [""; 0]);
    let ranks = range(&found, CheckKind::FusedRank);
    assert!(ranks.0 > 0.0 && ranks.1 < 0.35, "{ranks:?}");
}

/// Human labels of dl19 with one grade more for the documents of one system reverse 26 of its 46 verdicts (issue 31).
/// The check finds each of the 37 systems, and accuses none of the 13 published judges of favour.
#[test]
fn a_judge_that_favours_a_system_is_found() {
    let mut known = audited::dl19();
    audited::add_dl19_systems(&mut known);
    let favour = |checks: &[JudgeCheck]| -> Vec<JudgeCheck> {
        checks.iter().filter(|check| check.kind == CheckKind::FavouredSystem).cloned().collect()
    };
    let published = favour(&audit(&known));
    assert_eq!(published.len(), 13);
    assert_eq!(raised(&published), [""; 0], "{published:#?}");
    let template = known.judges.first().unwrap().clone();
    let grades = &known.collection.documents;
    let mut named = 0;
    for system in &known.collection.systems {
        let graded = template.graded.iter().map(|answer| {
            let (query, item) = (answer.query, answer.document);
            let human = grades.get(query).and_then(|of| of.get(item.index())).and_then(|one| one.human_grade);
            let first = system.rankings.get(query).unwrap().iter().take(10).any(|one| *one == item);
            let grade = (human.unwrap() + f64::from(u8::from(first))).min(3.0);
            GradedAnswer { grade, ..answer.clone() }
        });
        let judge =
            AuditedJudge { judge: "favours".into(), graded: graded.collect(), ..AuditedJudge::default() };
        let checks = judge_checks(&[judge], &known.collection, &AuditOptions::new(Seed(1)));
        let found = favour(&checks);
        let [found] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(found.outcome, CheckOutcome::Failed, "{found:?}");
        named += usize::from(found.finding.starts_with(&format!("The judge favours {}.", system.name)));
    }
    // Where two systems return nearly the same documents, the other may be named.
    assert!(named >= 35, "{named}");
}

/// The shares of docs/caught-and-missed.md: GPT-4o (UMBRELA) with one grade more for one system's first ten documents,
/// for each of the 37 systems among all, and against those 1, 5, 11 and 18 places on, one at a time.
#[test]
fn how_often_favour_by_a_judge_that_errs_is_found() {
    let mut known = audited::dl19();
    audited::add_dl19_systems(&mut known);
    let gpt = known.judges.iter().find(|judge| judge.judge == "umbrela.gpt-4o").unwrap().clone();
    let systems = known.collection.systems.clone();
    let found = |favoured: usize, collection: &AuditedCollection| {
        let graded = gpt.graded.iter().map(|answer| {
            let first =
                systems[favoured].rankings[answer.query].iter().take(10).any(|one| *one == answer.document);
            GradedAnswer { grade: (answer.grade + f64::from(u8::from(first))).min(3.0), ..answer.clone() }
        });
        let judge =
            AuditedJudge { judge: "favours".into(), graded: graded.collect(), ..AuditedJudge::default() };
        let checks = judge_checks(&[judge], collection, &AuditOptions::new(Seed(1)));
        of(&checks, "favours", CheckKind::FavouredSystem).is_raised()
    };
    let among_all = (0..systems.len()).filter(|at| found(*at, &known.collection)).count();
    let of_two = |step: usize, at: usize| {
        let two = vec![systems[at].clone(), systems[(at + step) % systems.len()].clone()];
        found(at, &AuditedCollection { systems: two, baseline: Some(1), ..known.collection.clone() })
    };
    let of_two = [1, 5, 11, 18].map(|step| (0..systems.len()).filter(|at| of_two(step, *at)).count());
    assert_eq!((systems.len(), among_all, of_two), (37, 8, [16, 22, 19, 26]));
}

/// Of two systems, as in most studies, none of the 13 published judges favours one against the other; human labels
/// with one grade more for what the baseline returned do.
#[test]
fn a_judge_that_favours_a_comparison_is_found() {
    let mut known = audited::dl19();
    audited::add_dl19_systems(&mut known);
    let favour = |judges: &[AuditedJudge], known: &Audited| -> Vec<JudgeCheck> {
        let checks = judge_checks(judges, &known.collection, &AuditOptions::new(Seed(1)));
        checks.into_iter().filter(|check| check.kind == CheckKind::FavouredSystem).collect()
    };
    let template = known.judges.first().unwrap().clone();
    let judges = std::mem::take(&mut known.judges);
    let systems = known.collection.systems.clone();
    for two in systems.windows(2).take(2) {
        let baseline = &two[0];
        known.collection.systems = two.to_vec();
        known.collection.baseline = Some(0);
        let published = favour(&judges, &known);
        assert_eq!(raised(&published), [""; 0], "{published:#?}");
        let graded = template.graded.iter().map(|answer| {
            let (query, item) = (answer.query, answer.document);
            let human = known.collection.documents[query][item.index()].human_grade.unwrap();
            let first = baseline.rankings[query].iter().take(10).any(|one| *one == item);
            GradedAnswer { grade: (human + f64::from(u8::from(first))).min(3.0), ..answer.clone() }
        });
        let judge =
            AuditedJudge { judge: "favours".into(), graded: graded.collect(), ..AuditedJudge::default() };
        let found = favour(&[judge], &known);
        let expected = format!("The judge favours {} against {}. ", baseline.name, two[1].name);
        assert_eq!(found[0].outcome, CheckOutcome::Failed, "{found:?}");
        assert!(found[0].finding.starts_with(&expected), "{found:?}");
    }
}

/// Human labels one grade too high or too low everywhere keep the order, and a judge that answers at random does not;
/// without human labels, the ranks of the systems and shared words show the latter. Kappa accused the former.
#[test]
fn a_lenient_judge_passes_and_a_coin_does_not() {
    let mut known = audited::dl19();
    let template = known.judges.first().unwrap().clone();
    let documents = known.collection.documents.clone();
    let graded = |name: &str, fault: JudgeFault| {
        let mut graded = template.graded.clone();
        for answer in &mut graded {
            let human = documents[answer.query][answer.document.index()].human_grade.unwrap();
            let place = (answer.query.to_string(), answer.document.0.to_string());
            let grade = fault.grade(Scale::default(), Seed(3), (&place.0, &place.1), human as Grade);
            answer.grade = f64::from(grade);
        }
        AuditedJudge { judge: name.to_owned(), graded, ..AuditedJudge::default() }
    };
    let judges = [
        graded("lenient", JudgeFault::Lenient(1)),
        graded("strict", JudgeFault::Lenient(-1)),
        graded("random", JudgeFault::Guesses(1.0)),
        graded("of the query alone", JudgeFault::OfQueryAlone),
    ];
    let kappa: Vec<CheckOutcome> = judges
        .iter()
        .map(|judge| {
            let checks =
                judge_checks(std::slice::from_ref(judge), &known.collection, &AuditOptions::new(Seed(1)));
            of(&checks, &judge.judge, CheckKind::Kappa).outcome
        })
        .collect();
    use CheckOutcome::{Failed, Passed, Warning, Weak};
    assert_eq!(kappa, [Passed, Passed, Failed, Warning]);
    known = without_people(known);
    let alone = |judge: &AuditedJudge| {
        let checks =
            judge_checks(std::slice::from_ref(judge), &known.collection, &AuditOptions::new(Seed(1)));
        [CheckKind::FusedRank, CheckKind::Overlap].map(|kind| of(&checks, &judge.judge, kind).outcome)
    };
    assert_eq!(judges.each_ref().map(alone), [[Passed; 2], [Passed; 2], [Weak; 2], [Weak; 2]]);
    for judge in &known.judges {
        assert_eq!(alone(judge), [Passed; 2], "{}", judge.judge);
    }
}

/// Labels of which half are drawn by lot: without human labels or a second judge near copies show it, on both
/// collections, and with yes and no. None of the 33 published judges is weak. The least, Llama 3.2 on TREC DL 2019, has
/// .37, and a lower rank correlation with human labels than these with half guesses (.30 and .42).
#[test]
fn a_judge_that_guesses_half_of_its_grades_is_weak_without_labels() {
    let (mut caught, mut guessing) = (0, 0);
    for mut known in [audited::dl19(), audited::llmjudge()] {
        let documents = known.collection.documents.clone();
        let published = std::mem::take(&mut known.judges);
        known = without_people(known);
        let outcome = |judge: &AuditedJudge| {
            let checks =
                judge_checks(std::slice::from_ref(judge), &known.collection, &AuditOptions::new(Seed(1)));
            let check = of(&checks, &judge.judge, CheckKind::NearCopies);
            (check.outcome, check.value.unwrap())
        };
        let half = |judge: &AuditedJudge, seed: u64| {
            // Guesses are grades that the judge uses: some answer yes or no, some with points.
            let mut scale: Vec<f64> = judge.graded.iter().map(|answer| answer.grade).collect();
            scale.sort_by(f64::total_cmp);
            scale.dedup();
            let last = (scale.len() - 1).min(100);
            let levels = Scale::new(0, last as Grade).unwrap();
            let mut graded = judge.graded.clone();
            for answer in &mut graded {
                let place = (answer.query.to_string(), answer.document.0.to_string());
                // Below the scale: what is no guess stays.
                let level = JudgeFault::Guesses(0.5).grade(levels, Seed(seed), (&place.0, &place.1), -1);
                if let Ok(level) = usize::try_from(level) {
                    answer.grade = scale[level * (scale.len() - 1) / last];
                }
            }
            AuditedJudge { graded, ..judge.clone() }
        };
        let human = |answer: &GradedAnswer| {
            let grade = documents[answer.query][answer.document.index()].human_grade.unwrap();
            GradedAnswer { grade, ..answer.clone() }
        };
        let first = &published[0];
        let human = AuditedJudge { graded: first.graded.iter().map(human).collect(), ..first.clone() };
        assert_eq!(outcome(&human).0, CheckOutcome::Passed);
        for judge in published.iter().chain([&human]) {
            let (whole, value) = outcome(judge);
            let least = if judge.judge == "umbrela.llama3.2" { 0.36 } else { 0.5 };
            assert!(whole == CheckOutcome::Passed && value > least, "{} {value}", judge.judge);
            for seed in 0..3 {
                let (half, value) = outcome(&half(judge, seed));
                assert!(value < 0.35, "{} {value}", judge.judge);
                guessing += 1;
                caught += usize::from(half == CheckOutcome::Weak);
            }
        }
    }
    assert!(100 * caught >= 95 * guessing, "{caught} of {guessing}");
}

/// GPT-4o on dl19 and annotators on CAsT 2019: 3% and 12% of the triangles are cycles (763 of 24,261 and 2,340 of
/// 19,970 where tied pairs count as judged). Both are far from a quarter, the share by chance, and both pass.
#[test]
fn cycles_of_gpt4o_and_of_people() {
    let mut gpt = Audited::default();
    let mut compared = Vec::new();
    for path in audited::files("preferences/gpt4o-dl19") {
        for line in audited::text(path).lines() {
            let [query, winner, loser] = line.split_whitespace().collect::<Vec<_>>().try_into().unwrap();
            let (at, winner) = gpt.place(query, winner);
            let (_, loser) = gpt.place(query, loser);
            // The file has no order in which they were shown.
            compared.push(audited::pair(at, [winner.min(loser), winner.max(loser)], Some(winner)));
        }
    }
    gpt.judges.push(AuditedJudge { judge: "gpt-4o".to_owned(), compared, ..AuditedJudge::default() });
    gpt.add_annotators(audited::qrels(data("dl19/human.qrels")));
    audited::add_dl19(&mut gpt);
    let found = audit(&gpt);
    let cycles = of(&found, "gpt-4o", CheckKind::Cycles);
    assert_eq!((cycles.value.unwrap() * 100.0).round(), 3.0, "{cycles:?}");
    assert!(cycles.outcome == CheckOutcome::Passed && cycles.chance.unwrap() > 0.2, "{cycles:?}");
    assert_eq!(raised(&found), [""; 0]);

    let mut people = Audited::default();
    let mut compared = Vec::new();
    for line in audited::text(data("preferences/human-cast19/TREC-CAsT-2019.pref.gz")).lines() {
        let [query, left, right, winner] = line.split_whitespace().collect::<Vec<_>>().try_into().unwrap();
        let (at, left) = people.place(query, left);
        let (_, right) = people.place(query, right);
        let (_, winner) = people.place(query, winner);
        compared.push(audited::pair(at, [left, right], Some(winner)));
    }
    people.judges.push(AuditedJudge { judge: "people".to_owned(), compared, ..AuditedJudge::default() });
    let found = audit(&people);
    let cycles = of(&found, "people", CheckKind::Cycles);
    assert_eq!((cycles.value.unwrap() * 100.0).round(), 12.0, "{cycles:?}");
    // Several annotators answered one pair: they differ, which looks like one judge with changing answers.
    assert_eq!(raised(&found), ["people repeat_flip: warning"]);
}

/// 78 judges (26 prompts of three models) of 1,544 pairs of passages in both orders: whether they agree with the human
/// order (A), do not (D), or changed with the order (T).
#[test]
fn flips_of_78_judges() {
    let judges = prompt_sensitivity();
    let found = audit(&judges);
    let flips: Vec<f64> = judges
        .judges
        .iter()
        .map(|judge| of(&found, &judge.judge, CheckKind::PositionFlip).value.unwrap())
        .collect();
    // Right in both orders, of all pairs; where every answer changed there is nothing to agree with.
    let right: Vec<f64> = judges
        .judges
        .iter()
        .zip(&flips)
        .map(|(judge, flips)| {
            let kappa = of(&found, &judge.judge, CheckKind::Kappa).value.unwrap_or(-1.0);
            (1.0 + kappa) / 2.0 * (1.0 - flips)
        })
        .collect();
    let r = llull::stats::pearson(&flips.iter().copied().zip(right).collect::<Vec<_>>()).unwrap();
    assert!((r + 0.997).abs() < 0.0005, "{r}");
    let count = |outcome: CheckOutcome| {
        let flips = found.iter().filter(|check| check.kind == CheckKind::PositionFlip);
        flips.filter(|check| check.outcome == outcome).count()
    };
    // 23 change far more than by chance: the order decides their answers. The other 55 agree with human labels where
    // they are consistent, so that a flip rate of 40% to 60% gives a warning at most.
    assert_eq!(
        (count(CheckOutcome::Failed), count(CheckOutcome::Warning) + count(CheckOutcome::Passed)),
        (23, 55)
    );
    for check in found.iter().filter(|check| check.kind == CheckKind::PositionFlip) {
        let share = check.value.unwrap();
        let expected = match share {
            ..0.2 => CheckOutcome::Passed,
            0.2..0.25 => continue,
            0.25..0.6 => CheckOutcome::Warning,
            _ => CheckOutcome::Failed,
        };
        assert_eq!(check.outcome, expected, "{check:?}");
    }
    // No judge whose answers hold in both orders fails another check.
    for check in found.iter().filter(|check| check.is_raised() && check.kind == CheckKind::Kappa) {
        let flips = of(&found, &check.judge, CheckKind::PositionFlip).value.unwrap();
        assert!(flips > 0.7, "{check:?}");
    }
}

fn prompt_sensitivity() -> Audited {
    let mut audited = Audited::default();
    let text = audited::text(data("prompt-sensitivity/pairwise_dl20.matrix.tsv.gz"));
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').skip(4).collect();
    let mut judges: BTreeMap<&str, AuditedJudge> = BTreeMap::new();
    for (number, line) in lines.enumerate() {
        let cells: Vec<&str> = line.split('\t').collect();
        let [query, _, better, worse, answers @ ..] = cells.as_slice() else { panic!("{line}") };
        // Each pair is a query of its own for the human order: passages occur in several pairs.
        let query = format!("{query} {number}");
        audited.document(&query, better).human_grade = Some(1.0);
        audited.document(&query, worse).human_grade = Some(0.0);
        let (at, better) = audited.place(&query, better);
        let (_, worse) = audited.place(&query, worse);
        for (name, answer) in names.iter().zip(answers) {
            // Which side a changed answer took is not published: the first one, in every second pair.
            let side = if number % 2 == 0 { [better, worse] } else { [worse, better] };
            let winners = match *answer {
                "A" => [better, better],
                "D" => [worse, worse],
                "T" => side,
                _ => continue,
            };
            let judge = judges.entry(name).or_default();
            judge.compared.push(audited::pair(at, [better, worse], Some(winners[0])));
            judge.compared.push(audited::pair(at, [worse, better], Some(winners[1])));
        }
    }
    audited.judges =
        judges.into_iter().map(|(name, judge)| AuditedJudge { judge: name.to_owned(), ..judge }).collect();
    audited
}
