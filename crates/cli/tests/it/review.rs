//! `llull review`

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command};

use crate::comparing::compared_by;
use crate::sample::study;
use crate::sandbox::{REPLAY, Sandbox, check};

/// How many pairs are reviewed.
const PAIRS: usize = 30;

/// A server of the review, and whoever opened its address.
pub(crate) struct Reviewer {
    pub(crate) process: Child,
    host: String,
    cookie: String,
}

impl Reviewer {
    fn new(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        Self::of(sandbox, &[&["review"], arguments].concat())
    }

    /// Of any command that lets people review.
    pub(crate) fn of(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let mut process = sandbox.command(arguments).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (host, token) = line.trim().strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
        let port = host.split_once(':').unwrap().1;
        Self { process, cookie: format!("llull_{port}={token}"), host: host.to_owned() }
    }

    fn send(&self, head: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let Self { host, cookie, .. } = self;
        let request =
            format!("{head} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n{body}");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Opens a page, wherever it leads.
    pub(crate) fn open(&self, address: &str) -> String {
        let got = self.send(&format!("GET {address}"), "\r\n");
        match got.split_once("location: ") {
            Some((_, rest)) if got.starts_with("HTTP/1.1 303") => {
                self.open(rest.split("\r\n").next().unwrap())
            }
            _ => got,
        }
    }

    /// Presses a button of a page, and returns what that gives.
    pub(crate) fn press(&self, page: &str, act: &str) -> String {
        let form = between(page, "id=\"answer\"", "</form>");
        let mut fields = form.split("type=\"hidden\" ").skip(1).fold(String::new(), |all, field| {
            format!("{all}{}={}&", between(field, "name=\"", "\""), between(field, "value=\"", "\""))
        });
        fields += &format!("act={}", act.replace(' ', "+"));
        let head = format!(
            "Origin: http://{}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n",
            self.host,
            fields.len()
        );
        self.send("POST /answer", &(head + &fields))
    }
}

pub(crate) fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    text.split_once(before).unwrap_or_else(|| panic!("{text}")).1.split_once(after).unwrap().0
}

/// Thirty pairs are answered, and the server is killed after some of them. The labels are what was typed.
#[test]
fn a_review_that_is_killed_loses_no_answer() {
    let sandbox = study();
    sandbox.llull(&["sample", "-n", "30", "-Q"]).ends(0);
    let mut typed = BTreeMap::new();
    for part in [0..13, 13..PAIRS] {
        let mut reviewer = Reviewer::new(&sandbox, &["--as", "anna"]);
        let end = part.end;
        for at in part {
            let page = reviewer.open("/");
            assert!(page.contains(&format!("{at} answered")), "{page}");
            let document = between(&page, "data-document=\"", "\"").to_owned();
            let got = reviewer.press(&page, &format!("grade {}", at % 4));
            assert!(got.starts_with("HTTP/1.1 303"), "{got}");
            typed.insert(document, at % 4);
        }
        assert_eq!(reviewer.open("/").contains("Nothing is left"), end == PAIRS);
        // SIGKILL: the process has no say in it.
        reviewer.process.kill().unwrap();
        reviewer.process.wait().unwrap();
    }
    assert_eq!(typed.len(), PAIRS);
    sandbox.llull(&["sample", "-o", "sheet.tsv", "-Q"]).ends(0);
    // What was typed is what a report decides by, and what a sheet of the same answers would change nothing of.
    let grade = |cells: &[String]| typed[&cells[4]].to_string();
    let sheet: Vec<String> = sandbox
        .read("sheet.tsv")
        .lines()
        .enumerate()
        .map(|(line, text)| {
            let mut cells: Vec<String> = text.split('\t').map(str::to_owned).collect();
            if line > 0 {
                cells[1] = grade(&cells);
            }
            cells.join("\t")
        })
        .collect();
    sandbox.write("typed.tsv", &sheet.join("\n"));
    let read = ["sample", "--read", "typed.tsv", "--annotator", "anna", "-o", "human.qrels"];
    sandbox
        .llull(&read)
        .ends(0)
        .says(&["anna: 0 answers new, 0 corrected, 0 set aside, 30 as before, 0 blank"]);
    for line in sandbox.read("human.qrels").lines() {
        let cells: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(typed[cells[2]].to_string(), cells[3], "{line}");
    }
    sandbox.llull(&["ledger", "check"]).ends(0);
    sandbox.llull(&["report", "-Q"]).ends(0);
    assert!(sandbox.read("report.md").contains("anna 30"), "who labelled is said");
}

