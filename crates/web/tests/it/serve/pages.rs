//! Tests the pages of a study over a real socket.

use std::time::{Duration, Instant};

use llull::Folder;
use llull::store::LedgerLock;
use llull_web::{ServeOptions, Server};
use reqwest::{Method, StatusCode};

use crate::serve::study::{HOSTILE, NOT_IN_A_PAGE, Shown, folder, judge, open};

const PAGES: [&str; 14] = [
    "/",
    "/queries",
    "/query/1",
    "/query/1/answers",
    "/query/1/document/1",
    "/queries?find=%3Cscript%3E&show=differs&sort=losses",
    "/attempts",
    "/attempts?query=%3Cscript%3E",
    "/attempt/1",
    "/judges",
    "/labels",
    "/labels?find=%3Cscript%3E&sort=apart",
    "/ledger",
    "/live",
];
/// The one script that a page has.
const SCRIPT: &str = "<script src=\"/live.js\" defer></script>";

/// At a clock before 1970 there was no page: a header with the date was written, which cannot hold that date.
#[test]
fn no_page_depends_on_the_time_of_day() {
    let browser = Shown::judged();
    for address in ["/", "/ledger"] {
        assert!(!browser.get(address).headers.contains_key("date"), "{address}");
    }
}

#[test]
fn every_page_is_there_and_nothing_of_it_acts() {
    let browser = Shown::judged();
    for address in PAGES {
        let got = browser.get(address);
        assert_eq!(got.status, StatusCode::OK, "{address}: {}", got.text);
        assert_eq!(got.headers["content-type"], "text/html; charset=utf-8");
        let text = if address == "/live" { got.text.replacen(SCRIPT, "", 1) } else { got.text.clone() };
        for hostile in NOT_IN_A_PAGE {
            assert!(!text.contains(hostile), "{hostile:?} in {address}");
        }
        assert!(!got.text.contains("href=\"http") && !got.text.contains("style=\""), "{address}");
        assert!(got.text.contains("&lt;script&gt;"), "what was written can be read in {address}");
    }
    let query = browser.get("/query/1").text;
    assert!(query.contains("\\u202e") && query.contains("\\u001b[2J") && query.contains("j&lt;i&gt;"));
    assert!(query.contains("https://evil.test"), "a link is shown");
    let style = browser.get("/style.css");
    assert_eq!(style.headers["content-type"], "text/css; charset=utf-8");
    assert!(!style.text.contains("url("));
}

/// A reader who moves by headings, as with a screen reader, takes a gap for a missing part.
#[test]
fn headings_leave_out_no_level() {
    let browser = Shown::judged();
    for address in PAGES {
        let text = browser.get(address).text;
        let levels: Vec<u32> = text
            .split("<h")
            .skip(1)
            .filter_map(|rest| rest.get(..2)?.strip_suffix(['>', ' '])?.parse().ok())
            .collect();
        assert_eq!(levels.first(), Some(&1), "{address}");
        assert!(levels.windows(2).all(|two| two[1] <= two[0] + 1), "{levels:?} in {address}");
    }
}

#[test]
fn a_document_beyond_the_other_pool_is_called_that() {
    let browser = Shown::judged();
    let page = browser.get("/query/2").text;
    assert!(page.contains("<span class=\"moved\">not pooled there</span>"), "{page}");
    assert!(page.contains("– is not pooled there."), "the table of shares has the same words: {page}");
}

#[test]
fn a_system_chosen_twice_is_in_the_order_of_the_topics() {
    let browser = Shown::judged();
    let list = browser.get("/queries?a=old&b=old").text;
    assert!(list.contains("<option value=\"topics\" selected>"), "{list}");
    let query = browser.get("/query/2?a=old&b=old").text;
    assert!(query.contains(">2 of 3 queries</a>, in the order of the topics"), "{query}");
}

