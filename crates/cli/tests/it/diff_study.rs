//! `llull diff` in a study: rubrics, prompts and judges of one ledger, and a sample of what a change would do.

use llull::judge::Rubric;
use llull_testkit::{FaultPlan, FaultyServer};

use crate::sandbox::{Sandbox, TINY_PAIRS, tiny, tiny_judged_by, tiny_served};

/// A study that was judged under the rubric in its folder, which changed since.
fn changed_rubric(server: &FaultyServer) -> (Sandbox, [String; 2]) {
    let sandbox = tiny_served(&server.url());
    sandbox.edit("llull.toml", "version = 1\n", "version = 1\nrubric = \"rubric.md\"\n");
    sandbox.write("rubric.md", Rubric::default_text());
    sandbox.llull(&["run"]).ends(0);
    let now = format!("{}\nA page that only names the topic is not relevant.\n", Rubric::default_text());
    sandbox.write("old-rubric.md", Rubric::default_text()).write("rubric.md", &now);
    let short = |text: &str| Rubric::parse(text, "rubric").unwrap().hash.to_string()[..8].to_owned();
    let hashes = [short(Rubric::default_text()), short(&now)];
    (sandbox, hashes)
}

/// What a sample says of all labels, before they are paid for; and after all are, they are the labels that were said.
#[test]
fn a_changed_rubric_is_tried_on_a_few_pairs_and_nothing_is_paid_twice() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let (sandbox, [then, now]) = changed_rubric(&server);
    let before = server.served().total();

    let dry = sandbox.llull(&["diff", "--sample", "4", "--dry-run"]).ends(0);
    dry.says(&[
        "4 of the 11 pairs with an earlier label: served: 4 requests",
        "to ask all that is left, served: 11",
    ]);
    assert_eq!(server.served().total(), before, "a dry run asks nothing");

    let first = sandbox.llull(&["diff", "--sample", "4", "--json"]).ends(0).json();
    assert_eq!(server.served().total(), before + 4);
    let sample = &first["sample"];
    assert_eq!((sample["of"].as_u64(), sample["drawn"].as_u64()), (Some(TINY_PAIRS), Some(4)));
    assert_eq!((sample["answered"].as_u64(), first["pairs"]["both"].as_u64()), (Some(4), Some(4)));
    assert_eq!(sample["changed"]["count"], first["pairs"]["differ"]);
    assert_eq!(first["changed"][0], format!("the rubric ({then} then, {now} now)"));
    assert_eq!(first["cost_of_all"][0]["calls"], TINY_PAIRS - 4);

    let again = sandbox.llull(&["diff", "--sample", "4", "--json"]).ends(0).json();
    assert_eq!(server.served().total(), before + 4, "the same pairs are drawn, and known");
    assert_eq!(again["pairs"], first["pairs"]);

    sandbox.llull(&["run"]).ends(0);
    assert_eq!(server.served().total(), before + TINY_PAIRS, "the sample's answers are the run's");
    let all = sandbox.llull(&["diff", "--json"]).ends(0).json();
    assert_eq!(all["pairs"]["both"], TINY_PAIRS);
    let listed = |json: &serde_json::Value| json["pairs"]["listed"].as_array().unwrap().clone();
    for pair in listed(&first) {
        assert!(listed(&all).contains(&pair), "{pair}");
    }
    assert_eq!(all["systems"][0]["systems"][0]["system"], "old");
}

/// A whole run asks a share of the pairs again, to learn how the judge answers. A sample does not, as its price says.
#[test]
fn a_sample_asks_nothing_again() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let (sandbox, _) = changed_rubric(&server);
    let now = sandbox.read("rubric.md");
    sandbox.edit("llull.toml", "version = 1\n", "version = 1\nrecheck = 1.0\n");
    sandbox.write("rubric.md", Rubric::default_text()).llull(&["run"]).ends(0);
    assert_eq!(server.served().total(), 2 * TINY_PAIRS, "the votes, and each again");
    sandbox.write("rubric.md", &now);
    sandbox.llull(&["diff", "--sample", "4", "--dry-run"]).ends(0).says(&[
        "4 of the 11 pairs with an earlier label: served: 4 requests",
        "to ask all that is left, served: 22 requests",
    ]);
    let found = sandbox.llull(&["diff", "--sample", "4", "--json"]).ends(0).json();
    assert_eq!(server.served().total(), 2 * TINY_PAIRS + 4);
    assert_eq!(
        (found["sample"]["answered"].as_u64(), found["cost_of_sample"][0]["calls"].as_u64()),
        (Some(4), Some(4))
    );
    assert_eq!(found["cost_of_all"][0]["calls"], 2 * TINY_PAIRS - 4);
    sandbox.llull(&["run"]).ends(0);
    assert_eq!(server.served().total(), 4 * TINY_PAIRS, "the rest, and each again");
}

