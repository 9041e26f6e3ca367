//! Compares the pages of attempts with the requests that a server received.

use llull::Study;
use llull::config::Overrides;
use llull::report::text::escape_html;
use llull_testkit::{FaultPlan, FaultyServer};

use crate::serve::study::{Shown, folder};

/// The study with a language model in the place of its judge.
pub(crate) fn prompted(server: &FaultyServer) -> (Study, tempfile::TempDir) {
    let folder = folder();
    let config = folder.path().join("llull.toml");
    let text = fs_err::read_to_string(&config).unwrap();
    let text = text.replace("model = \"replay\"\nlabels = \"known.qrels\"", "model = \"vllm/m\"");
    fs_err::write(&config, text).unwrap();
    // Documents with the same text would be one question.
    let corpus = folder.path().join("corpus.jsonl");
    let lines = fs_err::read_to_string(&corpus).unwrap();
    let lines = lines.lines().enumerate();
    let lines: String =
        lines.map(|(at, line)| line.replace("link https", &format!("{at} link https")) + "\n").collect();
    fs_err::write(&corpus, lines).unwrap();
    let overrides = Overrides { base_url: Some(server.url()), ..Overrides::default() };
    (Study::open(folder.path(), &overrides).unwrap(), folder)
}

pub(crate) fn run(study: &Study) {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let inputs = study.inputs().unwrap();
    study.remember().unwrap();
    study.judge(&inputs).environment(&|_| None).run().unwrap();
}

