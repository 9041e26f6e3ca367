//! No text makes the reader of rubrics panic, and what it accepts is a rubric that every built-in prompt can show.
#![no_main]

use libfuzzer_sys::fuzz_target;
use llull_judge::{AnchorOrder, BUILTIN_PROMPTS, Prompt, PromptInput, Rubric};

fuzz_target!(|text: &str| {
    let Ok(rubric) = Rubric::parse(text, "rubric.md") else { return };
    assert!(rubric.scale.contains(rubric.cutoff) && rubric.grades.len() == rubric.scale.grades().len());
    for name in BUILTIN_PROMPTS {
        let prompt = Prompt::builtin(name).expect("built-in prompts parse");
        let input = PromptInput {
            query: "query",
            document: text,
            rubric: &rubric,
            anchor_order: AnchorOrder::Shuffled(text.len() as u64),
            document_tokens: 50,
        };
        prompt.render(&input).expect("built-in prompts render any rubric");
    }
});
