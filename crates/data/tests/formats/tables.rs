//! Tests tables: files as search teams have them, with the forms of public documentation.

use llull_core::{Document, Topic, Topics};
use llull_data::{
    Columns, CorpusFields, DataError, ReadQrelsOptions, ReadRunOptions, RowPlace, RunFile, RunOrder,
    TopicsFile, read_documents, read_qrels, read_qrels_with, read_run, read_topics, read_topics_file,
    stream_corpus, visit_run,
};

use crate::{file, message};

fn columns(text: &str) -> Columns {
    text.parse().unwrap()
}

fn results(content: impl AsRef<[u8]>, options: &ReadRunOptions) -> Result<RunFile, DataError> {
    let (_folder, path) = file(content);
    let read = read_run(&path, options)?;
    if let Some(visited) = visit_run(&path, options, true, |_, ranking| ranking.clone()).unwrap() {
        let run =
            read.run.iter().map(|(query, ranking)| (query.to_owned(), ranking.clone())).collect::<Vec<_>>();
        assert_eq!((&visited.topics, &visited.notes), (&run, &read.notes));
    }
    Ok(read)
}

/// The documents of each query, best first.
fn rankings(content: impl AsRef<[u8]>, options: &ReadRunOptions) -> Vec<(String, Vec<String>)> {
    let run = results(content, options).unwrap().run;
    let documents =
        |ranking: &llull_core::Ranking| ranking.iter().map(|hit| hit.document.to_owned()).collect();
    run.iter().map(|(query, ranking)| (query.to_owned(), documents(ranking))).collect()
}

fn ranked(expected: &[(&str, &[&str])]) -> Vec<(String, Vec<String>)> {
    let owned = |documents: &[&str]| documents.iter().map(|document| (*document).to_owned()).collect();
    expected.iter().map(|(query, documents)| ((*query).to_owned(), owned(documents))).collect()
}

fn corpus(content: impl AsRef<[u8]>, fields: &CorpusFields) -> Result<Vec<Document>, DataError> {
    let (_folder, path) = file(content);
    let mut documents = Vec::new();
    stream_corpus(&path, fields, |document, _| {
        documents.push(document.clone());
        Ok(())
    })?;
    Ok(documents)
}

fn document(id: &str, title: &str, text: &str) -> Document {
    Document { id: id.into(), title: title.into(), text: text.into() }
}

fn queries(content: impl AsRef<[u8]>) -> Vec<(String, String)> {
    let (_folder, path) = file(content);
    read_topics(&path).unwrap().iter().map(|topic| (topic.id.clone(), topic.text.clone())).collect()
}

/// Exports begin with lines about themselves; without a header below, such a line is a query.
#[test]
fn comments_may_stand_above_a_header() {
    let expected = [("1".to_owned(), "red shoes".to_owned()), ("#2".to_owned(), "boots".to_owned())];
    assert_eq!(queries("# exported 2026-11-27; all queries\n#\nid,query\n1,red shoes\n#2,boots\n"), expected);
    assert_eq!(queries("#1\tred shoes\n2\tboots\n")[0].0, "#1");
    let hits = "# of the shop\nquery_id,doc_id,rank\nq1,d1,1\nq1,d2,2\n";
    assert_eq!(rankings(hits, &ReadRunOptions::default()), ranked(&[("q1", &["d1", "d2"])]));
}

fn study() -> ReadRunOptions {
    study_of(2)
}

/// A study of the first queries of two.
fn study_of(count: usize) -> ReadRunOptions {
    let topic = |id: &str, text: &str| Topic { id: id.into(), text: text.into() };
    let topics: Topics = [topic("q1", "red shoes"), topic("q2", "kettle")].into_iter().take(count).collect();
    ReadRunOptions { queries: Some(topics.into()), ..ReadRunOptions::default() }
}

#[test]
fn queries_of_every_form_are_read() {
    let expected = [("q1".to_owned(), "red shoes".to_owned()), ("q2".to_owned(), "kettle, 1.7 l".to_owned())];
    for content in [
        "query_id,query\nq1,red shoes\nq2,\"kettle, 1.7 l\"\n",
        "Query ID;Search Term;Segment\nq1;red shoes;head\nq2;kettle, 1.7 l;tail\n",
        "sep=;\nqid;query\nq1;red shoes\nq2;kettle, 1.7 l\n",
        "query\tsegment\nred shoes\thead\nkettle, 1.7 l\ttail\n",
        "question\nred shoes\n\"kettle, 1.7 l\"\n",
        "query\nred shoes\nkettle, 1.7 l\n",
        "q1\tred shoes\nq2\tkettle, 1.7 l\n",
        "\u{feff}query,query_id,\nred shoes,q1,\n\"kettle, 1.7 l\",q2,\n,,\n",
        "{\"qid\":\"q1\",\"question\":\"red shoes\"}\n{\"qid\":\"q2\",\"question\":\"kettle, 1.7 l\"}\n",
        "[{\"id\":\"q1\",\"query\":\"red shoes\"},\n {\"id\":\"q2\",\"query\":\"kettle, 1.7 l\"}]",
        "{\"queries\": [{\"id\":\"q1\",\"text\":\"red shoes\"}, {\"id\":\"q2\",\"text\":\"kettle, 1.7 l\"}]}",
        "{\n \"q1\": \"red shoes\",\n \"q2\": \"kettle, 1.7 l\"\n}\n",
        "[\"red shoes\", \"kettle, 1.7 l\"]\n",
        "<top>\n<num> Number: q1\n<title> red shoes\n<desc> Description:\nShoes that are red.\n</top>\n\
         <top>\n<num> Number: q2\n<title> kettle, 1.7 l\n</top>\n",
        "<?xml version=\"1.0\"?>\n<topics>\n<topic number=\"q1\"><query>red shoes</query><question>Where?</question>\
         </topic>\n<topic number=\"q2\"><query>kettle, 1.7 l</query></topic></topics>",
    ] {
        assert_eq!(queries(content), expected, "{content}");
    }
}

