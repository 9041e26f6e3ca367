//! Calibrates a judge's grades by pairs with human grades.
//!
//! ```
//! use llull_label::{CalibrationMethod, GradedTwice, calibrate};
//!
//! // People find less than the judge does.
//! let pairs = [(0, 0), (0, 0), (1, 0), (1, 0), (2, 1), (2, 1), (2, 2), (3, 2), (3, 3), (3, 2)];
//! let pairs = pairs.map(|(judge, human)| GradedTwice { judge, human, weight: 1.0 });
//! let calibration = calibrate(CalibrationMethod::Isotonic, &pairs)?;
//! let onto: Vec<_> = [0, 1, 2, 3].map(|grade| calibration.grade(grade)).into();
//! assert_eq!(onto, [Some(0), Some(0), Some(1), Some(2)]);
//! # Ok::<(), llull_label::CalibrationError>(())
//! ```

mod beta_curve;
mod calibrate;
mod error;
mod highest_kappa;
mod ordered_regression;
mod relevance_cut;

pub use beta_curve::BetaCurve;
pub(crate) use beta_curve::{BetaCell, fit_beta, middle};
pub use calibrate::{CalibratedGrade, Calibration, CalibrationMethod, GradedTwice, JudgeSeverity, calibrate};
pub use error::CalibrationError;
pub use ordered_regression::{Link, OrderedCell, OrderedFit, fit_ordered};
pub use relevance_cut::{CutAgreement, cut_agreements};
