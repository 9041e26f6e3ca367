//! Explains the terms of the page, in a sentence each.

const TERMS: [&str; 7] = [
    "The interval is the range in which the figure would likely be with other queries of the same kind. More queries \
     make it narrower.",
    "The baseline is the system that the others are compared with, query by query.",
    "The pool has every document that a system ranked high for a query. The judges label pooled pairs of query and \
     document.",
    "A grade is how relevant a document is to a query by the rubric; the lowest means not at all.",
    "A gate is a condition that was set before the run. A build fails if a gate fails.",
    "Chance, or the random baseline, is a judge that answers at random.",
    "A fingerprint is a short number made of the judge's model, prompt and settings. Equal fingerprints mean the same \
     judge; blake3 makes such numbers of files.",
];
const AGREEMENT: [&str; 3] = [
    "Kappa is agreement beyond chance: 1 is perfect, 0 is chance. Quadratic kappa forgives near misses.",
    "Alpha is the agreement of all judges beyond chance. Judges that agree can still share mistakes.",
    "Tau compares two orders of systems: 1 is the same order, -1 the reverse.",
];
const TOURNAMENTS: [&str; 2] = [
    "A tier is a group of documents without a clear difference.",
    "A cycle is a before b, b before c and c before a, which no order can satisfy.",
];

/// Returns the sentences: of these measures, and of the terms that the page has.
pub(super) fn glossary<'a>(
    measures: impl IntoIterator<Item = &'a str>,
    agreement: bool,
    tournaments: bool,
) -> Vec<&'static str> {
    let mut sentences: Vec<&'static str> = Vec::new();
    for sentence in measures.into_iter().filter_map(measure) {
        if !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
    sentences.extend(TERMS);
    if agreement {
        sentences.extend(AGREEMENT);
    }
    if tournaments {
        sentences.extend(TOURNAMENTS);
    }
    sentences
}

/// The explanation of the measure with this name; `None` for one that has none here.
pub(super) fn measure(name: &str) -> Option<&'static str> {
    let base = name.split(['@', '(']).next().unwrap_or(name);
    Some(match base {
        "nDCG" => {
            "nDCG is how much of the best possible order a system's ranking reaches: 1 is perfect, 0 finds nothing, \
             and good documents count more the higher they are ranked."
        }
        "DCG" => "DCG adds up the grades of the returned documents; higher ranks count more.",
        "P" => "P is the share of the first documents that are relevant.",
        "R" | "Recall" => "R is the share of all known relevant documents that a system found.",
        "RR" | "MRR" => {
            "RR is one divided by the rank of the first relevant document: 1 at the top, 0.5 in second place."
        }
        "AP" | "MAP" => {
            "AP is the mean of the precision at every relevant document: 1 puts all of them first."
        }
        "Success" => "Success is the share of queries with at least one relevant document among the first.",
        "ERR" => "ERR is how soon a reader who goes from top to bottom is expected to be satisfied.",
        "RBP" => {
            "RBP is the rate at which a reader, who goes on to the next document with a fixed chance, gains."
        }
        "Judged" => {
            "Judged is the share of the first documents that have a label; it does not measure quality."
        }
        "Bpref" => "Bpref is how seldom documents known to be bad are ranked above those known to be good.",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measure_is_explained_once_and_a_term_where_the_page_has_it() {
        let found = glossary(["nDCG@10", "nDCG@5", "P@5", "P@1"], false, true);
        assert!(found[0].starts_with("nDCG is") && found[1].starts_with("P is"), "{found:?}");
        assert_eq!(found.len(), 2 + TERMS.len() + TOURNAMENTS.len());
    }
}
