//! Cuts documents into passages.

use crate::document::Document;
use crate::tokens::estimate_tokens;

/// The default maximum length of a passage, in estimated tokens.
pub const DEFAULT_PASSAGE_TOKENS: u32 = 300;

/// A piece of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// The document's identifier.
    pub document: String,
    /// The place of its begin and end, in characters of the document's shown title and text.
    pub characters: [u64; 2],
    /// Its text, without blanks at its ends.
    pub text: String,
}

impl Passage {
    /// Returns its name in a ledger: the document's identifier, and the passage's place in it.
    pub fn id(&self) -> String {
        let [start, end] = self.characters;
        format!("{} {start}-{end}", self.document)
    }

    /// Returns it as a document of its own.
    pub fn into_document(self) -> Document {
        Document { id: self.id(), title: String::new(), text: self.text }
    }
}

/// Cuts a document into passages of at most `tokens` estimated tokens (0 counts as 1), in order.
///
/// A passage has as many paragraphs as fit. A paragraph that is too long is cut between sentences, a sentence between
/// words, and a word between characters; a single character is never cut. Passages do not overlap, and contain every
/// character that is not blank. Text without a letter or digit is no passage.
pub fn passages(document: &Document, tokens: u32) -> Vec<Passage> {
    let (shown, tokens) = (document.shown(), tokens.max(1));
    let mut pieces = Vec::new();
    split(&shown, 0, tokens, Level::Paragraphs, &mut pieces);
    let mut found = Vec::new();
    let mut counted = Characters { text: &shown, byte: 0, character: 0 };
    for (start, end) in joined(&shown, &pieces, tokens) {
        let piece = shown.get(start..end).unwrap_or_default();
        let text = piece.trim();
        if !text.chars().any(char::is_alphanumeric) {
            continue;
        }
        let begin = start + (piece.len() - piece.trim_start().len());
        let characters = [counted.at(begin), counted.at(begin + text.len())];
        found.push(Passage { document: document.id.clone(), characters, text: text.to_owned() });
    }
    found
}

/// The places to cut a text, best first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Paragraphs,
    Sentences,
    Words,
    Characters,
}

impl Level {
    fn finer(self) -> Self {
        match self {
            Self::Paragraphs => Self::Sentences,
            Self::Sentences => Self::Words,
            Self::Words | Self::Characters => Self::Characters,
        }
    }

    /// Returns whether the text may be cut before `next`, which follows `before`.
    fn cuts(self, before: &str, next: char) -> bool {
        if self == Self::Characters {
            return true;
        }
        if next.is_whitespace() {
            return false;
        }
        let trimmed = before.trim_end();
        let blank = before.get(trimmed.len()..).unwrap_or_default();
        match self {
            Self::Paragraphs => blank.matches('\n').count() > 1,
            Self::Sentences if blank.contains('\n') => true,
            Self::Sentences => {
                let ends = trimmed.trim_end_matches(['"', '\'', ')', ']', '”', '’', '»']);
                ends.ends_with(['。', '！', '？'])
                    || !blank.is_empty() && ends.ends_with(['.', '!', '?', '…'])
            }
            Self::Words | Self::Characters => !blank.is_empty(),
        }
    }
}

/// Cuts `text`, which begins at the byte `at`, into pieces that fit, if that is possible.
fn split(text: &str, at: usize, tokens: u32, level: Level, pieces: &mut Vec<(usize, usize)>) {
    let mut start = 0;
    let mut cut = |start: usize, end: usize| {
        let piece = text.get(start..end).unwrap_or_default();
        if level == Level::Characters || estimate_tokens(piece.trim()) <= tokens {
            pieces.push((at + start, at + end));
        } else {
            split(piece, at + start, tokens, level.finer(), pieces);
        }
    };
    for (end, next) in text.char_indices().skip(1) {
        // Only the text since the last cut is needed to decide whether to cut before the next character.
        if level.cuts(text.get(start..end).unwrap_or_default(), next) {
            cut(start, end);
            start = end;
        }
    }
    if start < text.len() {
        cut(start, text.len());
    }
}

