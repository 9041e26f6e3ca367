//! The common part of both comparisons of texts by words.

use super::options::OverlapOptions;
use super::step::TextMatch;

/// A way to read texts and to compare them. Texts that are compared are read by one value of it.
pub(super) trait Comparison<'a> {
    /// A text prepared for comparison.
    type Text;
    /// An expected answer, which is compared with many texts.
    type Answer;

    fn new(options: &'a OverlapOptions) -> Self;

    fn text(&mut self, text: &'a str) -> Self::Text;

    fn answer(&mut self, text: Self::Text) -> Self::Answer;

    fn decide(&self, query: &Self::Text, answer: &Self::Answer, retrieved: &Self::Text) -> TextMatch;
}