/// Both rationales stand below each label that changed, and a side has several names.
#[test]
fn two_rubrics_of_one_ledger() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let (sandbox, [then, now]) = changed_rubric(&server);
    sandbox.llull(&["run"]).ends(0);
    let shown = sandbox.llull(&["diff", "--limit", "3"]);
    let by = |a: &str, b: &str| sandbox.llull(&["diff", a, b, "--json"]).ends(0).json()["pairs"].clone();
    let earlier = by("earlier", "now");
    assert!(earlier["differ"].as_u64().unwrap() > 0, "{earlier}");
    assert_eq!(by(&format!("@{then}"), &format!("@{now}")), earlier);
    assert_eq!(by("@old-rubric.md", "served"), earlier);
    assert_eq!(by(&format!("served@{then}"), "now"), earlier);
    let first = &earlier["listed"][0];
    for side in ["a", "b"] {
        assert_eq!(first[side]["judges"][0]["judge"], "served");
        assert!(first[side]["judges"][0]["rationale"].is_string(), "{first}");
    }
    shown
        .ends(0)
        .rows(&[
            "from A to B: the rubric (ee45fb4b then, 34af1ec1 now)",
            "kappa 0.0941 [n/a, n/a] 11",
            "P(rel=2)@1 A B B less A rank",
            "old 0.6667 0.0000 -0.6667 1 to 2",
            "verdicts by nDCG@3 that change: 0 of 1",
            "q2 b4 3 0 3",
        ])
        .says(&[
            "A: earlier (served: vllm/faulty-1, prompt graded, rubric ee45fb4b), 11 labels",
            "B: now (served: vllm/faulty-1, prompt graded, rubric 34af1ec1), 11 labels",
            "7 of 11 labels change, 63.6%: B is higher on 2 and lower on 5; B less A is -0.7273",
            "\n    \"export a report as csv\" - \"Scheduled reports\"\n    A, served 3: A stand-in's answer",
            "\n    B, served 0: A stand-in's answer",
        ]);
}

/// A side that is not there is answered with what is.
#[test]
fn a_side_that_the_ledger_does_not_have() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let (sandbox, [then, _]) = changed_rubric(&server);
    sandbox
        .llull(&["diff", "@0123abcd"])
        .ends(1)
        .says(&["The ledger has", &format!("rubric {then}, 11 answers")]);
    sandbox.llull(&["diff", "gpt"]).ends(1).says(&["there is no such judge, and no such file", "served@"]);
    sandbox.llull(&["diff", "--sample", "4", "now"]).ends(1).says(&["there is no label to draw from"]);
    sandbox.llull(&["diff", "a.qrels", "--runs", "old.run"]).ends(2).says(&["--runs is about two files"]);
    let elsewhere = Sandbox::new();
    elsewhere
        .llull(&["diff", "a.qrels", "b.qrels"])
        .ends(1)
        .says(&["there is no such file", "holds no study"]);
}

/// Labels in a file beside those of the study: the labels that are known are the judge's own.
#[test]
fn a_file_and_the_study() {
    let sandbox = tiny();
    sandbox.llull(&["run"]).ends(0);
    let json = sandbox.llull(&["diff", "known.qrels", "now", "--json"]).ends(0).json();
    assert_eq!(
        (json["pairs"]["both"].as_u64(), json["pairs"]["differ"].as_u64()),
        (Some(TINY_PAIRS), Some(0))
    );
    assert_eq!(json["systems"][0]["verdicts"][0]["changed"], false);
    sandbox.llull(&["diff"]).ends(1).says(&["the ledger has no such answers of the study's judges"]);
}

/// Judges that compare are not asked about one pair.
#[test]
fn a_sample_of_comparisons_is_refused() {
    let sandbox = tiny();
    sandbox.llull(&["diff", "--sample", "4", "--paradigm", "pairwise"]).ends(1).says(&["where judges grade"]);
}

/// Judges and a panel of one study: the label of a panel is the median.
#[test]
fn two_judges_and_their_panel() {
    let judge = |name: &str| {
        format!(
            "[[judges]]\nname = \"{name}\"\nmodel = \"replay\"\nlabels = \"{name}.qrels\"\nscale = \"0..3\"\n"
        )
    };
    let sandbox = tiny_judged_by(&["known", "strict", "third"].map(judge).concat());
    let known = sandbox.read("known.qrels");
    sandbox
        .write("strict.qrels", &known.replace(" 3\n", " 1\n"))
        .write("third.qrels", &known.replace("b4 1", "b4 0"));
    sandbox.llull(&["run"]).ends(0);
    let differ = |a: &str, b: &str| {
        let json = sandbox.llull(&["diff", a, b, "--json"]).ends(0).json();
        (json["pairs"]["both"].as_u64().unwrap(), json["pairs"]["differ"].as_u64().unwrap())
    };
    assert_eq!(differ("known", "strict"), (TINY_PAIRS, 3));
    assert_eq!(differ("strict", "known,strict,third"), (TINY_PAIRS, 3), "two of three say 3");
    assert_eq!(differ("known", "now"), (TINY_PAIRS, 0));
}

/// The tournaments of before are played again from their answers, and their labels are those that were reported.
#[test]
fn two_rubrics_of_judges_that_compare() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let sandbox = tiny_served(&server.url());
    sandbox.edit("llull.toml", "version = 1\n", "version = 1\nrubric = \"rubric.md\"\n");
    sandbox.write("rubric.md", Rubric::default_text());
    sandbox.llull(&["run", "--paradigm", "pairwise"]).ends(0);
    sandbox.llull(&["label", "-o", "before.qrels"]).ends(0);
    sandbox.write(
        "rubric.md",
        &format!("{}\nA page that only names the topic is not relevant.\n", Rubric::default_text()),
    );
    sandbox.llull(&["run", "--paradigm", "pairwise"]).ends(0);
    let asked = server.served().total();
    let json = sandbox.llull(&["diff", "--json"]).ends(0).json();
    let by_file = sandbox.llull(&["diff", "before.qrels", "now", "--json"]).ends(0).json();
    assert_eq!(json["pairs"]["both"], by_file["pairs"]["both"]);
    assert_eq!(json["pairs"]["differ"], by_file["pairs"]["differ"]);
    assert_eq!(json["systems"][0]["systems"], by_file["systems"][0]["systems"]);
    assert_eq!(server.served().total(), asked, "nothing is asked");
}
