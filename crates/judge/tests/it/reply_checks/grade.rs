//! A grade that is read is on the scale and occurs in the reply, it is none once words follow it, and a detail is
//! short.

use llull_core::Scale;
use llull_judge::{GradeKind, RawReply, read_grade};

/// Checks a reply. Returns whether a grade was read.
pub(crate) fn check(text: &str) -> bool {
    let scale = Scale::default();
    let read = |text: &str, kind| read_grade(&RawReply { text, cut_off: false, refused: false }, kind, scale);
    let of_kind = |kind| match read(text, kind) {
        Ok(verdict) => {
            assert!(scale.contains(verdict.grade) && text.contains('{') && text.contains('}'));
            for more in
                [format!("{text} or not"), format!("{text}\nor not"), format!("It says {text}\nor not")]
            {
                assert!(read(&more, kind).is_err());
            }
            true
        }
        Err(unusable) => {
            assert!(unusable.detail.chars().count() <= 200);
            false
        }
    };
    [GradeKind::Reasoned, GradeKind::GradeOnly].map(of_kind).contains(&true)
}
