//! Answers that a budget cannot count.

use std::fmt;

/// The figures that answers in the ledger lack, so that a budget cannot be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MissingFigure {
    /// Their price.
    Price,
    /// The token counts that a known price needs.
    CountsForPrice,
    /// Their tokens, for a budget of tokens.
    Tokens,
}

/// Answers in the ledger whose share of a budget is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownSpending {
    /// The judge that gave them, by its first name in the ledger.
    pub judge: String,
    /// Its model.
    pub model: String,
    /// The number of these answers.
    pub answers: u64,
    /// The figure that they lack.
    pub missing: MissingFigure,
}

impl fmt::Display for UnknownSpending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { judge, model, answers, missing } = self;
        let answers = llull_report::text::counted(*answers, "answer");
        write!(f, "the budget cannot be computed: the ledger has {answers} of judge {judge} ({model}) ")?;
        match missing {
            MissingFigure::Price => write!(
                f,
                "without a price; set price = {{ input = 0.15, output = 0.60 }} (US dollars a million tokens) for a \
                 [[judges]] table with model = {model:?}, which prices them by their tokens, or use calls or tokens \
                 instead of usd in [budget]"
            ),
            MissingFigure::CountsForPrice => f.write_str(
                "without a price, and their server counted no tokens; use calls instead of usd in [budget]",
            ),
            MissingFigure::Tokens => {
                f.write_str("whose server counted no tokens; use calls instead of tokens in [budget]")
            }
        }
    }
}
