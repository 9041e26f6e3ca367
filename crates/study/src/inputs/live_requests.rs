//! What live systems need to be asked.

use llull_config::Environment;

use crate::error::StudyError;

/// Returns the vectors of queries by the encoder of a name, one for each query in their order.
pub type QueryVectors<'a> = dyn Fn(&str, &[&str]) -> Result<Vec<Vec<f32>>, StudyError> + 'a;

/// What live systems need to be asked.
#[derive(Clone, Copy)]
pub struct LiveRequests<'a> {
    /// Looks up variables: those that a program is given, and keys.
    pub environment: Environment<'a>,
    /// Makes vectors of queries, for servers that search by them.
    pub vectors: &'a QueryVectors<'a>,
}
