//! The facts about documents and systems that need no judge.

use llull_core::Item;

/// A document of a query.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ShownDocument {
    /// The number of characters of the text as shown; `None` where the text is unknown.
    pub characters: Option<usize>,
    /// The share of the query's words that the document has, from 0 to 1, as [`word_overlap`](crate::word_overlap)
    /// counts them. `None` where the query has no words, or a text is unknown.
    pub overlap: Option<f64>,
    /// The rank at which the systems together returned it, from 1; `None` where no system did.
    pub fused_rank: Option<usize>,
    /// The earlier document of the query that it nearly copies, as [`near_copies`](crate::near_copies) finds it.
    pub copy_of: Option<Item>,
    /// The grade that people gave it; `None` where they did not.
    pub human_grade: Option<f64>,
}

/// Two documents of a query that people compared side by side, and which of them is better to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HumanPreference {
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
    /// The family of its model, such as `gpt`. `None` if only its name can show it: a family in the name counts as the
    /// system's, see [`model_family`](crate::model_family).
    pub family: Option<String>,
    /// The model that ordered its results; `None` if no model did, or it is unknown.
    pub reranked_by: Option<String>,
    /// The documents that it returned for each query of the collection, best first.
    pub rankings: Vec<Vec<Item>>,
}

/// The queries with their documents, and the systems.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AuditedCollection {
    /// For each query, its documents. An [`Item`] is a position among them.
    pub documents: Vec<Vec<ShownDocument>>,
    /// The systems; none where they are not known.
    pub systems: Vec<AuditedSystem>,
    /// The system that the others are compared with, as a position among them; `None` where nothing is compared.
    pub baseline: Option<usize>,
    /// The grades that judges could give, ascending; empty where they compare, or where the grades are unknown.
    pub grades: Vec<f64>,
    /// Human preferences on pairs that were drawn by lot from all pairs that judges saw, each pair once. Pairs with
    /// the answer "neither" are left out.
    pub preferences: Vec<HumanPreference>,
}

impl AuditedCollection {
    /// Returns the facts about a document; none for one that the collection lacks.
    pub(crate) fn document(&self, query: usize, item: Item) -> ShownDocument {
        self.documents
            .get(query)
            .and_then(|documents| documents.get(item.index()))
            .copied()
            .unwrap_or_default()
    }
}
