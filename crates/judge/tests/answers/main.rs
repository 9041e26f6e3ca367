//! Tests replies as models write them, with their verdicts.
//!
//! The cases named after a tool are replies that this tool is known to have misread, adapted to grading.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests are not marked as tests")]

use llull_core::{Grade, Reason, Scale};
use llull_judge::{GradeKind, RawReply, read_grade};

mod comparison;
mod hostile;
mod placed;
mod table;

/// The result of a reply: a grade or a reason.
pub(crate) type Expected = Result<Grade, Reason>;

pub(crate) const GRADE: GradeKind = GradeKind::GradeOnly;
pub(crate) const REASONED: GradeKind = GradeKind::Reasoned;

pub(crate) fn read(text: &str, kind: GradeKind) -> Expected {
    let reply = RawReply { text, cut_off: false, refused: false };
    match read_grade(&reply, kind, Scale::default()) {
        Ok(verdict) => Ok(verdict.grade),
        Err(unusable) => {
            let length = unusable.detail.chars().count();
            assert!((1..=200).contains(&length), "a detail of {length} characters: {}", unusable.detail);
            assert!(!unusable.detail.contains('\n'), "{}", unusable.detail);
            Err(unusable.reason)
        }
    }
}

#[track_caller]
pub(crate) fn check(kind: GradeKind, cases: &[(&str, Expected)]) {
    let wrong: Vec<_> = cases
        .iter()
        .filter(|(text, expected)| read(text, kind) != *expected)
        .map(|(text, expected)| format!("{text:?}: {:?}, not {expected:?}", read(text, kind)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

pub(crate) const COMPLETE: &str =
    r#"{"facets_covered": ["what it is"], "facets_missing": [], "rationale": "It says so.", "grade": 2}"#;
