//! `llull plan`

use serde_json::Value;

use crate::sandbox::{Sandbox, check, command_line};

fn plan(arguments: &[&str]) -> Value {
    let sandbox = Sandbox::new();
    let all: Vec<&str> = ["plan"].into_iter().chain(arguments.iter().copied()).chain(["--json"]).collect();
    sandbox.llull(&all).ends(0).json()
}

#[test]
fn a_seed_gives_the_same_bytes() {
    let sandbox = Sandbox::new();
    let run = |seed| {
        let arguments =
            ["plan", "--documents", "50", "--noise", "1", "--seeds", "30", "--seed", seed, "--json"];
        sandbox.llull(&arguments).ends(0).stdout
    };
    assert_eq!(run("1"), run("1"));
    assert_ne!(run("1"), run("2"));
}

#[test]
fn queries_are_added_up() {
    let found =
        plan(&["--documents", "25", "--window", "5", "--top", "3", "--seeds", "5", "--queries", "43"]);
    assert_eq!(found["total"]["queries"], 43);
    assert_eq!(found["total"]["calls"]["mean"], 301.0);
    assert!(plan(&["--documents", "25", "--seeds", "1"]).get("total").is_none());
}

#[test]
fn a_plan() {
    check!(Sandbox::new().llull(&["plan", "--documents", "100", "--queries", "43"]).ends(0));
}

#[test]
fn a_plan_with_all_that_can_be_said() {
    let arguments = command_line(
        "plan --documents 1200 --window 40 --top 5 --queries 1 --noise 0.5 --ties 0.1 --schedule \
         parallel --rejudge 0 --prior 0.1 --seeds 1 --seed 7",
    );
    Sandbox::new()
        .llull(&arguments)
        .ends(0)
        .rows(&[
            "parallel * 31.0 31 31 31 31 2.0 2 1.0000 1.0000 1.0000 0.9750 0.2266",
            "heapsort 39.0 39 39 39 39 39.0 39 1.0000 1.0000 1.0000 n/a 0.7870",
            "all pairs 719,400 719,400 719,400 719,400 719,400 1.0 1 n/a n/a n/a n/a n/a",
        ])
        .says(&[
            "1,200 documents by true rank + N(0, 120), 40 at a time, the top 5; a judge with noise 0.5 that ties 10%",
            "All pairs of more than 1,000 documents are counted, not simulated.",
            "1 query: about 31 calls, at most 31, in at most 2 waves",
        ]);
}

/// The table of the planning guide is compared by tutorial.rs.
#[test]
fn what_paradigms_are_priced_by_is_said() {
    let shown =
        Sandbox::new().llull(&["plan", "--documents", "25", "--windows", "5", "--seeds", "3"]).ends(0);
    assert!(
        shown.stdout.contains("1,000 tokens and 200 more for each document, an answer 100 and 5 more"),
        "{shown}"
    );
    assert!(shown.stdout.contains("unknown"), "{shown}");
}

/// 25 documents by themselves and in fives, which take 7 calls: 25 x (90 + 10) and 7 x (90 + 50) tokens of prompts,
/// 25 x 20 and 7 x (20 + 25) of answers.
#[test]
fn the_cost_of_a_paradigm_is_that_of_its_calls() {
    let sizes = ["--documents", "25", "--windows", "5", "--top", "3", "--seeds", "5", "--queries", "2"];
    let tokens = ["--document-tokens", "10", "--prompt-tokens", "90", "--answer-tokens", "20"];
    let found = plan(&[&sizes[..], &tokens, &["--price", "1,10"]].concat());
    let [graded, listwise] = [0, 1].map(|at| found["paradigms"][at].clone());
    assert_eq!((&graded["paradigm"], &listwise["paradigm"]), (&"graded".into(), &"listwise".into()));
    for (row, calls, prompts, answers) in [(graded, 25.0, 2500.0, 500.0), (listwise, 7.0, 980.0, 315.0)] {
        assert_eq!(row["calls"]["mean"], calls);
        assert_eq!(
            (&row["tokens"]["prompts"], &row["tokens"]["answers"]),
            (&prompts.into(), &answers.into())
        );
        let usd = row["usd"].as_f64().unwrap();
        assert!((usd - (prompts + 10.0 * answers) / 1e6).abs() < 1e-12, "{row:#}");
        assert!((row["total"]["usd"].as_f64().unwrap() - 2.0 * usd).abs() < 1e-12, "{row:#}");
    }
}

#[test]
fn json() {
    let size = ["--documents", "12", "--window", "4", "--top", "3"];
    let found = plan(&[&size[..], &["--seeds", "20", "--queries", "2"]].concat());
    for (path, expected) in serde_json::json!({
        "/documents": 12, "/window": 4, "/top": 3, "/schedule": "sequential", "/noise": 0.0, "/ties": 0.0,
        "/prior": null, "/rejudge": null, "/seeds": 20, "/seed": 42, "/measure": "nDCG(dcg='exp-log2')@3",
        "/total/queries": 2, "/total/waves": 6.0, "/total/calls": {"mean": 10.2, "max": 12.0},
        "/calls": {"mean": 5.1, "min": 5.0, "p5": 5.0, "p50": 5.0, "p95": 6.0, "max": 6.0},
        "/ndcg/mean": 1.0, "/tau/p50": 0.803030303030303,
        // 1.25 ((n-1)/(k-1) + (m-1)/(k-1) (1 + log_k m)), as docs/guides/planning-cost.md has it
        "/bound": 1.25 * (11.0 / 3.0 + 2.0 / 3.0 * (1.0 + 3f64.log(4.0))),
        "/schedulers/parallel/waves/mean": 2.7, "/schedulers/all pairs/calls/mean": 66.0,
        "/schedulers/sliding window/tau/min": 0.696969696969697, "/schedulers/heapsort/calls/mean": 8.75,
    })
    .as_object()
    .unwrap()
    {
        match (found.pointer(path).unwrap().as_f64(), expected.as_f64()) {
            (Some(found), Some(expected)) => assert!((found - expected).abs() < 1e-12, "{path}: {found}"),
            _ => assert_eq!(found.pointer(path), Some(expected), "{path}"),
        }
    }
    assert_eq!(found["schedulers"].as_object().unwrap().len(), 6);
    assert_eq!(found["calls"], found["schedulers"]["sequential"]["calls"]);
}