/// They were said to be in line 0, and those of a run in the last line of their query.
#[test]
fn duplicates_are_named_by_their_places_in_json_too() {
    use crate::complaint;

    let labels = |last: &str| {
        format!(
            r#"[{{"query_id":"q1","doc_id":"a","grade":2}},{{"query_id":"q1","doc_id":"b","grade":1}},{last}]"#
        )
    };
    let second = |grade: &str| labels(&format!(r#"{{"query_id":"q1","doc_id":"a","grade":{grade}}}"#));
    let refused = complaint(read_qrels, &second("1"));
    let found = "at [2] and an entry before it: document a of query q1 is graded 2 and then 1";
    assert!(refused.starts_with(found), "{refused}");
    let (_folder, path) = file(second("2"));
    let place = RowPlace::Path("[2]".to_owned());
    assert_eq!(read_qrels(&path).unwrap().notes.first_repeat.map(|first| first.place), Some(place.clone()));
    let (_folder, path) = file(second("null"));
    assert_eq!(read_qrels(&path).unwrap().notes.first_missing, Some(place.clone()));

    let hit =
        |document: &str, score: u8| format!(r#"{{"query_id":"q1","doc_id":"{document}","score":{score}}}"#);
    let hits = [hit("a", 4), hit("b", 3), hit("a", 2), hit("c", 1)].join(",");
    let table = "query_id,doc_id,score\nq1,a,4\nq1,b,3\nq1,a,2\nq1,c,1\n";
    for (content, place) in [(format!("[{hits}]"), place), (table.to_owned(), RowPlace::Line(4))] {
        let notes = results(content, &ReadRunOptions::default()).unwrap().notes;
        assert_eq!((notes.duplicates, notes.first_duplicate.map(|first| first.place)), (1, Some(place)));
    }

    let twice = r#"[{"id":"1","text":"one"},{"id":"1","text":"two"}]"#;
    let refused = complaint(read_topics, twice);
    assert!(refused.starts_with("at [0] and at [1]: both are query 1. "), "{refused}");
    let corpus =
        |path: std::path::PathBuf| read_documents(path, &CorpusFields::default(), |_| true, &mut |_| {});
    let refused = complaint(corpus, twice);
    assert!(refused.starts_with("at [0] and at [1]: both are document 1, with"), "{refused}");
}

/// The line was described twice: "expected a JSON object on each line. Each line is one object".
#[test]
fn broken_json_is_described_once_with_its_place_and_a_remedy() {
    let label = r#"{"query_id":"q1","doc_id":"a","grade":1}"#;
    for (content, begin, end) in [
        (
            format!("[{label},\n{{\"query_id\" \"q1\"}}]"),
            "line 2: found invalid JSON: `:` is missing, at character ",
            ", expected a label in each entry. Correct it there",
        ),
        (
            format!("[{label},\n{label}"),
            "line 2: found the end of the text inside a JSON value, ",
            "expected a label in each entry. Is the file whole?",
        ),
        (
            format!("{label}\n{{\"query_id\" 1}}\n"),
            "line 2: found \"{\\\"query_id\\\" 1}\" (invalid JSON: `:` is missing, at character ",
            "), expected a JSON object on each line. Correct it there",
        ),
        (
            format!("{label}\n{{\"query_id\":\n"),
            "line 2: found \"{\\\"query_id\\\":\" (the end of the text inside a JSON value, at character ",
            "), expected a JSON object on each line. Is the line whole?",
        ),
    ] {
        let said = crate::complaint(read_qrels, &content);
        assert!(said.starts_with(begin) && said.ends_with(end), "{said}");
    }
}

#[test]
fn a_run_of_rows_is_ordered_by_score_then_rank_then_row() {
    let expected = ranked(&[("q1", &["b", "a"]), ("q2", &["c"])]);
    let plain = ReadRunOptions::default();
    for content in [
        "query_id,doc_id,rank,score\nq1,a,2,1.5\nq2,c,1,9\nq1,b,1,2.5\n",
        "query_id,doc_id,rank\nq1,a,2\nq1,b,1\nq2,c,1\n",
        "query_id,doc_id\nq1,b\nq1,a\nq2,c\n",
        "qid\tsku\tposition\nq1\tb\t1\nq1\ta\t2\nq2\tc\t1\n",
        "{\"query_id\":\"q1\",\"docId\":\"a\",\"score\":1}\n{\"query_id\":\"q1\",\"docId\":\"b\",\"score\":2}\n\
         {\"query_id\":\"q2\",\"docId\":\"c\",\"score\":3}\n",
    ] {
        assert_eq!(rankings(content, &plain), expected, "{content}");
    }
    let by_rank = ReadRunOptions { order: RunOrder::Rank, ..ReadRunOptions::default() };
    let distances = "query,doc,rank,score\nq1,a,1,0.1\nq1,b,2,0.9\n";
    assert_eq!(rankings(distances, &by_rank), ranked(&[("q1", &["a", "b"])]));
    assert!(results(distances, &plain).unwrap().notes.contradiction.is_some(), "distances are noticed");
}

/// The replies are those of the engines' documentation, shortened: Elasticsearch's and OpenSearch's search and multi
/// search, Qdrant's points/query and its two batches, Solr's select, Vespa's query, Weaviate's Get, Algolia's multiple
/// queries, Azure's search, Quepid's snapshot; ranx's and pytrec_eval's dictionaries.
#[test]
fn saved_replies_and_dictionaries_are_read() {
    let hits = r#"{"took":3,"timed_out":false,"hits":{"total":{"value":2,"relation":"eq"},"max_score":2.1,"hits":[
        {"_index":"p","_id":"b","_score":2.1,"_source":{"title":"Kettle","doc_id":"x"}},
        {"_index":"p","_id":"a","_score":2.1,"_source":{}}]}}"#;
    let both = ranked(&[("q1", &["b", "a"]), ("q2", &["b", "a"])]);
    let first = ranked(&[("q1", &["b", "a"])]);
    let error = message(results(hits, &study()).unwrap_err());
    assert!(error.contains("1 reply without the name of a query, and 2 queries"), "{error}");
    let multi = format!(r#"{{"took":9,"responses":[{hits},{hits}]}}"#);
    assert_eq!(rankings(&multi, &study()), both);
    let line = hits.replace('\n', " ");
    assert_eq!(rankings(format!("{line}\n{line}\n"), &study()), both, "a reply a line");
    // Chroma's.
    let own = |query: &str| format!(r#"{{{query}"ids":[["b","a"]],"documents":[["t","u"]]}}"#);
    assert_eq!(rankings(format!("{0}\n{0}\n", own("")), &study()), both, "a reply a line");
    let named = own(r#""query":"kettle","#);
    assert_eq!(rankings(named, &study()), ranked(&[("q2", &["b", "a"])]));
    let batch = r#"{"ids":[["b"],["a"]],"documents":null}"#;
    let error = message(results(format!("{batch}\n{batch}\n"), &study()).unwrap_err());
    assert!(error.contains("at line 2: found the lists of 2 queries"), "{error}");
    let error = message(results(own("").replace(r#","u""#, ""), &study_of(1)).unwrap_err());
    assert!(error.contains("found 1 values of text for 2 ids"), "{error}");
    for reply in [
        r#"{"result":{"points":[{"id":"b","version":0,"score":0.9,"payload":{"city":"x"}},{"id":"a","score":0.8}]},
            "status":"ok","time":0.001}"#,
        r#"{"responseHeader":{"status":0,"params":{"q":"red shoes"}},
            "response":{"numFound":2,"start":0,"docs":[{"id":"b"},{"id":"a"}]}}"#,
        r#"{"root":{"id":"toplevel","relevance":1.0,"fields":{"totalCount":2},"children":[
            {"id":"b","relevance":0.4,"fields":{"title":"x"}},{"id":"a","relevance":0.2}]}}"#,
        r#"{"data":{"Get":{"Product":[{"name":"x","_additional":{"id":"b","distance":0.1}},
            {"name":"y","_additional":{"id":"a","distance":0.2}}]}}}"#,
        r#"{"query":"red shoes","results":[{"id":"b","score":1},{"id":"a","score":7}]}"#,
        r#"{"q1":["b","a"]}"#,
        r#"{"q1":[["b",3.5],["a",1]]}"#,
        r#"{"q1":{"a":0.5,"b":0.75}}"#,
        r#"{"q1":[{"doc_id":"b","text":"t"},{"doc_id":"a","text":"u"}]}"#,
        r#"[{"question":"red shoes","contexts":[{"id":"b"},{"id":"a"}]}]"#,
        r#"{"result":[[{"id":"b","version":0,"score":0.9},{"id":"a","score":0.8}]],"status":"ok","time":0.001}"#,
        r#"{"result":[{"points":[{"id":"b","version":0,"score":0.9},{"id":"a","score":0.8}]}],"status":"ok"}"#,
        r#"{"results":[{"hits":[{"objectID":"b","name":"x"},{"objectID":"a"}],"nbHits":2,"query":"red shoes"}]}"#,
        r#"{"@odata.count":2,"value":[{"@search.score":1.5,"id":"b"},{"@search.score":1.1,"id":"a"}]}"#,
        // Chroma's query.
        r#"{"ids":[["b","a"]],"distances":[[0.1,0.4]],"documents":[["t","u"]],"metadatas":[[{"k":1},null]]}"#,
        // LangChain's retrieval chain, its documents as it writes them, and those of similarity_search_with_score,
        // whose scores may be distances; the output of a pipeline of Haystack.
        r#"{"input":"red shoes","context":[{"id":"b","page_content":"t"},{"id":"a","page_content":"u"}],"answer":"x"}"#,
        r#"{"q1":[{"lc":1,"type":"constructor","id":["langchain","schema","document","Document"],
            "kwargs":{"id":"b","page_content":"t"}},{"lc":1,"id":["Document"],"kwargs":{"id":"a"}}]}"#,
        r#"{"query":"red shoes","results":[[{"id":"b","page_content":"t"},0.1],[{"id":"a","page_content":"u"},0.7]]}"#,
        r#"[[[{"id":"b","page_content":"t"},0.9],[{"id":"a","page_content":"u"},0.7]]]"#,
        // LangChain's documents without an identifier of their own, LlamaIndex's nodes, Weaviate's Python client.
        r#"{"query":"red shoes","documents":[{"id":null,"metadata":{"id":"b"},"page_content":"t","type":"Document"},
            {"id":null,"metadata":{"id":"a"},"page_content":"u","type":"Document"}]}"#,
        r#"{"query":"red shoes","nodes":[{"node":{"id_":"b","text":"t"},"score":0.9},
            {"node":{"id_":"a","text":"u"},"score":0.7}]}"#,
        r#"{"objects":[{"uuid":"b","metadata":{"distance":0.1,"score":null},"properties":{"name":"x"}},
            {"uuid":"a","metadata":{"distance":0.2,"score":null},"properties":{"name":"y"}}]}"#,
        r#"{"query":"red shoes","retriever":{"documents":[{"id":"b","content":"t","score":0.9},
            {"id":"a","score":0.1}]}}"#,
        "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n\
         Base,2026-03-05T12:00:00Z,8,red shoes,b,1\nBase,2026-03-05T12:00:00Z,8,red shoes,a,2\n",
    ] {
        assert_eq!(rankings(reply, &study_of(1)), first, "{reply}");
    }
    let error = message(results(&multi, &ReadRunOptions::default()).unwrap_err());
    assert!(error.contains("at responses[0].hits.hits[0]: found a reply that names no query"), "{error}");
    assert!(error.contains("(3 more like it)"), "{error}");
    let failed = format!(r#"{{"responses":[{hits},{{"error":{{"type":"timeout"}},"status":503}}]}}"#);
    let error = message(results(failed, &study()).unwrap_err());
    assert!(
        error.contains("at responses[1]: found the error of a search engine") && error.contains("timeout"),
        "{error}"
    );
    let empty = r#"{"hits":{"hits":[]}}"#;
    let multi = format!(r#"{{"responses":[{empty},{hits}]}}"#);
    assert_eq!(rankings(multi, &study()), ranked(&[("q2", &["b", "a"])]), "an empty reply has its place");
    let three = format!("[{line},{line},{line}]");
    let error = message(results(three, &study()).unwrap_err());
    assert!(
        error.contains(
            "3 replies without the name of a query, and 2 queries. Such replies are in the order of the queries"
        ),
        "{error}"
    );
}

#[test]
fn queries_may_be_named_by_their_texts() {
    let by_text = "query,doc_id,score\nred shoes,a,2\nkettle,b,1\n";
    assert_eq!(rankings(by_text, &study()), ranked(&[("q1", &["a"]), ("q2", &["b"])]));
    let plain = ReadRunOptions::default();
    assert_eq!(rankings(by_text, &plain), ranked(&[("red shoes", &["a"]), ("kettle", &["b"])]));
}

#[test]
fn one_of_several_systems_is_read_by_its_name() {
    let content = "system,query,doc,score\nbm25,q1,a,2\ndense,q1,b,1\n";
    let error = message(results(content, &ReadRunOptions::default()).unwrap_err());
    assert!(
        error.contains("it has the results of bm25, dense. Write a file for each: llull export runs"),
        "{error}"
    );
    assert!(error.contains("--system bm25 -o NEW_FILE"), "{error}");
    let dense = ReadRunOptions { name: Some("dense".into()), ..ReadRunOptions::default() };
    assert_eq!(rankings(content, &dense), ranked(&[("q1", &["b"])]));
}

#[test]
fn labels_of_every_form_are_read() {
    for content in [
        "query,docid,rating\nq1,a,2\nq1,b,0\nq2,a,\n",
        "query_id;product_id;grade\nq1;a;2\nq1;b;0\n",
        "{\"q1\": {\"a\": 2, \"b\": 0}}",
        "{\"q1\": {\"a\": 2,\n \"b\": 0}}",
        "query,docid,rating\nq1,a,2\nq1,b,0\nnobody rated this\n",
        "{\"requests\":[{\"id\":\"q1\",\"request\":{\"query\":{\"match\":{\"t\":\"x\"}}},\"ratings\":[\
         {\"_index\":\"p\",\
         \"_id\":\"a\",\"rating\":2},{\"_index\":\"p\",\"_id\":\"b\",\"rating\":0}]}],\"metric\":{\"dcg\":{\"k\":10}}}",
        "{\"query\":\"q1\",\"doc_id\":\"a\",\"relevance\":2}\n{\"query\":\"q1\",\"doc_id\":\"b\",\"relevance\":0}\n",
        "[{\"qid\":\"q1\",\"docno\":\"a\",\"label\":2},{\"qid\":\"q1\",\"docno\":\"b\",\"label\":0}]",
        // The body that OpenSearch's Search Relevance Workbench imports.
        "{\"name\":\"n\",\"type\":\"IMPORT_JUDGMENT\",\"judgmentRatings\":[{\"query\":\"q1\",\n\"ratings\":[\
         {\"docId\":\"a\",\"rating\":\"2\"},{\"docId\":\"b\",\"rating\":\"0\"}]}]}",
    ] {
        let (_folder, path) = file(content);
        let read = read_qrels(&path).unwrap();
        let grades = ["a", "b"].map(|document| read.qrels.grade("q1", document));
        assert_eq!((grades, read.qrels.pairs()), ([Some(2), Some(0)], 2), "{content}");
    }
    let (_folder, path) = file("[{\"query\":\"q1\",\n\"docid\":\"a\",\"note\":2}]");
    let error = message(read_qrels(&path).unwrap_err());
    assert!(
        error.contains("at [0]: found no column for grade among \"query\", \"docid\", \"note\""),
        "{error}"
    );
    let (_folder, path) = file("query,docid,rating\nq1,a,2.5\nq1,b,x\nq1,c,y\n");
    let error = message(read_qrels(&path).unwrap_err());
    assert!(
        error.contains("line 2: found \"2.5\" as grade") && error.contains("(2 more like it)"),
        "{error}"
    );
    let round = ReadQrelsOptions { round: true, ..ReadQrelsOptions::default() };
    let error = message(read_qrels_with(&path, &round).unwrap_err());
    assert!(error.contains("line 3: found \"x\" as grade"), "{error}");
}

const BOILS: &str = "3d90b49f21fbd103";
const RUNS: &str = "d9eca1091e356c9d";

#[test]
fn a_corpus_of_every_form_is_read() {
    let usual = CorpusFields::default();
    let expected = [document("a", "Kettle", "Boils."), document("b", "", "Runs.")];
    for content in [
        "sku,name,description\na,Kettle,Boils.\nb,,Runs.\n",
        "{\"sku\":\"a\",\"title\":\"Kettle\",\"description\":\"Boils.\",\"brand\":\"X\"}\n\
         {\"sku\":\"b\",\"description\":\"Runs.\"}\n",
        "{\"a\": {\"title\": \"Kettle\", \"text\": \"Boils.\"},\n \"b\": {\"text\": \"Runs.\"}}",
        "{\"documents\": [{\"id\":\"a\",\"title\":\"Kettle\",\"text\":\"Boils.\"}, {\"id\":\"b\",\"text\":\"Runs.\"}]}",
        "[{\"id\":\"a\",\"metadata\":{\"title\":\"Kettle\",\"page\":1},\"page_content\":\"Boils.\",\
         \"type\":\"Document\"},\
         {\"id\":\"b\",\"metadata\":{},\"page_content\":\"Runs.\",\"type\":\"Document\"}]",
        "{\"id_\":\"a\",\"metadata\":{\"title\":\"Kettle\"},\"text\":\"Boils.\",\"class_name\":\"TextNode\"}\n\
         {\"id_\":\"b\",\"metadata\":{},\"text\":\"Runs.\",\"class_name\":\"TextNode\"}\n",
        "{\"id\":\"a\",\"content\":\"Boils.\",\"meta\":{\"title\":\"Kettle\"}}\n\
         {\"id\":\"b\",\"content\":\"Runs.\",\"meta\":{}}\n",
        "{\"index\":{\"_index\":\"p\",\"_id\":\"a\"}}\n{\"title\":\"Kettle\",\"body\":\"Boils.\"}\n\
         {\"index\":{\"_id\":\"b\"}}\n{\"body\":\"Runs.\"}\n",
        "{\"ids\":[\"a\",\"b\"],\"embeddings\":null,\"documents\":[\"Boils.\",\"Runs.\"],\
         \"metadatas\":[{\"title\":\"Kettle\"},null]}",
        "[{\"lc\":1,\"type\":\"constructor\",\"id\":[\"langchain\",\"Document\"],\"kwargs\":{\"id\":\"a\",\
         \"metadata\":{\"title\":\"Kettle\"},\"page_content\":\"Boils.\"}},\
         {\"lc\":1,\"kwargs\":{\"id\":\"b\",\"page_content\":\"Runs.\"}}]",
        "{\"lc\":1,\"id\":[\"Document\"],\"kwargs\":{\"id\":\"a\",\"title\":\"Kettle\",\"page_content\":\"Boils.\"}}\n\
         {\"lc\":1,\"kwargs\":{\"id\":\"b\",\"page_content\":\"Runs.\"}}\n",
        "{\"docstore/metadata\":{},\"docstore/data\":{\"a\":{\"__data__\":{\"id_\":\"a\",\"title\":\"Kettle\",\
         \"text\":\"Boils.\"},\"__type__\":\"1\"},\
         \"b\":{\"__data__\":{\"id_\":\"b\",\"text\":\"Runs.\"},\"__type__\":\"1\"}}}",
        "<DOC>\n<DOCNO> a </DOCNO>\n<TITLE>Kettle</TITLE>\n<TEXT>\nBoils.\n</TEXT>\n</DOC>\n\
         <DOC>\n<DOCNO> b </DOCNO>\n<TEXT><P>Runs.</P></TEXT>\n</DOC>\n",
        "{\"hits\":{\"hits\":[{\"_id\":\"a\",\"_source\":{\"title\":\"Kettle\",\"body\":\"Boils.\"}},\
         {\"_id\":\"b\",\"_source\":{\"body\":\"Runs.\"}}]}}",
    ] {
        assert_eq!(corpus(content, &usual).unwrap(), expected, "{content}");
    }
    assert_eq!(corpus("{\"a\": \"Boils.\"}", &usual).unwrap(), [document("a", "", "Boils.")]);
    let error = message(corpus("{\"a\": {\"wattage\": 2},\n\"b\": {}}", &usual).unwrap_err());
    assert!(error.contains("at a: found no column for title or text among \"wattage\""), "{error}");
    // As Python's json writes a missing text.
    for lines in
        ["{\"id\":\"a\",\"text\":NaN}\n", "{\"id\":\"a\",\"text\":\"b\"}\n{\"id\":\"c\",\"text\":NaN}\n"]
    {
        let error = message(corpus(lines, &usual).unwrap_err());
        assert!(error.contains("NaN and Infinity are no JSON: write null"), "{error}");
    }
    // Chunks of LangChain often have no identifier.
    let chunks = "{\"id\":null,\"metadata\":{},\"page_content\":\"Boils.\"}\n\
                  {\"id\":null,\"page_content\":\"Runs.\"}\n";
    let error = message(corpus(chunks, &usual).unwrap_err());
    assert!(
        error.contains("found no id") && error.contains("--columns id=page_content identifies"),
        "{error}"
    );
    let by_text = CorpusFields { columns: columns("id=page_content"), ..CorpusFields::default() };
    let read = corpus(format!("{chunks}{chunks}"), &by_text).unwrap();
    // blake3 of Python: the hash of each text.
    assert_eq!(read, [document(BOILS, "", "Boils."), document(RUNS, "", "Runs.")]);
    let found = "{\"question\":\"q1\",\"page_content\":\"Runs.\",\"id\":null}\n\
                 {\"question\":\"q1\",\"page_content\":\"Boils.\",\"id\":null}\n";
    let named = ReadRunOptions { columns: columns("document=page_content"), ..ReadRunOptions::default() };
    assert_eq!(rankings(found, &named), ranked(&[("q1", &[RUNS, BOILS])]));
    let named = ReadRunOptions { columns: columns("document=passage"), ..ReadRunOptions::default() };
    assert_eq!(rankings("query,passage,score\nq1,p7,2\n", &named), ranked(&[("q1", &["p7"])]));
    let (_folder, path) = file("query\nq1\tred shoes\n");
    let error = message(read_topics(&path).unwrap_err());
    assert!(error.contains("2 fields"), "{error}");
    let joined = CorpusFields { columns: columns("id=sku,text=name+brand"), ..CorpusFields::default() };
    let read = corpus("sku,name,brand\na,Towels,Utopia\n", &joined).unwrap();
    assert_eq!(read, [document("a", "", "Name: Towels\nBrand: Utopia")]);
}

#[test]
fn other_fields_of_queries_are_saved_as_metadata() {
    let table = "id;query;segment;language;frequency\n1;red shoes;head;en;900\n2;rote Schuhe;;de;3\n";
    let lines = "{\"_id\": \"1\", \"text\": \"red shoes\", \
                 \"metadata\": {\"segment\": \"head\", \"language\": \"en\"}, \
                 \"frequency\": 900, \"tags\": [\"a\"]}\n\
                 {\"_id\": \"2\", \"text\": \"rote Schuhe\", \"metadata\": {\"segment\": null, \"language\": \"de\"}, \
                 \"frequency\": 3, \"tags\": []}\n";
    for (content, unread) in [(table, 0), (lines, 1)] {
        let (_folder, path) = file(content);
        let TopicsFile { topics, table } = read_topics_file(&path, &Columns::default()).unwrap();
        assert_eq!(topics.fields().collect::<Vec<_>>(), ["segment", "language", "frequency"], "{content}");
        assert_eq!(topics.metadata("1", "segment"), Some("head"));
        assert_eq!((topics.metadata("2", "segment"), topics.metadata("2", "language")), (None, Some("de")));
        assert_eq!(topics.metadata("1", "frequency"), Some("900"));
        assert_eq!(table.unread.len(), unread, "{:?}", table.unread);
        assert_eq!(topics.get("2").unwrap().text, "rote Schuhe");
    }
    // An object's field does not hide that of the query itself.
    let (_folder, path) =
        file("{\"id\": \"1\", \"query\": \"a\", \"meta\": {\"segment\": \"x\"}, \"segment\": \"y\"}\n");
    let topics = read_topics(&path).unwrap();
    assert_eq!(topics.metadata("1", "segment"), Some("y"));
    assert_eq!(topics.metadata("1", "meta.segment"), Some("x"));
}

#[test]
fn the_columns_that_were_used_are_said_and_can_be_overruled() {
    let content = "question,search_term,id,segment\nWhy?,why,7,head\n";
    let (_folder, path) = file(content);
    let error = message(read_topics(&path).unwrap_err());
    assert!(
        error.contains(
            "query could be \"question\" or \"search_term\". Name the right one: --columns query=question"
        ),
        "{error}"
    );
    let read = read_topics_file(&path, &columns("query=search_term,document=sku")).unwrap();
    assert_eq!(read.topics.get("7").unwrap().text, "why");
    assert_eq!(
        read.table.line("q.csv").unwrap(),
        "q.csv: id = id, query = search_term; 2 fields saved as metadata: question, segment"
    );
    assert_eq!(read.topics.metadata("7", "segment"), Some("head"));
    let (_folder, path) = file("phrase,number\nWhy?,7\n");
    let renamed = path.with_extension("csv");
    fs_err::rename(&path, &renamed).unwrap();
    let error = message(read_topics(&renamed).unwrap_err());
    assert!(error.contains("line 1: found no column for query among \"phrase\", \"number\""), "{error}");
    assert!(error.contains("--columns query=COLUMN"), "{error}");
    assert!(read_topics_file(&renamed, &columns("query=phrase")).is_ok());
}

#[test]
fn the_first_fault_of_each_kind_is_shown_and_the_others_are_counted() {
    let content = "query,doc,score\nq1,a,high\nq1,,2\nq1,b,low\n,c,2\nq1,d,1,9\nq1,e,x\n";
    let error = message(results(content, &ReadRunOptions::default()).unwrap_err());
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), 4, "{error}");
    assert!(
        lines[0].contains("line 2: found \"high\" as score") && lines[0].ends_with("(2 more like it)"),
        "{error}"
    );
    assert!(lines[1].contains("line 3: found no document"), "{error}");
    assert!(lines[2].contains("line 5: found no query"), "{error}");
    assert!(lines[3].contains("line 6: found 4 fields, expected the 3 of the header"), "{error}");
}

