//! No reply makes the reader of grades panic. A grade is on the scale and occurs in the reply, it is none once words
//! follow it, and a detail is short.
#![no_main]

use libfuzzer_sys::fuzz_target;
use llull_core::Scale;
use llull_judge::{GradeKind, RawReply, read_grade};

fuzz_target!(|text: &str| {
    let scale = Scale::default();
    for kind in [GradeKind::Reasoned, GradeKind::GradeOnly] {
        match read_grade(&RawReply { text, cut_off: false, refused: false }, kind, scale) {
            Ok(verdict) => {
                assert!(scale.contains(verdict.grade) && text.contains('{') && text.contains('}'));
                for more in [format!("{text} or not"), format!("{text}\nor not"), format!("It says {text}\nor not")] {
                    let reply = RawReply { text: &more, cut_off: false, refused: false };
                    assert!(read_grade(&reply, kind, scale).is_err());
                }
            }
            Err(unusable) => assert!(unusable.detail.chars().count() <= 200),
        }
    }
});
