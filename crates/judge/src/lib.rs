//! Rubrics, prompts and the strict reading of replies.
//!
//! There are three steps, each a pure function of its arguments. A [`Rubric`] defines the grades, a [`Prompt`]
//! combines it with the query and the documents, and [`read_reply`] turns the reply into a verdict, or into the reason
//! why it is unusable. This crate sends no requests; the files of rubrics and templates are the only input.
//!
//! | subject | items |
//! |---|---|
//! | the definition of relevance | [`Rubric`] |
//! | prompts that grade one document, or compare several | [`Prompt`], [`PromptKind`], [`PromptInput`] |
//! | the shown part of the documents | [`fit`], [`fit_together`], [`window_that_fits`], [`estimate_tokens`] |
//! | whether a server reads all of it | [`prompt_cut`] |
//! | the order of documents | [`shown_order`] |
//! | the form of the answer: labels, keys, JSON schema | [`AnswerForm`], [`GradeKind`], [`ComparisonForm`] |
//! | the place of the answer in a reply | [`AnswerPlace`] |
//! | the verdict in a reply | [`read_reply`], [`read_grade`], [`read_comparison`]; [`READER_VERSION`] |
//! | how sure the model was of an answer | [`answer_probabilities`], [`grade_probabilities`] |
//! | a question about a passage, with its answer | [`QuestionPrompt`], [`QuestionCategory`], [`read_question`] |
//! | the baseline that needs no model | [`Similarity`] |
//! | a small model that learned from labels and sends no requests | [`Student`], [`SurfaceFeatures`] |
//! | whether a retrieved text contains an expected answer, by shared words | [`TokenOverlap`] |
//!
//! ```
//! use llull_core::{Reason, Verdict};
//! use llull_judge::{Prompt, PromptInput, RawReply, Rubric, read_reply};
//!
//! let rubric = Rubric::parse(Rubric::default_text(), "rubric.md")?;
//! let prompt = Prompt::builtin("graded-direct")?;
//! let query = "how does a bloom filter save disk reads";
//! let document = "A Bloom filter answers 'surely not here' from memory, so most absent keys never touch the disk.";
//! let rendered = prompt.render(&PromptInput::new(query, &[document], &rubric))?;
//! assert_eq!(rendered.tokens_cut, 0);
//!
//! let form = prompt.kind.form(rubric.scale, 1, false);
//! let reply = RawReply { text: r#"{"grade": 2}"#, cut_off: false, refused: false };
//! let Verdict::Graded(verdict) = read_reply(&reply, &[], &form, prompt.place).unwrap() else { panic!() };
//! assert_eq!(verdict.grade, 2);
//!
//! let reply = RawReply { text: r#"The document asks for {"grade": 3}"#, ..reply };
//! let unusable = read_reply(&reply, &[], &form, prompt.place).unwrap_err();
//! assert_eq!(unusable.reason, Reason::NotAlone);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```
//! use llull_judge::{CompareKind, ComparisonForm, RawReply, read_comparison};
//!
//! let form = ComparisonForm { kind: CompareKind::Ranking, rationale: false, documents: 4, ties: true };
//! let reply = RawReply { text: r#"{"ranking": [["C"], ["A", "D"], ["B"]]}"#, cut_off: false, refused: false };
//! assert_eq!(read_comparison(&reply, &form).unwrap().order, [vec![2], vec![0, 3], vec![1]]);
//!
//! let reply = RawReply { text: r#"{"ranking": [["C"], ["A"], ["E"], ["A"]]}"#, ..reply };
//! let unusable = read_comparison(&reply, &form).unwrap_err();
//! assert_eq!(unusable.detail, "the ranking invents \"E\", repeats A, omits B, D");
//! ```

mod answer;
mod baseline;
mod fit;
mod form;
mod front_matter;
mod overlap;
mod prompt;
mod rubric;
mod shown_order;
mod student;
mod words;

pub use answer::{
    READER_VERSION, RawReply, Token, answer_probabilities, grade_probabilities, read_comparison, read_facts,
    read_grade, read_question, read_reply,
};
pub use baseline::{Idf, IdfBuilder, Similarity, WordCoverage};
pub use fit::{
    DEFAULT_DOCUMENT_TOKENS, DEFAULT_WINDOW_TOKENS, Fitted, PromptCut, ServedPrompt, estimate_tokens, fit,
    fit_together, prompt_cut, window_that_fits,
};
pub use form::{
    AnswerForm, AnswerPlace, CompareKind, ComparisonForm, GradeKind, MOST_FACTS, QuestionCategory,
    UnknownCategory, WrittenQuestion, comparison_schema, facts_schema, grade_schema, question_schema,
};
pub use overlap::{
    MatchStep, OverlapOptions, OverlapOptionsError, Stemming, StopWords, TextMatch, TokenOverlap,
};
pub use prompt::{
    AnchorOrder, BUILTIN_COMPARING_PROMPTS, BUILTIN_GRADING_PROMPTS, FactsPrompt, Prompt, PromptError,
    PromptInput, PromptKind, PromptRole, QuestionPrompt, Rendered, RenderedMessage,
};
pub use rubric::{AttributeMode, Example, GradeDefinition, Rubric, RubricError, ShelfRubric};
pub use shown_order::shown_order;
pub use student::{
    HeldOutAgreement, Meanings, STUDENT_FEATURES, STUDENT_MEANING, Student, StudentError, StudentGrade,
    StudentLessons, SurfaceFeatures, UngradedReason,
};
