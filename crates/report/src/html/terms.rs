//! Explains a term in one plain sentence.

/// The explanation of the measure with this name; `None` for one that has none here.
pub(super) fn measure(name: &str) -> Option<&'static str> {
    let base = name.split(['@', '(']).next().unwrap_or(name);
    Some(match base {
        "nDCG" => {
            "nDCG is how much of the best possible order a system's ranking reaches: 1 is perfect, 0 finds nothing, \
             and good documents count more the higher they stand."
        }
        "DCG" => "DCG adds up the grades of what a system returned, the higher it stands the more.",
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
        "Bpref" => "Bpref is how seldom documents known to be bad stand above those known to be good.",
        _ => return None,
    })
}
