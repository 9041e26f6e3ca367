//! The servers that are known, and what can be said of each.

use super::super::protocol::SearchProtocol;
use super::chroma::Chroma;
use super::elasticsearch::{Elasticsearch, Flavour};
use super::meilisearch::Meilisearch;
use super::milvus::Milvus;
use super::options::StoreOptions;
use super::qdrant::Qdrant;
use super::typesense::Typesense;
use super::vespa::Vespa;
use super::weaviate::Weaviate;

/// A server that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreKind {
    /// Qdrant.
    Qdrant,
    /// Elasticsearch.
    Elasticsearch,
    /// OpenSearch.
    OpenSearch,
    /// Weaviate.
    Weaviate,
    /// Milvus, and Zilliz Cloud.
    Milvus,
    /// Meilisearch.
    Meilisearch,
    /// Typesense.
    Typesense,
    /// Vespa.
    Vespa,
    /// Chroma.
    Chroma,
}

impl StoreKind {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Chroma,
        Self::Elasticsearch,
        Self::Meilisearch,
        Self::Milvus,
        Self::OpenSearch,
        Self::Qdrant,
        Self::Typesense,
        Self::Vespa,
        Self::Weaviate,
    ];

    /// Returns its name in `llull.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Qdrant => "qdrant",
            Self::Elasticsearch => "elasticsearch",
            Self::OpenSearch => "opensearch",
            Self::Weaviate => "weaviate",
            Self::Milvus => "milvus",
            Self::Meilisearch => "meilisearch",
            Self::Typesense => "typesense",
            Self::Vespa => "vespa",
            Self::Chroma => "chroma",
        }
    }

    /// Returns the server of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns the keys that not every server has, and this one has.
    fn takes(self) -> &'static [&'static str] {
        match self {
            Self::Qdrant => &["vector"],
            Self::Elasticsearch | Self::OpenSearch | Self::Meilisearch | Self::Typesense => {
                &["vector", "fields"]
            }
            Self::Vespa => &["vector"],
            Self::Weaviate => &["vector", "fields", "tenant"],
            Self::Milvus => &["vector", "metric", "database"],
            Self::Chroma => &["tenant", "database"],
        }
    }

    /// Returns whether it searches by vectors alone.
    fn only_vectors(self) -> bool {
        matches!(self, Self::Qdrant | Self::Chroma)
    }

    /// Returns what it is asked and how its replies are read.
    ///
    /// # Errors
    /// Returns an error if something is said that this server has not, or not said that it needs.
    pub fn protocol(self, options: StoreOptions) -> Result<Box<dyn SearchProtocol>, String> {
        let name = self.name();
        let given = [
            ("vector", options.vector.is_some()),
            ("fields", !options.fields.is_empty()),
            ("metric", options.metric.is_some()),
            ("tenant", options.tenant.is_some()),
            ("database", options.database.is_some()),
        ];
        if let Some((key, _)) = given.iter().find(|(key, given)| *given && !self.takes().contains(key)) {
            return Err(format!(
                "{name} has no `{key}`; beside what every server has it takes {}",
                self.takes().join(", ")
            ));
        }
        if self.only_vectors() && !options.by_vectors {
            return Err(format!(
                "{name} searches by vectors: name what makes the queries' as the documents' were made, encoder = \
                 \"minilm\""
            ));
        }
        if options.by_vectors && !options.fields.is_empty() {
            return Err("`fields` are searched by words, and with an `encoder` vectors are; keep one".into());
        }
        if options.vector.is_some() && !options.by_vectors && self != Self::Milvus {
            return Err(
                "`vector` is searched by vectors: name what makes the queries', encoder = \"minilm\"".into(),
            );
        }
        Ok(match self {
            Self::Qdrant => Box::new(Qdrant::new(options)),
            Self::Elasticsearch => Box::new(Elasticsearch::new(Flavour::Elasticsearch, options)?),
            Self::OpenSearch => Box::new(Elasticsearch::new(Flavour::OpenSearch, options)?),
            Self::Weaviate => Box::new(Weaviate::new(options)?),
            Self::Milvus => Box::new(Milvus::new(options)?),
            Self::Meilisearch => Box::new(Meilisearch::new(options)),
            Self::Typesense => Box::new(Typesense::new(options)?),
            Self::Vespa => Box::new(Vespa::new(options)?),
            Self::Chroma => Box::new(Chroma::new(options)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_has_not_is_refused() {
        for (kind, edit, says) in [
            (StoreKind::Qdrant, (|_| {}) as fn(&mut StoreOptions), "qdrant searches by vectors"),
            (StoreKind::Chroma, |options| options.vector = Some("v".into()), "chroma has no `vector`"),
            (StoreKind::Elasticsearch, |options| options.vector = Some("v".into()), "encoder = \"minilm\""),
            (StoreKind::Elasticsearch, |options| options.by_vectors = true, "`vector` names"),
            (StoreKind::Typesense, |_| {}, "`fields` names"),
            (StoreKind::Milvus, |options| options.metric = Some("near".into()), "metric = \"near\""),
            (StoreKind::Weaviate, |options| options.text = "a b".into(), "\"a b\" cannot be a name"),
        ] {
            let mut options = StoreOptions::test("docs", false);
            edit(&mut options);
            let said = kind.protocol(options).err().unwrap();
            assert!(said.contains(says), "{kind:?}: {said}");
        }
    }

    #[test]
    fn names_are_known() {
        assert!(StoreKind::ALL.iter().all(|kind| StoreKind::of_name(kind.name()) == Some(*kind)));
        assert_eq!(StoreKind::of_name("bm25"), None);
    }
}
