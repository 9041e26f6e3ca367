//! Slices and choices of the queries, of plain files and in a study.

use serde_json::json;

use crate::sandbox::{Sandbox, check, tiny};

/// Sixteen queries. Of ten, whose segment is head, the system new has the relevant document first and old second; of
/// the other six both have it first.
fn files() -> Sandbox {
    let sandbox = Sandbox::new();
    let (mut labels, mut old, mut new) = (String::new(), String::new(), String::new());
    let mut queries = String::from("id,query,segment,number\n");
    for at in 0..16 {
        let id = format!("{}-{at:02}", ["de", "en"][at % 2]);
        let segment = ["head", "tail", ""][usize::from(at >= 10) + usize::from(at >= 14)];
        queries += &format!("{id},\"query {at}, red\",{segment},{at}\n");
        labels += &format!("{id} 0 good 1\n{id} 0 bad 0\n");
        let line = |document: &str, rank: usize| format!("{id} Q0 {document} {rank} {} t\n", 9 - rank);
        new += &(line("good", 1) + &line("bad", 2));
        let [first, second] = if at < 10 { ["bad", "good"] } else { ["good", "bad"] };
        old += &(line(first, 1) + &line(second, 2));
    }
    sandbox.write("q.csv", &queries).write("a.qrels", &labels).write("old.run", &old).write("new.run", &new);
    sandbox
}

const COMPARE: [&str; 6] = ["compare", "a.qrels", "old.run", "new.run", "-m", "RR@10"];

#[test]
fn plain_files_are_compared_slice_by_slice() {
    let sandbox = files();
    let slices = [&COMPARE[..], &["--topics", "q.csv", "--slice", "segment"]].concat();
    check!(sandbox.llull(&slices).ends(0));
    let found = sandbox.llull(&[&slices[..], &["--json"]].concat()).ends(0).json();
    assert_eq!(found["slices"][0]["comparisons"], 3);
    let of = |slice: usize| found["slices"][0]["slices"][slice]["systems"][1]["comparison"].clone();
    assert_eq!((&of(0)["decision"], &of(0)["n"]), (&json!("better"), &json!(10)));
    assert_eq!(of(1)["decision"], "identical");
    let measured = [
        "measure", "a.qrels", "old.run", "new.run", "-m", "RR@10", "--topics", "q.csv", "--slice", "segment",
    ];
    sandbox.llull(&measured).ends(0).rows(&["head 10 old 0.500 (0.50 to 0.50)", "(none) 2 old 1.000"]);
    sandbox
        .llull(&[&measured[..], &["--format", "markdown"]].concat())
        .ends(0)
        .says(&["| tail | 4 | old | 1.000 |"]);
}

#[test]
fn some_queries_of_plain_files_are_chosen() {
    let sandbox = files();
    let measure = |flags: &[&str]| {
        sandbox
            .llull(&[&["measure", "a.qrels", "old.run", "-m", "RR@10", "--json"][..], flags].concat())
            .ends(0)
    };
    let by_value =
        measure(&["--topics", "q.csv", "--queries", "segment=tail", "--queries", "segment=(none)"]);
    assert!(by_value.stderr.contains("6 of 16 queries (segment=tail, segment=(none))"), "{by_value}");
    assert_eq!((&by_value.json()["topics"], &by_value.json()["queries"]["of"]), (&json!(6), &json!(16)));
    assert!(!by_value.stderr.contains("no label"), "{by_value}");
    assert_eq!(measure(&["--queries", "de-*"]).json()["topics"], 8);
    sandbox.write("ids.txt", "# two\nde-00\n\nen-01\n");
    assert_eq!(measure(&["--queries", "ids.txt"]).json()["topics"], 2);
    let sample = ["--topics", "q.csv", "--sample-queries", "8:segment"];
    let drawn = measure(&sample);
    assert!(drawn.stderr.contains("8 of 16 queries (sample by segment, seed 42)"), "{drawn}");
    // 10, 4 and 2 of 16: 5, 2 and 1 of 8. By this measure only head differs from 1.
    assert_eq!(drawn.json()["systems"][0]["figures"][0]["mean"], 1.0 - 5.0 / 8.0 / 2.0);
    assert_eq!(measure(&sample).stdout, drawn.stdout);
    let compared = [&COMPARE[..], &["--queries", "en-*", "--json"]].concat();
    let compared = sandbox.llull(&compared).ends(0).json();
    assert_eq!((&compared["comparisons"][0]["n"], &compared["queries"]["chosen"]), (&json!(8), &json!(8)));
}

