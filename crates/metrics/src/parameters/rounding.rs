//! Rounds a share of the relevant documents to a number.

/// How a share of the relevant documents becomes a whole number of documents. The versions of trec_eval differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// Up, so that at least the share has been found, which is what interpolated precision means; exactly,
    /// ⌊share + 0.9⌋. trec_eval up to 9.0.7, pytrec_eval and ir_measures; the default of `IPrec`.
    Up,
    /// To the nearest whole number. trec_eval 9.0.8 and 10, and therefore the meaning of `iprec_at_recall_0.10` and
    /// `11pt_avg`; the default of `11pt_avg`. Printed as `rounding='nearest'` if it is not the default.
    Nearest,
}

impl Rounding {
    /// The number of documents for `share`, a share times the number of relevant documents.
    pub(crate) fn documents(self, share: f64) -> usize {
        match self {
            Self::Up => (share + 0.9) as usize,
            Self::Nearest => share.round() as usize,
        }
    }
}
