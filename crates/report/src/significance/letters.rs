//! The letters of systems in a table, and superscript lists of them.

/// The alphabet without q, whose superscript many fonts lack (ranx prints an Arabic digit).
const ALPHABET: [(char, char); 25] = [
    ('a', 'ᵃ'),
    ('b', 'ᵇ'),
    ('c', 'ᶜ'),
    ('d', 'ᵈ'),
    ('e', 'ᵉ'),
    ('f', 'ᶠ'),
    ('g', 'ᵍ'),
    ('h', 'ʰ'),
    ('i', 'ⁱ'),
    ('j', 'ʲ'),
    ('k', 'ᵏ'),
    ('l', 'ˡ'),
    ('m', 'ᵐ'),
    ('n', 'ⁿ'),
    ('o', 'ᵒ'),
    ('p', 'ᵖ'),
    ('r', 'ʳ'),
    ('s', 'ˢ'),
    ('t', 'ᵗ'),
    ('u', 'ᵘ'),
    ('v', 'ᵛ'),
    ('w', 'ʷ'),
    ('x', 'ˣ'),
    ('y', 'ʸ'),
    ('z', 'ᶻ'),
];

/// The letter of a system, given its place from 0: a to z without q, then aa, ab and so on, as columns of a
/// spreadsheet are called.
///
/// ```
/// use llull_report::letter;
/// assert_eq!([0, 15, 16, 24, 25, 49, 50, 649, 650].map(letter), ["a", "p", "r", "z", "aa", "az", "ba", "zz", "aaa"]);
/// ```
pub fn letter(place: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = place + 1;
    while rest > 0 {
        rest -= 1;
        letters.extend(ALPHABET.get(rest % ALPHABET.len()).map(|(letter, _)| *letter));
        rest /= ALPHABET.len();
    }
    letters.iter().rev().collect()
}

/// The letters of systems, given by their places in ascending order, as one text: `acd`.
///
/// If there are so many systems that some have two letters, the list has commas, and three or more in a row become a
/// range: `a-d,f,ab`.
pub fn letters(places: &[usize], lettered: usize) -> String {
    if lettered <= ALPHABET.len() {
        return places.iter().map(|place| letter(*place)).collect();
    }
    let rows = places.chunk_by(|before, after| before + 1 == *after);
    let written = rows.map(|row| match row {
        [first, .., last] if row.len() > 2 => format!("{}-{}", letter(*first), letter(*last)),
        row => row.iter().map(|place| letter(*place)).collect::<Vec<_>>().join(","),
    });
    written.collect::<Vec<_>>().join(",")
}

/// The result of [`letters`] in superscript characters: `ᵃᶜᵈ`, `ᵃ⁻ᵈ,ᶠ,ᵃᵇ`.
pub fn superscript(letters: &str) -> String {
    let raised = |written: char| match written {
        '-' => '⁻',
        written => {
            ALPHABET.iter().find(|(letter, _)| *letter == written).map_or(written, |(_, raised)| *raised)
        }
    };
    letters.chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_system_has_a_letter_of_its_own() {
        let all: BTreeSet<String> = (0..2_000).map(letter).collect();
        assert_eq!(all.len(), 2_000);
        assert!(all.iter().all(|letters| !letters.contains('q')));
    }

    #[test]
    fn letters_are_run_together_until_some_have_two() {
        assert_eq!(letters(&[0, 1, 2, 3, 24], 25), "abcdz");
        assert_eq!(letters(&[0, 1, 2, 3, 24], 26), "a-d,z");
        assert_eq!(letters(&[0, 1, 5, 23, 24, 25, 27], 28), "a,b,f,y-aa,ac");
        assert_eq!(letters(&[], 40), "");
    }

    #[test]
    fn superscripts_take_one_place_a_character() {
        assert_eq!(superscript("acd"), "ᵃᶜᵈ");
        assert_eq!(superscript("a-d,f,ab"), "ᵃ⁻ᵈ,ᶠ,ᵃᵇ");
        let all: String = ALPHABET.iter().map(|(letter, _)| *letter).collect();
        assert!(!superscript(&all).is_ascii() && superscript(&all).chars().count() == 25);
    }
}