#[test]
fn odd_and_legal_content_is_read() {
    let text = "مرحبا 👋\nein \"Zitat\"";
    let content =
        format!("query_id,query,query,notes,\n7,\"{}\",other,,\n\n8.0,=1+1,,,\n", text.replace('"', "\"\""));
    let read = queries(content);
    assert_eq!(read, [("7".to_owned(), text.to_owned()), ("8.0".to_owned(), "=1+1".to_owned())]);
    let windows = b"query_id;query\nq1;M\xfcnchen f\xfcr 5 \x80\n";
    assert_eq!(queries(windows), [("q1".to_owned(), "München für 5 €".to_owned())]);
    let (_folder, path) = file(windows);
    assert_eq!(read_topics_file(&path, &Columns::default()).unwrap().table.encoding, Some("Windows-1252"));
    let unicode: Vec<u8> = "query_id;query\nq1;München\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (_folder, path) = file(&unicode);
    let notes = read_topics_file(&path, &Columns::default()).unwrap().table;
    assert_eq!(notes.line("q.csv").unwrap(), "q.csv (UTF-16): id = query_id, query = query");
    let carriage = "query_id,doc_id,score\r\nq1,a,1\r\n";
    assert_eq!(rankings(carriage, &ReadRunOptions::default()), ranked(&[("q1", &["a"])]));
}

