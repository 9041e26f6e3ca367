//! Files as search teams have them, at their first command, and from there to a report.

use crate::sandbox::{Sandbox, check, command_line};

const PRODUCTS: [(&str, &str, &str, &str); 4] = [
    ("B1", "Trail boot", "Waterproof boot for hiking in rain.", "Alp"),
    ("B2", "City sneaker", "Light shoe for the city.", "Run"),
    ("K1", "Steel kettle", "Kettle of 1.7 litre, boils fast.", "Hot"),
    ("K2", "Tea pot", "Glass pot for tea.", "Hot"),
];

/// The eight files: queries twice, products, the replies of a multi search, results three times, ratings.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        "queries.csv",
        "query_id,query,segment\n1,waterproof boots,head\n2,\"kettle, 1.7 litre\",tail\n",
    );
    sandbox.write("segments.tsv", "query\tsegment\nwaterproof boots\thead\nkettle, 1.7 litre\ttail\n");
    let product = |(sku, title, text, brand): &(&str, &str, &str, &str)| {
        let object = serde_json::json!({"sku": sku, "title": title, "description": text, "brand": brand});
        object.to_string()
    };
    let lines: Vec<String> = PRODUCTS.iter().map(product).collect();
    sandbox.write("products.jsonl", &lines.join("\n"));
    let reply = |places: [usize; 2]| {
        let hits = places.map(|at| {
            let source = product(&PRODUCTS[at]);
            format!(r#"{{"_index":"products","_id":"{}","_score":2.5,"_source":{source}}}"#, PRODUCTS[at].0)
        });
        format!(
            r#"{{"took":2,"hits":{{"total":{{"value":2,"relation":"eq"}},"hits":[{}]}}}}"#,
            hits.join(",")
        )
    };
    sandbox.write(
        "msearch.json",
        &format!("{{\"took\":5,\n\"responses\":[{},\n{}]}}", reply([0, 1]), reply([2, 3])),
    );
    sandbox.write("results.csv", "query,document,rank,score\n1,B2,1,9\n1,B1,2,8\n2,K1,1,9\n2,K2,2,8\n");
    sandbox.write("ranx.json", r#"{"1": {"B1": 9.5, "B2": 8.5}, "2": {"K2": 9.5, "K1": 8.5}}"#);
    let hit = |query: &str, at: usize, score: f64| {
        let (sku, _, text, _) = PRODUCTS[at];
        serde_json::json!({"query": query, "doc_id": sku, "score": score, "text": text}).to_string()
    };
    let hits = [
        hit("waterproof boots", 1, 0.9),
        hit("waterproof boots", 0, 0.8),
        hit("kettle, 1.7 litre", 2, 0.9),
        hit("kettle, 1.7 litre", 3, 0.8),
    ];
    sandbox.write("hits.jsonl", &hits.join("\n"));
    sandbox.write("ratings.csv", "query,docid,rating\n1,B1,3\n1,B2,0\n2,K1,3\n2,K2,\n");
    sandbox
}

#[test]
fn each_file_is_accepted_at_the_first_command_and_leads_to_a_report() {
    let sandbox = sandbox();
    let init = sandbox.llull(&command_line(
        "init --topics queries.csv --corpus products.jsonl --run opensearch=msearch.json --run \
         results.csv --run ranx.json --run hits.jsonl --judge replay:ratings.csv",
    ));
    check!(init.ends(0));
    sandbox.llull(&["doctor", "--offline"]).ends(0);
    sandbox.edit("llull.toml", "model = \"replay\"\nlabels = \"ratings.csv\"", "model = \"similarity\"");
    sandbox.llull(&["run"]).ends(0).says(&["2 queries, all 4 query-document pairs labelled"]);
    assert!(sandbox.read("report.html").contains("ranx"));
}

#[test]
fn results_with_texts_need_no_corpus_and_queries_no_identifiers() {
    for run in ["opensearch=msearch.json", "hits.jsonl"] {
        let sandbox = sandbox();
        let init = ["init", "--topics", "segments.tsv", "--run", run, "--judge", "similarity"];
        sandbox
            .llull(&init)
            .ends(0)
            .says(&["segments.tsv: query = query; 1 field saved as metadata: segment"]);
        assert!(sandbox.read("llull.toml").contains("\n# corpus = "), "{run}");
        sandbox.llull(&["run"]).ends(0).says(&["2 queries, all 4 query-document pairs labelled"]);
    }
}

#[test]
fn plain_files_are_measured_and_compared() {
    let sandbox = sandbox();
    let measured =
        sandbox.llull(&["measure", "ratings.csv", "results.csv", "ranx.json", "-m", "RR", "--json"]);
    let figures = measured.ends(0).json();
    assert_eq!(figures["systems"].as_array().map(Vec::len), Some(2), "{figures}");
    let error = sandbox.llull(&["measure", "ratings.csv", "msearch.json"]).ends(1);
    error.says(&[
        "msearch.json at responses[0].hits.hits[0]: found a reply that names no query",
        "(3 more like it)",
    ]);
}

#[test]
fn columns_of_other_names_are_named_once() {
    let sandbox = sandbox();
    sandbox.write(
        "export.csv",
        "phrase;article;place;note\nwaterproof boots;B1;1;x\nkettle, 1.7 litre;K1;1;y\n",
    );
    let init =
        ["init", "--topics", "segments.tsv", "--corpus", "products.jsonl", "--run", "export.csv", "--judge"];
    let error = sandbox.llull(&[&init[..], &["similarity"]].concat()).ends(1);
    error.says(&["export.csv line 1: found no column for query among \"phrase\"", "--columns query=COLUMN"]);
    let typo = ["similarity", "--columns", "query=phrase,document=article,text=titel"];
    sandbox.llull(&[&init[..], &typo].concat()).ends(1).says(&["no file has the column \"titel\""]);
    let named = ["similarity", "--columns", "query=phrase,document=article,rank=place,text=title+brand"];
    let init = sandbox.llull(&[&init[..], &named].concat()).ends(0);
    init.says(&[
        "export.csv: query = phrase, document = article, rank = place; 1 field unused: note",
        "products.jsonl: id = sku, text = title + brand; 1 field saved as metadata: description",
    ]);
    let config = sandbox.read("llull.toml");
    let table =
        "query = \"phrase\"\ndocument = \"article\"\nrank = \"place\"\ntext = [\"title\", \"brand\"]\n";
    assert!(config.contains(table), "{config}");
    sandbox.llull(&["run"]).ends(0);
    let error = sandbox.llull(&["doctor", "--columns", "query:phrase"]).ends(2);
    error.says(&["has no =; write it as query=search_term"]);
}

#[test]
fn a_file_of_several_systems_is_split_by_name() {
    let sandbox = sandbox();
    sandbox.write(
        "all.csv",
        "query_id,system,sku,score\n1,bm25,B1,2\n1,dense,B2,1\n2,bm25,K1,2\n2,dense,K1,1\n",
    );
    let init =
        command_line("init --topics queries.csv --corpus products.jsonl --run all.csv --judge similarity");
    sandbox.llull(&init).ends(0);
    let config = sandbox.read("llull.toml");
    for system in ["bm25", "dense"] {
        assert!(config.contains(&format!("name = \"{system}\"\nrun = \"all.csv\"")), "{config}");
    }
    sandbox.llull(&["run"]).ends(0).says(&["dense"]);
    sandbox.llull(&["measure", "ratings.csv", "all.csv"]).ends(1).says(&[
        "it has the results of bm25, dense",
        "llull export runs --run all.csv --system bm25 -o NEW_FILE",
    ]);
    // The command of the message works.
    for system in ["bm25", "dense"] {
        let file = format!("{system}.csv");
        sandbox.llull(&["export", "runs", "--run", "all.csv", "--system", system, "-o", &file]).ends(0);
    }
    sandbox.llull(&["measure", "ratings.csv", "bm25.csv", "dense.csv"]).ends(0).says(&["bm25", "dense"]);
    assert_eq!(
        sandbox.llull(&["export", "runs", "--run", "all.csv"]).ends(0).stdout.lines().count() + 1,
        ["bm25.csv", "dense.csv"].iter().map(|file| sandbox.read(file).lines().count()).sum::<usize>(),
        "both systems below one line of names"
    );
}

#[test]
fn a_folder_of_results_with_texts_is_a_study() {
    let sandbox = sandbox();
    for system in ["old", "new"] {
        sandbox.write(&format!("found/{system}.jsonl"), &sandbox.read("hits.jsonl"));
    }
    let init = ["init", "study", "--from-results", "found", "--copy", "--judge", "similarity"];
    sandbox.llull(&init).ends(0).says(&["wrote study/data/new.jsonl", "wrote study/queries.jsonl"]);
    let queries =
        "{\"id\":\"q1\",\"query\":\"waterproof boots\"}\n{\"id\":\"q2\",\"query\":\"kettle, 1.7 litre\"}\n";
    assert_eq!(sandbox.read("study/queries.jsonl"), queries);
    let config = sandbox.read("study/llull.toml");
    assert!(
        config.contains("topics = \"queries.jsonl\"") && config.contains("run = \"data/old.jsonl\""),
        "{config}"
    );
    let doctor = sandbox.llull(&["-C", "study", "doctor", "--offline"]).ends(0);
    assert!(!doctor.stdout.contains("outside the study's folder"), "{doctor}");
    sandbox.llull(&["-C", "study", "run"]).ends(0).says(&["2 queries, all 4 query-document pairs labelled"]);
    let prompt = sandbox.llull(&["-C", "study", "prompt", "--judge", "openai/gpt-4o-mini"]).ends(0);
    prompt.says(&["Light shoe for the city."]);
    sandbox.write("ids/results.csv", &sandbox.read("results.csv"));
    let init = ["init", "other", "--from-results", "ids"];
    sandbox
        .llull(&init)
        .ends(1)
        .says(&["the results name no queries by their texts", "--topics queries.csv"]);
}

/// The message named an option that `init` did not have.
#[test]
fn a_run_of_three_columns_is_taken_once_its_third_is_named() {
    let sandbox = sandbox();
    sandbox.write("three.tsv", "1\tB2\t1\n1\tB1\t3\n2\tK1\t1\n");
    let init =
        command_line("init --topics queries.csv --corpus products.jsonl --run three.tsv --judge similarity");
    sandbox
        .llull(&init)
        .ends(1)
        .says(&["three.tsv line 1: found 3 columns", "--order rank or --order score"]);
    sandbox.llull(&[&init[..], &["--order", "rank"]].concat()).ends(0);
    assert!(sandbox.read("llull.toml").contains("\nthird = \"rank\""), "{}", sandbox.read("llull.toml"));
    sandbox.llull(&["run"]).ends(0).says(&["2 queries, all 3 query-document pairs labelled"]);
    sandbox.llull(&["pool", "--query", "1"]).ends(0).rows(&["1 B2 three@1", "1 B1 three@2"]);
}

/// A folder of results may have links to files that nobody named, and the study's folder links to other places.
#[cfg(unix)]
#[test]
fn links_are_neither_followed_nor_written_through() {
    let sandbox = sandbox();
    sandbox.write("found/k1=0.9.csv", &sandbox.read("results.csv")).write("found/README.md", "# results\n");
    std::os::unix::fs::symlink(sandbox.path("ratings.csv"), sandbox.path("found/linked.csv")).unwrap();
    let init =
        ["init", "study", "--from-results", "found", "--topics", "queries.csv", "--judge", "similarity"];
    sandbox.llull(&init).ends(0).says(&["found: not read", ": README.md, linked.csv\n"]);
    let config = sandbox.read("study/llull.toml");
    assert!(config.contains("name = \"k1-0.9\"") && config.matches("[[systems]]").count() == 1, "{config}");
    sandbox.write("outside/kept.txt", "").write("other/.keep", "");
    std::os::unix::fs::symlink(sandbox.path("outside"), sandbox.path("other/data")).unwrap();
    let init = command_line("init other --topics queries.csv --run results.csv --copy --judge similarity");
    sandbox.llull(&init).ends(1).says(&["symbolic link"]);
    assert!(!sandbox.path("outside/results.csv").exists());
}

#[test]
fn a_study_begins_with_a_rubric_of_the_shelf_or_a_file() {
    let sandbox = sandbox();
    let init =
        ["init", "--topics", "segments.tsv", "--run", "hits.jsonl", "--judge", "similarity", "--rubric"];
    let error = sandbox.llull(&[&init[..], &["shoes"]].concat()).ends(1);
    error.says(&["--rubric shoes: there is no such file", "product-search"]);
    sandbox.llull(&[&init[..], &["product-search"]].concat()).ends(0);
    assert!(sandbox.read("rubric.md").contains("name = \"Product search\""));
    sandbox.llull(&["doctor", "--offline"]).ends(0);
    fs_err::remove_file(sandbox.path("llull.toml")).unwrap();
    sandbox.write("prose.md", "# Boots\nA boot is relevant if it keeps water out.\n");
    let error = sandbox.llull(&[&init[..], &["prose.md"]].concat()).ends(1);
    error.says(&["rubric.md is there already"]);
    fs_err::remove_file(sandbox.path("rubric.md")).unwrap();
    sandbox.llull(&[&init[..], &["prose.md"]].concat()).ends(0);
    let doctor = sandbox.llull(&["doctor", "--offline"]).ends(0);
    doctor.says(&["it defines no grades, so judges give the default ones: 0 Irrelevant"]);
    sandbox.llull(&["run"]).ends(0).says(&["2 queries, all 4 query-document pairs labelled"]);
}

#[test]
fn topics_of_trec_and_several_systems_in_a_folder_make_a_study() {
    let sandbox = sandbox();
    sandbox.write(
        "topics.trec",
        "<top>\n<num> Number: 1\n<title> waterproof boots\n<desc> Description:\nBoots.\n</top>\n\
         <top>\n<num> Number: 2\n<title> kettle, 1.7 litre\n</top>\n",
    );
    sandbox.write(
        "results/both.csv",
        "query_id,system,sku,score,text\n1,bm25,B1,2,Boot\n1,dense,B2,1,Shoe\n2,bm25,K1,2,Pot\n2,dense,K1,1,Pot\n",
    );
    let init = ["init", "--topics", "topics.trec", "--from-results", "results", "--judge", "similarity"];
    sandbox
        .llull(&init)
        .ends(0)
        .says(&["topics.trec: id = num, query = title; 1 field saved as metadata: desc"]);
    sandbox.llull(&["run"]).ends(0).says(&[
        "bm25",
        "dense",
        "2 queries, all 3 query-document pairs labelled",
    ]);
}

#[test]
fn a_folder_of_texts_is_searched_by_passages() {
    let sandbox = sandbox();
    sandbox.write("texts/boots.md", "# Boots\n\nWaterproof boots keep feet dry in rain.\n");
    sandbox.write("texts/kitchen/kettle.html", "<title>Kettle</title><p>A kettle of 1.7 litre.</p>");
    sandbox.write("texts/logo.png", "x");
    let init = ["init", "--topics", "queries.csv", "--corpus", "texts", "--judge", "similarity"];
    sandbox
        .llull(&init)
        .ends(0)
        .says(&["texts: 2 files, in passages of at most 300 tokens; 1 other file not read"]);
    sandbox.llull(&["run"]).ends(0).says(&["2 queries, all 2 query-document pairs labelled"]);
    assert!(sandbox.read("labels.qrels").contains("kitchen/kettle.html#1"));
    let report = sandbox.read("report.json");
    assert!(report.contains("in passages of at most 300 tokens"), "{report}");
    sandbox.edit("llull.toml", "corpus = \"texts\"", "corpus = { file = \"texts\", passage_tokens = 0 }");
    sandbox.llull(&["run"]).ends(0);
    assert!(sandbox.read("labels.qrels").contains("kitchen/kettle.html "));
    sandbox.write("texts/boots.md", "# Boots\n\nWaterproof boots, and a kettle of 1.7 litre.\n");
    sandbox.llull(&["run"]).ends(0).says(&["all 3 query-document pairs labelled"]);
}

/// A `python3` that answers as the command line of ir_datasets 0.6.3 does, of which it takes its arguments.
const IR_DATASETS: &str = r#"#!/bin/sh
[ "$1 $2 $3" = "-m ir_datasets export" ] || exit 9
case "$4 $5 $7" in
    "boots/test queries jsonl") echo '{"query_id": "1", "text": "waterproof boots"}' ;;
    "boots/test docs jsonl") echo '{"doc_id": "B1", "title": "Trail boot", "text": "Waterproof."}' ;;
    "boots/test qrels trec") echo '1 0 B1 1' ;;
    "bare queries jsonl") echo '{"query_id": "1", "text": "boots"}' ;;
    "bare docs jsonl") echo '{"doc_id": "B1", "text": "Boot."}' ;;
    "bare qrels trec") echo 'bare does not provide qrels' >&2 ;;
    "broken docs jsonl") echo '{"doc_id": "B1", "te' ; echo 'RuntimeError: download failed' >&2; exit 1 ;;
    "broken "*) echo '1 0 B1 1' ;;
    *) echo "KeyError: '$4'" >&2; exit 1 ;;
