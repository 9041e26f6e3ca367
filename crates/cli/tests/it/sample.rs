//! `llull sample`: people label what was drawn, and correct the judge.

use std::fmt::Write as _;

use crate::sandbox::{Sandbox, check, command_line};

const QUERIES: usize = 16;
const DOCUMENTS: usize = 10;

/// The judge's grade.
fn judged(query: usize, document: usize) -> usize {
    (query * 3 + document * 5) % 4
}

/// People's grade: mostly the judge's, one lower for some.
fn by_annotators(query: usize, document: usize) -> usize {
    judged(query, document).saturating_sub(usize::from((query + document).is_multiple_of(4)))
}

/// Two systems that return eight of ten documents each; the new one begins with the judge's best.
pub(crate) fn study() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        "llull.toml",
        "version = 1\nname = \"sampled\"\ntopics = \"topics.tsv\"\ncorpus = \"corpus.tsv\"\n\
         measures = [\"P(rel=2)@5\", \"nDCG@5\"]\n\n[pool]\ndepth = 8\n\n\
         [[systems]]\nname = \"old\"\nrun = \"old.run\"\n\n[[systems]]\nname = \"new\"\nrun = \"new.run\"\n\n\
         [[judges]]\nname = \"known\"\nmodel = \"replay\"\nlabels = \"known.qrels\"\n",
    );
    let (mut topics, mut corpus, mut qrels) = (String::new(), String::new(), String::new());
    let (mut old, mut new) = (String::new(), String::new());
    for query in 0..QUERIES {
        writeln!(topics, "q{query}\tquestion number {query}").unwrap();
        let mut best: Vec<usize> = (0..DOCUMENTS).collect();
        best.sort_by_key(|document| {
            std::cmp::Reverse((judged(query, *document), (document * 7 + query) % 10))
        });
        for document in 0..DOCUMENTS {
            let text = if document == 0 { "=HYPERLINK(\"http://x\")" } else { "some, \"quoted\" words" };
            writeln!(corpus, "q{query}d{document}\t{text} {document}").unwrap();
            writeln!(qrels, "q{query} 0 q{query}d{document} {}", judged(query, document)).unwrap();
        }
        for (rank, best) in best.iter().enumerate().take(8) {
            writeln!(old, "q{query} Q0 q{query}d{rank} {rank} {} t", 9 - rank).unwrap();
            writeln!(new, "q{query} Q0 q{query}d{best} {rank} {} t", 9 - rank).unwrap();
        }
    }
    for (name, text) in [
        ("topics.tsv", &topics),
        ("corpus.tsv", &corpus),
        ("known.qrels", &qrels),
        ("old.run", &old),
        ("new.run", &new),
    ] {
        sandbox.write(name, text);
    }
    sandbox.llull(&["run", "-Q"]).ends(0);
    sandbox
}