#[test]
fn a_query_outside_its_list_leads_to_all_queries() {
    let browser = Shown::judged();
    let page = browser.get("/query/1?find=export&sort=hardest").text;
    assert!(page.contains("<li><a href=\"/queries\">All queries</a></li>"), "{page}");
    let page = browser.get("/query/2?find=export&sort=hardest").text;
    assert!(page.contains("<a href=\"/queries?find=export&amp;sort=hardest\">1 of 1 query</a>"), "{page}");
}

#[test]
fn every_answer_has_the_headers() {
    let browser = Shown::judged();
    for (method, address) in [
        (Method::GET, "/"),
        (Method::GET, "/style.css"),
        (Method::GET, "/query/99"),
        (Method::GET, "/query/x"),
        (Method::POST, "/"),
        (Method::GET, "/?token=wrong"),
    ] {
        let got = browser.send(method, address, &[], None);
        let policy = got.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'; style-src 'self';") && !policy.contains("unsafe"));
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cache-control", "no-store"),
        ] {
            assert_eq!(got.headers[name], value, "{address}");
        }
    }
}

#[test]
fn strangers_see_nothing() {
    let browser = Shown::judged();
    let own = browser.base.strip_prefix("http://").unwrap();
    let status = |address: &str, headers: &[(&str, &str)]| {
        let got = browser.send(Method::GET, address, headers, None);
        assert!(got.status == StatusCode::OK || !got.text.contains("password"), "{}", got.text);
        got.status
    };
    for address in ["/", "/queries", "/query/1", "/style.css", "/?token=", "/queries?token=0"] {
        assert_eq!(status(address, &[("cookie", "")]), StatusCode::UNAUTHORIZED, "{address}");
        assert_eq!(
            status(address, &[("cookie", "llull_0=00; other")]),
            StatusCode::UNAUTHORIZED,
            "{address}"
        );
    }
    for host in ["evil.test", "127.0.0.1", "127.0.0.1.evil.test", "localhost:1"] {
        assert_eq!(status("/", &[("host", host)]), StatusCode::MISDIRECTED_REQUEST, "{host}");
    }
    for origin in ["http://evil.test", "null", "http://127.0.0.1:1"] {
        assert_eq!(status("/", &[("origin", origin)]), StatusCode::FORBIDDEN, "{origin}");
    }
    assert_eq!(status("/", &[("origin", browser.base.as_str())]), StatusCode::OK);
    assert_eq!(
        status("/", &[("host", &format!("localhost:{}", own.split(':').nth(1).unwrap()))]),
        StatusCode::OK
    );
}

#[test]
fn pages_are_only_read_and_no_path_is_taken_from_an_address() {
    let browser = Shown::judged();
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH, Method::OPTIONS] {
        let got = browser.send(method.clone(), "/queries", &[], None);
        assert_eq!(
            (got.status, &got.headers["allow"]),
            (StatusCode::METHOD_NOT_ALLOWED, &"GET, HEAD".parse().unwrap()),
            "{method}"
        );
    }
    for address in
        ["/llull.toml", "/query/..%2f..%2fllull.toml", "/%2e%2e/llull.toml", "/.llull/ledger.sqlite"]
    {
        let got = browser.get(address);
        assert!(got.status.is_client_error() && !got.text.contains("version"), "{address}: {}", got.text);
    }
    for address in [
        "/query/0",
        "/query/4",
        "/query/18446744073709551615",
        "/query/0/answers",
        "/query/4/answers",
        "/attempt/0",
        "/attempt/7",
        "/attempt/18446744073709551615",
    ] {
        assert_eq!(browser.get(address).status, StatusCode::NOT_FOUND, "{address}");
    }
    let long = format!("/queries?find={}", "a".repeat(5_000));
    assert_eq!(browser.get(&long).status, StatusCode::URI_TOO_LONG);
    assert_eq!(browser.get("/queries?show=nothing").status, StatusCode::BAD_REQUEST);
}

