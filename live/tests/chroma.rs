//! Chroma, as `chroma run` of chromadb serves it.

use llull_live::{address, reply};

#[test]
fn it_answers() {
    let said = reply(&address("LLULL_CHROMA"), "/api/v2/heartbeat", None);
    assert!(said["nanosecond heartbeat"].as_u64().is_some(), "{said}");
}