esac
"#;

#[cfg(unix)]
#[test]
fn a_dataset_of_ir_datasets_becomes_a_study() {
    use std::os::unix::fs::PermissionsExt as _;
    let mut sandbox = sandbox();
    sandbox.write("bin/python3", IR_DATASETS);
    fs_err::set_permissions(sandbox.path("bin/python3"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let bin = sandbox.path("bin").display().to_string();
    sandbox.set("PATH", &format!("{bin}:/usr/bin:/bin"));
    let init = |dir, dataset| ["init", dir, "--dataset", dataset, "--judge", "similarity"];
    sandbox.llull(&init("one", "boots/test")).ends(0);
    assert!(sandbox.read("one/llull.toml").contains("\nreference = \"data/boots-test.qrels\""));
    sandbox.llull(&["-C", "one", "run"]).ends(0).says(&["1 query, 1 query-document pair labelled"]);
    sandbox.llull(&init("two", "bare")).ends(0).says(&["bare has no qrels, so the study has no reference"]);
    sandbox
        .llull(&init("three", "nothing"))
        .ends(1)
        .says(&["ir_datasets has not exported its queries: KeyError"]);
    sandbox.llull(&init("four", "broken")).ends(1).says(&["its docs: RuntimeError: download failed"]);
    assert!(
        !sandbox.path("four/data/broken.corpus.jsonl").exists() && !sandbox.path("four/llull.toml").exists()
    );
    sandbox.set("PATH", "/nowhere");
    sandbox
        .llull(&init("five", "bare"))
        .ends(1)
        .says(&["there is no python3. Install it: pip install ir_datasets"]);
}

/// The labels are written in TREC's columns, once all judges are paid.
#[test]
fn an_identifier_with_a_blank_is_an_error_before_anything_is_judged() {
    let sandbox = sandbox();
    sandbox.write("corpus.csv", "id,text\nred boot,Waterproof boot.\nK1,Kettle.\n");
    sandbox.write("results.csv", "query_id,doc_id,rank\n1,red boot,1\n2,K1,1\n");
    let init = ["init", "--topics", "queries.csv", "--corpus", "corpus.csv", "--run", "results.csv"];
    sandbox.llull(&[&init[..], &["--judge", "similarity"]].concat()).ends(0);
    for command in [&["doctor", "--offline"][..], &["run"]] {
        sandbox.llull(command).ends(1).says(&["the document \"red boot\" cannot be written in a TREC file"]);
    }
    assert!(!sandbox.path(".llull/ledger.sqlite").exists());
}

/// Quepid names queries by their texts.
#[test]
fn labels_may_name_queries_by_their_texts() {
    let sandbox = sandbox();
    let ratings = "query,docid,rating\nwaterproof boots,B1,3\nwaterproof boots,B2,0\n\"kettle, 1.7 litre\",K1,3\n\
                   \"kettle, 1.7 litre\",K2,1\n";
    sandbox.write("ratings.csv", ratings);
    let init = ["init", "--topics", "segments.tsv", "--run", "hits.jsonl", "--judge", "replay:ratings.csv"];
    sandbox.llull(&init).ends(0);
    sandbox.llull(&["run"]).ends(0).says(&["2 queries, all 4 query-document pairs labelled"]);
    sandbox.edit("llull.toml", "# reference = \"human.qrels\"", "reference = \"ratings.csv\"");
    sandbox.llull(&["doctor", "--offline"]).ends(0).says(&["ok      reference: 4 labels"]);
    // Plain files have the queries of --topics, and replies are in their order.
    let files = ["ratings.csv", "results.csv", "msearch.json", "--topics", "queries.csv", "-m", "RR@1"];
    let figures = sandbox.llull(&[&["measure", "--json"], &files[..]].concat()).ends(0).json();
    let mean = |system: usize| figures["systems"][system]["figures"][0]["mean"].as_f64();
    assert_eq!((mean(0), mean(1)), (Some(0.5), Some(1.0)), "{figures}");
    sandbox.llull(&[&["compare"], &files[..]].concat()).ends(0).rows(&["b msearch 1.0000 [n/a, n/a]"]);
}

#[test]
fn own_labels_are_not_replaced_by_those_of_the_judge() {
    let sandbox = sandbox();
    let ratings = "1 0 B1 3\n2 0 K1 3\n";
    sandbox.write("labels.qrels", ratings);
    let init = ["init", "--topics", "queries.csv", "--run", "hits.jsonl", "--judge", "replay:labels.qrels"];
    sandbox.llull(&init).ends(0);
    for command in [&["doctor", "--offline"][..], &["run"]] {
        let error = sandbox.llull(command).ends(1);
        error.says(&[
            "labels.qrels: llull writes its own labels or report under this name",
            "Rename your file",
        ]);
    }
    assert_eq!(sandbox.read("labels.qrels"), ratings);
}

/// `init` alone said it, and other commands read the wrong column without a word.
#[test]
fn each_command_says_once_how_it_read_the_columns() {
    let sandbox = sandbox();
    sandbox.write("named.jsonl", "{\"qid\":\"1\",\"sku\":\"B1\",\"score\":2,\"note\":\"x\"}\n");
    let measure = ["measure", "ratings.csv", "results.csv", "named.jsonl", "-m", "RR"];
    let said = "named.jsonl: query = qid, document = sku, score = score; 1 field unused: note\n";
    let labels = "ratings.csv: query = query, document = docid, grade = rating";
    let measured = sandbox.llull(&measure).ends(0);
    assert_eq!([said, labels].map(|line| measured.stderr.matches(line).count()), [1, 1], "{measured}");
    assert!(
        !measured.stderr.contains("results.csv: query"),
        "its columns have llull's own names: {measured}"
    );
    for silent in ["--json", "--quiet"] {
        let measured = sandbox.llull(&[&measure[..], &[silent]].concat()).ends(0);
        assert!(!measured.stderr.contains("query = q"), "{measured}");
    }
    sandbox
        .write("copy.csv", "query_id,sku,rank\n1,B1,1\n")
        .write("other.csv", "query_id,sku,rank\n2,K1,1\n");
    sandbox
        .llull(&["measure", "ratings.csv", "copy.csv", "other.csv"])
        .ends(0)
        .says(&["copy.csv and 1 more file: query = query_id, document = sku, rank = rank\n"]);
    // BEIR's files and TREC's are in a standard format.
    sandbox
        .write("corpus.jsonl", "{\"_id\":\"B1\",\"title\":\"\",\"text\":\"Boot.\",\"metadata\":{\"x\":1}}\n");
    sandbox
        .write("queries.jsonl", "{\"_id\":\"1\",\"text\":\"boots\",\"metadata\":{}}\n")
        .write("a.run", "1 Q0 B1 1 2 t\n");
    sandbox.write("a.qrels", "1 0 B1 1\n");
    let init = "init beir --topics queries.jsonl --corpus corpus.jsonl --run a.run --judge similarity";
    sandbox.llull(&command_line(init)).ends(0);
    let run = sandbox.llull(&["-C", "beir", "run"]).ends(0);
    assert!(!run.stderr.contains("id = _id"), "{run}");
    let measured = sandbox.llull(&["measure", "a.qrels", "a.run"]).ends(0);
    assert!(!measured.stderr.contains("query ="), "{measured}");
}

#[test]
fn a_system_is_named_after_its_file_whatever_the_form() {
    let sandbox = sandbox();
    for file in ["a.csv", "b.tsv.gz", "c.json", "d.jsonl.zst", "e-1.2.results"] {
        sandbox.write(file, "query_id,doc_id,score\n1,B1,1\n2,K1,1\n");
    }
    let measured = sandbox
        .llull(&command_line("measure ratings.csv a.csv b.tsv.gz c.json d.jsonl.zst e-1.2.results --json"));
    let systems = measured.ends(0).json()["systems"].as_array().cloned().unwrap();
    let names: Vec<&str> = systems.iter().map(|system| system["system"].as_str().unwrap()).collect();
    assert_eq!(names, ["a", "b", "c", "d", "e-1.2"]);
}

/// With results that hold texts the name was never looked for, and with a corpus only once all judges were paid.
#[test]
fn a_column_of_texts_that_no_file_has_is_an_error_before_anything_is_judged() {
    for data in [&["--run", "hits.jsonl"][..], &["--run", "results.csv", "--corpus", "products.jsonl"]] {
        let sandbox = sandbox();
        let init = ["init", "--topics", "queries.csv", "--judge", "similarity"];
        sandbox.llull(&[&init[..], data].concat()).ends(0);
        let said = "columns text=titel: no file that was read has such a column";
        for command in ["run", "doctor"] {
            let refused = sandbox.llull(&[command, "--columns", "text=titel"]).ends(1);
            assert!(format!("{refused}").contains(said), "{refused}");
        }
        let config = sandbox.read("llull.toml") + "\n[columns]\ntext = \"titel\"\n";
        sandbox.write("llull.toml", &config);
        sandbox.llull(&["run"]).refused(1, &[said]);
        assert!(!sandbox.path("labels.qrels").exists());
        sandbox.write("llull.toml", &config.replace("titel", "text"));
        let said = if data.len() > 2 { "columns text=text" } else { "text = text" };
        assert!(format!("{}", sandbox.llull(&["run"])).contains(said));
    }
}

#[test]
fn evaluate_and_synthesize_read_named_columns() {
    let sandbox = sandbox();
    sandbox.write(
        "golden.csv",
        "nr;Frage;Antwort\n1;waterproof boots;Waterproof boot\n2;kettle, 1.7 litre;1.7 litre\n",
    );
    let evaluate = ["evaluate", "golden.csv", "--results", "hits.jsonl", "-m", "RR"];
    sandbox.llull(&evaluate).refused(1, &["golden.csv line 1", "--columns query=COLUMN,answer=COLUMN"]);
    let columns = ["--columns", "id=nr,query=Frage,answer=Antwort"];
    let evaluated = sandbox.llull(&[&evaluate[..], &columns].concat()).ends(0);
    evaluated.says(&["golden.csv: id = nr, query = Frage, answer = Antwort\n"]);
    let typo = ["--columns", "id=nr,query=Frage,answer=Antwort,text=txt"];
    sandbox
        .llull(&[&evaluate[..], &typo].concat())
        .refused(1, &["text=txt: no file that was read has such a column"]);
    let bm25 = ["evaluate", "golden.csv", "--retriever", "bm25", "--corpus", "products.jsonl", "--columns"];
    let searched =
        sandbox.llull(&[&bm25[..], &["id=sku,query=Frage,answer=Antwort,text=title+description"]].concat());
    searched
        .ends(0)
        .says(&["products.jsonl: id = sku, text = title + description; 1 field saved as metadata: brand"]);
    let prompt = ["prompt", "--synthesize", "products.jsonl", "--columns", "text=title+brand"];
    assert!(sandbox.llull(&prompt).ends(0).stdout.contains("Brand: "), "as judges see it");
}

/// Naming a column of llull's own results made a plain table of them, without times, prices and failures.
#[test]
fn named_columns_of_llulls_own_results_keep_times_and_failures() {
    let sandbox = sandbox();
    let [boot, kettle] = ["a waterproof boot for hiking", "the kettle of 1.7 litre boils fast"];
    let questions =
        format!("query_id,query_text,expected_answers\n1,boots,{boot}\n2,kettle,{kettle}\n3,pot,tea\n");
    sandbox.write("golden.csv", &questions);
    sandbox.write(
        "own.jsonl",
        &format!(
            "{{\"query_id\":\"1\",\"ms\":12.5,\"results\":[{{\"doc_id\":\"B1\",\"body\":\"{boot}\"}}]}}\n\
             {{\"query_id\":\"2\",\"ms\":12.5,\"results\":[{{\"doc_id\":\"K1\",\"body\":\"{kettle}\"}}]}}\n\
             {{\"query_id\":\"3\",\"error\":\"down\"}}\n"
        ),
    );
    for columns in ["", "document=doc_id", "text=body"] {
        let evaluate =
            ["evaluate", "golden.csv", "--results", "own.jsonl", "-m", "RR", "--json", "--columns"];
        let evaluated = sandbox.llull(&[&evaluate[..], &[columns]].concat()).ends(0);
        let system = evaluated.says(&["the retriever failed on 1 query"]).json()["systems"][0].clone();
        let retrieval = &system["retrieval"];
        assert_eq!(
            (&retrieval["errors"], &retrieval["p50_ms"]),
            (&1.into(), &12.5.into()),
            "{columns}: {system}"
        );
        let found = system["figures"][0]["mean"].as_f64();
        assert!(found.is_some_and(|mean| (mean - 2.0 / 3.0).abs() < 1e-3), "{columns}: {system}");
    }
}

/// They had to be typed again for each command on plain files in the study's folder.
#[test]
fn columns_of_llull_toml_count_for_plain_files_in_the_folder() {
    let sandbox = sandbox();
    sandbox.write("golden.csv", "nr;Frage;Antwort\n1;waterproof boots;Waterproof boot\n");
    sandbox.write("labels.csv", "query,doc_id,Note\n1,B1,1\n1,B2,0\n");
    sandbox.write(
        "llull.toml",
        "version = 1\n[columns]\nid = \"nr\"\nquery = \"Frage\"\nanswer = \"Antwort\"\ngrade = \"Note\"\n\
         text = \"titel\"\n",
    );
    let evaluate = ["evaluate", "golden.csv", "--results", "hits.jsonl", "-m", "RR"];
    sandbox.llull(&evaluate).ends(0).says(&["golden.csv: id = nr, query = Frage, answer = Antwort\n"]);
    sandbox.llull(&["measure", "labels.csv", "results.csv", "-m", "RR"]).ends(0).says(&["grade = Note"]);
    sandbox.llull(&[&evaluate[..], &["--columns", "answer=Antwrt"]].concat()).refused(1, &["answer=Antwrt"]);
}

/// A misspelt column of llull.toml was ignored without a word.
#[test]
fn a_column_of_llull_toml_that_no_file_has_is_a_warning() {
    let sandbox = sandbox();
    let columns = "version = 1\n[columns]\ndocument = \"produkt\"\nquery = \"Frage\"\ntext = \"titel\"\n";
    sandbox.write("llull.toml", columns);
    sandbox.write("labels.csv", "query,doc_id,grade\n1,B1,1\n1,B2,0\n");
    sandbox.write("a.csv", "query,doc_id,score\n1,B1,2\n1,B2,1\n");
    let warns = |files: [&str; 2]| {
        let measured = sandbox.llull(&["measure", files[0], files[1], "-m", "RR"]).ends(0);
        assert!(!measured.stderr.contains("Frage") && !measured.stderr.contains("titel"), "{measured}");
        measured.stderr.contains("[columns] of llull.toml: no file that was read has document = \"produkt\"")
    };
    assert!(warns(["labels.csv", "a.csv"]));
    // TREC's formats have no columns, and a study's own files are checked by its run.
    sandbox.write("a.qrels", "1 0 B1 1\n1 0 B2 0\n").write("a.run", "1 Q0 B1 1 2 a\n1 Q0 B2 2 1 a\n");
    assert!(!warns(["a.qrels", "a.run"]));
    sandbox.write("shop.csv", "query,produkt,score\n1,B1,2\n");
    sandbox.write("llull.toml", &format!("{columns}\n[[systems]]\nname = \"shop\"\nrun = \"shop.csv\"\n"));
    assert!(!warns(["labels.csv", "a.csv"]));
    assert!(!warns(["labels.csv", "shop.csv"]));
}

/// Vespa's identifiers are `id:NAMESPACE:TYPE::KEY`; labels often have the key alone, as a field of the document has.
#[test]
fn identifiers_with_more_before_them_are_an_error_that_names_the_option() {
    let sandbox = Sandbox::new();
    sandbox.write("queries.tsv", "q1\tboots\nq2\tkettle\n");
    sandbox.write("labels.qrels", "q1 0 B1 1\nq2 0 K1 1\n");
    let reply = |id: &str| {
        let hit =
            format!("{{\"id\":\"id:shop:product::{id}\",\"relevance\":0.4,\"fields\":{{\"sku\":\"{id}\"}}}}");
        format!("{{\"root\":{{\"id\":\"toplevel\",\"fields\":{{\"totalCount\":1}},\"children\":[{hit}]}}}}\n")
    };
    sandbox.write("vespa.json", &(reply("B1") + &reply("K1")));
    let measure = ["measure", "labels.qrels", "vespa.json", "--topics", "queries.tsv", "-m", "RR"];
    sandbox
        .llull(&measure)
        .ends(1)
        .says(&["writes \"id:shop:product::\" before identifiers", "--columns document=FIELD"]);
    let named = ["--columns", "document=fields.sku"];
    sandbox
        .llull(&[&measure[..], &named].concat())
        .ends(0)
        .says(&["document = fields.sku"])
        .rows(&["vespa RR 1.0000 [n/a, n/a] 2 0 0 of 2"]);
}

#[test]
fn columns_that_no_file_takes_are_a_warning() {
    let sandbox = sandbox();
    sandbox.write("pairs.csv", "left,right,winner\na,b,left\nb,c,left\n");
    let said = "--columns document=left has no effect";
    sandbox.llull(&["rank", "pairs.csv", "--columns", "document=left"]).ends(0).says(&[said]);
    assert!(!sandbox.llull(&["rank", "pairs.csv"]).ends(0).stderr.contains("--columns"));
    // The pool needs no corpus, whose column this is.
    let init =
        ["init", "--topics", "queries.csv", "--corpus", "products.jsonl", "--run", "results.csv", "--judge"];
    sandbox.llull(&[&init[..], &["similarity"]].concat()).ends(0);
    sandbox.llull(&["pool", "--columns", "id=sku"]).ends(0).says(&["--columns id=sku has no effect"]);
    sandbox.llull(&["run", "--columns", "id=skuu"]).refused(1, &["id=skuu", "no file that was read"]);
}
