//! Saves vectors by text, so that no text is encoded twice.

use std::path::PathBuf;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::encoder::{Encoder, TextRole};
use crate::error::EncodeError;
use crate::kept_file::{KeptFile, Records, TextKey};
use crate::vectors::Vectors;

/// The vectors of one encoder, by text, in memory and, if it has one, in a file.
#[derive(Debug, Default)]
pub struct KeptVectors {
    file: Option<KeptFile>,
    dimensions: usize,
    rows: FxHashMap<TextKey, u32>,
    values: Vec<f32>,
    cut: Vec<bool>,
}

impl KeptVectors {
    /// Creates an empty store, whose vectors are lost when the program ends.
    pub fn in_memory() -> Self {
        Self::default()
    }

    /// Reads the saved vectors of an encoder from a file, and appends new ones to it. The file is created at the first
    /// new vector; its folder has to exist. [`vectors_file`](crate::vectors_file) gives it a name.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or belongs to another encoder.
    pub fn in_file(file: PathBuf, encoder: &str) -> Result<Self, EncodeError> {
        let file = KeptFile::new(file, encoder);
        let Records { dimensions, keys, values } = file.read()?.unwrap_or_default();
        let mut kept = Self { dimensions, ..Self::default() };
        for ((key, cut), vector) in keys.into_iter().zip(values.chunks_exact(dimensions.max(1))) {
            kept.insert(key, cut, vector);
        }
        kept.file = Some(file);
        Ok(kept)
    }

    /// Returns how many texts have a vector.
    pub fn len(&self) -> usize {
        self.cut.len()
    }

    /// Returns whether none has.
    pub fn is_empty(&self) -> bool {
        self.cut.is_empty()
    }

    /// Returns the vector in a row that [`encode_kept`] returned; an empty one for an unknown row.
    pub fn vector(&self, row: u32) -> &[f32] {
        let start = row as usize * self.dimensions;
        self.values.get(start..start + self.dimensions).unwrap_or_default()
    }

    /// Returns the row of a text; `None` if it has no vector yet.
    pub fn row(&self, text: &str, role: TextRole) -> Option<u32> {
        self.rows.get(&text_key(text, role)).copied()
    }

    /// Returns whether the text of a row is longer than the encoder reads.
    pub fn is_cut(&self, row: u32) -> bool {
        self.cut.get(row as usize).copied().unwrap_or(false)
    }

    fn insert(&mut self, key: TextKey, cut: bool, vector: &[f32]) -> u32 {
        let next = u32::try_from(self.cut.len()).unwrap_or(u32::MAX);
        let row = *self.rows.entry(key).or_insert(next);
        if row == next {
            self.values.extend_from_slice(vector);
            self.cut.push(cut);
        }
        row
    }

    /// Adds vectors of texts, and writes them to the file.
    fn add(&mut self, encoder: &str, keys: &[TextKey], vectors: &Vectors) -> Result<(), EncodeError> {
        let wrong = |found: String, expected: String| EncodeError::Vectors {
            encoder: encoder.to_owned(),
            found,
            expected,
        };
        if vectors.len() != keys.len() {
            return Err(wrong(format!("{} vectors", vectors.len()), format!("{} vectors", keys.len())));
        }
        if self.dimensions != 0 && self.dimensions != vectors.dimensions() {
            let [found, expected] = [vectors.dimensions(), self.dimensions];
            return Err(wrong(format!("{found} dimensions"), format!("the {expected} of before")));
        }
        self.dimensions = vectors.dimensions();
        let added: Vec<(TextKey, bool, &[f32])> =
            keys.iter().zip(vectors.iter()).map(|(key, (vector, cut))| (*key, cut, vector)).collect();
        if let Some(file) = &self.file {
            file.add(self.dimensions, &added)?;
        }
        for (key, cut, vector) in added {
            self.insert(key, cut, vector);
        }
        Ok(())
    }
}

