//! The context of querying live systems.

use llull_config::Environment;

use crate::error::StudyError;

/// Returns the vectors of queries by the named encoder, one for each query in their order.
pub type QueryVectors<'a> = dyn Fn(&str, &[&str]) -> Result<Vec<Vec<f32>>, StudyError> + 'a;

/// The context of querying live systems.
#[derive(Clone, Copy)]
pub struct LiveRequests<'a> {
    /// Looks up environment variables: those of a program, and keys.
    pub environment: Environment<'a>,
    /// Computes vectors of queries, for servers that search by them.
    pub vectors: &'a QueryVectors<'a>,
}
