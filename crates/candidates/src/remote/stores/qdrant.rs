//! Qdrant: points by nearness of vectors.
//!
//! <https://api.qdrant.tech/api-reference/search/query-points>, `query-batch-points` beside it, and
//! `collections/get-collection` for how nearness is counted.

use llull_http::{KEY, KeyForm};
use serde_json::{Value, json};

use super::super::found::QueryAnswer;
use super::super::placeholders::vector;
use super::super::protocol::{AskedQuery, SearchProtocol, SearchRequest};
use super::super::reply::{Score, found, list, shown};
use super::options::StoreOptions;

pub(super) struct Qdrant {
    options: StoreOptions,
    /// Whether what it calls the score is a distance.
    is_distance: bool,
}

impl Qdrant {
    pub(super) fn new(options: StoreOptions) -> Self {
        Self { options, is_distance: false }
    }
}

impl SearchProtocol for Qdrant {
    fn key_form(&self) -> KeyForm {
        KeyForm::Header { name: "api-key".into(), value: KEY.into() }
    }

    fn needs_vectors(&self) -> bool {
        true
    }

    fn batches(&self) -> bool {
        true
    }

    fn opening(&self) -> Result<Option<SearchRequest>, String> {
        Ok(Some(SearchRequest::get(self.options.address(&["collections", &self.options.collection]))))
    }

    /// `Euclid` and `Manhattan` are distances, `Cosine` and `Dot` are not.
    fn opened(&mut self, reply: &Value) -> Result<(), String> {
        let vectors = reply.pointer("/result/config/params/vectors");
        let named = match (&self.options.vector, vectors) {
            (Some(name), Some(vectors)) => vectors.get(name),
            (None, vectors) => vectors,
            (Some(_), None) => None,
        };
        let metric = named.and_then(|vectors| vectors.get("distance")).and_then(Value::as_str);
        self.is_distance = match metric {
            Some("Euclid" | "Manhattan") => true,
            Some("Cosine" | "Dot") => false,
            other => {
                let wanted = self.options.vector.as_ref();
                let vectors = vectors.map_or_else(|| "none".into(), shown);
                return Err(match (other, wanted) {
                    (Some(other), _) => format!("the collection's distance is {other:?}, which is not known"),
                    (None, Some(name)) => format!("the collection has no vector {name:?}; it has {vectors}"),
                    (None, None) => {
                        format!("name one of the collection's vectors, vector = \"NAME\"; it has {vectors}")
                    }
                });
            }
        };
        Ok(())
    }

    fn request(&self, queries: &[AskedQuery<'_>]) -> Result<SearchRequest, String> {
        let search = |query: &AskedQuery<'_>| {
            let mut search = json!({"query": vector(query), "limit": query.k, "with_payload": true});
            if let (Some(name), Some(fields)) = (&self.options.vector, search.as_object_mut()) {
                fields.insert("using".into(), name.as_str().into());
            }
            self.options.with_extra(search)
        };
        let points = ["collections", &self.options.collection, "points", "query"];
        Ok(match queries {
            [query] => SearchRequest::post(self.options.address(&points), search(query)),
            queries => {
                let searches: Vec<Value> = queries.iter().map(search).collect();
                let [a, b, c, d] = points;
                SearchRequest::post(
                    self.options.address(&[a, b, c, d, "batch"]),
                    json!({"searches": searches}),
                )
            }
        })
    }