/// A run begins and ends while somebody reviews.
#[test]
fn a_run_beside_it_goes_on() {
    let sandbox = study();
    sandbox.llull(&["sample", "-n", "30", "-Q"]).ends(0);
    let mut reviewer = Reviewer::new(&sandbox, &["--as", "anna"]);
    let page = reviewer.open("/");
    sandbox.llull(&["run", "-Q"]).ends(0);
    assert!(reviewer.press(&page, "grade 1").starts_with("HTTP/1.1 303"));
    sandbox.llull(&["run", "-Q"]).ends(0);
    assert!(reviewer.open("/").contains("1 answered"));
    let interrupted =
        Command::new("kill").args(["-INT", &reviewer.process.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    assert_eq!(reviewer.process.wait().unwrap().code(), Some(0));
    let mut said = String::new();
    reviewer.process.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    insta::assert_snapshot!(said, @"open this address in a browser; Ctrl-C ends the server");
}

/// Where judges compare, documents stand side by side; judges are held against what people say of them.
#[test]
fn documents_side_by_side_are_what_judges_are_held_against() {
    let sandbox = compared_by(REPLAY, "pairwise", "schedule = \"exhaustive\"");
    sandbox.llull(&["run", "-Q"]).ends(0);
    sandbox
        .llull(&["agree", "--people"])
        .refused(1, &["nobody has compared documents of this study", "llull review --as NAME"]);
    let labels = sandbox.read("labels.qrels");
    for (who, act, times) in [("anna", "left", 5), ("ben", "right", 2)] {
        let mut reviewer = Reviewer::new(&sandbox, &["--as", who]);
        for _ in 0..times {
            let page = reviewer.open("/");
            let got = reviewer.press(&page, act);
            assert!(got.starts_with("HTTP/1.1 303"), "{got}");
        }
        reviewer.process.kill().unwrap();
        reviewer.process.wait().unwrap();
    }
    check!(sandbox.llull(&["agree", "--people"]).ends(0));
    let json = sandbox.llull(&["agree", "--people", "--json"]).ends(0).json();
    assert_eq!(json["people"], serde_json::json!([["anna", 5], ["ben", 2]]));
    assert_eq!(json["other_queues"], serde_json::Value::Null);
    assert_eq!(
        json["random"]["judges"][0]["modes"][0]["n"], 3,
        "on two of five pairs the two people cancel out"
    );
    // Ben said the opposite of anna on two pairs; nobody is held against their own answers.
    let beside = |more: &[&str]| sandbox.llull(&[&["agree", "--people", "--json"], more].concat());
    let one = beside(&["anna", "--judge", "ben", "--judge", "known"]).ends(0).json();
    let judges = one["random"]["judges"].as_array().unwrap();
    let named: Vec<_> = judges.iter().map(|judge| (&judge["judge"], &judge["modes"][0]["n"])).collect();
    assert_eq!(named, [(&"known".into(), &5.into()), (&"ben".into(), &2.into())], "{one}");
    assert_eq!(judges[1]["modes"][0]["precision"], 0.0, "{one}");
    let turned = beside(&["--judge", "anna"]).ends(0).json();
    assert_eq!(turned["people"], serde_json::json!([["ben", 2]]));
    assert_eq!(turned["random"]["judges"][0]["modes"][0]["n"], 2, "{turned}");
    beside(&["--judge", "anna", "--judge", "ben"]).ends(1).says(&["nobody but anna and ben compared"]);
    beside(&["--judge", "carla"]).ends(1).says(&["nobody who compared its documents"]);
    sandbox.llull(&["report", "-Q"]).ends(0);
    assert_eq!(sandbox.read("labels.qrels"), labels, "people's comparisons are no votes");
    sandbox
        .llull(&["agree", "--people", "human.qrels"])
        .refused(2, &["human.qrels: with --people", "(anna, ben)"]);
}

#[test]
fn what_cannot_be_reviewed_is_said() {
    let sandbox = study();
    for (args, code, parts) in [
        (&["--as", "anna"][..], 1, ["no sample yet", "llull sample"]),
        (&["--as", "known", "--query", "q1"], 1, ["\"known\" is a judge of this study", "another name"]),
        (&["--queue", "disagreement"], 1, ["nothing is in the queue disagreement", "a panel needs two"]),
        (&["--most", "5"], 2, ["--most: a sample is shown whole", "leave it out"]),
        (
            &["--queue", "cycles"],
            1,
            ["the queue cycles has comparisons", "take --queue sample, disagreement"],
        ),
    ] {
        sandbox.llull(&[&["review"], args].concat()).refused(code, &parts);
    }
}
