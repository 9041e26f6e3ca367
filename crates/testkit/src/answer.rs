//! What a stand-in answers: a grade that follows from the prompt's text and from nothing else.

use llull_core::{Grade, Hash, Scale};
use llull_llm::Message;
use serde_json::json;

/// The text by which stand-ins know a prompt: its messages' contents, a blank line between them.
pub fn prompt_of(messages: &[Message]) -> String {
    messages.iter().map(|message| message.content.as_str()).collect::<Vec<_>>().join("\n\n")
}

/// The grade that a prompt is given: its hash, folded onto the scale. The same prompt has the same grade for ever.
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

/// An answer with this grade in the form that the graded judge asks for: facets, rationale, grade.
pub fn answer_json(grade: Grade) -> String {
    json!({
        "facets_covered": ["what is asked"],
        "facets_missing": [],
        "rationale": "A stand-in's answer, which follows from the prompt's hash.",
        "grade": grade,
    })
    .to_string()
}
