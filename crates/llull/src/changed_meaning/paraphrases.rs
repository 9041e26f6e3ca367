//! Whether queries that are worded anew mean what they meant.

use llull_core::{Topic, Topics};
use llull_encoder::{Encoded, Encoder};
use llull_report::{FarParaphrase, MeaningKept, ParaphraseMeaning};

use super::cosines::cosines;
use crate::error::StudyError;
use crate::inputs::Inputs;
use crate::study::Study;

/// A study's queries that are worded anew, each beside its new wording.
pub(super) struct Reworded<'a>(Vec<(&'a Topic, &'a Topic)>);

impl<'a> Reworded<'a> {
    /// Returns `None` if there are no paraphrases.
    pub(super) fn of(inputs: &'a Inputs) -> Option<Self> {
        let paraphrases = inputs.paraphrases.as_ref()?;
        let pair = |topic: &'a Topic| Some((topic, paraphrases.get(&topic.id)?));
        Some(Self(inputs.topics.iter().filter_map(pair).collect()))
    }

    pub(super) fn texts(&self) -> Vec<(&'a str, &'a str)> {
        self.0.iter().map(|(query, anew)| (query.text.as_str(), anew.text.as_str())).collect()
    }
}

/// Returns what cosines say of these queries, and the new wordings that are none of other meaning.
pub(super) fn of_paraphrases(
    Reworded(pairs): Reworded<'_>,
    cosines: &[Option<f64>],
    threshold: f64,
) -> (ParaphraseMeaning, Topics) {
    let (mut identical, mut far, mut near, mut anew) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (n, mut without_vector) = (pairs.len(), 0);
    for ((query, worded), cosine) in pairs.into_iter().zip(cosines) {
        match cosine {
            _ if folded(&query.text) == folded(&worded.text) => identical.push(query.id.clone()),
            Some(cosine) => {
                anew.push(*cosine);
                if *cosine < threshold {
                    far.push(FarParaphrase { query: query.id.clone(), cosine: *cosine });
                    continue;
                }
            }
            None => without_vector += 1,
        }
        near.push(worded.clone());
    }
    let kept = MeaningKept::of(&anew);
    (ParaphraseMeaning { threshold, n, kept, identical, far, without_vector }, near.into_iter().collect())
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
        encoder: (&dyn Encoder, &mut dyn FnMut(Encoded)),
    ) -> Result<Option<ParaphraseMeaning>, StudyError> {
        let Some(pairs) = Reworded::of(inputs) else { return Ok(None) };
        let cosines = cosines(self.folder(), encoder, &pairs.texts())?;
        let (found, near) = of_paraphrases(pairs, &cosines, threshold);
        inputs.paraphrases = Some(near);
        Ok(Some(found))
    }
}

fn folded(text: &str) -> String {
    text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
