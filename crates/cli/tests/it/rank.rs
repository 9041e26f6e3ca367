//! `llull rank`

use crate::sandbox::{Sandbox, check, command_line, tiny};

const METHODS: [&str; 7] =
    ["bradley-terry", "judge-aware", "plackett-luce", "thurstone", "elo", "copeland", "tiers"];

/// Games of four items: a is the best, d the worst, b and c have drawn.
fn games() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("games.csv", "left,right,winner\na,b,left\nc,a,right\nb,c,tie\nb,d,b\nd,c,right\na,d,left\n");
    sandbox
}

/// Two queries: in q1 a beats everybody, and b, c and d run in a cycle; in q2 x beats y, and u beats v.
fn queries() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("prefs.txt", "q1 a b\nq1 a c\nq1 a d\nq1 b c\nq1 c d\nq1 d b\nq2 x y\nq2 u v\n");
    sandbox
}

#[test]
fn ratings() {
    check!(games().llull(&["rank", "games.csv"]).ends(0));
}

#[test]
fn every_method_agrees_on_what_is_plain() {
    let sandbox = games();
    for method in METHODS {
        let output = sandbox.llull(&["rank", "games.csv", "--method", method, "--json"]).ends(0).json();
        assert_eq!((&output["method"], &output["ballots"]), (&method.into(), &6.into()));
        assert_eq!(output["components"].as_array().unwrap().len(), 1);
        let best_and_worst = if method == "tiers" {
            let tiers = output["tiers"].as_array().unwrap();
            (tiers[0][0].clone(), tiers.last().unwrap()[0].clone())
        } else {
            let scores = output["scores"].as_object().unwrap();
            assert_eq!(scores.len(), 4);
            assert!(output["se"].is_object());
            let in_order = scores.values().map(|score| score.as_f64().unwrap());
            assert!(in_order.is_sorted_by(|a, b| a >= b), "{output}");
            let mut names = scores.keys().map(|name| serde_json::Value::from(name.as_str()));
            (names.next().unwrap(), names.next_back().unwrap())
        };
        assert_eq!(best_and_worst, ("a".into(), "d".into()), "{method}");
    }
}

/// Opponents beaten less opponents lost to.
#[test]
fn the_figures_are_those_worked_out_by_hand() {
    let sandbox = games();
    let output = sandbox.llull(&["rank", "games.csv", "--method", "copeland", "--json"]).ends(0).json();
    assert_eq!(output["scores"], serde_json::json!({"a": 3.0, "b": 0.0, "c": 0.0, "d": -3.0}));
}

#[test]
fn the_forms_of_the_input_make_no_difference() {
    let sandbox = games();
    sandbox.write("four.txt", "q a b a\nq c a a\nq b c tie\nq b d b\nq d c c\nq a d a\n");
    sandbox.write(
        "games.jsonl",
        "{\"query\":\"q\",\"ranking\":[\"a\",[\"b\",\"c\"],\"d\"]}\n\
         {\"query\":\"q\",\"ranking\":[\"a\",[\"b\",\"c\"],\"d\"]}\n",
    );
    let one = |file: &str| sandbox.llull(&["rank", file, "--method", "copeland", "--json"]).ends(0).json();
    let scores = one("games.csv")["scores"].clone();
    assert_eq!(one("four.txt")["queries"][0]["scores"], scores);
    assert_eq!(one("games.jsonl")["queries"][0]["scores"], scores);
    let piped = sandbox.llull_with_input(&["rank", "-"], &sandbox.read("games.csv")).ends(0);
    assert_eq!(piped.stdout, sandbox.llull(&["rank", "games.csv"]).ends(0).stdout);
}

#[test]
fn tiers_of_queries() {
    check!(queries().llull(&["rank", "prefs.txt", "--method", "tiers"]).ends(0));
}

