//! Options of tests and intervals that several commands share.

use anyhow::Result;
use llull::stats::{Correction, PairTest};

use crate::exit::refuse;

/// The correction to apply: the chosen one, or else Holm's.
///
/// # Errors
///
/// Returns a usage error for a correction of Tukey's test, which corrects by itself: a second correction would only
/// hide differences.
pub(crate) fn correction(test: PairTest, asked: Option<Correction>) -> Result<Correction> {
    match (test, asked) {
        (PairTest::Tukey, Some(correction)) if correction != Correction::None => refuse!(
            "--correct {correction}: --test tukey corrects p for all systems by itself; leave out --correct, or choose \
             another --test"
        ),
        (_, correction) => Ok(correction.unwrap_or_default()),
    }
}
