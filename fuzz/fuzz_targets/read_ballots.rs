//! No input makes the reader of comparisons panic. A ballot that it accepts has at least two items, each once.
#![no_main]

use libfuzzer_sys::fuzz_target;
use llull_data::{BallotFormat, read_ballots_from};

fuzz_target!(|bytes: &[u8]| {
    for format in BallotFormat::ALL.map(Some).into_iter().chain([None]) {
        let Ok(file) = read_ballots_from("fuzz", std::io::Cursor::new(bytes.to_vec()), format) else {
            continue;
        };
        for (_, topic) in file.ballots.iter() {
            for ballot in &topic.ballots {
                let mut items: Vec<_> = ballot.items().collect();
                assert!(items.len() > 1 && items.iter().all(|item| topic.id(*item).is_some()));
                items.sort_unstable();
                items.dedup();
                assert_eq!(items.len(), ballot.items().count());
            }
        }
    }
});