#[test]
fn two_systems_are_compared_query_by_query() {
    let browser = Shown::judged();
    let listed = |address: &str| {
        let text = browser.get(address).text;
        ["/query/1", "/query/2", "/query/3"].map(|query| text.contains(&format!("href=\"{query}?")))
    };
    assert_eq!(listed("/queries"), [true, true, true]);
    assert_eq!(listed("/queries?find=EXPORT"), [false, true, false]);
    // Of q1 the second has both documents the other way round; of the others it has none.
    assert_eq!(listed("/queries?show=moved"), [true, true, true]);
    assert_eq!(listed("/queries?show=one-wrong"), [true, false, false]);
    assert_eq!(listed("/queries?show=differs&a=old&b=old"), [false, false, false]);
}

/// The places of these texts in a page, in the order in which they were named.
fn places(page: &str, texts: &[&str]) -> Vec<usize> {
    texts.iter().map(|text| page.find(text).ok_or_else(|| format!("{text} in {page}")).unwrap()).collect()
}

#[test]
fn a_query_keeps_the_list_and_the_two_systems() {
    let browser = Shown::judged();
    // Of q2 and q3 the second system has no document; of q1 it has the better one second.
    let list = browser.get("/queries").text;
    let end = "?a=old&amp;b=new%3Cb%3E";
    let addresses = ["3", "2", "1"].map(|number| format!("href=\"/query/{number}{end}\""));
    assert!(places(&list, &addresses.each_ref().map(String::as_str)).is_sorted(), "{list}");
    let query = browser.get("/query/2?a=old&b=new%3Cb%3E").text;
    for part in [
        format!("href=\"/query/3{end}\" rel=\"prev\""),
        format!("href=\"/query/1{end}\" rel=\"next\""),
        "2 of 3 queries</a>, largest difference first".to_owned(),
        "new&lt;b&gt;</bdi></b> is worse by".to_owned(),
        "What made the difference".to_owned(),
    ] {
        assert!(query.contains(&part), "{part} in {query}");
    }
    let other = browser.get("/query/2?a=new%3Cb%3E&b=old&sort=topics").text;
    assert!(other.contains("old</bdi></b> is better by") && other.contains("sort=topics"), "{other}");
    assert!(
        browser.get("/").text.contains(&format!("/query/3{end}")),
        "the decision leads to the two systems"
    );
}

#[test]
fn a_document_has_its_text_and_the_replies_about_it() {
    let browser = Shown::judged();
    let query = browser.get("/query/1").text;
    assert!(query.contains("href=\"/query/1/document/1\""), "{query}");
    let page = browser.get("/query/1/document/1").text;
    assert!(
        page.contains("link https://evil.test") && page.contains("j&lt;i&gt;</bdi>: <bdi>grade 3"),
        "{page}"
    );
    assert!(page.contains("href=\"/attempt/"), "{page}");
    // Fields that judges do not see.
    assert!(
        page.contains("<bdi>brand</bdi>: <bdi>Ace ") && query.contains("<bdi>brand: Ace "),
        "{page} {query}"
    );
    for missing in ["/query/1/document/0", "/query/1/document/3", "/query/4/document/1"] {
        assert_eq!(browser.get(missing).status, StatusCode::NOT_FOUND, "{missing}");
    }
}

