//! `llull review DATASET -o` and `--read`: contexts in a spreadsheet; and the contexts of one query.

use serde_json::json;

use crate::evaluate::eight;
use crate::evaluate_review::{BAD, CONTEXTS, REVIEW, anna_answers, evaluated};
use crate::review::Reviewer;
use crate::sandbox::{Sandbox, Transcript, check};

fn with(sandbox: &Sandbox, more: &[&str]) -> Transcript {
    sandbox.llull(&[&REVIEW[..], more].concat())
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
    with(&sandbox, &["--most", "3", "-o", "three.csv"])
        .ends(0)
        .says(&["wrote three.csv, 3 lines; what the answers mean is in three.rubric.md\n"]);
    check!(sandbox.read("three.csv"));
    let rubric = sandbox.read("three.rubric.md");
    let head =
        "# Expected answer\n\nPut yes or no into the column `answer` of each line: whether the text states";
    assert!(rubric.starts_with(head), "{rubric}");
    with(&sandbox, &["-o", "all.tsv"]).ends(0).says(&["wrote all.tsv, 14 lines"]);
    fill(&sandbox, ("all.tsv", "ben.tsv"), as_anna);
    with(&sandbox, &["--read", "ben.tsv", "--as", "ben"])
        .ends(0)
        .says(&["ben: 14 answers new, 0 corrected, 0 set aside, 0 as before, 0 blank\n"]);
    with(&sandbox, &["--read", "ben.tsv", "--as", "ben"]).ends(0).says(&["0 answers new", "14 as before"]);
    anna_answers(&sandbox, CONTEXTS);
    let figures =
        |annotator: &str| evaluated(&sandbox, &["--judge", annotator], 0)["systems"][0]["figures"].clone();
    assert_eq!(figures("person/ben"), figures("person/anna"));
    let beside = evaluated(&sandbox, &["--judge", "token-overlap"], 0);
    assert_eq!(beside["people"]["chosen"], 0, "contexts in random order count beside judges");
    let people = json!([{"person": "anna", "contexts": CONTEXTS}, {"person": "ben", "contexts": CONTEXTS}]);
    assert_eq!(beside["people"]["people"], people);
    with(&sandbox, &["--as", "anna", "-o", "-"]).ends(1).says(&["no pair of it waits for anna"]);
    // A sheet whose contexts another evaluation does not have.
    sandbox.write(
        "other.csv",
        "query_id,query_text,expected_answers\nq1,where is city 1,the city 1 lies in land 1\n",
    );
    let other = [&["review", "other.csv"], &REVIEW[2..], &["--read", "ben.tsv", "--as", "ben"]].concat();
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
    with(&sandbox, &["--as", "carla", "-o", "rest.tsv"]).ends(0).says(&["wrote rest.tsv, 12 lines"]);
}

#[test]
fn the_contexts_of_one_query() {
    let sandbox = eight();
    with(&sandbox, &["--query", "q3", "-o", "q3.tsv"]).ends(0).says(&[
        "wrote q3.tsv, 2 lines",
        "answers to this queue do not show how far judges agree with annotators",
    ]);
    let sheet = sandbox.read("q3.tsv");
    let texts: Vec<&str> = sheet.lines().skip(1).map(|line| line.split_once("\t\t\t").unwrap().1).collect();
    assert!(
        texts.iter().all(|text| text.starts_with("where is city 3\tthe city 3 lies in land 3\t")),
        "{sheet}"
    );
    let mut reviewer = Reviewer::of(&sandbox, &[&REVIEW[..], &["--query", "q3", "--as", "anna"]].concat());
    let page = reviewer.open("/");
    assert!(page.contains("Pair 1 of 2") && page.contains("where is"), "{page}");
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
    for (args, code, parts) in [
        (&["--query", "q9"][..], 2, ["--query q9: ", "no query of this identifier"]),
        (&["--query", "q8"], 1, ["nothing is in the queue query", "\"where is city 8\""]),
        (&["--query", "q3", "--queue", "failures"], 2, ["'--query <ID>'", "'--queue <QUEUE>'"]),
    ] {
        with(&sandbox, args).refused(code, &parts);
    }
}

#[test]
fn what_cannot_be_read_is_refused_and_nothing_is_taken() {
    let sandbox = eight();
    with(&sandbox, &["-o", "all.tsv"]).ends(0);
    let refused = |answer: &'static str, more: &[&str], parts: &[&str]| {
        fill(
            &sandbox,
            ("all.tsv", "filled.tsv"),
            |line| if line.contains("city 3") { answer } else { "yes" },
        );
        with(&sandbox, &[&["--read", "filled.tsv", "--as", "anna"], more].concat()).refused(1, parts);
    };
    sandbox.write("graded.md", include_str!("../../../../rubrics/default.md"));
    let graded = ["--rubric", "graded.md"];
    refused(
        "maybe",
        &[],
        &["filled.tsv line 5, column 2 (answer): found \"maybe\", expected yes, no", "nothing of"],
    );
    refused("3", &[], &["filled.tsv line 5, column answer: grade 3 is not on the rubric's scale, 0 to 1"]);
    for answer in ["1", ""] {
        let words =
            "filled.tsv line 2, column answer: yes and no are the grades 1 and 0, and this rubric has 0 to 3";
        refused(answer, &graded, &[words]);
    }
    let unknown = sandbox.llull(&[&BAD[..], &["--judge", "person/anna"]].concat()).ends(1);
    unknown.says(&["anna has no answers", "nobody has"]);
    with(&sandbox, &[&graded[..], &["-o", "graded.tsv"]].concat()).ends(0);
    assert!(sandbox.read("graded.rubric.md").contains("Put one grade from 0 to 3 into the column `answer`"));
    fill(&sandbox, ("graded.tsv", "filled.tsv"), |_| "yes");
    let read = [&graded[..], &["--read", "filled.tsv", "--as", "anna"]].concat();
    with(&sandbox, &read).ends(1).says(&["line 2, column answer: yes and no are the grades 1 and 0"]);
    for (args, code, parts) in [
        (&["--read", "all.tsv"][..], 2, ["not provided", "--as <NAME>"]),
        (&["--read", "all.tsv", "--as", "anna", "--most", "3"], 2, ["'--read <SHEET>'", "'--most <N>'"]),
        (
            &["--read", "all.tsv", "--as", "token-overlap"],
            1,
            ["\"token-overlap\" is a judge", "another name"],
        ),
    ] {
        with(&sandbox, args).refused(code, &parts);
    }
    let ledger = "add --ledger answers.sqlite";
    for judge in ["person/anna", "people"] {
        let judged = [&BAD[..6], &["--judge", judge]].concat();
        sandbox.llull(&judged).refused(2, &[&format!("--judge {judge}: "), ledger]);
    }
    let read = [&REVIEW[..4], &["--read", "all.tsv", "--as", "anna"]].concat();
    sandbox.llull(&read).refused(2, &["human answers have to be saved", ledger]);
}
