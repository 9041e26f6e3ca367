//! `llull export`

use std::collections::BTreeSet;

use llull_testkit::{FaultPlan, FaultyServer};
use serde_json::{Value, json};

use crate::comparing::{compared_at, compared_by};
use crate::sandbox::{REPLAY, Sandbox, Transcript, check, tiny, tiny_served};

/// The tiny study, judged.
fn judged() -> Sandbox {
    let sandbox = tiny();
    sandbox.llull(&["run", "--no-report"]).ends(0);
    sandbox
}

/// The lines of standard output. A study's documents are in the order of its pool, a file's in its own.
fn sorted(transcript: &Transcript) -> Vec<&str> {
    let mut lines: Vec<&str> = transcript.stdout.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn labels() {
    let sandbox = judged();
    check!(sandbox.llull(&["export", "labels", "--texts"]).ends(0));
}

#[test]
fn labels_go_into_the_format_of_the_files_name_and_come_back() {
    let sandbox = judged();
    for file in ["a.csv", "a.tsv.gz", "a.jsonl", "a.json", "a.parquet", "a.qrels.zst"] {
        sandbox.llull(&["export", "labels", "-o", file]).ends(0).says(&[&format!("wrote {file}, 11 labels")]);
        let measured = |qrels: &str| {
            let measured = sandbox.llull(&["measure", qrels, "old.run", "-m", "nDCG@3", "--json"]).ends(0);
            measured.json()["systems"].clone()
        };
        assert_eq!(measured(file), measured("known.qrels"), "{file}");
    }
    let json: Value = serde_json::from_str(&sandbox.read("a.json")).unwrap();
    assert_eq!(json["q3"], json!({"c1": 3, "c2": 0, "c3": 1}));
    let report = sandbox.llull(&["export", "labels", "-o", "b.csv", "--json"]).ends(0).json();
    assert_eq!(report, json!({"written": "b.csv", "entries": 11, "unlabelled": 0}));
}

#[test]
fn a_pair_without_a_label_is_counted_and_never_0() {
    let sandbox = tiny();
    sandbox.edit("known.qrels", "q1 0 a4 2\n", "");
    sandbox.llull(&["run", "--no-report"]).ends(3);
    for what in [&["labels"][..], &["letor"], &["pairs"], &["quepid"], &["opensearch"]] {
        let export = sandbox.llull(&[&["export"], what].concat()).ends(3);
        assert!(!export.stdout.contains("a4"), "{export}");
        export.says(&["warning: 1 pair without a label, left out of the export"]);
    }
}

#[test]
fn labels_of_a_base_have_their_source() {
    let sandbox = tiny();
    sandbox.write("base.qrels", "q1 0 a1 3\nq1 0 a2 1\nq9 0 z 2\n");
    let config = sandbox
        .read("llull.toml")
        .replace("[pool]", "[base]\nfile = \"base.qrels\"\ncalibrate = \"none\"\n\n[pool]");
    sandbox.write("llull.toml", &config);
    sandbox.llull(&["run", "--no-report"]).ends(0);
    sandbox.llull(&["export", "labels"]).ends(0).says(&["q1,a1,3,base\n", "q1,a3,0,judge\n"]);
    let trec = sandbox.llull(&["export", "labels", "--format", "trec"]).ends(0);
    trec.says(&["q1 base a1 3\n", "q1 judge a3 0\n"]);
}

#[test]
fn labels_of_people_are_those_of_the_sample() {
    let sandbox = judged();
    sandbox.llull(&["export", "labels", "--human"]).refused(1, &["this study has no sample"]);
    sandbox
        .llull(&["sample", "-n", "3", "-m", "P(rel=2)@1", "--design", "uniform", "-o", "sheet.tsv"])
        .ends(0);
    sandbox.llull(&["export", "labels", "--human"]).refused(1, &["no pair of tiny has a label yet"]);
    let sheet = sandbox.read("sheet.tsv");
    let graded: Vec<String> = sheet
        .lines()
        .enumerate()
        .map(|(at, line)| if at == 1 { line.replacen("\t\t", "\t2\t", 1) } else { line.to_owned() })
        .collect();
    sandbox.write("sheet.tsv", &(graded.join("\n") + "\n"));
    sandbox.llull(&["sample", "--read", "sheet.tsv"]);
    let human = sandbox.llull(&["export", "labels", "--human"]).ends(3);
    assert_eq!(human.stdout.lines().count(), 2, "{human}");
    human.says(&[",2,human\n"]);
}

#[test]
fn a_workbook_has_rows_and_a_sheet_in_it_comes_back() {
    let sandbox = judged();
    sandbox.llull(&["export", "labels", "-o", "a.xlsx"]).ends(0).says(&["wrote a.xlsx, 11 labels"]);
    assert!(fs_err::read(sandbox.path("a.xlsx")).unwrap().starts_with(b"PK"));
    let sample = ["sample", "-n", "3", "-m", "P(rel=2)@1", "--design", "uniform", "-o", "sheet.xlsx"];
    sandbox.llull(&sample).ends(0).says(&["wrote sheet.xlsx, ", "sheet.rubric.md"]);
    sandbox.llull(&["sample", "--read", "sheet.xlsx"]).ends(3).says(&["0 answers new", "3 blank"]);
}

#[test]
fn an_export_of_runs_is_silent_about_labels() {
    let sandbox = tiny();
    sandbox.edit("llull.toml", "nDCG@3", "ERR(max_rel=1)@3");
    let warning = "counts grades above 1 as 1";
    sandbox.llull(&["run", "--no-report"]).ends(0).says(&[warning]);
    sandbox.llull(&["export", "labels"]).ends(0).says(&[warning]);
    assert_eq!(sandbox.llull(&["export", "runs"]).ends(0).stderr, "");
}

#[test]
fn places_in_an_order_are_no_grades() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let sandbox = compared_at(&server, "listwise", "window = 3");
    sandbox.llull(&["run", "--no-report"]).ends(0);
    let warning = "places in an order and not grades";
    for what in ["labels", "letor", "quepid"] {
        sandbox
            .llull(&["export", what])
            .ends(0)
            .says(&[warning, "llull export pairs writes the comparisons"]);
    }
    assert!(!sandbox.llull(&["export", "pairs"]).ends(0).stderr.contains(warning));
}