/// Fills in the sheet: the first `labelled` lines with people's grades.
pub(crate) fn fill(sandbox: &Sandbox, sheet: &str, labelled: usize) -> String {
    let text = sandbox.read(sheet);
    let lines = text.lines().enumerate().map(|(at, line)| {
        let mut cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
        if (1..=labelled).contains(&at) {
            let (query, document) = cells[4].trim_start_matches('q').split_once('d').unwrap();
            cells[1] = by_annotators(query.parse().unwrap(), document.parse().unwrap()).to_string();
        }
        cells.join("\t")
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_plan_says_what_labels_are_worth_and_draws_nothing() {
    let sandbox = study();
    check!(sandbox.llull(&["sample"]).ends(0));
    assert!(!sandbox.path(".llull/sample.tsv").exists());
    sandbox
        .llull(&["sample", "-m", "nDCG@5", "--design", "queries"])
        .ends(0)
        .rows(&[
            "queries labels these queries queries like these without the judge",
            "10 96 0.0659 0.1415 0.1621",
            "llull sample -m nDCG@5 --design queries -n 4 -o sheet.csv",
        ])
        .says(&[
            "nDCG@5 of new - old: 154 pairs of 16 queries can be drawn (queries)",
            "Proposed: draw 4 whole queries (about 39 pairs), for an interval at most 0.6009 wide",
            "the effective number of queries is 12.9",
        ]);
    let plan = sandbox.llull(&["sample", "--json", "--compare", "old,new", "-Q"]).ends(0).json();
    assert_eq!((&plan["plan"]["design"], &plan["sample"]), (&"stratified".into(), &serde_json::Value::Null));
    assert!(plan["plan"]["rows"][0]["width"]["these_queries"].as_f64().unwrap() > 0.0, "{plan}");
}

/// `llull sample -n 200` failed in the demo and in every default study, whose first measure is nDCG: "200 of the 24
/// queries of the frame are all of it".
#[test]
fn a_plain_sample_chooses_what_the_decision_can_use_and_proposes_a_number() {
    let sandbox = Sandbox::new();
    sandbox.llull(&["demo", "."]).ends(0);
    sandbox
        .llull(&["sample"])
        .ends(0)
        .rows(&["50 0.2334 0.2852 0.3289", "200 0.1189 0.1985 0.2056", "llull sample -n 51 -o sheet.csv"])
        .says(&[
            "nDCG@10 decides this study, so the sample is for it.",
            "Differences in nDCG@10 are corrected by single pairs, drawn by weight",
            "nDCG@10 of bm25-titles - bm25: 335 pairs of 24 queries can be drawn (unequal)",
            "the widest of 2 differences; the judge alone gives -0.2032",
            "Proposed: draw 51 pairs, for an interval at most 0.2845 wide",
            "narrower than 0.1544: only more queries do",
            "the effective number of queries is 11.2",
        ]);
    let json = sandbox.llull(&["sample", "--json", "-Q"]).ends(0).json();
    let proposal = &json["plan"]["proposal"];
    assert_eq!((&json["plan"]["measure"], &json["plan"]["design"]), (&"nDCG@10".into(), &"unequal".into()));
    assert!(proposal["width"].as_f64().unwrap() <= proposal["wanted"].as_f64().unwrap(), "{json}");
    // What it prints can be typed.
    let pairs = proposal["pairs"].to_string();
    let n = proposal["n"].as_u64().unwrap();
    let drawn = sandbox.llull(&["sample", "-n", &pairs, "-o", "sheet.csv"]).ends(0);
    drawn.says(&[&format!("0 of {n} pairs labelled")]);
    // The report's next step names the number, unless other labels check the judge.
    let proposed = |sandbox: &Sandbox| {
        sandbox.llull(&["report", "--json", "-Q"]).ends(0).json()["decision"]["proposed_sample"].clone()
    };
    assert!(proposed(&sandbox).is_null());
    let without = Sandbox::new();
    without.llull(&["demo", "."]).ends(0);
    without.edit("llull.toml", "reference = \"authors.qrels\"", "# no reference");
    assert_eq!(proposed(&without)["pairs"], proposal["pairs"]);
    // A width that is named is reached with fewer or more labels, or llull says that it cannot be reached.
    let at = |width: &str| sandbox.llull(&["sample", "--width", width, "--json", "-Q"]).ends(0).json();
    let (narrow, wide) = (at("0.2"), at("0.3"));
    let number = |json: &serde_json::Value| json["plan"]["proposal"]["n"].as_u64().unwrap();
    assert!(number(&narrow) > number(&wide), "{narrow} {wide}");
    assert_eq!(at("0.01")["plan"]["proposal"]["reached"], false);
    sandbox.llull(&["sample", "--width", "0.01"]).ends(0).says(&["no sample reaches 0.01"]);
    sandbox.llull(&["sample", "--replace", "-n", "200", "-o", "sheet.csv"]).ends(0);
    sandbox
        .llull(&["sample", "--replace", "--design", "uniform", "-n", "100", "-o", "sheet.tsv"])
        .ends(0)
        .says(&["The design is pairs, as requested", "can be drawn (pairs)"]);
}

#[test]
fn a_study_that_is_too_small_for_a_sample_says_what_to_do_instead() {
    let sandbox = crate::sandbox::tiny();
    let before = sandbox.llull(&["sample"]).ends(1);
    before.says(&["Have the pool judged first (llull run)"]);
    sandbox.llull(&["run", "-Q"]).ends(0);
    sandbox.llull(&["sample"]).ends(1).says(&[
        "no sample corrects a measure of this study",
        "nDCG@3 reads 9 pairs here, and a sample that is not all of them needs 13",
        "label all pairs (llull review --queue random)",
    ]);
    // The report advises the same, and no sample that would be refused.
    sandbox
        .llull(&["report"])
        .ends(0)
        .says(&["To check the judge, label pairs by hand: llull review --queue random."]);
}

/// "Not corrected by human labels" stood above "Corrected by human labels of 3 of the 100 pairs".
#[test]
fn a_sample_that_corrects_nothing_yet_claims_nothing() {
    let sandbox = study();
    sandbox.edit("llull.toml", "[\"P(rel=2)@5\", \"nDCG@5\"]", "[\"nDCG@5\"]");
    sandbox.llull(&["sample", "--design", "queries", "-n", "10", "-o", "sheet.tsv", "-Q"]).ends(0);
    sandbox.write("few.tsv", &fill(&sandbox, "sheet.tsv", 3));
    sandbox.llull(&["sample", "--read", "few.tsv", "--annotator", "anna", "-Q"]).ends(3);
    let report = sandbox.llull(&["report", "-Q", "--verbose"]).ends(0).to_string();
    for text in [report, sandbox.read("report.md"), sandbox.read("report.html"), sandbox.read("report.json")]
    {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(!text.contains("Corrected by human labels"), "{text}");
        assert!(text.contains("which decides nothing yet"), "{text}");
    }
    let lines = sandbox.read("sheet.tsv").lines().count() - 1;
    sandbox.write("whole.tsv", &fill(&sandbox, "sheet.tsv", lines));
    sandbox.llull(&["sample", "--read", "whole.tsv", "--annotator", "anna", "-Q"]).ends(0);
    let report = sandbox.llull(&["report", "-Q", "--verbose"]).ends(0).to_string();
    let all = format!("Corrected by human labels of {lines} of the {lines} pairs");
    let report = report.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(report.contains(&all), "{report}");
    assert!(!report.contains("Not corrected"), "{report}");
}

#[test]
fn people_label_a_sheet_and_the_decision_is_corrected_by_it() {
    let sandbox = study();
    check!(sandbox.llull(&["sample", "-n", "60", "-o", "sheet.tsv"]).ends(0));
    let sheet = sandbox.read("sheet.tsv");
    assert_eq!(sheet.lines().count(), 61);
    assert!(sheet.contains("'=HYPERLINK") && !sheet.contains("\t=HYPERLINK"), "{sheet}");
    assert!(sandbox.read("sheet.rubric.md").contains("Put one grade from 0 to 3"));
    let report = sandbox.llull(&["report", "-Q", "--verbose"]).ends(0);
    report.says(&["A sample of 60 pairs is drawn for annotators, and none is labelled yet"]);

    // Half of it: the interval holds whatever the other half says.
    sandbox.write("half.tsv", &fill(&sandbox, "sheet.tsv", 30));
    sandbox.llull(&["sample", "--read", "half.tsv", "--annotator", "anna"]).ends(3).says(&[
        "anna: 30 ",
        " new, 0 corrected, ",
        "0 as before, 30 blank\n",
        "30 of 60 pairs labelled; 30 more: until then the interval allows for every possible label",
    ]);
    sandbox
        .llull(&["report", "-Q", "--verbose"])
        .ends(0)
        .says(&["No clear difference", "pairs drawn and not labelled"]);

    sandbox.write("whole.tsv", &fill(&sandbox, "sheet.tsv", 60));
    let read = ["sample", "--read", "whole.tsv", "--annotator", "anna", "-o", "human.qrels"];
    sandbox
        .llull(&read)
        .ends(0)
        .says(&["anna: 30 answers new, 0 corrected, 0 set aside, 30 as before, 0 blank"]);
    assert_eq!(sandbox.read("human.qrels").lines().count(), 60);
    let report = sandbox.llull(&["report", "-Q", "--verbose"]).ends(0);
    report.says(&["new is better than old, also after correcting for the judge"]);
    assert!(sandbox.read("report.md").contains("sample s"), "who labelled is said");
    let json: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    let comparison = &json["decision"]["comparisons"][0];
    assert_eq!(comparison["ppi"]["estimand"], "queries_like_these", "{comparison}");
    assert!(comparison["ppi"]["human_only"]["low"].is_number(), "{comparison}");
    let ratio = &json["decision"]["comparisons"][1];
    assert_eq!((&ratio["measure"], &ratio["ppi"]["labels"]), (&"nDCG@5".into(), &57.into()), "{ratio}");
    let of_one = &json["systems"][0]["figures"][1];
    let refused = of_one["ppi_refused"].as_str().unwrap();
    assert!(refused.contains("of one system cannot be estimated"), "{of_one}");

    let compared = sandbox.llull(&["compare", "old", "new", "--json", "-Q"]).ends(0).json();
    assert_eq!(compared["comparisons"][0]["ppi"], comparison["ppi"], "the same as the report's");
    sandbox
        .llull(&["compare", "old", "new"])
        .ends(0)
        .says(&["new is better than old, also after correcting for the judge"]);

    // A correction is a second answer of the same person; nobody joins the panel.
    let one = sandbox.read("whole.tsv").replacen("\t0\t", "\t1\t", 1);
    sandbox.write("again.tsv", &one);
    sandbox
        .llull(&["sample", "--read", "again.tsv", "--annotator", "anna"])
        .ends(0)
        .says(&["anna: 0 answers new, 1 corrected, 0 set aside, 59 as before"]);
    let status = sandbox.llull(&["ledger", "status", "--json"]).ends(0).json();
    assert_eq!(status[1]["totals"]["attempts"], 61, "{status}");
    assert_eq!(json["coverage"]["judges"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_gate_waits_for_the_planned_labels() {
    let sandbox = study();
    let gate = ["compare", "old", "new", "--gate", "low(P(rel=2)@5) > -0.9"];
    // Without a sample, and while none of it is labelled, the judge's labels are what there is.
    sandbox.llull(&gate).ends(0);
    sandbox.llull(&[&gate[..], &["--anytime", "60"]].concat()).ends(2).says(&["no sample yet"]);
    sandbox.llull(&["sample", "-n", "60", "-o", "sheet.tsv", "-Q"]).ends(0);
    sandbox.write("part.tsv", &fill(&sandbox, "sheet.tsv", 50));
    sandbox.llull(&["sample", "--read", "part.tsv", "-Q"]).ends(3);
    sandbox.llull(&gate).ends(3).says(&[
        "new is better than old, also after correcting for the judge: P(rel=2)@5 +0.3214 [+0.0543, +0.3975] (95%, 44",
        "7 pairs drawn and not labelled: the interval allows for every",
        "low(P(rel=2)@5) > -0.9 fails for new: corrected by 44 human labels",
        "7 pairs of the sample are not labelled yet, and before the planned number is reached a gate passes with",
    ]);
    sandbox
        .llull(&[&gate[..], &["--anytime", "60"]].concat())
        .ends(0)
        .says(&["low(P(rel=2)@5) > -0.9 holds for new: corrected by", "(95%, at any look)"]);
    sandbox.write("whole.tsv", &fill(&sandbox, "sheet.tsv", 60));
    sandbox.llull(&["sample", "--read", "whole.tsv", "-Q"]).ends(0);
    sandbox.llull(&gate).ends(0).says(&[
        "new is better than old, also after correcting for the judge: P(rel=2)@5 +0.3167 [+0.2468, +0.3865] (95%, 51",
        "low(P(rel=2)@5) > -0.9 holds for new: corrected by 51 human labels",
    ]);
    // A ratio is not corrected, and the gate on it says so.
    sandbox
        .llull(&["compare", "old", "new", "--gate", "AP > 0"])
        .ends(0)
        .says(&["Not corrected by human labels: AP(rel=2) cannot be estimated from sampled pairs"]);
}

#[test]
fn a_number_is_fixed_before_anybody_looks() {
    let sandbox = study();
    sandbox.llull(&["sample", "-n", "40", "-o", "sheet.tsv", "-Q"]).ends(0);
    sandbox.llull(&["sample", "-n", "40", "-Q"]).ends(0).says(&["stratified"]);
    sandbox.llull(&["sample", "-n", "50"]).refused(
        1,
        &[".llull/sample.tsv: this study has a sample", "0 of 40 pairs are labelled", "--replace"],
    );
    sandbox.llull(&["sample", "-n", "50", "--replace", "-Q"]).ends(0);
    // The sheet of the sample before is still taken, and corrects nothing.
    sandbox.write("old.tsv", &fill(&sandbox, "sheet.tsv", 40));
    sandbox.llull(&["sample", "--read", "old.tsv"]).ends(3).says(&["human: 40 answers new"]);
}

#[test]
fn what_is_no_sheet_or_no_sample_is_refused() {
    let sandbox = study();
    sandbox.llull(&["sample", "--read", "sheet.tsv"]).ends(1).says(&["this study has no sample yet"]);
    sandbox.llull(&["sample", "-n", "40", "-o", "sheet.tsv", "-Q"]).ends(0);
    let filled = fill(&sandbox, "sheet.tsv", 40);
    sandbox.write("good.tsv", &filled);
    let judge = sandbox.llull(&["sample", "--read", "good.tsv", "--annotator", "known"]).ends(1);
    judge.says(&["\"known\" is a judge of this study"]);
    let status = sandbox.llull(&["ledger", "status", "--json"]).ends(0).json();
    assert_eq!(status.as_array().map(Vec::len), Some(1), "nothing was written: {status}");
    sandbox.llull(&["sample", "-n", "40", "--design", "stratified", "-m", "AP"]).ends(1).says(&["ratio"]);
    sandbox.llull(&["sample", "--compare", "old"]).ends(2).says(&["--compare takes two systems"]);
    sandbox.llull(&["sample", "--frame", "x"]).ends(2).says(&["--frame is for plain files"]);
}

#[test]
fn plain_files_are_sampled_and_corrected_without_a_study() {
    let sandbox = study();
    let draw = command_line(
        "sample known.qrels old.run new.run -m P(rel=2)@5 -n 60 -o plain.tsv --topics topics.tsv \
         --corpus corpus.tsv",
    );
    sandbox.llull(&draw).ends(0).rows(&["60 0.1331 0.1707 0.2537"]).says(&[
        "P(rel=2)@5 of new - old: 119 pairs of 16 queries can be drawn (stratified)",
        "wrote plain.tsv, 60 lines, and plain.sample.tsv, the frame of 119 pairs with their probabilities under 2 runs",
    ]);
    sandbox.write("filled.tsv", &fill(&sandbox, "plain.tsv", 60));
    let read = ["sample", "--read", "filled.tsv", "--frame", "plain.sample.tsv", "-o", "human.qrels"];
    sandbox.llull(&read).ends(0).says(&["60 of 60 drawn pairs labelled"]);
    let compare = command_line(
        "compare known.qrels old.run new.run -m P(rel=2)@5 --human human.qrels --sampled \
         plain.sample.tsv --json",
    );
    let compared = sandbox.llull(&compare).ends(0).json();
    assert_eq!(compared["comparisons"][0]["ppi"]["design"], "stratified", "{compared}");
    sandbox.llull(&["sample", "known.qrels", "old.run", "-n", "60"]).ends(2).says(&["-o sheet.csv"]);
    let queries = ["sample", "known.qrels", "old.run", "new.run", "-m", "AP@5", "-o", "q.csv"];
    sandbox.llull(&[&queries[..], &["--design", "queries", "-n", "8"]].concat()).ends(0).says(&["80 lines"]);
    // Without --design, -n counts pairs, also where whole queries are drawn.
    sandbox
        .llull(&[&queries[..], &["-n", "80"]].concat())
        .ends(0)
        .says(&["80 lines", "8 whole queries of 16"]);
    sandbox.llull(&[&queries[..], &["-n", "8"]].concat()).ends(1).says(&["Draw 30 pairs or more"]);
}

#[test]
fn the_status_says_who_labelled_and_what_more_labels_are_worth() {
    let sandbox = study();
    sandbox.llull(&["sample", "--status"]).ends(0).says(&["no sample is drawn: nothing corrects figures"]);
    sandbox.llull(&["sample", "-n", "60", "-o", "sheet.tsv", "-Q"]).ends(0);
    sandbox.write("half.tsv", &fill(&sandbox, "sheet.tsv", 34));
    sandbox.llull(&["sample", "--read", "half.tsv", "--annotator", "anna", "-Q"]).ends(3);
    // Some of the first twenty are a 3, of which ben makes a 2.
    let lower = fill(&sandbox, "sheet.tsv", 20).replace("\t3\t\tq", "\t2\t\tq");
    sandbox.write("other.tsv", &lower);
    sandbox.llull(&["sample", "--read", "other.tsv", "--annotator", "ben", "-Q"]).ends(3);
    check!(sandbox.llull(&["sample", "--status"]).ends(0));
    let json = sandbox.llull(&["sample", "--status", "--json"]).ends(0).json();
    assert_eq!(json["sample"]["labelled"], 34, "{json}");
    assert_eq!(json["courses"][0]["points"][0]["decides"], false, "{json}");
    assert_eq!(json["courses"][0]["expected"][0]["at"], "planned", "{json}");
    sandbox.llull(&["sample", "--status", "-n", "3"]).ends(2);
}

#[test]
fn people_stand_beside_judges_by_name_and_together() {
    let sandbox = study();
    let toml = sandbox.read("llull.toml");
    sandbox.write("llull.toml", &toml.replace("[pool]", "reference = \"the reviewers\"\n\n[pool]"));
    sandbox.llull(&["sample", "-n", "60", "-o", "sheet.tsv", "-Q"]).ends(0);
    let nobody = sandbox.llull(&["agree", "the reviewers"]).ends(1);
    nobody.says(&["nobody has labelled a pair of this study's sample yet"]);
    sandbox.llull(&["agree", "ann.qrels"]).ends(1).says(&["ann.qrels"]);
    sandbox.write("half.tsv", &fill(&sandbox, "sheet.tsv", 34));
    sandbox.llull(&["sample", "--read", "half.tsv", "--annotator", "anna", "-Q"]).ends(3);
    sandbox.write("other.tsv", &fill(&sandbox, "sheet.tsv", 20).replace("\t3\t\tq", "\t2\t\tq"));
    sandbox.llull(&["sample", "--read", "other.tsv", "--annotator", "ben", "-Q"]).ends(3);
    let both =
        sandbox.llull(&["agree", "the reviewers", "--judge", "known", "--judge", "anna", "-Q"]).ends(0);
    both.says(&[
        "known against the reviewers: 34 pairs",
        "anna against the reviewers: 34 pairs",
        "3 label sets",
    ]);
    let json = sandbox.llull(&["agree", "anna", "--judge", "ben", "--json", "-Q"]).ends(0).json();
    assert_eq!((&json["n"], &json["only_truth"]), (&20.into(), &14.into()), "{json}");
    let listed = &json["disagreements"]["listed"][0];
    assert!(
        listed["query_text"].is_string() && listed["other"]["judges"].is_null(),
        "no judge is ben: {listed}"
    );
    sandbox
        .llull(&["agree", "anna", "-m", "P@5"])
        .ends(2)
        .says(&["annotators labelled a sample, under which no system can be measured"]);
    sandbox
        .llull(&["agree", "ben", "--judge", "nobody"])
        .ends(1)
        .says(&["is no judge of this study", "anna"]);
    sandbox
        .llull(&["diff", "anna", "ben", "-Q"])
        .ends(0)
        .rows(&["kappa 0.7235 [0.4375, 1.0000] 20", "3 0 0 3 0", "q14 q14d9 3 2"])
        .says(&[
            "A: anna, 34 labels, 14 of them not in the other\n",
            "3 of 20 labels change, 15.0% [0.0%, 41.2%]",
        ]);
    sandbox.llull(&["diff", "known", "the reviewers", "-Q"]).ends(0).says(&["the reviewers"]);
    sandbox.llull(&["report", "-Q"]).ends(0);
    let report = sandbox.read("report.md");
    assert!(
        report.contains("Compared with the reviewers (sample s") && report.contains(": 34 of 60 pairs)"),
        "{report}"
    );
    assert!(!report.contains("under the reviewers"), "no system is measured under a sample: {report}");
}

/// Labels in a study were calibrated with seed 42, whatever the study's.
#[test]
fn calibration_in_a_study_takes_the_studys_seed() {
    let sandbox = study();
    sandbox.llull(&["sample", "-n", "60", "-o", "sheet.tsv", "-Q"]).ends(0);
    sandbox.write("whole.tsv", &fill(&sandbox, "sheet.tsv", 60));
    sandbox.llull(&["sample", "--read", "whole.tsv", "--annotator", "anna", "-Q"]).ends(0);
    let calibrated = || sandbox.llull(&["label", "--calibrate", "isotonic", "--json", "-Q"]).ends(0).stdout;
    let before = calibrated();
    sandbox.edit("llull.toml", "version = 1\n", "version = 1\nseed = 7\n");
    assert_ne!(calibrated(), before);
    sandbox.edit("llull.toml", "seed = 7", "seed = 42");
    assert_eq!(calibrated(), before);
}
