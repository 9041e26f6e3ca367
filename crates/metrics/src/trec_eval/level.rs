//! trec_eval's `-l`.

use crate::measure::{Measure, Worth};
use crate::parameter::Relevant;

impl Measure {
    /// The measure with `level` for the lowest grade that counts as relevant, trec_eval's `-l`. A measure that has another one than 1
    /// already was told so by name, and keeps it; one that draws no such line (nDCG, Judged, `RBP(max_rel=3)`, `NumRet`) stays as it is.
    ///
    /// ```
    /// use llull_metrics::{Measure, Relevant};
    ///
    /// let level = Relevant::from_grade(2).unwrap();
    /// for (name, at_level) in [("map", "AP(rel=2)"), ("P_5", "P(rel=2)@5"), ("AP(rel=3)", "AP(rel=3)"), ("nDCG@10", "nDCG@10")] {
    ///     assert_eq!(name.parse::<Measure>()?.at_level(level).to_string(), at_level);
    /// }
    /// # Ok::<(), llull_metrics::MeasureError>(())
    /// ```
    #[must_use]
    pub fn at_level(mut self, level: Relevant) -> Self {
        if let Some(rel) = self.rel_mut().filter(|rel| **rel == Relevant::default()) {
            *rel = level;
        }
        self
    }

    fn rel_mut(&mut self) -> Option<&mut Relevant> {
        match self {
            Self::Ap { rel, .. }
            | Self::Gmap { rel }
            | Self::Rr { rel, .. }
            | Self::Precision { rel, .. }
            | Self::Recall { rel, .. }
            | Self::Rprec { rel, .. }
            | Self::IPrec { rel, .. }
            | Self::ElevenPoint { rel, .. }
            | Self::Success { rel, .. }
            | Self::Bpref { rel }
            | Self::GmBpref { rel }
            | Self::InfAp { rel }
            | Self::SetP { rel, .. }
            | Self::SetR { rel }
            | Self::SetF { rel, .. }
            | Self::SetAp { rel, .. }
            | Self::Utility { rel, .. }
            | Self::BinG { rel }
            | Self::NumRel { rel }
            | Self::NumNonrelRet { rel }
            | Self::Rbp { worth: Worth::Binary(rel), .. } => Some(rel),
            Self::NumRet { rel, .. } => rel.as_mut(),
            Self::Ndcg { .. }
            | Self::Dcg { .. }
            | Self::G { .. }
            | Self::NdcgRel { .. }
            | Self::Rndcg { .. }
            | Self::Judged { .. }
            | Self::Unj { .. }
            | Self::Err { .. }
            | Self::Nerr { .. }
            | Self::Rbp { worth: Worth::Graded(_), .. }
            | Self::RbpResidual { .. }
            | Self::Insq { .. }
            | Self::Inst { .. }
            | Self::Compat { .. }
            | Self::NumQ => None,
        }
    }
}
