//! The name that was probably meant by a misspelt one.

/// Returns the one of these names that a name probably means: it has most of its letters in the same order, and more
/// than half of them.
///
/// ```
/// use llull_core::nearest_name;
///
/// assert_eq!(nearest_name("corpsu", ["topics", "corpus"]), Some("corpus"));
/// assert_eq!(nearest_name("agreement", ["first_side", "kappa"]), None);
/// ```
pub fn nearest_name<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    let likeness = |known: &str| {
        let shared = common_subsequence(wanted.as_bytes(), known.as_bytes());
        2.0 * shared as f64 / (wanted.len() + known.len()).max(1) as f64
    };
    let all = known.into_iter().map(|known| (likeness(known), known));
    let best = all.max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.filter(|(likeness, _)| *likeness > 0.6).map(|(_, known)| known)
}

/// Returns the name that was probably meant, by serde's message about an unknown one.
///
/// ```
/// let message = "unknown field `deph`, expected `file` or `depth`";
/// assert_eq!(llull_core::nearest_expected(message), Some("depth"));
/// ```
pub fn nearest_expected(message: &str) -> Option<&str> {
    let begin = ["unknown field `", "unknown variant `"];
    let (name, known) = begin.iter().find_map(|begin| message.strip_prefix(begin))?.split_once('`')?;
    nearest_name(name, known.split('`').skip(1).step_by(2))
}

/// The length of the longest common subsequence.
fn common_subsequence(a: &[u8], b: &[u8]) -> usize {
    let mut row = vec![0; b.len() + 1];
    for left in a {
        let mut diagonal = 0;
        for (at, right) in b.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if left == right { diagonal + 1 } else { above.max(row[at]) };
            diagonal = above;
        }
    }
    row[b.len()]
}
