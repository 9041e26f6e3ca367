//! A judge that is made of other judges' answers, and asks for what it needs.

use std::fmt::Write as _;

use llull_core::SplitMix64;
use llull_testkit::FaultyServer;

use crate::attributes::{server, study};
use crate::sandbox::Sandbox;

/// The tiny study in pairs, which keeps a tree: what the whole documents say in both orders is right where it names a
/// side, and the title, which is asked where it does not, mostly.
fn with_tree(server: &FaultyServer) -> Sandbox {
    let sandbox = study(server);
    let mut pairs = "query,served@2,served:title,served:brand,people\n".to_owned();
    for pair in 0..160_u64 {
        let draw = SplitMix64::mix(pair + 1);
        let better = if draw.is_multiple_of(2) { "LHS" } else { "RHS" };
        let worse = if better == "LHS" { "RHS" } else { "LHS" };
        let all = if pair % 3 == 0 { "Neither" } else { better };
        let title = if pair % 7 == 0 { worse } else { better };
        let brand = if SplitMix64::mix(draw).is_multiple_of(2) { better } else { worse };
        writeln!(pairs, "q{},{all},{title},{brand},{better}", pair / 10).unwrap();
    }
    sandbox.write("pairs.csv", &pairs);
    let train =
        ["train", "--features", "pairs.csv", "--target", "people", "--group", "query", "--model", "tree"];
    let saved = ["--depth", "2", "--save", ".llull/learners/better.json", "-Q"];
    sandbox.write(".llull/learners/other.json", "");
    sandbox.llull(&[&train[..], &saved[..]].concat()).ends(0);
    sandbox
}

#[test]
fn it_asks_for_what_it_needs_and_nothing_twice() {
    let server = server();
    let mut sandbox = with_tree(&server);
    sandbox
        .llull(&["run", "--judge", "tree:better", "--dry-run"])
        .ends(0)
        .rows(&[
            "tree:better 5 0 0 0 0 5 0",
            "served 10 0 0 0 0 10 0",
            "served:title 0 0 0 0 0 0 0",
            "tree:better: nothing is left to ask",
        ])
        .says(&[
            "served: about 28 requests (95 in 100 simulated studies need ",
            "served:title: 5 requests, about 5,012 tokens",
        ]);
    assert_eq!(server.served().total(), 0);
    sandbox.set("LLULL_CONCURRENCY", "1");
    sandbox.llull(&["run", "--no-report", "--judge", "tree:better", "--max-calls", "5"]).ends(3);
    assert_eq!(server.served().total(), 5);
    sandbox
        .llull(&["run", "--judge", "tree:better", "--verbose"])
        .ends(0)
        .rows(&["old 0.4758 0.5378 1.0000 0 of 9 3 0", "new 0.5281 ~ 0.5022 ~ 1.0000 = 0 of 9 3 0"])
        .says(&[
            "settled for 3 of 3 queries, after 13 sets of documents in 3 waves; 0 of 5 triangles are cyclic",
            "served: 26 attempts, 5,200 + 1,040 tokens",
            "served:title: 1 attempt, 200 + 40 tokens",
            "wave 1: 10 questions, 4 answers already in the ledger",
        ]);
    let (asked, labels) = (server.served().total(), sandbox.read("labels.qrels"));
    // The title is asked about only where the whole documents are equal in both orders, the brand never: the tree does
    // not read it.
    let titles = server.requests().iter().filter(|one| one.body.to_string().contains("title: ")).count();
    assert!((1..5).contains(&titles), "{titles} of {asked}");
    assert!(!server.requests().iter().any(|one| one.body.to_string().contains("brand: ")));
    let report = sandbox.read("report.md");
    assert!(
        report.contains("Labels by: tree tree:better. A tree combines the answers of other judges"),
        "{report}"
    );
    assert!(report.contains("\n| served | "), "what was asked has its costs: {report}");
    sandbox.llull(&["run", "--judge", "tree:better"]).ends(0);
    sandbox.llull(&["report"]).ends(0);
    assert_eq!((server.served().total(), sandbox.read("labels.qrels")), (asked, labels.clone()));
    // Asked itself in both orders the same judge answers the same.
    sandbox.edit("llull.toml", "[tournament]\n", "[tournament]\ndouble_check = true\n");
    sandbox.llull(&["run"]).ends(0);
    assert_eq!((server.served().total(), sandbox.read("labels.qrels")), (asked, labels));
}

#[test]
fn it_stands_in_llull_toml_beside_whom_it_asks() {
    let server = server();
    let sandbox = with_tree(&server);
    let config = sandbox.read("llull.toml");
    let tree = "[[judges]]\nname = \"better\"\nmodel = \"tree:better\"\n";
    sandbox.write("llull.toml", &format!("{config}\n{tree}"));
    sandbox.llull(&["run"]).ends(0);
    assert!(sandbox.read("report.md").contains("Labels by: tree better (tree:better)."));
    sandbox.llull(&["doctor"]).ends(0);
}

