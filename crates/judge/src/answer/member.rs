//! Finds a member's value in the text of a JSON object.

/// White space between the tokens of JSON.
const BLANK: [char; 4] = [' ', '\t', '\r', '\n'];

/// Returns the place where the value under a key of the object itself begins. Keys of objects inside it do not count.
/// The text is valid JSON.
pub(super) fn place_of_value(object: &str, key: &str) -> Option<usize> {
    let (mut depth, mut at) = (0usize, 0);
    while let Some(&byte) = object.as_bytes().get(at) {
        match byte {
            b'"' => {
                let end = at + string_length(object.get(at..)?)?;
                let behind = object.get(end..)?.trim_start_matches(BLANK);
                if depth == 1
                    && let Some(value) = behind.strip_prefix(':')
                    && serde_json::from_str::<String>(object.get(at..end)?).is_ok_and(|name| name == key)
                {
                    return Some(object.len() - value.trim_start_matches(BLANK).len());
                }
                at = end;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns the length of the string with which a text begins, its quotation marks included.
fn string_length(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::place_of_value;

    #[test]
    fn the_key_is_the_objects_own_however_it_is_written() {
        let text = r#"{"a": {"grade": 1}, "b": "\"grade\": 2", "\u0067rade" : 3}"#;
        assert_eq!(place_of_value(text, "grade"), text.find("3}"));
        assert_eq!(place_of_value(r#"{"a": ["grade", 1]}"#, "grade"), None);
        assert_eq!(place_of_value("", "grade"), None);
    }
}
