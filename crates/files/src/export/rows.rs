//! Labels and runs as rows with named columns.

use llull_core::{GRADE_PARTS, Qrels, Run, Topics};
use llull_data::{ColumnKind, Entry, RowTable};

/// Returns labels as rows of query, document, grade and source, the mean of a panel's grades if there are means, and
/// with `topics` also the query's text, which is missing if they lack the query.
pub fn label_rows<'a>(
    labels: &'a Qrels,
    topics: Option<&'a Topics>,
    source: impl Fn(&str, &str) -> &'a str + 'a,
) -> RowTable<'a> {
    let mut columns = vec![
        ("query", ColumnKind::Text),
        ("document", ColumnKind::Text),
        ("grade", ColumnKind::Whole),
        ("source", ColumnKind::Text),
    ];
    let has_means = labels.has_means();
    columns.extend(has_means.then_some(("mean", ColumnKind::Number)));
    columns.extend(topics.map(|_| ("query_text", ColumnKind::Text)));
    let pairs = labels.iter().flat_map(|(query, documents)| {
        let mean =
            |place: usize| documents.means().get(place).map(|mean| f64::from(*mean) / f64::from(GRADE_PARTS));
        let labels = documents.iter().enumerate();
        labels.map(move |(place, (document, grade))| (query, document, grade, mean(place)))
    });
    let rows = pairs.map(move |(query, document, grade, mean)| {
        let source = Entry::text(source(query, document));
        let mut row =
            vec![Entry::text(query), Entry::text(document), Entry::Whole(i64::from(*grade)), source];
        let mean = mean.unwrap_or(f64::from(*grade));
        row.extend(has_means.then_some(Entry::Number(mean)));
        row.extend(topics.map(|topics| match topics.get(query) {
            Some(topic) => Entry::text(topic.text.as_str()),
            None => Entry::Missing,
        }));
        row
    });
    RowTable::new(columns, rows)
}

/// Returns runs as rows of system, query, document, rank and score, the best documents first.
pub fn run_rows<'a>(runs: &'a [&'a Run]) -> RowTable<'a> {
    let columns = vec![
        ("system", ColumnKind::Text),
        ("query", ColumnKind::Text),
        ("document", ColumnKind::Text),
        ("rank", ColumnKind::Whole),
        ("score", ColumnKind::Number),
    ];
    let rows = runs.iter().flat_map(|run| {
        run.iter().flat_map(move |(query, ranking)| {
            ranking.iter().map(move |hit| {
                vec![
                    Entry::text(run.name.as_str()),
                    Entry::text(query),
                    Entry::text(hit.document),
                    Entry::Whole(i64::try_from(hit.rank).unwrap_or(i64::MAX)),
                    Entry::Number(hit.score),
                ]
            })
        })
    });
    RowTable::new(columns, rows)
}

#[cfg(test)]
mod tests {
    use llull_core::{Ranking, Topic};
    use llull_data::{read_qrels, read_run};

    use super::super::csv;
    use super::*;

    #[test]
    fn labels_are_read_back_with_and_without_texts() {
        let mut labels = Qrels::default();
        labels.insert("q1", "d1", 3);
        labels.insert("q1", "d2", 0);
        labels.insert("q2", "d1", -1);
        let mut topics = Topics::default();
        topics.insert(Topic { id: "q1".into(), text: "reset, a password".into() });
        let source = |_: &str, document: &str| if document == "d1" { "judge" } else { "base" };
        let with_texts = csv(label_rows(&labels, Some(&topics), source));
        assert_eq!(
            with_texts,
            "query,document,grade,source,query_text\nq1,d1,3,judge,\"reset, a password\"\n\
             q1,d2,0,base,\"reset, a password\"\nq2,d1,-1,judge,\n"
        );
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("labels.csv");
        for text in [with_texts, csv(label_rows(&labels, None, source))] {
            fs_err::write(&path, text).unwrap();
            assert_eq!(read_qrels(&path).unwrap().qrels, labels);
        }
    }

    #[test]
    fn a_panels_mean_has_a_column() {
        let mut labels = Qrels::default();
        labels.insert("q1", "d1", 1);
        labels.set_mean("q1", "d1", GRADE_PARTS / 2);
        labels.insert("q2", "d1", 3);
        let text = csv(label_rows(&labels, None, |_, _| "judge"));
        assert_eq!(text, "query,document,grade,source,mean\nq1,d1,1,judge,0.5\nq2,d1,3,judge,3\n");
    }

    #[test]
    fn runs_are_read_back_by_their_names() {
        let mut old = Run::new("old");
        old.insert("q1", Ranking::from_scored([("d1", 0.1), ("d2", 1e-9)]));
        let mut new = Run::new("new");
        new.insert("q1", Ranking::from_scored([("d2", 7.0)]));
        let text = csv(run_rows(&[&old, &new]));
        assert_eq!(
            text,
            "system,query,document,rank,score\nold,q1,d1,1,0.1\nold,q1,d2,2,0.000000001\nnew,q1,d2,1,7\n"
        );
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.csv");
        fs_err::write(&path, text).unwrap();
        let options = llull_data::ReadRunOptions { name: Some("old".into()), ..Default::default() };
        assert_eq!(read_run(&path, &options).unwrap().run, old);
    }
}
