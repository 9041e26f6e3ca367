//! Which family a model belongs to.

/// Parts of the names of models, and the family that they tell of: what one maker trained, of which a judge may prefer
/// its own. The first that a name contains decides. By the names under which providers listed models in 2026.
const FAMILIES: [(&str, &str); 27] = [
    ("gpt", "gpt"),
    ("openai", "gpt"),
    ("chatgpt", "gpt"),
    ("o1-", "gpt"),
    ("o3-", "gpt"),
    ("o4-", "gpt"),
    ("davinci", "gpt"),
    ("claude", "claude"),
    ("anthropic", "claude"),
    ("gemini", "gemini"),
    ("gemma", "gemini"),
    ("palm", "gemini"),
    ("llama", "llama"),
    ("vicuna", "llama"),
    ("mixtral", "mistral"),
    ("mistral", "mistral"),
    ("ministral", "mistral"),
    ("codestral", "mistral"),
    ("magistral", "mistral"),
    ("qwen", "qwen"),
    ("qwq", "qwen"),
    ("deepseek", "deepseek"),
    ("command-r", "command"),
    ("cohere", "command"),
    ("grok", "grok"),
    ("kimi", "kimi"),
    ("phi-", "phi"),
];

/// Returns the family of models that a name tells of, such as `gpt` for `openai/gpt-4o-mini`; `None` if it names none
/// that is known.
///
/// A part counts where a word begins, so that `dolphin-3` is of no family although it contains `phi`.
///
/// ```
/// assert_eq!(llull_audit::model_family("openai/gpt-4o-mini"), Some("gpt"));
/// assert_eq!(llull_audit::model_family("rerank-Llama3.2"), Some("llama"));
/// assert_eq!(llull_audit::model_family("bm25-titles"), None);
/// ```
pub fn model_family(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    let begins_word = |at: usize| !name[..at].ends_with(|c: char| c.is_alphanumeric());
    FAMILIES
        .iter()
        .find(|(part, _)| name.match_indices(part).any(|(at, _)| begins_word(at)))
        .map(|(_, family)| *family)
}

#[cfg(test)]
mod tests {
    use super::model_family;

    #[test]
    fn families_are_those_of_the_makers() {
        for (name, family) in [
            ("gpt-4o", Some("gpt")),
            ("o3-mini", Some("gpt")),
            ("claude-sonnet-4", Some("claude")),
            ("meta-llama/Llama-3.1-8B-Instruct", Some("llama")),
            ("deepseek-r1-distill-llama-8b", Some("llama")),
            ("phi-4", Some("phi")),
            ("mixtral-8x7b", Some("mistral")),
            ("dolphin-3", None),
            ("demo3-bm25", None),
            ("", None),
        ] {
            assert_eq!(model_family(name), family, "{name}");
        }
    }
}
