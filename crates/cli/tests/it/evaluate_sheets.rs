//! `llull evaluate --review -o` and `llull evaluate --read`: contexts in a spreadsheet; and the contexts of one query.

use serde_json::json;

use crate::evaluate::eight;
use crate::evaluate_review::{BAD, CONTEXTS, anna_answers, evaluated};
use crate::review::Reviewer;
use crate::sandbox::{Sandbox, Transcript, check, several};

fn with(sandbox: &Sandbox, more: &[&str]) -> Transcript {
    sandbox.llull(&[&BAD[..], more].concat())
}

/// Writes a sheet with what `said` says of each line of texts.
fn fill(sandbox: &Sandbox, (from, to): (&str, &str), said: impl Fn(&str) -> &'static str) {
    let text = sandbox.read(from);
    let filled = text.lines().enumerate().map(|(at, line)| {
        let answer = if at > 0 { said(line) } else { "" };
        line.replacen("\t\t\t", &format!("\t{answer}\t\t"), 1) + "\r\n"
    });
    sandbox.write(to, &filled.collect::<String>());
}

/// What anna says in other tests in the browser: what token-overlap says, but of city 3.
fn as_anna(line: &str) -> &'static str {
    if line.contains("it is known") && !line.contains("city 3") { "yes" } else { "No" }
}

#[test]
fn what_people_answer_on_a_sheet_is_what_they_answer_in_the_browser() {
    let sandbox = eight();
    check!(with(&sandbox, &["--review", "--most", "3", "-o", "three.csv"]).ends(0));
    check!(sandbox.read("three.csv"));
    check!(sandbox.read("three.rubric.md").lines().take(3).collect::<Vec<_>>().join("\n"));
    with(&sandbox, &["--review", "-o", "all.tsv"]).ends(0).says(&["wrote all.tsv, 14 lines"]);
    fill(&sandbox, ("all.tsv", "ben.tsv"), as_anna);
    check!(with(&sandbox, &["--read", "ben.tsv", "--as", "ben"]).ends(0));
    with(&sandbox, &["--read", "ben.tsv", "--as", "ben"]).ends(0).says(&["0 answers new", "14 as before"]);
    anna_answers(&sandbox, CONTEXTS);
    let figures =
        |annotator: &str| evaluated(&sandbox, &["--judge", annotator], 0)["systems"][0]["figures"].clone();
    assert_eq!(figures("person/ben"), figures("person/anna"));
    let beside = evaluated(&sandbox, &["--judge", "token-overlap"], 0);
    assert_eq!(beside["people"]["chosen"], 0, "contexts in random order count beside judges");
    let people = json!([{"person": "anna", "contexts": CONTEXTS}, {"person": "ben", "contexts": CONTEXTS}]);
    assert_eq!(beside["people"]["people"], people);
    with(&sandbox, &["--review", "--as", "anna", "-o", "-"]).ends(1).says(&["no pair of it waits for anna"]);
    // A sheet whose contexts another evaluation does not have.
    sandbox.write(
        "other.csv",
        "query_id,query_text,expected_answers\nq1,where is city 1,the city 1 lies in land 1\n",
    );
    let other = [&["evaluate", "other.csv"], &BAD[2..], &["--read", "ben.tsv", "--as", "ben"]].concat();
    sandbox.llull(&other).ends(1).says(&["is not here as the sheet shows it"]);
    // The sheet and the browser can be mixed: what was set aside waits, or does not.
    let some =
        sandbox.read("all.tsv").replacen("\t\t\t", "\tskip\t\t", 1).replacen("\t\t\t", "\t1\tsure\t", 1);
    sandbox.write("carla.tsv", &some);
    let read = ["--read", "carla.tsv", "--as", "carla", "--json"];
    let taken = with(&sandbox, &read).ends(0).json();
    let counts = |key: &str| taken["sheet"][key].as_u64();
    assert_eq!(
        (counts("new"), counts("set_aside"), counts("blank")),
        (Some(1), Some(1), Some(12)),
        "{taken}"
    );
    with(&sandbox, &["--review", "--as", "carla", "-o", "rest.tsv"])
        .ends(0)
        .says(&["wrote rest.tsv, 12 lines"]);
}

