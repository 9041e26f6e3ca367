//! How near in meaning texts that probes change are to what they were.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::{count, counted};

/// The most queries that a sentence names.
const NAMED: usize = 5;

/// How near in meaning the texts that judges were probed with are to what they were, by an encoder: cosines of vectors,
/// from -1 to 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedMeaning {
    /// The encoder.
    pub encoder: String,
    /// Of queries that are worded anew; null if there are none.
    pub paraphrases: Option<ParaphraseMeaning>,
    /// Of the documents that each probe has changed.
    pub changed: Vec<ProbeMeaning>,
}

/// How near texts are to what they were.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeaningKept {
    /// The mean cosine.
    pub mean: f64,
    /// The lowest.
    pub lowest: f64,
}

/// How near queries that are worded anew are to the queries themselves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ParaphraseMeaning {
    /// The cosine from which on a query is taken for a paraphrase.
    pub threshold: f64,
    /// How many of the study's queries are worded anew.
    pub n: usize,
    /// Their cosines, but for those that are as they were; null if no cosine is known.
    pub kept: Option<MeaningKept>,
    /// The queries that are as they were, but for case and blanks: there only the documents' words are changed.
    pub identical: Vec<String>,
    /// The queries that mean something else: the probe leaves them out.
    pub far: Vec<FarParaphrase>,
    /// How many have no vector yet, so that their cosine is not known.
    pub without_vector: usize,
}

/// A query whose new wording means something else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FarParaphrase {
    /// The query's identifier.
    pub query: String,
    /// The cosine of both wordings.
    pub cosine: f64,
}

/// How near the documents that a probe has changed are to what they were.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProbeMeaning {
    /// The probe's name.
    pub probe: String,
    /// How many documents it has changed.
    pub n: usize,
    /// Their cosines; null if none is known.
    pub kept: Option<MeaningKept>,
    /// How many have no vector yet, so that their cosine is not known.
    pub without_vector: usize,
}

impl MeaningKept {
    /// Returns the mean and the lowest of cosines; `None` without any.
    pub fn of(cosines: &[f64]) -> Option<Self> {
        let lowest = cosines.iter().copied().min_by(f64::total_cmp)?;
        Some(Self { mean: cosines.iter().sum::<f64>() / cosines.len() as f64, lowest })
    }

    fn in_words(self) -> String {
        format!("{:.3} in the mean, {:.3} at the lowest", self.mean, self.lowest)
    }
}

impl ParaphraseMeaning {
    /// The threshold where nothing else is said. Paraphrases are about .8 with all-MiniLM-L6-v2, related words .3.
    pub const DEFAULT_THRESHOLD: f64 = 0.7;
}

impl ChangedMeaning {
    /// Returns all of it as sentences: of paraphrases, and of each probe.
    pub fn sentences(&self) -> Vec<String> {
        let paraphrases = self.paraphrases.iter().map(|found| self.of_paraphrases(found));
        paraphrases.chain(self.changed.iter().map(|found| self.of_probe(found))).collect()
    }

    fn of_paraphrases(&self, found: &ParaphraseMeaning) -> String {
        let ParaphraseMeaning { threshold, n, kept, identical, far, without_vector } = found;
        let cosines = match kept {
            Some(kept) => format!("their cosines are {} ({})", kept.in_words(), self.encoder),
            None if *without_vector > 0 => format!("of no known cosine ({})", self.encoder),
            None => "none of them in other words".to_owned(),
        };
        let named: Vec<String> =
            far.iter().take(NAMED).map(|far| format!("{} {:.3}", far.query, far.cosine)).collect();
        let named = match far.len() {
            0 => String::new(),
            1..=NAMED => format!(" ({})", named.join(", ")),
            _ => format!(" ({}, ...)", named.join(", ")),
        };
        let identical = match identical.len() {
            0 => String::new(),
            same => format!("; {} as they were, where only documents are changed", count(same)),
        };
        format!(
            "paraphrases: {} worded anew, {cosines}; {} below {threshold} left out{named}{identical}{}",
            counted(*n, "query"),
            count(far.len()),
            without(*without_vector)
        )
    }

    fn of_probe(&self, found: &ProbeMeaning) -> String {
        let ProbeMeaning { probe, n, kept, without_vector } = found;
        let cosines = match kept {
            Some(kept) => format!("whose cosines with what they were are {}", kept.in_words()),
            None => "whose cosines with what they were are not known".to_owned(),
        };
        format!(
            "{probe}: {} changed, {cosines} ({}){}",
            counted(*n, "document"),
            self.encoder,
            without(*without_vector)
        )
    }
}

fn without(vectors: usize) -> String {
    match vectors {
        0 => String::new(),
        missing => format!("; {} without a vector", count(missing)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(paraphrases: Option<ParaphraseMeaning>, changed: Vec<ProbeMeaning>) -> Vec<String> {
        ChangedMeaning { encoder: "letters".into(), paraphrases, changed }.sentences()
    }

    #[test]
    fn what_is_not_known_is_said() {
        let far = |at: u8| FarParaphrase { query: format!("q{at}"), cosine: f64::from(at) / 10.0 };
        let all = ParaphraseMeaning {
            threshold: 0.7,
            n: 20,
            kept: MeaningKept::of(&[0.5, 1.0, 0.0]),
            identical: vec!["q9".into()],
            far: (0..6).map(far).collect(),
            without_vector: 2,
        };
        let one = ParaphraseMeaning { far: vec![far(1)], identical: Vec::new(), without_vector: 0, ..all };
        assert_eq!(
            [meaning(Some(all.clone()), Vec::new()), meaning(Some(one), Vec::new())].concat(),
            [
                "paraphrases: 20 queries worded anew, their cosines are 0.500 in the mean, 0.000 at the lowest \
                 (letters); 6 below 0.7 left out (q0 0.000, q1 0.100, q2 0.200, q3 0.300, q4 0.400, ...); 1 as they \
                 were, where only documents are changed; 2 without a vector",
                "paraphrases: 20 queries worded anew, their cosines are 0.500 in the mean, 0.000 at the lowest \
                 (letters); 1 below 0.7 left out (q1 0.100)",
            ]
        );
        let none = ParaphraseMeaning { kept: None, far: Vec::new(), identical: Vec::new(), ..all };
        assert!(meaning(Some(none.clone()), Vec::new())[0].contains("of no known cosine (letters); 0 below"));
        let same = ParaphraseMeaning { without_vector: 0, ..none };
        assert!(meaning(Some(same), Vec::new())[0].contains("none of them in other words; 0 below"));
        let probe =
            |kept, without_vector| ProbeMeaning { probe: "swapped".into(), n: 2, kept, without_vector };
        assert_eq!(
            meaning(None, vec![probe(MeaningKept::of(&[0.25, 0.75]), 0), probe(None, 2)]),
            [
                "swapped: 2 documents changed, whose cosines with what they were are 0.500 in the mean, 0.250 at the \
                 lowest (letters)",
                "swapped: 2 documents changed, whose cosines with what they were are not known (letters); 2 without a \
                 vector",
            ]
        );
        assert_eq!(MeaningKept::of(&[]), None);
    }
}
