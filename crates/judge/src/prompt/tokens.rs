//! How many tokens a text has, near enough to budget by, without a vocabulary.

/// About how many tokens a model will make of `text`.
pub fn estimate_tokens(text: &str) -> u32 {
    Pieces::new(text).fold(0u32, |sum, piece| sum.saturating_add(piece.tokens))
}

/// A stretch of text of one kind, and its estimated tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    /// Where it ends, in bytes from the start of the text.
    pub(super) end: usize,
    /// Its tokens.
    pub(super) tokens: u32,
}

/// The pieces of a text in order; they cover it without gaps.
pub(super) struct Pieces<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Pieces<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Letters,
    Digits,
    Space,
    Marks,
    Foreign,
    Single,
}

fn kind(c: char) -> Kind {
    match c {
        'a'..='z' | 'A'..='Z' => Kind::Letters,
        '0'..='9' => Kind::Digits,
        ' ' | '\t' | '\n' | '\r' => Kind::Space,
        '\0'..='\u{7f}' => Kind::Marks,
        _ if c.is_whitespace() => Kind::Space,
        // Latin with accents, Greek, Cyrillic, Armenian, Hebrew, Arabic and the alphabets up to Georgian.
        '\u{c0}'..='\u{10ff}' => Kind::Foreign,
        _ => Kind::Single,
    }
}

/// Pieces are no longer than this, so that a cut can come near to its budget inside one endless word.
const LONGEST: usize = 48;

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let rest = self.text.get(self.at..)?;
        let mut chars = rest.chars();
        let first = chars.next()?;
        let of = kind(first);
        let (mut count, mut bytes, mut newline) = (1usize, first.len_utf8(), first == '\n');
        if of != Kind::Single {
            for c in chars {
                if kind(c) != of || count == LONGEST {
                    break;
                }
                count += 1;
                bytes += c.len_utf8();
                newline |= c == '\n';
            }
        }
        self.at += bytes;
        Some(Piece { end: self.at, tokens: tokens_of(of, count, newline, first) })
    }
}

fn tokens_of(kind: Kind, count: usize, newline: bool, first: char) -> u32 {
    let tokens = match kind {
        Kind::Letters => 1 + (count - 1) / 9,
        Kind::Digits => count.div_ceil(3),
        Kind::Space => usize::from(newline || count > 1),
        Kind::Marks => count.div_ceil(2),
        Kind::Foreign => count.div_ceil(3),
        Kind::Single => 1 + usize::from(first > '\u{ffff}'),
    };
    tokens as u32
}
