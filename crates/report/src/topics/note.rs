//! What a reader of a query's figures should know.

/// What a reader of a query's figures should know: that nothing was pooled, that nothing is labelled, that no
/// document reaches the cutoff (so every measure that counts from there is 0, whatever a system does; nDCG still tells
/// lower grades apart), or that labels are missing. Without a cutoff, where no grade says "relevant", `relevant` is not
/// looked at.
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
