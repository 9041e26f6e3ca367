//! Texts as vectors whose cosine says how near in meaning they are.
//!
//! An [`Encoder`] makes vectors of texts: [`MiniLm`] on this machine, `RemoteEncoder` behind a server. [`KeptVectors`]
//! keeps what an encoder made, by text and model, in a file, so that no text is encoded twice; [`encode_kept`] encodes
//! what is missing, batch by batch. All vectors have length 1, so that their dot product is their cosine.
//!
//! A [`TermEncoder`] makes [`TermWeights`] instead, few terms of many for a text: [`Splade`] on this machine.
//! [`KeptWeights`] and [`weigh_kept`] keep them in the same way.
//!
//! ```
//! use llull_encoder::{EncodeError, Encoder, KeptVectors, TextRole, Vectors, dot, encode_kept};
//!
//! /// An encoder that knows two words.
//! struct Colours;
//!
//! impl Encoder for Colours {
//!     fn name(&self) -> &str {
//!         "colours"
//!     }
//!
//!     fn encode(&self, texts: &[&str], _: TextRole) -> Result<Vectors, EncodeError> {
//!         let count = |text: &str, word: &str| text.matches(word).count() as f32;
//!         let values = texts.iter().map(|text| vec![count(text, "red"), count(text, "blue")]);
//!         Ok(Vectors::normalized(2, values.map(|values| (values, false)))?)
//!     }
//! }
//!
//! let mut kept = KeptVectors::in_memory();
//! let rows = encode_kept(&Colours, &mut kept, &["red", "red and blue", "red"], TextRole::Document, &mut |_| {})?;
//! assert_eq!(rows[0], rows[2], "the same text is encoded once");
//! let cosine = dot(kept.vector(rows[0]), kept.vector(rows[1]));
//! assert!((cosine - 0.5f32.sqrt()).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "splade")]
mod bert;
mod encoder;
mod error;
mod kept;
mod kept_file;
mod kept_weights;
#[cfg(any(feature = "minilm", feature = "splade"))]
mod local_model;
#[cfg(feature = "minilm")]
mod mini_lm;
#[cfg(any(feature = "minilm", feature = "splade"))]
mod model_files;
#[cfg(feature = "remote")]
mod remote;
#[cfg(feature = "splade")]
mod safetensors;
#[cfg(feature = "splade")]
mod splade;
mod term_weights;
mod vectors;
mod weights_file;
#[cfg(any(feature = "minilm", feature = "splade"))]
mod word_piece;

pub use encoder::{Encoder, TextRole};
pub use error::EncodeError;
pub use kept::{Encoded, KeptVectors, encode_kept};
pub use kept_file::vectors_file;
pub use kept_weights::{KeptWeights, weigh_kept};
#[cfg(any(feature = "minilm", feature = "splade"))]
pub use local_model::LocalModel;
#[cfg(feature = "minilm")]
pub use mini_lm::MiniLm;
#[cfg(any(feature = "minilm", feature = "splade"))]
pub use model_files::{ModelFilesError, add_model, model_files};
#[cfg(feature = "remote")]
pub use remote::RemoteEncoder;
#[cfg(feature = "splade")]
pub use splade::Splade;
pub use term_weights::{TermEncoder, TermWeights};
pub use vectors::{Vectors, dot};
pub use weights_file::weights_file;
#[cfg(any(feature = "minilm", feature = "splade"))]
pub use word_piece::WordPiece;
