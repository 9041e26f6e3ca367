//! What answers say about judges.

use llull_testkit::{FaultPlan, FaultyServer};

use crate::sandbox::{Sandbox, check, tiny, tiny_judged_by, write_tiny};

#[test]
fn of_a_study() {
    let sandbox = tiny();
    sandbox.llull(&["run", "-Q"]).ends(0);
    check!(sandbox.llull(&["audit"]).ends(0));
    let json: serde_json::Value =
        serde_json::from_str(&sandbox.llull(&["audit", "--json"]).ends(0).stdout).unwrap();
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    assert_eq!(json["judges"][0]["checks"], report["checks"], "the report has the same");
    assert_eq!(json["judges"][0]["position"], serde_json::Value::Null, "it compares nothing");
}

#[test]
fn before_anything_is_judged() {
    tiny().llull(&["audit"]).ends(3).says(&[
        "nothing to audit",
        "known: 11 of 11 pairs are not judged yet",
        "llull run",
    ]);
}

#[test]
fn a_bound_that_is_not_kept_ends_with_100() {
    let sandbox = tiny();
    let config = sandbox.read("llull.toml");
    let bounds = "[checks]\none_grade = \"<= 0.5\"\nposition_flip = \"<= 0.2\"\n\n[pool]";
    sandbox.write("llull.toml", &config.replace("[pool]", bounds));
    sandbox
        .llull(&["run"])
        .ends(100)
        .says(&["\nposition_flip <= 0.2 fails: these judges have no such figure"]);
    sandbox
        .llull(&["report"])
        .ends(100)
        .rows(&["one_grade <= 0.5 judge known 0.273 passed", "position_flip <= 0.2 n/a NOT MEASURED"]);
    let audited = sandbox.llull(&["audit"]).ends(100);
    assert!(
        audited.stdout.contains("position_flip <= 0.2 fails: these judges have no such figure"),
        "{audited}"
    );
    let report = sandbox.read("report.md");
    assert!(report.contains("**Gate not measured: position_flip &lt;= 0.2 fails"), "{report}");
    assert!(report.contains("| one_grade &lt;= 0.5 | judge known | 0.273 | passed |"), "{report}");
    let kept = bounds.replace("position_flip = \"<= 0.2\"\n", "");
    sandbox.write("llull.toml", &config.replace("[pool]", &kept));
    sandbox.llull(&["report"]).ends(0);
}

/// Documents that are changed are graded again: what that costs is said before, and it changes no label.
#[test]
fn probes_cost_calls_and_say_so() {
    let server = FaultyServer::start(FaultPlan { delay_ms: 2..=3, ..FaultPlan::default() }).unwrap();
    let mut sandbox = tiny_judged_by("[[judges]]\nname = \"served\"\nmodel = \"vllm/faulty-1\"\n");
    sandbox.set("LLULL_BASE_URL", &server.url());
    sandbox.llull(&["run", "-Q"]).ends(0);
    let (labels, votes) = (sandbox.read("labels.qrels"), server.served().total());
    sandbox
        .llull(&["audit", "--probe", "all", "--dry-run"])
        .ends(0)
        .says(&["served: 68 requests, about 66,926 tokens"]);
    assert_eq!(server.served().total(), votes, "nothing was asked");
    sandbox.llull(&["audit", "--probe", "injected,truncated", "--max-calls", "5"]).ends(3).says(&[
        "22 questions repeated to check its answers, 0 already in the ledger, 22 to ask, of which this run may",
        "The judge graded 4 changed documents of 1 query. The check needs at least 2 queries.",
        "this run's limit of 5 requests (--max-calls) is reached, with 5 requests; the same command goes on",
    ]);
    assert_eq!(server.served().total(), votes + 5);
    let all = sandbox.llull(&["audit", "--probe", "stuffed,injected,truncated", "--json"]).ends(0).json();
    assert_eq!(server.served().total(), 4 * votes, "each pair once for each of three probes");
    let checks = all["judges"][0]["checks"].as_array().unwrap();
    let probed = checks.iter().filter(|check| check["n"] == votes);
    let kinds: Vec<&str> = probed.filter_map(|check| check["kind"].as_str()).collect();
    assert!(["stuffed", "injected", "truncated"].iter().all(|kind| kinds.contains(kind)), "{all}");
    sandbox.llull(&["report"]).ends(0);
    assert_eq!(sandbox.read("labels.qrels"), labels);
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    assert_eq!(report["checks"], all["judges"][0]["checks"], "passed ones too");
    sandbox.llull(&["audit", "--probe", "swapped"]).ends(0).says(&[
        "served: 9 checks passed, 3 undecided\n",
        "repeated query words, instructions in documents, truncated documents\n",
        "swapped names and numbers  The judge graded 2 changed documents of 1 query. The check needs at least 2",
        "0 already in the ledger, 2 to ask",
    ]);
    let figures = sandbox.llull(&["audit", "--json"]).ends(0).json();
    for (kind, value, low, high) in [
        ("stuffed", -0.1574, -0.4978, 0.1830),
        ("injected", 0.0185, -0.8552, 0.8923),
        ("truncated", -0.0463, -0.4004, 0.3078),
    ] {
        let check = &figures[kind];
        let near = |key: &str, wanted: f64| (check[key].as_f64().unwrap() - wanted).abs() < 5e-5;
        assert!(near("value", value) && near("low", low) && near("high", high), "{check}");
        assert_eq!((&check["n"], &check["chance"]), (&11.into(), &0.0.into()));
    }
    assert_eq!(server.served().total(), 4 * votes + 2, "two documents have the CSV of their query");
    sandbox.llull(&["audit", "--dry-run"]).refused(2, &["--probe <PROBES>"]);
}

