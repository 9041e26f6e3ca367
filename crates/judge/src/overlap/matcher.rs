//! The judges of expected answers that need no model.

use super::evret::EvretTokenOverlap;
use super::options::{OverlapOptions, OverlapOptionsError};
use super::step::TextMatch;
use super::token_overlap::TokenOverlap;

/// A judge of expected answers that needs no model.
#[derive(Debug, Clone, PartialEq)]
pub enum TextMatcher {
    /// `token-overlap`
    TokenOverlap(TokenOverlap),
    /// `token-overlap-evret`
    Evret(EvretTokenOverlap),
}

impl TextMatcher {
    /// `token-overlap` with these parameters.
    ///
    /// # Errors
    /// Returns an error if a parameter is outside its range.
    pub fn token_overlap(options: OverlapOptions) -> Result<Self, OverlapOptionsError> {
        TokenOverlap::new(options).map(Self::TokenOverlap)
    }

    /// `token-overlap-evret` with these parameters.
    ///
    /// # Errors
    /// Returns an error if a parameter is outside its range, or words are to be stemmed.
    pub fn evret(options: OverlapOptions) -> Result<Self, OverlapOptionsError> {
        EvretTokenOverlap::new(options).map(Self::Evret)
    }

    /// Returns its name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::TokenOverlap(_) => "token-overlap",
            Self::Evret(_) => "token-overlap-evret",
        }
    }

    /// Returns its parameters.
    pub fn options(&self) -> &OverlapOptions {
        match self {
            Self::TokenOverlap(judge) => judge.options(),
            Self::Evret(judge) => judge.options(),
        }
    }

    /// Judges every retrieved text of a query by every expected answer, each text read once: for each retrieved text
    /// in turn, one judgment for each answer.
    pub fn judge_all(&self, query: &str, expected: &[&str], retrieved: &[&str]) -> Vec<TextMatch> {
        match self {
            Self::TokenOverlap(judge) => judge.judge_all(query, expected, retrieved),
            Self::Evret(judge) => judge.judge_all(query, expected, retrieved),
        }
    }
}
