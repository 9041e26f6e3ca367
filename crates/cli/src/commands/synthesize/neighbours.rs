//! Finds questions and passages near a question.
//!
//! Questions are compared by meaning, passages by words and meaning.

use anyhow::Result;
use llull::encoder::{Encoded, Encoder, KeptVectors, TextRole, encode_kept};
use llull::synthesis::{NearestPassages, Synthesis, SynthesisOptions, TextEncoder};

use crate::args::SynthesizeArgs;
use crate::commands::{Context, EncodingProgress};

/// Finds the neighbours of questions. It loads the encoder, and indexes the documents, at their first use.
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

    /// Loads the named encoder, so that its errors are reported before any cost.
    pub(super) fn prepare(&mut self) -> Result<()> {
        let Some(name) = &self.args.encoder else { return Ok(()) };
        // An encoder on this machine has no address.
        let address = self.args.base_url.as_deref().filter(|_| name.contains('/'));
        let encoder = self.context.encoder(name, address)?;
        let kept = self.context.vectors_of(&*encoder)?;
        self.meaning = Some((encoder, kept));
        Ok(())
    }

    /// Drops questions with nearly the meaning of another, if there is an encoder.
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

    /// Finds the passages that questions out of context are checked against, by BM25 and, if there is one, the encoder.
    pub(super) fn find(&mut self, synthesis: &mut Synthesis) -> Result<()> {
        let Self { context, args, meaning, passages } = self;
        let questions = synthesis.out_of_context();
        if questions.is_empty() || args.nearest == 0 {
            return Ok(());
        }
        let progress = EncodingProgress::new(context.printer);
        let mut indexed = |at: Encoded| progress.indexed("nearest passages", at.done);
        let passages = match passages {
            Some(passages) => passages,
            None => {
                let encoder = text_encoder(meaning, &mut indexed);
                let corpus = (args.documents.as_path(), &context.global.columns);
                passages.insert(NearestPassages::of(corpus, args.passage_tokens, encoder)?)
            }
        };
        let mut encoded = |at: Encoded| progress.encoded(at);
        let nearest = passages.find(&questions, args.nearest, text_encoder(meaning, &mut encoded))?;
        let found_by = match meaning {
            Some((encoder, _)) => format!("bm25 and {}", encoder.name()),
            None => "bm25".to_owned(),
        };
        synthesis.check_nearest(nearest, &found_by);
        Ok(())
    }
}

fn text_encoder<'a>(
    meaning: &'a mut Option<(Box<dyn Encoder>, KeptVectors)>,
    encoded: &'a mut dyn FnMut(Encoded),
) -> Option<TextEncoder<'a>> {
    let (encoder, kept) = meaning.as_mut()?;
    Some(TextEncoder { encoder: &**encoder, kept, encoded })
}