#[test]
fn runs() {
    let sandbox = tiny();
    check!(sandbox.llull(&["export", "runs", "--system", "new"]).ends(0));
    let all = sandbox.llull(&["export", "runs", "--format", "jsonl"]).ends(0);
    assert_eq!(all.stdout.lines().count(), 18);
    all.says(&["{\"system\":\"old\",\"query\":\"q1\",\"document\":\"a2\",\"rank\":1,\"score\":3.0}\n"]);
    let trec = sandbox.llull(&["export", "runs", "--system", "old", "--format", "trec"]).ends(0);
    trec.says(&["q1 Q0 a2 1 3.0 old\n"]);
    let json = sandbox.llull(&["export", "runs", "--run", "old.run", "--format", "json"]).ends(0).json();
    assert_eq!(json["q2"], json!({"b1": 3.0, "b3": 2.0, "b2": 1.0}));
    let several = sandbox.llull(&["export", "runs", "--format", "json"]);
    several.refused(2, &["there are old, new: name one with --system, or write csv"]);
    let unknown = sandbox.llull(&["export", "runs", "--system", "bm25"]);
    unknown.refused(1, &["no system is called \"bm25\"; there are old, new"]);
}

#[test]
fn letor() {
    let sandbox = judged();
    check!(sandbox.llull(&["export", "letor"]).ends(0));
    sandbox.write("features.csv", "query,document,clicks\nq1,a1,7\nq2,b2,0.5\n");
    let of_file = sandbox.llull(&["export", "letor", "--features", "features.csv"]).ends(0);
    of_file.says(&[
        "# feature 1 = clicks\n",
        "3 qid:1 1:7 # a1\n",
        "1 qid:1 # a2\n",
        "warning: 9 of 11 labelled pairs have no feature, and a line without any",
    ]);
    let files = &["export", "letor", "--qrels", "known.qrels", "--run", "old.run", "--run", "new.run"];
    assert_eq!(sorted(&sandbox.llull(files).ends(0)), sorted(&sandbox.llull(&["export", "letor"])));
    sandbox.write("features.csv", "query,document,clicks\nq8,a1,7\n");
    sandbox
        .llull(&["export", "letor", "--features", "features.csv"])
        .refused(1, &["no labelled pair has a feature"]);
    sandbox.llull(&["export", "letor", "--qrels", "known.qrels"]).refused(2, &["--qrels needs features:"]);
}

#[test]
fn pairs() {
    let sandbox = judged();
    check!(sandbox.llull(&["export", "pairs"]).ends(0));
    let json = sandbox.llull(&["export", "pairs", "-o", "pairs.json"]);
    json.refused(2, &["pairs.json: pairs have columns"]);
}

#[test]
fn pairs_of_judges_that_compare_have_the_lead_in_votes() {
    let sandbox = compared_by(REPLAY, "pairwise", "window = 2");
    sandbox.llull(&["run", "--no-report"]).ends(0);
    let pairs = sandbox.llull(&["export", "pairs"]).ends(0);
    pairs.says(&["query,better,worse,weight\n", "q1,a1,a2,", "q3,c1,c2,"]);
    let by_grades = sandbox.llull(&["export", "pairs", "--qrels", "known.qrels"]).ends(0);
    by_grades.says(&["q1,a1,a2,2\n", "q3,c1,c2,3\n"]);
}