#[test]
fn tiers_as_json() {
    let json = queries().llull(&["rank", "prefs.txt", "--method", "tiers", "--json"]).ends(0).json();
    let expected = serde_json::json!({
        "method": "tiers", "cyclic_triangles": 1, "triangles": 4, "largest_component": 3,
        "queries": [
            {
                "query": "q1", "tiers": [["a"], ["b", "c", "d"]], "cyclic_triangles": 1, "triangles": 4,
                "largest_component": 3, "support": [1.0, 1.0], "cyclic": [false, true],
                "contradictory": [false, true], "final": [true, true], "components": [["a", "b", "c", "d"]],
                "ballots": 6,
            },
            {
                "query": "q2", "tiers": [["x", "u"], ["y", "v"]], "cyclic_triangles": 0, "triangles": 0,
                "largest_component": 1, "support": [1.0, 1.0], "cyclic": [false, false],
                "contradictory": [false, false], "final": [false, false], "components": [["x", "y"], ["u", "v"]],
                "ballots": 2,
            },
        ],
    });
    assert_eq!(json, expected);
}

#[test]
fn ratings_of_what_is_not_connected_are_said_component_by_component() {
    let sandbox = queries();
    sandbox
        .llull(&["rank", "prefs.txt", "--query", "q2"])
        .ends(0)
        .rows(&["item score standard error component", "x 1.3781 1.8602 1", "v -1.3781 1.8602 2"])
        .says(&["query q2 fall into 2 components of 2, 2 items", "cannot be compared"]);
    let output = sandbox.llull(&["rank", "prefs.txt", "--json"]).ends(0).json();
    assert_eq!(output["queries"][1]["components"], serde_json::json!([["x", "y"], ["u", "v"]]));
}

#[test]
fn preference_files_of_trec_eval() {
    let sandbox = queries();
    let prefs =
        sandbox.llull(&["rank", "prefs.txt", "--method", "tiers", "--format", "prefs"]).ends(0).stdout;
    let (first, second) = prefs.split_at(prefs.find("q2").unwrap());
    assert_eq!(first, "q1 tiers 0 a 2\nq1 tiers 0 b 1\nq1 tiers 0 c 1\nq1 tiers 0 d 1\n");
    assert_eq!(second, "q2 tiers 0 x 2\nq2 tiers 0 y 1\nq2 tiers 1 u 2\nq2 tiers 1 v 1\n");
    let one = command_line("rank prefs.txt --query q1 --method copeland --format qrels-prefs -o c.qrels");
    check_file(
        &sandbox,
        &one,
        "c.qrels",
        "q1 copeland a 2\nq1 copeland b 1\nq1 copeland c 1\nq1 copeland d 1\n",
    );
    let both = ["rank", "prefs.txt", "--format", "qrels-prefs"];
    let refused = sandbox.llull(&both).ends(1);
    assert!(
        refused.stderr.contains("several subgroups, which only trec_eval's prefs can express"),
        "{refused}"
    );
    sandbox.write("games.csv", "left,right,winner\na,b,a\n");
    let unnamed = sandbox.llull(&["rank", "games.csv", "--format", "prefs"]).ends(1);
    assert!(unnamed.stderr.contains("the input names none"), "{unnamed}");
}

/// What `--format prefs` wrote is read again, and a group of a preference file is a judge.
#[test]
fn preference_files_are_read() {
    let sandbox = queries();
    let tiers = |args: &[&str]| {
        let all = [&["rank", "--method", "tiers", "--json"], args].concat();
        let output = sandbox.llull(&all).ends(0).json();
        output["queries"].as_array().unwrap().iter().map(|query| query["tiers"].clone()).collect::<Vec<_>>()
    };
    let write = ["rank", "prefs.txt", "--method", "tiers", "--format", "prefs", "-o", "tiers.prefs"];
    sandbox.llull(&write).ends(0);
    assert_eq!(tiers(&["tiers.prefs"]), tiers(&["prefs.txt"]));
    sandbox.write("judges.qrels", "q1 ann a 3\nq1 ann b 1\nq1 bob a 1\nq1 bob b 2\nq1 bob c 0\nq1 cem d 1\n");
    let four = ["judges.qrels", "--input", "qrels-prefs", "--judge"];
    assert_eq!(tiers(&[&four[..], &["ann"]].concat()), [serde_json::json!([["a"], ["b"]])]);
    assert_eq!(tiers(&[&four[..], &["bob"]].concat()), [serde_json::json!([["b"], ["a"], ["c"]])]);
    let both =
        sandbox.llull(&["rank", "judges.qrels", "--input", "qrels-prefs", "--method", "copeland"]).ends(0);
    let said =
        "judges.qrels: 1 subgroup of one item, or of none above level 0, prefers nothing and is not counted";
    assert!(both.stderr.contains(said), "{both}");
}

