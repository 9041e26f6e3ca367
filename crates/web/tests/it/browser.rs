//! A browser with the printed address: its pages, and their forms.

use std::collections::BTreeMap;

use reqwest::redirect::Policy;
use reqwest::{Client, Method, StatusCode};

pub(crate) struct Browser {
    pub(crate) base: String,
    /// Names and values.
    cookies: BTreeMap<String, String>,
    client: Client,
    runtime: tokio::runtime::Runtime,
}

#[derive(Debug)]
pub(crate) struct Got {
    pub(crate) status: StatusCode,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) text: String,
}

impl Browser {
    /// A browser that has opened the address that a server printed.
    pub(crate) fn at(url: &str) -> Self {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build().unwrap();
        // A connection that was idle for a minute, or on which a form was refused unread, is closed, perhaps as the
        // next request goes out on it.
        let client =
            Client::builder().redirect(Policy::none()).no_proxy().pool_max_idle_per_host(0).build().unwrap();
        let (base, _) = url.split_once("/?token=").unwrap();
        let mut browser = Self { base: base.to_owned(), cookies: BTreeMap::new(), client, runtime };
        let got = browser.get(&url[base.len()..]);
        assert_eq!((got.status, got.leads_to()), (StatusCode::SEE_OTHER, "/"));
        browser.keep(&got);
        browser
    }

    pub(crate) fn keep(&mut self, got: &Got) {
        let cookie = got.headers["set-cookie"].to_str().unwrap();
        assert!(cookie.ends_with("; HttpOnly; SameSite=Strict; Path=/"), "{cookie}");
        let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
        self.cookies.insert(name.to_owned(), value.to_owned());
    }

    /// The cookies as a header.
    pub(crate) fn cookie(&self) -> String {
        let cookies: Vec<String> =
            self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        cookies.join("; ")
    }

    /// Sends a request with these headers, in the place of a browser's own where they have the same name; an empty one
    /// is left out.
    pub(crate) fn send(
        &self,
        method: Method,
        address: &str,
        headers: &[(&str, &str)],
        body: Option<String>,
    ) -> Got {
        let mut all = BTreeMap::from([("cookie", self.cookie())]);
        if body.is_some() {
            all.insert("origin", self.base.clone());
            all.insert("content-type", "application/x-www-form-urlencoded".to_owned());
        }
        all.extend(headers.iter().map(|(name, value)| (*name, (*value).to_owned())));
        let mut request = self.client.request(method, format!("{}{address}", self.base));
        for (name, value) in all.into_iter().filter(|(_, value)| !value.is_empty()) {
            request = request.header(name, value);
        }
        if let Some(body) = body {
            request = request.body(body);
        }
        self.runtime.block_on(async {
            let answer = request.send().await.unwrap();
            let (status, headers) = (answer.status(), answer.headers().clone());
            Got { status, headers, text: answer.text().await.unwrap() }
        })
    }

    pub(crate) fn get(&self, address: &str) -> Got {
        self.send(Method::GET, address, &[], None)
    }

    /// Opens a page, wherever it leads.
    pub(crate) fn open(&self, address: &str) -> Got {
        let mut got = self.get(address);
        for _ in 0..5 {
            if got.status != StatusCode::SEE_OTHER {
                break;
            }
            got = self.get(got.leads_to());
        }
        got
    }

    pub(crate) fn post(&self, address: &str, fields: &[(&str, &str)]) -> Got {
        self.send(Method::POST, address, &[], Some(encoded(fields)))
    }

    /// Presses a button of a page's form for answers, and returns the server's answer.
    pub(crate) fn press(&self, page: &Got, act: &str, note: &str) -> Got {
        let fields = page.answer_form();
        let mut fields: Vec<(&str, &str)> =
            fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        fields.extend([("note", note), ("act", act)]);
        self.post("/answer", &fields)
    }

    /// Presses a button of a page, and opens the page that it leads to.
    pub(crate) fn press_on(&self, page: &Got, act: &str) -> Got {
        let got = self.press(page, act, "");
        assert_eq!(got.status, StatusCode::SEE_OTHER, "{}", got.text);
        self.open(got.leads_to())
    }

    /// Presses `undo` of a page.
    pub(crate) fn undo(&self, page: &Got) -> Got {
        let fields = fields_of(&page.text, "id=\"undo\"");
        let mut fields: Vec<(&str, &str)> =
            fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        fields.push(("act", "undo"));
        self.post("/answer", &fields)
    }
}

impl Got {
    pub(crate) fn leads_to(&self) -> &str {
        self.headers["location"].to_str().unwrap()
    }

    /// The hidden fields of the form for answers.
    pub(crate) fn answer_form(&self) -> Vec<(String, String)> {
        fields_of(&self.text, "id=\"answer\"")
    }

    /// The number of the pair.
    pub(crate) fn number(&self) -> usize {
        between(&self.text, "<title>Pair ", " of").parse().unwrap()
    }

    /// The documents on the left and on the right.
    pub(crate) fn sides(&self) -> [String; 2] {
        let mut found = self.text.split("data-document=\"").skip(1);
        [(); 2].map(|()| found.next().unwrap().split_once('"').unwrap().0.to_owned())
    }

    /// Query and document.
    pub(crate) fn pair(&self) -> (String, String) {
        let document = between(&self.text, "data-document=\"", "\"");
        (between(&self.text, "data-query=\"", "\"").to_owned(), document.to_owned())
    }
}

pub(crate) fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before:?} in {text}"));
    rest.split_once(after).unwrap().0
}

fn fields_of(text: &str, form: &str) -> Vec<(String, String)> {
    let form = between(text, form, "</form>");
    let hidden = form.split("<input type=\"hidden\" ").skip(1);
    hidden
        .map(|field| {
            let name = between(field, "name=\"", "\"").to_owned();
            (name, between(field, "value=\"", "\"").replace("&#39;", "'").replace("&amp;", "&"))
        })
        .collect()
}

/// Fields as a form sends them.
pub(crate) fn encoded(fields: &[(&str, &str)]) -> String {
    let escaped = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
    let fields: Vec<String> =
        fields.iter().map(|(name, value)| format!("{}={}", escaped(name), escaped(value))).collect();
    fields.join("&")
}
