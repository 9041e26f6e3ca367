//! The names of people.

use llull_config::REVIEWERS;
use llull_core::Hash;

use crate::review_error::ReviewError;

/// How long a name may be, in characters.
const LONGEST: usize = 60;

/// Returns the name that a person goes by, without white space around it.
///
/// # Errors
/// Returns an error if it is empty or too long, or holds a control character.
pub fn person_name(name: &str) -> Result<String, ReviewError> {
    let name = name.trim();
    refuse_all_reviewers(name)?;
    let wrong = |why| Err(ReviewError::Name { name: name.to_owned(), why });
    match name {
        "" => wrong("it is empty"),
        _ if name.chars().count() > LONGEST => wrong("it has more than 60 characters"),
        _ if llull_report::text::visible_line(name) != name => wrong("it holds a character that is not seen"),
        _ => Ok(name.to_owned()),
    }
}

/// Refuses the name that stands for all people together.
///
/// # Errors
/// Returns an error if it is that name.
pub(crate) fn refuse_all_reviewers(name: &str) -> Result<(), ReviewError> {
    match name.trim().eq_ignore_ascii_case(REVIEWERS) {
        true => Err(ReviewError::Name {
            name: name.to_owned(),
            why: "that is what all people are called together",
        }),
        false => Ok(()),
    }
}

/// Where in a queue of this length a person begins, if people share it: not all at the same pair.
pub(super) fn first_place(person: &str, length: usize) -> usize {
    let Hash(bytes) = Hash::of(person.as_bytes());
    let number = bytes.iter().take(8).fold(0u64, |number, byte| number << 8 | u64::from(*byte));
    usize::try_from(number % (length.max(1) as u64)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_line_that_can_be_read() {
        assert_eq!(person_name("  Anna Müller "), Ok("Anna Müller".to_owned()));
        for wrong in
            ["", "  ", "a\u{202e}b", "a\nb", "a\u{0}", &"x".repeat(61), "the reviewers", " The Reviewers "]
        {
            assert!(person_name(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn people_begin_inside_the_queue() {
        for person in ["anna", "ben", ""] {
            assert!(first_place(person, 7) < 7);
            assert_eq!(first_place(person, 0), 0);
        }
        assert_ne!(first_place("anna", 1_000), first_place("ben", 1_000));
    }
}
