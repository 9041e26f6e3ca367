//! The place of the answer in a reply.

/// Where in a reply its answer may stand, once the model's reasoning is taken away. It belongs to a prompt: one that
/// asks for nothing but the answer is answered by nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnswerPlace {
    /// The answer is all that there is, or all that a single Markdown fence holds.
    Alone,
    /// Prose may come before the answer, which is then at the end, on lines of its own.
    AfterProse,
}

impl AnswerPlace {
    /// Returns the place of an answer with reasons, or without.
    pub(crate) fn of(reasoned: bool) -> Self {
        if reasoned { Self::AfterProse } else { Self::Alone }
    }
}