#[test]
fn a_wrong_slice_or_choice_is_refused_with_what_there_is() {
    let sandbox = files();
    let compare = |flags: &[&str]| sandbox.llull(&[&COMPARE[..], flags].concat());
    let topics = ["--topics", "q.csv"];
    compare(&["--slice", "segment"])
        .refused(2, &["--slice segment", "name the file of queries, --topics FILE"]);
    compare(&["--queries", "segment=head"]).refused(2, &["--queries segment=head", "--topics FILE"]);
    for (flags, code, says) in [
        (["--slice", "language"], 2, "no query has a field \"language\". Fields: segment, number"),
        (["--queries", "language=de"], 1, "no query has a field \"language\". Fields: segment, number"),
        (["--queries", "segment=haed"], 1, "Values of \"segment\": (none), head, tail"),
        (["--queries", "fr-*"], 1, "no query with a label matches it (the first: de-00)"),
        (
            ["--test", "t"],
            2,
            "--test holds for the comparison of all queries; verdicts on slices are by bootstrap",
        ),
        (["--correct", "bh"], 2, "leave out --correct or --slice"),
        (["--queries", "no.txt"], 1, "and no file has this name"),
        (["--sample-queries", "17"], 1, "there are only 16 queries"),
        (["--sample-queries", "0"], 2, "must be a whole number, 1 or more"),
        (["--sample-queries", "8:language"], 1, "no query has a field \"language\". Fields: segment, number"),
        (["--format", "latex"], 2, "--format latex has no tables of slices"),
    ] {
        let of_slices = ["--format", "--test", "--correct"].contains(&flags[0]);
        let slices: &[&str] = if of_slices { &["--slice", "segment"] } else { &[] };
        compare(&[&topics[..], &flags, slices].concat()).refused(code, &[says]);
    }
    sandbox.write("ids.txt", "de-00\nde-99\n").write("none.txt", "\n");
    compare(&["--queries", "ids.txt"])
        .refused(1, &["--queries ids.txt: \"de-99\" has no label. Leave out of the list"]);
    compare(&["--queries", "none.txt"]).refused(1, &["none.txt", "Write one on each line"]);
    let many: String = (0..16).map(|at| format!("{}-{at:02},q,{at}\n", ["de", "en"][at % 2])).collect();
    let more: String = (16..30).map(|at| format!("{}-{at:02} 0 good 1\n", ["de", "en"][at % 2])).collect();
    sandbox.write("a.qrels", &(sandbox.read("a.qrels") + &more));
    let others: String = (16..30).map(|at| format!("{}-{at:02},q,{at}\n", ["de", "en"][at % 2])).collect();
    sandbox.write("many.csv", &format!("id,query,number\n{many}{others}"));
    compare(&["--topics", "many.csv", "--slice", "number"]).refused(2, &["has 30 values", "at most 20"]);
    let measure = ["measure", "a.qrels", "old.run", "--topics", "q.csv", "--slice", "segment"];
    sandbox.llull(&[&measure[..], &["--format", "csv"]].concat()).refused(2, &["leave out --format"]);
    sandbox.llull(&[&measure[..], &["--answered-only"]].concat()).refused(2, &["leave out --answered-only"]);
    sandbox.llull(&["run", "--sample-queries", "8:"]).refused(2, &["50:segment"]);
}

#[test]
fn a_chosen_query_that_a_run_does_not_answer_counts_as_0() {
    let sandbox = files();
    let few: String = sandbox
        .read("new.run")
        .lines()
        .filter(|line| !line.starts_with("en-15"))
        .fold(String::new(), |text, line| text + line + "\n");
    sandbox.write("new.run", &few);
    let measure = ["measure", "a.qrels", "old.run", "new.run", "-m", "RR@10", "--queries", "en-15", "--json"];
    let measured = sandbox.llull(&measure).ends(0).json();
    let mean = |system: usize| measured["systems"][system]["figures"][0]["mean"].clone();
    assert_eq!((mean(0), mean(1)), (json!(1.0), json!(0.0)));
    let compared = sandbox.llull(&[&COMPARE[..], &["--queries", "en-15", "--json"]].concat()).ends(0).json();
    assert_eq!(compared["comparisons"][0]["n"], 1);
}

