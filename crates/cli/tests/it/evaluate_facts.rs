//! `llull evaluate --facts`.

use crate::sandbox::Sandbox;

/// Judges are asked about facts, and a share of them is an answer.
#[test]
fn facts_of_an_answer() {
    let sandbox = Sandbox::new();
    sandbox.write("q.csv", "query,expected_answers\nwhich city,Bern on the Aare\n");
    sandbox.write(
        "r.jsonl",
        "{\"query_id\":\"q1\",\"results\":[{\"doc_id\":\"a\",\"text\":\"the capital is Bern\"}]}\n",
    );
    sandbox.write(
        "f.jsonl",
        "{\"answer\":\"Bern on the Aare\",\"facts\":[\"Bern\",\"the Aare\",\"capital\"]}\n",
    );
    let args = ["evaluate", "q.csv", "--results", "r.jsonl", "-m", "R@4", "--json", "--facts", "f.jsonl"];
    let mean = |more: &[&str]| {
        let output = sandbox.llull(&[&args[..], more].concat()).ends(0).json();
        (output["systems"][0]["figures"][0]["mean"].as_f64().unwrap(), output)
    };
    let (found, output) = mean(&[]);
    assert_eq!((found, output["nugget_share"].as_f64()), (1.0, Some(0.5)));
    assert_eq!(output["answers"][0]["queries"][0]["found"][0]["because"], "2 of 3 facts; not: the Aare");
    assert_eq!(mean(&["--nugget-share", "0.7"]).0, 0.0);
    // A panel's ledger has facts, and another share asks nothing.
    assert_eq!(mean(&["--ledger", "l.sqlite"]).1["judges"][0]["counts"]["judged"], 3);
    let again = mean(&["--ledger", "l.sqlite", "--nugget-share", "1"]);
    assert_eq!((again.0, &again.1["judges"][0]["counts"]["from_ledger"]), (0.0, &3.into()));
    sandbox
        .llull(&[&args[..], &["--nugget-share", "2"]].concat())
        .ends(2)
        .says(&["--nugget-share: 2 is no share"]);
    sandbox.write("f.jsonl", "{\"answer\":\"Basel\",\"facts\":[\"Basel\"]}\n");
    sandbox
        .llull(&args)
        .ends(1)
        .says(&["no facts of 1 of the expected answers", "to the query \"which city\""]);
}
