//! How runs are read that are not written as TREC does, or are ranked as another tool does.

use llull_data::{ReadRunOptions, RunOrder, ThirdColumn};

/// How runs are read. By default in TREC's columns, with 64-bit scores.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunForm {
    /// What the third of three columns is; `None` refuses such lines.
    pub third: Option<ThirdColumn>,
    /// What orders the documents of six columns.
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
