//! Reads the verdict in a reply to any prompt.

use llull_core::{Unusable, Verdict};

use super::{
    comparison,
    decide::RawReply,
    grade,
    probabilities::{Token, answer_probabilities, grade_probabilities},
};
use crate::form::{AnswerForm, AnswerPlace};

/// The version of the rules by which [`read_reply`] reads a reply. Each attempt records it, so that a reply that was
/// read by earlier rules can be read again. From version 2 on an answer stands alone, or on lines of its own at the
/// end. From version 3 on a quoted `</think>` ends no reasoning, and a whole answer counts although the token limit
/// ended the reply.
pub const READER_VERSION: u32 = 3;

/// Reads the verdict out of a reply: a grade by the rules of [`read_grade`](crate::read_grade), a comparison by those
/// of [`read_comparison`](crate::read_comparison), with the probabilities of its answers if `tokens` have them
/// ([`answer_probabilities`]). `tokens` may be empty. The answer has to stand where the prompt wants it.
///
/// # Errors
/// Returns the reason why the reply cannot be counted.
pub fn read_reply(
    reply: &RawReply<'_>,
    tokens: &[Token<'_>],
    form: &AnswerForm,
    place: AnswerPlace,
) -> Result<Verdict, Unusable> {
    match form {
        AnswerForm::Grade { kind, scale } => {
            let mut verdict = grade::read_at(reply, *kind, *scale, place)?;
            verdict.probabilities = grade_probabilities(tokens, *scale, verdict.grade).unwrap_or_default();
            Ok(Verdict::Graded(verdict))
        }
        AnswerForm::Comparison(form) => {
            let (mut verdict, _) = comparison::read_placed(reply, form, place)?;
            verdict.probabilities = answer_probabilities(tokens, form, &verdict).unwrap_or_default();
            Ok(Verdict::Compared(verdict))
        }
    }
}
