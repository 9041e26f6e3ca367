//! Counts the phrases that STYLE.md replaces, per crate.

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};

use super::complaint::{Complaint, owner};
use super::line_width::is_rubric;
use super::sources::Source;

const RULE: &str = "phrases";

/// The most phrases in 1,000 words of a crate or folder.
const LIMIT: f64 = 2.0;

/// The guide that replaces the phrases, and this file: they list them.
const LISTS: [&str; 2] = [GUIDE, "xtask/src/tidy/phrases.rs"];
const GUIDE: &str = "STYLE.md";

/// The built-in prompts. They and rubrics ask a model to say something, and other words would make other questions.
const PROMPTS: &str = "crates/judge/src/prompt/templates/";

/// In lower case, as words that follow each other.
const PHRASES: [&str; 40] = [
    "a coin",
    "alarm",
    "alarms",
    "as it was",
    "asked",
    "asked again",
    "asked anew",
    "be told apart",
    "circle",
    "circles",
    "corrected by people",
    "distrusted",
    "do not trust",
    "goes with",
    "held against",
    "is none",
    "kept",
    "labeller",
    "labellers",
    "not to be trusted",
    "people's answers",
    "people's labels",
    "rater",
    "raters",
    "reaches further",
    "replies are unusable",
    "rests on",
    "rings",
    "said",
    "say",
    "says",
    "told",
    "unusable replies",
    "unusable reply",
    "what is asked",
    "what it",
    "what people",
    "what they",
    "what was",
    "who asks",
];

/// Counts the phrases of all crates, and complains of those above the limit.
pub(super) fn check(sources: &[Source]) -> Vec<Complaint> {
    let above = |(owner, rate): (&str, f64)| {
        // The message has one decimal.
        (rate > LIMIT + 0.05).then(|| {
            let message =
                format!("{rate:.1} of 1,000 words are phrases that STYLE.md replaces; at most {LIMIT:.1}");
            Complaint::new(RULE, owner, message)
        })
    };
    rates(sources).into_iter().filter_map(above).collect()
}

/// Returns the phrases in 1,000 words, by crate or folder.
fn rates(sources: &[Source]) -> BTreeMap<&str, f64> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for source in sources {
        let text = match () {
            () if LISTS.contains(&&*source.path) || is_rubric(&source.path) => continue,
            () if source.path.starts_with(PROMPTS) || source.path.contains("/tests/") => continue,
            () if source.has_extension("rs") && source.path.contains("/src/") => prose(&source.text),
            () if source.has_extension("md") => source.text.clone(),
            () if source.has_extension("j2") => template_prose(&source.text),
            () if source.has_extension("js") => script_prose(&source.text),
            () => continue,
        };
        let (words, phrases) = count(&text);
        let (all, found) = counts.entry(owner(&source.path)).or_default();
        *all += words;
        *found += phrases;
    }
    let rate = |(words, phrases): (usize, usize)| 1000.0 * phrases as f64 / words.max(1) as f64;
    counts.into_iter().map(|(owner, counts)| (owner, rate(counts))).collect()
}

/// The words of a text, and the phrases among them. An identifier is one word, and so is a path within backticks.
fn count(text: &str) -> (usize, usize) {
    let text = text.to_lowercase();
    let words: Vec<&str> = text
        .split('`')
        .enumerate()
        .flat_map(|(index, piece)| {
            let code = index % 2 == 1 && !piece.contains(char::is_whitespace);
            piece
                .split(move |letter: char| {
                    !code && !letter.is_alphanumeric() && !matches!(letter, '\'' | '_')
                })
                .filter(|word| word.chars().any(char::is_alphabetic))
                // no phrase has this word
                .map(move |word| if code { "`" } else { word })
        })
        .collect();
    let begins = |at: usize, phrase: &str| {
        phrase.split(' ').enumerate().all(|(offset, word)| words.get(at + offset) == Some(&word))
    };
    let found = (0..words.len()).filter(|at| PHRASES.iter().any(|phrase| begins(*at, phrase))).count();
    (words.len(), found)
}

