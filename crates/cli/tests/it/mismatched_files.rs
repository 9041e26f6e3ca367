//! Runs that contradict themselves, and files whose identifiers never meet.

use crate::measure::plain;
use crate::sandbox::{Sandbox, run, tiny};

/// A run of the plain sandbox's queries: rank and score of the documents, best first.
fn ranked(sandbox: &Sandbox, name: &str, columns: impl Fn(usize) -> (String, String)) {
    let mut text = String::new();
    for (query, documents) in [("q1", ["a", "b", "c"]), ("q2", ["d", "x", "y"]), ("q3", ["e", "v", "w"])] {
        for (at, document) in documents.iter().enumerate() {
            let (rank, score) = columns(at);
            text += &format!("{query} Q0 {document} {rank} {score} t\n");
        }
    }
    sandbox.write(name, &text);
}

#[test]
fn a_run_that_contradicts_itself_is_measured_as_trec_eval_does_and_warned_of() {
    let sandbox = plain();
    let rank = |at: usize| (at + 1).to_string();
    ranked(&sandbox, "equal.run", |at| (rank(at), "7".into()));
    ranked(&sandbox, "rank.run", |at| (rank(at), rank(at)));
    ranked(&sandbox, "distance.run", |at| (rank(at), format!("0.{at}5")));
    ranked(&sandbox, "other.run", |at| (rank(at), ["1", "3", "2"][at].into()));
    for (file, what) in [
        ("equal.run", "equal.run: all scores are equal in 3 of 3 queries (the first: q1)."),
        ("rank.run", "rank.run: the score column holds the rank in 3 of 3 queries (the first: q1)."),
        (
            "distance.run",
            "distance.run: the best rank has the lowest score, as distances have, in 3 of 3 queries (the first: q1).",
        ),
        (
            "other.run",
            "other.run: the rank column and the scores disagree in 3 of 3 queries (the first: q1).",
        ),
    ] {
        let mean = |arguments: &[&str]| {
            let all = [&["measure", "human.qrels", file, "-m", "RR@10", "--json"], arguments].concat();
            let measured = sandbox.llull(&all).ends(0);
            (measured.json()["systems"][0]["figures"][0]["mean"].as_f64().unwrap(), measured.stderr)
        };
        let (by_score, warned) = mean(&[]);
        assert!(warned.contains(what) && warned.contains("--order rank"), "{warned}");
        assert!(by_score < 1.0, "{file}: {by_score}");
        let (by_rank, fine) = mean(&["--order", "rank"]);
        assert_eq!((by_rank, fine.contains("warning")), (1.0, false), "{file}: {fine}");
        let compared = sandbox.llull(&["compare", "human.qrels", "two.run", file, "-m", "RR@10"]).ends(0);
        assert!(compared.stderr.contains(what), "{compared}");
    }
    let agreed = ["agree", "human.qrels", "human.qrels", "--runs", "one.run", "rank.run", "-m", "RR@10"];
    sandbox.llull(&agreed).ends(0).says(&["rank.run: the score column holds the rank"]);
}

#[test]
fn three_columns_of_distances_are_warned_of() {
    let sandbox = plain();
    sandbox.write("three.run", "q1 a 0.1\nq1 b 0.2\nq1 c 0.3\nq2 d 0.1\nq2 x 0.4\nq3 e 0.1\nq3 v 0.2\n");
    let arguments = ["measure", "human.qrels", "three.run", "-m", "RR@10", "--order", "score"];
    sandbox.llull(&arguments).ends(0).says(&["scores rise from the first line to the last", "--order rank"]);
    let arguments = ["measure", "human.qrels", "three.run", "-m", "RR@10", "--order", "rank"];
    assert!(!sandbox.llull(&arguments).ends(0).says(&["1.0000"]).stderr.contains("warning"));
}

#[test]
fn a_rank_that_is_no_number_is_refused_where_ranks_count() {
    let sandbox = plain();
    sandbox.write("odd.run", "q1 Q0 a first 3 t\n");
    let arguments = ["measure", "human.qrels", "odd.run", "--order", "rank"];
    sandbox.llull(&arguments).ends(1).says(&["odd.run line 1, column 4 (rank): found \"first\""]);
}

