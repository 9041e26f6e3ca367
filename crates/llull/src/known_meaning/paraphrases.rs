//! What cosines say of queries that are worded anew.

use llull_core::{Topic, Topics};
use llull_report::{FarParaphrase, MeaningKept, ParaphraseMeaning};

use crate::inputs::Inputs;

/// A study's queries that are worded anew, each beside its new wording.
pub(crate) struct Reworded<'a>(Vec<(&'a Topic, &'a Topic)>);

impl<'a> Reworded<'a> {
    /// Returns `None` if there are no paraphrases.
    pub(crate) fn of(inputs: &'a Inputs) -> Option<Self> {
        let paraphrases = inputs.paraphrases.as_ref()?;
        let pair = |topic: &'a Topic| Some((topic, paraphrases.get(&topic.id)?));
        Some(Self(inputs.topics.iter().filter_map(pair).collect()))
    }

    pub(crate) fn texts(&self) -> Vec<(&'a str, &'a str)> {
        self.0.iter().map(|(query, anew)| (query.text.as_str(), anew.text.as_str())).collect()
    }
}

/// Returns what cosines say of these queries, and the new wordings that are none of other meaning.
pub(crate) fn of_paraphrases(
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

fn folded(text: &str) -> String {
    text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