/// Comments and strings of a Rust file, without its tests.
fn prose(text: &str) -> String {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut prose: String = code
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("// "))
        .flat_map(|comment| [comment, "\n"])
        .collect();
    // doc comments are literals of attributes here
    if let Ok(tokens) = code.parse::<TokenStream>() {
        literals(tokens, &mut prose);
    }
    prose
}

/// The text of a template: without tags, expressions, comments, styles and scripts.
fn template_prose(text: &str) -> String {
    const CODE: [(&str, &str); 6] = [
        ("{#", "#}"),
        ("{%", "%}"),
        ("{{", "}}"),
        ("<style", "</style>"),
        ("<script", "</script>"),
        ("<", ">"),
    ];
    CODE.iter().fold(text.to_owned(), |text, (open, close)| {
        let mut pieces = text.split(open);
        let mut rest = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            rest.push(' ');
            rest.push_str(piece.split_once(close).map_or("", |(_, after)| after));
        }
        rest
    })
}

/// Comments and strings of a script.
fn script_prose(text: &str) -> String {
    let prose = |line: &str| match line.trim_start().strip_prefix("//") {
        Some(comment) => comment.to_owned(),
        None => line.split(['\'', '"', '`']).skip(1).step_by(2).collect::<Vec<_>>().join("\n"),
    };
    text.lines().map(prose).collect::<Vec<_>>().join("\n")
}

fn literals(tokens: TokenStream, prose: &mut String) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => literals(group.stream(), prose),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                if text.starts_with('"') || text.starts_with("r\"") || text.starts_with("r#") {
                    prose.push_str(&text.replace("\\n", "\n"));
                    prose.push('\n');
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_messages_are_counted_and_code_is_not() {
        let text = "//! Asked.\n// The answer as it was.\nfn said() { println!(\"a coin {x}\"); }\n\
                    #[cfg(test)]\nmod tests { /// told\n fn x() {} }\n";
        assert_eq!(count(&prose(text)), (9, 3));
    }

    #[test]
    fn an_identifier_is_one_word_and_no_phrase() {
        let text = "The do_not_trust of `told` and `asked::said`, which is_none.";
        assert_eq!(count(text), (8, 0));
        assert_eq!(count("It said `told of` a key."), (6, 2), "more than one word within backticks is prose");
    }

    #[test]
    fn a_crate_above_its_limit_is_named() {
        let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
        let above = check(&[source("docs/a.md", "Four words, one said.")]);
        assert_eq!(above.len(), 1, "{above:?}");
        assert!(above[0].to_string().starts_with("docs: 250.0 of 1,000 words"), "{}", above[0]);
        let text = format!("One said. {}", "word ".repeat(498));
        assert!(check(&[source("docs/a.md", &text)]).is_empty());
        for prompt in ["rubrics/a.md", "crates/judge/src/prompt/templates/a.j2", "crates/a/tests/a.md"] {
            assert!(check(&[source(prompt, "Four words, one said.")]).is_empty(), "{prompt}");
        }
    }

    #[test]
    fn the_words_of_templates_and_scripts_are_counted_and_their_code_is_not() {
        let page = "<p class=\"told\">{# told #}Four words, {{ told }} one said.</p><style>said { a: b }</style>\n\
                    {% if said %}a coin{% endif %}";
        assert_eq!(count(&template_prose(page)), (6, 2));
        let script = "const said = 'one told';\n  // The answer as it was.\nsay(`not ${said}`, \"a coin\");";
        assert_eq!(count(&script_prose(script)), (11, 4));
    }

    #[test]
    fn the_guide_may_list_the_phrases_and_no_other_page_may() {
        let source = |path: &str| Source { path: path.to_owned(), text: "Four words, one said.".to_owned() };
        assert!(check(&[source(GUIDE)]).is_empty());
        assert_eq!(check(&[source(GUIDE), source("README.md")]).len(), 1);
    }
}
