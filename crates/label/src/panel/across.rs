//! Makes labels that use no human label of their own query.

use llull_core::{Grade, Seed};

use super::choice::parts;
use super::combine::combine;
use super::combine_error::CombineError;
use super::combined::Combined;
use super::grades::PanelGrades;
use super::method::PanelMethod;

/// How many parts the labelled queries are split into.
const PARTS: usize = 5;

/// Combines the grades of a panel as [`combine`] does, each query by a fit to the human labels of *other* queries.
///
/// So a pair's human label is not part of the pair's combined label, and the two can be compared: figures that are
/// corrected by these human labels stay right. Queries without human labels have the fit to all of them. A method that
/// learns nothing from human labels gives the same result as [`combine`].
///
/// The models of the judges ([`Combined::judges`]) are those of the fit to all labels.
///
/// # Errors
/// Those of [`combine`], and an error if fewer than two queries have human labels.
pub fn combine_across_queries(
    panel: &PanelGrades,
    method: PanelMethod,
    truth: &[Option<Grade>],
    seed: Seed,
) -> Result<Combined, CombineError> {
    let whole = combine(panel, method, Some(truth))?;
    if !method.needs_truth() {
        return Ok(whole);
    }
    let known = |pair: usize| truth.get(pair).copied().flatten().and_then(|grade| panel.place_of(grade));
    let mut labelled: Vec<usize> = (0..panel.pairs())
        .filter(|pair| known(*pair).is_some())
        .filter_map(|pair| panel.query(pair))
        .collect();
    labelled.sort_unstable();
    labelled.dedup();
    if labelled.len() < 2 {
        return Err(CombineError::OneQuery(method));
    }
    let mut part_of: Vec<Option<usize>> = vec![None; labelled.last().map_or(0, |last| last + 1)];
    let parts = parts(&labelled, PARTS.min(labelled.len()), seed, "parts of a panel's labels");
    let mut fits = Vec::with_capacity(parts.len());
    for (at, part) in parts.iter().enumerate() {
        part.iter().for_each(|query| part_of[*query] = Some(at));
        let others: Vec<Option<Grade>> = (0..panel.pairs())
            .map(|pair| {
                let own = panel.query(pair).is_some_and(|query| part.contains(&query));
                truth.get(pair).copied().flatten().filter(|_| !own)
            })
            .collect();
        fits.push(combine(panel, method, Some(&others))?);
    }
    let mut across = Combined::new(method, panel, whole.judges.clone());
    for pair in 0..panel.pairs() {
        let part = panel.query(pair).and_then(|query| part_of.get(query).copied().flatten());
        let fit = part.and_then(|part| fits.get(part)).unwrap_or(&whole);
        let of = |values: &[Option<f64>]| values.get(pair).copied().flatten();
        across.push(fit.grades.get(pair).copied().flatten(), of(&fit.values), fit.probabilities(pair));
    }
    Ok(across)
}

#[cfg(test)]
mod tests {
    use llull_core::Scale;

    use super::*;

    /// Queries of eight documents, and two judges. The first has the human grades, the second has random ones; in
    /// query 0 the human grades are the second's.
    fn panel(queries: usize) -> (PanelGrades, Vec<Option<Grade>>) {
        let mut panel = PanelGrades::new(Scale::new(0, 3).unwrap(), 2);
        let mut truth = Vec::new();
        for query in 0..queries {
            for document in 0..8 {
                let (grade, other) = (document % 4, (3 * document + query as Grade) / 2 % 4);
                panel.push(query, [(0, grade), (1, other)]).unwrap();
                truth.push(Some(if query == 0 { other } else { grade }));
            }
        }
        (panel, truth)
    }

    #[test]
    fn the_label_of_a_query_does_not_know_what_people_say_of_it() {
        let (panel, truth) = panel(6);
        for method in ["best:1", "weights", "beta"] {
            let method = method.parse().unwrap();
            let labels = combine_across_queries(&panel, method, &truth, Seed(1)).unwrap();
            let mut other = truth.clone();
            other[..8].fill(Some(0));
            let changed = combine_across_queries(&panel, method, &other, Seed(1)).unwrap();
            assert_eq!(labels.grades[..8], changed.grades[..8], "{method}");
            assert_eq!(labels.values[..8], changed.values[..8], "{method}");
        }
    }

    #[test]
    fn queries_without_labels_have_the_fit_to_all() {
        let (panel, mut truth) = panel(6);
        truth[40..].fill(None);
        let method = PanelMethod::Weights;
        let (whole, across) = (
            combine(&panel, method, Some(&truth)).unwrap(),
            combine_across_queries(&panel, method, &truth, Seed(1)).unwrap(),
        );
        assert_eq!(whole.values[41], across.values[41]);
        assert_ne!(whole.values[0], across.values[0]);
        assert_eq!(whole.judges, across.judges);
    }

    #[test]
    fn one_query_is_too_few() {
        let (panel, truth) = panel(1);
        let refused = combine_across_queries(&panel, PanelMethod::Best(1), &truth, Seed(1));
        assert_eq!(refused, Err(CombineError::OneQuery(PanelMethod::Best(1))));
        let median = combine_across_queries(&panel, PanelMethod::Median, &truth, Seed(1)).unwrap();
        assert_eq!(median, combine(&panel, PanelMethod::Median, None).unwrap());
    }
}
