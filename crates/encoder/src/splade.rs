//! SPLADE-tiny on this machine.

use std::path::Path;

use crate::bert::Bert;
use crate::error::EncodeError;
use crate::local_model::LocalModel;
use crate::model_files::{ModelFilesError, broken, read_model};
use crate::safetensors::Tensors;
use crate::term_weights::{TermEncoder, TermWeights};
use crate::word_piece::WordPiece;

/// How many tokens of a text are read, as the package with the weights has it.
const LONGEST: usize = 256;

/// SPLADE-tiny on this machine: BERT-tiny (2 layers, 128 wide, 4.4 million weights in f32), trained on MS MARCO to say
/// how much each of the vocabulary's 30,522 terms says of a text, be they in it or not. Of a text the first 256 tokens
/// are read, about 190 English words.
///
/// A term's weight is the largest, over the text's tokens, of `ln(1 + max(0, logit))` (Formal and others 2021,
/// "SPLADE v2", <https://arxiv.org/abs/2109.10086>, equation 6). Each text goes through the model alone, so that its
/// weights depend on no other. Their last digits may depend on the machine's processor.
pub struct Splade {
    model: Bert,
    tokens: WordPiece,
}

impl Splade {
    /// Loads the model from the folder that [`add_model`](crate::add_model) made.
    ///
    /// # Errors
    /// Returns an error if a file is not there, or is not the one that llull knows.
    pub fn load(folder: &Path) -> Result<Self, ModelFilesError> {
        let (weights, tokens) = read_model(LocalModel::Splade, folder)?;
        let model = Tensors::of(&weights).and_then(|tensors| Bert::of(&tensors));
        let model = model.map_err(|reason| broken(LocalModel::Splade, folder, reason))?;
        Ok(Self { model, tokens })
    }

    fn weigh_one(&self, text: &str) -> Result<TermWeights, EncodeError> {
        let (tokens, _) = self.tokens.encode(text, LONGEST);
        let largest = self.model.largest_logits(&tokens).map_err(|error| EncodeError::Model {
            encoder: self.name().to_owned(),
            reason: error.to_string(),
        })?;
        let positive = (0..).zip(largest).filter(|(_, logit)| *logit > 0.0);
        TermWeights::of(positive.map(|(term, logit)| (term, logit.ln_1p())))
    }
}

impl TermEncoder for Splade {
    fn name(&self) -> &str {
        "splade"
    }

    fn weigh(&self, texts: &[&str]) -> Result<Vec<TermWeights>, EncodeError> {
        texts.iter().map(|text| self.weigh_one(text)).collect()
    }
}
