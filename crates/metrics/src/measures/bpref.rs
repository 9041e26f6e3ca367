//! Binary preference: of all pairs of a relevant and one of the first R documents judged not relevant, the share that the run
//! has in the right order; a relevant document that is not retrieved counts 0. Only judged documents count, so it hardly moves
//! while labels are few. From 0 to 1.
//!
//! Σ 1 - min(n, R) / min(N, R) over retrieved relevant documents, divided by R, where n is how many documents judged not relevant
//! are ahead, R how many relevant and N how many not relevant ones the labels know. Buckley and Voorhees, Retrieval evaluation with incomplete
//! information, SIGIR 2004, with min(N, R) since trec_eval 8; trec_eval's `bpref`.

use super::view::{View, is_relevant, lacks_label};
use crate::parameter::Relevant;

/// 0 when the labels know no relevant document.
pub(super) fn value(view: &View<'_>, rel: Relevant) -> f64 {
    let relevant = view.relevant(rel);
    if relevant == 0 {
        return 0.0;
    }
    let most = (view.zeros + view.ideal.len() - relevant).min(relevant) as f64;
    let (mut ahead, mut sum) = (0usize, 0.0);
    for grade in view.retrieved.iter().filter(|grade| !lacks_label(**grade)) {
        if !is_relevant(*grade, rel) {
            ahead += 1;
        } else if ahead == 0 {
            sum += 1.0;
        } else {
            sum += 1.0 - ahead.min(relevant) as f64 / most;
        }
    }
    sum / relevant as f64
}