/// A message as the page has it.
fn shown(text: &str) -> String {
    text.split('\n').map(escape_html).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_prompt_is_what_the_server_was_sent() {
    let server = FaultyServer::start(FaultPlan { record: true, ..FaultPlan::default() }).unwrap();
    let (study, folder) = prompted(&server);
    run(&study);
    let browser = Shown::of(study, folder);
    let pages: Vec<String> = (1..=6).map(|place| browser.get(&format!("/attempt/{place}")).text).collect();
    let requests = server.requests();
    assert_eq!(requests.len(), 6);
    for request in &requests {
        let messages = request.body["messages"].as_array().unwrap();
        let sent: Vec<String> =
            messages.iter().map(|message| shown(message["content"].as_str().unwrap())).collect();
        let has = |page: &&String| sent.iter().all(|message| page.contains(&format!("\">{message}</pre>")));
        assert_eq!(pages.iter().filter(has).count(), 1, "one page has {sent:?}");
    }
    for page in &pages {
        let parts = ["id=\"document-h\"", "id=\"reply-h\"", "id=\"sent-h\"", "<details>"];
        let places = parts.map(|part| page.find(part).unwrap());
        assert!(places.is_sorted(), "document and reply come before the prompt, which is folded: {page}");
    }
    assert!(
        pages[0].contains("A stand-in&#39;s answer") || pages[0].contains("A stand-in's answer"),
        "{}",
        pages[0]
    );
}

#[test]
fn a_prompt_of_a_recording_has_documents_of_its_length() {
    let server = FaultyServer::start(FaultPlan { record: true, ..FaultPlan::default() }).unwrap();
    let (study, folder) = prompted(&server);
    drop(study);
    let config = folder.path().join("llull.toml");
    let served = fs_err::read_to_string(&config).unwrap() + "document_tokens = 10\n";
    fs_err::write(&config, &served).unwrap();
    let overrides = Overrides { base_url: Some(server.url()), ..Overrides::default() };
    let study = Study::open(folder.path(), &overrides).unwrap();
    run(&study);
    let mut recording = fs_err::File::create(folder.path().join("then.jsonl")).unwrap();
    llull::store::export(&study.ledger().file().unwrap(), &mut recording).unwrap();
    drop(study);
    fs_err::write(&config, served.replace("vllm/m", "recorded:then.jsonl")).unwrap();
    let browser = Shown::of(Study::open(folder.path(), &Overrides::default()).unwrap(), folder);
    let sent = shown(server.requests()[0].body["messages"][0]["content"].as_str().unwrap());
    let mut pages = (1..=6).map(|place| browser.get(&format!("/attempt/{place}")).text);
    assert!(pages.any(|page| page.contains(&sent)));
}

#[test]
fn a_prompt_of_another_rubric_is_made_of_its_copy() {
    let server = FaultyServer::start(FaultPlan { record: true, ..FaultPlan::default() }).unwrap();
    let (study, folder) = prompted(&server);
    run(&study);
    drop(study);
    let rubric = include_str!("../../../../../rubrics/default.md").replacen("relevan", "relevän", 1);
    fs_err::write(folder.path().join("rubric.md"), rubric).unwrap();
    let config = folder.path().join("llull.toml");
    let text = fs_err::read_to_string(&config).unwrap();
    fs_err::write(&config, text.replace("topics = ", "rubric = \"rubric.md\"\ntopics = ")).unwrap();
    let study = Study::open(folder.path(), &Overrides::default()).unwrap();
    let browser = Shown::of(study, folder);
    let sent = shown(server.requests()[0].body["messages"][0]["content"].as_str().unwrap());
    let pages = || (1..=6).map(|place| browser.get(&format!("/attempt/{place}")).text);
    assert!(pages().any(|page| page.contains(&sent)), "the copy beside the ledger is read");
    fs_err::remove_dir_all(browser.folder.path().join(".llull/rubrics")).unwrap();
    for page in pages() {
        // The rubric that was used then is llull's own, which needs no copy.
        assert!(page.contains("The prompt, as it was sent") && !page.contains("It is not shown"), "{page}");
    }
}

#[test]
fn a_prompt_that_cannot_be_made_again_is_not_shown() {
    let server = FaultyServer::start(FaultPlan { record: true, ..FaultPlan::default() }).unwrap();
    let (study, folder) = prompted(&server);
    run(&study);
    drop(study);
    let corpus = folder.path().join("corpus.jsonl");
    let text = fs_err::read_to_string(&corpus).unwrap();
    fs_err::write(&corpus, text.replace("link https", "changed https")).unwrap();
    let study = Study::open(folder.path(), &Overrides::default()).unwrap();
    let browser = Shown::of(study, folder);
    for place in 1..=6 {
        let page = browser.get(&format!("/attempt/{place}")).text;
        assert!(page.contains("It is not shown: <bdi>what would be sent now has another key"), "{page}");
        assert!(!page.contains("changed https"), "{page}");
        assert!(page.contains("The text is not shown"), "{page}");
    }
}

#[test]
fn a_query_is_not_shown_if_its_text_has_changed() {
    let server = FaultyServer::start(FaultPlan { record: true, ..FaultPlan::default() }).unwrap();
    let (study, folder) = prompted(&server);
    run(&study);
    drop(study);
    let topics = folder.path().join("topics.tsv");
    let text = fs_err::read_to_string(&topics).unwrap();
    fs_err::write(&topics, text.replace("\tdelete\n", "\tanother wish\n")).unwrap();
    let browser = Shown::of(Study::open(folder.path(), &Overrides::default()).unwrap(), folder);
    let pages = (1..=6).map(|place| browser.get(&format!("/attempt/{place}")).text);
    let unknown: Vec<String> = pages.filter(|page| page.contains("It is not shown")).collect();
    assert_eq!(unknown.len(), 2);
    assert!(unknown.iter().all(|page| !page.contains("another wish")), "{}", unknown[0]);
}

/// A document that is in the pool for another query only was "not shown" above its prompt.
#[test]
fn a_document_of_the_pool_is_shown_for_a_query_that_does_not_find_it_any_more() {
    let server = FaultyServer::start(FaultPlan { record: true, ..FaultPlan::default() }).unwrap();
    let (study, folder) = prompted(&server);
    run(&study);
    drop(study);
    for file in ["old.run", "new.run"] {
        let path = folder.path().join(file);
        let text = fs_err::read_to_string(&path).unwrap();
        let moved = text.lines().filter(|line| !line.contains("q1 Q0 a2"));
        let moved: String = moved.map(|line| format!("{line}\n")).collect();
        fs_err::write(&path, moved + "q2 Q0 a2 3 0 t\n").unwrap();
    }
    let browser = Shown::of(Study::open(folder.path(), &Overrides::default()).unwrap(), folder);
    let pages = (1..=6).map(|place| browser.get(&format!("/attempt/{place}")).text);
    let of_a2: Vec<String> = pages.filter(|page| page.contains("<code><bdi>a2</bdi></code>")).collect();
    assert_eq!(of_a2.len(), 1);
    assert!(of_a2[0].contains("<div class=\"text\" dir=\"auto\">1 link https"), "{}", of_a2[0]);
    assert!(!of_a2[0].contains("not shown"), "{}", of_a2[0]);
}

#[test]
fn a_long_document_says_how_much_is_left_out() {
    let server = FaultyServer::start(FaultPlan { record: true, ..FaultPlan::default() }).unwrap();
    let (study, folder) = prompted(&server);
    drop(study);
    let corpus = folder.path().join("corpus.jsonl");
    let text = fs_err::read_to_string(&corpus).unwrap();
    let long = text.replacen("0 link https", &format!("{} link https", "long ".repeat(50_000)), 1);
    fs_err::write(&corpus, long).unwrap();
    let overrides = Overrides { base_url: Some(server.url()), ..Overrides::default() };
    let study = Study::open(folder.path(), &overrides).unwrap();
    run(&study);
    let browser = Shown::of(study, folder);
    let pages = (1..=6).map(|place| browser.get(&format!("/attempt/{place}")).text);
    assert_eq!(pages.filter(|page| page.contains("more bytes are not shown here.</p>")).count(), 1);
}

#[test]
fn attempts_are_filtered_by_judge_outcome_and_query() {
    let plan = FaultPlan { rate_500: 0.5, transient_limit: 1, malformed: 0.4, ..FaultPlan::default() };
    let server = FaultyServer::start(plan).unwrap();
    let (study, folder) = prompted(&server);
    let fast = Overrides { base_url: Some(server.url()), ..Overrides::default() };
    drop(study);
    run(&Study::open(folder.path(), &fast).unwrap());
    let browser = Shown::new(folder);
    let count = |address: &str| {
        let text = browser.get(address).text;
        let (before, _) =
            text.split_once(" attempts</h2>").or_else(|| text.split_once(" attempt</h2>")).unwrap();
        let (_, of) = before.rsplit_once("<h2 id=\"found\">").unwrap();
        of.split(" of ").map(|number| number.parse::<usize>().unwrap()).collect::<Vec<_>>()
    };
    let all = count("/attempts")[1];
    let of = |outcome: &str| count(&format!("/attempts?outcome={outcome}"))[0];
    assert!(all > 6 && of("failed") > 0 && of("repeats") > 0, "{all}");
    assert_eq!(of("judged") + of("unusable") + of("failed"), all);
    assert_eq!(count("/attempts?outcome=failed&why=server")[0], of("failed"));
    assert_eq!(count("/attempts?outcome=failed&why=timeout")[0], 0);
    assert_eq!(count("/attempts?judge=1")[0], all);
    assert_eq!(count("/attempts?judge=2")[0], 0);
    assert_eq!(
        ["q1", "q2", "q3"].map(|query| count(&format!("/attempts?query={query}"))[0]).iter().sum::<usize>(),
        all
    );
}
