//! Options for runs in other forms than TREC's, or other tools' order.

use llull_data::{ReadRunOptions, RunOrder, ThirdColumn};

/// The form of runs. The default is TREC's columns, with 64-bit scores.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunForm {
    /// The meaning of the third of three columns; with `None` such lines are errors.
    pub third: Option<ThirdColumn>,
    /// The column that orders the documents of six columns.
    pub order: RunOrder,
    /// Whether scores are compared as 32-bit numbers, as trec_eval 9 does.
    pub float32: bool,
}

impl RunForm {
    pub(crate) fn options(self, depth: Option<usize>, name: String) -> ReadRunOptions {
        let Self { third, order, float32 } = self;
        ReadRunOptions { depth, name: Some(name), third, order, float32 }
    }
}