#[test]
fn what_cannot_be_made_of_answers_is_said() {
    let server = server();
    let sandbox = with_tree(&server);
    sandbox
        .llull(&["run", "--judge", "tree:best"])
        .ends(1)
        .says(&["this study keeps no \"best\"", "llull train --target FILE --save best makes it"]);
    sandbox.llull(&["run", "--judge", "tree:"]).ends(2).says(&["`tree:` needs the name"]);
    sandbox
        .llull(&["run", "--judge", "tree:better", "--paradigm", "graded"])
        .ends(1)
        .says(&["--judge: a tree decides which of two documents is better: set paradigm = \"pairwise\""]);
    sandbox.edit("llull.toml", "name = \"served\"", "name = \"other\"");
    sandbox.llull(&["run", "--judge", "tree:better"]).ends(1).says(&[
        "judge tree:better: it reads \"served\", which no judge of [[judges]] answers (beside the tree there are: \
         other)",
    ]);
    assert_eq!(server.served().total(), 0);
}

/// Twelve queries with five documents each, every one with a brand.
fn many_queries(server: &FaultyServer) -> Sandbox {
    let sandbox = study(server);
    let (mut topics, mut corpus, mut run, mut grades) =
        (String::new(), String::new(), String::new(), String::new());
    for query in 0..12_u64 {
        writeln!(topics, "q{query}\treset password number {query}").unwrap();
        for place in 0..5_u64 {
            let id = format!("d{query}x{place}");
            let words = "reset password ".repeat((SplitMix64::mix(query * 13 + place) % 5) as usize);
            let text = format!("{words}text {place} of {query}");
            writeln!(
                corpus,
                "{{\"id\":\"{id}\",\"title\":\"Title {place}\",\"text\":\"{text}\",\"brand\":\"house {}\"}}",
                place % 3
            )
            .unwrap();
            writeln!(run, "q{query} Q0 {id} {} {} system", place + 1, 9 - place).unwrap();
            writeln!(grades, "q{query} 0 {id} {}", SplitMix64::mix(query * 31 + place) % 4).unwrap();
        }
    }
    for (name, text) in [("topics.tsv", &topics), ("corpus.jsonl", &corpus), ("grades.qrels", &grades)] {
        sandbox.write(name, text);
    }
    sandbox.write("old.run", &run);
    sandbox.write("new.run", &run.replace(" system", " other"));
    sandbox.edit(
        "llull.toml",
        "corpus = { file = \"corpus.jsonl\", ignore = \"brand\" }",
        "corpus = \"corpus.jsonl\"",
    );
    sandbox.edit("llull.toml", "[pool]\ndepth = 3", "[pool]\ndepth = 5");
    sandbox.edit(
        "llull.toml",
        "[tournament]\n",
        "[tournament]\nschedule = \"exhaustive\"\nlabels = \"ordinal\"\n",
    );
    sandbox.edit(
        "rubric.md",
        "cutoff = 2\n",
        "cutoff = 2\nattributes = [\"brand\"]\nmodes = [\"neither@2\"]\n",
    );
    sandbox
}

/// From the rubric's attributes to a tree to a judge, by the names that the ledger has: what is known is not asked.
#[test]
fn what_was_learnt_of_the_ledger_judges_by_what_the_ledger_knows() {
    let server = server();
    let sandbox = many_queries(&server);
    sandbox.llull(&["run"]).ends(0);
    let asked = server.served().total();
    let train = ["train", "--target", "grades.qrels", "--model", "forest", "--save", "better", "--json"];
    let trained = sandbox.llull(&train).ends(0).json();
    let names: Vec<&str> =
        trained["features"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    for name in ["served", "served@2", "served:brand", "served:brand@2"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    // To the forest all documents of one query are equal.
    let judged = sandbox.llull(&["run", "--no-report", "--judge", "tree:better"]).ends(3);
    judged.says(&["warning: 1 of 12 queries has no label although nothing is left to ask"]);
    assert_eq!(server.served().total(), asked, "every pair was asked about everything");
    sandbox.llull(&["run", "--judge", "tree:better"]).ends(3);
    assert!(sandbox.read("report.md").contains("Labels by: tree tree:better."));
    sandbox.llull(&["rank"]).ends(0);
    // Compared with the labels that it was trained on it would be perfect.
    sandbox.edit("llull.toml", "version = 1\n", "version = 1\nreference = \"grades.qrels\"\n");
    sandbox.llull(&["run", "--judge", "tree:better"]).ends(3);
    let json: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    let kappa = json["checks"].as_array().unwrap().iter().find(|check| check["kind"] == "kappa").unwrap();
    assert_eq!(kappa["finding"], "Not compared: tree:better was trained on these labels.");
    assert!(kappa["value"].is_null(), "{kappa}");
}
