//! The facts of expected answers, made once by a language model.
//!
//! [`FactMaking`] has the answers that a file of facts lacks. In a study in memory a model lists the facts of each
//! ([`FactMaking::study`]), and they ([`FactMaking::made`]) are added to the file. A person can read and correct the
//! file: its answers are never requested again, and its facts precede the model's.

mod form;
mod making;

pub use making::{FactMaking, facts_estimate};
