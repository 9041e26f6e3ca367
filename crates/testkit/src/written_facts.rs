//! Answers to the prompt for the facts of an answer.

use serde_json::json;

/// Returns the facts of the answer in a prompt: its parts between commas. `None` for a prompt that requests no facts.
pub fn facts_json(prompt: &str) -> Option<String> {
    let opened = prompt.rsplit_once("\n\n<answer-")?.1;
    let (tag, rest) = opened.split_once(">\n")?;
    let (answer, _) = rest.split_once(&format!("\n</answer-{tag}>"))?;
    let facts: Vec<&str> = answer.split(',').map(str::trim).filter(|fact| !fact.is_empty()).collect();
    Some(json!({ "facts": facts }).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_stand_between_commas() {
        let prompt = "List facts.\n\n<answer-12>\nBern, on the Aare\n</answer-12>\n\n# Form";
        assert_eq!(facts_json(prompt).unwrap(), r#"{"facts":["Bern","on the Aare"]}"#);
        assert_eq!(facts_json("Is this relevant?"), None);
    }
}
