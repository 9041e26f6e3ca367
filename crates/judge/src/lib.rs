//! Rubrics, prompts and the strict reading of answers: what a judge is asked, and what its reply amounts to.
//!
//! Three steps, each a pure function of its arguments: a [`Rubric`] says what the grades mean, a [`Prompt`] puts it, the
//! query and the document before the judge, and [`read_answer`] turns the reply into a verdict, or into the reason why it
//! cannot be counted. Nothing here asks a model; the files of rubrics and templates are the only input.
//!
//! A [`ComparePrompt`] puts several documents before the judge, of which it says which is better ([`read_comparison`]):
//! two as LHS and RHS, or more under neutral labels, to be put in order or to name the best of. [`shown_order`] says in
//! which order to show them, [`window_that_fits`] how many, and [`answer_probabilities`] how sure the model was.
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
//!
//! ```
//! use llull_judge::{ComparePrompt, RawReply, read_comparison};
//!
//! let form = ComparePrompt::builtin("listwise-direct")?.comparison(4, true);
//! let reply = RawReply { text: r#"{"ranking": [["C"], ["A", "D"], ["B"]]}"#, cut_off: false, refused: false };
//! assert_eq!(read_comparison(&reply, &form).unwrap().order, [vec![2], vec![0, 3], vec![1]]);
//!
//! let reply = RawReply { text: r#"{"ranking": [["C"], ["A"], ["E"], ["A"]]}"#, ..reply };
//! let unusable = read_comparison(&reply, &form).unwrap_err();
//! assert_eq!(unusable.detail, "the ranking invents \"E\", repeats A, omits B, D");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod baseline;
mod front_matter;
mod order;
mod prompt;
mod rubric;
mod shuffle;

pub use answer::{RawReply, Token, answer_probabilities, read_answer, read_comparison};
pub use baseline::{Coverage, Idf, IdfBuilder, Similarity, ThresholdsError};
pub use order::shown_order;
pub use prompt::{
    AnchorOrder, AnswerKind, BUILTIN_COMPARE_PROMPTS, BUILTIN_PROMPTS, CompareInput, CompareKind,
    ComparePrompt, Comparison, DEFAULT_DOCUMENT_TOKENS, DEFAULT_WINDOW_TOKENS, Fitted, Prompt, PromptError,
    PromptInput, Rendered, RenderedMessage, Role, answer_schema, comparison_schema, estimate_tokens, fit,
    fit_together, window_that_fits,
};
pub use rubric::{Example, GradeDefinition, Rubric, RubricError};
