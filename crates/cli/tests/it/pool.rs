//! `llull pool`

use crate::sandbox::{check, tiny};

#[test]
fn counts() {
    check!(tiny().llull(&["pool"]).ends(0));
    check!(tiny().llull(&["pool", "--depth", "1"]).ends(0));
}

#[test]
fn pairs() {
    check!(tiny().llull(&["pool", "--pairs"]).ends(0));
    check!(tiny().llull(&["pool", "--query", "q2"]).ends(0));
}

#[test]
fn a_query_that_is_not_there() {
    check!(tiny().llull(&["pool", "--query", "q9"]).ends(1));
}

#[test]
fn json_is_every_pair_with_its_ranks() {
    let pairs = tiny().llull(&["pool", "--json"]).ends(0).json();
    assert_eq!(pairs.as_array().unwrap().len(), 11);
    let a1 = serde_json::json!({
        "query": "q1", "document": "a1", "found": [{"system": "old", "rank": 2}, {"system": "new", "rank": 1}],
    });
    assert!(pairs.as_array().unwrap().contains(&a1), "{pairs}");
}
