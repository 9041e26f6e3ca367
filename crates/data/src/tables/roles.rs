//! The roles of columns, and the names that they usually have.

use super::columns::ColumnName;

/// The kind of thing that a table holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableKind {
    /// Queries.
    Queries,
    /// Documents.
    Documents,
    /// The results of systems.
    Results,
    /// The queries in the results of systems.
    ResultQueries,
    /// Labels.
    Labels,
    /// Figures of pairs, in all columns without a role.
    Features,
    /// Comparisons of two items, and orders of several.
    Comparisons,
    /// The pairs of a sample, with their probabilities.
    Sample,
    /// The pairs on a sheet for annotators.
    Sheet,
}

/// The role of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The query's identifier; of results and labels perhaps its text.
    Query,
    QueryText,
    Document,
    Title,
    Text,
    Rank,
    Score,
    System,
    Grade,
    Left,
    Right,
    Winner,
    Better,
    Worse,
    Ranking,
    Rest,
    Weight,
    Judge,
    Probability,
    Drawn,
    Stratum,
    Item,
    Answer,
    Note,
    LeftText,
    RightText,
    Expected,
}

/// A role in tables of one kind.
pub(super) struct RoleNames {
    pub(super) role: Role,
    /// What the user calls it in `--columns`; of several, the first that is given counts.
    pub(super) given: &'static [ColumnName],
    /// Its usual names, without separators and in lower case. An earlier group wins. Two columns of one group are
    /// ambiguous.
    pub(super) usual: &'static [&'static [&'static str]],
    /// Whether a row without it is an error.
    pub(super) required: bool,
}

const QUERY_IDS: &[&str] = &["queryid", "qid", "topicid"];

const QUERY_TEXT: &[&str] = &["querytext"];

/// The names of a query's text. The first is beside a `query` that is an identifier.
const ANY_QUERY: &[&str] = &[
    "querytext",
    "query",
    "question",
    "searchterm",
    "searchquery",
    "searchphrase",
    "q",
    "keyword",
    "keywords",
    "topic",
    "utterance",
    "userinput",
    "userquery",
];

const QUERY_WORDS: &[&str] = match ANY_QUERY.split_first() {
    Some((_, rest)) => rest,
    None => &[],
};

/// What LangChain's chains call the query.
const INPUT: &[&str] = &["input"];

/// The names of a document's own identifier where documents are read. The first may be the number of a row: beside
/// another it is ambiguous.
const OWN_IDS: &[&str] = &[
    "id",
    "docid",
    "docno",
    "documentid",
    "passageid",
    "pid",
    "productid",
    "chunkid",
    "itemid",
    "nodeid",
    "pageid",
    "articleid",
];

/// The same without `id`, which in other tables is that of the row.
const DOCUMENT_IDS: &[&str] = match OWN_IDS.split_first() {
    Some((_, rest)) => rest,
    None => &[],
};

/// The names of the identifiers of a document's parts. Beside one of [`WHOLES`] the part is what is judged.
pub(super) const PARTS: &[&str] = &["chunkid", "passageid", "nodeid"];

/// The names of the identifiers of documents that have parts.
pub(super) const WHOLES: &[&str] = &["docid", "docno", "documentid", "articleid", "pageid"];

/// Identifiers of things, and of collections.
const THINGS: &[&str] = &["sku", "asin", "corpusid", "objectid"];

/// The names of identifiers that only a document has.
pub(super) const DOCUMENTS_BY_NAME: &[&[&str]] = &[DOCUMENT_IDS, THINGS, &["document", "doc"]];

/// The names of a document's identifier in tables that have other identifiers, too.
const RESULT_IDS: &[&[&str]] =
    &[DOCUMENT_IDS, THINGS, &["document", "doc"], &["_id"], &["id"], &["id_"], &["uuid"], &["url", "uri"]];

const TITLES: &[&[&str]] =
    &[&["title"], &["name", "producttitle", "productname", "heading", "headline", "doctitle"]];

const TEXTS: &[&[&str]] = &[
    &["text"],
    &["contents"],
    &["content"],
    &["body"],
    &["segment"],
    &["pagecontent", "passage", "passagetext", "chunk", "chunktext", "documenttext", "doctext", "snippet"],
    &["description", "productdescription", "abstract", "summary"],
];

const QUERIES: &[RoleNames] = &[
    RoleNames {
        role: Role::Query,
        given: &[ColumnName::Id],
        usual: &[
            &["_id"],
            &["id", "queryid", "qid", "topicid"],
            &["querynumber", "topicnumber"],
            &["number", "num"],
        ],
        required: false,
    },
    RoleNames {
        role: Role::QueryText,
        given: &[ColumnName::Query],
        usual: &[&["text"], &["query"], QUERY_TEXT, QUERY_WORDS, &["title"], INPUT],
        required: true,
    },
];

const DOCUMENTS: &[RoleNames] = &[
    RoleNames {
        role: Role::Document,
        given: &[ColumnName::Id, ColumnName::Document],
        usual: &[&["_id"], OWN_IDS, THINGS, &["id_"], &["document"], &["uuid"], &["url", "uri"]],
        required: true,
    },
    TITLE,
    TEXT,
];

/// The query of a result or a label.
const QUERY: RoleNames = RoleNames {
    role: Role::Query,
    given: &[ColumnName::Query],
    // Beside a text, `query` is the identifier.
    usual: &[QUERY_IDS, QUERY_WORDS, QUERY_TEXT, INPUT],
    required: true,
};

/// The document of a result or a label.
const DOCUMENT: RoleNames = RoleNames {
    role: Role::Document,
    given: &[ColumnName::Document, ColumnName::Id],
    usual: RESULT_IDS,
    required: true,
};

const TITLE: RoleNames =
    RoleNames { role: Role::Title, given: &[ColumnName::Title], usual: TITLES, required: false };

const TEXT: RoleNames =
    RoleNames { role: Role::Text, given: &[ColumnName::Text], usual: TEXTS, required: false };

const RESULTS: &[RoleNames] = &[
    QUERY,
    DOCUMENT,
    RoleNames {
        role: Role::Rank,
        given: &[ColumnName::Rank],
        usual: &[&["rank"], &["position", "pos", "docposition"]],
        required: false,
    },
    RoleNames {
        role: Role::Score,
        given: &[ColumnName::Score],
        usual: &[
            &["score", "_score", "@search.score"],
            &["similarity", "relevance", "similarityscore", "relevancescore", "sim", "bm25"],
        ],
        required: false,
    },
    RoleNames {
        role: Role::System,
        given: &[ColumnName::System],
        usual: &[&[
            "system",
            "run",
            "runname",
            "runid",
            "retriever",
            "engine",
            "ranker",
            "variant",
            "tag",
            "snapshotname",
        ]],
        required: false,
    },
    TITLE,
    TEXT,
];

const RESULT_QUERIES: &[RoleNames] = &[
    RoleNames { role: Role::Query, given: &[], usual: &[QUERY_IDS], required: false },
    RoleNames {
        role: Role::QueryText,
        given: &[ColumnName::Query],
        usual: &[ANY_QUERY, INPUT],
        required: false,
    },
];

const LABELS: &[RoleNames] = &[
    QUERY,
    DOCUMENT,
    RoleNames {
        role: Role::Grade,
        given: &[ColumnName::Grade],
        usual: &[
            &["grade"],
            &["relevance", "rel", "rating", "label", "judgment", "judgement", "gain"],
            &["score"],
        ],
        required: true,
    },
];

const FEATURES: &[RoleNames] = &[
    QUERY,
    DOCUMENT,
    RoleNames {
        role: Role::Grade,
        given: &[ColumnName::Grade],
        usual: &[&["grade"], &["rating", "label", "judgment", "judgement"]],
        required: false,
    },
];

/// Returns a role that rows may lack, which the user calls by its own name.
const fn own(
    role: Role,
    given: &'static [ColumnName],
    usual: &'static [&'static [&'static str]],
) -> RoleNames {
    RoleNames { role, given, usual, required: false }
}

/// Beside an identifier, `query` is the text.
const OWN_QUERY: &[&[&str]] = &[QUERY_IDS, &["query"], QUERY_WORDS, QUERY_TEXT];

const COMPARISONS: &[RoleNames] = &[
    own(Role::Query, &[ColumnName::Query], OWN_QUERY),
    own(Role::Left, &[ColumnName::Left], &[&["left"]]),
    own(Role::Right, &[ColumnName::Right], &[&["right"]]),
    own(Role::Winner, &[ColumnName::Winner], &[&["winner"]]),
    own(Role::Better, &[ColumnName::Better], &[&["better"]]),
    own(Role::Worse, &[ColumnName::Worse], &[&["worse"]]),
    own(Role::Ranking, &[ColumnName::Ranking], &[&["ranking"]]),
    own(Role::Rest, &[ColumnName::Rest], &[&["rest"]]),
    own(Role::Judge, &[ColumnName::Judge], &[&["judge"]]),
    own(Role::Weight, &[ColumnName::Weight], &[&["weight"]]),
];

const SAMPLE: &[RoleNames] = &[
    own(Role::Query, &[ColumnName::Query], OWN_QUERY),
    own(
        Role::Document,
        &[ColumnName::Document, ColumnName::Id],
        &[&["document"], DOCUMENT_IDS, THINGS, &["doc"], &["_id"], &["id"]],
    ),
    own(
        Role::Probability,
        &[ColumnName::Probability],
        &[&["probability"], &["prob", "inclusionprobability"]],
    ),
    own(Role::Drawn, &[ColumnName::Drawn], &[&["drawn"]]),
    own(Role::Stratum, &[ColumnName::Stratum], &[&["stratum"]]),
];

/// The headings that llull writes.
const SHEET: &[RoleNames] = &[
    own(Role::Item, &[ColumnName::Item], &[&["item"]]),
    own(Role::Grade, &[ColumnName::Grade], &[&["grade"]]),
    own(Role::Answer, &[ColumnName::Answer], &[&["answer"]]),
    own(Role::Note, &[ColumnName::Note], &[&["note"]]),
    own(Role::Query, &[ColumnName::Query], &[&["query"]]),
    own(Role::Document, &[ColumnName::Document], &[&["document"]]),
    own(Role::Left, &[ColumnName::Left], &[&["left"]]),
    own(Role::Right, &[ColumnName::Right], &[&["right"]]),
    own(Role::QueryText, &[ColumnName::QueryText], &[QUERY_TEXT]),
    own(Role::Expected, &[ColumnName::Expected], &[&["expected"]]),
    own(Role::Text, &[ColumnName::Text], &[&["text"]]),
    own(Role::LeftText, &[ColumnName::LeftText], &[&["lefttext"]]),
    own(Role::RightText, &[ColumnName::RightText], &[&["righttext"]]),
];

impl TableKind {
    /// Returns the roles of its columns.
    pub(super) fn roles(self) -> &'static [RoleNames] {
        match self {
            Self::Queries => QUERIES,
            Self::Documents => DOCUMENTS,
            Self::Results => RESULTS,
            Self::ResultQueries => RESULT_QUERIES,
            Self::Labels => LABELS,
            Self::Features => FEATURES,
            Self::Comparisons => COMPARISONS,
            Self::Sample => SAMPLE,
            Self::Sheet => SHEET,
        }
    }

    /// Returns whether llull writes such files, so that a column that the user names for other files may have the name
    /// of another role here.
    pub(super) fn is_written(self) -> bool {
        matches!(self, Self::Sample | Self::Sheet)
    }

    /// Returns whether a column may have this name.
    pub(crate) fn is_known(self, name: &str) -> bool {
        self.roles()
            .iter()
            .any(|role| role.usual.iter().copied().flatten().any(|usual| is_usual(name, usual)))
    }

    /// Returns the roles that every table needs, for messages.
    pub(super) fn required(self) -> String {
        let required = self.roles().iter().filter(|names| names.required).map(|names| names.role.name(self));
        required.collect::<Vec<_>>().join(", ")
    }

    /// Returns what one row is, for messages.
    pub(super) fn row(self) -> &'static str {
        match self {
            Self::Queries | Self::ResultQueries => "query",
            Self::Documents => "document",
            Self::Results => "result",
            Self::Labels => "label",
            Self::Features => "row of features",
            Self::Comparisons => "comparison",
            Self::Sample | Self::Sheet => "pair",
        }
    }
}

