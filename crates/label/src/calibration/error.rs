//! Errors of calibration.

/// Why a judge's grades cannot be calibrated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CalibrationError {
    /// There is no pair that both have graded.
    #[error("there is no pair that both the judge and annotators have graded")]
    NoPair,
    /// One side has one grade only.
    #[error(
        "{who} gave one grade only on the {pairs} pairs that both have graded: nothing can be fitted to it"
    )]
    OneGrade {
        /// The judge, or the annotators.
        who: &'static str,
        /// How many pairs.
        pairs: usize,
    },
    /// A model has no finite best fit, as when one grade of the judge determines the human one.
    #[error(
        "the fit does not settle, as happens where the judge's grade leaves no doubt of the human one or there are \
         few pairs: take more labels, or calibrate isotonic, which always has a fit"
    )]
    NoFit,
    /// The judge's grades do not rise with the human ones.
    #[error(
        "the judge's grades do not rise with the human labels, so that no scale of theirs fits: look at llull agree"
    )]
    NotRising,
}
