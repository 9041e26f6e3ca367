//! Facts that are read are few, have words, and none is there twice.

use std::collections::BTreeSet;

use llull_judge::{MOST_FACTS, RawReply, read_facts};

/// Checks a reply. Returns whether facts were read.
pub(crate) fn check(text: &str) -> bool {
    match read_facts(&RawReply { text, cut_off: false, refused: false }) {
        Ok(facts) => {
            assert!(!facts.is_empty() && facts.len() <= MOST_FACTS);
            assert!(facts.iter().all(|fact| !fact.trim().is_empty()));
            assert_eq!(facts.iter().collect::<BTreeSet<_>>().len(), facts.len());
            let more = format!("{text}\nor not");
            assert!(read_facts(&RawReply { text: &more, cut_off: false, refused: false }).is_err());
            true
        }
        Err(unusable) => {
            assert!(unusable.detail.chars().count() <= 200);
            false
        }
    }
}