/// The dry run priced the judge of the last run, and the probe asked the one of llull.toml.
#[test]
fn a_probe_asks_the_judge_that_its_dry_run_prices() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let mut sandbox = tiny();
    sandbox.set("LLULL_BASE_URL", &server.url());
    sandbox.llull(&["run", "-Q", "--judge", "vllm/faulty-1"]).ends(0);
    let votes = server.served().total();
    let dry = sandbox.llull(&["audit", "--probe", "truncated", "--dry-run", "--json"]).ends(0).json();
    let priced = dry[0]["calls"].as_u64().unwrap();
    assert!(priced > 0 && dry[0]["judge"] == "faulty-1", "{dry}");
    sandbox.llull(&["audit", "--probe", "truncated"]).ends(0).says(&["settings of the last run"]);
    assert_eq!(server.served().total(), votes + priced);
}

/// Whether a judge knows the collection: what it costs, what is asked with words changed, and where the control is.
#[test]
fn contamination_beside_a_control() {
    let server = FaultyServer::start(FaultPlan { delay_ms: 2..=3, ..FaultPlan::default() }).unwrap();
    let judges = "[[judges]]\nname = \"served\"\nmodel = \"vllm/faulty-1\"\n";
    let mut sandbox = Sandbox::new();
    sandbox.set("LLULL_BASE_URL", &server.url());
    for (folder, more) in [("here/", ""), ("newer/", "[contamination]\nparaphrases = \"worded.tsv\"\n")] {
        write_tiny(&sandbox, folder, judges);
        let file = format!("{folder}llull.toml");
        let text = sandbox.read(&file);
        let text = text.replacen("corpus =", "reference = \"known.qrels\"\ncorpus =", 1);
        sandbox.write(&file, &text.replace("[pool]", &format!("{more}[pool]")));
        sandbox.write(
            &format!("{folder}worded.tsv"),
            "q1\twhat to do without a password\nq2\tsave tables as csv\nq3\tget rid of my account\n",
        );
        sandbox.llull(&["-C", folder, "run", "-Q"]).ends(0);
    }
    let audit = |more: &[&str]| {
        let mut words =
            vec!["-C", "here", "audit", "--probe", "contamination", "--paraphrases", "worded.tsv"];
        words.extend(more);
        sandbox.llull(&words)
    };
    audit(&["--dry-run"]).ends(0).says(&["served: 11 requests, about 10,752 tokens"]);
    let alone = audit(&[]).ends(0);
    assert!(
        alone
            .stdout
            .contains("Changed words lower agreement by themselves. The check needs a control collection"),
        "{alone}"
    );
    // Whoever has not asked the control has none; the command that asks is the same one there.
    assert!(audit(&["--control", "newer"]).ends(0).stdout.contains("The check needs a control collection"));
    sandbox.llull(&["-C", "newer", "audit", "--probe", "contamination"]).ends(0);
    let beside = audit(&["--control", "newer", "--json"]).ends(0);
    assert!(beside.stdout.contains("on the control changes from"), "{beside}");
    assert!(beside.stdout.contains("The check needs at least 6 queries in each collection."), "{beside}");
    sandbox
        .llull(&["-C", "here", "audit", "--control", "newer"])
        .ends(1)
        .says(&["newer: queries are to be paraphrased in both studies or in neither, and it has some: set \
         paraphrases under [contamination] in both"]);
    sandbox
        .llull(&["-C", "here", "audit", "--control", "nowhere"])
        .ends(1)
        .says(&["the control here/nowhere: ", "llull.toml"]);
    // From llull.toml it is outside the folder, which may be a stranger's, and in every report.
    let text = sandbox.read("here/llull.toml");
    let named = "[contamination]\nparaphrases = \"worded.tsv\"\ncontrol = \"../newer\"\n\n[pool]";
    sandbox.write("here/llull.toml", &text.replace("[pool]", named));
    sandbox.llull(&["-C", "here", "report"]).ends(1).says(&["contamination.control"]);
    sandbox.llull(&["-C", "here", "report", "--trust", "newer"]).ends(0);
    assert!(sandbox.read("here/report.json").contains("on the control changes from"));
}

