//! Tests requests to a server: batches, concurrency, and stopping.
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use llull_candidates::remote::{
    Greeting, HttpTemplate, RemoteError, RemoteLimits, RemoteRetrieval, StoreKind, StoreOptions, TemplateText,
};
use llull_core::Topic;
use llull_http::Address;
use serde_json::{Value, json};

/// Serves each connection on a thread of its own: `answer` is given the path and the body, and returns status and body.
fn serve(answer: impl Fn(&str, &str) -> (u16, String) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let answer = Arc::clone(&answer);
            std::thread::spawn(move || {
                let mut reader = BufReader::new(stream);
                let (mut path, mut length) = (String::new(), 0);
                for line in reader.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty())
                {
                    if path.is_empty() {
                        path = line.split(' ').nth(1).unwrap_or_default().to_owned();
                    }
                    if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                        length = value.trim().parse().unwrap();
                    }
                }
                let mut body = vec![0; length];
                reader.read_exact(&mut body).unwrap();
                let (status, reply) = answer(&path, &String::from_utf8(body).unwrap());
                let head = format!(
                    "HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    reply.len()
                );
                // A client that gave up has hung up.
                let _ = reader.get_mut().write_all((head + &reply).as_bytes());
            });
        }
    });
    url
}

const LIMITS: RemoteLimits =
    RemoteLimits { timeout: Duration::from_secs(60), concurrency: 1, batch: 1, retries: 0 };

fn elasticsearch(url: &str, limits: RemoteLimits) -> RemoteRetrieval<'static> {
    let address = Address::parse(url).unwrap();
    let options = StoreOptions::new(address.clone(), "docs");
    let protocol = StoreKind::Elasticsearch.protocol(options).unwrap();
    RemoteRetrieval::new("mine", (address, protocol), None, limits).unwrap()
}

/// Asks these queries; returns the lines that were written.
fn ask(retrieval: RemoteRetrieval<'_>, queries: &[&str]) -> Result<Vec<Value>, RemoteError> {
    let topics: Vec<Topic> =
        queries.iter().map(|query| Topic { id: format!("id-{query}"), text: (*query).to_owned() }).collect();
    let (mut written, mut done) = (Vec::new(), 0);
    retrieval.ask(&topics.iter().collect::<Vec<_>>(), None, 3, &mut written, &mut |at| done = at)?;
    assert_eq!(done, queries.len());
    Ok(String::from_utf8(written).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn hits() -> Value {
    json!({"hits": {"hits": [{"_id": "d1", "_score": 1.0, "_source": {"text": "t"}}]}})
}

/// A request with a query that the server refuses is taken apart, so that this query alone is lost.
#[test]
fn queries_share_requests_and_fail_alone() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&asked);
    let url = serve(move |path, body| {
        let queries = body.matches("\"match\"").count();
        noted.lock().unwrap().push((path.to_owned(), queries));
        if body.contains("bad") {
            return (400, json!({"error": {"reason": "no such field"}}).to_string());
        }
        let all = vec![hits(); queries];
        (200, if path.ends_with("_msearch") { json!({"responses": all}) } else { hits() }.to_string())
    });
    let lines =
        ask(elasticsearch(&url, RemoteLimits { batch: 2, ..LIMITS }), &["a", "b", "c", "bad", "e"]).unwrap();
    let ids: Vec<_> = lines.iter().map(|line| line["query_id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["id-a", "id-b", "id-c", "id-bad", "id-e"]);
    for line in &lines {
        let is_bad = line["query_id"] == "id-bad";
        assert_eq!((line.get("results").is_some(), line.get("ms").is_some()), (!is_bad, !is_bad), "{line}");
    }
    assert!(lines[3]["error"].as_str().unwrap().ends_with("HTTP 400: no such field"), "{}", lines[3]);
    let asked: Vec<(String, usize)> = asked.lock().unwrap().clone();
    let (several, one) = ("/docs/_msearch".to_owned(), "/docs/_search".to_owned());
    assert_eq!(asked, [(several.clone(), 2), (several, 2), (one.clone(), 1), (one.clone(), 1), (one, 1)]);
}

/// The first query is answered only when three have arrived.
#[test]
fn requests_are_under_way_at_once() {
    let arrived = Arc::new((Mutex::new(0), Condvar::new()));
    let url = serve(move |_, _| {
        let (count, changed) = &*arrived;
        let mut count = count.lock().unwrap();
        *count += 1;
        changed.notify_all();
        let waited = changed.wait_timeout_while(count, Duration::from_secs(50), |count| *count < 3).unwrap();
        if waited.1.timed_out() { (503, String::new()) } else { (200, hits().to_string()) }
    });
    let lines =
        ask(elasticsearch(&url, RemoteLimits { concurrency: 3, ..LIMITS }), &["a", "b", "c"]).unwrap();
    let ids: Vec<_> = lines.iter().map(|line| line["query_id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["id-a", "id-b", "id-c"]);
    assert!(lines.iter().all(|line| line.get("error").is_none()), "{lines:?}");
}

#[test]
fn a_server_that_is_gone_is_not_asked_for_ever() {
    let asked = Arc::new(Mutex::new(0));
    let noted = Arc::clone(&asked);
    let url = serve(move |_, _| {
        let mut asked = noted.lock().unwrap();
        *asked += 1;
        if *asked < 3 { (200, hits().to_string()) } else { (502, "<html>Bad Gateway</html>".into()) }
    });
    let queries: Vec<String> = (0..40).map(|at| format!("q{at}")).collect();
    let error = ask(elasticsearch(&url, LIMITS), &queries.iter().map(String::as_str).collect::<Vec<_>>());
    let said = error.unwrap_err().to_string();
    assert!(said.starts_with("system mine: http://127.0.0.1:") && said.contains("HTTP 502"), "{said}");
    assert!(said.ends_with("Earlier results stay saved"), "{said}");
    assert_eq!(*asked.lock().unwrap(), 5, "two are answered, three in a row are not");
}

#[test]
fn a_greeting_asks_no_query() {
    let url = serve(|path, body| {
        assert_eq!((path, body), ("/", ""));
        (403, "no".into())
    });
    let text = TemplateText {
        url: format!("{url}/search?q={{query}}&token=topsecret-1234"),
        results: "/hits".into(),
        id: "/id".into(),
        ..TemplateText::default()
    };
    let template = HttpTemplate::new(&text).unwrap();
    let asked = (template.address().clone(), Box::new(template) as Box<_>);
    let greeted = RemoteRetrieval::new("mine", asked, None, LIMITS).unwrap().greet();
    assert_eq!(greeted.unwrap(), Greeting::Answers(403));
}
