//! `llull pool`

use crate::sandbox::{check, tiny};

#[test]
fn counts() {
    let at = |depth: &str| tiny().llull(&["pool", "--depth", depth]).ends(0);
    at("3").says(&["old         9                  2\n", "11 pairs of 3 queries at depth 3\n"]);
    at("1").says(&["old         3                  2\n", "5 pairs of 3 queries at depth 1\n"]);
}

#[test]
fn pairs() {
    check!(tiny().llull(&["pool", "--pairs"]).ends(0));
    let one = tiny().llull(&["pool", "--query", "q2"]).ends(0).says(&["q2           b1  old@1 new@1\n"]);
    assert!(!one.stdout.contains("q1 "), "{one}");
}

#[test]
fn a_query_that_is_not_there() {
    tiny().llull(&["pool", "--query", "q9"]).ends(1).says(&["error: no query \"q9\" in topics.tsv"]);
}

#[test]
fn json_is_every_pair_with_its_ranks() {
    let pairs = tiny().llull(&["pool", "--json"]).ends(0).json()["pairs"].clone();
    assert_eq!(pairs.as_array().unwrap().len(), 11);
    let a1 = serde_json::json!({
        "query": "q1", "document": "a1", "found": [{"system": "old", "rank": 2}, {"system": "new", "rank": 1}],
    });
    assert!(pairs.as_array().unwrap().contains(&a1), "{pairs}");
}