/// A graph a query, its tiers as nodes; quotes in names stay inside them.
#[test]
fn graphs_of_tiers() {
    let sandbox = queries();
    let first = "digraph \"q1\" {\n    node [shape=box];\n    t0 [label=\"tier 1\\na\"];\n    \
        t1 [label=\"tier 2, 3 documents with a cycle\\nb\\nc\\nd\", shape=hexagon];\n    t0 -> t1;\n}\n\
        digraph \"q2\" {\n";
    let graphs = sandbox.llull(&["rank", "prefs.txt", "--method", "tiers", "--format", "dot"]).ends(0);
    assert!(graphs.stdout.starts_with(first), "{graphs}");
    graphs.says(&[
        "[label=\"tier 1, 2 documents, provisional\\nx\\nu\", style=dashed];",
        "t0 -> t1 [style=dashed];",
    ]);
    sandbox.write("quoted.csv", "left,right,winner\n\"a\"\"];b\",c,left\n");
    let quoted = sandbox.llull(&["rank", "quoted.csv", "--method", "tiers", "--format", "dot"]).ends(0);
    assert!(quoted.stdout.contains(r#"[label="tier 1\na\"];b"];"#), "{quoted}");
    let ratings = sandbox.llull(&["rank", "prefs.txt", "--format", "dot"]).ends(2);
    assert!(ratings.stderr.contains("--format dot draws tiers; add --method tiers"), "{ratings}");
}

#[track_caller]
fn check_file(sandbox: &Sandbox, args: &[&str], file: &str, expected: &str) {
    let transcript = sandbox.llull(args).ends(0);
    assert_eq!((transcript.stdout.as_str(), sandbox.read(file).as_str()), ("", expected));
    assert!(transcript.stderr.contains(&format!("wrote {file}")), "{transcript}");
}

/// Ann and Bob agree on two queries, Cem says the contrary half of the time: his votes count least in both.
#[test]
fn judges_that_tell_items_apart_count_more() {
    let sandbox = Sandbox::new();
    let mut games = "query,left,right,winner,judge\n".to_owned();
    for query in ["q1", "q2"] {
        for (at, (left, right)) in
            [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")].into_iter().enumerate()
        {
            let cem = if at % 2 == 0 { left } else { right };
            for (judge, winner) in [("ann", left), ("bob", left), ("cem", cem)] {
                games.push_str(&format!("{query},{left},{right},{winner},{judge}\n"));
            }
        }
    }
    sandbox.write("games.csv", &games);
    sandbox.llull(&["rank", "games.csv", "--method", "judge-aware"]).ends(0).rows(&[
        "query q2",
        "a 2.4953",
        "d -2.4953",
        "judge discrimination ballots",
        "bob 2.0538 12",
        "cem 0.2371 12",
    ]);
    let json = sandbox.llull(&["rank", "games.csv", "--method", "judge-aware", "--json"]).ends(0).json();
    let judges = json["judges"].as_array().unwrap();
    assert_eq!(judges.last().unwrap()["judge"], "cem");
    assert!(judges[0]["discrimination"].as_f64().unwrap() > 1.0);
    sandbox
        .llull(&["rank", "games.csv", "--method", "judge-aware", "--judge", "ann"])
        .ends(0)
        .says(&["there is one judge, and judge-aware ratings of one judge are those of bradley-terry"]);
    sandbox
        .llull(&["rank", "games.csv", "--method", "judge-aware", "--judge", "ann", "--prior", "none"])
        .ends(1)
        .says(&["query q1", "judge-aware without a prior has no finite scores", "(a is one of them)"]);
}

#[test]
fn a_judge_can_be_chosen() {
    let sandbox = Sandbox::new();
    sandbox.write("games.csv", "left,right,winner,judge,note\na,b,a,ann,\nb,a,b,bob,\nb,c,b,bob,\n");
    let output =
        sandbox.llull(&["rank", "games.csv", "--judge", "ann", "--method", "copeland", "--json"]).ends(0);
    assert_eq!(output.json()["scores"], serde_json::json!({"a": 1.0, "b": -1.0}));
    sandbox.llull(&["rank", "games.csv", "--judge", "cem"]).ends(1).says(&[
        "games.csv: left = left, right = right, winner = winner, judge = judge; 1 field unused: note",
        "error: games.csv: no judge is called \"cem\"; there are ann, bob",
    ]);
}

/// The columns of Chatbot Arena's votes.
#[test]
fn columns_of_other_names_are_named_on_the_line_or_in_the_folder() {
    let sandbox = Sandbox::new();
    sandbox.write("votes.csv", "question_id,model_a,model_b,winner\n81,x,y,model_a\n82,y,x,model_b\n");
    let arguments = ["rank", "votes.csv", "--method", "copeland"];
    sandbox.llull(&arguments).ends(1).says(&["--columns left=COLUMN,right=COLUMN"]);
    let named = "left=model_a,right=model_b,query=question_id";
    let line = "votes.csv: query = question_id, left = model_a, right = model_b, winner = winner";
    sandbox.llull(&[&arguments[..], &["--columns", named]].concat()).ends(0).says(&[line]);
    let misspelt = "left=model_a,right=model_b,judge=jduge";
    let refused = sandbox.llull(&[&arguments[..], &["--columns", misspelt]].concat()).ends(1);
    refused.says(&["--columns judge=jduge: no file that was read has such a column"]);
    let table = "[columns]\nleft = \"model_a\"\nright = \"model_b\"\nquery = \"question_id\"\n";
    sandbox.write("llull.toml", table);
    sandbox.llull(&arguments).ends(0).says(&[line]);
}

#[test]
fn a_prior_can_be_chosen() {
    let sandbox = games();
    let spread = |prior: &str| {
        let output = sandbox.llull(&["rank", "games.csv", "--prior", prior, "--json"]).ends(0).json();
        output["scores"]["a"].as_f64().unwrap() - output["scores"]["d"].as_f64().unwrap()
    };
    assert!(spread("logistic:0.1") > spread("logistic:1") && spread("choix:0.01") > 0.0);
    sandbox
        .llull(&["rank", "games.csv", "--prior", "none"])
        .ends(1)
        .says(&["error: bradley-terry without a prior has no finite scores: 1 of 4 connected items"]);
    let wrong = sandbox.llull(&["rank", "games.csv", "--prior", "1"]).ends(2);
    assert!(wrong.stderr.contains("logistic:WINS"), "{wrong}");
}

#[test]
fn without_a_file_and_without_a_study_there_is_nothing_to_rank() {
    Sandbox::new().llull(&["rank"]).ends(1).says(&[
        "error: no file of comparisons is given, and . holds no study (llull.toml) that could have some",
    ]);
}

#[test]
fn a_study_without_comparisons_has_nothing_to_rank() {
    let sandbox = tiny();
    let none = sandbox.llull(&["rank"]).ends(1);
    assert!(none.stderr.contains("there is no ledger yet"), "{none}");
    sandbox.llull(&["run", "--no-report"]).ends(0);
    sandbox
        .llull(&["rank"])
        .ends(1)
        .says(&["error: .llull/ledger.sqlite: it holds no comparison; a study compares with paradigm ="]);
}

#[test]
fn what_is_no_file_of_comparisons_is_refused() {
    let sandbox = queries();
    sandbox.write("empty.csv", "");
    sandbox.write("human.qrels", "q1 0 d1 2\nq1 0 d2 0\n");
    sandbox.write("names.txt", "a\nb\n");
    sandbox.write("comma.csv", "left,right,winner\nfish, fried,rice,left\n");
    sandbox.write("neither.csv", "left,right,winner\na,b,c\n");
    sandbox.write("mixed.txt", "q1 a b\nq1 a b a\n");
    sandbox.write("games.csv", "left,right,winner\na,b,a\n");
    for (args, code, parts) in [
        (&["no.csv"][..], 1, ["no.csv", "there is no such file"]),
        (&["empty.csv"], 1, ["empty.csv: there is no comparison in it", "left,right,winner; lines"]),
        (&["human.qrels"], 1, ["human.qrels line 1: found what looks like qrels", "--input columns"]),
        (&["names.txt"], 1, ["names.txt line 1: found 1 column", "`query winner loser`"]),
        (&["comma.csv"], 1, ["comma.csv line 2: found 4 fields, expected 3", "in quotes: \"a, b\""]),
        (&["neither.csv"], 1, ["neither.csv line 2, column 3 (winner): found \"c\"", "left, right, tie"]),
        (&["mixed.txt"], 1, ["mixed.txt line 2: found 4 columns", "A file has one form"]),
        (&["prefs.txt", "games.csv"], 1, ["games.csv line 2: ", "Name the query everywhere or nowhere"]),
        (&["prefs.txt", "--query", "q3"], 1, ["prefs.txt: ", "about the query \"q3\"; there are q1, q2"]),
        (&["-", "-"], 2, ["- is standard input", "name the others"]),
    ] {
        sandbox.llull(&[&["rank"], args].concat()).refused(code, &parts);
    }
}

/// A study that compares: the judge knows the grades, so the tiers are those of `known.qrels`.
#[test]
fn a_study_s_ledger_is_ranked() {
    let sandbox = tiny();
    sandbox.edit("llull.toml", "version = 1\n", "version = 1\nparadigm = \"pairwise\"\n");
    sandbox.llull(&["run", "--no-report"]).ends(0);
    let output = sandbox.llull(&["rank", "--method", "tiers", "--json"]).ends(0).json();
    let tiers: Vec<_> =
        output["queries"].as_array().unwrap().iter().map(|query| query["tiers"].clone()).collect();
    assert_eq!(
        serde_json::json!(tiers),
        serde_json::json!([
            [["a1"], ["a4"], ["a2"], ["a3"]],
            [["b2"], ["b1"], ["b4"], ["b3"]],
            [["c1"], ["c3"], ["c2"]]
        ])
    );
    let one = sandbox.llull(&["rank", "--judge", "known", "--query", "q3"]).ends(0);
    assert!(one.stdout.starts_with("query q3\nitem"), "{one}");
    let unknown = sandbox.llull(&["rank", "--judge", "nobody"]).ends(1);
    assert!(unknown.stderr.contains("no judge is called \"nobody\"; there are known"), "{unknown}");
}

#[test]
fn labels_of_tiers_and_ratings() {
    let sandbox = Sandbox::new();
    sandbox
        .write("prefs.txt", "q1 a b\nq1 b c\nq1 c d\nq2 x y\n")
        .write("anchors.qrels", "q1 0 a 3\nq1 0 c 1\n");
    let labels = |arguments: &[&str]| {
        let all = [&["rank", "prefs.txt", "--format", "qrels"], arguments].concat();
        sandbox.llull(&all).ends(0).stdout
    };
    let ordinal = "q1 0 a 3\nq1 0 b 2\nq1 0 c 1\nq1 0 d 0\nq2 0 x 1\nq2 0 y 0\n";
    assert_eq!(labels(&["--labels", "ordinal"]), ordinal);
    assert_eq!(labels(&["--labels", "ordinal", "--method", "tiers"]), ordinal);
    let rating = "q1 0 a 10\nq1 0 b 6\nq1 0 c 4\nq1 0 d 0\nq2 0 x 10\nq2 0 y 0\n";
    assert_eq!(labels(&[]), rating);
    assert_eq!(labels(&["--method", "tiers"]), rating);
    assert_eq!(
        labels(&["--labels", "geometric", "--query", "q1"]),
        "q1 0 a 4\nq1 0 b 2\nq1 0 c 1\nq1 0 d 0\n"
    );
    assert_eq!(labels(&["--labels", "binary(1)", "--query", "q2"]), "q2 0 x 1\nq2 0 y 0\n");
    let anchored = labels(&["--labels", "anchored", "--anchors", "anchors.qrels", "--query", "q1"]);
    assert_eq!(anchored, "q1 0 a 3\nq1 0 c 1\n", "b may be 1, 2 or 3, d 0 or 1: neither is guessed");
    let anchored = ["rank", "prefs.txt", "--format", "qrels", "--labels", "anchored"];
    sandbox.llull(&anchored).refused(2, &["--labels anchored", "add --anchors FILE"]);
    sandbox
        .llull(&["rank", "prefs.txt", "--labels", "ordinal"])
        .refused(2, &["--labels", "need --format qrels"]);
    games()
        .llull(&["rank", "games.csv", "--format", "qrels"])
        .refused(1, &["labels need queries", "--format table"]);
    queries()
        .llull(&["rank", "prefs.txt", "--format", "qrels", "--query", "q2"])
        .refused(1, &["error: query q2: the comparisons fall into 2 groups", "label each group by itself"]);
}

/// The tiers of the same answers were others than the report's: ties of an ordered list left the order open.
#[test]
fn tiers_of_a_study_are_those_of_its_report() {
    let sandbox = tiny();
    sandbox.edit("llull.toml", "[pool]", "[tournament]\nwindow = 3\n\n[pool]");
    let ties = "q1 0 a1 1\nq1 0 a2 1\nq1 0 a3 1\nq1 0 a4 0\nq2 0 b1 2\nq2 0 b2 2\nq2 0 b3 2\nq2 0 b4 0\n";
    sandbox.write("known.qrels", &format!("{ties}q3 0 c1 1\nq3 0 c2 1\nq3 0 c3 0\n"));
    sandbox.llull(&["run", "--paradigm", "listwise"]).ends(0);
    let own = sandbox.read("labels.qrels");
    assert!(own.starts_with("q1 0 a1 10\nq1 0 a2 10\nq1 0 a3 10\nq1 0 a4 0\n"), "{own}");
    let ranked = sandbox.llull(&["rank", "--method", "tiers", "--format", "qrels"]).ends(0).stdout;
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&ranked), sorted(&own));
    let open = sandbox.llull(&["rank", "--method", "tiers", "--format", "qrels", "--ties", "open"]).ends(0);
    assert_ne!(sorted(&open.stdout), sorted(&own));
}

/// A single tier has no vote with another, and so no support: 0 read as if all votes were against it.
#[test]
fn a_single_tier_has_no_support() {
    let sandbox = Sandbox::new();
    sandbox.write("cycle.csv", "left,right,winner\na,b,left\nb,c,left\nc,a,left\n");
    let shown = sandbox.llull(&["rank", "cycle.csv", "--method", "tiers"]).ends(0);
    assert!(shown.stdout.contains("a        1            3      n/a\n"), "{shown}");
    let json = sandbox.llull(&["rank", "cycle.csv", "--method", "tiers", "--json"]).ends(0).json();
    assert_eq!(json["support"], serde_json::json!([null]));
}
