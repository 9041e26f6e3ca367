//! Whether queries that are worded anew mean what they meant.

use llull_core::Topic;
use llull_encoder::{Encoded, Encoder};
use serde::Serialize;

use super::cosines::{MeaningKept, cosines};
use crate::error::StudyError;
use crate::inputs::Inputs;
use crate::study::Study;

/// How near queries that are worded anew are to the queries themselves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParaphraseMeaning {
    /// The encoder.
    pub encoder: String,
    /// The cosine from which on a query is taken for a paraphrase.
    pub threshold: f64,
    /// How many of the study's queries are worded anew.
    pub n: usize,
    /// Their cosines, but for those that are as they were; `None` if all are, or there are none.
    pub kept: Option<MeaningKept>,
    /// The queries that are as they were, but for case and blanks: there only the documents' words are changed.
    pub identical: Vec<String>,
    /// The queries that mean something else, with their cosines: the probe leaves them out.
    pub far: Vec<FarParaphrase>,
}

/// A query whose new wording means something else.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FarParaphrase {
    /// The query's identifier.
    pub query: String,
    /// The cosine of both wordings.
    pub cosine: f64,
}

impl ParaphraseMeaning {
    /// The threshold where nothing else is said. Paraphrases are about .8 with all-MiniLM-L6-v2, related words .3.
    pub const DEFAULT_THRESHOLD: f64 = 0.7;
}

impl Study {
    /// Takes those queries out of the inputs' paraphrases that mean something else than the study's: a judge that
    /// answers them otherwise would not have forgotten anything. They are left out, not refused, so that the others can
    /// be asked about; who asks should name them. Vectors are kept with the study. `None` if there are no paraphrases.
    ///
    /// # Errors
    /// Returns an error if texts cannot be encoded, or vectors cannot be kept.
    pub fn keep_near_paraphrases(
        &self,
        inputs: &mut Inputs,
        threshold: f64,
        (encoder, encoded): (&dyn Encoder, &mut dyn FnMut(Encoded)),
    ) -> Result<Option<ParaphraseMeaning>, StudyError> {
        let Some(paraphrases) = &inputs.paraphrases else { return Ok(None) };
        let pairs: Vec<(&Topic, &Topic)> =
            inputs.topics.iter().filter_map(|topic| Some((topic, paraphrases.get(&topic.id)?))).collect();
        let texts: Vec<(&str, &str)> =
            pairs.iter().map(|(query, anew)| (query.text.as_str(), anew.text.as_str())).collect();
        let cosines = cosines(self.folder(), (encoder, encoded), &texts)?;
        let (mut identical, mut far, mut near, mut anew) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for ((query, worded), cosine) in pairs.into_iter().zip(cosines) {
            if folded(&query.text) == folded(&worded.text) {
                identical.push(query.id.clone());
            } else {
                anew.push(cosine);
                if cosine < threshold {
                    far.push(FarParaphrase { query: query.id.clone(), cosine });
                    continue;
                }
            }
            near.push(worded.clone());
        }
        let n = identical.len() + anew.len();
        let kept = MeaningKept::of(&anew);
        inputs.paraphrases = Some(near.into_iter().collect());
        let encoder = encoder.name().to_owned();
        Ok(Some(ParaphraseMeaning { encoder, threshold, n, kept, identical, far }))
    }
}

fn folded(text: &str) -> String {
    text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