#[test]
fn queries_of_another_collection_are_refused_and_absent_ones_stand_apart() {
    let sandbox = files();
    sandbox.write("other.csv", "id,query,segment\nx1,q,head\nx2,q,tail\n");
    for flags in [["--slice", "segment"], ["--queries", "segment=head"]] {
        let other = [&COMPARE[..], &["--topics", "other.csv"], &flags].concat();
        sandbox.llull(&other).refused(1, &["other.csv", "a.qrels", "no query in common"]);
    }
    let some: String = sandbox
        .read("q.csv")
        .lines()
        .filter(|line| !line.starts_with("de-00"))
        .fold(String::new(), |text, line| text + line + "\n");
    sandbox.write("q.csv", &some);
    let slices = [&COMPARE[..], &["--topics", "q.csv", "--slice", "segment"]].concat();
    let compared = sandbox.llull(&slices).ends(0);
    assert!(compared.stderr.contains("1 of 16 queries with labels is in no file of --topics"), "{compared}");
    compared.rows(&["(none) 2 old 1.000 baseline", "(not in the file of queries) 1 old 0.500 baseline"]);
    let absent = [&COMPARE[..], &["--topics", "q.csv", "--queries", "segment=(none)"]].concat();
    sandbox.llull(&absent).ends(0).says(&["2 of 16 queries (segment=(none))"]);
}

#[test]
fn a_slice_field_counts_once() {
    let sandbox = files();
    let twice = [&COMPARE[..], &["--topics", "q.csv", "--slice", "segment", "--slice", "segment", "--json"]];
    let found = sandbox.llull(&twice.concat()).ends(0).json();
    assert_eq!((&found["slices"][0]["comparisons"], &found["slices"][1]), (&json!(3), &json!(null)));
    let sandbox = study();
    sandbox.edit("llull.toml", "[pool]", "[compare]\nslices = [\"segment\", \"segment\"]\n\n[pool]");
    sandbox.llull(&["run"]).ends(0);
    let compared = sandbox.llull(&["compare", "old", "new", "-m", "nDCG@3", "--json"]).ends(0).json();
    assert_eq!((&compared["slices"][0]["comparisons"], &compared["slices"][1]), (&json!(2), &json!(null)));
}

/// The tiny study with a table of queries.
fn study() -> Sandbox {
    let sandbox = tiny();
    sandbox.edit("llull.toml", "topics.tsv", "queries.csv");
    sandbox.write(
        "queries.csv",
        "id,query,segment\nq1,reset a forgotten password,head\nq2,export a report as csv,head\n\
         q3,delete my account,tail\n",
    );
    sandbox
}

#[test]
fn a_study_shows_slices_in_each_of_its_forms() {
    let sandbox = study();
    sandbox.edit("llull.toml", "[pool]", "[compare]\nslices = [\"segment\"]\n\n[pool]");
    let rows = ["head 2 old 0.671 baseline", "tail 1 old 0.689 baseline"];
    check!(sandbox.llull(&["run"]).ends(0));
    assert!(sandbox.read("report.md").contains("## Slices by segment\n"));
    assert!(sandbox.read("report.html").contains("<h2 id=\"slices-h\">Slices</h2>"));
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    assert_eq!(report["slices"][0]["slices"][0]["name"], "head");
    sandbox.llull(&["compare", "old", "new", "-m", "nDCG@3"]).ends(0).rows(&rows);
    sandbox.llull(&["measure", "-m", "nDCG@3"]).ends(0).rows(&["tail 1 old 0.689"]);
    sandbox
        .llull(&["report", "--slice", "language"])
        .refused(1, &["queries.csv: slices: no query has a field \"language\". Fields: segment"]);
    sandbox
        .llull(&["measure", "--topics", "queries.csv"])
        .refused(2, &["--topics queries.csv is for plain files"]);
}

#[test]
fn the_choice_of_a_run_is_that_of_later_commands_until_another_run() {
    let sandbox = study();
    let says = "2 of 3 queries (segment=head)";
    sandbox
        .llull(&["run", "--queries", "segment=head"])
        .ends(0)
        .says(&[says, "all 8 query-document pairs labelled"]);
    let report = sandbox.read("report.md");
    assert!(report.contains("2 of 3 queries (segment=head), all 8"), "{report}");
    sandbox.llull(&["report"]).ends(0).says(&["settings of the last run: --queries segment=head"]);
    assert_eq!(sandbox.read("report.md"), report);
    let measured = sandbox.llull(&["measure", "--json"]).ends(0).json();
    assert_eq!((&measured["topics"], &measured["queries"]["how"]), (&json!(2), &json!("segment=head")));
    // Another choice replaces the whole of it, for one command.
    sandbox.llull(&["measure", "--queries", "q2"]).ends(0).says(&["1 of 3 queries (q2)"]);
    sandbox.llull(&["run"]).ends(0).says(&["3 queries, all 11 query-document pairs labelled"]);
    // Answers are reused, whichever queries were chosen.
    sandbox.llull(&["run", "--sample-queries", "2", "--dry-run"]).ends(0).says(&["nothing is left to ask"]);
}

