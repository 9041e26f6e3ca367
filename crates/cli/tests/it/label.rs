//! `llull label`

use crate::sandbox::{Sandbox, check, command_line, tiny};

fn three() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("a.qrels", "q1 0 x 0\nq1 0 y 3\nq1 0 z 2\n");
    sandbox.write("b.qrels", "q1 0 x 1\nq1 0 y 3\nq2 0 w 1\n");
    sandbox.write("c.qrels", "q1 0 x 3\nq1 0 y 1\n");
    sandbox
}

/// x: 0 1 3 gives 1. y: 3 3 1 gives 3. z: 2. w: 1.
#[test]
fn several_files_give_their_median() {
    let sandbox = three();
    check!(sandbox.llull(&["label", "a.qrels", "b.qrels", "c.qrels"]).ends(0));
    sandbox.llull(&["label", "a.qrels", "b.qrels", "c.qrels", "-o", "median.qrels.gz"]).ends(0);
    let measured = sandbox
        .write("r.run", "q1 Q0 y 1 1 t\n")
        .llull(&command_line("measure median.qrels.gz r.run -m P(rel=3)@1"));
    assert!(measured.ends(0).stdout.contains("0.5000"), "y is a 3, and q2 is not answered");
}

/// Of an even number the lower of the two in the middle.
#[test]
fn two_files_that_differ_give_the_lower() {
    let sandbox = three();
    assert_eq!(
        sandbox.llull(&["label", "a.qrels", "c.qrels"]).ends(0).stdout,
        "q1 mean=1.5 x 0\nq1 mean=2 y 1\nq1 0 z 2\n"
    );
}

#[test]
fn json_tells_how_far_judges_are_apart() {
    let sandbox = three();
    let labels = sandbox.llull(&["label", "a.qrels", "b.qrels", "c.qrels", "--json"]).ends(0).json();
    let x = serde_json::json!({
        "query": "q1", "document": "x", "grade": 1, "low": 0, "high": 3, "judges": 3, "mean": 4.0 / 3.0
    });
    assert_eq!(labels[0], x);
    assert_eq!(labels.as_array().unwrap().len(), 4);
    sandbox.llull(&["label", "a.qrels", "--json", "-o", "-"]).ends(2);
}

#[test]
fn of_a_study() {
    let sandbox = tiny();
    sandbox.llull(&["run", "--no-report"]).ends(0);
    sandbox.llull(&["label"]).ends(0).says(&["11 of 11 pairs labelled, in labels.qrels\n"]);
    assert_eq!(sandbox.llull(&["label", "-o", "-", "-Q"]).ends(0).stdout, sandbox.read("labels.qrels"));
}

#[test]
fn of_a_study_that_is_not_judged() {
    let label = tiny().llull(&["label", "-o", "-"]).ends(3);
    label.says(&[
        "warning: judge known: 11 of 11 pairs are not judged yet; llull run judges them",
        "0 of 11 pairs labelled\n",
    ]);
}

/// 0-1 and 0-3 were joined in silence, and so were files of different collections.
#[test]
fn files_that_do_not_go_together_are_refused_or_said() {
    let sandbox = three();
    sandbox
        .write("binary.qrels", "q1 0 x 0\nq1 0 y 1\nq1 0 z 1\n")
        .write("other.qrels", "p1 0 x 0\np1 0 y 3\n");
    sandbox
        .llull(&["label", "a.qrels", "binary.qrels"])
        .ends(1)
        .says(&["--scale 'binary.qrels=0..1 -> 0,3'"]);
    sandbox.llull(&["label", "a.qrels", "other.qrels"]).ends(1).says(&["no query in common"]);
    let mapped = ["label", "a.qrels", "binary.qrels", "--scale", "binary.qrels=0..1 -> 0,3"];
    let mapped = sandbox.llull(&mapped).ends(0).says(&[
        "binary.qrels  0..1 -> 0,3           3         0              0              0.6667         0.5000\n",
        "of 3 pairs, 3 have 2 labels",
        "on 1 of 3 pairs the two differ, and by their mean the labels would be 0.1667 higher",
    ]);
    assert_eq!(mapped.stdout, "q1 0 x 0\nq1 0 y 3\nq1 mean=2.5 z 2\n");
    sandbox.llull(&["label", "a.qrels", "--scale", "zero"]).ends(2).says(&["is no scale"]);
    sandbox
        .llull(&["label", "a.qrels", "--scale", "b.qrels=0..3"])
        .ends(2)
        .says(&["no such file is put together"]);
}

