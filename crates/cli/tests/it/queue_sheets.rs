//! `llull review -o` and `llull review --read`: queues in a spreadsheet.

use llull_testkit::{FaultPlan, FaultyServer, Taste};
use serde_json::Value;

use crate::comparing::{compared_at, compared_by};
use crate::review::{Reviewer, between};
use crate::sample::study;
use crate::sandbox::{REPLAY, Sandbox, Transcript, check, tiny_judged_by};

/// The cells of a sheet with tabs, without its headings.
fn rows(sandbox: &Sandbox, sheet: &str) -> Vec<Vec<String>> {
    let text = sandbox.read(sheet);
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// Writes a sheet with what `said` says of each row, by its number on the sheet from 1.
fn fill(sandbox: &Sandbox, (from, to): (&str, &str), said: impl Fn(usize) -> String) {
    let text = sandbox.read(from);
    let filled = text.lines().enumerate().map(|(at, line)| {
        let mut cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
        if at > 0 {
            cells[1] = said(at);
        }
        cells.join("\t") + "\n"
    });
    sandbox.write(to, &filled.collect::<String>());
}

fn read(sandbox: &Sandbox, sheet: &str, annotator: &str) -> Transcript {
    sandbox.llull(&["review", "--read", sheet, "--as", annotator])
}

/// What people wrote, as the ledger keeps it beside their answers, without where it was read.
fn replies(sandbox: &Sandbox, annotator: &str) -> Vec<(String, String, Value)> {
    let export = sandbox.llull(&["ledger", "export"]).ends(0).stdout;
    let lines: Vec<Value> = export.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let judges = lines.iter().filter(|line| line["judge"]["spec"]["options"]["person"] == annotator);
    let ids: Vec<&Value> = judges.map(|line| &line["judge"]["id"]).collect();
    let own = lines.iter().filter(|line| ids.contains(&&line["attempt"]["judge"]));
    let mut replies: Vec<(String, String, Value)> = own
        .map(|line| {
            let fact = &line["attempt"]["fact"];
            let mut reply: Value = serde_json::from_str(fact["reply"].as_str().unwrap()).unwrap();
            reply.as_object_mut().unwrap().remove("sheet");
            let asked = format!("{} {} {}", fact["topic"], fact["document"], fact["documents"]);
            (asked, fact["outcome"].to_string(), reply)
        })
        .collect();
    replies.sort_by(|one, other| one.0.cmp(&other.0));
    replies
}

/// Answers everything in the browser.
fn in_the_browser(sandbox: &Sandbox, arguments: &[&str], acts: &[&str]) {
    let mut reviewer = Reviewer::of(sandbox, &[&["review"], arguments].concat());
    for act in acts {
        let page = reviewer.open("/");
        assert!(reviewer.press(&page, act).starts_with("HTTP/1.1 303"), "{page}");
    }
    reviewer.process.kill().unwrap();
    reviewer.process.wait().unwrap();
}

/// What one person does in the browser and another on a sheet of the same queue is recorded alike: the same pairs in
/// the same order, on the same sides, drawn in the same way.
#[test]
fn an_answer_on_a_sheet_is_recorded_as_one_in_the_browser() {
    for queue in [&["--queue", "sample"][..], &["--queue", "random", "--most", "6"], &["--query", "q3"]] {
        let sandbox = study();
        sandbox.llull(&["sample", "-n", "30", "-Q"]).ends(0);
        let written = [&["review", "-Q", "-o", "queue.tsv"], queue].concat();
        sandbox.llull(&written).ends(0);
        fill(&sandbox, ("queue.tsv", "filled.tsv"), |at| (at % 3).to_string());
        let said = read(&sandbox, "filled.tsv", "ben").ends(0);
        let rows = rows(&sandbox, "queue.tsv").len();
        said.says(&[&format!("ben: {rows} answers new, 0 corrected, 0 set aside, 0 as before, 0 blank")]);
        let acts: Vec<String> = (1..=rows).map(|at| format!("grade {}", at % 3)).collect();
        let acts: Vec<&str> = acts.iter().map(String::as_str).collect();
        in_the_browser(&sandbox, &[&["--as", "anna"], queue].concat(), &acts);
        assert_eq!(replies(&sandbox, "ben"), replies(&sandbox, "anna"), "{queue:?}");
        read(&sandbox, "filled.tsv", "ben")
            .ends(0)
            .says(&[&format!("0 answers new, 0 corrected, 0 set aside, {rows}")]);
        sandbox.llull(&["ledger", "check"]).ends(0);
    }
    let compared = compared_by(REPLAY, "pairwise", "schedule = \"exhaustive\"");
    compared.llull(&["run", "-Q"]).ends(0);
    compared.llull(&["review", "-Q", "-o", "queue.tsv", "--most", "9"]).ends(0);
    let words = ["left", "right", "neither"];
    fill(&compared, ("queue.tsv", "filled.tsv"), |at| words[at % 3].to_owned());
    read(&compared, "filled.tsv", "ben").ends(0).says(&["ben: 9 answers new"]);
    let acts: Vec<&str> = (1..=9).map(|at| words[at % 3]).collect();
    in_the_browser(&compared, &["--as", "anna", "--most", "9"], &acts);
    let ben = replies(&compared, "ben");
    assert_eq!(ben, replies(&compared, "anna"));
    assert!(
        ben.iter().all(|(.., reply)| reply["draw"]["pairs"] == 15 && reply["number"].is_number()),
        "{ben:?}"
    );
    let agreed = compared.llull(&["agree", "--people", "--json"]).ends(0).json();
    assert_eq!(agreed["people"], serde_json::json!([["anna", 9], ["ben", 9]]));
}

/// Holds a queue's sheet against the pages of the same queue, and returns how many pairs both have.
fn holds_what_pages_show(sandbox: &Sandbox, queue: &[&str]) -> usize {
    sandbox.llull(&[&["review", "-Q", "-o", "queue.tsv"], queue].concat()).ends(0);
    let headings = sandbox.read("queue.tsv").lines().next().unwrap().to_owned();
    let documents = if headings.contains("left_text") { 4..6 } else { 4..5 };
    let mut reviewer = Reviewer::of(sandbox, &[&["review", "--as", "anna"], queue].concat());
    let rows = rows(sandbox, "queue.tsv");
    for (at, cells) in rows.iter().enumerate() {
        let page = reviewer.open(&format!("/pair/{}", at + 1));
        let shown: Vec<&str> = page.split("data-document=\"").skip(1).collect();
        let shown: Vec<&str> = shown.iter().map(|text| text.split_once('"').unwrap().0).collect();
        assert_eq!(shown, cells[documents.clone()], "{queue:?} {page}");
        assert_eq!(between(&page, "data-query=\"", "\""), cells[3], "{queue:?}");
    }
    let after = reviewer.open(&format!("/pair/{}", rows.len() + 1));
    assert!(after.contains("There is no such pair"), "{queue:?} {after}");
    reviewer.process.kill().unwrap();
    reviewer.process.wait().unwrap();
    rows.len()
}

#[test]
fn every_queue_is_a_sheet() {
    let judge = |name: &str| {
        format!("[[judges]]\nname = {name:?}\nmodel = \"replay\"\nlabels = \"{name}.qrels\"\n\n")
    };
    let panel = ["one", "two", "three"].map(judge).concat();
    let graded = tiny_judged_by(&panel);
    let compared = compared_by(&panel, "pairwise", "schedule = \"exhaustive\"");
    // Condorcet's own: a over b over c, b over c over a, c over a over b. Of q3 one document has no grade of anybody.
    for (name, [a, b, c]) in [("one", [3, 2, 1]), ("two", [1, 3, 2]), ("three", [2, 1, 3])] {
        let rest = "q2 0 b1 2\nq2 0 b2 3\nq2 0 b3 0\nq2 0 b4 1\nq3 0 c1 3\nq3 0 c3 1\n";
        let labels = format!("q1 0 a1 {a}\nq1 0 a2 {b}\nq1 0 a3 {c}\nq1 0 a4 0\n{rest}");
        graded.write(&format!("{name}.qrels"), &labels);
        compared.write(&format!("{name}.qrels"), &labels);
    }
    graded.llull(&["run", "-Q"]).ends(3);
    compared.llull(&["run", "-Q"]);
    let (random, query) = (&["--queue", "random"][..], &["--query", "q1"][..]);
    let (disagreement, failures) = (&["--queue", "disagreement"][..], &["--queue", "failures"][..]);
    for (sandbox, queue, pairs) in [
        (&graded, random, 11),
        (&graded, query, 4),
        (&graded, disagreement, 3),
        (&graded, failures, 1),
        (&compared, random, 13),
        (&compared, query, 6),
        (&compared, disagreement, 3),
        (&compared, &["--queue", "cycles"], 3),
    ] {
        assert_eq!(holds_what_pages_show(sandbox, queue), pairs, "{queue:?}");
    }
    let demo = Sandbox::new();
    demo.llull(&["demo", "-Q"]).ends(0);
    demo.llull(&["-C", "llull-demo", "run", "-Q", "--judge", "similarity"]).ends(0);
    let checks = ["-C", "llull-demo", "--queue", "checks", "--most", "12"];
    assert_eq!(holds_what_pages_show(&demo, &checks), 12);
    let server = FaultyServer::start(FaultPlan { taste: Taste::FirstShown, ..FaultPlan::default() }).unwrap();
    let biased = compared_at(&server, "pairwise", "schedule = \"exhaustive\"");
    biased.llull(&["run", "-Q"]);
    assert!(holds_what_pages_show(&biased, &["--queue", "checks"]) > 0);
}

/// Who reads only the sheet knows nothing of what judges said, or of how systems rank.
#[test]
fn a_sheet_is_blind() {
    let sandbox = study();
    sandbox.llull(&["sample", "-n", "20", "-Q"]).ends(0);
    let sheets = |sandbox: &Sandbox| {
        [&["--queue", "sample"][..], &["--queue", "random"], &["--query", "q2"]].map(|queue| {
            sandbox.llull(&[&["review", "-Q", "-o", "queue.csv"], queue].concat()).ends(0);
            sandbox.read("queue.csv") + &sandbox.read("queue.rubric.md")
        })
    };
    let before = sheets(&sandbox);
    assert!(before.iter().all(|sheet| !sheet.contains("replay") && !sheet.contains(".run")));
    // The judge says the opposite, and the systems' names change places.
    let opposite = |line: &str| {
        let (pair, grade) = line.rsplit_once(' ').unwrap();
        format!("{pair} {}\n", 3 - grade.parse::<i32>().unwrap())
    };
    let turned = sandbox.read("known.qrels").lines().map(opposite).collect::<String>();
    let (old, new) = (sandbox.read("old.run"), sandbox.read("new.run"));
    sandbox.write("known.qrels", &turned).write("old.run", &new).write("new.run", &old);
    sandbox.llull(&["run", "-Q"]).ends(0);
    let after = sheets(&sandbox);
    assert_eq!(after, before);
}

#[test]
fn a_queue_is_written_filled_in_and_read() {
    let sandbox = study();
    sandbox
        .llull(&["review", "--queue", "random", "--most", "8", "-o", "queue.csv"])
        .ends(0)
        .says(&["wrote queue.csv, 8 lines; what the answers mean is in queue.rubric.md\n"]);
    check!(sandbox.read("queue.csv"));
    let rubric = sandbox.read("queue.rubric.md");
    assert!(
        rubric.starts_with("# General search\n\nPut one grade from 0 to 3 into the column `grade`"),
        "{rubric}"
    );
    assert!(rubric.contains("skip") && rubric.contains("later") && rubric.contains("can't tell"), "{rubric}");
    // As Excel saves it where commas are decimal, with a column of its own and words for what is no answer.
    let said = ["2,0", "skip", "Can\u{2019}t tell", "later", "", "0", "3", ""];
    let text = sandbox.read("queue.csv");
    let saved = text.lines().enumerate().map(|(at, line)| {
        let line = line.replace(',', ";").replace("some; \"\"quoted\"\"", "some, \"\"quoted\"\"");
        let filled = match at {
            0 => line + ";mine",
            8 => line.replacen(";;;", ";;look;", 1),
            at => line.replacen(";;;", &format!(";{};;", said[at - 1]), 1),
        };
        filled + "\r\n"
    });
    sandbox.write("saved.csv", &saved.collect::<String>());
    read(&sandbox, "saved.csv", "anna").ends(0).says(&[
        "saved.csv: item = item, grade = grade, note = note, query = query, document = document, query_text = \
         query_text, text = text; 1 field unused: mine",
        "anna: 3 answers new, 0 corrected, 3 set aside, 0 as before, 2 blank\n",
        "warning: line 9 not taken: there is a note and no answer",
    ]);
    // Once more: what was taken is taken, and what was set aside is set aside.
    read(&sandbox, "saved.csv", "anna")
        .ends(0)
        .says(&["anna: 0 answers new, 0 corrected, 0 set aside, 6 as before"]);
    // What waits for anna is what she left for later, and what she has not looked at.
    sandbox
        .llull(&["review", "--queue", "random", "--most", "8", "--as", "anna", "-o", "rest.tsv"])
        .ends(0)
        .says(&["wrote rest.tsv, 3 lines", "5 pairs of the queue left out: anna has dealt with them"]);
    assert_eq!(rows(&sandbox, "rest.tsv").len(), 3);
    let json = sandbox.llull(&["review", "--read", "saved.csv", "--as", "ben", "--json"]).ends(0).json();
    assert_eq!(
        (&json["person"], &json["sheet"]["new"], &json["sheet"]["set_aside"]),
        (&"ben".into(), &3.into(), &3.into())
    );
}

/// `llull sample` and `llull review` write one format, and either reads what the other wrote.
#[test]
fn a_sample_has_one_sheet() {
    let mut sandbox = study();
    sandbox.set("LLULL_SEED", "7");
    sandbox.llull(&["sample", "-n", "14", "-Q", "-o", "sample.tsv"]).ends(0);
    assert!(sandbox.read("sample.tsv").lines().skip(1).all(|row| row.starts_with("sample-n14-s7-d")));
    sandbox.llull(&["review", "--queue", "sample", "-Q", "-o", "queue.tsv"]).ends(0);
    assert_eq!(sandbox.read("sample.tsv"), sandbox.read("queue.tsv"));
    assert_eq!(sandbox.read("sample.rubric.md"), sandbox.read("queue.rubric.md"));
    fill(&sandbox, ("sample.tsv", "filled.tsv"), |at| if at > 2 { "1" } else { "can't tell" }.to_owned());
    read(&sandbox, "filled.tsv", "anna").ends(0).says(&["anna: 12 answers new, 0 corrected, 2 set aside"]);
    sandbox
        .llull(&["sample", "--read", "filled.tsv", "--annotator", "anna"])
        .ends(3)
        .says(&["anna: 0 answers new, 0 corrected, 0 set aside, 14 as before", "12 of 14 pairs labelled"]);
    // Who corrects a label in the browser keeps it, whatever sheet is read again.
    let mut reviewer = Reviewer::of(&sandbox, &["review", "--queue", "sample", "--as", "anna"]);
    let page = reviewer.open("/pair/3");
    assert!(reviewer.press(&page, "grade 3").starts_with("HTTP/1.1 303"));
    reviewer.process.kill().unwrap();
    reviewer.process.wait().unwrap();
    sandbox
        .llull(&["sample", "--read", "filled.tsv", "--annotator", "anna"])
        .ends(3)
        .says(&["0 answers new, 0 corrected, 0 set aside, 13 as before", "line 4 not taken"]);
    // What is in the folder says how a pair was drawn, not the sheet.
    sandbox.set("LLULL_SEED", "8");
    sandbox.llull(&["sample", "--replace", "-n", "20", "-Q"]).ends(0);
    sandbox
        .llull(&["sample", "--read", "filled.tsv", "--annotator", "ben"])
        .ends(3)
        .says(&["ben: 12 answers new"]);
}

/// The sheet of a sample has all of its pairs, whatever the answers.
#[test]
fn the_empty_name_is_no_annotator() {
    let sandbox = study();
    sandbox.llull(&["sample", "-n", "14", "-Q", "-o", "sample.tsv"]).ends(0);
    fill(&sandbox, ("sample.tsv", "filled.tsv"), |_| "1".to_owned());
    for name in ["", " "] {
        let read = sandbox.llull(&["sample", "--read", "filled.tsv", "--annotator", name]);
        read.refused(1, &["cannot be an annotator's name: it is empty"]);
    }
    sandbox.llull(&["sample", "-Q", "-o", "again.tsv"]).ends(0);
    assert_eq!(sandbox.read("sample.tsv"), sandbox.read("again.tsv"));
}

/// A correction in the browser stays when the sheet is read again; one on the sheet is taken.
#[test]
fn what_was_corrected_since_is_not_turned_back() {
    let sandbox = study();
    sandbox.llull(&["review", "--queue", "random", "--most", "2", "-Q", "-o", "queue.tsv"]).ends(0);
    fill(&sandbox, ("queue.tsv", "filled.tsv"), |_| "1".to_owned());
    read(&sandbox, "filled.tsv", "anna").ends(0).says(&["anna: 2 answers new"]);
    fill(&sandbox, ("queue.tsv", "again.tsv"), |_| "2".to_owned());
    read(&sandbox, "again.tsv", "anna").ends(0).says(&["0 answers new, 2 corrected"]);
    read(&sandbox, "filled.tsv", "anna").ends(0).says(&["0 answers new, 2 corrected"]);
    let mut reviewer =
        Reviewer::of(&sandbox, &["review", "--queue", "random", "--most", "2", "--as", "anna"]);
    let page = reviewer.open("/pair/1");
    assert!(reviewer.press(&page, "grade 3").starts_with("HTTP/1.1 303"));
    let page = reviewer.open("/pair/2");
    assert!(reviewer.press(&page, "undo").starts_with("HTTP/1.1 303"));
    reviewer.process.kill().unwrap();
    reviewer.process.wait().unwrap();
    read(&sandbox, "filled.tsv", "anna").ends(0).says(&[
        "anna: 0 answers new, 0 corrected, 0 set aside, 0 as before, 0 blank",
        "warning: lines 2 and 3 not taken: the answer was read from this sheet before, and corrected or taken back",
    ]);
    fill(&sandbox, ("queue.tsv", "marked.tsv"), |at| if at == 1 { "skip" } else { "later" }.to_owned());
    read(&sandbox, "marked.tsv", "anna")
        .ends(0)
        .says(&["1 set aside", "line 2 not set aside: it has an answer"]);
}

/// The number of people that a pair wants is kept where the answer is written.
#[test]
fn as_many_answer_as_are_wanted() {
    let sandbox = study();
    let queue = ["review", "--queue", "random", "--most", "4", "--overlap", "1", "-Q"];
    sandbox.llull(&[&queue[..], &["-o", "queue.tsv"]].concat()).ends(0);
    fill(&sandbox, ("queue.tsv", "ben.tsv"), |at| if at < 3 { "2".to_owned() } else { String::new() });
    fill(&sandbox, ("queue.tsv", "anna.tsv"), |at| (at % 2).to_string());
    read(&sandbox, "ben.tsv", "ben").ends(0).says(&["ben: 2 answers new"]);
    read(&sandbox, "anna.tsv", "anna").ends(0).says(&[
        "anna: 2 answers new, 0 corrected, 0 set aside, 0 as before, 0 blank",
        "warning: lines 2 and 3 not taken: as many others as were wanted have answered there (--overlap)",
    ]);
    // Pairs that have been answered often enough are on no sheet.
    let none = sandbox.llull(&[&queue[..], &["-o", "more.tsv"]].concat()).ends(1);
    none.says(&["enough annotators (--overlap) have answered every pair"]);
}

/// People settle what others disagree on, and only that.
#[test]
fn an_adjudicator_has_a_sheet() {
    let sandbox = study();
    sandbox.llull(&["sample", "-n", "14", "-Q"]).ends(0);
    sandbox.llull(&["review", "--queue", "sample", "-Q", "-o", "sample.tsv"]).ends(0);
    fill(&sandbox, ("sample.tsv", "anna.tsv"), |_| "1".to_owned());
    fill(&sandbox, ("sample.tsv", "ben.tsv"), |at| if at < 4 { "2" } else { "1" }.to_owned());
    read(&sandbox, "anna.tsv", "anna").ends(0);
    read(&sandbox, "ben.tsv", "ben").ends(0);
    sandbox.llull(&["review", "--queue", "adjudicate", "--as", "carla", "-Q", "-o", "disputed.tsv"]).ends(0);
    assert_eq!(rows(&sandbox, "disputed.tsv").len(), 3);
    fill(&sandbox, ("disputed.tsv", "settled.tsv"), |_| "2".to_owned());
    read(&sandbox, "settled.tsv", "anna")
        .ends(0)
        .says(&["anna: 0 answers new", "lines 2, 3 and 4 not taken"]);
    read(&sandbox, "settled.tsv", "carla").ends(0).says(&["carla: 3 answers new"]);
    read(&sandbox, "settled.tsv", "dora")
        .ends(0)
        .says(&["dora: 0 answers new", "lines 2, 3 and 4 not taken"]);
    let status = sandbox.llull(&["sample", "--status"]).ends(0);
    status.says(&["carla"]);
    sandbox.llull(&["report", "-Q"]).ends(0);
    assert!(sandbox.read("report.md").contains("carla 3"), "what carla settled is said");
}

/// What judges say may change after a sheet was written: its pairs are as they were. What it shows may not.
#[test]
fn a_sheet_outlives_its_queue_and_not_its_texts() {
    let two = format!("{REPLAY}[[judges]]\nname = \"other\"\nmodel = \"replay\"\nlabels = \"other.qrels\"\n");
    let sandbox = tiny_judged_by(&two);
    let known = sandbox.read("known.qrels");
    sandbox.write("other.qrels", &known.replace("a1 3", "a1 0").replace("b2 3", "b2 1"));
    sandbox.llull(&["run", "-Q"]).ends(0);
    sandbox.llull(&["review", "--queue", "disagreement", "-Q", "-o", "queue.tsv"]).ends(0);
    let shown: Vec<String> = rows(&sandbox, "queue.tsv").iter().map(|cells| cells[4].clone()).collect();
    assert_eq!(shown, ["a1", "b2"], "furthest apart first");
    fill(&sandbox, ("queue.tsv", "filled.tsv"), |_| "3".to_owned());
    let changed = |file: &str, from: &str, to: &str| {
        sandbox.edit(file, from, to);
        let said = read(&sandbox, "filled.tsv", "anna");
        sandbox.edit(file, to, from);
        said
    };
    let text = changed("corpus.jsonl", "To export a report", "To send a report");
    text.refused(1, &["filled.tsv line 3: pair 2 is not here as the sheet shows it", "Nothing of this file"]);
    let query = changed("topics.tsv", "reset a forgotten", "reset the forgotten");
    query.refused(1, &["filled.tsv line 2: pair 1 is not here as the sheet shows it", "take the line out"]);
    sandbox.write(
        "rubric.md",
        &include_str!("../../../../rubrics/default.md").replace("serves that need", "helps"),
    );
    sandbox.edit("llull.toml", "version = 1\n", "version = 1\nrubric = \"rubric.md\"\n");
    read(&sandbox, "filled.tsv", "anna")
        .ends(1)
        .says(&["filled.tsv line 2: pair 1 is not here", "or the rubric has"]);
    sandbox.edit("llull.toml", "rubric = \"rubric.md\"\n", "");
    assert_eq!(replies(&sandbox, "anna"), [], "nothing was recorded");
    // The judges agree by now.
    let same: Vec<&str> = known.lines().rev().collect();
    sandbox.write("other.qrels", &same.join("\n"));
    sandbox.llull(&["run", "-Q"]).ends(0);
    sandbox.llull(&["review", "--queue", "disagreement", "-o", "none.tsv"]).ends(1).says(&["the same grade"]);
    read(&sandbox, "filled.tsv", "anna").ends(0).says(&["anna: 2 answers new"]);
}

#[test]
fn what_is_no_answer_is_refused_with_its_line_and_nothing_is_taken() {
    let sandbox = study();
    sandbox.llull(&["review", "--queue", "random", "--most", "3", "-Q", "-o", "queue.tsv"]).ends(0);
    for (third, part) in [
        ("best", "column 2 (grade): found \"best\""),
        ("7", "column grade: grade 7 is not on the rubric's scale, 0 to 3"),
        ("left", "column 2 (grade): found \"left\""),
        ("1.5", "column 2 (grade): found \"1.5\""),
    ] {
        fill(&sandbox, ("queue.tsv", "filled.tsv"), |at| if at < 3 { "1" } else { third }.to_owned());
        read(&sandbox, "filled.tsv", "anna").refused(1, &["filled.tsv line 4, ", part]);
    }
    let text = sandbox.read("queue.tsv");
    sandbox.write("filled.tsv", &text.replace("random-n3", "chosen-n3"));
    read(&sandbox, "filled.tsv", "anna")
        .refused(1, &["filled.tsv line 2: found other", "beside the item chosen-n3-s42.1.", "a fresh sheet"]);
    read(&sandbox, "queue.tsv", "known").refused(1, &["\"known\" is a judge of this study", "another name"]);
    assert_eq!(replies(&sandbox, "anna"), [], "nothing was recorded");
    for (args, parts) in [
        (&["--read", "queue.tsv"][..], ["not provided", "--as <NAME>"]),
        (
            &["--read", "queue.tsv", "--as", "anna", "--queue", "random"],
            ["'--read <SHEET>'", "'--queue <QUEUE>'"],
        ),
        (&["-o", "queue.tsv", "--port", "80"], ["'--output <FILE>'", "'--port <PORT>'"]),
        (&["--queue", "random", "-o", "-", "--json"], ["--json and -o -", "leave out one"]),
        (
            &["--queue", "sample", "--most", "2", "-o", "x.tsv"],
            ["--most: a sample is shown whole", "leave it out"],
        ),
    ] {
        sandbox.llull(&[&["review"], args].concat()).refused(2, &parts);
    }
}

#[test]
fn two_documents_stand_on_a_sheet_as_they_stand_on_a_page() {
    let sandbox = compared_by(REPLAY, "pairwise", "schedule = \"exhaustive\"");
    sandbox.llull(&["run", "-Q"]).ends(0);
    sandbox.llull(&["review", "--most", "3", "-o", "queue.tsv"]).ends(0).says(&[
        "wrote queue.tsv, 3 lines",
        "llull agree --people compares the judges with these comparisons; they are no votes",
    ]);
    check!(sandbox.read("queue.tsv"));
    let rubric = sandbox.read("queue.rubric.md");
    assert!(rubric.contains("Put left, right or neither into the column `answer` of each line"), "{rubric}");
}

/// The rubric beside a sheet has a name that nobody typed: a link of that name led it elsewhere.
#[cfg(unix)]
#[test]
fn the_rubric_beside_a_sheet_is_written_through_no_link() {
    let sandbox = tiny_judged_by(REPLAY);
    sandbox.llull(&["run"]).ends(0);
    sandbox.write("mine", "mine");
    std::os::unix::fs::symlink(sandbox.path("mine"), sandbox.path("sheet.rubric.md")).unwrap();
    let said = sandbox.llull(&["review", "--queue", "random", "-o", "sheet.csv"]).ends(1);
    said.says(&["sheet.rubric.md", "is a symbolic link"]);
    assert_eq!(sandbox.read("mine"), "mine");
}

/// Who goes by the name of all people would be taken for all of them.
#[test]
fn nobody_is_called_as_all_reviewers_are() {
    let sandbox = tiny_judged_by(REPLAY);
    sandbox.llull(&["run"]).ends(0);
    sandbox.llull(&["review", "--queue", "random", "-o", "sheet.tsv"]).ends(0);
    for name in ["the reviewers", "The Reviewers"] {
        read(&sandbox, "sheet.tsv", name).ends(1).says(&["all annotators together"]);
    }
    sandbox.edit("llull.toml", "name = \"known\"", "name = \"the reviewers\"");
    sandbox.llull(&["run"]).ends(1).says(&["all annotators together"]);
}
