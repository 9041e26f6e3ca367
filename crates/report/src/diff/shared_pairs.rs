//! The labels of pairs that two label sets share.

use llull_core::Qrels;

/// The labels of both, of the pairs that both have: the same queries and documents on both sides, so that systems
/// measured under the two differ by the grades alone. A pair that one of them drops is dropped from both.
pub(super) fn of_shared_pairs(first: &Qrels, second: &Qrels) -> [Qrels; 2] {
    let mut shared = [Qrels::default(), Qrels::default()];
    let [here, there] = &mut shared;
    for (query, documents) in first.iter() {
        let Some(others) = second.topic(query) else { continue };
        for (document, grade) in documents {
            if let Some(other) = others.get(document) {
                here.insert(query, document, *grade);
                there.insert(query, document, *other);
            }
        }
    }
    shared.map(|labels| labels.dropping_as(first).dropping_as(second))
}