/// Each of these was read as something else, without a word.
#[test]
fn files_that_look_alike_are_told_apart() {
    let plain = ReadRunOptions::default();
    let usual = CorpusFields::default();
    let error = message(corpus("id,product_id,title\n1,3,Red shoe\n", &usual).unwrap_err());
    assert!(error.contains("id could be \"id\" or \"product_id\""), "a number of a row: {error}");
    let two = "{\"query_id\":\"q1\",\"system\":\"bm25\",\"results\":[{\"id\":\"a\"}]}\n\
               {\"query_id\":\"q1\",\"system\":\"dense\",\"results\":[{\"id\":\"b\"}]}\n";
    let error = message(results(two, &plain).unwrap_err());
    assert!(error.contains("it has the results of bm25, dense"), "{error}");
    let null = "{\"query_id\":null,\"query\":\"kettle\",\"results\":[{\"id\":\"b\"}]}\n";
    assert_eq!(rankings(null, &study()), ranked(&[("q2", &["b"])]), "the next name counts");
    let nothing = "{\"query_id\":null,\"results\":[{\"id\":\"b\"}]}\n";
    assert!(message(results(nothing, &study_of(1)).unwrap_err()).contains("a query that is neither"));
    let named = ReadRunOptions { columns: columns("query=asked"), ..study() };
    let asked = "{\"asked\":\"kettle\",\"results\":[{\"id\":\"b\"}]}\n";
    assert_eq!(rankings(asked, &named), ranked(&[("q2", &["b"])]));
    let rewritten = "{\"id\":\"a1\",\"query\":\"red shoes\",\"queries\":[\"crimson footwear\"]}\n";
    assert_eq!(queries(rewritten), [("a1".to_owned(), "red shoes".to_owned())]);
    let set =
        "{\"id\":\"d1\",\"text\":\"A set.\",\"items\":[{\"id\":\"d2\",\"name\":\"cup\"}],\"results\":[]}\n";
    assert_eq!(corpus(set, &usual).unwrap(), [document("d1", "", "A set.")]);
    let late =
        "{\"id\":\"d1\",\"text\":\"short\"}\n{\"id\":\"d2\",\"text\":\"short\",\"body_full\":\"long\"}\n";
    let full = CorpusFields { columns: columns("text=body_full"), ..CorpusFields::default() };
    assert_eq!(corpus(late, &full).unwrap()[1].text, "long", "a column may come later than the first row");
    let quotes = "query_id\tquery\nq1\t\"ipad case\nq2\ttv 55\"\nq3\t\"a \"\"b\"\"\"\n";
    assert_eq!(
        queries(quotes).iter().map(|(_, text)| &**text).collect::<Vec<_>>(),
        ["\"ipad case", "tv 55\"", "a \"b\""]
    );
    assert_eq!(corpus("id\ttext\nd1\tone\ttwo\n", &usual).unwrap(), [document("d1", "", "one\ttwo")]);
    assert_eq!(queries("q2\tquestion\nq3\tlamp, title\n").len(), 2, "a line is no header for a word in it");
    let by_rank = ReadRunOptions { order: RunOrder::Rank, ..ReadRunOptions::default() };
    let list = r#"{"query_id":"q1","results":[{"id":"a","rank":2},{"id":"b","rank":1}]}"#;
    assert_eq!(rankings(list, &by_rank), ranked(&[("q1", &["b", "a"])]));
    let scored = r#"{"q1":[["a",0.2],["b",0.9]]}"#;
    assert_eq!(rankings(scored, &plain), ranked(&[("q1", &["b", "a"])]));
    let error = message(results("query,doc,rank,title\nq1,a,2,x\nq1,b,,x\n", &plain).unwrap_err());
    assert!(error.contains("line 3: found no rank, expected a value for rank in every row"), "{error}");
    for cells in
        ["[[\"q1\",\"d1\",0.5],[\"q2\",\"d2\",0.4]]", "[[\"d1\",0.5],[\"d2\",0.4]]\n[[\"d1\",0.5]]\n"]
    {
        let error = message(results(cells, &study()).unwrap_err());
        assert!(error.contains("expected a result"), "{error}");
    }
    let numbers = "{\"query\": \"best phones under 500 dollars\", \"results\": [{\"id\": \"a\"}]}\n";
    assert_eq!(rankings(numbers, &plain).len(), 1, "no line of TREC");
    let topic = |id: &str| Topic { id: id.into(), text: "red shoes".into() };
    let twins: Topics = [topic("q1"), topic("q2")].into_iter().collect();
    let twins = ReadRunOptions { queries: Some(twins.into()), ..ReadRunOptions::default() };
    let run = rankings("query,doc\nred shoes,a\n", &twins);
    assert_eq!(run, ranked(&[("red shoes", &["a"])]), "of two queries with one text it is neither");
}

