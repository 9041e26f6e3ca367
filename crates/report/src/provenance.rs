//! The provenance of the figures.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The inputs of the figures: enough to find out whether two reports may be compared.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProvenanceSection {
    /// The version of llull that wrote the report.
    pub llull: String,
    /// Down to which rank the runs were pooled; null if nothing was pooled.
    pub pool_depth: Option<usize>,
    /// Hashes of the input files: configuration, rubric, prompts, queries, corpus, runs, reference.
    pub inputs: Vec<Input>,
    /// Hashes of some pooled documents' texts, to compare corpora of two reports; empty without texts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<TextHash>,
    /// The judges' fingerprints: two with one fingerprint share their answers.
    pub judges: Vec<Fingerprint>,
    /// Settings that shape the figures, such as the number of resamples.
    pub settings: Vec<Setting>,
}

/// One file, or folder, that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    /// Its role: `rubric`, `topics`, `run`.
    pub role: String,
    /// Its name in the study.
    pub name: String,
    /// The blake3 hash of the file's bytes, 64 hexadecimal digits.
    pub hash: String,
}

/// A pooled document and its text, by their hashes: those of the lowest hashes, so that reports on the same corpus have
/// most of them in common, whatever their systems return.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TextHash {
    /// The hash of the document's identifier, 16 hexadecimal digits.
    pub document: String,
    /// The hash of its title and text, 16 hexadecimal digits.
    pub text: String,
}

/// One judge's identity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fingerprint {
    /// The judge.
    pub judge: String,
    /// The hash of all settings that affect its answers, 64 hexadecimal digits.
    pub fingerprint: String,
    /// The hash of its prompt template, or of the data it answers from.
    pub prompt: String,
    /// The hash of the rubric it was given.
    pub rubric: String,
}

/// One setting that shapes the figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Setting {
    /// Its name in the configuration.
    pub name: String,
    /// Its value.
    pub value: String,
}
