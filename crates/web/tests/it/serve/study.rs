//! A study, and a browser that shows it.

use std::ops::Deref;

use llull::Study;
use llull_web::{ServeOptions, Server};
use reqwest::Client;
use tempfile::TempDir;

use crate::browser::Browser;
pub(crate) use crate::review::study::{HOSTILE, judge, open};

/// What no page may contain of it.
pub(crate) const NOT_IN_A_PAGE: [&str; 5] = ["<script", "<img", "onerror=alert(2)>", "\u{202e}", "\u{1b}"];

/// A study of three queries, two systems and a judge that has its answers in a file. Texts and names are hostile.
pub(crate) fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs_err::write(folder.path().join(name), text).unwrap();
    let name = "a\\\"><script>alert(0)</script>";
    write(
        "llull.toml",
        &format!(
            "version = 1\nname = \"{name}\"\ntopics = \"topics.tsv\"\ncorpus = \"corpus.jsonl\"\n\
             measures = [\"nDCG@3\"]\n[pool]\ndepth = 3\n[[systems]]\nname = \"old\"\nrun = \"old.run\"\n\
             [[systems]]\nname = \"new<b>\"\nrun = \"new.run\"\n[[judges]]\nname = \"j<i>\"\nmodel = \"replay\"\n\
             labels = \"known.qrels\"\n"
        ),
    );
    write("topics.tsv", &format!("q1\tpassword {HOSTILE}\nq2\texport a report\nq3\tdelete\n"));
    let document = |id: &str| {
        let text = HOSTILE.replace('\\', "\\\\").replace('"', "\\\"").replace('\u{1b}', "\\u001b");
        format!(
            "{{\"id\": \"{id}\", \"title\": \"{text}\", \"text\": \"link https://evil.test {text}\", \
             \"brand\": \"Ace {text}\"}}\n"
        )
    };
    write("corpus.jsonl", &["a1", "a2", "b1", "b2", "c1", "c2"].map(document).concat());
    let run = |tag: &str, first: &str, second: &str| {
        let of = |query: &str, letter: &str| {
            format!("{query} Q0 {letter}{first} 1 2 {tag}\n{query} Q0 {letter}{second} 2 1 {tag}\n")
        };
        [of("q1", "a"), of("q2", "b"), of("q3", "c")].concat()
    };
    write("old.run", &run("old", "1", "2"));
    write("new.run", &(run("new", "2", "1").lines().take(2).collect::<Vec<_>>().join("\n") + "\n"));
    write("known.qrels", "q1 0 a1 3\nq1 0 a2 0\nq2 0 b1 2\nq2 0 b2 3\nq3 0 c1 3\nq3 0 c2 0\n");
    folder
}

/// A server of a study, and a browser that has opened the printed address.
pub(crate) struct Shown {
    pub(crate) server: Server,
    pub(crate) folder: TempDir,
    browser: Browser,
}

impl Deref for Shown {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        &self.browser
    }
}

impl Shown {
    pub(crate) fn new(folder: TempDir) -> Self {
        let study = open(folder.path());
        Self::of(study, folder)
    }

    /// Shows a study that was opened already.
    pub(crate) fn of(study: Study, folder: TempDir) -> Self {
        // Another test of this process may have set the same one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let server = Server::start(study, &ServeOptions::default()).unwrap();
        Self { browser: Browser::at(server.url()), server, folder }
    }

    pub(crate) fn judged() -> Self {
        let folder = folder();
        judge(folder.path());
        Self::new(folder)
    }

    /// Listens to events from now on, until `enough` is true of all events so far, and returns these.
    pub(crate) fn listen<T: 'static>(
        &self,
        address: &str,
        enough: impl Fn(&str) -> Option<T> + Send + 'static,
    ) -> std::thread::JoinHandle<String> {
        let (url, cookie) = (format!("{}{address}", self.base), self.cookie());
        let client = Client::builder().no_proxy().build().unwrap();
        let (begun, begins) = std::sync::mpsc::channel();
        let listening = std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build().unwrap();
            runtime.block_on(async {
                let mut answer = client.get(url).header("cookie", cookie).send().await.unwrap();
                assert_eq!(answer.headers()["content-type"], "text/event-stream");
                let mut sent = String::new();
                while enough(&sent).is_none() {
                    let wait = std::time::Duration::from_secs(60);
                    let part = tokio::time::timeout(wait, answer.chunk()).await.unwrap().unwrap().unwrap();
                    sent.push_str(std::str::from_utf8(&part).unwrap());
                    let _ = begun.send(());
                }
                sent
            })
        });
        begins.recv().unwrap();
        listening
    }
}
