//! Labels with features, for tools that learn to rank.

use llull_core::{Hit, Qrels, Run};
use llull_data::{LetorPair, LetorQuery, PairFeatures};
use rustc_hash::FxHashMap;

/// Where the features of a document come from.
#[derive(Debug, Clone, Copy)]
pub enum FeatureSource<'a> {
    /// Of each run, the score and 1/rank of the document. A document that the run does not have has neither.
    Runs(&'a [&'a Run]),
    /// A file.
    File(&'a PairFeatures),
}

/// Labels with features.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgmentList<'a> {
    /// The names of the features.
    pub features: Vec<String>,
    /// The queries with their labelled documents.
    pub queries: Vec<LetorQuery<'a>>,
    /// The number of labelled documents without any feature.
    pub without_features: usize,
}

/// Returns labels with features.
pub fn judgment_list<'a>(labels: &'a Qrels, source: FeatureSource<'_>) -> JudgmentList<'a> {
    let features = match source {
        FeatureSource::Runs(runs) => runs
            .iter()
            .flat_map(|run| [format!("{} score", run.name), format!("{} 1/rank", run.name)])
            .collect(),
        FeatureSource::File(file) => file.names.clone(),
    };
    let mut without_features = 0;
    let queries = labels.iter().map(|(id, documents)| {
        let found = of_query(source, id);
        let pairs = documents.iter().map(|(document, grade)| {
            let features = found(document);
            without_features += usize::from(features.iter().all(Option::is_none));
            LetorPair { document, grade: *grade, features }
        });
        LetorQuery { id, pairs: pairs.collect() }
    });
    let queries = queries.collect();
    JudgmentList { features, queries, without_features }
}

/// Finds the features of a query's document.
type Features<'s> = Box<dyn Fn(&str) -> Vec<Option<f64>> + 's>;

fn of_query<'s>(source: FeatureSource<'s>, query: &str) -> Features<'s> {
    match source {
        FeatureSource::File(file) => {
            let query = query.to_owned();
            Box::new(move |document| file.get(&query, document).map(<[_]>::to_vec).unwrap_or_default())
        }
        FeatureSource::Runs(runs) => {
            let by_document = |run: &&'s Run| {
                let hits = run.ranking(query).into_iter().flat_map(llull_core::Ranking::iter);
                hits.map(|hit| (hit.document, hit)).collect::<FxHashMap<&str, Hit<'_>>>()
            };
            let hits: Vec<_> = runs.iter().map(by_document).collect();
            Box::new(move |document| {
                let of_run = |hits: &FxHashMap<&str, Hit<'_>>| {
                    let hit = hits.get(document);
                    [hit.map(|hit| hit.score), hit.map(|hit| 1.0 / hit.rank as f64)]
                };
                hits.iter().flat_map(of_run).collect()
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use llull_core::Ranking;

    use super::*;

    fn labels() -> Qrels {
        let mut labels = Qrels::default();
        labels.insert("q1", "a", 2);
        labels.insert("q1", "b", 0);
        labels.insert("q2", "a", 1);
        labels
    }

    #[test]
    fn a_run_gives_score_and_reciprocal_rank() {
        let mut old = Run::new("old");
        old.insert("q1", Ranking::from_scored([("a", 7.0), ("x", 6.0), ("b", 5.0)]));
        let mut new = Run::new("new");
        new.insert("q1", Ranking::from_scored([("b", 0.5)]));
        let labels = labels();
        let found = judgment_list(&labels, FeatureSource::Runs(&[&old, &new]));
        assert_eq!(found.features, ["old score", "old 1/rank", "new score", "new 1/rank"]);
        let of = |query: usize, at: usize| found.queries[query].pairs[at].features.clone();
        assert_eq!(of(0, 0), [Some(7.0), Some(1.0), None, None]);
        assert_eq!(of(0, 1), [Some(5.0), Some(1.0 / 3.0), Some(0.5), Some(1.0)]);
        assert_eq!(of(1, 0), [None; 4], "no run has the query");
        assert_eq!(found.without_features, 1);
    }

    #[test]
    fn a_file_gives_its_columns() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("features.csv");
        fs_err::write(&path, "query,document,bm25,clicks\nq1,a,1.5,3\nq1,b,,0\nq9,a,1,1\n").unwrap();
        let file = llull_data::read_pair_features(&path, &Default::default()).unwrap();
        let labels = labels();
        let found = judgment_list(&labels, FeatureSource::File(&file));
        assert_eq!(found.features, ["bm25", "clicks"]);
        assert_eq!(found.queries[0].pairs[1].features, [None, Some(0.0)]);
        assert_eq!(found.without_features, 1);
    }
}
