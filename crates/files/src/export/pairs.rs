//! Pairs of documents of which one is better, with weights, to train rankers with.

use llull_core::{Ballots, Qrels};
use llull_data::{ColumnKind, Entry, RowTable};

use crate::preferences::PairVotes;

fn table<'a>(rows: impl Iterator<Item = Vec<Entry<'a>>> + 'a) -> RowTable<'a> {
    let columns = vec![
        ("query", ColumnKind::Text),
        ("better", ColumnKind::Text),
        ("worse", ColumnKind::Text),
        ("weight", ColumnKind::Number),
    ];
    RowTable::new(columns, rows)
}

/// Returns each pair of a query's documents with different grades; the weight is the difference.
pub fn graded_pairs(labels: &Qrels) -> RowTable<'_> {
    table(labels.iter().flat_map(|(query, documents)| {
        documents.iter().flat_map(move |(better, high)| {
            documents.iter().filter(move |(_, low)| *low < high).map(move |(worse, low)| {
                let weight = f64::from(*high) - f64::from(*low);
                vec![Entry::text(query), Entry::text(better), Entry::text(worse), Entry::Number(weight)]
            })
        })
    }))
}

/// Returns each pair of a query's documents for which one document has more votes; the weight is the lead. Also
/// returns the number of compared pairs without a lead.
pub fn voted_pairs(ballots: &Ballots) -> (RowTable<'static>, usize) {
    let (mut rows, mut even) = (Vec::new(), 0);
    for (query, first, second, lead) in PairVotes::of(ballots).leads() {
        if lead == 0.0 {
            even += 1;
            continue;
        }
        let (better, worse) = if lead > 0.0 { (first, second) } else { (second, first) };
        rows.push(vec![
            query.map_or(Entry::Missing, |query| Entry::text(query.to_owned())),
            Entry::text(better.to_owned()),
            Entry::text(worse.to_owned()),
            Entry::Number(lead.abs()),
        ]);
    }
    (table(rows.into_iter()), even)
}

#[cfg(test)]
mod tests {
    use llull_core::Ballot;
    use proptest::prelude::*;

    use super::super::csv;
    use super::*;

    #[test]
    fn equal_grades_make_no_pair() {
        let mut labels = Qrels::default();
        for (query, document, grade) in
            [("q1", "a", 3), ("q1", "b", 1), ("q1", "c", 1), ("q1", "d", -1), ("q2", "a", 1)]
        {
            labels.insert(query, document, grade);
        }
        assert_eq!(
            csv(graded_pairs(&labels)),
            "query,better,worse,weight\nq1,a,b,2\nq1,a,c,2\nq1,a,d,4\nq1,b,d,2\nq1,c,d,2\n"
        );
    }

    #[test]
    fn a_lead_is_the_votes_for_less_those_against() {
        let mut ballots = Ballots::default();
        let topic = ballots.topic(Some("q1"));
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|id| topic.item(id));
        topic.ballots.push(Ballot::new(vec![vec![a], vec![b, c]]));
        topic.ballots.push(Ballot { weight: 0.5, ..Ballot::strict([b, a]) });
        topic.ballots.push(Ballot { rest: vec![c, d], ..Ballot::strict([b]) });
        topic.ballots.push(Ballot::strict([c, b]));
        let (rows, even) = voted_pairs(&ballots);
        // Of the two that rank below all, neither is better. b and c tie, have a vote each, and so no lead.
        assert_eq!(csv(rows), "query,better,worse,weight\nq1,a,b,0.5\nq1,a,c,1\nq1,b,d,1\n");
        assert_eq!(even, 1);
    }

    proptest! {
        /// However documents are graded, each pair with different grades is there once, the better one first.
        #[test]
        fn every_pair_is_there_once(grades in proptest::collection::vec(0i32..4, 0..8)) {
            let mut labels = Qrels::default();
            for (at, grade) in grades.iter().enumerate() {
                labels.insert("q", &format!("d{at}"), *grade);
            }
            let text = csv(graded_pairs(&labels));
            let rows: Vec<&str> = text.lines().skip(1).collect();
            let mut expected = 0;
            for one in 0..grades.len() {
                for other in 0..grades.len() {
                    if grades[one] > grades[other] {
                        let row = format!("q,d{one},d{other},{}", grades[one] - grades[other]);
                        prop_assert_eq!(rows.iter().filter(|found| **found == row).count(), 1);
                        expected += 1;
                    }
                }
            }
            prop_assert_eq!(rows.len(), expected);
        }
    }
}
