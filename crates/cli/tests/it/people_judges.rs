//! People as judges of a study's panel, and as its reference.

use serde_json::Value;

use crate::sample::{fill, study};
use crate::sandbox::Sandbox;

/// The study of `sample` with anna in the panel, who has labelled so many of a sample's 60 pairs.
fn with_anna(labelled: usize) -> Sandbox {
    let sandbox = study();
    let toml = sandbox.read("llull.toml");
    sandbox.write("llull.toml", &format!("{toml}\n[[judges]]\nmodel = \"person/anna\"\n"));
    sandbox.llull(&["sample", "-n", "60", "-o", "sheet.tsv"]).ends(0);
    if labelled > 0 {
        sandbox.write("filled.tsv", &fill(&sandbox, "sheet.tsv", labelled));
        sandbox.llull(&["sample", "--read", "filled.tsv", "--annotator", "anna"]).ends(if labelled < 60 {
            3
        } else {
            0
        });
    }
    sandbox
}

fn report(sandbox: &Sandbox) -> Value {
    serde_json::from_str(&sandbox.read("report.json")).unwrap()
}

#[test]
fn a_person_votes_and_a_run_asks_nobody() {
    let sandbox = with_anna(0);
    let nothing = sandbox.llull(&["run", "-Q", "--verbose"]).ends(0);
    nothing.says(&["judge person/anna has labelled no pair of this pool under this rubric"]);

    let sandbox = with_anna(30);
    sandbox
        .llull(&["run", "--verbose"])
        .ends(0)
        .rows(&["old 0.4875 0.5761 0 of 80 16 0", "new 0.8500 + 0.9995 + 0 of 80 16 0"])
        .says(&[
            "new is better than old: P(rel=2)@5 +0.3625 [+0.3000, +0.4250]",
            "Not corrected by human labels: person/anna is one of the judges",
            "of 30 pairs that several judges graded, they agree on 22, are one grade apart on 8, and further on 0",
            "person/anna: 30 judged; missing: 124 not asked",
            "A person's answers are those of one reader",
            "judge person/anna: 30 pairs, 30 already in the ledger, 0 to ask",
            "on 8 of 154 pairs the two differ, and by their mean the labels would be 0.0260 higher",
            "\n  new: P(rel=2)@5 0.9500 -> 0.8500, nDCG@5 1.0000 -> 0.9995\n  because judge person/anna is new\n",
            "because of the labels, 8 changed",
        ]);
    sandbox.llull(&["run", "--dry-run"]).ends(0).rows(&[
        "known 154 154 0 0 0 0 154",
        "person/anna 30 30 0 0 0 0 30",
        "person/anna: nothing is left to ask",
    ]);
    let json = report(&sandbox);
    let anna = &json["coverage"]["judges"][1];
    assert_eq!((&anna["judge"], &anna["judged"]), (&"person/anna".into(), &30.into()), "{anna}");
    let none = Value::Array(Vec::new());
    assert_eq!((&anna["unusable"], &anna["failed"]), (&none, &none), "{anna}");
    assert_eq!(json["study"]["judges"][1]["kind"], "person", "{}", json["study"]);
    assert_eq!(json["cost"]["judges"][1]["cost_usd"]["known"], 0.0, "{}", json["cost"]);
    let pairs = &json["panel"]["agreement"]["pairs"];
    assert!(json["panel"].to_string().contains("person/anna"), "she is in the panel: {pairs}");
    assert!(json["panel"]["without"].to_string().contains("person/anna"), "{}", json["panel"]["without"]);

    // Where the two differ the lower of two grades is the label: people's here, which is at most the judge's.
    sandbox.llull(&["label", "-Q", "-o", "all.qrels"]).ends(0);
    sandbox.llull(&["label", "-Q", "-o", "without.qrels", "--judge", "known"]).ends(0);
    let (all, without) = (sandbox.read("all.qrels"), sandbox.read("without.qrels"));
    let grade = |line: &str| line.rsplit(' ').next().map(str::to_owned);
    let changed = all.lines().zip(without.lines()).filter(|(one, other)| grade(one) != grade(other)).count();
    assert!((1..=30).contains(&changed), "{changed}");

    // Her labels of the sample correct nothing, and the reason is in every place that says so.
    let comparison = &json["decision"]["comparisons"][0];
    assert!(comparison["ppi"].is_null(), "{comparison}");
    let why = comparison["ppi_refused"].as_str().unwrap();
    assert!(why.starts_with("person/anna is one of the judges"), "{why}");
    assert!(
        json["decision"]["notes"].to_string().contains("correct nothing: "),
        "{}",
        json["decision"]["notes"]
    );
    sandbox.llull(&["compare", "old", "new"]).ends(0).says(&[why]);
    let status = sandbox.llull(&["sample", "--status", "--json"]).ends(0).json();
    assert_eq!((&status["no_course"], &status["courses"]), (&why.into(), &Value::Array(Vec::new())));
    sandbox.llull(&["label", "--calibrate", "isotonic", "-o", "c.qrels"]).ends(2).says(&[why]);
    sandbox.llull(&["doctor"]).ends(0).says(&["30 of 154 pairs labelled in the ledger; a run asks nobody"]);

    // Without her in the panel they do.
    sandbox.llull(&["report", "-Q", "--judge", "known"]).ends(0);
    assert!(report(&sandbox)["decision"]["comparisons"][0]["ppi"].is_object());
}

