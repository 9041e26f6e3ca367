//! People as judges of expected answers.

use std::collections::BTreeMap;
use std::path::Path;

use llull::core::Seed;
use llull::expected_answers::{AnswerJudge, AnswerJudgeError, AnswerJudgment, AnswerQuestion, Because};
use llull::review::{
    AnnotatorAnswer, Answered, ReviewAnswer, ReviewDesk, ReviewMark, ReviewOptions, ReviewQueue,
};
use llull::stats::BootstrapOptions;
use llull::{
    AnnotatorAgreement, AnswerStudyOptions, SettledContexts, Study, annotator_agreement, answer_study,
    asked_judgments, computed_answers, expected_texts, settled_contexts,
};

/// Says yes where a text has this letter.
struct Letter(&'static str);

impl AnswerJudge for Letter {
    fn name(&self) -> &str {
        self.0
    }

    fn judge(&self, questions: &[AnswerQuestion<'_>]) -> Result<Vec<Vec<AnswerJudgment>>, AnswerJudgeError> {
        let judgment = |text: &&str| AnswerJudgment::Judged {
            matches: text.contains(self.0),
            because: Because::Said("by its letter".into()),
        };
        let of = |question: &AnswerQuestion<'_>| {
            let texts = question.texts.iter();
            texts.flat_map(|text| question.expected.iter().map(move |_| judgment(text))).collect()
        };
        Ok(questions.iter().map(of).collect())
    }
}

/// Two answers and two texts: `a b` and `b`.
fn questions() -> Vec<AnswerQuestion<'static>> {
    vec![AnswerQuestion { query: "which", expected: vec!["one", "two"], texts: vec!["a b", "b"] }]
}

