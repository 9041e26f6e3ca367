//! Letters above the line, in plain text.

/// The alphabet without q, whose superscript many fonts lack (ranx prints an Arabic digit).
pub(crate) const ALPHABET: [(char, char); 25] = [
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

/// Returns letters of systems in superscript characters: `ᵃᶜᵈ`, `ᵃ⁻ᵈ,ᶠ,ᵃᵇ`.
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
    use super::*;

    #[test]
    fn superscripts_take_one_place_a_character() {
        assert_eq!(superscript("acd"), "ᵃᶜᵈ");
        assert_eq!(superscript("a-d,f,ab"), "ᵃ⁻ᵈ,ᶠ,ᵃᵇ");
        let all: String = ALPHABET.iter().map(|(letter, _)| *letter).collect();
        assert!(!superscript(&all).is_ascii() && superscript(&all).chars().count() == 25);
    }
}
