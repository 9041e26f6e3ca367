//! Delimiters that a text cannot close.

use std::fmt::Write as _;

use super::digits::folded;
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
}