#[test]
fn a_study_warns_of_a_run_that_contradicts_itself_before_it_is_paid_for() {
    let sandbox = tiny();
    let mut upside_down = String::new();
    for (query, documents) in
        [("q1", ["a1", "a2", "a4"]), ("q2", ["b1", "b2", "b4"]), ("q3", ["c1", "c2", "c3"])]
    {
        for (at, document) in documents.iter().enumerate() {
            upside_down += &format!("{query} Q0 {document} {} 0.{at}1 new\n", at + 1);
        }
    }
    sandbox.write("new.run", &upside_down);
    let warning = "new.run: the best rank has the lowest score, as distances have, in 3 of 3 queries";
    for command in [&["doctor"][..], &["pool"], &["run"], &["measure"]] {
        let said = sandbox.llull(command).ends(0).says(&[warning, "order = \"rank\""]);
        assert!(!said.to_string().contains("everything is ready"), "{said}");
    }
    sandbox.edit("llull.toml", "run = \"new.run\"", "run = \"new.run\"\norder = \"rank\"");
    let pooled = sandbox.llull(&["pool", "--query", "q1"]).ends(0).says(&["new@1"]);
    assert!(!pooled.stderr.contains("warning"), "{pooled}");
    let right = tiny().llull(&["pool", "--query", "q1"]).ends(0);
    assert_eq!(pooled.stdout, right.stdout, "the ranks are those of the right run");
    sandbox.edit("llull.toml", "order = \"rank\"", "order = \"best\"");
    sandbox.llull(&["doctor"]).ends(1).says(&["order = \"best\" is neither rank nor score"]);
}

#[test]
fn identifiers_that_never_meet_are_an_error_and_no_figure() {
    let sandbox = plain();
    for (run, cause) in [
        (
            "Q1 Q0 a 1 3 t\nQ2 Q0 d 1 1 t\n",
            "odd.run has \"Q1\", human.qrels has \"q1\". The likely cause: the two",
        ),
        ("q01 Q0 a 1 3 t\nq02 Q0 d 1 1 t\n", "leading zeros"),
        ("\"q1\" Q0 \"a\" 1 3 t\n", "quotation marks"),
        ("a Q0 q1 1 3 t\nd Q0 q2 1 3 t\n", "the columns of queries and documents the other way round"),
        (
            "q1 Q0 doc_a 1 3 t\nq2 Q0 doc_d 1 3 t\n",
            "odd.run has \"doc_a\", human.qrels has \"a\". The likely cause: \
            one of the two writes \"doc_\" before identifiers",
        ),
    ] {
        sandbox.write("odd.run", run);
        for command in [
            &["measure", "human.qrels", "odd.run"][..],
            &["measure", "human.qrels", "-"],
            &["compare", "human.qrels", "two.run", "odd.run"],
            &["agree", "human.qrels", "human.qrels", "--runs", "two.run", "odd.run"],
            &["diff", "human.qrels", "human.qrels", "--runs", "two.run", "odd.run"],
        ] {
            let refused = sandbox.llull_with_input(command, run).ends(1);
            let cause = if command.contains(&"-") { "The likely cause" } else { cause };
            assert!(refused.stderr.contains(cause), "{command:?}: {refused}");
            assert_eq!(refused.stdout, "", "{refused}");
        }
    }
}

#[test]
fn a_document_below_the_measures_depth_shows_that_identifiers_meet() {
    let sandbox = plain();
    sandbox.write("low.run", "q1 Q0 x 1 3 t\nq1 Q0 a 2 2 t\n");
    let measured = sandbox.llull(&["measure", "human.qrels", "low.run", "-m", "P@1"]).ends(0);
    assert!(!measured.stderr.contains("in common"), "{measured}");
}

#[test]
fn less_than_a_tenth_in_common_is_a_warning() {
    let sandbox = plain();
    let queries = (0..20).map(|at| format!("z{at} Q0 a 1 1 t\n")).collect::<String>();
    sandbox.write("few.run", &format!("{queries}q1 Q0 a 1 1 t\n"));
    let qrels = (0..20).map(|at| format!("y{at} 0 a 1\n")).collect::<String>();
    sandbox.write("many.qrels", &format!("q1 0 a 1\n{qrels}"));
    let warning = "warning: few.run and many.qrels have only 1 of 21 queries in common";
    sandbox.llull(&["measure", "many.qrels", "few.run"]).ends(0).says(&[warning]);
    sandbox
        .llull(&["measure", "many.qrels", "few.run", "-R", "qrels_jg", "-m", "AP"])
        .ends(0)
        .says(&[warning]);
}

