//! The words of a text.

/// Calls `each` with every word of `text` in lower case: a run of letters and digits, or one character of a script
/// that does not put spaces between words.
pub(crate) fn each_word(text: &str, mut each: impl FnMut(&str)) {
    let mut lower = String::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if word.is_ascii() {
            if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
                lower.clear();
                lower.push_str(word);
                lower.make_ascii_lowercase();
                each(&lower);
            } else {
                each(word);
            }
            continue;
        }
        lower.clear();
        lower.extend(word.chars().flat_map(char::to_lowercase));
        let mut start = 0;
        for (at, c) in lower.char_indices().filter(|(_, c)| stands_alone(*c)) {
            if start < at {
                each(&lower[start..at]);
            }
            each(&lower[at..at + c.len_utf8()]);
            start = at + c.len_utf8();
        }
        if start < lower.len() {
            each(&lower[start..]);
        }
    }
}

/// Returns whether a character is a word by itself: Thai, Lao, Khmer and Burmese, kana, and Chinese characters.
fn stands_alone(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        each_word(text, |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn words_are_lower_case_runs_of_letters_and_digits() {
        assert_eq!(
            words("How-to: HTTP/2 isn't ÜBER_cool?"),
            ["how", "to", "http", "2", "isn", "t", "über", "cool"]
        );
        assert_eq!(words("東京tower 3月"), ["東", "京", "tower", "3", "月"]);
        assert_eq!(words(" \n—"), Vec::<String>::new());
    }
}
