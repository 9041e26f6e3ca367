//! Milvus and Zilliz Cloud: `POST /v2/vectordb/entities/search`.
//!
//! <https://milvus.io/api-reference/restful/v2.5.x/v2/Vector%20(v2)/Search.md>, and full text search for queries by
//! words: <https://milvus.io/docs/full-text-search.md>.

use llull_http::KeyForm;
use serde_json::{Value, json};

use super::super::found::QueryAnswer;
use super::super::placeholders::vector;
use super::super::protocol::{AskedQuery, SearchProtocol, SearchRequest};
use super::super::reply::{Score, found, list, shown};
use super::options::StoreOptions;

pub(super) struct Milvus {
    options: StoreOptions,
    is_distance: bool,
}

impl Milvus {
    /// What a reply calls distance is one with the metric L2 alone, and a reply does not say the metric.
    pub(super) fn new(options: StoreOptions) -> Result<Self, String> {
        let is_distance = match options.metric.as_deref().unwrap_or("cosine") {
            "cosine" | "ip" => false,
            "l2" => true,
            other => return Err(format!("metric = {other:?} is none of \"cosine\", \"ip\" and \"l2\"")),
        };
        Ok(Self { options, is_distance })
    }
}

impl SearchProtocol for Milvus {
    fn key_form(&self) -> KeyForm {
        KeyForm::Bearer
    }

    fn needs_vectors(&self) -> bool {
        self.options.by_vectors
    }

    fn request(&self, queries: &[AskedQuery<'_>]) -> Result<SearchRequest, String> {
        let query = queries.first().ok_or("there is no query")?;
        let data = if self.options.by_vectors { vector(query) } else { query.text.into() };
        let mut search = json!({
            "collectionName": self.options.collection,
            "data": [data],
            "annsField": self.options.vector.as_deref().unwrap_or("vector"),
            "limit": query.k,
            "outputFields": self.options.wanted(),
        });
        if let (Some(database), Some(fields)) = (&self.options.database, search.as_object_mut()) {
            fields.insert("dbName".into(), database.as_str().into());
        }
        let address = self.options.address(&["v2", "vectordb", "entities", "search"]);
        Ok(SearchRequest::post(address, self.options.with_extra(search)))
    }

    /// What is wrong is said with 200 and another `code` than 0.
    fn read(&self, reply: &Value, _: usize) -> Result<Vec<QueryAnswer>, String> {
        if reply.get("code").and_then(Value::as_i64) != Some(0) {
            let message = reply.get("message").and_then(Value::as_str);
            return Err(message.map_or_else(|| shown(reply), str::to_owned));
        }
        let score = match self.is_distance {
            true => Score::Distance("/distance".into()),
            false => Score::Higher("/distance".into()),
        };
        Ok(vec![Ok(found(list(reply, "/data")?, &self.options.parts("", "/id", Some(score)))?)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn milvus(metric: Option<&str>) -> Milvus {
        let metric = metric.map(str::to_owned);
        Milvus::new(StoreOptions { metric, database: Some("db1".into()), ..StoreOptions::test("docs", true) })
            .unwrap()
    }

    #[test]
    fn a_query_and_its_entities() {
        let request =
            milvus(None).request(&[AskedQuery { text: "cats", vector: Some(&[0.5]), k: 2 }]).unwrap();
        assert_eq!(request.address.path(), "/v2/vectordb/entities/search");
        let expected = json!({"collectionName": "docs", "data": [[0.5]], "annsField": "vector", "limit": 2,
            "outputFields": ["title", "text"], "dbName": "db1"});
        assert_eq!(request.body, [expected]);
        // In the form of the documentation's reply.
        let reply = json!({"code": 0, "cost": 0, "data": [
            {"distance": 0.9075, "id": 448300048035776800_u64, "text": "Cats purr."},
            {"distance": 0.5, "id": "d2", "text": ""}]});
        let answers = milvus(None).read(&reply, 1).unwrap();
        let found = answers[0].as_ref().unwrap();
        assert_eq!((&*found[0].doc_id, found[0].score), ("448300048035776800", Some(0.9075)));
        // The same with L2 is no order that Milvus returns.
        assert!(milvus(Some("l2")).read(&reply, 1).unwrap_err().contains("fall from the first result"));
        let near = json!({"code": 0, "data": [{"distance": 0.1, "id": 1}, {"distance": 0.2, "id": 2}]});
        assert_eq!(milvus(Some("l2")).read(&near, 1).unwrap()[0].as_ref().unwrap()[1].score, Some(-0.2));
        assert!(milvus(None).read(&near, 1).unwrap_err().contains("as distances do"));
    }

    #[test]
    fn words_are_sent_where_there_is_no_encoder() {
        let mut options = StoreOptions::test("docs", false);
        options.vector = Some("sparse".into());
        let milvus = Milvus::new(options).unwrap();
        let body = &milvus.request(&[AskedQuery { text: "cats", vector: None, k: 2 }]).unwrap().body[0];
        assert_eq!((&body["data"], &body["annsField"]), (&json!(["cats"]), &json!("sparse")));
        let refused = json!({"code": 1800, "message": "user hasn't authenticated"});
        assert_eq!(milvus.read(&refused, 1).unwrap_err(), "user hasn't authenticated");
    }
}