#[test]
fn quepid() {
    let sandbox = judged();
    check!(sandbox.llull(&["export", "quepid"]).ends(0));
    let files = &["export", "quepid", "--qrels", "known.qrels", "--topics", "topics.tsv"];
    assert_eq!(sorted(&sandbox.llull(files).ends(0)), sorted(&sandbox.llull(&["export", "quepid"])));
    sandbox.llull(&files[..4]).refused(2, &["--topics FILE"]);
    sandbox.write("few.tsv", "q1\t=cmd()\nq2\t=cmd()\n");
    let few = &["export", "quepid", "--qrels", "known.qrels", "--topics", "few.tsv"];
    sandbox.llull(few).refused(1, &["query \"q3\" has labels and no text (1 such query in all)"]);
    sandbox.write("few.tsv", "q1\t=cmd()\nq2\t=cmd()\nq3\tx\n");
    sandbox.llull(few).ends(0).says(&[
        "'=cmd(),a1,3\n",
        "warning: 8 texts that a spreadsheet would take for a formula",
        "warning: 1 query with the text of another, the first: q2",
    ]);
}

#[test]
fn rank_eval() {
    let sandbox = judged();
    let arguments = &["export", "rank-eval", "--index", "docs", "--field", "title", "--field", "text"];
    let body = sandbox.llull(arguments).ends(0).json();
    let first = json!({
        "id": "q1",
        "request": {"query": {"multi_match": {
            "query": "reset a forgotten password", "fields": ["title", "text"],
        }}},
        "ratings": [
            {"_index": "docs", "_id": "a1", "rating": 3},
            {"_index": "docs", "_id": "a2", "rating": 1},
            {"_index": "docs", "_id": "a3", "rating": 0},
            {"_index": "docs", "_id": "a4", "rating": 2},
        ],
    });
    let mut ratings = body["requests"][0].clone();
    ratings["ratings"].as_array_mut().unwrap().sort_by_key(|rating| rating["_id"].to_string());
    assert_eq!(ratings, first);
    assert_eq!(body["metric"], json!({"dcg": {"k": 10, "normalize": true}}));
    sandbox.llull(&["export", "rank-eval"]).refused(2, &["--index"]);
}

#[test]
fn opensearch() {
    let sandbox = judged();
    check!(sandbox.llull(&["export", "opensearch"]).ends(0));
    let body = sandbox.llull(&["export", "opensearch", "--name", "spring"]).ends(0).json();
    assert_eq!((&body["name"], &body["type"]), (&json!("spring"), &json!("IMPORT_JUDGMENT")));
}

/// A study whose model has answered every question.
fn served() -> (Sandbox, FaultyServer) {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let sandbox = tiny_served(&server.url());
    sandbox.llull(&["run", "--no-report"]).ends(0);
    (sandbox, server)
}

#[test]
fn fine_tune() {
    let (sandbox, _server) = served();
    let whole = sandbox.llull(&["export", "fine-tune"]).ends(0);
    assert_eq!(whole.stdout.lines().count(), 11);
    let of_a1 = |line: &&str| line.contains("follow the link in the mail");
    let first: Value = serde_json::from_str(whole.stdout.lines().find(of_a1).unwrap()).unwrap();
    let messages = first["messages"].as_array().unwrap();
    let roles: Vec<&str> = messages.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles.last(), Some(&"assistant"));
    let prompt = sandbox.llull(&["prompt", "--json"]).ends(0).json()[0]["messages"].clone();
    assert_eq!(messages[..messages.len() - 1], *prompt.as_array().unwrap(), "the prompt that was sent");
    let exported = sandbox.llull(&["ledger", "export"]).stdout;
    assert!(exported.contains(&messages.last().unwrap()["content"].to_string()), "the recorded reply");
    whole.says(&["11 examples of 3 queries", "check that the licences of both"]);

    let split = sandbox.llull(&["export", "fine-tune", "--split", "0.3", "-o", "chat.jsonl"]).ends(0);
    check!(split);
    let prompts = |file: &str| {
        let text = sandbox.read(file);
        let topics = ["reset a forgotten password", "export a report as csv", "delete my account"];
        let of = |line: &str| topics.iter().position(|topic| line.contains(topic)).unwrap();
        let queries: BTreeSet<usize> = text.lines().map(of).collect();
        (text.lines().count(), queries)
    };
    let (train, validation) = (prompts("chat.jsonl"), prompts("chat.validation.jsonl"));
    assert_eq!(train.0 + validation.0, 11);
    assert_eq!((train.1.len(), validation.1.len()), (2, 1));
    assert!(train.1.is_disjoint(&validation.1), "no query is in both");
    sandbox.llull(&["export", "fine-tune", "--split", "0.3", "-o", "again.jsonl"]).ends(0);
    assert_eq!(sandbox.read("again.jsonl"), sandbox.read("chat.jsonl"), "the same seed draws the same");
}

