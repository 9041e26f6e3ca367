//! Finds a model's family.

/// Parts of model names with their family: models of one maker, which a judge from the same maker may prefer. The
/// first part that a name contains decides. The names are those of providers' lists in 2026.
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

/// Returns the family of models in a name, such as `gpt` for `openai/gpt-4o-mini`; `None` if no known family is in it.
///
/// A part counts where a word begins, so that `dolphin-3` is of no family although it contains `phi`. The name after
/// the last slash goes before that of the provider.
///
/// ```
/// assert_eq!(llull_audit::model_family("openai/gpt-4o-mini"), Some("gpt"));
/// assert_eq!(llull_audit::model_family("rerank-Llama3.2"), Some("llama"));
/// assert_eq!(llull_audit::model_family("bm25-titles"), None);
/// ```
pub fn model_family(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    let of =
        |name: &str| FAMILIES.iter().find(|(part, _)| begins_a_word(name, part)).map(|(_, family)| *family);
    name.rsplit('/').next().and_then(of).or_else(|| of(&name))
}

/// Returns whether a part of a name is at the beginning of a word.
fn begins_a_word(name: &str, part: &str) -> bool {
    name.match_indices(part).any(|(at, _)| !name[..at].ends_with(|c: char| c.is_alphanumeric()))
}

/// Returns whether a model is of this family. The family is one that [`model_family`] knows, in any spelling, or a
/// word in the model's name.
pub(crate) fn is_of_family(model: &str, family: &str) -> bool {
    let family = family.trim().to_lowercase();
    match model_family(&family) {
        Some(known) => model_family(model) == Some(known),
        None => !family.is_empty() && begins_a_word(&model.to_lowercase(), &family),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_of_family, model_family};

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
            ("openai/Qwen3-8B", Some("qwen")),
            ("openai/my-tuned-model", Some("gpt")),
            ("dolphin-3", None),
            ("demo3-bm25", None),
            ("", None),
        ] {
            assert_eq!(model_family(name), family, "{name}");
        }
    }

    #[test]
    fn a_family_that_was_said_is_one_that_is_known_or_a_word_of_the_name() {
        assert!(is_of_family("openai/gpt-4o", " GPT ") && is_of_family("o3-mini", "openai"));
        assert!(is_of_family("acme/House-7b", "house") && !is_of_family("acme/warehouse-7b", "house"));
        assert!(!is_of_family("gpt-4o", "none") && !is_of_family("gpt-4o", ""));
    }
}
