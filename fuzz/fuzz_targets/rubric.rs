//! No text makes the reader of rubrics panic. Every built-in prompt can render a rubric that it accepts.
#![no_main]

use libfuzzer_sys::fuzz_target;
use llull_judge::{AnchorOrder, BUILTIN_GRADING_PROMPTS, Prompt, PromptInput, Rubric};

fuzz_target!(|text: &str| {
    let Ok(rubric) = Rubric::parse(text, "rubric.md") else { return };
    assert!(rubric.scale.contains(rubric.cutoff) && rubric.grades.len() == rubric.scale.grades().len());
    let documents = [text];
    for name in BUILTIN_GRADING_PROMPTS {
        let prompt = Prompt::builtin(name).expect("built-in prompts parse");
        let input = PromptInput {
            anchor_order: AnchorOrder::Shuffled(text.len() as u64),
            document_tokens: 50,
            ..PromptInput::new("query", &documents, &rubric)
        };
        prompt.render(&input).expect("built-in prompts render any rubric");
    }
});