#[test]
fn a_list_outside_the_study_that_its_saved_flags_name_needs_trust() {
    let sandbox = study();
    sandbox.llull(&["run", "--queries", "q1"]).ends(0);
    let saved = sandbox.read(".llull/last-run.toml");
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("ids.txt");
    fs_err::write(&list, "q1\n").unwrap();
    let list = list.display().to_string();
    sandbox.write(".llull/last-run.toml", &saved.replace("\"q1\"", &format!("{list:?}")));
    sandbox.llull(&["report"]).refused(1, &[&list, "outside the study's folder"]);
    // Typed on the command line it is the user's own.
    sandbox.llull(&["report", "--queries", &list]).ends(0).says(&["1 of 3 queries"]);
}

#[test]
fn printed_commands_choose_the_queries_of_the_last_run() {
    let sandbox = study();
    let asked = "8 of 8 pairs are not judged yet; llull run --queries segment=head judges them";
    sandbox.llull(&["measure", "--queries", "segment=head"]).ends(3).says(&[asked]);
    sandbox.llull(&["run", "--queries", "segment=head"]).ends(0);
    sandbox.llull(&["doctor"]).ends(0).says(&["llull run --queries segment=head\n"]);
    sandbox.llull(&["run"]).ends(0);
    sandbox.llull(&["doctor"]).ends(0).says(&["llull run\n"]);
}

#[test]
fn a_list_of_queries_is_that_of_the_run_whatever_becomes_of_its_file() {
    let sandbox = study();
    sandbox.write("ids.txt", "q1\nq2\n");
    sandbox.llull(&["run", "--queries", "ids.txt"]).ends(0).says(&["2 of 3 queries (ids.txt)"]);
    let report = sandbox.read("report.md");
    sandbox.write("ids.txt", "q3\n");
    sandbox.llull(&["report"]).ends(0).says(&["settings of the last run: --queries ids.txt"]);
    assert_eq!(sandbox.read("report.md"), report);
    fs_err::remove_file(sandbox.path("ids.txt")).unwrap();
    sandbox.llull(&["report"]).ends(0);
    assert_eq!(sandbox.read("report.md"), report);
    assert_eq!(sandbox.llull(&["measure", "--json"]).ends(0).json()["topics"], 2);
    sandbox.llull(&["doctor"]).ends(0);
    // Typed anew, the file is read anew.
    sandbox.write("ids.txt", "q3\n");
    sandbox.llull(&["measure", "--queries", "ids.txt"]).ends(3).says(&["1 of 3 queries (ids.txt)"]);
}

#[test]
fn a_sample_for_annotators_drawn_among_other_queries_is_left_out() {
    let sandbox = study();
    sandbox.llull(&["run"]).ends(0);
    sandbox.llull(&["sample", "-m", "P@3", "--design", "uniform", "-n", "6", "-o", "s.csv"]).ends(0);
    let chosen = ["report", "--queries", "segment=head"];
    let left_out = "was drawn among other queries than these 2 of 3 queries";
    sandbox.llull(&chosen).ends(0).says(&[left_out]);
    // One that was drawn among the chosen queries counts.
    let sandbox = study();
    sandbox.llull(&["run", "--queries", "segment=head"]).ends(0);
    sandbox.llull(&["sample", "-m", "P@3", "--design", "uniform", "-n", "6", "-o", "s.csv"]).ends(0);
    let counted = sandbox.llull(&["report"]).ends(0).says(&["6 pairs is drawn"]);
    assert!(!counted.stderr.contains(left_out), "{counted}");
}

#[test]
fn the_best_order_of_a_systems_own_results_stands_beside_its_mean() {
    let sandbox = files();
    let measure =
        ["measure", "a.qrels", "old.run", "new.run", "-m", "RR@10", "-m", "Judged@10", "--best-order"];
    let measured = sandbox.llull(&measure).ends(0).rows(&[
        "old RR@10 0.6875 [0.5625, 0.8438] 1.0000 16 0 0 of 32",
        "new Judged@10 1.0000 [0.7941, 1.0000] n/a 16 0 0 of 32",
    ]);
    assert!(measured.stderr.contains("if the results of each query stood in the best order"), "{measured}");
    // The relevant document of ten queries is second, where the first result alone cannot bring it forward.
    let first = sandbox.llull(&[&measure[..], &["-M", "1", "--json"]].concat()).ends(0).json();
    assert_eq!(first["systems"][0]["figures"][0]["best_order"], json!(6.0 / 16.0));
    sandbox.llull(&[&measure[..], &["--format", "trec"]].concat()).refused(2, &["--best-order", "leave out"]);
    let study = study();
    study.llull(&["run"]).ends(0);
    study.llull(&["measure", "-m", "P@1", "--best-order"]).ends(0).says(&["first 3 results of each query"]);
    assert!(study.read("report.md").contains("| best order of its own results |"));
}
