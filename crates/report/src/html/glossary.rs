//! Terms that the page explains at their first use.
//!
//! The top explains the terms of the decision, each section its own.

use serde::Serialize;

use super::terms;

/// A term, the words that show it in a text, and its explanation.
struct Term {
    name: &'static str,
    words: &'static [&'static str],
    sentence: &'static str,
}

const TERMS: [Term; 13] = [
    Term {
        name: "interval",
        words: &["interval", "[0", "[+", "[-"],
        sentence: "An interval is the range in which the figure would likely lie with other queries of the same kind; \
                   the fewer queries, the wider it is.",
    },
    Term {
        name: "baseline",
        words: &["baseline"],
        sentence: "The baseline is the system that the others are compared with.",
    },
    Term {
        name: "pool",
        words: &["pool"],
        sentence: "The pool is every document that some system put high for a query; judges judge the pooled pairs.",
    },
    Term {
        name: "grade",
        words: &["grade"],
        sentence: "A grade is how relevant a document is to a query by the rubric, from the lowest number, not at all, \
                   to the highest.",
    },
    Term {
        name: "gate",
        words: &["gate"],
        sentence: "A gate is a condition that was set before: a build fails where it does not hold.",
    },
    Term {
        name: "chance",
        words: &["chance"],
        sentence: "Chance is the figure of a judge that answers at random.",
    },
    Term {
        name: "kappa",
        words: &["kappa"],
        sentence: "Kappa is agreement beyond chance: 1 is perfect, 0 is what two strangers with the same habits would \
                   reach. Quadratic kappa forgives near misses.",
    },
    Term {
        name: "alpha",
        words: &["alpha"],
        sentence: "Alpha is the agreement of all judges beyond chance; that judges agree does not make them right, \
                   since models share mistakes.",
    },
    Term {
        name: "tau",
        words: &["tau"],
        sentence: "Tau compares two orders of systems: 1 is the same order, -1 the reverse.",
    },
    Term {
        name: "tier",
        words: &["tier"],
        sentence: "A tier is a group of documents that the comparisons do not tell apart.",
    },
    Term {
        name: "cycle",
        words: &["cycle", "cyclic"],
        sentence: "A cycle is a before b, b before c and c before a, which no order can satisfy.",
    },
    Term {
        name: "unusable",
        words: &["unusable"],
        sentence: "An unusable answer is one that cannot be read as a grade or a choice; it counts as no answer, never \
                   as a grade.",
    },
    Term {
        name: "fingerprint",
        words: &["fingerprint"],
        sentence: "A fingerprint is a short number made of everything that decides what a judge answers: two with one \
                   fingerprint are the same judge. blake3 makes such numbers of files.",
    },
];

/// The explanations of the page, by place.
#[derive(Debug, Serialize)]
pub(super) struct Glossary {
    /// The sentences below the decision.
    opening: Vec<&'static str>,
    /// The names of terms that need no further sentence.
    explained: Vec<&'static str>,
    /// The sentence of every term, by name.
    says: std::collections::BTreeMap<&'static str, &'static str>,
    /// The explanations of measures that do not decide, one sentence each.
    measures: Vec<&'static str>,
}

impl Glossary {
    /// The glossary of a page that begins with these texts, whose deciding measure is `primary` and whose tables have
    /// these measures.
    pub(super) fn new<'a>(
        opening: &[&str],
        primary: &str,
        measures: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let texts = opening.join("\n").to_lowercase();
        let stands = |term: &&Term| term.words.iter().any(|word| has_word(&texts, word));
        let used: Vec<&Term> = TERMS.iter().filter(stands).collect();
        let decides = terms::measure(primary);
        let first = opening.iter().any(|text| text.contains(primary));
        let mut others: Vec<&'static str> = Vec::new();
        for sentence in measures.into_iter().filter_map(terms::measure) {
            if Some(sentence) != decides && !others.contains(&sentence) {
                others.push(sentence);
            }
        }
        let of_measure = decides.filter(|_| first);
        let mut explained: Vec<&'static str> = used.iter().map(|term| term.name).collect();
        explained.extend(of_measure.map(|_| "measure"));
        Self {
            opening: of_measure.into_iter().chain(used.iter().map(|term| term.sentence)).collect(),
            explained,
            says: TERMS.iter().map(|term| (term.name, term.sentence)).collect(),
            measures: others,
        }
    }
}

/// Whether a word begins somewhere in a text: `tier` in `tiers`, not in `frontier`.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_opening_says_is_explained_there_and_not_again() {
        let opening = ["dense is better than bm25 by nDCG@10: +0.05 [0.01, 0.09]", "3 of 9 pooled pairs"];
        let found = Glossary::new(&opening, "nDCG@10", ["nDCG@10", "nDCG@5", "P@5", "P@1"]);
        assert_eq!(found.explained, ["interval", "pool", "measure"]);
        assert!(found.opening[0].starts_with("nDCG is") && found.opening.len() == 3);
        assert_eq!(found.measures.len(), 1, "nDCG is explained, and P once");
    }

    #[test]
    fn a_word_begins_where_it_stands() {
        assert!(has_word("two tiers", "tier") && has_word("+0.1 [0", "[0"));
        assert!(!has_word("frontier", "tier") && !has_word("investigate", "gate"));
    }
}