#[test]
fn a_study_refuses_queries_references_and_documents_of_other_identifiers() {
    let sandbox = tiny();
    sandbox.edit(
        "llull.toml",
        "corpus = \"corpus.jsonl\"",
        "corpus = \"corpus.jsonl\"\nreference = \"human.qrels\"",
    );
    sandbox.write("human.qrels", "Q1 0 a1 1\nQ2 0 b1 1\n");
    for command in ["doctor", "run"] {
        sandbox.llull(&[command]).ends(1).says(&["has \"Q1\", the pool has \"q1\"", "upper and lower case"]);
    }
    let sandbox = tiny();
    sandbox.write(
        "new.run",
        &run("new", [["a1", "a2", "a4"], ["b1", "b2", "b4"], ["c1", "c2", "c3"]]).replace('q', "q0"),
    );
    sandbox.llull(&["doctor"]).ends(1).says(&["query \"q01\" is not in", "leading zeros"]);
    let sandbox = tiny();
    let both = ["old.run", "new.run"];
    for file in both {
        let text = sandbox.read(file);
        let text = ["a", "b", "c"]
            .iter()
            .fold(text, |text, id| text.replace(&format!(" {id}"), &format!(" doc-{id}")));
        sandbox.write(file, &text);
    }
    sandbox.edit("llull.toml", "model = \"replay\"\nlabels = \"known.qrels\"", "model = \"similarity\"");
    sandbox.llull(&["run"]).ends(1).says(&["\"doc-\" before identifiers"]);
}

#[test]
fn queries_without_a_relevant_document_are_counted_by_every_measure() {
    let sandbox = plain();
    sandbox.write("binary.qrels", "q1 0 a 1\nq1 0 b 1\nq2 0 d 1\nq3 0 e 0\n");
    let arguments = ["measure", "binary.qrels", "two.run", "-m", "AP(rel=2)", "-m", "AP", "-m", "nDCG@10"];
    let measured = sandbox.llull(&[&arguments[..], &["--json"]].concat()).ends(0).says(&[
        "3 of 3 queries have no relevant document in the labels by AP(rel=2) and count as 0 for every run",
        "1 of 3 queries has no relevant document in the labels by AP, nDCG@10 and counts as 0 for every run",
    ]);
    let figures = &measured.json()["systems"][0]["figures"];
    let counts = [0, 1, 2].map(|at| figures[at]["topics_without_relevant"].as_u64());
    assert_eq!(counts, [Some(3), Some(1), Some(1)]);
    let compared = ["compare", "binary.qrels", "one.run", "two.run", "-m", "AP(rel=2)", "--json"];
    let compared = sandbox.llull(&compared).ends(0).says(&["3 of 3 queries have no relevant document"]);
    assert_eq!(compared.json()["measures"][0]["systems"][0]["topics_without_relevant"], 3);
    sandbox.write("none.qrels", "q1 0 a 0\nq1 0 b 0\nq2 0 d 0\nq3 0 e 0\n");
    let agreed =
        ["agree", "binary.qrels", "none.qrels", "--runs", "one.run", "two.run", "-m", "AP", "--json"];
    let agreed = sandbox.llull(&agreed).ends(0).says(&[
        "the truth: 1 of 3 queries have no relevant document by AP",
        "none.qrels: 3 of 3 queries have no relevant document by AP",
    ]);
    let counts = &agreed.json()["by_measure"][0]["without_relevant"];
    assert_eq!((&counts["truth"], &counts["other"]), (&1.into(), &3.into()));
}

#[test]
fn agree_takes_the_decimal_labels_that_measure_takes() {
    let sandbox = plain();
    sandbox.write("scores.qrels", "q1 0 a 0.9\nq1 0 b 0.2\nq1 0 c 0\nq2 0 d 0.5\nq3 0 e 0.7\n");
    let runs = ["--runs", "one.run", "two.run"];
    let agreed = |measures: &[&str]| {
        sandbox.llull(&[&["agree", "human.qrels", "scores.qrels"][..], &runs, measures].concat())
    };
    agreed(&["-m", "Compat"]).ends(0).says(&["2 systems over 3 queries: Compat under both"]);
    agreed(&["-m", "AP", "--other-measure", "Compat"]).ends(0).says(&["2 systems over 3 queries"]);
    agreed(&["-m", "AP"]).ends(1).says(&["scores.qrels line 1, column 4 (grade): found \"0.9\""]);
}

