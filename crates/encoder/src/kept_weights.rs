//! Weights of terms by text: what was encoded once is not encoded again.

use std::path::PathBuf;

use rustc_hash::FxHashMap;

use crate::encoder::TextRole;
use crate::error::EncodeError;
use crate::kept::{Encoded, missing, text_key};
use crate::kept_file::TextKey;
use crate::term_weights::{TermEncoder, TermWeights};
use crate::weights_file::WeightsFile;

/// The weights of one encoder, by text, in memory and, if it has one, in a file.
#[derive(Debug, Default)]
pub struct KeptWeights {
    file: Option<WeightsFile>,
    rows: FxHashMap<TextKey, u32>,
    weights: Vec<TermWeights>,
}

impl KeptWeights {
    /// Keeps weights as long as the program runs.
    pub fn in_memory() -> Self {
        Self::default()
    }

    /// Reads the weights of an encoder that are kept in a file, and keeps others there. The file is made when there is
    /// something to keep; its folder has to exist. [`weights_file`](crate::weights_file) gives it a name.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is none of this encoder.
    pub fn in_file(file: PathBuf, encoder: &str) -> Result<Self, EncodeError> {
        let (file, records) = WeightsFile::read(file, encoder)?;
        let mut kept = Self { file: Some(file), ..Self::default() };
        records.into_iter().for_each(|(key, weights)| kept.insert(key, weights));
        Ok(kept)
    }

    /// Returns the weights in a row that [`weigh_kept`] returned; none for another row.
    pub fn weights(&self, row: u32) -> &[(u32, f32)] {
        self.weights.get(row as usize).map(TermWeights::as_slice).unwrap_or_default()
    }

    fn insert(&mut self, key: TextKey, weights: TermWeights) {
        let next = u32::try_from(self.weights.len()).unwrap_or(u32::MAX);
        if *self.rows.entry(key).or_insert(next) == next {
            self.weights.push(weights);
        }
    }
}

/// Returns the row of each text's weights. Texts that have none yet are encoded, each once,
/// [batch](TermEncoder::batch) by batch, and kept after each batch; `encoded` is told how many texts each batch had.
///
/// # Errors
/// Returns an error if the encoder fails, or what it made cannot be kept. What was encoded before is kept.
pub fn weigh_kept(
    encoder: &dyn TermEncoder,
    kept: &mut KeptWeights,
    texts: &[&str],
    encoded: &mut dyn FnMut(Encoded),
) -> Result<Vec<u32>, EncodeError> {
    let keys: Vec<TextKey> = texts.iter().map(|text| text_key(text, TextRole::Document)).collect();
    let missing = missing(&kept.rows, &keys, texts);
    let mut done = 0;
    for batch in missing.chunks(encoder.batch().max(1)) {
        let (keys, texts): (Vec<TextKey>, Vec<&str>) = batch.iter().copied().unzip();
        let weights = encoder.weigh(&texts)?;
        if weights.len() != keys.len() {
            return Err(EncodeError::Vectors {
                encoder: encoder.name().to_owned(),
                found: format!("weights of {} texts", weights.len()),
                expected: format!("those of {}", keys.len()),
            });
        }
        let records: Vec<_> = keys.into_iter().zip(weights).collect();
        if let Some(file) = &mut kept.file {
            file.add(&records)?;
        }
        records.into_iter().for_each(|(key, weights)| kept.insert(key, weights));
        done += batch.len();
        encoded(Encoded { done, of: missing.len() });
    }
    Ok(keys.iter().filter_map(|key| kept.rows.get(key).copied()).collect())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Weighs a text's length; fails at a text "fail".
    #[derive(Default)]
    struct Counting(Mutex<Vec<String>>);

    impl TermEncoder for Counting {
        fn name(&self) -> &str {
            "counting"
        }

        fn weigh(&self, texts: &[&str]) -> Result<Vec<TermWeights>, EncodeError> {
            if texts.contains(&"fail") {
                return Err(EncodeError::Model { encoder: "counting".into(), reason: "no".into() });
            }
            self.0.lock().unwrap().extend(texts.iter().map(|text| (*text).to_owned()));
            texts.iter().map(|text| TermWeights::of([(text.len() as u32, 1.5)])).collect()
        }

        fn batch(&self) -> usize {
            2
        }
    }

    #[test]
    fn no_text_is_encoded_twice_not_even_by_another_run() {
        let folder = tempfile::tempdir().unwrap();
        let encoder = Counting::default();
        let open = || KeptWeights::in_file(folder.path().join("w"), "counting").unwrap();
        let mut seen = Vec::new();
        let texts = ["a", "bb", "a", "ccc", "d", "fail"];
        let failed = weigh_kept(&encoder, &mut open(), &texts, &mut |at| seen.push((at.done, at.of)));
        assert!(failed.is_err());
        assert_eq!(seen, [(2, 5), (4, 5)]);
        // What was encoded before the failure is there in the next run.
        let mut kept = open();
        let rows = weigh_kept(&encoder, &mut kept, &["d", "ee", "bb", "d"], &mut |_| {}).unwrap();
        assert_eq!(*encoder.0.lock().unwrap(), ["a", "bb", "ccc", "d", "ee"]);
        let terms: Vec<u32> = rows.iter().map(|row| kept.weights(*row)[0].0).collect();
        assert_eq!(terms, [1, 2, 2, 1]);
        assert!(kept.weights(99).is_empty());
    }
}
