//! Delimiters that a text cannot close.

use std::fmt::Write as _;

use crate::fit::Fitted;

/// Follows a document that was cut, outside its tags, so that no document can claim it by its words alone.
const CUT_HERE: &str = "\n[document cut here: the rest is not shown; judge what is]";

/// How many digits a nonce has. Of eight, a text that holds its own could be found in a second; of these it cannot.
const DIGITS: usize = 24;

/// Returns the number in the names of the tags around the query and the documents, in decimal digits. It is derived
/// from the texts, so that equal texts give equal prompts. It is derived again until it occurs in none of them, in the
/// digits of any script, so that no text can close its own tag or another's. Digits, because they have no upper case
/// to hide in.
pub(super) fn nonce(query: &str, documents: &[&str]) -> String {
    nonce_of(query, documents, DIGITS)
}

/// Returns the first nonce of `digits` digits or more that occurs in no text.
fn nonce_of(query: &str, documents: &[&str], mut digits: usize) -> String {
    let mut stem = blake3::Hasher::new_derive_key("llull delimiter v1");
    stem.update(&(query.len() as u64).to_le_bytes());
    stem.update(query.as_bytes());
    for (at, document) in documents.iter().enumerate() {
        if at > 0 {
            stem.update(&(document.len() as u64).to_le_bytes());
        }
        stem.update(document.as_bytes());
    }
    // Other scripts' digits look the same to a model.
    let texts = std::iter::once(&query).chain(documents);
    let folded: Vec<String> =
        texts.clone().filter(|text| !text.is_ascii()).map(|text| folded(text)).collect();
    let holds = |nonce: &str| {
        texts.clone().any(|text| text.contains(nonce)) || folded.iter().any(|text| text.contains(nonce))
    };
    loop {
        let mut bytes = [0; 64];
        stem.clone().update(&u64::to_le_bytes(digits as u64)).finalize_xof().fill(&mut bytes);
        let nonce: String =
            bytes.iter().cycle().take(digits).map(|byte| char::from(b'0' + byte % 10)).collect();
        if !holds(&nonce) {
            return nonce;
        }
        // One digit more each time: longer than every text, it cannot occur in one, so the loop ends.
        digits += 1;
    }
}

/// Returns a document between tags of this name, followed by a note if it was cut.
pub(super) fn document(tag: &str, fitted: &Fitted<'_>) -> String {
    enclose(tag, fitted.shown, if fitted.tokens_cut > 0 { CUT_HERE } else { "" })
}

/// Returns `text` between an opening and a closing tag, each on a line of its own, followed by `after`.
pub(super) fn enclose(tag: &str, text: &str, after: &str) -> String {
    let mut block = String::with_capacity(text.len() + 2 * tag.len() + after.len() + 8);
    let _ = write!(block, "<{tag}>\n{text}\n</{tag}>{after}");
    block
}

/// Returns `text` for a search for digits. Every character that is or means a digit becomes ASCII digits: full-width,
/// Arabic-Indic, superscript, circled, fractions and so on, by their compatibility decomposition, NFKC, or their digit
/// value. Invisible characters are left out, and any other becomes a space.
pub(super) fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '0'..='9' => out.push(c),
            c if c.is_ascii() => out.push(' '),
            c if is_unseen(c) => {}
            c => match number(c) {
                Some(number) => out.push_str(&number.to_string()),
                None => out.push(' '),
            },
        }
    }
    out
}

/// Whether a character takes no room, so that digits on both sides of it look joined.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns the number in a character, its other parts left out: 1 for `１` and `⒈`, 12 for `⑫` and `½`.
fn number(c: char) -> Option<u32> {
    let code = u32::from(c);
    let at = RANGES.partition_point(|(first, ..)| *first <= code).checked_sub(1)?;
    let (first, last, number) = *RANGES.get(at)?;
    (code <= last).then(|| number + (code - first))
}

