//! Draws the documents of a corpus for passages.

use std::collections::BTreeSet;
use std::path::Path;

use llull_core::{Document, Hash, KeyBuilder, Seed};
use llull_data::{Columns, CorpusFields, Documents, read_documents, stream_corpus};

use super::options::SynthesisError;

/// Draws at most `most` documents that are not blank from a corpus of any size, whose columns the user may name.
/// Equal seeds draw equal documents, whatever their order in the file. The corpus is read twice, and only the drawn
/// documents are in memory.
///
/// # Errors
/// Returns an error if the corpus cannot be read, or a drawn document occurs twice with different texts.
pub fn drawn_documents(
    path: &Path,
    columns: &Columns,
    most: usize,
    seed: Seed,
) -> Result<Documents, SynthesisError> {
    let mut drawn: BTreeSet<(Hash, String)> = BTreeSet::new();
    let fields = CorpusFields { columns: columns.clone(), ..CorpusFields::default() };
    stream_corpus(path, &fields, |document: &Document, _| {
        let place = place(seed, &document.id);
        let full = drawn.len() >= most && drawn.last().is_some_and(|(last, _)| *last <= place);
        if !full && !document.is_blank() {
            drawn.insert((place, document.id.clone()));
            if drawn.len() > most {
                drawn.pop_last();
            }
        }
        Ok(())
    })?;
    let wanted = |id: &str| drawn.contains(&(place(seed, id), id.to_owned()));
    Ok(read_documents(path, &fields, wanted, &mut |_| ())?)
}

fn place(seed: Seed, id: &str) -> Hash {
    KeyBuilder::new("llull synthesis documents v1").number("seed", seed.0).text("document", id).finish()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn a_draw_is_of_the_seed_and_not_of_the_order() {
        let drawn = |lines: &[String], seed| {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(lines.concat().as_bytes()).unwrap();
            let found = drawn_documents(file.path(), &Columns::default(), 5, Seed(seed)).unwrap().found;
            let mut ids: Vec<String> = found.into_keys().collect();
            ids.sort();
            ids
        };
        let mut lines: Vec<String> = (0..40).map(|n| format!("d{n}\ttext {n}\n")).collect();
        lines.push("blank\t \n".into());
        let first = drawn(&lines, 1);
        assert_eq!(first.len(), 5);
        assert_ne!(first, drawn(&lines, 2));
        lines.reverse();
        assert_eq!(first, drawn(&lines, 1));
        assert_eq!(drawn(&lines[..3], 1).len(), 2);
    }
}
