//! Explains a missing p, in a sentence and in a narrow cell.

use llull_stats::Undefined;

/// Why nothing was tested.
pub(super) const NO_QUERIES: &str = "there are no queries";

/// Explains a missing p, or a p of 1: a test that counts all outcomes gives 1 if there is nothing to count.
pub(super) fn reason(undefined: Option<Undefined>, differing: usize) -> Option<String> {
    undefined.or((differing == 0).then_some(Undefined::Identical)).map(|why| why.to_string())
}

/// The same in a word or two, for a narrow cell.
pub(super) fn short(undefined: Undefined) -> &'static str {
    match undefined {
        Undefined::TooFew { .. } => "too few",
        Undefined::Identical => "identical",
        Undefined::NoSpread => "no spread",
        Undefined::OutOfRange => "out of range",
    }
}