/// A study of these questions, judged by the letters a and b, and by these people.
fn study(questions: &[AnswerQuestion<'_>], ledger: &Path, people: &[&str]) -> Study {
    let judges = ["a", "b"].map(|letter| computed_answers(&Letter(letter), questions, None).unwrap());
    let of = |people: &[&str]| {
        let people = people.iter().map(|annotator| (*annotator).to_owned()).collect();
        let options = AnswerStudyOptions { ledger: Some(ledger.to_owned()), people, ..Default::default() };
        answer_study(questions, judges.to_vec(), options)
    };
    let asked = of(&[]).unwrap().unwrap();
    asked.judge(&asked.inputs().unwrap()).run().unwrap();
    of(people).unwrap().unwrap()
}

fn desk(questions: &[AnswerQuestion<'_>], ledger: &Path, queue: ReviewQueue) -> ReviewDesk {
    let study = study(questions, ledger, &[]);
    let inputs = study.inputs().unwrap();
    let evidence = study.evidence(&inputs).unwrap();
    let expected = Some(expected_texts(questions));
    ReviewDesk::of_study(&study, &inputs, &evidence, &ReviewOptions { queue, expected, ..Default::default() })
        .unwrap()
}

/// Answers the pair of this expected answer and text.
fn say(desk: &mut ReviewDesk, annotator: &str, (expected, text): (&str, &str), grade: i32) -> Answered {
    let at = place(desk, expected, text);
    let item = desk.item(at).unwrap().id.to_owned();
    let times = desk.times(at, annotator);
    desk.answer(&ReviewAnswer {
        annotator: annotator.into(),
        item,
        verdict: AnnotatorAnswer::Grade(grade),
        note: String::new(),
        times,
    })
    .unwrap()
}

fn place(desk: &ReviewDesk, expected: &str, text: &str) -> usize {
    let found = (0..desk.len()).find(|at| {
        let item = desk.item(*at).unwrap();
        assert_eq!(item.question, "which", "the query alone");
        (item.expected, item.text) == (Some(expected), text)
    });
    found.unwrap()
}

/// What a person is held to say of each context.
fn said(questions: &[AnswerQuestion<'_>], ledger: &Path, annotator: &str) -> Vec<Option<bool>> {
    let study = study(questions, ledger, &[annotator]);
    let inputs = study.inputs().unwrap();
    let mut evidence = study.evidence(&inputs).unwrap();
    let only = evidence.judges.judges().last().unwrap();
    assert_eq!(only.name(), format!("person/{annotator}"));
    let grades: Vec<Option<i32>> = only.tasks().map(|status| status.grade()).collect();
    let cases = evidence.pooled.cases().zip(grades);
    let pairs: Vec<(String, String, [Option<i32>; 1])> =
        cases.map(|(case, grade)| (case.topic.id.clone(), case.document_id().to_owned(), [grade])).collect();
    evidence.labels = llull::label::labels_by(
        llull::label::median,
        pairs.iter().map(|(topic, document, grade)| (topic.as_str(), document.as_str(), *grade)),
    );
    let judged = asked_judgments(questions, &evidence, &inputs.rubric, &SettledContexts::default());
    judged.iter().flatten().map(AnswerJudgment::matches).collect()
}

fn agreement(questions: &[AnswerQuestion<'_>], ledger: &Path) -> Option<AnnotatorAgreement> {
    let study = study(questions, ledger, &[]);
    let inputs = study.inputs().unwrap();
    let evidence = study.evidence(&inputs).unwrap();
    let bootstrap = BootstrapOptions::new(Seed(1));
    annotator_agreement(questions, &study, &evidence, &inputs.rubric, bootstrap).unwrap()
}

#[test]
fn a_person_counts_by_what_was_said_last() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("answers.sqlite");
    let mut random = desk(&questions(), &ledger, ReviewQueue::Random);
    assert_eq!(random.len(), 4, "each answer with each text");
    assert_eq!(agreement(&questions(), &ledger), None, "nobody has answered");
    assert_eq!(say(&mut random, "anna", ("one", "a b"), 1), Answered::New);
    assert_eq!(say(&mut random, "anna", ("one", "b"), 1), Answered::New);
    assert_eq!(say(&mut random, "anna", ("two", "b"), 1), Answered::New);
    assert_eq!(say(&mut random, "anna", ("two", "b"), 0), Answered::Corrected);
    let at = place(&random, "one", "b");
    let (item, times) = (random.item(at).unwrap().id.to_owned(), random.times(at, "anna"));
    random.undo("anna", &item, times).unwrap();
    let expected = vec![Some(true), None, None, Some(false)];
    assert_eq!(said(&questions(), &ledger, "anna"), expected, "one: a b, two: a b, one: b, two: b");
    // Where the same texts come in another order, beside others, the answers are found.
    let mut other = questions();
    other[0].texts.insert(0, "another");
    other[0].expected.insert(0, "zero");
    other.insert(0, AnswerQuestion { query: "who", expected: vec!["one"], texts: vec!["b", "a b"] });
    let found = said(&other, &ledger, "anna");
    let of = |answers: [(usize, bool); 2]| {
        let answers = BTreeMap::from(answers);
        (0..found.len()).map(|at| answers.get(&at).copied()).collect::<Vec<_>>()
    };
    // Two contexts of the other query; then each text with zero, one and two.
    assert_eq!(found, of([(2 + 3 + 1, true), (2 + 6 + 2, false)]));
    assert_eq!(said(&questions(), &ledger, "anna"), expected, "reading changes nothing");
}

/// Marks are beside the ledger, and another desk of the same ledger sees them.
#[test]
fn what_was_set_aside_is_beside_the_ledger() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("answers.sqlite");
    let mut random = desk(&questions(), &ledger, ReviewQueue::Random);
    let item = random.item(0).unwrap().id.to_owned();
    random.mark("anna", &item, ReviewMark::CannotTell).unwrap();
    assert!(folder.path().join("answers.sqlite.review-marks.jsonl").is_file());
    let other = desk(&questions(), &ledger, ReviewQueue::Random);
    assert_eq!((other.tally("anna").cannot_tell, other.tally("anna").open), (1, 3));
    assert_eq!(other.tally("ben").open, 4);
}

/// The letter a is right about one of two texts, b says yes to everything.
#[test]
fn judges_are_compared_with_people_on_what_chance_drew() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("answers.sqlite");
    let mut random = desk(&questions(), &ledger, ReviewQueue::Random);
    for (context, grade) in [(("one", "a b"), 1), (("one", "b"), 0), (("two", "b"), 1)] {
        say(&mut random, "anna", context, grade);
    }
    // ben is divided with anna on one: the median of two is the lower.
    say(&mut random, "ben", ("two", "b"), 0);
    let found = agreement(&questions(), &ledger).unwrap();
    assert_eq!((found.contexts, found.chosen), (3, 0));
    let people: Vec<(&str, usize)> =
        found.people.iter().map(|annotator| (annotator.annotator.as_str(), annotator.contexts)).collect();
    assert_eq!(people, [("anna", 3), ("ben", 1)]);
    let of = |at: usize| {
        let judge = &found.judges[at];
        (judge.judge.as_str(), judge.n, judge.same, judge.missed, judge.added)
    };
    assert_eq!(of(0), ("a", 3, Some(1.0), 0, 0));
    assert_eq!(of(1), ("b", 3, Some(1.0 / 3.0), 0, 2));
    assert_eq!((found.judges[0].kappa, found.judges[1].kappa), (Some(1.0), Some(0.0)));
    assert_eq!(found.judges[0].kappa_ci, None, "all are contexts of one query");
    // a and b disagree on `b`, and who sees it for that is no sample.
    let mut chosen = desk(&questions(), &ledger, ReviewQueue::Disagreement);
    assert_eq!(chosen.len(), 2);
    say(&mut chosen, "cleo", ("one", "b"), 1);
    assert_eq!(agreement(&questions(), &ledger).unwrap(), found);
    assert_eq!(
        said(&questions(), &ledger, "cleo"),
        [None, None, Some(true), None],
        "and it counts as cleo's"
    );
}

/// What an adjudicator says of a context on which people disagree counts where people are joined, and only there.
#[test]
fn who_settles_a_context_decides_it() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("answers.sqlite");
    let open = || {
        let study = study(&questions(), &ledger, &[]);
        let inputs = study.inputs().unwrap();
        let evidence = study.evidence(&inputs).unwrap();
        let queue = ReviewQueue::Adjudicate("carla".into());
        let expected = Some(expected_texts(&questions()));
        let options = ReviewOptions { queue, expected, ..Default::default() };
        ReviewDesk::of_study(&study, &inputs, &evidence, &options).map_err(|error| error.to_string())
    };
    let joined = |people: &[&str]| -> Vec<Option<bool>> {
        let people = people.iter().map(|annotator| (*annotator).to_owned()).collect();
        let options = AnswerStudyOptions { ledger: Some(ledger.clone()), people, ..Default::default() };
        let study = answer_study(&questions(), Vec::new(), options).unwrap().unwrap();
        let inputs = study.inputs().unwrap();
        let evidence = study.evidence(&inputs).unwrap();
        let settled = settled_contexts(&study, &evidence, &inputs.rubric).unwrap();
        let judged = asked_judgments(&questions(), &evidence, &inputs.rubric, &settled);
        judged.iter().flatten().map(AnswerJudgment::matches).collect()
    };
    assert!(open().err().unwrap().contains("no randomly drawn pair has answers of two annotators"));
    let mut random = desk(&questions(), &ledger, ReviewQueue::Random);
    for (annotator, grade) in [("anna", 1), ("ben", 1), ("dora", 1), ("eve", 0)] {
        say(&mut random, annotator, ("one", "b"), grade);
        say(&mut random, annotator, ("two", "b"), 1);
    }
    let before = agreement(&questions(), &ledger).unwrap();
    assert_eq!((before.contexts, before.adjudicators.len(), before.judges[0].missed), (2, 0, 2));
    let four = ["anna", "ben", "dora", "eve"];
    assert_eq!(joined(&four), [None, None, Some(true), Some(true)]);
    let mut settling = open().unwrap();
    assert_eq!(settling.len(), 1);
    let item = settling.item(settling.places()[0]).unwrap();
    assert_eq!((item.expected, item.text), (Some("one"), "b"));
    let answer = ReviewAnswer {
        annotator: "carla".into(),
        item: item.id.to_owned(),
        verdict: AnnotatorAnswer::Grade(0),
        note: String::new(),
        times: 0,
    };
    settling.answer(&answer).unwrap();
    let after = agreement(&questions(), &ledger).unwrap();
    assert_eq!(
        (after.contexts, after.chosen, after.people.len()),
        (2, 0, 4),
        "settling is no answer by chance"
    );
    let named: Vec<_> = after.adjudicators.iter().map(|one| (one.annotator.as_str(), one.contexts)).collect();
    assert_eq!((named, after.judges[0].missed, after.judges[0].added), (vec![("carla", 1)], 1, 0));
    // Three of five say yes; who settled it says no.
    assert_eq!(joined(&["anna", "ben", "dora", "eve", "carla"]), [None, None, Some(false), Some(true)]);
    assert_eq!(joined(&four)[2], Some(true), "of people without the adjudicator the median");
    assert_eq!(joined(&["anna"])[2], Some(true));
    let place = settling.places()[0];
    let item = settling.item(place).unwrap().id.to_owned();
    settling.undo("carla", &item, settling.times(place, "carla")).unwrap();
    assert_eq!(agreement(&questions(), &ledger).unwrap(), before, "what was taken back settles nothing");
}

/// In `llull review DATASET` the place of a pair was a function of its rank.
#[test]
fn a_sheet_of_rankings_turned_round_is_the_same() {
    let texts = ["a b", "b", "c", "d a", "e", "f b", "g", "h"];
    let sheet = |texts: Vec<&'static str>, queue: ReviewQueue| {
        let folder = tempfile::tempdir().unwrap();
        let questions = [AnswerQuestion { query: "which", expected: vec!["one", "two"], texts }];
        desk(&questions, &folder.path().join("ledger"), queue).sheet(None).unwrap()
    };
    for queue in [ReviewQueue::Random, ReviewQueue::Disagreement] {
        let turned = texts.iter().rev().copied().collect();
        assert_eq!(sheet(texts.to_vec(), queue.clone()), sheet(turned, queue.clone()), "{queue:?}");
    }
}
