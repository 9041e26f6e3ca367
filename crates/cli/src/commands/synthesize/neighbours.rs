//! What stands near a question: other questions in meaning, and passages of all documents in words.

use anyhow::Result;
use llull::encoder::{Encoder, KeptVectors, TextRole, encode_kept};
use llull::synthesis::{NearestPassages, Synthesis, SynthesisOptions};
use llull::{Folder, kept_vectors};

use crate::args::SynthesizeArgs;
use crate::commands::{Context, EncodingProgress, encoder};

/// Finds what stands near questions. The encoder is loaded, and the documents are indexed, when they are needed first.
pub(super) struct Neighbours<'a> {
    context: &'a Context,
    args: &'a SynthesizeArgs,
    meaning: Option<(Box<dyn Encoder>, KeptVectors)>,
    passages: Option<NearestPassages>,
}

impl<'a> Neighbours<'a> {
    pub(super) fn new(context: &'a Context, args: &'a SynthesizeArgs) -> Self {
        Self { context, args, meaning: None, passages: None }
    }

    /// Loads the encoder that is asked for, so that what is wrong with it is said before anything is paid for.
    pub(super) fn prepare(&mut self) -> Result<()> {
        let Some(name) = &self.args.encoder else { return Ok(()) };
        // An encoder on this machine has no address.
        let address = self.args.base_url.as_deref().filter(|_| name.contains('/'));
        let encoder = encoder((self.context.printer, &self.context.environment), name, address)?;
        let folder = Folder::new(&self.context.global.study);
        let kept = match folder.config().is_file() {
            true => kept_vectors(&folder, encoder.name())?,
            false => KeptVectors::in_memory(),
        };
        self.meaning = Some((encoder, kept));
        Ok(())
    }

    /// Drops questions that mean nearly the same as another, if an encoder is to tell.
    pub(super) fn drop_near(&mut self, synthesis: &mut Synthesis) -> Result<()> {
        let Some((encoder, kept)) = &mut self.meaning else { return Ok(()) };
        let progress = EncodingProgress::new(self.context.printer);
        let questions = synthesis.questions();
        let rows =
            encode_kept(&**encoder, kept, &questions, TextRole::Query, &mut |at| progress.encoded(at))?;
        let vectors = rows.iter().map(|row| kept.vector(*row).to_vec()).collect();
        let cosine = self.args.similar_cosine.unwrap_or(SynthesisOptions::DEFAULT_SIMILAR_COSINE);
        synthesis.drop_near(vectors, cosine);
        Ok(())
    }

    /// Finds the passages that a question out of context is checked against.
    pub(super) fn find(&mut self, synthesis: &mut Synthesis) -> Result<()> {
        let questions = synthesis.out_of_context();
        if questions.is_empty() || self.args.nearest == 0 {
            return Ok(());
        }
        let passages = match &self.passages {
            Some(passages) => passages,
            None => {
                let passages = NearestPassages::of(&self.args.documents, self.args.passage_tokens)?;
                self.passages.insert(passages)
            }
        };
        let nearest = passages.find(&questions, self.args.nearest)?;
        synthesis.check_nearest(nearest);
        Ok(())
    }
}