#[test]
fn what_cannot_be_made_again_is_counted_and_named() {
    let (sandbox, _server) = served();
    sandbox.edit("corpus.jsonl", "A passkey is kept on your telephone.", "A passkey is kept elsewhere.");
    let export = sandbox.llull(&["export", "fine-tune", "-o", "chat.jsonl"]).ends(0);
    assert!(!sandbox.read("chat.jsonl").contains("passkey is kept"), "{export}");
    export.says(&[
        "wrote chat.jsonl, 10 examples of 3 queries",
        "judge served: 1 attempt with a verdict left out, the first about query q1, document a3: what would be sent \
         now has another key",
    ]);
    let report = sandbox.llull(&["export", "fine-tune", "-o", "chat.jsonl", "--json"]).ends(0).json();
    assert_eq!((&report["examples"], &report["queries"]), (&json!(10), &json!(3)));
    assert_eq!(report["judges"], json!({"served": 10}));
    assert_eq!(
        (&report["left_out"][0]["attempts"], &report["left_out"][0]["document"]),
        (&json!(1), &json!("a3"))
    );
}

#[test]
fn comparisons_are_examples_too() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let sandbox = compared_at(&server, "listwise", "window = 3");
    sandbox.llull(&["run", "--no-report"]).ends(0);
    let export = sandbox.llull(&["export", "fine-tune"]).ends(0);
    let questions = sandbox.llull(&["ledger", "status", "--json"]).json()[0]["totals"]["judged"].clone();
    assert_eq!(export.stdout.lines().count() as u64, questions.as_u64().unwrap(), "{export}");
}

#[test]
fn fine_tuning_needs_a_language_model_and_one_choice() {
    let sandbox = judged();
    let none = sandbox.llull(&["export", "fine-tune", "-o", "chat.jsonl"]);
    none.refused(1, &["no language model has answered in this study"]);
    assert!(!sandbox.path("chat.jsonl").exists());

    let (sandbox, server) = served();
    let other = format!(
        "[[judges]]\nname = \"other\"\nmodel = \"vllm/faulty-2\"\nbase_url = \"{}\"\ntimeout = 60\n",
        server.url()
    );
    let config = sandbox.read("llull.toml");
    sandbox.write("llull.toml", &(config + &other));
    sandbox.llull(&["run", "--no-report"]).ends(0);
    let export = |arguments: &[&str]| sandbox.llull(&[&["export", "fine-tune"], arguments].concat());
    export(&[])
        .refused(1, &["replies of 2 judges (other, served); choose whose replies to learn: --judge other"]);
    assert_eq!(export(&["--judge", "other"]).ends(0).stdout.lines().count(), 11);
    assert_eq!(export(&["--judge", "other", "--judge", "served"]).ends(0).stdout.lines().count(), 22);
    export(&["--judge", "nobody"]).refused(1, &["no language model \"nobody\"", "other, served"]);
    export(&["--split", "0.1"]).refused(2, &["--split writes two files; name the first"]);
    export(&["--split", "1"]).refused(2, &["must be a share between 0 and 1"]);
}

#[test]
fn wrong_usage() {
    let sandbox = Sandbox::new();
    sandbox.write("a.qrels", "q1 0 d1 2\n");
    let export = |arguments: &[&str]| sandbox.llull(&[&["export"], arguments].concat());
    export(&["labels"]).refused(1, &["holds no study", "name one with --qrels"]);
    export(&["runs"]).refused(1, &["holds no study", "name one with --run"]);
    export(&["labels", "--qrels", "a.qrels", "--texts"]).refused(2, &["--topics FILE"]);
    export(&["labels", "--qrels", "a.qrels", "--format", "json", "--texts"])
        .refused(2, &["--texts needs a format with columns"]);
    export(&["labels", "--qrels", "a.qrels", "--json"]).refused(2, &["both want standard output"]);
    export(&["labels", "--qrels", "a.qrels", "--format", "parquet"]).refused(2, &["name a file: -o FILE"]);
    export(&["labels", "--qrels", "none.qrels"]).refused(1, &["none.qrels"]);
    export(&["labels", "--qrels", "a.qrels", "--human"]).refused(2, &["cannot be used with"]);
    export(&["labels", "--qrels", "a.qrels"]).ends(0).says(&["q1,d1,2,a\n"]);
}