#[test]
fn what_a_person_cannot_be_in_a_study() {
    let sandbox = with_anna(20);
    let toml = sandbox.read("llull.toml");
    let with = |old: &str, new: &str| sandbox.write("llull.toml", &toml.replacen(old, new, 1));
    with("[pool]", "method = \"weights\"\n\n[pool]");
    sandbox.llull(&["report"]).refused(
        1,
        &["llull.toml: method = \"weights\"", "person/anna is both a judge and", "or choose another method"],
    );
    with("[pool]", "paradigm = \"pairwise\"\n\n[pool]");
    sandbox.llull(&["report"]).refused(
        1,
        &["llull.toml line 25: person/anna: ", "comparisons are no votes", "llull agree --people"],
    );
    with("[pool]", "[escalate]\nto = \"person/anna\"\nwhen = \"split\"\n\n[pool]");
    sandbox.llull(&["report"]).ends(1);
    with("person/anna\"", "person/anna\"\ntemperature = 0.5");
    sandbox.llull(&["report"]).ends(1).says(&["has no prompt, sampling, address, key, price or limit"]);
    with("person/anna", "person/ ");
    sandbox.llull(&["report"]).ends(1).says(&["`person/` needs the name of an annotator"]);
    with("known.qrels\"\n", "known.qrels\"\n[[judges]]\nname = \"again\"\nmodel = \"person/anna\"\n");
    sandbox.llull(&["report"]).ends(1).says(&["the same"]);
}

#[test]
fn the_reviewers_are_known_wherever_a_reference_is() {
    let sandbox = study();
    let toml = sandbox.read("llull.toml");
    sandbox.write("llull.toml", &toml.replace("[pool]", "reference = \"the reviewers\"\n\n[pool]"));
    sandbox.llull(&["doctor"]).ends(0).says(&["llull sample proposes one"]);
    sandbox.llull(&["sample", "-n", "60", "-o", "sheet.tsv"]).ends(0);
    sandbox.llull(&["doctor"]).ends(0).says(&["nobody has labelled one of the sample's 60 pairs yet"]);
    let nobody = sandbox.llull(&["audit", "--json"]).ends(0).json()["comparison"].clone();
    assert!(nobody[0]["with_people"].is_null(), "{nobody}");
    sandbox
        .llull(&["label", "--calibrate", "isotonic", "-o", "c.qrels"])
        .ends(2)
        .says(&["this study's sample has no label yet"]);

    sandbox.write("filled.tsv", &fill(&sandbox, "sheet.tsv", 60));
    sandbox.llull(&["sample", "--read", "filled.tsv", "--annotator", "anna"]).ends(0);
    sandbox.llull(&["doctor"]).ends(0).says(&["the reviewers (sample s", ": 60 of 60 pairs)"]);
    let judges = sandbox.llull(&["audit", "--json", "--sort", "first"]).ends(0).json();
    let judges = &judges["comparison"];
    assert_eq!((&judges[0]["judge"], &judges[0]["with_people"]["n"]), (&"known".into(), &60.into()));
    assert!(judges[1]["judge"] == "anna" && judges[1]["with_people"].is_null(), "{judges}");

    // Calibrated by them, and still corrected by them.
    sandbox.llull(&["label", "--calibrate", "isotonic", "-o", "calibrated.qrels"]).ends(0).says(&[
        "calibrated by the reviewers (sample s",
        ": 60 of 60 pairs); a query's labels by a fit to the others",
        "isotonic fitted to 60 pairs of 16 queries",
        "2                        2                1.5789     20\n",
        "kappa, quadratic             0.9438  [0.8370, 0.9847]      0.8917   [0.7714, 0.9612]\n",
        "does not bring the labels nearer to human ones (quadratic kappa 0.9438 before, 0.8917 after)",
    ]);
    assert_eq!(sandbox.read("calibrated.qrels").lines().count(), 154);

    // Whoever votes and is among the reviewers is named.
    let toml = sandbox.read("llull.toml");
    sandbox.write("llull.toml", &format!("{toml}\n[[judges]]\nmodel = \"person/anna\"\n"));
    sandbox.llull(&["report", "-Q"]).ends(0);
    let notes = report(&sandbox)["decision"]["notes"].to_string();
    assert!(notes.contains("person/anna votes in the panel and is among the reviewers"), "{notes}");
}
