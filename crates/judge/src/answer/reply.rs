//! A reply to any prompt, and the verdict in it.

use llull_core::{Unusable, Verdict};

use super::{
    comparison::read_comparison,
    decide::RawReply,
    grade::read_grade,
    probabilities::{Token, answer_probabilities},
};
use crate::form::AnswerForm;

/// Reads the verdict out of a reply: a grade by [`read_grade`], a comparison by [`read_comparison`], with the
/// probabilities of its answers if `tokens` have them ([`answer_probabilities`]). `tokens` may be empty.
///
/// # Errors
/// Returns the reason why the reply cannot be counted.
pub fn read_reply(
    reply: &RawReply<'_>,
    tokens: &[Token<'_>],
    form: &AnswerForm,
) -> Result<Verdict, Unusable> {
    match form {
        AnswerForm::Grade { kind, scale } => read_grade(reply, *kind, *scale).map(Verdict::Graded),
        AnswerForm::Comparison(form) => {
            let mut verdict = read_comparison(reply, form)?;
            verdict.probabilities = answer_probabilities(tokens, form, &verdict).unwrap_or_default();
            Ok(Verdict::Compared(verdict))
        }
    }
}