    fn read(&self, reply: &Value, queries: usize) -> Result<Vec<QueryAnswer>, String> {
        let score = match self.is_distance {
            true => Score::Distance("/score".into()),
            false => Score::Higher("/score".into()),
        };
        let parts = self.options.parts("/payload", "/id", Some(score));
        let answer = |result: &Value| found(list(result, "/points")?, &parts);
        match (queries, reply.get("result")) {
            (1, Some(result @ Value::Object(_))) => Ok(vec![answer(result)]),
            _ => Ok(list(reply, "/result")?.iter().map(answer).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(distance: &str) -> Qdrant {
        let mut qdrant = Qdrant::new(StoreOptions::test("docs", true));
        let info = json!({"result": {"status": "green", "config": {"params": {
            "vectors": {"size": 4, "distance": distance}}}}, "status": "ok", "time": 0.0001});
        qdrant.opened(&info).unwrap();
        qdrant
    }

    fn query<'a>() -> AskedQuery<'a> {
        AskedQuery { text: "cats", vector: Some(&[0.5, 0.25]), k: 2 }
    }

    /// The reply is that of the documentation of `POST /collections/{collection_name}/points/query`, with payloads.
    #[test]
    fn a_query_and_its_points() {
        let request = opened("Cosine").request(&[query()]).unwrap();
        assert_eq!(request.address.to_string(), "http://localhost:1/collections/docs/points/query");
        assert_eq!(request.body, [json!({"query": [0.5, 0.25], "limit": 2, "with_payload": true})]);
        let reply = json!({"usage": null, "time": 0.002, "status": "ok", "result": {"points": [
            {"id": 42, "version": 3, "score": 0.75, "payload": {"text": "Cats purr.", "title": "Cats"}, "vector": null,
             "shard_key": "region_1", "order_value": 42},
            {"id": "550e8400-e29b-41d4-a716-446655440000", "version": 3, "score": 0.5, "payload": {}},
        ]}});
        let answers = opened("Cosine").read(&reply, 1).unwrap();
        let found = answers[0].as_ref().unwrap();
        assert_eq!(
            (&*found[0].doc_id, found[0].score, found[0].text.as_deref()),
            ("42", Some(0.75), Some("Cats purr."))
        );
        assert_eq!((found[1].doc_id.len(), found[1].text.as_deref()), (36, None));
    }

    /// With `Euclid`, Qdrant's scores are distances, of which the least comes first.
    #[test]
    fn a_distance_is_turned_round() {
        let near = json!({"result": {"points": [{"id": 1, "score": 0.1}, {"id": 2, "score": 0.4}]}});
        let answers = opened("Euclid").read(&near, 1).unwrap();
        let scores: Vec<_> = answers[0].as_ref().unwrap().iter().map(|found| found.score.unwrap()).collect();
        assert_eq!(scores, [-0.1, -0.4]);
    }

    #[test]
    fn a_batch_and_a_named_vector() {
        let mut options = StoreOptions::test("docs", true);
        options.vector = Some("dense".into());
        options.id = Some("/meta/id".into());
        options.extra.insert("filter".into(), json!({"must": []}));
        let mut qdrant = Qdrant::new(options);
        let vectors =
            json!({"dense": {"size": 4, "distance": "Dot"}, "other": {"size": 2, "distance": "Euclid"}});
        qdrant.opened(&json!({"result": {"config": {"params": {"vectors": vectors}}}})).unwrap();
        let request = qdrant.request(&[query(), query()]).unwrap();
        assert!(request.address.to_string().ends_with("/points/query/batch"), "{request:?}");
        assert_eq!(request.body[0]["searches"][1]["using"], "dense");
        assert_eq!(request.body[0]["searches"][0]["filter"], json!({"must": []}));
        let points = json!({"points": [{"id": 1, "score": 2.0, "payload": {"meta": {"id": "d1"}}}]});
        let answers = qdrant.read(&json!({"result": [points, {"points": []}]}), 2).unwrap();
        assert_eq!(answers[0].as_ref().unwrap()[0].doc_id, "d1");
        assert_eq!(answers[1].as_ref().unwrap().len(), 0);
    }

    #[test]
    fn a_vector_that_is_not_there_is_said() {
        let mut qdrant = Qdrant::new(StoreOptions::test("docs", true));
        let info = json!({"result": {"config": {"params": {"vectors": {"dense": {"distance": "Dot"}}}}}});
        assert!(qdrant.opened(&info).unwrap_err().contains("vector = \"NAME\"; it has {\"dense\""));
    }
}