/// A judge that gives one grade more than people do: what its grades become, and how far that helps on queries that the
/// fit has not seen.
#[test]
fn a_judge_is_brought_onto_the_scale_of_people() {
    let sandbox = Sandbox::new();
    let (mut judge, mut human) = (String::new(), String::new());
    for query in 0..8 {
        for document in 0..12 {
            let people = (query + document * 7) % 4;
            let noise = i32::from((query * 12 + document) % 7 == 0);
            judge.push_str(&format!("q{query} 0 d{document} {}\n", (people + 1 - noise).clamp(0, 3)));
            if document % 2 == 0 {
                human.push_str(&format!("q{query} 0 d{document} {people}\n"));
            }
        }
    }
    sandbox.write("judge.qrels", &judge).write("human.qrels", &human);
    let all =
        ["label", "judge.qrels", "--calibrate", "severity", "--human", "human.qrels", "--sampled", "pairs"];
    let said = sandbox.llull(&[&all[..], &["-o", "calibrated.qrels"]].concat());
    assert_eq!(sandbox.read("calibrated.qrels").lines().count(), 96);
    let json = sandbox.llull(&[&all[..], &["--json"]].concat()).ends(0).json();
    assert_eq!((json["method"].as_str(), json["pairs"].as_u64()), (Some("severity"), Some(48)));
    assert!(json["severity"]["severity"].as_f64().unwrap() < 0.0, "it is lenient: {json}");
    let kappa = |when: &str| json["cross_validated"][when]["kappa"]["plain"].as_f64().unwrap();
    assert!(kappa("after") > kappa("before"), "{json}");
    // What is written is by fits to other queries: it agrees with people as the held-out queries do, and no better.
    let agreed = sandbox.llull(&["agree", "human.qrels", "calibrated.qrels", "--json"]).ends(0).json();
    let found = agreed["kappa"]["plain"].as_f64().unwrap();
    assert!((found - kappa("after")).abs() < 1e-12, "{found} {json}");
    // A file of probabilities weighs the labels; those of pairs that it does not have count for nothing.
    let lines: Vec<String> = sandbox.read("human.qrels").lines().map(str::to_owned).collect();
    let row = |line: &String| {
        let columns: Vec<&str> = line.split_whitespace().collect();
        format!("{}\t{}\t{}\n", columns[0], columns[2], if columns[3] == "0" { 0.1 } else { 0.9 })
    };
    let chances: String = lines[1..].iter().map(row).collect();
    sandbox.write("chances.tsv", &format!("query\tdocument\tprobability\n{chances}"));
    let of_file = [&all[..7], &["chances.tsv", "--json"]].concat();
    let weighed = sandbox.llull(&of_file).ends(0).says(&["1 label of pairs that were not drawn"]).json();
    assert_eq!((&weighed["pairs"], &weighed["not_drawn"]), (&47.into(), &1.into()));
    assert_ne!(weighed["cross_validated"]["before"]["exact"], json["cross_validated"]["before"]["exact"]);
    let beta = [&all[..3], &["beta"], &all[4..], &["--json"]].concat();
    let curves = sandbox.llull(&beta).ends(0).json()["curves"].clone();
    assert_eq!(curves.as_array().map(Vec::len), Some(3));
    sandbox.llull(&all[..6]).ends(2).says(&["--sampled"]);
    sandbox.llull(&[&all[..4], &["-o", "x.qrels"]].concat()).ends(2).says(&["--human"]);
    assert_eq!(said.stdout, "");
    said.ends(0).says(&[
        "severity fitted to 48 pairs of 8 queries",
        "2                        1                1.0833     12\n",
        "3                        3                2.5217     23\n",
        "-0.1228, 0.8244, 1.8244; severity -0.6580 (above 0 is strict), spread 0.1269",
        "match the judge's 2 and above best: kappa 0.9459; 99.9% of resamples",
        "(5 parts, 48 pairs)",
        "kappa, quadratic             0.7377  [0.7010, 0.7734]      0.8361   [0.7191, 0.8961]\n",
        "the labels of each query in human.qrels are by a fit to other queries",
    ]);
}

