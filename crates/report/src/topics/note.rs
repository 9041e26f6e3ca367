//! Remarks on a query's figures.

/// A remark for the reader of a query's figures: nothing was pooled, nothing is labelled, no document reaches the
/// cutoff, or labels are missing. Below the cutoff every measure that counts from there is 0 for all systems, while
/// nDCG still separates lower grades. Without a cutoff, where no grade counts as relevant, `relevant` is not used.
pub fn topic_note(
    pooled: usize,
    labelled: usize,
    relevant: usize,
    cutoff: impl Into<Option<i32>>,
) -> Option<String> {
    let missing = pooled.saturating_sub(labelled);
    let unlabelled = || format!("{missing} of {pooled} pooled documents have no label");
    let unreached = cutoff.into().filter(|_| relevant == 0);
    match (pooled, labelled, unreached) {
        (0, _, _) => Some("No system returned a document.".to_owned()),
        (_, 0, _) => Some(format!("None of the {pooled} pooled documents has a label.")),
        (_, _, Some(cutoff)) if missing == 0 => {
            Some(format!("No document reaches grade {cutoff}: there is nothing relevant to find here."))
        }
        (_, _, Some(cutoff)) => {
            Some(format!("No labelled document reaches grade {cutoff}, and {}.", unlabelled()))
        }
        _ if missing > 0 => Some(format!("{}.", unlabelled())),
        _ => None,
    }
}
