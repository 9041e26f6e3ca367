//! The price of a model.

use serde::Serialize;

/// US dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PriceSettings {
    /// Of prompts.
    pub input: f64,
    /// Of replies.
    pub output: f64,
}