/// Twelve queries of ten documents: `good` errs on each eighth document, `poor` on each second, `coin` says anything.
fn panel_of_three() -> Sandbox {
    let sandbox = Sandbox::new();
    let (mut people, mut files) = (String::new(), [String::new(), String::new(), String::new()]);
    for at in 0..120 {
        let (query, grade) = (at / 10, at * 7 % 20 / 5);
        let said = [(grade + i32::from(at % 8 == 1)) % 4, (grade + at % 2) % 4, (at * at / 7 + at / 3) % 4];
        if at % 3 > 0 {
            people += &format!("q{query} 0 d{at} {grade}\n");
        }
        for (file, grade) in files.iter_mut().zip(said) {
            *file += &format!("q{query} 0 d{at} {grade}\n");
        }
    }
    sandbox.write("people.qrels", &people);
    for (name, file) in ["good.qrels", "poor.qrels", "coin.qrels"].into_iter().zip(files) {
        sandbox.write(name, &file);
    }
    sandbox
}

const THREE: [&str; 4] = ["label", "good.qrels", "poor.qrels", "coin.qrels"];

#[test]
fn a_sample_of_people_chooses_the_method() {
    let sandbox = panel_of_three();
    let truth = [&THREE[..], &["--truth", "people.qrels", "-o", "out.qrels"]].concat();
    sandbox.llull(&truth).ends(0).says(&[
        "majority                   0.4729  [-0.4851, -0.1776]   0.4543  [-0.4699, -0.1239]\n",
        "weights                    0.7889  chosen               0.6185  [-0.2252, -0.0610]\n",
        "best:1                     0.7889  [0.0000, 0.0000]     0.7494  chosen\n",
        "coin.qrels                -0.0467  [-0.9689, -0.7040]  -0.0558  [-1.0905, -0.5524]\n",
        "80 labelled pairs of 12 queries in 5 parts",
        "grades by weights: no clear difference from 3 of 10 others; order by best:1 (good.qrels)",
        "neither fit nor choice has seen: kappa within queries 0.7889, rho 0.7494",
        "the 3 judges are worth 1.6 independent ones by their errors, and 2.3",
        "120 of 120 pairs labelled, in out.qrels",
    ]);
    let json = sandbox.llull(&[&THREE[..], &["--truth", "people.qrels", "--json"]].concat()).ends(0).json();
    let tried = |name: &str| {
        let tried = json["choice"]["tried"].as_array().unwrap();
        tried.iter().find(|one| one["method"] == name).unwrap()["kappa"].as_f64().unwrap()
    };
    assert!(tried("good.qrels") > tried("poor.qrels") + 0.3 && tried("poor.qrels") > tried("coin.qrels"));
    assert!(tried(json["method"]["grade"].as_str().unwrap()) >= tried("good.qrels"));
    let first = &json["labels"][0];
    assert_eq!((first["query"].as_str(), first["said"]["good.qrels"].as_i64()), (Some("q0"), Some(0)));
    let p: f64 = ["0", "1", "2", "3"].map(|grade| first["p"][grade].as_f64().unwrap()).iter().sum();
    assert!((p - 1.0).abs() < 1e-9 && first["entropy"].as_f64().unwrap() >= 0.0, "{first}");
    assert_eq!(json["labels"].as_array().unwrap().len(), 120);
}

