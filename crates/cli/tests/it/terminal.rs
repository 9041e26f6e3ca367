//! What comes from files, servers and arguments does nothing to the terminal that it is shown on.

use llull_testkit::{Fault, FaultPlan, FaultyServer};

use crate::sandbox::{Sandbox, Transcript, tiny, tiny_served};

/// A title, a hyperlink, a colour by C1, a reversed direction, DEL.
const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{1b}]8;;http://x.test\u{1b}\\\u{9b}31m\u{202e}\u{7f}";

/// The same as it is shown.
const SHOWN: &str = "\\u001b]0;owned\\u0007\\u001b]8;;http://x.test\\u001b\\\\u009b31m\\u202e\\u007f";

/// Whether a character acts on a terminal.
fn acts(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t')) || ('\u{202a}'..='\u{202e}').contains(&c)
}

/// The same, which holds nothing that acts.
#[track_caller]
fn inert(said: Transcript) -> Transcript {
    let text = format!("{}{}", said.stdout, said.stderr);
    assert!(!text.contains(acts), "{text:?}");
    said
}

/// The same, which shows the hostile text besides.
#[track_caller]
fn harmless(said: Transcript) -> Transcript {
    inert(said).says(&[SHOWN])
}

/// A study in which a query and a document have hostile names.
fn with_hostile_names(sandbox: Sandbox) -> Sandbox {
    let (query, document) = (format!("q1{HOSTILE}"), format!("a1{HOSTILE}"));
    for file in ["topics.tsv", "old.run", "new.run", "known.qrels"] {
        let text = sandbox.read(file);
        sandbox.write(file, &text.replace("q1", &query).replace("a1", &document));
    }
    let id = |id: &str| serde_json::Value::from(id).to_string();
    sandbox.edit("corpus.jsonl", "\"a1\"", &id(&document));
    sandbox
}

#[test]
fn identifiers_of_comparisons_forge_nothing() {
    let sandbox = Sandbox::new();
    let item = format!("\"a{HOSTILE}\nerror: forged\"");
    sandbox.write("games.csv", &format!("left,right,winner\n{item},b,left\nb,c,left\n"));
    for method in ["bradley-terry", "tiers"] {
        let said = harmless(sandbox.llull(&["rank", "games.csv", "--method", method]).ends(0));
        assert!(!said.to_string().lines().any(|line| line.starts_with("error: forged")), "{said}");
    }
    // what is for machines is exact
    let json = sandbox.llull(&["rank", "games.csv", "--method", "bradley-terry", "--json"]).ends(0);
    let name = format!("a{HOSTILE}\nerror: forged");
    assert!(json.json().to_string().contains(&serde_json::Value::from(name).to_string()), "{json}");
}

#[test]
fn identifiers_of_queries_and_documents_in_figures() {
    let sandbox = with_hostile_names(tiny());
    harmless(sandbox.llull(&["measure", "known.qrels", "old.run", "-m", "nDCG@3", "-q"]).ends(0));
    let csv = ["measure", "known.qrels", "old.run", "-m", "nDCG@3", "-q", "--format", "csv"];
    let csv = sandbox.llull(&csv).ends(0);
    assert!(csv.stdout.contains(HOSTILE), "into a pipe, CSV is exact: {csv}");
    inert(sandbox.llull(&["run"]));
    harmless(sandbox.llull(&["measure", "-q"]).ends(0));
    inert(sandbox.llull(&["pool"]).ends(0));
}

#[test]
fn texts_of_documents_in_a_prompt() {
    let sandbox = with_hostile_names(tiny_served("http://127.0.0.1:9/v1"));
    let hostile = serde_json::Value::from(format!("follow{HOSTILE}")).to_string();
    sandbox.edit("corpus.jsonl", "follow the link", hostile.trim_matches('"'));
    harmless(sandbox.llull(&["prompt"]).ends(0));
}

#[test]
fn what_is_wrong_in_a_file_or_was_typed() {
    let sandbox = tiny();
    harmless(sandbox.llull(&["rank", HOSTILE]).ends(1));
    inert(sandbox.llull(&["rank", "x.csv", "--method", HOSTILE]).ends(2));
    inert(sandbox.llull(&["measure", "known.qrels", "old.run", "-m", HOSTILE]));
    inert(sandbox.llull(&["run", "--judge", HOSTILE]));
    let name = serde_json::Value::from(format!("known{HOSTILE}\nok      forged: all is well"));
    let name = name.to_string().replace('\u{7f}', "\\u007f").replace('\u{9b}', "\\u009b");
    sandbox.edit("llull.toml", "\"known\"", &name);
    let said = inert(sandbox.llull(&["doctor", "--offline"]));
    assert!(!said.to_string().lines().any(|line| line.starts_with("ok      forged")), "{said}");
    sandbox.write("p.j2", &format!("+++\nversion = 1\nname = \"p\"\n+++\n[user]\n{{{{ {HOSTILE} }}}}\n"));
    let model = "[[judges]]\nname = \"m\"\nmodel = \"vllm/m\"\nprompt = \"p.j2\"\n";
    let config = sandbox.read("llull.toml");
    inert(sandbox.write("llull.toml", &format!("{config}{model}")).llull(&["doctor", "--offline"]).ends(1));
    inert(
        sandbox
            .write("llull.toml", &format!("{config}\n{HOSTILE}\n"))
            .llull(&["doctor", "--offline"])
            .ends(1),
    );
}

#[test]
fn what_a_server_says_and_what_it_gave_up_on() {
    let body = serde_json::json!({"error": {"message": format!("no{HOSTILE}")}}).to_string();
    let fault = Fault::Raw { status: 400, headers: Vec::new(), body };
    let server = FaultyServer::start(FaultPlan { otherwise: Some(fault), ..FaultPlan::default() }).unwrap();
    let sandbox = with_hostile_names(tiny_served(&server.url()));
    // One question at a time: the first failures are said, and the first query's are to be among them.
    sandbox.edit("llull.toml", "timeout = 60", "timeout = 60\nconcurrency = 1");
    harmless(sandbox.llull(&["run"])).says(&["gave up on query q1\\u001b"]);
}