/// By hand, of q1 with grades a 4, b 2, c 1 and the order b, a: gains from the lowest grade are 1, 3 and 0, so nDCG is
/// (1 + 3 / log2(3)) / (3 + 1 / log2(3)); without that they are 2, 4 and 1.
#[test]
fn a_scale_that_starts_at_1_pays_nothing_for_its_lowest_grade() {
    let sandbox = Sandbox::new();
    sandbox
        .write("human.qrels", "q1 0 a 4\nq1 0 b 2\nq1 0 c 1\n")
        .write("one.run", "q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\n");
    let mean = |measure: &str| {
        let measured = sandbox.llull(&["measure", "human.qrels", "one.run", "-m", measure, "--json"]).ends(0);
        (measured.json()["systems"][0]["figures"][0]["mean"].as_f64().unwrap(), measured.stderr)
    };
    let l3 = 3f64.log2();
    let (from_lowest, said) = mean("nDCG(min_rel=1)@10");
    assert!((from_lowest - (1.0 + 3.0 / l3) / (3.0 + 1.0 / l3)).abs() < 1e-12, "{from_lowest}");
    assert!(!said.contains("lowest grade is 1"), "{said}");
    let (as_trec_eval, said) = mean("nDCG@10");
    assert!((as_trec_eval - (2.0 + 4.0 / l3) / (4.0 + 2.0 / l3 + 1.0 / 2.0)).abs() < 1e-12, "{as_trec_eval}");
    assert!(
        said.contains("the lowest grade is 1, and nDCG@10 gives it a gain")
            && said.contains("nDCG(min_rel=1)@10")
    );
    let (table, _) = mean("nDCG(gains={1:0,2:1,4:3})@10");
    assert!((table - from_lowest).abs() < 1e-12, "{table}");
    let (_, said) = mean("ERR(max_rel=3)@10");
    assert!(
        said.contains("1 grade is above 3 and count as 3 for ERR(max_rel=3)@10. Use ERR(max_rel=4)"),
        "{said}"
    );
    for wrong in ["nDCG(min_rel=1,gains={1:0})@10", "P(min_rel=1)@5", "ERR(min_rel=4)@10", "RBP(min_rel=1)"] {
        sandbox.llull(&["measure", "human.qrels", "one.run", "-m", wrong]).ends(2);
    }
}

#[test]
fn a_studys_gains_count_from_the_lowest_grade_of_its_rubric() {
    let sandbox = tiny();
    let grade = |grade: i32| {
        format!("[[grades]]\ngrade = {grade}\nname = \"g{grade}\"\ndefinition = \"Grade {grade}.\"\n")
    };
    let grades = (1..=10).map(grade).collect::<String>();
    let rubric = format!("+++\nversion = 1\nname = \"ten\"\ncutoff = 5\n{grades}+++\nHow relevant is it?\n");
    sandbox.write("rubric.md", &rubric);
    sandbox.edit(
        "llull.toml",
        "corpus = \"corpus.jsonl\"",
        "corpus = \"corpus.jsonl\"\nrubric = \"rubric.md\"",
    );
    sandbox.edit("llull.toml", "\"P(rel=2)@1\"]", "\"ERR@3\"]");
    sandbox.edit("llull.toml", "labels = \"known.qrels\"", "labels = \"known.qrels\"\nscale = \"1..10\"");
    let known = sandbox.read("known.qrels");
    let shifted = known.lines().map(|line| {
        let (pair, grade) = line.rsplit_once(' ').unwrap();
        format!("{pair} {}\n", grade.parse::<i32>().unwrap() + 1)
    });
    sandbox.write("known.qrels", &shifted.collect::<String>());
    let ran = sandbox.llull(&["run"]).ends(0).says(&["nDCG(min_rel=1)@3", "counts grades above 4 as 4"]);
    let measured = sandbox.llull(&["measure", "-m", "nDCG@3", "--json"]).ends(0).json();
    let original = tiny();
    original.llull(&["run"]).ends(0);
    let plain = original.llull(&["measure", "-m", "nDCG@3", "--json"]).ends(0).json();
    for system in 0..2 {
        let mean =
            |output: &serde_json::Value| output["systems"][system]["figures"][0]["mean"].as_f64().unwrap();
        assert!((mean(&measured) - mean(&plain)).abs() < 1e-12, "{ran}");
    }
}