/// How strict and how noisy each judge is beside people; a coin tells too little apart for either.
#[test]
fn severity_is_fitted_for_all_judges_and_people_together() {
    let sandbox = panel_of_three();
    let severity = [&THREE[..], &["--method", "severity", "--truth", "people.qrels"]].concat();
    let fitted = sandbox.llull(&[&severity[..], &["-o", "out.qrels"]].concat()).ends(0).says(&[
        "good.qrels                                   +0.0131  0.1406\n",
        "poor.qrels                                   -0.0483  0.6480\n",
        "120 of 120 pairs labelled, in out.qrels",
    ]);
    assert!(!fitted.stderr.contains("coin.qrels"), "{fitted}");
    let json = sandbox.llull(&[&severity[..], &["--json"]].concat()).ends(0).json();
    let own = |at: usize, what: &str| json["judges"][at]["ordinal"][what].as_f64();
    assert!(own(0, "spread") < own(1, "spread") && own(0, "severity").is_some(), "{}", json["judges"]);
    assert_eq!((own(2, "spread"), own(2, "severity")), (None, None));
    assert!(own(2, "slope").unwrap().abs() < 0.1);
    sandbox.llull(&[&THREE[..], &["--method", "severity", "--json"]].concat()).ends(1);
}

#[test]
fn a_method_that_is_named_is_taken() {
    let sandbox = panel_of_three();
    let json =
        sandbox.llull(&[&THREE[..], &["--method", "weights", "--truth", "people.qrels", "--json"]].concat());
    let json = json.ends(0).json();
    let weight = |at: usize| json["judges"][at]["weight"].as_f64().unwrap();
    assert!(weight(0) > weight(1) && weight(1) > weight(2), "{}", json["judges"]);
    let skene = sandbox.llull(&[&THREE[..], &["--method", "dawid-skene"]].concat()).ends(0);
    skene.says(&["warning: dawid-skene takes judges as independent", "without human labels nobody knows"]);
    let learns = sandbox.llull(&[&THREE[..], &["--method", "best:2"]].concat()).ends(1);
    learns.says(&["best:2 learns from human labels", "--truth"]);
    sandbox
        .llull(&[&THREE[..], &["--method", "mode"]].concat())
        .ends(2)
        .says(&["there is no method \"mode\""]);
    sandbox.llull(&["label", "good.qrels", "--method", "mean"]).ends(2).says(&["a panel has several judges"]);
    sandbox.write("stray.qrels", &sandbox.read("people.qrels").replacen(" 0\n", " 7\n", 1));
    let stray =
        sandbox.llull(&[&THREE[..], &["--method", "weights", "--truth", "stray.qrels"]].concat()).ends(0);
    stray.says(&["warning: 1 human label not on the judges' scale, and not used"]);
    sandbox.write("few.qrels", "q0 0 d1 1\n");
    sandbox
        .llull(&[&THREE[..], &["--truth", "few.qrels"]].concat())
        .ends(1)
        .says(&["pairs of at least 3 labelled"]);
    sandbox.write("other.qrels", "x 0 d1 1\n");
    sandbox.llull(&[&THREE[..], &["--truth", "other.qrels"]].concat()).ends(1).says(&["same collection"]);
}

#[test]
fn stray_grades_are_clamped_on_request() {
    let sandbox = three();
    sandbox.write("stray.qrels", "q1 0 x 5\nq1 0 y 3\n");
    let clamped = sandbox.llull(&["label", "a.qrels", "stray.qrels", "--clamp", "0..3"]).ends(0);
    clamped.says(&["stray.qrels: 1 label beyond 0..3 moved to its end"]);
    sandbox.llull(&["label", "a.qrels", "stray.qrels", "--clamp", "3..0"]).ends(2).says(&["is empty"]);
}

/// x is 0, 1 and 3; y is 3, 3 and 1, where one judge is off; the others have one or two neighbours.
#[test]
fn pairs_on_which_judges_are_split_are_left_out_on_request() {
    let sandbox = three();
    let dropped = sandbox.llull(&["label", "a.qrels", "b.qrels", "c.qrels", "--drop-ambiguous"]).ends(0);
    assert_eq!(dropped.stdout, "q1 mean=2.333333 y 3\nq1 0 z 2\nq1 dropped x -1\nq2 0 w 1\n");
    dropped.says(&[
        "1 pair left out, on which the judges are split",
        "query q1, document x",
        "llull removes their documents from the ranked lists before it measures",
        "3 of 4 pairs labelled",
    ]);
    let json = sandbox.llull(&["label", "a.qrels", "b.qrels", "c.qrels", "--drop-ambiguous", "--json"]);
    assert_eq!(json.ends(0).json()["dropped"], serde_json::json!([{"query": "q1", "document": "x"}]));
}