/// What another reading took for something else, without a word.
#[test]
fn what_is_not_meant_is_not_read() {
    let both = ranked(&[("q1", &["b", "a"])]);
    for reply in [
        r#"{"id":"q1","query":"red shoes","results":[{"id":"b","text":"x"},{"id":"a","text":"y"}]}"#,
        r#"[{"uuid":"7","query":"red shoes","documents":[{"id":"b"},{"id":"a"}]}]"#,
        "query_id,id,@search.score\nq1,a,0.5\nq1,b,0.9\n",
    ] {
        assert_eq!(rankings(reply, &study_of(1)), both, "{reply}");
    }
    let none = r#"{"root":{"id":"toplevel","relevance":1.0,"fields":{"totalCount":0}}}"#;
    let hits =
        r#"{"root":{"id":"toplevel","fields":{"totalCount":1},"children":[{"id":"a","relevance":0.2}]}}"#;
    assert_eq!(rankings(format!("[{none},{hits}]"), &study_of(2)), ranked(&[("q2", &["a"])]));
    for (content, expected) in [
        (r#"{"q1":{"doc_ids":["a","b"],"scores":[2,1]}}"#, "at q1.doc_ids: found"),
        ("id,query_id,doc_id,rank\n1,q1,a,1\n2,q1,,2\n", "line 3: found no document"),
        ("query_id;doc_id;score\nq1;a;9,5\n", "a number. Write decimals with a point, as in 9.5"),
        ("query_id,doc_id,score,relevance\nq1,a,1,9\nq1,b,,8\n", "line 3: found no score"),
        (r#"{"query_id":"q1","doc_id":["a","b"],"score":1}"#, "a list of several in \"doc_id\""),
        (
            "{\"query_id\":\"q1\",\"doc_id\":123456789012345678901,\"score\":2}\n",
            "a number of so many digits in \"doc_id\" that some are lost; write it as a text",
        ),
        (
            r#"[{"query_id":"q1","id":"row1"},{"query_id":"q1","id":"row2","doc_id":"D2"}]"#,
            "at [0]: found no document",
        ),
    ] {
        let error = message(results(content, &study_of(1)).unwrap_err());
        assert!(error.contains(expected), "{content}: {error}");
    }
    let (_folder, path) = file("query_id,doc_id,rating,score\nq1,a,2,7\nq1,b,,3\n");
    let read = read_qrels(&path).unwrap();
    assert_eq!((read.qrels.grade("q1", "a"), read.qrels.grade("q1", "b")), (Some(2), None));
    let (_folder, path) =
        file(r#"{"requests":[{"id":"q1","ratings":[{"_id":"a","rating":2}]},{"id":"q2","ratings":[]}]}"#);
    assert_eq!(read_qrels(&path).unwrap().qrels.pairs(), 1);
    let named = CorpusFields { columns: columns("text=blurb"), ..CorpusFields::default() };
    let read =
        corpus(r#"[{"id":"a","title":"A"},{"id":"b","blurb":"the blurb","text":"no"}]"#, &named).unwrap();
    assert_eq!(read[1].text, "the blurb");
    let bulk =
        "{\"index\":{\"_id\":\"a\"}}\n{\"title\":\"A\"}\n{\"index\":{\"_id\":\"b\"}}\n{\"blurb\":\"B\"}\n";
    let error = message(corpus(bulk, &named).unwrap_err());
    assert!(error.contains("found the first \"blurb\", after rows that were read without it"), "{error}");
    for (columns, content, expected) in [
        ("id=query_id,document=docid", "id,docid,text\na,b,Text.\n", "b"),
        ("id=docid", "id,docid,text\na,b,Text.\n", "b"),
    ] {
        let fields = CorpusFields { columns: self::columns(columns), ..CorpusFields::default() };
        assert_eq!(corpus(content, &fields).unwrap()[0].id, expected, "{columns}");
    }
}

#[test]
fn a_quoted_line_break_between_tabs_is_an_error() {
    let (_folder, path) = file("query_id\tquery\tsegment\nq1\t\"red\nshoes\"\tnew\nq2\tblue hat\told\n");
    let error = message(read_topics(&path).unwrap_err());
    assert!(error.contains("line 2: found a quotation mark that the line does not close"), "{error}");
    assert_eq!(queries("query_id\tquery\tnote\nq1\t\"red\" shoes\n")[0].1, "\"red\" shoes");
}

/// A chunk is what is judged; its document is no other identifier of it. A number may count each document's chunks.
#[test]
fn the_chunk_of_a_document_is_the_judged_unit() {
    let options = ReadRunOptions::default();
    let table = "query_id,doc_id,chunk_id,score\nq1,d7,d7#2,3\nq1,d7,d7#0,2\nq1,d9,d9#0,1\n";
    let read = results(table, &options).unwrap();
    let hits = "[{\"query_id\":\"q1\",\"docId\":\"d7\",\"chunkId\":\"d7#2\",\"score\":3},\
        {\"query_id\":\"q1\",\"docId\":\"d7\",\"chunkId\":\"d7#0\",\"score\":2}]";
    for (content, expected) in [(table, &["d7#2", "d7#0", "d9#0"][..]), (hits, &["d7#2", "d7#0"])] {
        assert_eq!(rankings(content, &options), ranked(&[("q1", expected)]));
    }
    let line = read.notes.table.line("hits.csv").unwrap();
    assert_eq!(line, "hits.csv: query = query_id, document = chunk_id (of doc_id), score = score");
    let texts = corpus("doc_id,passage_id,text\nd7,d7-a,x\nd7,d7-b,y\n", &CorpusFields::default()).unwrap();
    assert_eq!(texts, [document("d7-a", "", "x"), document("d7-b", "", "y")]);

    let counted = table.replace("d7#", "").replace("d9#", "");
    let error = message(results(&counted, &options).unwrap_err());
    let both =
        "document could be \"chunk_id\" or \"doc_id\". Name the right one: --columns document=chunk_id";
    assert!(error.contains(both), "{error}");
    for (name, expected) in [("doc_id", &["d7", "d9"][..]), ("chunk_id", &["2", "0"])] {
        let options = ReadRunOptions { columns: columns(&format!("document={name}")), ..options.clone() };
        assert_eq!(rankings(&counted, &options), ranked(&[("q1", expected)]));
    }
    let anew = "query_id,doc_id,chunk_id,score\nq1,A,chunk_0,3\nq1,A,chunk_0,2\nq2,B,chunk_0,1\n";
    let hits = "[{\"query_id\":\"q1\",\"docId\":\"A\",\"chunkId\":\"chunk_0\",\"score\":3},\
        {\"query_id\":\"q2\",\"docId\":\"B\",\"chunkId\":\"chunk_0\",\"score\":2}]";
    for (content, names) in [(anew, "\"chunk_id\" or \"doc_id\""), (hits, "\"chunkId\" or \"docId\"")] {
        let error = message(results(content, &options).unwrap_err());
        assert!(error.contains(&format!("document could be {names}")), "{error}");
    }
    let texts = "doc_id,passage_id,text\nA,p0,x\nB,p0,y\n";
    let error = message(corpus(texts, &CorpusFields::default()).unwrap_err());
    assert!(error.contains("could be \"passage_id\" or \"doc_id\""), "{error}");
    let several = "query_id,doc_id,product_id,chunk_id,score\nq1,d7,p,c,3\n";
    let error = message(results(several, &options).unwrap_err());
    assert!(error.contains("document could be \"doc_id\", \"product_id\" or \"chunk_id\""), "{error}");
}
