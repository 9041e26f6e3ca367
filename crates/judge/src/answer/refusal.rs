//! Telling a refusal from mere talk. For the report only: neither is an answer.

/// The beginnings of refusals in English.
const OPENINGS: [&str; 20] = [
    "i'm sorry",
    "i am sorry",
    "sorry, ",
    "i apologize",
    "i can't",
    "i cannot",
    "i can not",
    "i won't",
    "i will not",
    "i'm unable",
    "i am unable",
    "i'm not able",
    "i am not able",
    "i must decline",
    "i have to decline",
    "i decline",
    "unfortunately, i can",
    "as an ai",
    "as a language model",
    "this request violates",
];

/// Returns whether a reply begins as refusals do.
pub(super) fn reads_like_one(text: &str) -> bool {
    let head: String = text
        .chars()
        .skip_while(|c| !c.is_alphanumeric())
        .take(40)
        .map(|c| if c == '’' { '\'' } else { c.to_ascii_lowercase() })
        .collect();
    OPENINGS.iter().any(|opening| head.starts_with(opening))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_and_talk() {
        for text in
            ["I’m sorry, but I can’t help with that.", "**I cannot** rate it", "As an AI, I", "Sorry, no."]
        {
            assert!(reads_like_one(text), "{text}");
        }
        for text in
            ["The document is relevant.", "Sorrybase is a database.", "", "2", "I can see that it answers."]
        {
            assert!(!reads_like_one(text), "{text}");
        }
    }
}