/// Ranges of characters for successive numbers: the first, the last, and the first's number. Made from the Unicode
/// Character Database, versions 14 (by Python's unicodedata) to 16.
#[rustfmt::skip]
const RANGES: [(u32, u32, u32); 130] = [
    (0xb2, 0xb3, 2), (0xb9, 0xb9, 1), (0xbc, 0xbc, 14), (0xbd, 0xbd, 12), (0xbe, 0xbe, 34), (0x660, 0x669, 0),
    (0x6f0, 0x6f9, 0), (0x7c0, 0x7c9, 0), (0x966, 0x96f, 0), (0x9e6, 0x9ef, 0), (0xa66, 0xa6f, 0),
    (0xae6, 0xaef, 0), (0xb66, 0xb6f, 0), (0xbe6, 0xbef, 0), (0xc66, 0xc6f, 0), (0xce6, 0xcef, 0),
    (0xd66, 0xd6f, 0), (0xde6, 0xdef, 0), (0xe50, 0xe59, 0), (0xed0, 0xed9, 0), (0xf20, 0xf29, 0),
    (0x1040, 0x1049, 0), (0x1090, 0x1099, 0), (0x1369, 0x1371, 1), (0x17e0, 0x17e9, 0), (0x1810, 0x1819, 0),
    (0x1946, 0x194f, 0), (0x19d0, 0x19d9, 0), (0x19da, 0x19da, 1), (0x1a80, 0x1a89, 0), (0x1a90, 0x1a99, 0),
    (0x1b50, 0x1b59, 0), (0x1bb0, 0x1bb9, 0), (0x1c40, 0x1c49, 0), (0x1c50, 0x1c59, 0), (0x2070, 0x2070, 0),
    (0x2074, 0x2079, 4), (0x2080, 0x2089, 0), (0x2150, 0x2150, 17), (0x2151, 0x2151, 19), (0x2152, 0x2152, 110),
    (0x2153, 0x2153, 13), (0x2154, 0x2154, 23), (0x2155, 0x2155, 15), (0x2156, 0x2156, 25),
    (0x2157, 0x2157, 35), (0x2158, 0x2158, 45), (0x2159, 0x2159, 16), (0x215a, 0x215a, 56),
    (0x215b, 0x215b, 18), (0x215c, 0x215c, 38), (0x215d, 0x215d, 58), (0x215e, 0x215e, 78), (0x215f, 0x215f, 1),
    (0x2189, 0x2189, 3), (0x2460, 0x2473, 1), (0x2474, 0x2487, 1), (0x2488, 0x249b, 1), (0x24ea, 0x24ea, 0),
    (0x24f5, 0x24fd, 1), (0x24ff, 0x24ff, 0), (0x2776, 0x277e, 1), (0x2780, 0x2788, 1), (0x278a, 0x2792, 1),
    (0x3251, 0x325f, 21), (0x32b1, 0x32bf, 36), (0x32c0, 0x32cb, 1), (0x3358, 0x3370, 0), (0x3378, 0x3379, 2),
    (0x339f, 0x339f, 2), (0x33a0, 0x33a0, 2), (0x33a1, 0x33a1, 2), (0x33a2, 0x33a3, 2), (0x33a4, 0x33a4, 3),
    (0x33a5, 0x33a5, 3), (0x33a6, 0x33a6, 3), (0x33a8, 0x33a8, 2), (0x33af, 0x33af, 2), (0x33e0, 0x33fe, 1),
    (0xa620, 0xa629, 0), (0xa8d0, 0xa8d9, 0), (0xa900, 0xa909, 0), (0xa9d0, 0xa9d9, 0), (0xa9f0, 0xa9f9, 0),
    (0xaa50, 0xaa59, 0), (0xabf0, 0xabf9, 0), (0xff10, 0xff19, 0), (0x104a0, 0x104a9, 0), (0x10a40, 0x10a43, 1),
    (0x10d30, 0x10d39, 0), (0x10d40, 0x10d49, 0), (0x10e60, 0x10e68, 1), (0x11052, 0x1105a, 1),
    (0x11066, 0x1106f, 0), (0x110f0, 0x110f9, 0), (0x11136, 0x1113f, 0), (0x111d0, 0x111d9, 0),
    (0x112f0, 0x112f9, 0), (0x11450, 0x11459, 0), (0x114d0, 0x114d9, 0), (0x11650, 0x11659, 0),
    (0x116c0, 0x116c9, 0), (0x116d0, 0x116d9, 0), (0x116da, 0x116e3, 0), (0x11730, 0x11739, 0),
    (0x118e0, 0x118e9, 0), (0x11950, 0x11959, 0), (0x11bf0, 0x11bf9, 0), (0x11c50, 0x11c59, 0),
    (0x11d50, 0x11d59, 0), (0x11da0, 0x11da9, 0), (0x11f50, 0x11f59, 0), (0x16a60, 0x16a69, 0),
    (0x16ac0, 0x16ac9, 0), (0x16b50, 0x16b59, 0), (0x16d70, 0x16d79, 0), (0x1ccf0, 0x1ccf9, 0),
    (0x1d7ce, 0x1d7d7, 0), (0x1d7d8, 0x1d7e1, 0), (0x1d7e2, 0x1d7eb, 0), (0x1d7ec, 0x1d7f5, 0),
    (0x1d7f6, 0x1d7ff, 0), (0x1e140, 0x1e149, 0), (0x1e2f0, 0x1e2f9, 0), (0x1e4f0, 0x1e4f9, 0),
    (0x1e5f1, 0x1e5fa, 0), (0x1e950, 0x1e959, 0), (0x1f100, 0x1f100, 0), (0x1f101, 0x1f10a, 0),
    (0x1fbf0, 0x1fbf9, 0),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn equal_texts_have_one_nonce() {
        assert_eq!(nonce("q", &["d"]), nonce("q", &["d"]));
        assert_ne!(nonce("q", &["d"]), nonce("q", &["e"]));
        assert_ne!(nonce("ab", &["c"]), nonce("a", &["bc"]));
    }

    /// Among short nonces and many texts some texts hold the nonce that would be theirs; these get another.
    #[test]
    fn a_text_that_holds_its_own_nonce_gets_another() {
        let texts: Vec<_> = (0..5_000).map(|n| format!("{n} {}", n % 90 + 10)).collect();
        let nonces: Vec<_> = texts.iter().map(|text| nonce_of("", &[text], 2)).collect();
        let longer = nonces.iter().filter(|nonce| nonce.len() > 2).count();
        assert!((50..1_000).contains(&longer), "{longer} of 5,000");
        assert!(texts.iter().zip(&nonces).all(|(text, nonce)| !text.contains(nonce)));
        let all_pairs: String = (0..100).map(|n| format!("{n:02} ")).collect();
        assert!(nonce_of(&all_pairs, &[], 2).len() > 2);
    }

    #[test]
    fn a_nonce_in_the_digits_of_another_script_is_none() {
        assert_eq!(nonce("q", &["d"]).len(), DIGITS);
        let full_width = |text: &str| -> String {
            text.chars().map(|c| char::from_u32(u32::from(c) - 0x30 + 0xff10).unwrap_or(c)).collect()
        };
        let joined = |text: &str| text.split("").collect::<Vec<_>>().join("\u{200b}");
        for disguise in [&full_width as &dyn Fn(&str) -> String, &joined] {
            let mut longer = 0;
            for number in 10..100 {
                let text = format!("{} é", disguise(&number.to_string()));
                let nonce = nonce_of("", &[&text], 2);
                assert!(!folded(&text).contains(&nonce), "{text} {nonce}");
                longer += usize::from(nonce.len() > 2);
            }
            // Of 90 texts, about one holds the nonce that would be its own; all numbers together hold every nonce.
            let all: String = (0..100).map(|n| format!("{} ", disguise(&format!("{n:02}")))).collect();
            assert!(longer < 20 && nonce_of(&all, &[], 2).len() > 2, "{longer}");
        }
    }

    proptest! {
        #[test]
        fn no_text_can_close_a_tag(query in "[0-9]{0,400}", document in "\\PC{0,400}", other in "[0-9<>/-]{0,400}") {
            let nonce = nonce(&query, &[&document, &other]);
            prop_assert!(![&query, &document, &other].iter().any(|text| text.contains(&nonce)));
            let block = enclose(&format!("document-{nonce}"), &document, "");
            prop_assert_eq!(block.matches(&nonce).count(), 2);
        }
    }

    /// The decompositions and values are those of the Unicode Character Database.
    #[test]
    fn digits_of_every_script_are_found() {
        for text in [
            "123",
            "１２３",
            "١٢٣",
            "۱۲۳",
            "१२३",
            "¹²³",
            "₁₂₃",
            "①②③",
            "⒈⒉⒊",
            "❶❷❸",
            "𝟏𝟐𝟑",
            "⑫3",
            "½3",
            "㋀㏡3",
            "🯱🯲🯳",
        ] {
            assert_eq!(folded(text), "123", "{text}");
        }
        assert_eq!(folded("1\u{200b}2\u{ad}\u{fe0f}3"), "123");
        assert_eq!(folded("a1 2é3"), " 1 2 3");
        assert!(RANGES.iter().all(|(first, last, _)| first <= last));
        assert!(RANGES.is_sorted_by(|before, after| before.1 < after.0));
    }
}
