//! What a tournament promises, whoever judges.

mod figures;
mod judges;
mod promises;
mod robustness;
