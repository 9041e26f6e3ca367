//! The facts of expected answers, made once by a language model.
//!
//! [`FactMaking`] has the answers that a file of facts lacks. A study in memory has a model take each apart
//! ([`FactMaking::study`]), and what it has written ([`FactMaking::made`]) is added to the file, which a person can
//! read and mend: what stands there is never asked for again, and holds whatever the model has said.

mod form;
mod making;

pub use making::{FactMaking, facts_estimate};
