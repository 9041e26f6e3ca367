//! `llull measure`

use crate::sandbox::{Sandbox, check, tiny};

/// Labels and two runs whose figures can be worked out by hand.
pub(crate) fn plain() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("human.qrels", "q1 0 a 2\nq1 0 b 1\nq1 0 c 0\nq2 0 d 1\nq3 0 e 3\n");
    // q1: b (1), x (unjudged), a (2). q2: d at rank 2. q3 is not answered.
    sandbox
        .write("one.run", "q1 Q0 b 1 9.5 t\nq1 Q0 x 2 9 t\nq1 Q0 a 3 1e0 t\nq2 Q0 y 1 2 t\nq2 Q0 d 2 1 t\n");
    // all as it should be
    sandbox.write("two.run", "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq2 Q0 d 1 1 t\nq3 Q0 e 1 1 t\n");
    sandbox
}

#[test]
fn plain_files() {
    let sandbox = plain();
    check!(
        sandbox
            .llull(&["measure", "human.qrels", "one.run", "two.run", "-m", "RR@10", "-m", "P@2", "-m", "AP"])
            .ends(0)
    );
}

/// pandas reads a column of identifiers with empty fields as floats: `12` was `12.0`.
#[test]
fn the_mean_of_a_csv_has_all_for_its_query() {
    let sandbox = plain();
    let args = ["measure", "human.qrels", "one.run", "-m", "RR@10", "--format", "csv"];
    assert_eq!(sandbox.llull(&args).ends(0).stdout, "run,measure,query,value\none,RR@10,all,0.5\n");
    sandbox.write("all.qrels", "all 0 a 1\n").write("all.run", "all Q0 a 1 1 t\n");
    let warned = sandbox.llull(&["measure", "all.qrels", "all.run", "-q", "--format", "csv"]).ends(0);
    assert!(warned.stderr.contains("warning: a query is called \"all\""), "{warned}");
    let lines = sandbox.llull(&["measure", "all.qrels", "all.run", "-q", "--format", "jsonl"]).ends(0);
    assert!(!lines.stderr.contains("warning"), "{lines}");
}

