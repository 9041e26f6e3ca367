//! Several judges.

use crate::sandbox::{Sandbox, tiny_judged_by};

const THREE: &str = r#"[[judges]]
name = "strict"
model = "replay"
labels = "strict.qrels"
scale = "0..3"

[[judges]]
name = "lenient"
model = "replay"
labels = "lenient.qrels"
scale = "0..3"

[[judges]]
name = "known"
model = "replay"
labels = "known.qrels"
"#;

/// The strict judge gives one grade less where it can, the lenient one more.
pub(crate) fn panel() -> Sandbox {
    let sandbox = tiny_judged_by(THREE);
    let shifted = |by: i32| -> String {
        let line = |line: &str| {
            let (pair, grade) = line.rsplit_once(' ').unwrap();
            format!("{pair} {}\n", (grade.parse::<i32>().unwrap() + by).clamp(0, 3))
        };
        sandbox.read("known.qrels").lines().map(line).collect()
    };
    sandbox.write("strict.qrels", &shifted(-1)).write("lenient.qrels", &shifted(1));
    sandbox
}

#[test]
fn judges_are_chosen_by_name() {
    let sandbox = panel();
    let report = sandbox.llull(&["run", "--judge", "strict", "--judge", "known", "--json"]).ends(0).json();
    let names: Vec<_> =
        report["study"]["judges"].as_array().unwrap().iter().map(|judge| judge["name"].clone()).collect();
    assert_eq!(names, ["strict", "known"]);
    // of two that differ the lower is shown
    assert!(sandbox.read("labels.qrels").contains("q1 mean=1.5 a4 1"));
}

/// The table stood beside the labels of plain files only.
#[test]
fn what_each_judge_says_stands_beside_the_labels() {
    let sandbox = panel();
    sandbox.edit("lenient.qrels", "q3 0 c3 2\n", "");
    sandbox.llull(&["run", "--no-report"]).ends(3);
    let label = sandbox.llull(&["label"]).ends(3);
    label.says(&[
        "judge    scale  labels  it alone  off the scale  equal to the label  kappa with it",
        "strict   0..3       11         0              0",
        "lenient  0..3       10         0              0",
        "known    0..3       11         0              0",
        "of 11 pairs, 10 have 3 labels, 1 have 2 labels: the median comes from the judges that have one",
    ]);
    // One judge is the labels.
    let alone = sandbox.llull(&["label", "--judge", "strict"]).ends(0);
    assert!(!alone.stderr.contains("it alone"), "{alone}");
}

/// Of the grades 3 1 0 2, 2 3 0 1, 3 0 1 the judges give one less and one more, within the scale: the 1s and the 2s are
/// split into three grades that lie two apart.
#[test]
fn the_report_says_how_judges_agree_and_what_follows_without_one() {
    let sandbox = panel();
    sandbox.llull(&["run", "-Q"]).ends(0);
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    let panel = &report["panel"];
    assert_eq!((&panel["pairs"], &panel["ambiguous"]["pairs"]), (&11.into(), &5.into()));
    let together = panel["agreement"].as_array().unwrap();
    assert_eq!(together.len(), 3);
    assert_eq!((&together[0]["judge"], &together[0]["other"]), (&"strict".into(), &"lenient".into()));
    assert_eq!((&together[0]["n"], &together[0]["exact"]), (&11.into(), &0.0.into()));
    let listed = panel["ambiguous"]["listed"].as_array().unwrap();
    let said: Vec<_> =
        listed[0]["judges"].as_array().unwrap().iter().map(|one| one["grade"].clone()).collect();
    assert_eq!(
        (listed.len(), &listed[0]["document"], said),
        (5, &"a2".into(), vec![0.into(), 2.into(), 1.into()])
    );
    let without = panel["without"].as_array().unwrap();
    assert_eq!((without.len(), &without[2]["without"]), (3, &"judge known".into()));
    let text = sandbox.read("report.md");
    let section = text.split("\n## ").find(|section| section.starts_with("Panel")).unwrap();
    for part in [
        "alpha of the judges over 11 pairs is 0.5143, for ordered grades",
        "| strict | lenient | 11 | 0.0% | -0.1415 | 0.3349 |",
        "| lenient | known | 11 | 27.3% | 0.0330 | 0.7161 |",
        "- Without judge lenient every finding is the same.",
        "- Without the pairs on which grades are split every finding is the same.",
        "On 5 pairs the judges are split",
        "| q1: reset a forgotten password | a2: Password rules | 1 | strict 0 - lenient 2 - known 1 |",
    ] {
        assert!(section.contains(part), "{part} in\n{section}");
    }
    sandbox.write(
        "llull.toml",
        &sandbox.read("llull.toml").replace("\"strict.qrels\"\nscale = \"0..3\"", "\"known.qrels\""),
    );
    sandbox.llull(&["run", "-Q", "--judge", "known"]).ends(0);
    let alone: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    assert_eq!(alone["panel"], serde_json::Value::Null, "one judge is no panel");
}

/// Pairs that were left out of the evaluation stayed in the ranked lists and counted as not relevant.
#[test]
fn pairs_that_are_left_out_leave_the_ranked_lists() {
    let two = "[[judges]]\nname = \"one\"\nmodel = \"replay\"\nlabels = \"one.qrels\"\nscale = \"0..3\"\n\n\
               [[judges]]\nname = \"two\"\nmodel = \"replay\"\nlabels = \"two.qrels\"\nscale = \"0..3\"\n";
    let sandbox = tiny_judged_by(two);
    sandbox.edit("llull.toml", "[\"nDCG@3\", \"P(rel=2)@1\"]", "[\"P(rel=2)@1\"]");
    // The first document of the old system splits the judges for each query; the second is relevant.
    let first = ["a2", "b1", "c3"];
    let labels = |split: i32| -> String {
        let pairs = ["q1 a1 3", "q1 a3 0", "q1 a4 0", "q2 b2 0", "q2 b3 3", "q2 b4 0", "q3 c1 3", "q3 c2 3"];
        let clear = pairs.map(|pair| {
            let words: Vec<&str> = pair.split(' ').collect();
            format!("{} 0 {} {}\n", words[0], words[1], words[2])
        });
        let split = ["q1", "q2", "q3"].iter().zip(first).map(|(q, d)| format!("{q} 0 {d} {split}\n"));
        clear.into_iter().chain(split).collect()
    };
    sandbox.write("one.qrels", &labels(0)).write("two.qrels", &labels(3));
    sandbox.llull(&["run", "-Q"]).ends(0);
    let json: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    let systems = &json["panel"]["ambiguous"];
    assert_eq!((&systems["pairs"], systems["listed"].as_array().unwrap().len()), (&3.into(), 3), "{systems}");
    // old: a1, b3, c2 come first once the pairs are removed; new: a1, b2, c1.
    let without = &systems["without"]["comparisons"][0];
    let expected = (2.0 - 3.0) / 3.0;
    assert!((without["mean_difference"].as_f64().unwrap() - expected).abs() < 1e-9, "{without}");
}
