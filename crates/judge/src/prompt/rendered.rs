//! A template filled in.

/// The author of a message in a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptRole {
    /// Instructions.
    System,
    /// The question.
    User,
}

/// One message of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedMessage {
    /// The author.
    pub role: PromptRole,
    /// The text.
    pub content: String,
}

/// A prompt, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The messages in order.
    pub messages: Vec<RenderedMessage>,
    /// Estimated tokens of the documents that are not shown; 0 if they are whole.
    pub tokens_cut: u32,
    /// Estimated tokens of all messages, with 4 for the frame of each.
    pub tokens: u32,
}