/// Ten queries; the labels know what `one.run` returned, and of what `two.run` returned the first document.
#[test]
fn unequal_shares_of_documents_without_a_label_are_shown_and_warned_of() {
    let sandbox = Sandbox::new();
    let (mut qrels, mut one, mut two) = (String::new(), String::new(), String::new());
    for query in 0..10 {
        for at in 0..5 {
            qrels += &format!("q{query} 0 a{at} {}\n", u8::from(at < 2));
            one += &format!("q{query} Q0 a{at} {} {} t\n", at + 1, 5 - at);
            two += &format!("q{query} Q0 b{at} {} {} t\n", at + 1, 5 - at);
        }
        qrels += &format!("q{query} 0 b0 0\n");
    }
    sandbox.write("some.qrels", &qrels).write("one.run", &one).write("two.run", &two);
    sandbox.llull(&["compare", "some.qrels", "one.run", "two.run", "-m", "P@5"]).ends(0).says(&[
        "unjudged",
        "80.0%",
        "warning: P@5: 80.0% of what two returned has no label, and 0.0% of what one returned.",
        "No verdict on two against one by P@5: 40 of 100 documents have no label, and the missing labels could reverse",
    ]);
    let gate = ["compare", "some.qrels", "one.run", "two.run", "-m", "P@5", "--gate", "P@5 >= 0", "--json"];
    let gated = sandbox.llull(&gate).ends(100).json();
    assert_eq!(gated["gates"][0]["outcome"], "incomplete");
    assert_eq!(gated["comparisons"][0]["decision"], "incomplete");
    // Who leaves documents without a label out has chosen how to read them.
    let none = ["compare", "some.qrels", "one.run", "two.run", "-m", "P(judged_only=True)@1", "--json"];
    assert_eq!(sandbox.llull(&none).ends(0).json()["comparisons"][0]["decision"], "worse");
    let measured = sandbox.llull(&["measure", "some.qrels", "one.run", "two.run", "-m", "P@5"]).ends(0);
    measured.says(&["two: 80.0% of the documents that P@5 looks at have no label"]);
}

/// A typing error in `--columns` was without effect everywhere but in `llull init`.
#[test]
fn a_column_that_no_file_has_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.write("labels.csv", "query,doc_id,relevance\nq1,d1,1\nq1,d2,0\n");
    sandbox.write("a.csv", "query,doc_id,rank\nq1,d1,1\nq1,d2,2\n");
    let measure = ["measure", "labels.csv", "a.csv", "-m", "P@1"];
    sandbox.llull(&measure).ends(0);
    sandbox.llull(&[&measure[..], &["--columns", "grade=relevance"]].concat()).ends(0);
    let wrong = sandbox.llull(&[&measure[..], &["--columns", "grade=relevnace"]].concat());
    wrong.refused(1, &["--columns grade=relevnace", "no file that was read has such a column"]);
    let label = ["label", "labels.csv", "-o", "out.qrels", "--columns", "grade=relevnace"];
    sandbox.llull(&label).refused(1, &["--columns grade=relevnace"]);
    assert!(!sandbox.path("out.qrels").exists(), "nothing is written of a guessed column");
}

/// Results without a text were searched for the corpus's column before the corpus was read.
#[test]
fn the_columns_of_a_corpus_are_not_those_of_the_results() {
    let sandbox = tiny();
    sandbox.edit("llull.toml", "old.run", "old.csv");
    sandbox.edit(
        "llull.toml",
        "name = \"known\"\nmodel = \"replay\"\nlabels = \"known.qrels\"",
        "name = \"s\"\nmodel = \"similarity\"",
    );
    sandbox.write("old.csv", "query,doc_id,rank\nq1,a2,1\nq2,b1,1\nq3,c3,1\n");
    sandbox.write("corpus.jsonl", &sandbox.read("corpus.jsonl").replace("\"text\":", "\"body2\":"));
    sandbox.llull(&["run", "--columns", "text=body2"]).ends(0);
    sandbox.llull(&["pool", "--columns", "text=body2"]).ends(0);
    sandbox
        .llull(&["run", "--columns", "text=body3"])
        .ends(1)
        .says(&["columns text=body3", "no file that was read has such a column"]);
}
