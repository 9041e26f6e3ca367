//! Tests the table in `placed.txt`: the whole reply decides, not its parts.

use llull_core::Verdict;
use llull_judge::{AnswerForm, AnswerPlace, CompareKind, ComparisonForm, GradeKind, RawReply, read_reply};
use proptest::prelude::*;

const TABLE: &str = include_str!("placed.txt");

/// A form of answer with two answers that differ, A and B.
struct Form {
    name: &'static str,
    form: AnswerForm,
    place: AnswerPlace,
    answers: [&'static str; 2],
}

fn compares(kind: CompareKind, rationale: bool) -> AnswerForm {
    let documents = if kind == CompareKind::Choice { 2 } else { 4 };
    AnswerForm::Comparison(ComparisonForm { kind, rationale, documents, ties: true })
}

fn forms() -> [Form; 7] {
    let grades = |kind| AnswerForm::Grade { kind, scale: llull_core::Scale::default() };
    let form = |name, form, answers| {
        let place = if name_is_reasoned(name) { AnswerPlace::AfterProse } else { AnswerPlace::Alone };
        Form { name, form, place, answers }
    };
    [
        form("grade", grades(GradeKind::GradeOnly), [r#"{"grade": 3}"#, r#"{"grade": 0}"#]),
        form(
            "choice",
            compares(CompareKind::Choice, false),
            [r#"{"choice": "LHS"}"#, r#"{"choice": "RHS"}"#],
        ),
        form(
            "ranking",
            compares(CompareKind::Ranking, false),
            [r#"{"ranking": [["C"], ["A", "D"], ["B"]]}"#, r#"{"ranking": [["A"], ["B"], ["C"], ["D"]]}"#],
        ),
        form("best", compares(CompareKind::Best, false), [r#"{"best": "C"}"#, r#"{"best": "A"}"#]),
        form(
            "grade-reasoned",
            grades(GradeKind::Reasoned),
            [
                r#"{"facets_covered": ["x"], "facets_missing": [], "rationale": "r", "grade": 3}"#,
                r#"{"facets_covered": [], "facets_missing": ["x"], "rationale": "r", "grade": 0}"#,
            ],
        ),
        form(
            "choice-reasoned",
            compares(CompareKind::Choice, true),
            [r#"{"rationale": "r", "choice": "LHS"}"#, r#"{"rationale": "r", "choice": "RHS"}"#],
        ),
        form(
            "ranking-reasoned",
            compares(CompareKind::Ranking, true),
            [
                r#"{"rationale": "r", "ranking": [["C"], ["A", "D"], ["B"]]}"#,
                r#"{"rationale": "r", "ranking": [["A"], ["B"], ["C"], ["D"]]}"#,
            ],
        ),
    ]
}

fn name_is_reasoned(name: &str) -> bool {
    name.ends_with("-reasoned")
}

/// The result of a reply, in the words of the table.
fn outcome(text: &str, form: &Form) -> String {
    let read = |text: &str| {
        let reply = RawReply { text, cut_off: false, refused: false };
        read_reply(&reply, &[], &form.form, form.place).map(|verdict| match verdict {
            Verdict::Graded(verdict) => verdict.grade.to_string(),
            Verdict::Compared(verdict) => format!("{:?}", verdict.order),
        })
    };
    match read(text) {
        Err(unusable) => unusable.reason.name().to_owned(),
        Ok(found) if read(form.answers[0]) == Ok(found.clone()) => "A".to_owned(),
        Ok(found) if read(form.answers[1]) == Ok(found.clone()) => "B".to_owned(),
        Ok(found) => found,
    }
}

/// Expands the text between ⟦ and ⟧.
fn written(text: &str, form: &Form) -> String {
    let text = text.replace("⟦A⟧", form.answers[0]).replace("⟦B⟧", form.answers[1]);
    let mut pieces = text.split("⟦U+");
    let mut whole = pieces.next().unwrap().to_owned();
    for piece in pieces {
        let (number, rest) = piece.split_once('⟧').unwrap();
        whole.push(char::from_u32(u32::from_str_radix(number, 16).unwrap()).unwrap());
        whole.push_str(rest);
    }
    whole
}

#[test]
fn an_answer_is_what_the_reply_is_and_not_what_it_contains() {
    let forms = forms();
    let (mut cases, mut wrong) = (0, Vec::new());
    for case in TABLE.split("\n=== ").skip(1) {
        let (head, text) = case.split_once('\n').unwrap_or((case, ""));
        let (which, rest) = head.split_once(": ").unwrap();
        let (expected, name) = rest.split_once(" - ").unwrap();
        let (direct, reasoned) = expected.split_once(" | ").unwrap_or((expected, expected));
        // The heading of the next part.
        let text = text.split("\n\n## ").next().unwrap();
        for form in &forms {
            let is_reasoned = name_is_reasoned(form.name);
            let concerned = match which {
                "all" => true,
                "direct" => !is_reasoned,
                "reasoned" => is_reasoned,
                which => which == form.name,
            };
            if concerned {
                cases += 1;
                let expected = if is_reasoned { reasoned } else { direct };
                let found = outcome(&written(text, form), form);
                if found != expected {
                    wrong.push(format!("{name}, {}: {found}, not {expected}", form.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(TABLE.matches("\n=== ").count() > 200 && cases > 900, "{cases}");
}

/// Prose with a word in it, which ends no reasoning and opens none.
fn prose() -> impl Strategy<Value = String> {
    "[^{}<>\\[◁`~]{0,40}[a-zA-Zé题][^{}<>\\[◁`~]{0,40}"
}

/// A reply that is accepted, in any form, around an answer.
fn accepted() -> impl Strategy<Value = (usize, String)> {
    let around = prop::sample::select(vec![
        ("", ""),
        ("\n", "\n"),
        ("```json\n", "\n```"),
        ("```\n", "\n```\n"),
        ("", "\n```"),
        ("<think>It may be.</think>\n", "<|im_end|>"),
    ]);
    (0..forms().len(), around)
        .prop_map(|(at, (before, after))| (at, format!("{before}{}{after}", forms()[at].answers[0])))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn an_accepted_reply_in_prose_is_unusable(
        (at, reply) in accepted(), before in prose(), after in prose(), how in 0..5,
    ) {
        let form = &forms()[at];
        prop_assert_eq!(outcome(&reply, form), "A");
        let before_only = matches!(form.place, AnswerPlace::Alone);
        let embedded = match how {
            0 => format!("{reply}{after}"),
            1 => format!("{reply}\n{after}"),
            2 => format!("{before}{}{after}", reply.trim()),
            3 => format!("{before}\n{reply}\n{after}"),
            _ if before_only => format!("{before}\n{reply}"),
            _ => format!("{before}x {}", form.answers[0]),
        };
        let found = outcome(&embedded, form);
        prop_assert!(found != "A" && found != "B", "{embedded}");
    }
}
