//! Detects refusals among replies without an answer.
//!
//! It is for the report only: neither a refusal nor other text is an answer.

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

/// The deeds after `I can't` in a refusal. A model that goes on with an answer may as well be unable to find something
/// in a document.
const DEEDS: [&str; 14] = [
    " help",
    " assist",
    " comply",
    " provide",
    " rate",
    " grade",
    " judge",
    " evaluate",
    " assess",
    " answer",
    " compare",
    " rank",
    " do ",
    " to ",
];

/// Returns whether a reply begins as refusals do.
pub(super) fn reads_like_one(text: &str) -> bool {
    opening(&head(text)).is_some()
}

/// Returns whether prose before an answer declines to give one.
pub(super) fn declines(prose: &str) -> bool {
    let head = head(prose);
    opening(&head).is_some_and(|opening| {
        let unable =
            opening.ends_with("can't") || opening.ends_with("cannot") || opening.ends_with("can not");
        let deed = head.get(opening.len()..).unwrap_or_default();
        !unable || DEEDS.iter().any(|word| deed.starts_with(word))
    })
}

fn head(text: &str) -> String {
    text.chars()
        .skip_while(|c| !c.is_alphanumeric())
        .take(40)
        .map(|c| if c == '’' { '\'' } else { c.to_ascii_lowercase() })
        .collect()
}

fn opening(head: &str) -> Option<&'static str> {
    OPENINGS.into_iter().find(|opening| head.starts_with(opening))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_that_cannot_find_something_does_not_decline() {
        assert!(declines("I'm sorry, I can't. The format would be"));
        assert!(declines("I cannot rate this document."));
        assert!(!declines("I cannot find the year in the document."));
        assert!(!declines("The document says: I can't help you."));
    }

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