/// Dropped pairs counted as not relevant, unless one knew a measure that leaves out what has no label.
#[test]
fn dropped_pairs_leave_the_ranked_lists_of_every_command() {
    let sandbox = three();
    let label = ["label", "a.qrels", "b.qrels", "c.qrels", "--drop-ambiguous", "-o", "labels.qrels"];
    sandbox.llull(&label).ends(0);
    // The first document of one system is dropped, and the second of the other.
    sandbox.write("first.run", "q1 Q0 x 1 9 t\nq1 Q0 y 2 8 t\nq1 Q0 z 3 7 t\nq2 Q0 w 1 9 t\n");
    sandbox.write("second.run", "q1 Q0 z 1 9 t\nq1 Q0 x 2 8 t\nq1 Q0 y 3 7 t\nq2 Q0 w 1 9 t\n");
    sandbox.write("clear.run", "q1 Q0 y 1 9 t\nq1 Q0 z 2 8 t\nq2 Q0 w 1 9 t\n");
    let named =
        "labels.qrels: 1 pair dropped (query q1, document x). It has no label, and measures remove the";
    let measures = ["-m", "P@2", "-m", "nDCG@2", "-m", "RR(rel=3)@1", "-m", "AP", "-m", "NumRet", "--json"];
    let measured = |runs: &[&str], form: &[&str]| {
        let call = [&["measure", "labels.qrels"], runs, &measures[..], form].concat();
        let said = sandbox.llull(&call).ends(0).says(&[named]).json();
        said["systems"].clone()
    };
    let of = |system: &serde_json::Value| system["figures"].clone();
    let systems = measured(&["first.run", "clear.run"], &[]);
    assert_eq!(of(&systems[0]), of(&systems[1]), "{systems}");
    let lines = ["measure", "labels.qrels", "first.run", "-m", "P@2", "-q", "--format", "csv"];
    sandbox.llull(&[&lines[..], &["-R", "qrels_jg"]].concat()).ends(0).says(&[named, ",P@2,q1,1"]);
    sandbox.llull(&lines).ends(0).says(&[",P@2,q1,1"]);
    // A pair that has no label would widen the bounds of a difference; a dropped one does not count.
    let compared = ["compare", "labels.qrels", "first.run", "second.run", "-m", "P@2"];
    let compared = sandbox.llull(&[&compared[..], &["--json"]].concat()).ends(0).says(&[named]).json();
    assert_eq!(compared["comparisons"][0]["mean_difference"], serde_json::json!(0.0), "{compared}");
    assert!(compared["comparisons"][0]["missing"].is_null(), "{compared}");
    for both in [&["agree", "labels.qrels", "a.qrels"][..], &["diff", "labels.qrels", "a.qrels"]] {
        let runs = ["--runs", "first.run", "second.run", "-m", "P(rel=2)@2", "--json"];
        let json = sandbox.llull(&[both, &runs].concat()).says(&[named]).json();
        let text = json.to_string();
        assert!(text.contains("first"), "{text}");
    }
    // Read and written again they are still dropped: what a calibration or a scale makes of grades leaves them.
    sandbox.write("both.qrels", "q1 0 x 2\nq1 dropped x -1\n");
    sandbox
        .llull(&["measure", "both.qrels", "first.run", "-m", "P@2"])
        .ends(1)
        .says(&["document x of query q1 is graded 2, and dropped"]);
}

/// A judge that gives one grade more than people do, and people's labels of three documents of four.
fn with_holes() -> Sandbox {
    let sandbox = Sandbox::new();
    let (mut judge, mut human) = (String::new(), String::from("q9 0 only-people 2\n"));
    for query in 0..6 {
        for document in 0..12 {
            let people = (query + document * 7) % 3;
            judge.push_str(&format!("q{query} 0 d{document} {}\n", people + 1));
            if document % 4 != 0 {
                human.push_str(&format!("q{query} 0 d{document} {people}\n"));
            }
        }
    }
    sandbox.write("judge.qrels", &judge).write("human.qrels", &human);
    sandbox
}

