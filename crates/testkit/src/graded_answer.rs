//! Answers to prompts that grade; they depend on the prompt's text only.

use llull_core::{Grade, Hash, Scale};
use llull_llm::Message;
use serde_json::json;

/// Returns the text that identifies a prompt: its messages' contents, with a blank line between them.
pub fn prompt_of(messages: &[Message]) -> String {
    messages.iter().map(|message| message.content.as_str()).collect::<Vec<_>>().join("\n\n")
}

/// Returns the grade of a prompt: its hash, folded onto the scale. The same prompt always has the same grade.
///
/// ```
/// use llull_core::Scale;
/// use llull_testkit::grade_of_prompt;
/// let scale = Scale::default();
/// assert!(scale.contains(grade_of_prompt("Is this relevant?", scale)));
/// ```
pub fn grade_of_prompt(prompt: &str, scale: Scale) -> Grade {
    let [first, second, ..] = Hash::of(prompt.as_bytes()).0;
    let steps = scale.grades().len();
    let step = usize::from(u16::from_le_bytes([first, second])) % steps;
    scale.grades().nth(step).unwrap_or_else(|| scale.low())
}

/// Returns an answer with this grade in the form that the prompt `graded` asks for: facets, rationale, grade.
pub fn answer_json(grade: Grade) -> String {
    json!({
        "facets_covered": ["what is asked"],
        "facets_missing": [],
        "rationale": "A stand-in's answer, which follows from the prompt's hash.",
        "grade": grade,
    })
    .to_string()
}
