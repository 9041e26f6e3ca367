//! Rubrics, prompts and the strict reading of answers: what a graded judge is asked, and what its reply amounts to.
//!
//! Three steps, each a pure function of its arguments: a [`Rubric`] says what the grades mean, a [`Prompt`] puts it, the
//! query and the document before the judge, and [`read_answer`] turns the reply into a verdict, or into the reason why it
//! cannot be counted. Nothing here asks a model; the files of rubrics and templates are the only input.
//!
//! [`Similarity`] is the baseline that needs no model: how much of the query's words a document repeats.
//!
//! ```
//! use llull_core::{Reason, Scale};
//! use llull_judge::{AnchorOrder, AnswerKind, Prompt, PromptInput, RawReply, Rubric, read_answer};
//!
//! let rubric = Rubric::parse(Rubric::default_text(), "rubric.md")?;
//! let prompt = Prompt::builtin("graded")?;
//! let rendered = prompt.render(&PromptInput {
//!     query: "how does a bloom filter save disk reads",
//!     document: "A Bloom filter answers 'surely not here' from memory, so most absent keys never touch the disk.",
//!     rubric: &rubric,
//!     anchor_order: AnchorOrder::Ascending,
//!     document_tokens: 1200,
//! })?;
//! assert_eq!(rendered.tokens_cut, 0);
//!
//! let reply = RawReply { text: r#"Final: {"grade": 2}"#, cut_off: false, refused: false };
//! let verdict = read_answer(&reply, AnswerKind::GradeOnly, rubric.scale);
//! assert_eq!(verdict.map(|verdict| verdict.grade), Ok(2));
//!
//! let reply = RawReply { text: "I would say 2/3.", cut_off: false, refused: false };
//! let unusable = read_answer(&reply, AnswerKind::GradeOnly, Scale::default());
//! assert_eq!(unusable.map_err(|unusable| unusable.reason), Err(Reason::NoAnswer));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod baseline;
mod front_matter;
mod prompt;
mod rubric;

pub use answer::{RawReply, read_answer};
pub use baseline::{Coverage, Idf, IdfBuilder, Similarity, ThresholdsError};
pub use prompt::{
    AnchorOrder, AnswerKind, BUILTIN_PROMPTS, DEFAULT_DOCUMENT_TOKENS, Fitted, Prompt, PromptError,
    PromptInput, Rendered, RenderedMessage, Role, answer_schema, estimate_tokens, fit,
};
pub use rubric::{Example, GradeDefinition, Rubric, RubricError};