impl Role {
    /// Returns whether it holds identifiers.
    pub(super) fn is_identifier(self) -> bool {
        matches!(self, Self::Query | Self::Document)
    }

    /// Returns whether it holds texts, of which a row may have several or another one.
    pub(super) fn is_text(self) -> bool {
        matches!(self, Self::Title | Self::Text)
    }

    /// Returns a name that its column often has, for messages.
    pub(super) fn example(self, kind: TableKind) -> &'static str {
        match (self, kind) {
            (Self::Query, TableKind::Results | TableKind::Labels | TableKind::Features) => "query_id",
            (Self::Document, TableKind::Results | TableKind::Labels | TableKind::Features) => "doc_id",
            _ => self.name(kind),
        }
    }

    /// Returns its name in messages; with `--columns` the user calls it so.
    pub(crate) fn name(self, kind: TableKind) -> &'static str {
        match (self, kind) {
            (Self::Query, TableKind::Queries | TableKind::ResultQueries)
            | (Self::Document, TableKind::Documents) => "id",
            (Self::QueryText, TableKind::Sheet) => "query_text",
            (Self::Query | Self::QueryText, _) => "query",
            (Self::Document, _) => "document",
            (Self::Title, _) => "title",
            (Self::Text, _) => "text",
            (Self::Rank, _) => "rank",
            (Self::Score, _) => "score",
            (Self::System, _) => "system",
            (Self::Grade, _) => "grade",
            (Self::Left, _) => "left",
            (Self::Right, _) => "right",
            (Self::Winner, _) => "winner",
            (Self::Better, _) => "better",
            (Self::Worse, _) => "worse",
            (Self::Ranking, _) => "ranking",
            (Self::Rest, _) => "rest",
            (Self::Weight, _) => "weight",
            (Self::Judge, _) => "judge",
            (Self::Probability, _) => "probability",
            (Self::Drawn, _) => "drawn",
            (Self::Stratum, _) => "stratum",
            (Self::Item, _) => "item",
            (Self::Answer, _) => "answer",
            (Self::Note, _) => "note",
            (Self::LeftText, _) => "left_text",
            (Self::RightText, _) => "right_text",
            (Self::Expected, _) => "expected",
        }
    }
}

/// Returns whether a field has this usual name: case and separators (`_`, `-`, blank) do not count, but for a leading
/// or trailing `_`.
pub(super) fn is_usual(field: &str, usual: &str) -> bool {
    let marked = |name: &str| (name.starts_with('_'), name.ends_with('_'));
    let plain = |name: &'_ str| {
        name.bytes()
            .filter(|byte| !matches!(byte, b'_' | b'-' | b' '))
            .map(|byte| byte.to_ascii_lowercase())
            .collect::<Vec<u8>>()
    };
    marked(field.trim()) == marked(usual) && plain(field) == plain(usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_case_and_separators() {
        for field in ["doc_id", "docId", "DOC-ID", "Doc Id", "docid"] {
            assert!(is_usual(field, "docid"), "{field}");
        }
        assert!(is_usual("_id", "_id") && is_usual("id_", "id_"));
        assert!(!is_usual("_id", "id") && !is_usual("id", "_id") && !is_usual("docids", "docid"));
    }
}
