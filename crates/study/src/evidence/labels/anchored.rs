//! Fits tiers to the grades of a few of their documents.

use std::collections::BTreeMap;

use llull_core::{Grade, Item, Scale, Status};
use llull_label::{Anchored, TierView, anchored, median};
use llull_runner::Evidence;

use crate::error::StudyError;
use crate::evidence::ComparedQuery;

/// Fits the grades of a few documents of each tier to the tiers, query by query. A query without a usable grade has an
/// empty fit.
///
/// # Errors
/// Returns an error if a grade is not on the scale.
pub(crate) fn fit_anchors(
    scale: Scale,
    queries: &[ComparedQuery],
    graders: &Evidence,
) -> Result<Vec<Anchored>, StudyError> {
    let mut grades: Vec<BTreeMap<Item, Grade>> = vec![BTreeMap::new(); queries.len()];
    let mut by_judge: Vec<_> = graders.judges().iter().map(|judge| judge.questions()).collect();
    for question in graders.questions() {
        let votes: Vec<Option<Grade>> = by_judge
            .iter_mut()
            .flat_map(|judge| judge.next().into_iter().flatten().map(Status::grade))
            .collect();
        let at = queries.iter().position(|query| query.topic == question.topic);
        let Some((query, grades)) = at.and_then(|at| Some((queries.get(at)?, grades.get_mut(at)?))) else {
            continue;
        };
        let item = query.documents.iter().position(|document| question.documents.first() == Some(document));
        let usable: Vec<Grade> = votes.into_iter().flatten().collect();
        if let (Some(item), Some(grade)) = (item, median(&usable)) {
            grades.insert(Item::at(item), grade.grade);
        }
    }
    let fit = |(query, grades): (&ComparedQuery, &BTreeMap<Item, Grade>)| {
        let views: Vec<TierView<'_>> = query.outcome.tiers.iter().map(TierView::from).collect();
        Ok(anchored(query.documents.len(), &views, grades, scale)?)
    };
    queries.iter().zip(&grades).map(fit).collect()
}