/// Documents of one grade differ, so that a kappa of .33 is noise .92; the formulas are checked in llull-rank.
#[test]
fn noise_is_given_by_what_a_judge_shows() {
    for (term, noise) in [(["--kappa", "0.33"], 0.92), (["--flip-rate", "0.1"], 0.16)] {
        let found = plan(&[&["--documents", "20", "--seeds", "2"], &term[..]].concat());
        let name = term[0].trim_start_matches('-').replace('-', "_");
        assert!((found["noise"].as_f64().unwrap() - noise).abs() < 0.005, "{found:#}");
        assert_eq!(found[&name].to_string(), term[1]);
    }
    for (term, refusal) in [
        (
            ["--kappa", "0.9"],
            "a kappa of 0.9: a simulated judge has one above 0, and at most 0.82 without any noise",
        ),
        (["--flip-rate", "0.6"], "a flip rate of 0.6: a judge that answers at random changes half"),
    ] {
        let arguments = [&["plan", "--documents", "20"], &term[..]].concat();
        Sandbox::new().llull(&arguments).ends(1).says(&[refusal]);
    }
}

#[test]
fn what_cannot_be_planned_is_said() {
    let sandbox = Sandbox::new();
    for (arguments, said) in [
        (&["--documents", "0"][..], "0 is not in 2..=10000"),
        (&["--documents", "1"], "1 is not in 2..=10000"),
        (&["--documents", "99999999999"], "99999999999 is not in 2..=10000"),
        (&["--documents", "10", "--window", "1"], "1 is not in 2..=10000"),
        (&["--documents", "10", "--top", "0"], "0 is not in 1..=10000"),
        (&["--documents", "10", "--noise", "-1"], "0 or more, such as 0.5"),
        (&["--documents", "10", "--noise", "NaN"], "0 or more, such as 0.5"),
        (&["--documents", "10", "--noise", "inf"], "0 or more, such as 0.5"),
        (&["--documents", "10", "--kappa", "1.5"], "a kappa above 0 (chance) and at most 1"),
        (&["--documents", "10", "--ties", "1.1"], "from 0 to 1, such as 0.1"),
        (&["--documents", "10", "--prior=-0.2"], "0 or more, such as 0.5"),
        (&["--documents", "10", "--seeds", "0"], "0 is not in 1..=100000"),
        (&["--documents", "10", "--queries", "0"], "0 is not in 1..=1000000"),
        (
            &["--documents", "10", "--schedule", "fast"],
            "[possible values: sequential, balanced, parallel, exhaustive]",
        ),
        (&["--documents", "10", "--windows", "5,1"], "1 is not in 2..=10000"),
        (&["--documents", "10", "--windows", "5", "--window", "3"], "cannot be used with"),
        (&["--documents", "10", "--windows", "20"], "a judge is shown at most all 10 documents"),
        (&["--documents", "10", "--price", "1,2"], "--windows <K,K...>"),
        (&["--documents", "10", "--windows", "5", "--price", "1,-2"], "such as 0.15,0.60"),
        (&[], "--documents <N>"),
        (
            &["--documents", "501", "--schedule", "exhaustive"],
            "--schedule exhaustive of 501 documents is not simulated: plan for 500 or fewer",
        ),
    ] {
        let all: Vec<&str> = ["plan"].into_iter().chain(arguments.iter().copied()).collect();
        let transcript = sandbox.llull(&all).ends(2);
        assert!(transcript.stderr.contains(said) && transcript.stdout.is_empty(), "{said}: {transcript}");
    }
    let top = sandbox.llull(&["plan", "--documents", "10", "--top", "11"]).ends(2);
    top.says(&[
        "error: --top 11 of 10 documents: ask for --top 10 to put all of them in order, or for fewer\n",
    ]);
}

#[test]
fn listed_prices_have_their_day_and_source() {
    let shown =
        Sandbox::new().llull(&["models", "--prices"]).ends(0).says(&["US dollars per million tokens"]);
    let rows: Vec<Vec<&str>> = shown.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(rows.contains(&vec!["model", "input", "cached", "output", "listed", "on"]), "{shown}");
    assert!(rows.contains(&vec!["openai/gpt-4o", "2.5", "1.25", "10", "2026-11-25"]), "{shown}");
    let listed = Sandbox::new().llull(&["models", "--prices", "--json"]).ends(0).json();
    let listed = listed.as_array().unwrap();
    let one = listed.iter().find(|listed| listed["model"] == "openai/gpt-4o").unwrap();
    assert_eq!(one["cached_per_million"], 1.25, "{one}");
    assert!(one["source"].as_str().unwrap().contains("https://developers.openai.com/"), "{one}");
}