/// Returns the row of each text's vector. Texts without a vector are encoded, each once, [batch](Encoder::batch) by
/// batch, and saved after each batch. `encoded` is called before and after each batch with the number of texts encoded
/// so far.
///
/// # Errors
/// Returns an error if the encoder fails, or its vectors cannot be saved. Vectors of earlier batches stay saved.
pub fn encode_kept(
    encoder: &dyn Encoder,
    kept: &mut KeptVectors,
    texts: &[&str],
    role: TextRole,
    encoded: &mut dyn FnMut(Encoded),
) -> Result<Vec<u32>, EncodeError> {
    let role = if encoder.tells_roles() { role } else { TextRole::Document };
    let keys: Vec<TextKey> = texts.iter().map(|text| text_key(text, role)).collect();
    let missing = missing(&kept.rows, &keys, texts);
    let mut done = 0;
    for batch in missing.chunks(encoder.batch().max(1)) {
        encoded(Encoded { done, of: missing.len() });
        let (keys, texts): (Vec<TextKey>, Vec<&str>) = batch.iter().copied().unzip();
        let vectors = encoder.encode(&texts, role)?;
        kept.add(encoder.name(), &keys, &vectors)?;
        done += batch.len();
        encoded(Encoded { done, of: missing.len() });
    }
    Ok(keys.iter().filter_map(|key| kept.rows.get(key).copied()).collect())
}

/// Returns the texts that have no row yet, each once, with their keys.
fn missing<'a>(
    rows: &FxHashMap<TextKey, u32>,
    keys: &[TextKey],
    texts: &[&'a str],
) -> Vec<(TextKey, &'a str)> {
    let mut new = FxHashSet::default();
    let pairs = keys.iter().copied().zip(texts.iter().copied());
    pairs.filter(|(key, _)| !rows.contains_key(key) && new.insert(*key)).collect()
}

/// How far an encoding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoded {
    /// How many texts have their vectors.
    pub done: usize,
    /// How many had none at the start.
    pub of: usize,
}

/// Returns the key of a text's vector.
fn text_key(text: &str, role: TextRole) -> TextKey {
    let mut hash = blake3::Hasher::new();
    hash.update(match role {
        TextRole::Document => b"document\0",
        TextRole::Query => b"query\0",
    });
    hash.update(text.as_bytes());
    let mut key = TextKey::default();
    key.copy_from_slice(hash.finalize().as_bytes().first_chunk::<16>().unwrap_or(&[0; 16]));
    key
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Encodes a text as its length and its first byte; fails at a text "fail".
    #[derive(Default)]
    struct Counting {
        encoded: Mutex<Vec<String>>,
        roles: bool,
    }

    impl Encoder for Counting {
        fn name(&self) -> &str {
            "counting"
        }

        fn encode(&self, texts: &[&str], _: TextRole) -> Result<Vectors, EncodeError> {
            if texts.contains(&"fail") {
                return Err(EncodeError::Model { encoder: "counting".into(), reason: "no".into() });
            }
            self.encoded.lock().unwrap().extend(texts.iter().map(|text| (*text).to_owned()));
            let vector = |text: &&str| vec![text.len() as f32, f32::from(text.as_bytes()[0])];
            Vectors::normalized(2, texts.iter().map(vector).map(|vector| (vector, false)))
        }

        fn batch(&self) -> usize {
            2
        }

        fn tells_roles(&self) -> bool {
            self.roles
        }
    }

    #[test]
    fn no_text_is_encoded_twice_not_even_by_another_run() {
        let folder = tempfile::tempdir().unwrap();
        let encoder = Counting::default();
        let texts = ["a", "b", "a", "c", "d", "fail"];
        let mut kept = KeptVectors::in_file(folder.path().join("v"), "counting").unwrap();
        let mut seen = Vec::new();
        let failed = encode_kept(&encoder, &mut kept, &texts, TextRole::Document, &mut |at| {
            seen.push((at.done, at.of));
        });
        assert!(failed.is_err());
        assert_eq!(seen, [(0, 5), (2, 5), (2, 5), (4, 5), (4, 5)]);
        // Vectors from before the failure are there in the next run.
        let mut kept = KeptVectors::in_file(folder.path().join("v"), "counting").unwrap();
        assert_eq!(kept.len(), 4);
        let rows = encode_kept(&encoder, &mut kept, &["d", "e", "a"], TextRole::Query, &mut |_| {}).unwrap();
        assert_eq!(*encoder.encoded.lock().unwrap(), ["a", "b", "c", "d", "e"]);
        let expected = Vectors::normalized(2, [(vec![1.0, 100.0], false)]).unwrap();
        assert_eq!(kept.vector(rows[0]), expected.iter().next().unwrap().0);
        assert!(kept.vector(99).is_empty());
    }

    #[test]
    fn a_query_is_no_document_to_those_who_tell_them_apart() {
        let encoder = Counting { roles: true, ..Counting::default() };
        let mut kept = KeptVectors::in_memory();
        for role in [TextRole::Query, TextRole::Document, TextRole::Query] {
            encode_kept(&encoder, &mut kept, &["a"], role, &mut |_| {}).unwrap();
        }
        assert_eq!(encoder.encoded.lock().unwrap().len(), 2);
    }
}