#[test]
fn an_error_is_a_page_with_a_way_on() {
    let browser = Shown::judged();
    for (address, words) in [
        ("/nothing", "There is no such page"),
        ("/query/99", "There is no such page"),
        ("/queries?show=nothing", "This address is not valid"),
    ] {
        let got = browser.get(address);
        assert!(got.status.is_client_error());
        assert_eq!(got.headers["content-type"], "text/html; charset=utf-8");
        let heading = format!("<h1>{words}");
        let parts = ["aria-label=\"Pages\"", &heading, "href=\"/queries\">All queries"];
        assert!(places(&got.text, &parts).is_sorted(), "{}", got.text);
    }
    let hostile = browser.get("/queries?show=%3Cscript%3E");
    assert!(
        hostile.text.contains("&lt;script&gt;") && !hostile.text.contains("<script>"),
        "{}",
        hostile.text
    );
    // A stranger does not even learn the study's name.
    let stranger = browser.send(Method::GET, "/", &[("cookie", "")], None);
    assert!(
        !stranger.text.contains("alert(0)") && stranger.text.contains("llull serve"),
        "{}",
        stranger.text
    );
}

#[test]
fn every_answer_is_there_word_for_word() {
    let folder = folder();
    judge(folder.path());
    let study = open(folder.path());
    let mut writer = llull::store::SqliteLedger::open(study.folder().ledger()).unwrap();
    let known = llull::store::LedgerReader::judges(&writer).unwrap().remove(0);
    let failure = llull::core::Failure::new(llull::core::FailureKind::RateLimited, "slow <b>down</b>");
    let reply = Some(format!("first line\n{HOSTILE}"));
    let answer = llull::core::Answer { reply, ..failure.into() };
    let failed = llull::core::Attempt {
        topic: "q1".into(),
        document: "a1".into(),
        ..llull::core::Attempt::new(llull::core::Hash::of(b"x"), answer)
    };
    llull::store::LedgerWriter::append(&mut writer, &[(known.id, failed)]).unwrap();
    drop(writer);
    let browser = Shown::new(folder);
    let page = browser.get("/query/1/answers").text;
    assert!(
        page.contains("3 attempts in the ledger") && page.contains("grade 3") && page.contains("grade 0")
    );
    assert!(page.contains("failed: rate limited") && page.contains("slow &lt;b&gt;down&lt;/b&gt;"), "{page}");
    assert!(!page.contains("first line"), "a list carries no reply");
    assert!(page.contains("href=\"/attempt/7\""), "{page}");
    let one = browser.get("/attempt/7").text;
    assert!(one.contains("first line\n&lt;script&gt;") && one.contains("href=\"/query/1\""), "{one}");
    assert!(one.contains("this judge is no language model and is sent no prompt"), "{one}");
    assert!(!browser.get("/query/2/answers").text.contains("rate limited"));
    assert!(browser.get("/query/1").text.contains("href=\"/query/1/answers\""));
    assert_eq!(browser.get("/query/1/answers?page=x").status, StatusCode::BAD_REQUEST);
    assert_eq!(browser.get("/query/1/answers?page=99").status, StatusCode::OK);
}

#[test]
fn a_page_follows_a_ledger_that_another_writes() {
    let browser = Shown::new(folder());
    assert!(browser.get("/queries").text.contains("0 of 2"), "nothing is judged yet");
    // A run holds the lock; the server needs none.
    let study = Folder::new(browser.folder.path());
    study.make_private_dir().unwrap();
    let lock = LedgerLock::acquire(&study.ledger()).unwrap();
    let page = browser.get("/query/1");
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text.contains("<li><a href=\"/live\">Live</a></li>"), "a tab while a run is on");
    drop(lock);
    assert!(!browser.get("/query/1").text.contains(">Live</a>"));
    judge(browser.folder.path());
    let began = Instant::now();
    while !browser.get("/queries").text.contains("2 of 2") {
        assert!(began.elapsed() < Duration::from_secs(60), "the ledger is not read again");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(browser.get("/").text.contains("6 of 6 pooled pairs have a label"));
    browser.server.stop();
}

#[test]
fn a_study_that_cannot_be_read_is_not_shown() {
    let folder = folder();
    fs_err::remove_file(folder.path().join("old.run")).unwrap();
    let error = Server::start(open(folder.path()), &ServeOptions::default()).unwrap_err();
    assert!(error.to_string().contains("old.run"), "{error}");
}
