//! The files that a study saves next to its ledger.
//!
//! These are copies of the rubrics and templates of prompts, models, vectors, and files with the key of their inputs.

mod models;
mod prompts;
mod rubrics;
mod unusable_student;
#[cfg(feature = "encoders")]
mod vectors;

pub use models::{read_learner, save_learner, saved_learner};
pub(crate) use models::{save_student, saved_student, student_lessons};
pub(crate) use prompts::{find_prompt, read_prompt, save_prompts, saved_prompt_name, template_file};
pub use rubrics::read_rubric;
pub(crate) use rubrics::{find_rubric, is_saved, rubric, save_rubric, saved_rubric};
pub use unusable_student::UnusableStudent;
#[cfg(feature = "encoders")]
pub use vectors::saved_vectors;
