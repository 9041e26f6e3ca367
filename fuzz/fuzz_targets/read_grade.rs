//! No reply makes the reader of grades panic. A grade is on the scale and occurs in the reply, and a detail is short.
#![no_main]

use libfuzzer_sys::fuzz_target;
use llull_core::Scale;
use llull_judge::{GradeKind, RawReply, read_grade};

fuzz_target!(|text: &str| {
    let scale = Scale::default();
    for kind in [GradeKind::Reasoned, GradeKind::GradeOnly] {
        match read_grade(&RawReply { text, cut_off: false, refused: false }, kind, scale) {
            Ok(verdict) => assert!(scale.contains(verdict.grade) && text.contains('{') && text.contains('}')),
            Err(unusable) => assert!(unusable.detail.chars().count() <= 200),
        }
    }
});
