//! What answers say about judges.

use crate::sandbox::{check, tiny};

#[test]
fn of_a_study() {
    let sandbox = tiny();
    sandbox.llull(&["run", "-Q"]).ends(0);
    check!(sandbox.llull(&["audit"]).ends(0));
    let json: serde_json::Value =
        serde_json::from_str(&sandbox.llull(&["audit", "--json"]).ends(0).stdout).unwrap();
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    assert_eq!(json["judges"][0]["alarms"], report["alarms"], "the report has the same");
    assert_eq!(json["judges"][0]["position"], serde_json::Value::Null, "it compares nothing");
}

#[test]
fn before_anything_is_judged() {
    check!(tiny().llull(&["audit"]).ends(3));
}

#[test]
fn a_bound_that_is_not_kept_ends_with_100() {
    let sandbox = tiny();
    let config = sandbox.read("llull.toml");
    let bounds = "[alarms]\none_grade = \"<= 0.5\"\nposition_flip = \"<= 0.2\"\n\n[pool]";
    sandbox.write("llull.toml", &config.replace("[pool]", bounds));
    check!(sandbox.llull(&["run"]).ends(100));
    let audited = sandbox.llull(&["audit"]).ends(100);
    assert!(audited.stdout.contains("position_flip <= 0.2 fails: there is no such figure"), "{audited}");
    let report = sandbox.read("report.md");
    assert!(report.contains("**Gate FAILED: position_flip &lt;= 0.2 fails"), "{report}");
    assert!(report.contains("**Gate passed: one_grade &lt;= 0.5 holds for judge known"), "{report}");
    let kept = bounds.replace("position_flip = \"<= 0.2\"\n", "");
    sandbox.write("llull.toml", &config.replace("[pool]", &kept));
    sandbox.llull(&["report"]).ends(0);
}