/// Joins neighbours while they fit together.
fn joined(text: &str, pieces: &[(usize, usize)], tokens: u32) -> Vec<(usize, usize)> {
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for (start, end) in pieces {
        let fits = |last: &&mut (usize, usize)| {
            estimate_tokens(text.get(last.0..*end).unwrap_or_default().trim()) <= tokens
        };
        match joined.last_mut().filter(fits) {
            Some(last) => last.1 = *end,
            None => joined.push((*start, *end)),
        }
    }
    joined
}

/// Counts characters up to ascending bytes.
struct Characters<'a> {
    text: &'a str,
    byte: usize,
    character: u64,
}

impl Characters<'_> {
    fn at(&mut self, byte: usize) -> u64 {
        let passed = self.text.get(self.byte..byte).unwrap_or_default();
        self.character += passed.chars().count() as u64;
        self.byte = byte;
        self.character
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn document(text: &str) -> Document {
        Document { id: "d".into(), title: String::new(), text: text.into() }
    }

    fn texts(text: &str, tokens: u32) -> Vec<String> {
        passages(&document(text), tokens).into_iter().map(|passage| passage.text).collect()
    }

    #[test]
    fn paragraphs_stay_together_and_what_is_too_long_is_cut_between_sentences() {
        let text =
            "One short line.\n\nTwo.\n\nA long paragraph has sentences. It is cut between them. Not in one.";
        assert_eq!(texts(text, 1000), [text]);
        assert_eq!(
            texts(text, 9),
            [
                "One short line.\n\nTwo.",
                "A long paragraph has sentences.",
                "It is cut between them.",
                "Not in one."
            ]
        );
        assert_eq!(
            texts("He said \"No.\" Then he left it all.", 6),
            ["He said \"No.\"", "Then he left it all."]
        );
        assert_eq!(texts("天は青い。海も青い。", 6), ["天は青い。", "海も青い。"]);
        assert_eq!(texts("one two three four", 2), ["one two", "three four"]);
        assert_eq!(texts(" \n\n --- \n", 5), [""; 0]);
    }

    #[test]
    fn places_are_characters_of_what_is_shown() {
        let titled =
            Document { id: "d".into(), title: "Éclair".into(), text: " crème.\n\nbrûlée".into() };
        let found = passages(&titled, 5);
        let places: Vec<_> = found.iter().map(|it| (it.characters, it.text.as_str())).collect();
        assert_eq!(places, [([0, 6], "Éclair"), ([8, 14], "crème."), ([16, 22], "brûlée")]);
        assert_eq!(found[1].id(), "d 8-14");
    }

    proptest! {
        #[test]
        fn passages_hold_every_character_once_and_keep_their_budget(
            text in "([a-zé]{1,30}|[.!?。] |\n\n|\n|  |[0-9]{1,9}|\\PC{0,4}){0,60}",
            tokens in 1u32..40,
        ) {
            let shown: Vec<char> = text.chars().collect();
            let mut covered = vec![false; shown.len()];
            let mut last = 0;
            for passage in passages(&document(&text), tokens) {
                let [start, end] = passage.characters.map(|at| at as usize);
                prop_assert!(last <= start && start < end);
                last = end;
                prop_assert_eq!(&shown[start..end].iter().collect::<String>(), &passage.text);
                let fits = estimate_tokens(&passage.text) <= tokens || end - start == 1;
                prop_assert!(fits, "{} {:?}", tokens, passage.text);
                covered[start..end].iter_mut().for_each(|it| *it = true);
            }
            let missed = shown.iter().zip(&covered).filter(|(c, covered)| c.is_alphanumeric() && !**covered);
            prop_assert_eq!(missed.count(), 0);
        }
    }
}
