//! What is known of documents and systems without asking a judge.

use llull_core::Item;

/// A document of a query.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ShownDocument {
    /// The number of characters of the text as shown; `None` where the text is not known.
    pub characters: Option<usize>,
    /// The share of the query's words that the document has, from 0 to 1, as [`word_overlap`](crate::word_overlap)
    /// counts them; `None` where the query has no words, or a text is not known.
    pub overlap: Option<f64>,
    /// The rank at which the systems together returned it, from 1; `None` where no system did.
    pub fused_rank: Option<usize>,
    /// The grade that people gave it; `None` where they did not.
    pub human_grade: Option<f64>,
}

/// Two documents of a query that people compared side by side, and which of them is better to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeoplePreference {
    /// The query, as a position in the collection.
    pub query: usize,
    /// The better document, as a position among the query's documents.
    pub better: Item,
    /// The other one.
    pub worse: Item,
}

/// A system whose documents were judged.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AuditedSystem {
    /// The system's name.
    pub name: String,
    /// The family of models that it is of, such as `gpt`. `None` where only its name can tell: a model's family that it
    /// names counts as the system's, see [`model_family`](crate::model_family).
    pub family: Option<String>,
    /// What it returned for each query of the collection, best first.
    pub rankings: Vec<Vec<Item>>,
}

/// The queries with their documents, and the systems.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AuditedCollection {
    /// For each query, its documents. An [`Item`] is a position among them.
    pub documents: Vec<Vec<ShownDocument>>,
    /// The systems; none where they are not known.
    pub systems: Vec<AuditedSystem>,
    /// The grades that judges could give, ascending; empty where they compare, or where that is not known.
    pub grades: Vec<f64>,
    /// What people say of pairs that were drawn by lot from all that judges were shown together, each pair once; none
    /// of which they say neither.
    pub preferences: Vec<PeoplePreference>,
}

impl AuditedCollection {
    /// Returns what is known of a document; nothing at all for one that the collection lacks.
    pub(crate) fn document(&self, query: usize, item: Item) -> ShownDocument {
        self.documents
            .get(query)
            .and_then(|documents| documents.get(item.index()))
            .copied()
            .unwrap_or_default()
    }
}