#[test]
fn systems_are_sorted_by_a_measure() {
    let sandbox = plain();
    let text = sandbox.read("one.run");
    sandbox.write("again.run", &text);
    let order = |more: &[&str]| {
        let args =
            ["measure", "human.qrels", "one.run", "two.run", "again.run", "-m", "RR@10", "-m", "unj@2"];
        let shown = sandbox.llull(&[&args[..], &["--format", "csv"], more].concat()).ends(0).stdout;
        let rows = shown.lines().filter(|line| line.contains("RR@10") && line.contains("all"));
        rows.map(|line| line.split(',').next().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(order(&[]), "one two again");
    assert_eq!(order(&["--sort", "RR@10"]), "two one again");
    assert_eq!(order(&["--sort", "recip_rank_cut_10"]), "two one again");
    // of what is missing, less is better
    assert_eq!(order(&["--sort", "unj@2", "-q"]), "two one again");
    let args = ["measure", "human.qrels", "one.run", "two.run", "-m", "RR@10", "--sort"];
    let table = sandbox.llull(&[&args[..], &["RR@10", "-q"]].concat()).ends(0).stdout;
    assert!(table.starts_with("query  two RR@10  one RR@10\n"), "{table}");
    let json = sandbox.llull(&[&args[..], &["RR@10", "--json"]].concat()).ends(0).json();
    assert_eq!(json["systems"][0]["system"], "two");
    // q1 and q3 begin with a document of grade 2 or 3 in this run, all three queries with one of grade 1 in the other.
    sandbox.write("high.run", "q1 Q0 a 1 1 t\nq3 Q0 e 1 1 t\n");
    sandbox.write("low.run", "q1 Q0 b 1 1 t\nq2 Q0 d 1 1 t\nq3 Q0 e 1 1 t\n");
    let levels = ["measure", "human.qrels", "high.run", "low.run", "-m", "P(rel=2)@1", "-m", "P@1", "--json"];
    let first = |sort: &str| {
        let json = sandbox.llull(&[&levels[..], &["--sort", sort]].concat()).ends(0).json();
        json["systems"][0]["system"].as_str().unwrap().to_owned()
    };
    assert_eq!([first("P(rel=2)@1"), first("P@1"), first("P(rel=1)@1")], ["high", "low", "low"]);
    let unknown = sandbox.llull(&[&args[..], &["AP"]].concat()).ends(2);
    let error = "error: --sort AP: not among the measures, which are RR@10; add -m AP\n";
    assert!(unknown.stderr.contains(error), "{unknown}");
}

/// What a file is called is text in a pull request's table.
#[test]
fn markdown_has_the_same_table() {
    let sandbox = plain();
    let text = sandbox.read("two.run");
    sandbox.write("a|b<i>.run", &text);
    let args = ["measure", "human.qrels", "one.run", "a|b<i>.run", "-m", "RR@10", "--format", "markdown"];
    let shown = sandbox.llull(&args).ends(0).stdout;
    assert_eq!(
        shown,
        "| system | measure | mean | 95% interval | queries | missing | unjudged |\n\
         | :-- | --: | --: | --: | --: | --: | --: |\n\
         | one | RR@10 | 0.5000 | [n/a, n/a] | 3 | 1 | 2 of 5 |\n\
         | a&#124;b&lt;i&gt; | RR@10 | 1.0000 | [n/a, n/a] | 3 | 0 | 0 of 4 |\n"
    );
    let by_query = sandbox.llull(&[&args[..], &["-q"]].concat()).ends(0).stdout;
    assert!(by_query.starts_with("| query | one RR@10 | a&#124;b&lt;i&gt; RR@10 |\n"), "{by_query}");
}

#[test]
fn json() {
    let sandbox = plain();
    let json = sandbox
        .llull(&["measure", "human.qrels", "one.run", "-m", "Success@1", "--json", "-q"])
        .ends(0)
        .json();
    let figure = serde_json::json!({
        "measure": "Success@1", "mean": 1.0 / 3.0, "low": null, "high": null, "confidence": 0.95, "n": 3,
        "missing_topics": 1, "seen": 2, "unjudged": 1, "unjudged_share": 0.5,
    });
    let systems = serde_json::json!([{"system": "one", "figures": [figure], "unlabelled_topics": 0}]);
    assert_eq!((&json["topics"], &json["systems"]), (&3.into(), &systems));
    assert_eq!(json["conventions"].as_array().map(Vec::len), Some(4), "{json}");
    let topic = |topic: &str, answered: bool, relevant: u64, [value, seen, unjudged]: [f64; 3]| {
        let cell = serde_json::json!({"value": value, "seen": seen as u64, "unjudged": unjudged as u64});
        serde_json::json!({"topic": topic, "answered": answered, "relevant": relevant, "cells": [cell]})
    };
    let topics = [
        topic("q1", true, 2, [1.0, 1.0, 0.0]),
        topic("q2", true, 1, [0.0, 1.0, 1.0]),
        topic("q3", false, 1, [0.0, 0.0, 0.0]),
    ];
    let run =
        serde_json::json!({"run": "one", "measures": ["Success@1"], "topics": topics, "unlabelled": []});
    assert_eq!(json["per_query"], serde_json::json!([run]));
}

#[test]
fn per_query() {
    let sandbox = plain();
    sandbox.llull(&["measure", "human.qrels", "one.run", "two.run", "-m", "RR@10", "-q"]).ends(0).says(&[
        "query  one RR@10  two RR@10\nq1        1.0000     1.0000\n",
        "q3        0.0000     1.0000\n",
    ]);
}

#[test]
fn names_of_trec_eval_are_understood_and_a_repeated_measure_is_one() {
    let sandbox = plain();
    let args =
        ["measure", "human.qrels", "two.run", "-m", "ndcg_cut_10", "-m", "nDCG@10", "-m", "map", "--json"];
    let figures = sandbox.llull(&args).ends(0).json()["systems"][0]["figures"].clone();
    let names: Vec<_> =
        figures.as_array().unwrap().iter().map(|figure| figure["measure"].as_str().unwrap()).collect();
    assert_eq!(names, ["nDCG@10", "AP"]);
}

#[test]
fn standard_input_is_one_file() {
    let sandbox = plain();
    let qrels = sandbox.read("human.qrels");
    let piped = sandbox.llull_with_input(&["measure", "-", "one.run", "-m", "AP"], &qrels).ends(0);
    let named = sandbox.llull(&["measure", "human.qrels", "one.run", "-m", "AP"]).ends(0);
    assert_eq!(piped.stdout, named.stdout);
    let run = sandbox
        .llull_with_input(&["measure", "human.qrels", "-", "-m", "AP"], &sandbox.read("one.run"))
        .ends(0);
    let figures = |table: &str| {
        table.lines().last().unwrap().split_whitespace().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(figures(&run.stdout), figures(&named.stdout), "all but the system's name");
    sandbox
        .llull_with_input(&["measure", "-", "-", "-m", "AP"], &qrels)
        .refused(2, &["- is standard input", "name the"]);
    sandbox
        .llull_with_input(&["measure", "-", "one.run"], "")
        .refused(1, &["standard input: no label in it"]);
}

#[test]
fn what_is_odd_and_legal_is_said() {
    let sandbox = plain();
    sandbox.write("human.qrels", &format!("{}q1 0 a 2\n", sandbox.read("human.qrels")));
    sandbox.write("one.run", &format!("{}q1 Q0 b 4 0.5 t\nq9 Q0 z 1 1 t\n", sandbox.read("one.run")));
    sandbox.write("nothing.run", "");
    sandbox
        .llull(&["measure", "human.qrels", "one.run", "nothing.run", "-m", "AP"])
        .ends(0)
        .rows(&["one AP 0.4444 [n/a, n/a] 3 1 2 of 5", "nothing AP 0.0000 [n/a, n/a] 3 3 0 of 0"])
        .says(&[
            "human.qrels: 1 line repeats a pair with the same grade (the first: line 6)",
            "one.run: 1 line repeats a document of the same query (the first: line 6); the better place",
            "nothing.run: the run is empty, so every query counts as 0",
            "one: 1 of its queries has no label, so nothing can be measured there (the first: q9)",
        ]);
}

#[test]
fn a_study_under_its_own_labels() {
    let sandbox = tiny();
    sandbox.llull(&["run", "--no-report"]).ends(0);
    sandbox.llull(&["measure", "-q"]).ends(0).rows(&[
        "query old nDCG@3 old P(rel=2)@1 new nDCG@3 new P(rel=2)@1 text",
        "q2 0.7350 1.0000 0.9225 1.0000 export a report as csv",
        "old P(rel=2)@1 0.3333 [n/a, n/a] 3 0 0 of 3",
        "new nDCG@3 0.9530 [n/a, n/a] 3 0 0 of 9",
    ]);
    let said = sandbox.llull(&["measure", "-m", "RR@3", "--json"]).ends(0).json();
    assert_eq!(said["systems"][0]["figures"][0]["measure"], "RR(rel=2)@3");
}

#[test]
fn a_study_s_interval_is_its_own() {
    let sandbox = tiny();
    sandbox.llull(&["run", "--no-report"]).ends(0);
    sandbox.edit("llull.toml", "[pool]", "[compare]\nconfidence = 0.8\n\n[pool]");
    assert!(sandbox.llull(&["measure"]).ends(0).stdout.contains("80% interval"));
}

#[test]
fn a_study_that_is_not_judged_yet_has_nothing_to_measure() {
    tiny().llull(&["measure"]).ends(3).says(&[
        "warning: judge known: 11 of 11 pairs are not judged yet; llull run judges them",
        "2 runs answer queries that have no label, so nothing can be measured there (the first: old, 3 of them,",
    ]);
}

#[test]
fn rows_for_programs() {
    let sandbox = plain();
    let args =
        ["measure", "human.qrels", "one.run", "two.run", "-m", "AP", "-m", "P(rel=2)@2", "-q", "--format"];
    let csv = sandbox.llull(&[&args[..], &["csv"]].concat()).ends(0);
    assert_eq!(
        csv.stdout,
        "run,measure,query,value\none,AP,q1,0.8333333333333333\none,P(rel=2)@2,q1,0\none,AP,q2,0.5\n\
         one,P(rel=2)@2,q2,0\none,AP,q3,0\none,P(rel=2)@2,q3,0\none,AP,all,0.4444444444444444\n\
         one,P(rel=2)@2,all,0\ntwo,AP,q1,1\ntwo,P(rel=2)@2,q1,0.5\ntwo,AP,q2,1\ntwo,P(rel=2)@2,q2,0\n\
         two,AP,q3,1\ntwo,P(rel=2)@2,q3,0.5\ntwo,AP,all,1\ntwo,P(rel=2)@2,all,0.3333333333333333\n"
    );
    csv.says(&[
        "1 of 3 queries has no relevant document in the labels by P(rel=2)@2",
        "one: 50.0% of the documents that P(rel=2)@2 looks at have no label",
    ]);
    let jsonl = sandbox.llull(&[&args[..], &["jsonl"]].concat()).ends(0).rows(&[
        r#"{"run":"one","measure":"AP","query":"q1","value":0.8333333333333333}"#,
        r#"{"run":"two","measure":"P(rel=2)@2","query":null,"value":0.3333333333333333}"#,
    ]);
    assert_eq!(jsonl.stdout.lines().count(), 16);
    let trec = sandbox.llull(&[&args[..], &["trec"]].concat()).ends(0).stdout;
    let (one, two) = trec.split_once("runid                 \tall\ttwo\n").unwrap();
    assert!(
        one.starts_with("map                   \tq1\t0.8333\nP(rel=2)@2            \tq1\t0.0000\n"),
        "{one}"
    );
    assert_eq!(two, "map                   \tall\t1.0000\nP(rel=2)@2            \tall\t0.3333\n");
}

#[test]
fn as_trec_eval_prints_it_without_being_asked_for_measures() {
    let sandbox = plain();
    check!(sandbox.llull(&["measure", "human.qrels", "one.run", "--format", "trec"]).ends(0));
}

/// q3 is not answered: as 0 with -c and without, and left out when that is asked for.
#[test]
fn a_topic_without_an_answer_is_0_unless_it_is_to_be_left_out() {
    let sandbox = plain();
    let args =
        |more: &[&'static str]| [&["measure", "human.qrels", "one.run", "-m", "RR", "-q"][..], more].concat();
    let usual = sandbox.llull(&args(&[])).ends(0).stdout;
    assert_eq!(sandbox.llull(&args(&["-c"])).ends(0).stdout, usual);
    sandbox.llull(&args(&["--answered-only"])).ends(0).says(&[
        "q3        n/a\n",
        "A query that a run does not answer is left out of its figures (--answered-only).\n",
    ]);
    let lines = sandbox.llull(&args(&["--answered-only", "--format", "jsonl"])).ends(0).stdout;
    // RR: (1 + 1/2) / 2 over q1 and q2
    assert!(lines.ends_with("\"query\":null,\"value\":0.75}\n") && !lines.contains("q3"), "{lines}");
    sandbox
        .llull(&args(&["--answered-only", "-c"]))
        .ends(2)
        .says(&["error: the argument '--answered-only' cannot be used with '--complete'"]);
}

#[test]
fn a_level_and_a_depth() {
    let sandbox = plain();
    let value = |more: &[&'static str]| {
        let args = [&["measure", "human.qrels", "one.run", "--format", "trec"][..], more].concat();
        sandbox.llull(&args).ends(0).stdout
    };
    // q1: the one document of grade 2 is third. q3 is not answered.
    assert_eq!(
        value(&["-m", "map", "-l", "2"]),
        format!("map                   \tall\t{:.4}\n", 1.0 / 3.0 / 3.0)
    );
    assert_eq!(value(&["-m", "map", "-l", "2", "-M", "2"]), "map                   \tall\t0.0000\n");
    assert_eq!(value(&["-m", "num_ret", "-M1"]), "num_ret               \tall\t2\n");
    sandbox
        .llull(&["measure", "human.qrels", "one.run", "-l", "0"])
        .ends(2)
        .says(&["error: invalid value '0' for '--level <GRADE>': must be a whole number, 1 or more"]);
}

/// q1: a is relevant for ann (rank 3), b for bob (rank 1); q2 is bob's alone.
#[test]
fn several_judges_in_one_file() {
    let sandbox = plain();
    sandbox.write("judges.qrels", "q1 ann a 1\nq1 ann b 0\nq1 bob b 1\nq2 bob d 1\n");
    let args = ["measure", "judges.qrels", "one.run", "-R", "qrels_jg", "-m", "RR", "-q"];
    sandbox.llull(&args).ends(0).rows(&[
        "system query judges RR",
        "one q1 2 0.6667",
        "one q2 1 0.5000",
        "one RR 0.5833 2 0 4 of 8",
    ]);
    let json = sandbox.llull(&[&args[..], &["--json"]].concat()).ends(0).json();
    assert!(
        json["conventions"][1].as_str().unwrap().starts_with("2 judges; a query's figure is the mean"),
        "{json}"
    );
    sandbox.llull(&["measure", "judges.qrels", "one.run"]).ends(1).says(&[
        "error: judges.qrels lines 2 and 3: document b of query q1 is graded 0 and then 1. Keep one",
    ]);
    let trec = ["measure", "judges.qrels", "one.run", "-R", "qrels_jg", "--format", "trec"];
    sandbox
        .llull(&trec)
        .ends(0)
        .says(&["map_avgjg             \tall\t0.5833\nP_avgjg_5             \tall\t0.2000\n"]);
}

/// one.run has b before a, and neither c nor e.
#[test]
fn preferences() {
    let sandbox = plain();
    sandbox.write("human.prefs", "q1 ann 0 a 2\nq1 ann 0 b 1\nq1 ann 0 c 0\nq2 ann 0 d 1\nq2 ann 0 y 0\n");
    sandbox
        .llull(&["measure", "human.prefs", "one.run", "-R", "prefs", "-q"])
        .ends(0)
        .rows(&[
            "one q1 1 3 2 0 0.6667 0.6667 0.6667",
            "one q2 1 1 0 0 0.0000 0.0000 0.0000",
            "one prefs_num_prefs_poss 4 2 0",
            "one prefs_num_prefs_ful_ret 0 2 0",
            "one prefs_avgjg 0.3333 2 0",
        ])
        .says(&["Preferences: ties in score are broken by document id, ascending"]);
    let simple =
        ["measure", "human.qrels", "one.run", "-R", "qrels_prefs", "-m", "prefs_simp", "--format", "jsonl"];
    let row = "{\"run\":\"one\",\"measure\":\"prefs_simp\",\"query\":null,\"value\":0.2222222222222222}\n";
    assert_eq!(sandbox.llull(&simple).ends(0).stdout, row);
    for (more, code, parts) in [
        (
            &["-R", "prefs", "-m", "AP"][..],
            2,
            ["no measure of preferences is called \"AP\"", "prefs_simp, prefs_pair"],
        ),
        (&[], 1, ["human.prefs line 1: found 5 columns", "four of qrels"]),
        (&["-R", "prefs", "-l", "2"], 2, ["--level", "leave it out"]),
    ] {
        sandbox.llull(&[&["measure", "human.prefs", "one.run"], more].concat()).refused(code, &parts);
    }
}

#[test]
fn z_scores() {
    let sandbox = plain();
    sandbox.write("others.z", "q1 map 0.5 0.25\nq2 map 0.5 0\nq1 recip_rank 0.5 0.5\n");
    let args = ["measure", "human.qrels", "one.run", "-m", "AP", "-m", "RR", "-Z", "others.z"];
    sandbox
        .llull(&[&args[..], &["-q"]].concat())
        .ends(0)
        .rows(&[
            "system query Z(AP) Z(RR)",
            "one q1 1.3333 1.0000",
            "one q2 0.0000 n/a",
            "one q3 n/a n/a",
            "system measure mean queries missing left out",
            "one Z(AP) 0.6667 2 1 1",
            "one Z(RR) 1.0000 1 1 2",
        ])
        .says(&[
            "others.z: 1 line has a standard deviation of 0",
            "a query that is not in the file is left out",
        ]);
    sandbox
        .llull(&[&args[..], &["--format", "trec"]].concat())
        .ends(0)
        .says(&["Zmap                   \tall\t0.6667\nZrecip_rank            \tall\t1.0000\n"]);
    sandbox
        .llull(&[&args[..], &["-R", "qrels_jg"]].concat())
        .ends(2)
        .says(&["error: --zscores needs -R qrels: means and deviations are those of its measures"]);
}

/// d1 is about both subtopics, d2 about the first: after d1, d2 is worth half (Clarke et al. 2008).
#[test]
fn subtopics() {
    let sandbox = Sandbox::new();
    sandbox.write("web.qrels", "q1 1 d1 1\nq1 2 d1 1\nq1 1 d2 1\n");
    sandbox.write("a.run", "q1 Q0 d2 1 3 t\nq1 Q0 d1 2 2 t\n");
    let args = ["measure", "web.qrels", "a.run", "-R", "subtopics", "-q"];
    sandbox
        .llull(&args)
        .ends(0)
        .rows(&["system query alpha_nDCG@20", "a q1 0.8406", "a alpha_nDCG@20 0.8406 1 0 0 of 2"])
        .says(&["The ideal list is found greedily"]);
    let lines = sandbox.llull(&[&args[..5], &["--format", "jsonl"]].concat()).ends(0).json();
    let l3 = 3f64.log2();
    let expected = (1.0 + 1.5 / l3) / (2.0 + 0.5 / l3);
    assert!((lines["value"].as_f64().unwrap() - expected).abs() < 1e-12, "{lines}");
    sandbox.llull(&[&args[..], &["-m", "AP"]].concat()).refused(
        2,
        &["no measure of diversity is called \"AP\"", "alpha_nDCG(alpha=0.5)@20, ERR_IA@20 and StRecall@20"],
    );
    sandbox
        .llull(&["measure", "web.qrels", "a.run", "-m", "alpha_nDCG@20"])
        .refused(2, &["alpha_nDCG@20 needs labels of subtopics", "-R subtopics"]);
    let recall = |more: &[&'static str]| {
        let line = [&args[..5], &["--format", "jsonl", "-m", "StRecall@1", "-m", "strec@1"], more].concat();
        sandbox.llull(&line).ends(0).json()["value"].clone()
    };
    // one line, so one measure; no grade is 2
    assert_eq!((recall(&[]), recall(&["-l", "2"])), (0.5.into(), 0.0.into()));
}

#[test]
fn a_file_without_a_label_is_refused_whatever_its_form() {
    let sandbox = plain();
    sandbox.write("empty", "# nothing\n");
    for form in ["qrels", "qrels_jg", "prefs", "qrels_prefs", "subtopics"] {
        let said = sandbox.llull(&["measure", "empty", "one.run", "-R", form]).ends(1).stderr;
        assert!(said.contains("empty: no label in it"), "{form}: {said}");
    }
}

#[test]
fn what_is_taken_for_granted_is_said_as_it_is() {
    let sandbox = plain();
    let measures = ["nDCG(judged_only=True)@10", "Compat", "ERR@20", "NumRel"];
    let args = measures.iter().flat_map(|name| ["-m", name]);
    let args: Vec<&str> = ["measure", "human.qrels", "one.run"].into_iter().chain(args).collect();
    sandbox.llull(&args).ends(0).says(&[
        "nDCG(judged_only=True)@10: gain = grade, documents without a label are left out.\n",
        "Compat: p = 0.95, tied scores by ascending id.\n",
        "ERR@20: highest grade 4.\n",
    ]);
}

/// trec_eval has 10 before 2, whatever the order of the files.
#[test]
fn topics_in_trec_eval_s_columns_are_in_its_order() {
    let sandbox = Sandbox::new();
    sandbox.write("a.qrels", "2 0 d 1\n10 0 d 1\n").write("a.run", "2 Q0 d 1 1 t\n10 Q0 d 1 1 t\n");
    let printed =
        sandbox.llull(&["measure", "a.qrels", "a.run", "-m", "map", "-q", "--format", "trec"]).ends(0).stdout;
    let topics: Vec<&str> = printed.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(topics, ["10", "2", "all"]);
}

/// Each of these was refused with the whole file.
#[test]
fn labels_and_runs_from_other_tools() {
    let sandbox = plain();
    sandbox.write("wild.qrels", "q1 a 1.6\nq1 a 0.2\nq1 b null\nq2 d 1.0\n");
    sandbox.write("wild.run", "q1 a 1\nq1 b 2\nq2 d 1\n");
    let asked = ["measure", "wild.qrels", "wild.run", "-m", "nDCG@3", "--order", "rank"];
    let with = |more: &[&str]| sandbox.llull(&[&asked[..], more].concat());
    with(&[]).ends(1).says(&["or round them (--round): nDCG@3 needs them"]);
    with(&["--round"]).ends(1).says(&["--repeats first, last, median or votes"]);
    with(&["--round", "--repeats", "first"]).ends(0).rows(&["wild nDCG@3 1.0000 [n/a, n/a] 2 0 1 of 3"]).says(&[
        "wild.qrels: three columns, which are read as query, document and grade",
        "wild.qrels: 1 line has no grade but a word for a missing one: that pair has no label (the first: line 3)",
        "wild.qrels: 1 pair has several grades; the first counts",
    ]);
    let third = "wild.run: query = column 1, document = column 2, rank = column 3";
    sandbox.llull(&["measure", "human.qrels", "wild.run"]).ends(0).says(&[third]);
    sandbox.write("wild.run", "q1 a 1\nq1 b 3\nq2 d 1\n");
    sandbox.llull(&["measure", "human.qrels", "wild.run"]).ends(1).says(&["--order rank or --order score"]);
    let ties = "q1 Q0 a 1 16777217 t\nq1 Q0 b 2 16777216 t\n";
    sandbox.write("ties.run", ties).write("tied.run", ties);
    let float32 =
        |more: &[&str]| sandbox.llull(&[&["measure", "human.qrels", "ties.run", "tied.run"], more].concat());
    float32(&[]).ends(0).says(&["2 of 2 rankings in 2 runs have scores that tie as 32-bit numbers"]);
    let quiet = float32(&["--order", "score32", "-Q"]).ends(0);
    assert_eq!(quiet.stderr, "", "{quiet}");
    assert_eq!(float32(&["-Q"]).ends(0).stderr, "");
    // Also where the measure's depth cuts between them, which moves its figure.
    for (form, mean) in [(&[][..], "1.0000"), (&["--order", "score32"], "0.0000")] {
        let first = ["measure", "first.qrels", "ties.run", "-m", "P@1"];
        sandbox.write("first.qrels", "q1 0 a 1\nq1 0 b 0\n");
        let said = sandbox.llull(&[&first[..], form].concat()).ends(0).says(&[mean]);
        let warned = said.stderr.contains("1 of 1 queries have scores that tie as 32-bit numbers");
        assert_eq!(warned, form.is_empty(), "{said}");
    }
}

/// A measure keeps its typed name in every output, and is found by it. A study adds its rubric's cutoff.
#[test]
fn a_measure_is_called_as_it_was_typed() {
    let sandbox = tiny();
    let named = |text: &str, name: &str| {
        assert!(text.contains(name) && !text.contains("Success"), "{name} in\n{text}");
    };
    let files = ["known.qrels", "old.run", "new.run", "-m", "HitRate@4", "--format"];
    for format in ["table", "json", "jsonl", "csv", "markdown"] {
        named(&sandbox.llull(&[&["measure"], &files[..], &[format]].concat()).ends(0).stdout, "HitRate@4");
    }
    for format in ["table", "json", "latex", "markdown"] {
        named(&sandbox.llull(&[&["compare"], &files[..], &[format]].concat()).ends(0).stdout, "HitRate@4");
    }
    let study = ["-m", "HitRate@4"];
    for command in [
        &["run"][..],
        &["report", "--verbose"],
        &["measure", "--sort", "HitRate@4"],
        &["compare", "old", "new", "--gate", "value(HitRate@4) > 0"],
    ] {
        let shown = sandbox.llull(&[command, &study].concat()).ends(0);
        named(&shown.stdout, "HitRate(rel=2)@4");
    }
    let lower = ["measure", "-m", "HitRate@4", "--sort", "HitRate(rel=1)@4"];
    sandbox.llull(&lower).refused(2, &["--sort HitRate(rel=1)@4: not among the measures"]);
    for file in ["report.md", "report.html", "report.json"] {
        named(&sandbox.read(file), "HitRate(rel=2)@4");
    }
}
