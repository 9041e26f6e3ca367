//! Options whose values are a few words.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Parses one of these words, each with its value and its help.
pub(super) fn choices<T: Copy + Send + Sync + 'static, const N: usize>(
    choices: [(&'static str, T, &'static str); N],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(choices.map(|(word, _, help)| PossibleValue::new(word).help(help))).try_map(
        move |typed| {
            let chosen = choices.iter().find(|(word, ..)| *word == typed);
            chosen.map(|(_, value, _)| *value).ok_or("no such choice")
        },
    )
}
