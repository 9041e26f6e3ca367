//! The known stores.

use strum::{EnumString, IntoStaticStr, VariantArray, VariantNames};

use super::super::placeholders::says;
use super::super::protocol::SearchProtocol;
use super::data::StoreData;
use super::options::StoreOptions;
use super::store::Store;

/// A store with built-in requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, EnumString, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum StoreKind {
    /// Chroma.
    Chroma,
    /// Elasticsearch.
    Elasticsearch,
    /// Meilisearch.
    Meilisearch,
    /// Milvus, and Zilliz Cloud.
    Milvus,
    /// OpenSearch.
    OpenSearch,
    /// Qdrant.
    Qdrant,
    /// Typesense.
    Typesense,
    /// Vespa.
    Vespa,
    /// Weaviate.
    Weaviate,
}

impl StoreKind {
    /// All of them.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// Their names.
    pub const NAMES: &'static [&'static str] = <Self as strum::VariantNames>::VARIANTS;

    /// Returns its name in `llull.toml`.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the store of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        name.parse().ok()
    }

    /// Returns the store's requests and the reading of its replies.
    ///
    /// # Errors
    /// Returns an error if an option is given that this store does not have, or one is missing that it needs.
    pub fn protocol(self, options: StoreOptions) -> Result<Box<dyn SearchProtocol>, String> {
        let name = self.name();
        let data = StoreData::of(name)?;
        let given = [
            ("vector", options.vector.is_some()),
            ("fields", !options.fields.is_empty()),
            ("metric", options.metric.is_some()),
            ("tenant", options.tenant.is_some()),
            ("database", options.database.is_some()),
        ];
        if let Some((key, _)) =
            given.iter().find(|(key, given)| *given && !data.takes.iter().any(|takes| takes == key))
        {
            return Err(format!(
                "{name} has no `{key}`; beside what every server has it takes {}",
                data.takes.join(", ")
            ));
        }
        if data.words.is_none() && !options.by_vectors {
            return Err(format!(
                "{name} searches by vectors: name what makes the queries' as the documents' were made, encoder = \
                 \"minilm\""
            ));
        }
        if options.by_vectors && !options.fields.is_empty() {
            return Err("`fields` are searched by words, and with an `encoder` vectors are; keep one".into());
        }
        let names_vector = options.by_vectors || says(&data.common, "{vector field}");
        if options.vector.is_some() && !names_vector {
            return Err(
                "`vector` is searched by vectors: name what makes the queries', encoder = \"minilm\"".into(),
            );
        }
        let needs = |key: &str| data.needs.iter().any(|needed| needed == key);
        if needs("vector") && options.by_vectors && options.vector.is_none() {
            return Err("`vector` names the field of vectors that is searched, vector = \"embedding\"".into());
        }
        if needs("fields") && !options.by_vectors && options.fields.is_empty() {
            return Err("`fields` names what is searched, fields = [\"title\", \"text\"]".into());
        }
        Ok(Box::new(Store::new(self, data, options)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known() {
        assert!(StoreKind::ALL.iter().all(|kind| StoreKind::of_name(kind.name()) == Some(*kind)));
        assert_eq!(StoreKind::of_name("bm25"), None);
    }
}
