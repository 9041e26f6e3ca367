//! ranx's names, by its own figures: ranx 0.3.21, `evaluate` of the one query below. Its documents have scores
//! that fall with the rank.

use crate::lists;

const FIGURES: [(&str, f64); 24] = [
    ("precision", 0.6),
    ("precision-l2", 0.3),
    ("precision@5-l2", 0.4),
    ("recall@5-l2", 0.4),
    ("map-l2", 0.22166666666666668),
    ("map@4-l2", 0.06666666666666667),
    ("mrr-l3", 0.2),
    ("r-precision-l2", 0.4),
    ("hits-l2", 3.0),
    ("hits@4-l2", 1.0),
    ("f1-l2", 0.4),
    ("f1", 0.6),
    ("f1@3", 0.30769230769230765),
    ("f1@5-l2", 0.4),
    ("f1@20", 0.4),
    ("f1@4-l3", 0.0),
    ("hit_rate", 1.0),
    ("hit_rate-l3", 1.0),
    ("hit_rate@2-l2", 0.0),
    ("ndcg-l2", 0.37082153870402484),
    ("ndcg@4-l2", 0.14805728754340064),
    ("ndcg@6-l3", 0.23719771276929622),
    ("dcg@5-l2", 2.160558421703625),
    ("bpref-l2", 0.36),
];

#[test]
fn a_name_of_ranx_has_the_figure_of_ranx() {
    let grades = [Some(1), None, Some(2), Some(0), Some(3), Some(1), None, Some(2), Some(0), Some(1)];
    let values = lists::values(&FIGURES.map(|(name, _)| name), &grades, &[3, 2, 1, 1]);
    for ((name, expected), value) in FIGURES.into_iter().zip(values) {
        assert!((value - expected).abs() < 1e-12, "{name}: {value} and not {expected}");
    }
}
