//! The first day of somebody new: the demo corrected by a few human labels, then a study of one's own whose search
//! system is a server, with a budget, a document that the judge's server refuses, and a kill at a bad moment.

use llull_testkit::{AnsweringServer, ServerAnswer, ServerRequest, answer_json};
use serde_json::{Value, json};

use crate::retrieval_servers::trust;
use crate::sandbox::Sandbox;

/// The number of results that the search server has for each query, 5 MB together: the default depth, and far beyond
/// any buffer.
const DEPTH: usize = 100;

/// The number of queries.
const QUERIES: usize = 12;

/// A text that the judge's server refuses: one document of each query.
const REFUSED: &str = "passage 7 of";

#[test]
fn the_demo_corrected_by_a_few_human_labels() {
    let sandbox = Sandbox::new();
    let llull = |arguments: &[&str]| sandbox.llull(&[&["-C", "llull-demo"], arguments].concat());
    sandbox.llull(&["demo"]).ends(0);
    let proposal = llull(&["sample"]).ends(0);
    assert!(proposal.to_string().contains(" sample -n "), "{proposal}");
    llull(&["sample", "-n", "200", "-o", "sheet.csv"]).ends(0);

    let sheet = sandbox.read("sheet.csv");
    // three labels of some two hundred: the statement is one, and it says how few they are
    let mut filled = 0;
    let labelled = sheet.lines().map(|line| match line.ends_with(',') && filled < 3 {
        true => {
            filled += 1;
            format!("{line}2\n")
        }
        false => format!("{line}\n"),
    });
    sandbox.write("sheet.csv", &labelled.collect::<String>());
    llull(&["review", "--read", "sheet.csv", "--as", "anna"]);
    llull(&["report"]).ends(0);
    let report = sandbox.read("llull-demo/report.md");
    let statements = report.lines().filter(|line| line.contains("orrected by human labels")).count();
    assert!(statements <= 1, "{statements} statements on human labels:\n{report}");
}

/// Results of 4 kB each. The tenant decides whether the best or the worst of them comes first.
fn search(arrived: &ServerRequest) -> ServerAnswer {
    let query = arrived.body["q"].as_str().unwrap_or_default().trim_start_matches("question ");
    let reversed = arrived.headers.get("x-tenant").is_some_and(|tenant| tenant == "us");
    let hit = |rank: usize| {
        let number = if reversed { DEPTH - 1 - rank } else { rank };
        let text = format!("passage {number} of {query}: {}", "words ".repeat(700));
        json!({"id": format!("d{query}-{number}"), "score": DEPTH - rank, "doc": {"text": text}})
    };
    ServerAnswer::json(&json!({"hits": (0..DEPTH).map(hit).collect::<Vec<Value>>()}))
}

/// A judge that finds even passages relevant; its server's content filter refuses one text.
fn judge(arrived: &ServerRequest) -> ServerAnswer {
    let prompt = arrived.body["messages"].to_string();
    if prompt.contains(REFUSED) {
        let error = json!({"error": {"code": "content_filter", "message": "The response was filtered."}});
        return ServerAnswer::status(400, error.to_string());
    }
    let number = prompt.split("passage ").nth(1).and_then(|rest| rest.split(' ').next());
    let even = number.and_then(|number| number.parse::<usize>().ok()).is_some_and(|number| number % 2 == 0);
    let grade = if even { 3 } else { 0 };
    ServerAnswer::json(&json!({
        "choices": [{"message": {"content": answer_json(grade)}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": prompt.len() / 4, "completion_tokens": 5},
    }))
}

#[test]
fn a_study_of_ones_own_with_a_server_a_budget_a_refusal_and_a_kill() {
    let (searching, judging) =
        (AnsweringServer::start(search).unwrap(), AnsweringServer::start(judge).unwrap());
    let mut sandbox = Sandbox::new();
    let topics = (0..QUERIES).map(|query| format!("q{query}\tquestion {query}\n"));
    sandbox.write("topics.tsv", &topics.collect::<String>());
    let ranked = (0..QUERIES).flat_map(|query| (1..=10).map(move |rank| (query, rank)));
    let ranked =
        ranked.map(|(query, rank)| format!("q{query} Q0 d{query}-{} {rank} {} t\n", 10 - rank, 11 - rank));
    sandbox.write("file.run", &ranked.collect::<String>());
    sandbox.write(
        "llull.toml",
        &format!(
            "version = 1\ntopics = \"topics.tsv\"\nmeasures = [\"nDCG@10\"]\n[budget]\nusd = 0.05\n\
             [[systems]]\nname = \"file\"\nrun = \"file.run\"\n\
             [[systems]]\nname = \"live\"\nretriever = \"http\"\n[systems.http]\n\
             url = \"{}/search?n={{k}}\"\nbody = {{ q = \"{{query}}\" }}\nheaders = {{ X-Tenant = \"eu\" }}\n\
             results = \"/hits\"\nid = \"/id\"\nscore = \"/score\"\ntext = \"/doc/text\"\n\
             [[judges]]\nname = \"m\"\nmodel = \"openai/m\"\nbase_url = \"{}/v1\"\n\
             price = {{ input = 1.0, output = 1.0 }}\nconcurrency = 1\n",
            searching.url(),
            judging.url()
        ),
    );
    sandbox.set("OPENAI_API_KEY", "sk-newcomer");
    trust(&mut sandbox);

    // all results are saved: 5 MB of them
    let retrieved = sandbox.llull(&["pool", "--retrieve", "--json"]).ends(0).json()["retrieved"].clone();
    assert_eq!(retrieved[0]["documents"], QUERIES * DEPTH, "{retrieved}");

    // the budget ends the first run, and nothing is decided by the part that it paid for
    let first = sandbox.llull(&["run", "--verbose"]).ends(3);
    assert!(first.to_string().contains("raise usd in [budget]"), "{first}");
    assert!(sandbox.read("report.md").contains("No verdict"), "{}", sandbox.read("report.md"));
    let paid = judging.arrived().len();
    assert!(paid > 0 && paid < QUERIES * 10, "{paid}");

    // the rest, without the documents that the server refuses: they are counted, and not asked about again
    sandbox.edit("llull.toml", "usd = 0.05", "usd = 5");
    let second = sandbox.llull(&["run", "--verbose"]).ends(3);
    assert!(second.to_string().contains(&format!("{QUERIES} refused")), "{second}");
    let asked = judging.arrived().len();
    sandbox.llull(&["run"]).ends(3);
    assert_eq!(judging.arrived().len(), asked, "a refused document is skipped");
    assert_eq!(sandbox.read("labels.qrels").lines().count(), QUERIES * 9);

    // a kill between the two writes of a saved run: what was announced is not there, so it is retrieved again
    let files = [".llull/runs/live.results", ".llull/runs/live.results.key"];
    let old = files.map(|file| sandbox.read(file));
    sandbox.edit("llull.toml", "X-Tenant = \"eu\"", "X-Tenant = \"us\"");
    trust(&mut sandbox);
    sandbox.llull(&["pool", "--retrieve"]).ends(0);
    assert_ne!(files.map(|file| sandbox.read(file)), old);
    sandbox.write(files[0], &old[0]);
    let before = searching.arrived().len();
    sandbox.llull(&["pool", "--retrieve"]).ends(0);
    assert_eq!(searching.arrived().len(), before + QUERIES, "the old run is not taken for the new one");
    assert_ne!(sandbox.read(files[0]), old[0]);
}
