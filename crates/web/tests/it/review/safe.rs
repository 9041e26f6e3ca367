//! Tests which requests are accepted.

use llull::review::{ReviewOptions, ReviewQueue};
use llull_web::ReviewServerOptions;
use reqwest::{Method, StatusCode};

use crate::browser::encoded;
use crate::review::study::{Review, attempts, by, comparing, review, sampled};

const NOT_IN_A_PAGE: [&str; 5] = ["<script>", "<img", "onerror=alert(2)>", "\u{202e}", "\u{1b}"];

/// A review of documents to grade, and one of documents side by side, each with a button that answers and how many
/// pairs there are.
fn both() -> [(Review, &'static str, usize); 2] {
    let pairs = ReviewOptions { queue: ReviewQueue::Random, ..ReviewOptions::default() };
    let pairs = ReviewServerOptions { review: pairs, annotator: Some("anna".into()) };
    [(review(sampled(), by("anna")), "grade 3", 8), (review(comparing(false), pairs), "left", 60)]
}

#[test]
fn a_form_of_another_site_records_nothing() {
    for (review, act, _) in both() {
        of_another_site(&review, act);
    }
}

fn of_another_site(review: &Review, act: &str) {
    let browser = review.browser();
    let page = browser.open("/");
    let fields = page.answer_form();
    let mut fields: Vec<(&str, &str)> =
        fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    fields.push(("act", act));
    let before = attempts(review.path());
    let sent = |headers: &[(&str, &str)], fields: &[(&str, &str)]| {
        browser.send(Method::POST, "/answer", headers, Some(encoded(fields))).status
    };
    for origin in ["http://evil.test", "null", "http://127.0.0.1:1", ""] {
        assert_eq!(sent(&[("origin", origin)], &fields), StatusCode::FORBIDDEN, "{origin:?}");
    }
    assert_eq!(sent(&[("host", "evil.test")], &fields), StatusCode::MISDIRECTED_REQUEST);
    assert_eq!(sent(&[("cookie", "")], &fields), StatusCode::UNAUTHORIZED);
    let token = fields[0].1.to_owned();
    for wrong in ["", "0", &format!("{token}0"), &token[1..], &"0".repeat(32)] {
        let fields: Vec<(&str, &str)> = fields
            .iter()
            .map(|(name, value)| (*name, if *name == "token" { wrong } else { *value }))
            .collect();
        assert_eq!(sent(&[], &fields), StatusCode::FORBIDDEN, "{wrong:?}");
    }
    assert_eq!(sent(&[], &fields[1..]), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(sent(&[("content-type", "text/plain")], &fields), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let much = "x".repeat(20_000);
    let long = [fields.clone(), vec![("more", much.as_str())]].concat();
    assert_eq!(sent(&[], &long), StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(attempts(review.path()), before);
    assert_eq!(sent(&[], &fields), StatusCode::SEE_OTHER);
    assert_eq!(attempts(review.path()), before + 1);
}

#[test]
fn no_address_changes_anything_by_being_opened() {
    for (review, act, pairs) in both() {
        opened(&review, "skip", pairs);
        opened(&review, act, pairs);
    }
}

fn opened(review: &Review, act: &str, pairs: usize) {
    let before = attempts(review.path());
    let browser = review.browser();
    let page = browser.open("/");
    let fields = page.answer_form();
    let mut fields: Vec<(&str, &str)> =
        fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    fields.push(("act", act));
    let query = encoded(&fields);
    for address in [format!("/answer?{query}"), format!("/next?{query}"), format!("/pair/1?{query}")] {
        browser.get(&address);
    }
    assert_eq!(browser.get("/answer").status, StatusCode::METHOD_NOT_ALLOWED);
    for method in [Method::PUT, Method::DELETE, Method::PATCH, Method::OPTIONS] {
        let status = browser.send(method.clone(), "/answer", &[], None).status;
        assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED, "{method}");
    }
    let tally = format!("0 answered, {pairs} open, 0 for later, 0 skipped");
    assert!(browser.open("/list").text.contains(&tally));
    assert_eq!(attempts(review.path()), before);
    assert!(!review.path().join(".llull/review-marks.jsonl").exists());
}

#[test]
fn what_a_stranger_wrote_is_read_and_does_nothing() {
    let review = review(sampled(), by("anna"));
    let browser = review.browser();
    let page = browser.open("/pair/1");
    browser.press(&page, "grade 1", "<script>alert(3)</script>\u{202e}");
    for address in ["/pair/1", "/pair/2", "/list", "/next"] {
        let got = browser.open(address);
        assert_eq!(got.headers["content-type"], "text/html; charset=utf-8", "{address}");
        for hostile in NOT_IN_A_PAGE {
            assert!(!got.text.contains(hostile), "{hostile:?} in {address}: {}", got.text);
        }
        assert!(!got.text.contains("style=\"") && !got.text.contains(" onclick"), "{address}");
    }
    let page = browser.open("/pair/1").text;
    assert!(page.contains("\\u202e") && page.contains("\\u001b[2J"), "what is not seen is written out");
    assert!(page.contains("&lt;script&gt;alert(3)&lt;/script&gt;\\u202e</textarea>"), "{page}");
    assert!(page.contains("<mark>question</mark>"), "the query's words are marked: {page}");
    assert!(page.contains("first line of "), "{page}");
}

#[test]
fn the_policy_allows_the_servers_own_script_and_nothing_else() {
    let review = review(sampled(), by("anna"));
    let browser = review.browser();
    for address in ["/", "/pair/1", "/keys.js", "/style.css", "/nothing"] {
        let got = browser.get(address);
        let policy = got.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none';") && !policy.contains("unsafe"), "{policy}");
        assert!(policy.contains("script-src 'self';") && policy.contains("form-action 'self'"), "{policy}");
        // With no-referrer, browsers send forms from nowhere ("null").
        assert_eq!(got.headers["referrer-policy"], "same-origin");
        assert_eq!(got.headers["cache-control"], "no-store");
    }
    let script = browser.get("/keys.js");
    assert_eq!(script.headers["content-type"], "text/javascript; charset=utf-8");
    for word in ["innerHTML", "eval", "fetch", "http", "document.write"] {
        assert!(!script.text.contains(word), "{word}");
    }
    let page = browser.open("/pair/1").text;
    assert_eq!(page.matches("<script").count(), 1);
    assert!(page.contains("<script src=\"/keys.js\" defer></script>"));
}

#[test]
fn strangers_see_nothing() {
    for (review, ..) in both() {
        to_a_stranger(&review);
    }
}

fn to_a_stranger(review: &Review) {
    let browser = review.browser();
    for address in ["/", "/next", "/pair/1", "/list", "/keys.js", "/style.css", "/name"] {
        let got = browser.send(Method::GET, address, &[("cookie", "")], None);
        assert_eq!(got.status, StatusCode::UNAUTHORIZED, "{address}");
        assert!(got.text.contains("llull review printed") && !got.text.contains("question"), "{}", got.text);
    }
}
