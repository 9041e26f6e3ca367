//! Tests a page that follows a run with a sometimes failing server.

use std::time::{Duration, Instant};

use llull_testkit::{FaultPlan, FaultyServer};
use reqwest::StatusCode;

use crate::serve::attempts::{prompted, run};
use crate::serve::study::{Shown, open};

fn faulty() -> FaultyServer {
    let plan = FaultPlan { delay_ms: 150..=250, rate_500: 0.6, transient_limit: 2, ..FaultPlan::default() };
    FaultyServer::start(plan).unwrap()
}

#[test]
fn a_page_follows_a_run_that_is_on() {
    let server = faulty();
    let (study, folder) = prompted(&server);
    let browser = Shown::of(open(folder.path()), folder);
    let before = browser.get("/live");
    assert!(before.text.contains("Nothing was recorded in the last minute"), "{}", before.text);
    assert!(before.text.contains("0 of 6 pairs have a label"), "{}", before.text);
    for page in ["/", "/live"] {
        let shown = browser.get(page).text;
        assert!(shown.contains(">No verdict: nothing is labelled.<"), "{page}: {shown}");
    }
    // An event may come in several parts.
    let events = browser.listen("/live/events", |so_far| {
        let (whole, _) = so_far.rsplit_once("\n\n")?;
        whole.contains("6 of 6 pairs have a label").then_some(())
    });
    let running = std::thread::spawn(move || run(&study));
    let began = Instant::now();
    // The page while the other process runs.
    while !running.is_finished() {
        let live = browser.get("/live");
        assert_eq!(live.status, StatusCode::OK, "{}", live.text);
        assert_eq!(browser.get("/ledger").status, StatusCode::OK);
        assert!(began.elapsed() < Duration::from_secs(60));
    }
    running.join().unwrap();
    let sent = events.join().unwrap();
    let shown: Vec<&str> = sent.split("\n\n").filter(|event| event.contains("attempts in the")).collect();
    assert!(shown.len() >= 2, "more than one state was sent: {sent}");
    assert!(shown.first().unwrap().contains("0 attempts in the"), "{sent}");
    assert!(sent.contains("In the last minute"), "{sent}");
    let after = browser.get("/live").text;
    let overview = browser.get("/").text;
    let headline = overview
        .split_once("<h1 id=\"decision-h\">")
        .and_then(|(_, rest)| rest.split_once("</h1>"))
        .unwrap()
        .0;
    assert!(after.contains(&format!("<strong>{headline}</strong>")), "{headline} in {after}");
    assert!(after.contains("6 of 6 pairs have a label") && after.contains("6 of 6</td>"), "{after}");
    let failed = server.served().of("server_error");
    assert!(failed > 0, "the server failed: {:?}", server.served());
    assert!(after.contains(&format!(">{failed} failed</a>")), "{failed} in {after}");
    browser.server.stop();
}

#[test]
fn only_the_live_page_has_a_script_and_it_is_of_this_server() {
    let browser = Shown::judged();
    let live = browser.get("/live");
    let policy = live.headers["content-security-policy"].to_str().unwrap();
    assert!(
        policy.contains("script-src 'self'; connect-src 'self'") && !policy.contains("unsafe"),
        "{policy}"
    );
    assert_eq!(live.text.matches("<script").count(), 1);
    assert!(live.text.contains("<script src=\"/live.js\" defer></script>"));
    let script = browser.get("/live.js");
    assert_eq!(script.headers["content-type"], "text/javascript; charset=utf-8");
    for address in ["/", "/ledger", "/live.js"] {
        let policy = browser.get(address).headers["content-security-policy"].to_str().unwrap().to_owned();
        assert!(!policy.contains("script-src"), "{address}: {policy}");
    }
    let stranger = browser.send(reqwest::Method::GET, "/live/events", &[("cookie", "")], None);
    assert_eq!(stranger.status, StatusCode::UNAUTHORIZED);
}
