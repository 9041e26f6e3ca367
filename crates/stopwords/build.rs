//! Writes the lists of the crate `stop-words` as one text per language.
//!
//! As slices they have a pointer and a relocation per word, and its table of all languages keeps unused ones: 300 kB of
//! the program.

use std::fmt::Write as _;

/// The languages that llull has stemmers for (ISO 639-1).
const LANGUAGES: [&str; 16] =
    ["ar", "da", "de", "el", "en", "es", "fr", "hu", "it", "nl", "no", "pt", "ro", "ru", "sv", "tr"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    let mut lists = String::from(
        "/// Languages, and the words of each, a line each.\nconst LISTS: &[(&str, &str)] = &[\n",
    );
    for language in LANGUAGES {
        writeln!(lists, "    ({language:?}, {:?}),", stop_words::get(language).join("\n"))?;
    }
    lists.push_str("];\n");
    let folder = std::env::var_os("OUT_DIR").ok_or("cargo names no OUT_DIR")?;
    fs_err::write(std::path::Path::new(&folder).join("lists.rs"), lists)?;
    Ok(())
}