#[test]
fn the_contexts_of_one_query() {
    let sandbox = eight();
    with(&sandbox, &["--review", "--query", "q3", "-o", "q3.tsv"]).ends(0).says(&[
        "wrote q3.tsv, 2 lines",
        "answers to this queue do not say how far judges agree with people",
    ]);
    let sheet = sandbox.read("q3.tsv");
    let texts: Vec<&str> = sheet.lines().skip(1).map(|line| line.split_once("\t\t\t").unwrap().1).collect();
    assert!(
        texts.iter().all(|text| text.starts_with("where is city 3\tthe city 3 lies in land 3\t")),
        "{sheet}"
    );
    let mut reviewer =
        Reviewer::of(&sandbox, &[&BAD[..], &["--review", "--query", "q3", "--as", "anna"]].concat());
    let page = reviewer.open("/");
    assert!(page.contains("of 2</span>") && page.contains("where is"), "{page}");
    reviewer.process.kill().unwrap();
    reviewer.process.wait().unwrap();
    fill(&sandbox, ("q3.tsv", "filled.tsv"), |_| "yes");
    with(&sandbox, &["--read", "filled.tsv", "--as", "anna"]).ends(0).says(&["anna: 2 answers new"]);
    let beside = evaluated(&sandbox, &["--judge", "token-overlap"], 0);
    assert_eq!(
        (&beside["people"]["contexts"], &beside["people"]["chosen"]),
        (&0.into(), &2.into()),
        "{beside}"
    );
    check!(several(&[
        with(&sandbox, &["--review", "--query", "q9"]).ends(2),
        with(&sandbox, &["--review", "--query", "q8"]).ends(1),
        with(&sandbox, &["--query", "q3"]).ends(2),
        with(&sandbox, &["--review", "--query", "q3", "--queue", "failures"]).ends(2),
    ]));
}

#[test]
fn what_cannot_be_read_is_refused_and_nothing_is_taken() {
    let sandbox = eight();
    with(&sandbox, &["--review", "-o", "all.tsv"]).ends(0);
    let refused = |answer: &'static str, more: &[&str]| {
        fill(
            &sandbox,
            ("all.tsv", "filled.tsv"),
            |line| if line.contains("city 3") { answer } else { "yes" },
        );
        with(&sandbox, &[&["--read", "filled.tsv", "--as", "anna"], more].concat()).ends(1)
    };
    sandbox.write("graded.md", include_str!("../../../../rubrics/default.md"));
    let graded = ["--rubric", "graded.md"];
    check!(several(&[refused("maybe", &[]), refused("3", &[]), refused("1", &graded), refused("", &graded)]));
    with(&sandbox, &["--judge", "person/anna"]).ends(1).says(&["anna has no answers", "nobody has"]);
    with(&sandbox, &[&graded[..], &["--review", "-o", "graded.tsv"]].concat()).ends(0);
    assert!(sandbox.read("graded.rubric.md").contains("Put one grade from 0 to 3 into the column `answer`"));
    fill(&sandbox, ("graded.tsv", "filled.tsv"), |_| "yes");
    let read = [&graded[..], &["--read", "filled.tsv", "--as", "anna"]].concat();
    with(&sandbox, &read).ends(1).says(&["line 2, column answer: yes and no are the grades 1 and 0"]);
    check!(several(&[
        with(&sandbox, &["--read", "all.tsv"]).ends(2),
        with(&sandbox, &["--read", "all.tsv", "--as", "anna", "--most", "3"]).ends(2),
        with(&sandbox, &["-o", "all.tsv"]).ends(2),
        with(&sandbox, &["--read", "all.tsv", "--as", "token-overlap"]).ends(1),
        sandbox.llull(&[&BAD[..6], &["--judge", "person/anna"]].concat()).ends(2),
        sandbox.llull(&[&BAD[..6], &["--judge", "people"]].concat()).ends(2),
        sandbox.llull(&[&BAD[..6], &["--read", "all.tsv", "--as", "anna"]].concat()).ends(2),
    ]));
}
