//! Answers to the prompt for a question about a passage.

use serde_json::json;

/// The beginning of the prompt's part on the kind of question.
const KIND: &str = "# The kind of question\n";

/// Returns the passage between its tags; `None` of a prompt that asks for no question.
fn passage(prompt: &str) -> Option<&str> {
    let opened = prompt.rsplit_once("\n\n<passage-")?.1;
    let (tag, rest) = opened.split_once(">\n")?;
    rest.split_once(&format!("\n</passage-{tag}>")).map(|(passage, _)| passage)
}

/// Returns a question about the passage in a prompt, with its answer: the kind of question and the passage's first
/// words. A passage that begins with `nothing` gets no question. `None` for a prompt that requests no question.
pub fn question_json(prompt: &str) -> Option<String> {
    let (_, kind) = prompt.split_once(KIND)?;
    let (kind, _) = kind.split_once(':')?;
    let words: Vec<&str> = passage(prompt)?.split_whitespace().take(8).collect();
    if words.first() == Some(&"nothing") {
        return Some(json!({ "question": null, "answer": null }).to_string());
    }
    let words = words.join(" ");
    let answer = (kind != "Out of context").then_some(&words);
    Some(json!({ "question": format!("{kind} of {words}?"), "answer": answer }).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_follows_from_its_passage() {
        let prompt = |kind: &str, passage: &str| {
            format!("{KIND}{kind}: ask.\n\n# What\n\n<passage-12>\n{passage}\n</passage-12>\n\n# Form")
        };
        assert_eq!(
            question_json(&prompt("A detail", "the tower is high")).unwrap(),
            r#"{"question":"A detail of the tower is high?","answer":"the tower is high"}"#
        );
        assert!(question_json(&prompt("Out of context", "a b")).unwrap().contains(r#""answer":null"#));
        assert!(question_json(&prompt("A detail", "nothing here")).unwrap().contains(r#""question":null"#));
        assert_eq!(question_json("Is this relevant?"), None);
    }
}
