//! The columns of a table in memory, found by their usual names as those of a file are.

use super::columns::Columns;
use super::fields::{Ambiguity, FieldMap, quoted_list};
use super::roles::{Role, TableKind};

/// The kind of thing that a table in memory holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameKind {
    /// The results of a system: query, document, and score or rank.
    Results,
    /// Labels: query, document, grade.
    Labels,
}

/// The columns that count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameColumns {
    /// The query's identifier.
    pub query: String,
    /// The document's identifier.
    pub document: String,
    /// The score, rank or grade.
    pub number: String,
    /// Whether the number is a rank, of which the lowest is best.
    pub is_rank: bool,
}

/// Why the columns of a table are not found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FrameColumnsError(String);

/// Finds the columns of a table by their names, or by those that `columns` has.
///
/// # Errors
/// Returns an error if a column is missing, or if several could be one.
pub fn frame_columns(
    kind: FrameKind,
    names: &[String],
    columns: &Columns,
) -> Result<FrameColumns, FrameColumnsError> {
    let table = match kind {
        FrameKind::Results => TableKind::Results,
        FrameKind::Labels => TableKind::Labels,
    };
    let map = FieldMap::new(table, columns, names).map_err(|Ambiguity { role, candidates }| {
        FrameColumnsError(format!(
            "{columns} could each be the {role}; leave out or rename all but one",
            columns = quoted_list(&candidates)
        ))
    })?;
    let find = |role: Role| {
        map.best(role).map(str::to_owned).ok_or_else(|| {
            FrameColumnsError(format!(
                "the table has no column for {role} among {columns}; call it {example:?}",
                role = role.name(table),
                columns = quoted_list(names),
                example = role.example(table)
            ))
        })
    };
    let (number, is_rank) = match kind {
        FrameKind::Labels => (find(Role::Grade)?, false),
        FrameKind::Results => match find(Role::Score) {
            Ok(score) => (score, false),
            Err(error) => (find(Role::Rank).map_err(|_| error)?, true),
        },
    };
    Ok(FrameColumns { query: find(Role::Query)?, document: find(Role::Document)?, number, is_rank })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(kind: FrameKind, names: &[&str]) -> Result<FrameColumns, FrameColumnsError> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        frame_columns(kind, &names, &Columns::default())
    }

    #[test]
    fn columns_are_found_by_the_names_that_files_have() {
        for names in [["query_id", "doc_id", "score"], ["qid", "docno", "score"], ["topic", "pid", "sim"]] {
            let columns = found(FrameKind::Results, &names).unwrap();
            assert_eq!([columns.query, columns.document, columns.number], names);
        }
        let columns = found(FrameKind::Results, &["qid", "docid", "rank"]).unwrap();
        assert!(columns.is_rank && columns.number == "rank");
        let columns = found(FrameKind::Results, &["rank", "score", "qid", "docid"]).unwrap();
        assert!(!columns.is_rank && columns.number == "score");
        assert_eq!(
            found(FrameKind::Labels, &["query_id", "doc_id", "relevance"]).unwrap().number,
            "relevance"
        );
    }

    #[test]
    fn missing_and_ambiguous_columns_are_named() {
        let error = found(FrameKind::Results, &["qid", "docid"]).unwrap_err().to_string();
        assert!(error.contains("no column for score among") && error.contains("docid"), "{error}");
        let error = found(FrameKind::Labels, &["qid", "query_id", "docid", "rel"]).unwrap_err().to_string();
        assert!(error.contains("could each be the query"), "{error}");
    }
}
