//! Rubrics, prompts and the strict reading of answers.
