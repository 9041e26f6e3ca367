//! Encodes texts as vectors whose cosine measures similarity of meaning.
//!
//! An [`Encoder`] makes vectors of texts: [`MiniLm`] on this machine, `RemoteEncoder` behind a server. [`KeptVectors`]
//! saves vectors, by text and model, in a file, so that no text is encoded twice; [`encode_kept`] encodes missing
//! texts, batch by batch. All vectors have length 1, so that their dot product is their cosine.
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
//! let mut saved = KeptVectors::in_memory();
//! let rows = encode_kept(&Colours, &mut saved, &["red", "red and blue", "red"], TextRole::Document, &mut |_| {})?;
//! assert_eq!(rows[0], rows[2], "the same text is encoded once");
//! let cosine = dot(saved.vector(rows[0]), saved.vector(rows[1]));
//! assert!((cosine - 0.5f32.sqrt()).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod encoder;
mod error;
mod kept;
mod kept_file;
#[cfg(feature = "minilm")]
mod mini_lm;
#[cfg(feature = "minilm")]
mod model_files;
#[cfg(feature = "remote")]
mod remote;
mod vectors;
#[cfg(feature = "minilm")]
mod word_piece;

pub use encoder::{Encoder, TextRole};
pub use error::EncodeError;
pub use kept::{Encoded, KeptVectors, encode_kept};
pub use kept_file::vectors_file;
#[cfg(feature = "minilm")]
pub use mini_lm::MiniLm;
#[cfg(feature = "minilm")]
pub use model_files::{ModelFilesError, add_minilm, minilm_files};
#[cfg(feature = "remote")]
pub use remote::RemoteEncoder;
pub use vectors::{Vectors, dot};
#[cfg(feature = "minilm")]
pub use word_piece::WordPiece;
