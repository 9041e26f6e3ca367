//! Delimiters that a text cannot close.

use std::fmt::Write as _;

/// The name that the tags around the query and the document carry: decimal digits, derived from the two texts (so that
/// equal texts give equal prompts) and derived anew until they occur in neither (so that neither text can close its own
/// tag, or the other's). Digits only, because they have no upper case to hide in.
pub(super) fn nonce(query: &str, document: &str) -> String {
    let mut stem = blake3::Hasher::new_derive_key("llull delimiter v1");
    stem.update(&(query.len() as u64).to_le_bytes());
    stem.update(query.as_bytes());
    stem.update(document.as_bytes());
    let mut digits = 8;
    loop {
        let mut bytes = [0; 64];
        stem.clone().update(&u64::to_le_bytes(digits as u64)).finalize_xof().fill(&mut bytes);
        let nonce: String =
            bytes.iter().cycle().take(digits).map(|byte| char::from(b'0' + byte % 10)).collect();
        if !query.contains(&nonce) && !document.contains(&nonce) {
            return nonce;
        }
        // One digit more each time: longer than both texts, it cannot occur in them, so the loop ends.
        digits += 1;
    }
}

/// `text` between an opening and a closing tag, each on a line of its own.
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
    fn a_text_that_holds_its_own_nonce_gets_another() {
        let first = nonce("q", "d");
        assert_eq!(first, nonce("q", "d"));
        assert_ne!(first, nonce("q", "e"));
        // "digits" of every nonce of eight digits cannot be tried here, but a query that holds them can be found.
        let hostile = (0..200_000u32)
            .map(|n| format!("{n:03}"))
            .find(|text| nonce("", text).starts_with(text.as_str()));
        assert!(hostile.is_some(), "a short prefix does collide");
    }

    proptest! {
        #[test]
        fn neither_text_can_close_a_tag(query in "[0-9]{0,400}", document in "\\PC{0,400}") {
            let nonce = nonce(&query, &document);
            prop_assert!(!query.contains(&nonce) && !document.contains(&nonce));
            let block = enclose(&format!("document-{nonce}"), &document, "");
            prop_assert_eq!(block.matches(&nonce).count(), 2);
        }
    }
}