/// Twenty queries, each pair in both orders; what it says decides unless `first` wins whatever it is.
fn pairs(always_first: bool) -> String {
    let mut table = "query,left,right,winner\n".to_owned();
    for query in 0..40 {
        let winners = if always_first { ["left", "left"] } else { ["left", "right"] };
        for (order, winner) in ["a,b", "b,a"].into_iter().zip(winners) {
            table += &format!("q{query},{order},{winner}\n");
        }
    }
    table
}

#[test]
fn of_a_file() {
    let sandbox = Sandbox::new();
    sandbox.write("first.csv", &pairs(true));
    check!(sandbox.llull(&["audit", "first.csv"]).ends(0));
    let json = |file: &str| -> serde_json::Value {
        serde_json::from_str(&sandbox.llull(&["audit", file, "--json"]).ends(0).stdout).unwrap()
    };
    let first = json("first.csv");
    assert_eq!(first["position"]["first_share"], 1.0);
    assert_eq!((&first["position"]["flip_rate"], &first["position"]["n"]), (&1.0.into(), &80.into()));
    assert_eq!(first["position"]["outcome"], "failed");
    sandbox.write("careful.csv", &pairs(false));
    let careful = json("careful.csv");
    assert_eq!((&careful["position"]["flip_rate"], &careful["outcome"]), (&0.0.into(), &"passed".into()));
    assert_eq!(careful["judges"][0]["position_flip"]["n"], 40);
}

#[test]
fn of_a_file_in_one_order() {
    let sandbox = Sandbox::new();
    let one: String = pairs(true).lines().step_by(2).map(|line| format!("{line}\n")).collect();
    let text = format!("query,left,right,winner\n{}", one.split_once('\n').unwrap().1);
    sandbox.write("one.csv", &text);
    let quiet = sandbox.llull(&["audit", "one.csv"]).ends(0);
    assert!(quiet.stdout.contains("the order may not be random"), "{quiet}");
    let loud = sandbox.llull(&["audit", "one.csv", "--random-order"]).ends(0);
    assert!(loud.stdout.contains("\n  FAILED   favours the first document "), "{loud}");
}

#[test]
fn of_a_file_that_is_none() {
    let sandbox = Sandbox::new();
    sandbox.write("bad.csv", "query,left,right,winner\nq1,a,b,c\n");
    sandbox
        .llull(&["audit", "bad.csv"])
        .refused(1, &["bad.csv line 2, column 4 (winner): found \"c\"", "left, right"]);
    sandbox
        .llull(&["audit", "bad.csv", "--judge", "x"])
        .refused(2, &["--judge", "files are given; leave it out"]);
}