/// The labels that were there stay, the judge's come onto their scale, and each says where it comes from.
#[test]
fn a_judge_fills_the_holes_of_other_labels() {
    let sandbox = with_holes();
    let all = ["label", "judge.qrels", "--base", "human.qrels"];
    let said = sandbox.llull(&[&all[..], &["-o", "all.qrels"]].concat());
    assert_eq!(said.stdout, "");
    said.ends(0).says(&[
        "human         55  75.3%        7\njudge         18  24.7%        6\n",
        "6 of 7 queries mix them",
        "by kappa, fitted to 54 pairs of 6 queries that both labelled: 1 becomes 0, 2 becomes 1, 3 becomes 2.",
        "3                        2      2.0000     18\n",
        "agrees exactly with human on 0.0% (Cohen's kappa -0.2857, quadratic 0.5714)",
    ]);
    let written = sandbox.read("all.qrels");
    assert_eq!(written.lines().count(), 73);
    assert!(written.contains("q0 judge d0 0\nq0 human d1 1\n"), "{written}");
    assert!(written.contains("q9 human only-people 2\n"), "what only people have labelled stays");
    let rows = sandbox.llull(&[&all[..], &["--json"]].concat()).ends(0).json();
    let row = |at: usize| (rows[at]["grade"].as_i64(), rows[at]["source"].as_str());
    assert_eq!([row(0), row(1)], [(Some(0), Some("judge")), (Some(1), Some("human"))]);
    // Readers that look at the second column find the sources, and the others find qrels.
    sandbox.write("r.run", "q0 Q0 d1 1 1 t\nq0 Q0 d0 2 0 t\n");
    sandbox.llull(&["measure", "all.qrels", "r.run", "-m", "P@1", "-R", "qrels_jg"]).ends(0);
    sandbox.llull(&["measure", "all.qrels", "r.run", "-m", "P@1"]).ends(0);
    let raw = sandbox.llull(&[&all[..], &["--calibrate", "none"]].concat()).ends(0);
    assert!(raw.stdout.starts_with("q0 judge d0 1\n"), "as the judge gave it");
}

#[test]
fn labels_that_have_too_little_in_common_are_not_mixed() {
    let sandbox = with_holes();
    sandbox.write("few.qrels", "q0 0 d0 0\nq0 0 d1 1\n");
    let few = sandbox.llull(&["label", "judge.qrels", "--base", "few.qrels", "-o", "all.qrels"]);
    few.ends(2).says(&["few.qrels: both have labelled 2 pairs", "at least 30", "calibrate = \"none\""]);
    assert!(!sandbox.path("all.qrels").exists());
    sandbox.llull(&["label", "--base", "human.qrels"]).ends(2).says(&["QRELS"]);
    let none = ["label", "judge.qrels", "--calibrate", "none"];
    sandbox.llull(&none).ends(2).says(&["--base"]);
}

/// x: 0 + 1 + 3 is 4 and gives 1. y: 7 gives 2. z and w lack a criterion.
#[test]
fn several_criteria_give_the_grade_of_their_sum() {
    let sandbox = three();
    let files = ["label", "a.qrels", "b.qrels", "c.qrels"];
    let summed = sandbox.llull(&[&files[..], &["--sum", "4,7,9"]].concat()).ends(0).says(&[
        "c.qrels: 2 pairs without a grade on its scale",
        "the sum of 3 files (4,7,9): 0 of grade 0, 1 of grade 1, 1 of grade 2, 0 of grade 3\n2 of 4 pairs labelled",
    ]);
    assert_eq!(summed.stdout, "q1 0 x 1\nq1 0 y 2\n");
    sandbox.llull(&[&files[..], &["--sum", "7,4"]].concat()).ends(2).says(&["are no cuts of a sum"]);
    sandbox.llull(&[&files[..], &["--sum", "4", "--method", "mean"]].concat()).ends(2);
}
