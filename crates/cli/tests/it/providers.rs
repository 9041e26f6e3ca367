//! A panel of judges of three companies: three wire formats, three keys, one report.

use llull_core::Scale;
use llull_testkit::{AnsweringServer, ServerAnswer, ServerRequest, answer_json, grade_of_prompt};
use serde_json::{Value, json};

use crate::sandbox::{Sandbox, TINY_PAIRS, check, files_with, tiny_judged_by};

const OPENAI: &str = "sk-proj-0123456789abcdefghijKLMNOP";
const ANTHROPIC: &str = "sk-ant-api03-9876543210zyxwvutsrqPONMLK";
const GEMINI: &str = "AIzaSyA0123456789abcdefghijklmnopqrstu";
const KEYS: [&str; 3] = [OPENAI, ANTHROPIC, GEMINI];

/// What a request of a provider has: its path, headers (`None`: not there), and the texts of its prompt.
struct Form {
    path: &'static str,
    headers: [(&'static str, Option<String>); 4],
    texts: fn(&Value) -> Option<Vec<String>>,
    schema: &'static str,
}

/// The texts at a place of each item of a list.
fn at(body: &Value, list: &str, place: &str) -> Option<Vec<String>> {
    let items = body.pointer(list)?.as_array()?;
    items.iter().map(|item| Some(item.pointer(place)?.as_str()?.to_owned())).collect()
}

/// The servers of OpenAI, Anthropic and Gemini, each with its form of requests and replies. A request in another form
/// is answered by what is wrong with it.
fn servers(quoting_keys: bool) -> [AnsweringServer; 3] {
    let openai = Form {
        path: "/v1/chat/completions",
        headers: [
            ("authorization", Some(format!("Bearer {OPENAI}"))),
            ("x-api-key", None),
            ("x-goog-api-key", None),
            ("anthropic-version", None),
        ],
        texts: |body| at(body, "/messages", "/content"),
        schema: "/response_format/json_schema/schema/properties",
    };
    let anthropic = Form {
        path: "/v1/messages",
        headers: [
            ("x-api-key", Some(ANTHROPIC.into())),
            ("anthropic-version", Some("2023-06-01".into())),
            ("authorization", None),
            ("x-goog-api-key", None),
        ],
        texts: |body| {
            Some(
                [at(body, "/system", "/text").unwrap_or_default(), at(body, "/messages", "/content")?]
                    .concat(),
            )
        },
        schema: "/output_config/format/schema/properties",
    };
    let gemini = Form {
        path: "/v1/models/gemini-3.6-flash:generateContent",
        headers: [
            ("x-goog-api-key", Some(GEMINI.into())),
            ("authorization", None),
            ("x-api-key", None),
            ("anthropic-version", None),
        ],
        texts: |body| {
            let system = at(body, "/systemInstruction/parts", "/text").unwrap_or_default();
            Some([system, at(body, "/contents", "/parts/0/text")?].concat())
        },
        schema: "/generationConfig/responseJsonSchema/properties",
    };
    let replies: [fn(String) -> Value; 3] = [
        |text| {
            json!({ "model": "gpt-6-luna-1",
            "choices": [{ "logprobs": { "content": tokens(&text) },
                "message": { "content": text }, "finish_reason": "stop" }],
            "usage": { "prompt_tokens": 200, "completion_tokens": 40 } })
        },
        |text| {
            json!({ "type": "message", "model": "claude-sonnet-5-1",
            "content": [{ "type": "text", "text": text }], "stop_reason": "end_turn",
            "usage": { "input_tokens": 20, "cache_read_input_tokens": 180, "output_tokens": 40 } })
        },
        |text| {
            json!({ "modelVersion": "gemini-3.6-flash-1",
            "candidates": [{ "content": { "parts": [{ "text": text }] }, "finishReason": "STOP" }],
            "usageMetadata": { "promptTokenCount": 200, "candidatesTokenCount": 30, "thoughtsTokenCount": 10 } })
        },
    ];
    let mut replies = replies.into_iter();
    [openai, anthropic, gemini].map(|form| {
        let reply = replies.next().unwrap();
        AnsweringServer::start(move |request| {
            if quoting_keys {
                let sent = ["authorization", "x-api-key", "x-goog-api-key"];
                let sent: Vec<_> = sent.iter().filter_map(|name| request.headers.get(*name)).collect();
                let said = json!({ "error": { "message": format!("no right: {sent:?}") } });
                return ServerAnswer::status(401, said.to_string());
            }
            match grade(&form, request) {
                Ok(text) => {
                    let limits = ServerAnswer::json(&reply(text)).with("x-ratelimit-limit-requests", "5000");
                    limits.with("x-ratelimit-remaining-requests", "4999").with("request-id", "req-7")
                }
                Err(wrong) => ServerAnswer::status(404, json!({ "error": { "message": wrong } }).to_string()),
            }
        })
        .unwrap()
    })
}

/// The tokens of a reply whose model was nine tenths sure of its grade, the last digit.
fn tokens(text: &str) -> Value {
    let Some(at) = text.rfind(|letter: char| letter.is_ascii_digit()) else { return Value::Null };
    let (grade, other) = (&text[at..=at], if text[at..].starts_with('0') { "1" } else { "0" });
    let token = |text: &str, share: f64| json!({ "token": text, "logprob": share.ln() });
    let mut chosen = token(grade, 0.9);
    chosen["top_logprobs"] = json!([token(grade, 0.9), token(other, 0.1)]);
    json!([token(&text[..at], 1.0), chosen, token(&text[at + 1..], 1.0)])
}

fn grade(form: &Form, request: &ServerRequest) -> Result<String, String> {
    if (request.method.as_str(), request.path.as_str()) != ("POST", form.path) {
        return Err(format!("the path is {} {}", request.method, request.path));
    }
    for (name, value) in &form.headers {
        if request.headers.get(*name) != value.as_ref() {
            return Err(format!("the header {name} is another"));
        }
    }
    let texts = (form.texts)(&request.body).ok_or("the messages have another form")?;
    let schema = request.body.pointer(form.schema).and_then(Value::as_object).ok_or("there is no schema")?;
    Ok(match schema.contains_key("ok") {
        true => "{\"ok\": true}".to_owned(),
        false => answer_json(grade_of_prompt(&texts.join("\n\n"), Scale::default())),
    })
}

/// The three judges with keys from three places: the provider's variable, the study's `key`, and `--key`.
fn panel(servers: &[AnsweringServer; 3]) -> Sandbox {
    let [openai, anthropic, gemini] = servers.each_ref().map(AnsweringServer::url);
    let mut sandbox = tiny_judged_by(&format!(
        "[[judges]]\nmodel = \"openai/gpt-6-luna\"\nbase_url = \"{openai}\"\n\
         price = {{ input = 1.0, output = 4.0 }}\nlogprobs = true\n\n\
         [[judges]]\nname = \"claude\"\nmodel = \"anthropic/claude-sonnet-5\"\nbase_url = \"{anthropic}\"\n\
         key = \"CLAUDE_KEY\"\nprice = {{ input = 3.0, output = 15.0 }}\n\n\
         [[judges]]\nname = \"gemini\"\nmodel = \"gemini/gemini-3.6-flash\"\nbase_url = \"{gemini}\"\n"
    ));
    for (name, key) in ["OPENAI_API_KEY", "CLAUDE_KEY", "TEAM_GEMINI_KEY"].into_iter().zip(KEYS) {
        sandbox.set(name, key);
    }
    let trusted = format!("OPENAI_API_KEY@{openai},CLAUDE_KEY@{anthropic},TEAM_GEMINI_KEY@{gemini}");
    sandbox.set("LLULL_TRUST", &trusted);
    sandbox
}

const KEY: [&str; 2] = ["--key", "gemini=TEAM_GEMINI_KEY"];

/// Runs everything that could show a key: no output and no file has one.
fn no_key_is_shown(sandbox: &Sandbox) {
    for command in [
        vec!["doctor", KEY[0], KEY[1]],
        vec!["run", KEY[0], KEY[1]],
        vec!["run", "--json", KEY[0], KEY[1]],
        vec!["run", "--verbose", "--no-report", KEY[0], KEY[1]],
        vec!["report", "--json"],
        vec!["ledger", "export"],
        vec!["ledger", "export", "export.jsonl"],
        vec!["ledger", "status", "--json"],
        vec!["prompt", "--json", KEY[0], KEY[1]],
        vec!["measure", "--json"],
        vec!["audit", "--json"],
    ] {
        let said = sandbox.llull(&command).to_string();
        for key in KEYS {
            assert!(!said.contains(key), "{command:?}: {said}");
        }
    }
    for key in KEYS {
        assert_eq!(files_with(&sandbox.path(""), key), Vec::<std::path::PathBuf>::new());
    }
}

#[test]
fn three_wire_formats_three_keys_one_report() {
    let servers = servers(false);
    let sandbox = panel(&servers);
    let doctor = sandbox.llull(&["doctor", KEY[0], KEY[1]]).ends(0).says(&[
        "ok      judge gpt-6-luna: gpt-6-luna-1 answers, in ",
        "ok      judge claude: claude-sonnet-5-1 answers, in ",
        "ok      judge gemini: gemini-3.6-flash-1 answers, in ",
        "and keeps to a JSON schema",
        "ok      judge claude: its price is $3 for a million tokens of prompts, $15 of replies",
        "ok      judge gemini: its price is unknown",
        "ok      judge gemini: its account's limits: 5,000 requests, 4,999 left",
        "everything is ready: llull run",
    ]);
    assert_eq!(
        servers.iter().map(|server| server.arrived().len()).collect::<Vec<_>>(),
        [1, 1, 1],
        "{doctor}"
    );
    let run = sandbox.llull(&["run", KEY[0], KEY[1]]).ends(0);
    for server in &servers {
        let asked = server.arrived().len() as u64;
        assert!(asked > TINY_PAIRS, "{asked} requests: {run}");
    }
    check!(run);
    let report = sandbox.llull(&["report", "--json"]).ends(0).json();
    let judges = report.pointer("/cost/judges").and_then(Value::as_array).unwrap();
    let judges: Vec<_> = judges.iter().map(|judge| judge["judge"].clone()).collect();
    assert_eq!(judges, ["gpt-6-luna", "claude", "gemini"]);
    // $3 for a million of the 20 new tokens, 0.1 of that for the 180 cached ones, and $15 for the reply's.
    sandbox.llull(&["ledger", "show", "q1"]).ends(0).says(&[
        " ms, 200 tokens in, 40 out, $0.000360, request req-7\n",
        " ms, 200 tokens in (180 cached), 40 out, $0.000714, request req-7\n",
        " ms, 200 tokens in, 40 out (10 reasoning), request req-7\n",
        ", expected grade ",
        ") = 0.90",
    ]);
    no_key_is_shown(&sandbox);
}

#[test]
fn progress_for_programs_is_one_object_a_line() {
    let servers = servers(false);
    let args = ["run", "--no-report", "--quiet", "--progress", "json", KEY[0], KEY[1]];
    let run = panel(&servers).llull(&args).ends(0);
    let lines = run.stderr.lines().filter(|line| !line.starts_with("warning: "));
    let lines: Vec<Value> = lines.map(|line| serde_json::from_str(line).expect(line)).collect();
    let end = lines.iter().rfind(|line| line["event"] == "progress").unwrap();
    let pairs = 3 * TINY_PAIRS;
    let counts = ["done", "total", "failed", "unpriced"].map(|name| end[name].as_u64());
    assert_eq!(counts, [Some(pairs), Some(pairs), Some(0), Some(TINY_PAIRS)], "{run}");
    let costs = [0, 1, 2].map(|judge| end["judges"][judge]["usd"].as_f64().map(|usd| usd > 0.0));
    assert_eq!(costs, [Some(true), Some(true), None], "the price of the third is unknown: {run}");
}

#[test]
fn servers_that_quote_their_keys_in_errors() {
    let servers = servers(true);
    let sandbox = panel(&servers);
    sandbox.llull(&["doctor", KEY[0], KEY[1]]).ends(1).says(&[
        "no right: [\"Bearer [key]\"]",
        "no right: [\"[key]\"]; the key in CLAUDE_KEY is not accepted for model claude-sonnet-5",
        "the key in TEAM_GEMINI_KEY is not accepted for model gemini-3.6-flash",
    ]);
    no_key_is_shown(&sandbox);
    assert!(servers.iter().all(|server| !server.arrived().is_empty()));
}
