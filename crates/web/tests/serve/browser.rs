//! A study, and a browser that shows it.

use std::path::Path;

use llull::Study;
use llull::config::Overrides;
use llull_web::{ServeOptions, Server};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, StatusCode};
use tempfile::TempDir;

/// Hostile text for every text field; no page may contain it as markup.
pub(crate) const HOSTILE: &str =
    "<script>alert(1)</script><img src=x onerror=alert(2)>\"'`&\u{202e}\u{1b}[2J";
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
        format!("{{\"id\": \"{id}\", \"title\": \"{text}\", \"text\": \"link https://evil.test {text}\"}}\n")
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

pub(crate) fn open(folder: &Path) -> Study {
    Study::open(folder, &Overrides::default()).unwrap()
}

pub(crate) fn judge(folder: &Path) {
    let study = open(folder);
    let inputs = study.inputs().unwrap();
    study.judge(&inputs).run().unwrap();
}

/// A server of a study, and a browser that has opened the printed address.
pub(crate) struct Browser {
    pub(crate) server: Server,
    pub(crate) base: String,
    pub(crate) cookie: String,
    client: Client,
    runtime: tokio::runtime::Runtime,
    pub(crate) folder: TempDir,
}

pub(crate) struct Got {
    pub(crate) status: StatusCode,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) text: String,
}

impl Browser {
    pub(crate) fn new(folder: TempDir) -> Self {
        let study = open(folder.path());
        Self::of(study, folder)
    }

    /// Shows a study that was opened already.
    pub(crate) fn of(study: Study, folder: TempDir) -> Self {
        // Another test of this process may have set the same one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let server = Server::start(study, &ServeOptions::default()).unwrap();
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build().unwrap();
        // A connection that was idle for a minute is closed, perhaps as the next request goes out on it.
        let client =
            Client::builder().redirect(Policy::none()).no_proxy().pool_max_idle_per_host(0).build().unwrap();
        let base = server.url().split("/?token=").next().unwrap().to_owned();
        let mut browser = Self { base, cookie: String::new(), client, runtime, server, folder };
        let (_, address) = browser.server.url().split_at(browser.base.len());
        let got = browser.get(address);
        assert_eq!((got.status, got.headers["location"].to_str().unwrap()), (StatusCode::SEE_OTHER, "/"));
        let cookie = got.headers["set-cookie"].to_str().unwrap();
        assert!(cookie.ends_with("; HttpOnly; SameSite=Strict; Path=/"), "{cookie}");
        browser.cookie = cookie.split(';').next().unwrap().to_owned();
        browser
    }

    pub(crate) fn judged() -> Self {
        let folder = folder();
        judge(folder.path());
        Self::new(folder)
    }

    pub(crate) fn send(&self, method: Method, address: &str, headers: &[(&str, &str)]) -> Got {
        let mut request = self.client.request(method, format!("{}{address}", self.base));
        if !self.cookie.is_empty() && !headers.iter().any(|(name, _)| *name == "cookie") {
            request = request.header("cookie", &self.cookie);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.runtime.block_on(async {
            let answer = request.send().await.unwrap();
            let (status, headers) = (answer.status(), answer.headers().clone());
            Got { status, headers, text: answer.text().await.unwrap() }
        })
    }

    pub(crate) fn get(&self, address: &str) -> Got {
        self.send(Method::GET, address, &[])
    }

    /// Listens to events from now on, until `enough` is true of all events so far, and returns these.
    pub(crate) fn listen<T: 'static>(
        &self,
        address: &str,
        enough: impl Fn(&str) -> Option<T> + Send + 'static,
    ) -> std::thread::JoinHandle<String> {
        let (url, cookie) = (format!("{}{address}", self.base), self.cookie.clone());
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
