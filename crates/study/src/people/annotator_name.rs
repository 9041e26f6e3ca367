//! Checks the names of annotators.

use llull_config::ALL_ANNOTATORS;

use crate::people::error::HumanLabelsError;

/// The maximum length of a name, in characters.
const LONGEST: usize = 60;

/// Returns the name of an annotator, without white space around it.
///
/// # Errors
/// Returns an error if it is empty or too long, or holds a control character.
pub fn annotator_name(name: &str) -> Result<String, HumanLabelsError> {
    let name = name.trim();
    refuse_all_annotators(name)?;
    let wrong = |why| Err(HumanLabelsError::Name { name: name.to_owned(), why });
    match name {
        "" => wrong("it is empty"),
        _ if name.chars().count() > LONGEST => wrong("it has more than 60 characters"),
        _ if llull_report::text::visible_line(name) != name => wrong("it holds a character that is not seen"),
        _ => Ok(name.to_owned()),
    }
}

/// Refuses the name that stands for all annotators together.
///
/// # Errors
/// Returns an error if it is that name.
pub(crate) fn refuse_all_annotators(name: &str) -> Result<(), HumanLabelsError> {
    match name.trim().eq_ignore_ascii_case(ALL_ANNOTATORS) {
        true => {
            Err(HumanLabelsError::Name { name: name.to_owned(), why: "that means all annotators together" })
        }
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_line_that_can_be_read() {
        assert_eq!(annotator_name("  Anna Müller ").unwrap(), "Anna Müller");
        for wrong in
            ["", "  ", "a\u{202e}b", "a\nb", "a\u{0}", &"x".repeat(61), "the reviewers", " The Reviewers "]
        {
            assert!(annotator_name(wrong).is_err(), "{wrong:?}");
        }
    }
}
