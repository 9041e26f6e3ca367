//! Judges of the user's own: programs and servers.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, tiny_judged_by};

/// Says yes to texts that begin with "red", and keeps what it was asked and what its environment is.
const JUDGE: &str = r#"env | cut -d= -f1 >> names.txt
while read -r line; do
  printf "%s\n" "$line" >> asked.jsonl
  id=${line#*\"id\":\"}; id=${id%%\"*}
  case "$line" in
    *'"text":"broken'*) echo "no answer to that";;
    *'"text":"off'*) echo "{\"id\":\"$id\",\"grade\":9}";;
    *'"text":"red'*) echo "{\"id\":\"$id\",\"grade\":1,\"rationale\":\"red\"}";;
    *'"expected":'*) echo "{\"id\":\"$id\",\"grade\":0}";;
    *) echo "{\"id\":\"$id\",\"grade\":$((${#line} % 4))}";;
  esac
done
"#;

const COMMAND: &str =
    "[[judges]]\nname = \"mine\"\ncommand = [\"sh\", \"judge.sh\"]\nenv = [\"MINE\"]\nconcurrency = 1\n\n";

fn with(judge: &str) -> Sandbox {
    let sandbox = tiny_judged_by(judge);
    sandbox.write("judge.sh", JUDGE);
    sandbox.write("q.csv", "query,expected_answers\nwhich wine,it is red wine\nwhich beer,it is dark\n");
    let line = |query: &str, texts: &[&str]| {
        let results =
            texts.iter().enumerate().map(|(at, text)| json!({"doc_id": at.to_string(), "text": text}));
        json!({"query_id": query, "results": results.collect::<Vec<_>>()}).to_string() + "\n"
    };
    sandbox.write("r.jsonl", &(line("q1", &["white", "red one"]) + &line("q2", &["off taste", "broken"])));
    sandbox
}

const ARGS: [&str; 8] = ["evaluate", "q.csv", "--results", "r.jsonl", "-m", "R@4", "--judge", "mine"];

/// The entry that is to be trusted, as the refusal names it.
fn entry(sandbox: &Sandbox, args: &[&str]) -> String {
    let refused = sandbox.llull(args).ends(1);
    refused.stderr.split("--trust ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned()
}

fn asked(sandbox: &Sandbox) -> Vec<Value> {
    sandbox.read("asked.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A run whose folder was deleted asked to its end, lost all answers and ended with 0.
#[cfg(unix)]
#[test]
fn a_ledger_that_is_deleted_during_a_run_is_an_error() {
    for last in [false, true] {
        let sandbox = with(COMMAND);
        // The first answer, or the last of the eleven.
        let at = if last { 11 } else { 1 };
        let script = JUDGE.replace(
            "  id=${line",
            &format!("  [ $(wc -l <asked.jsonl) -eq {at} ] && rm -rf .llull\n  id=${{line"),
        );
        sandbox.write("judge.sh", &script);
        let config = sandbox.read("llull.toml");
        sandbox.write("llull.toml", &format!("recheck = 0.0\n{config}"));
        let trust = entry(&sandbox, &["run"]);
        let said = sandbox.llull(&["run", "--trust", &trust]).ends(1);
        said.says(&["ledger.sqlite was deleted, moved or replaced while llull wrote to it"]);
        assert!(last || sandbox.read("asked.jsonl").lines().count() < 11, "it asked on");
    }
}

/// It is trusted before it is run, asked what it needs, read strictly, and not asked twice.
#[cfg(unix)]
#[test]
fn a_program_judges_expected_answers() {
    let mut sandbox = with(COMMAND);
    sandbox.set("MINE", "1");
    sandbox.set("OPENAI_API_KEY", "sk-secret");
    let refused = sandbox.llull(&ARGS).ends(1);
    refused.says(&["judge mine would run", "with MINE of your environment"]);
    assert!(!sandbox.path("asked.jsonl").exists());
    let entry = entry(&sandbox, &ARGS);
    let trusting = [&ARGS[..], &["--trust", &entry, "--json"]].concat();
    let output = sandbox.llull(&trusting).ends(3).says(&["2 results without a judgment"]).json();
    assert_eq!(output["systems"][0]["figures"][0]["mean"].as_f64(), Some(0.5), "{output}");
    let counts = json!({"judged": 2, "unusable": 2, "not_asked": 0, "from_ledger": 0});
    assert_eq!(output["judges"], json!([{"name": "mine", "counts": counts}]));
    let found = &output["answers"][0]["queries"][0]["found"][0];
    assert_eq!((&found["rank"], &found["because"]), (&json!(2), &json!("red")));
    let first = &asked(&sandbox)[0];
    let (query, expected) = (&first["query"], &first["expected"]);
    assert_eq!((query, expected), (&json!("which wine"), &json!("it is red wine")));
    assert_eq!(
        (&first["rubric"]["high"], &first["title"], &first["text"]),
        (&json!(1), &json!(""), &json!("white"))
    );
    let names = sandbox.read("names.txt");
    assert!(names.lines().any(|name| name == "MINE") && !names.contains("OPENAI"), "{names}");
    // What was unusable was asked again once, and is not asked a third time.
    let before = asked(&sandbox).len();
    assert_eq!(before, 6);
    let again = sandbox.llull(&trusting).ends(3).json();
    assert_eq!(
        (again["judges"][0]["counts"]["from_ledger"].as_u64(), asked(&sandbox).len()),
        (Some(4), before)
    );
    // Another program is another judge, and to be trusted anew.
    sandbox.write("judge.sh", &JUDGE.replace("red'*)", "white'*)"));
    sandbox.llull(&trusting).ends(1).says(&["judge mine would run"]);
}

/// In a study it grades documents by the study's rubric, beside others, and its answers are in the report.
#[cfg(unix)]
#[test]
fn a_program_judges_a_study() {
    let sandbox = with(&(COMMAND.to_owned() + "[[judges]]\nmodel = \"similarity\"\n\n"));
    let entry = entry(&sandbox, &["run", "--verbose"]);
    assert!(!sandbox.path("asked.jsonl").exists());
    sandbox
        .llull(&["run", "--trust", &entry, "--verbose"])
        .ends(0)
        .says(&["judge of one's own mine (command)"]);
    let questions = asked(&sandbox);
    assert!(questions.iter().all(|question| question.get("expected").is_none()), "{questions:?}");
    assert_eq!(questions[0]["rubric"]["high"], 3);
    let many = questions.len();
    sandbox.llull(&["run", "--trust", &entry]).ends(0);
    assert_eq!(asked(&sandbox).len(), many);
    sandbox.llull(&["doctor", "--trust", &entry]).ends(0).says(&["llull doctor --judge mine tests it"]);
    sandbox.llull(&["doctor"]).ends(1).says(&["judge mine would run"]);
}

/// Grades with a cut are matches: the cut is the rubric's, and who reads what was found sees the grades.
#[cfg(unix)]
#[test]
fn a_graded_judge_with_a_cut() {
    let second = COMMAND.replace("\"mine\"", "\"other\"");
    let sandbox = with(&(COMMAND.to_owned() + &second));
    let grade = |number: i32| {
        format!("[[grades]]\ngrade = {number}\nname = \"Grade {number}\"\ndefinition = \"Of {number}.\"\n")
    };
    let grades: String = (0..=3).map(grade).collect();
    sandbox.write(
        "grades.md",
        &format!("+++\nversion = 1\nname = \"Support\"\ncutoff = 2\n{grades}+++\nHow well it is answered.\n"),
    );
    sandbox.write(
        "judge.sh",
        "while read -r line; do\n  id=${line#*\\\"id\\\":\\\"}; id=${id%%\\\"*}\n  \
         case \"$line\" in *'\"text\":\"red'*) g=2;; \
         *) g=1;; esac\n  printf '{\"id\":\"%s\",\"grade\":%s,\"rationale\":\"so\"}\\n' $id $g\ndone\n",
    );
    let graded = [&ARGS[..], &["--rubric", "grades.md"]].concat();
    let entry = entry(&sandbox, &graded);
    let graded = [&graded[..], &["--trust", &entry]].concat();
    let output = sandbox.llull(&[&graded[..], &["--json", "--report", "found"]].concat()).ends(0).json();
    assert_eq!(output["systems"][0]["figures"][0]["mean"].as_f64(), Some(0.5), "{output}");
    assert_eq!(output["rubric"], json!({"name": "Support", "low": 0, "high": 3, "cutoff": 2}));
    let because = |output: &Value| output["answers"][0]["queries"][0]["found"][0]["because"].clone();
    assert_eq!(because(&output), "grade 2: so");
    let report = sandbox.read("found/report.md");
    for said in ["judge of one's own mine", "from grade 2 on, of 0 to 3 (Support)"] {
        assert!(report.contains(said), "{said:?} in\n{report}");
    }
    assert!(sandbox.read("found/report.html").contains("grade 2: so"));
    let panel = sandbox.llull(&[&graded[..], &["--judge", "other", "--json"]].concat()).ends(0).json();
    assert_eq!(because(&panel), "grade 2: mine 2, other 2");
    let mixed = [&graded[..], &["--judge", "token-overlap"]].concat();
    sandbox
        .llull(&mixed)
        .ends(2)
        .says(&["has grades from 0 to 3, and token-overlap and semantic answer only 0 or 1"]);
    sandbox
        .llull(&["evaluate", "q.csv", "--results", "r.jsonl", "--rubric", "grades.md"])
        .ends(2)
        .says(&["--rubric is for judges that are language models"]);
    sandbox.llull(&[&graded[..9], &["no.md", "--trust", &entry]].concat()).ends(1).says(&["no.md"]);
}

/// The test of a judge: every check has a line, and one that fails fails the command.
#[cfg(unix)]
#[test]
fn a_judge_is_tested() {
    let sandbox = with(COMMAND);
    let script = |answer: &str| {
        let script = format!(
            "while read -r line; do\n  id=${{line#*\\\"id\\\":\\\"}}; id=${{id%%\\\"*}}\n  {answer}\ndone\n"
        );
        sandbox.write("judge.sh", &script);
        let test = ["doctor", "--judge", "mine"];
        let entry = entry(&sandbox, &["run", "--no-report", "--judge", "mine"]);
        sandbox.llull(&[&test[..], &["--trust", &entry]].concat())
    };
    let fine = script("printf '{\"id\":\"%s\",\"grade\":1}\\n' $id").ends(0);
    fine.says(&[
        "ok      judge mine, a question: answered with grade 1",
        "ok      judge mine, a batch: 50 questions in one go are all answered",
        "ok      judge mine, the scale: every grade is from 0 to 3",
        "ok      judge mine, the same again: 10 questions sent twice have the same grades",
        "ok      judge mine, letters of all scripts: answered",
        "ok      judge mine, control characters: answered",
        "ok      judge mine, quotes and ends of lines: answered",
        "ok      judge mine, a text of 1 MB: answered",
        "ok      judge mine, an empty text: answered",
        "ok      judge mine, once each: every question has one answer",
        "ok      judge mine, expected answers: it judges them, too: the one of the test is a match",
    ]);
    let twice = script("printf '{\"id\":\"%s\",\"grade\":1}\\n' $id $id");
    twice
        .ends(1)
        .says(&["ERROR   judge mine, once each: its program printed lines that answer a question again"]);
    let off = script("printf '{\"id\":\"%s\",\"grade\":%s}\\n' $id $((id % 7))");
    off.ends(1).says(&["ERROR   judge mine, the scale", "is not from 0 to 3"]);
    // One question and a batch of 50 come before the ten that are sent again.
    let unstable = script("printf '{\"id\":\"%s\",\"grade\":%s}\\n' $id $((id > 51))");
    unstable.ends(0).says(&["warning judge mine, the same again"]);
    let words = script("echo $id is good");
    words.ends(1).says(&["ERROR   judge mine, a question", "is answered by one JSON object"]);
    let long = script("[ ${#line} -lt 9999 ] || exit 4; printf '{\"id\":\"%s\",\"grade\":1}\\n' $id");
    long.ends(1).says(&[
        "ERROR   judge mine, a text of 1 MB",
        "exit status: 4",
        "ok      judge mine, an empty text",
    ]);
    let grades = script(
        "case \"$line\" in *expected*) printf '{\"id\":\"%s\",\"error\":\"no\"}\\n' $id;; \
                         *) printf '{\"id\":\"%s\",\"grade\":2}\\n' $id;; esac",
    );
    grades.ends(0).says(&["warning judge mine, expected answers: it does not judge them"]);
}

/// One that cannot be started ends the judge, and says so.
#[cfg(unix)]
#[test]
fn a_program_that_fails() {
    let sandbox = with(&COMMAND.replace("\"sh\"", "\"llull-no-such-program\""));
    let entry_of = entry(&sandbox, &ARGS);
    sandbox.llull(&[&ARGS[..], &["--trust", &entry_of]].concat()).ends(1).says(&["cannot be started"]);
    let sandbox = with(COMMAND);
    sandbox.write("judge.sh", "echo out of luck >&2; exit 7\n");
    let entry_of = entry(&sandbox, &ARGS);
    sandbox.llull(&[&ARGS[..], &["--trust", &entry_of]].concat()).ends(1).says(&[
        "3 times in a row",
        "exit status: 7",
        "out of luck",
    ]);
}

#[test]
fn tables_that_are_none() {
    for (table, said) in [
        ("name = \"m\"\ncommand = []", "`command` is empty"),
        ("command = [\"x\"]", "needs a name"),
        ("name = \"m\"\ncommand = [\"x\"]\nendpoint = \"http://127.0.0.1:1\"", "not both"),
        ("name = \"m\"\ncommand = [\"x\"]\nmodel = \"openai/x\"", "one of `command`, `endpoint`"),
        ("name = \"m\"\ncommand = [\"x\"]\nprompt = \"graded\"", "has no prompt"),
        ("name = \"m\"\ncommand = [\"x\"]\nkey = \"K\"", "`key` is for an endpoint"),
        ("name = \"m\"\nendpoint = \"ftp://x\"", "ftp"),
        ("name = \"m\"\nendpoint = \"http://127.0.0.1:1\"\nenv = [\"K\"]", "`env` is for a program"),
        ("name = \"m\"\nendpoint = \"http://127.0.0.1:1\"\nkey = \"a b\"", "`key` names the variable"),
        ("name = \"m\"\nendpoint = \"http://127.0.0.1:1\"\nscores = \"bm25\"", "one of cohere, jina, tei"),
        ("name = \"m\"\nendpoint = \"http://127.0.0.1:1\"\nscores = \"cohere\"", "the name of its model"),
        (
            "name = \"m\"\nendpoint = \"http://127.0.0.1:1\"\nscores = \"tei\"",
            "order documents and are no grades",
        ),
        (
            "name = \"m\"\nendpoint = \"http://127.0.0.1:1\"\nscores = \"tei\"\nthreshold = 0.5",
            "a threshold tells two grades apart, and the rubric \"General search\" has 4",
        ),
        (
            "name = \"m\"\nendpoint = \"http://127.0.0.1:1\"\nthreshold = 0.5",
            "`threshold` is for a judge with",
        ),
        (
            "name = \"m\"\nendpoint = \"http://127.0.0.1:1\"\nscores = \"tei\"\nthreshold = 0.5\n\
             price = { input = 1.0, output = 2.0 }",
            "a reranker's is { input = 0.05 } for a million tokens, or { search = 0.002 }",
        ),
        ("model = \"openai/x\"\nprice = { search = 0.002 }", "a language model has `input` and `output`"),
        ("model = \"openai/x\"\nrequests_per_minute = 0", "requests_per_minute = 0 is not from 1"),
        (
            "name = \"m\"\nendpoint = \"http://127.0.0.1:1\"\nscores = \"tei\"\nthreshold = 0.5\n\
             price = { input = 0.05 }",
            "a server of tei counts neither tokens nor search units",
        ),
        (
            "name = \"m\"\nendpoint = \"http://127.0.0.1:1\"\nscores = \"voyage\"\nmodel = \"rerank-2.5\"\n\
             threshold = 0.5\nprice = { search = 0.002 }",
            "a server of voyage counts tokens and no search units",
        ),
        (
            "name = \"m\"\nendpoint = \"http://127.0.0.1:1\"\nscores = \"tei\"\nthreshold = inf",
            "threshold is not a finite number",
        ),
        ("name = \"m\"\ncommand = [\"x\"]\nrequests_per_minute = 5", "price or limit of an account"),
        ("model = \"similarity\"\ntokens_per_minute = 5", "price or limit of an account"),
        ("model = \"replay\"\nlabels = \"x\"\ntokens_per_minute = 5", "price or limit of an account"),
        ("model = \"openai/x\"\nscores = \"cohere\"", "`scores` is for a judge with an `endpoint`"),
        ("model = \"openai/x\"\nenv = [\"K\"]", "`env` is for a judge that is a program"),
    ] {
        let sandbox = tiny_judged_by(&format!("[[judges]]\n{table}\n\n"));
        sandbox.llull(&["run", "--dry-run"]).ends(1).says(&[said]);
    }
    let compares = tiny_judged_by(COMMAND);
    compares.llull(&["run", "--dry-run", "--paradigm", "pairwise"]).ends(1).says(&["compares none"]);
}

/// A server that answers each posted question by `answer`, which is given the request's headers and body.
fn serve(answer: impl Fn(&str, &Value) -> (u16, String) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/judge", listener.local_addr().unwrap());
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, answer) = (stream.unwrap(), Arc::clone(&answer));
            std::thread::spawn(move || {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut headers = String::new();
                while !headers.ends_with("\r\n\r\n") {
                    if reader.read_line(&mut headers).unwrap_or(0) == 0 {
                        return;
                    }
                }
                let length = headers.to_lowercase();
                let length = length.split("content-length: ").nth(1).unwrap().split("\r\n").next().unwrap();
                let mut body = vec![0; length.parse().unwrap()];
                reader.read_exact(&mut body).unwrap();
                let (status, said) = answer(&headers, &serde_json::from_slice(&body).unwrap());
                let head = format!(
                    "HTTP/1.1 {status} x\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    said.len()
                );
                let _ = stream.write_all((head + &said).as_bytes());
            });
        }
    });
    url
}

/// A server is posted questions, with the key that its variable holds, and asked again where it fails.
#[test]
fn a_server_judges_expected_answers() {
    let seen: Arc<Mutex<Vec<Value>>> = Arc::default();
    let asked = Arc::clone(&seen);
    let url = serve(move |headers, question| {
        let mut seen = asked.lock().unwrap();
        seen.push(question.clone());
        if !headers.to_lowercase().contains("authorization: bearer the-key-of-mine") {
            return (401, "who are you? the-key-of-mine".to_owned());
        }
        if seen.len() == 2 {
            return (503, "busy".to_owned());
        }
        let text = question["text"].as_str().unwrap();
        (200, json!({"match": text.contains("red"), "rationale": "the-key-of-mine"}).to_string())
    });
    let judge = format!("[[judges]]\nname = \"mine\"\nendpoint = \"{url}\"\nkey = \"MINE_KEY\"\n\n");
    let mut sandbox = with(&judge);
    sandbox.llull(&ARGS).ends(1).says(&["its key is in MINE_KEY, which is not set"]);
    sandbox.set("MINE_KEY", "the-key-of-mine");
    let output = sandbox.llull(&[&ARGS[..], &["--json"]].concat()).ends(0);
    assert!(!output.to_string().contains("the-key-of-mine"), "{output}");
    let output = output.json();
    assert_eq!(output["systems"][0]["figures"][0]["mean"].as_f64(), Some(0.5));
    assert_eq!(output["judges"][0]["counts"]["judged"], 4);
    let many = seen.lock().unwrap().len();
    assert_eq!(many, 5, "four questions, one of them twice");
    sandbox.llull(&ARGS).ends(0);
    assert_eq!(seen.lock().unwrap().len(), many);
    sandbox.set("LLULL_TRUST", "");
    sandbox.llull(&[&ARGS[..], &["--judge", "token-overlap"]].concat()).ends(1).says(&[
        "judge mine would be sent queries and documents at http://127.0.0.1",
        "with the key in MINE_KEY",
    ]);
}

/// A reranker orders the documents of each query.
#[test]
fn a_reranker_compares() {
    let url = serve(|_, question| {
        let texts = question["documents"].as_array().unwrap();
        let length = |text: &Value| text.as_str().unwrap().len();
        let scored = |(index, text)| json!({"index": index, "relevance_score": length(text)});
        let results: Vec<Value> = texts.iter().enumerate().map(scored).rev().collect();
        (200, json!({"results": results, "usage": {"total_tokens": 7}}).to_string())
    });
    let judge = "[[judges]]\nname = \"m\"\nscores = \"vllm\"\nmodel = \"BAAI/bge-reranker-base\"\n";
    let sandbox = tiny_judged_by(&format!("{judge}endpoint = \"{url}\"\n\n"));
    sandbox.edit("llull.toml", "version = 1\n", "version = 1\nparadigm = \"listwise\"\n");
    let dry = || sandbox.llull(&["run", "--dry-run"]).ends(0);
    dry().says(&["tokens of queries and documents (", "); price unknown"]);
    sandbox.edit("llull.toml", "reranker-base\"\n", "reranker-base\"\nprice = { input = 0.05 }\n");
    let estimate = sandbox.llull(&["run", "--dry-run", "--json"]).ends(0).json()[0]["estimate"].clone();
    let number = |name: &str| estimate[name].as_f64().unwrap();
    assert!((number("usd") - number("prompt_tokens") * 0.05 / 1e6).abs() < 1e-12, "{estimate}");
    assert!(number("usd") > 0.0 && number("usd_at_most") > number("usd"), "{estimate}");
    assert!(number("reply_tokens") == 0.0 && number("waves") > 0.0, "{estimate}");
    sandbox.llull(&["run", "--no-report"]).ends(0);
    dry().says(&["settled for 3 of 3 queries"]);
    let ledger = sandbox.llull(&["ledger", "export"]).ends(0).stdout;
    assert!(ledger.contains("relevance_score") && ledger.contains("\"prompt_tokens\":7"), "{ledger}");
    let labels = sandbox.llull(&["label", "-o", "-"]).ends(0).stdout;
    assert_eq!(labels.lines().count(), 11, "{labels}");
}

/// A rubric of two grades.
const TWO: &str = "+++\nversion = 1\nname = \"Two\"\ncutoff = 1\n[[grades]]\ngrade = 0\nname = \"No\"\n\
                   definition = \"No.\"\n[[grades]]\ngrade = 1\nname = \"Yes\"\ndefinition = \"Yes.\"\n+++\nIs it?\n";

/// A reranker with a threshold gives two grades. Its scores are requested once, whatever the threshold and the rubric
/// are afterwards, and are paid for by the search unit.
#[test]
fn a_reranker_grades_from_a_threshold() {
    let asked = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&asked);
    let url = serve(move |_, question| {
        *counted.lock().unwrap() += 1;
        let texts = question["documents"].as_array().unwrap();
        let length = |text: &Value| text.as_str().unwrap().len();
        let scored = |(index, text)| json!({"index": index, "relevance_score": length(text)});
        let results: Vec<Value> = texts.iter().enumerate().map(scored).collect();
        (200, json!({"results": results, "meta": {"billed_units": {"search_units": 1}}}).to_string())
    });
    let judge = "[[judges]]\nname = \"m\"\nscores = \"cohere\"\nmodel = \"rerank-v3.5\"\nthreshold = 60\n\
                 price = { search = 0.002 }\n";
    let sandbox = tiny_judged_by(&format!("{judge}endpoint = \"{url}\"\n\n"));
    sandbox.write("two.md", TWO);
    sandbox.edit("llull.toml", "version = 1\n", "version = 1\nrubric = \"two.md\"\nrecheck = 0.0\n");
    sandbox.edit("llull.toml", "P(rel=2)@1", "P@1");
    sandbox.llull(&["doctor"]).ends(0).says(&[
        "it scores documents, in",
        "threshold = 60 does not lie between them",
        "its price is $0.002 for a search unit",
    ]);
    *asked.lock().unwrap() = 0;
    let estimate =
        ["m: 11 requests, about", "of queries and documents (", "; about $0.0220, at most $0.0220"];
    sandbox.llull(&["run", "--dry-run"]).ends(0).says(&estimate);
    sandbox.llull(&["run"]).ends(0).says(&["Requests: 11 answers, $0.0220"]);
    assert!(sandbox.read("report.md").contains("rerank-v3.5, relevant from score 60"));
    assert_eq!(*asked.lock().unwrap(), 11);
    let said: Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    let usd = said["cost"]["judges"][0]["cost_usd"]["known"].as_f64().unwrap();
    assert!((usd - 0.022).abs() < 1e-9, "{usd}");
    assert_eq!(said["study"]["aggregation"], "relevant or not, by the judge's score: from 60 it is relevant");
    assert_eq!(said["study"]["judges"][0]["model"], "rerank-v3.5, relevant from score 60");
    let relevant = || {
        sandbox.llull(&["label", "-o", "-"]).ends(0).stdout.lines().filter(|line| line.ends_with('1')).count()
    };
    let before = relevant();
    sandbox.edit("llull.toml", "threshold = 60", "threshold = 90");
    sandbox.write("two.md", &TWO.replace("Is it?", "Is it really so?"));
    sandbox.llull(&["run", "--no-report"]).ends(0);
    assert_eq!(*asked.lock().unwrap(), 11, "nothing is asked again");
    assert!(relevant() < before, "{} of {before}", relevant());
}

/// Answers that were bought without a price counted as free once there was a budget.
#[test]
fn answers_of_a_reranker_that_had_no_price_count_in_a_budget() {
    for counts in [true, false] {
        let asked = Arc::new(Mutex::new(0));
        let counted = Arc::clone(&asked);
        let url = serve(move |_, _| {
            *counted.lock().unwrap() += 1;
            let mut reply = json!({"results": [{"index": 0, "relevance_score": 0.7}]});
            if counts {
                reply["usage"] = json!({"total_tokens": 1000});
            }
            (200, reply.to_string())
        });
        let judge = "[[judges]]\nname = \"m\"\nscores = \"vllm\"\nmodel = \"one\"\nthreshold = 0.5\n";
        let sandbox = tiny_judged_by(&format!("{judge}endpoint = \"{url}\"\n\n"));
        sandbox.write("two.md", TWO);
        sandbox.edit("llull.toml", "version = 1\n", "version = 1\nrubric = \"two.md\"\nrecheck = 0.0\n");
        sandbox.edit("llull.toml", "P(rel=2)@1", "P@1");
        sandbox.llull(&["run", "--no-report"]).ends(0);
        sandbox.edit("llull.toml", "model = \"one\"", "model = \"two\"");
        sandbox.write("llull.toml", &(sandbox.read("llull.toml") + "\n[budget]\nusd = 0.011\n"));
        let run = || sandbox.llull(&["run", "--no-report"]);
        run().ends(1).says(&["judge m: there is a limit in US dollars, but its price is unknown"]);
        sandbox.edit("llull.toml", "threshold = 0.5\n", "threshold = 0.5\nprice = { input = 1.0 }\n");
        match counts {
            true => {
                run().ends(3).says(&["the study's budget of $0.0110 is spent: its ledger records $0.0110"])
            }
            false => run()
                .ends(1)
                .says(&["the ledger has 11 answers of judge m", "if their server counted tokens"]),
        };
        assert_eq!(*asked.lock().unwrap(), 11);
    }
}

/// A ledger of version 0.1.0 from before the rubric left the keys of rerankers: its answers count, also with another
/// rubric. There is no server that could be asked.
#[test]
fn answers_of_a_reranker_in_an_older_ledger_count() {
    let judge = "[[judges]]\nname = \"m\"\nscores = \"vllm\"\nmodel = \"BAAI/bge-reranker-base\"\n\
                 endpoint = \"http://127.0.0.1:18437/rerank\"\n\n";
    let sandbox = tiny_judged_by(judge);
    sandbox.edit("llull.toml", "version = 1\n", "version = 1\nparadigm = \"listwise\"\n");
    fs_err::create_dir(sandbox.path(".llull")).unwrap();
    fs_err::copy("tests/fixtures/reranker-with-rubric.sqlite", sandbox.path(".llull/ledger.sqlite")).unwrap();
    for rubric in [None, Some(TWO)] {
        if let Some(rubric) = rubric {
            sandbox.write("rubric.md", rubric);
        }
        sandbox
            .llull(&["run", "--no-report"])
            .ends(0)
            .says(&["wave 1: 3 questions, 3 answers already in the ledger"]);
        let ledger = sandbox.llull(&["ledger", "export"]).ends(0).stdout;
        assert_eq!(ledger.lines().filter(|line| line.contains("relevance_score")).count(), 8);
    }
}

/// What a server answers that is no answer.
#[test]
fn a_server_that_answers_otherwise() {
    let html = serve(|_, _| (200, "<html>".to_owned()));
    let judge = format!("[[judges]]\nname = \"mine\"\nendpoint = \"{html}\"\n\n");
    with(&judge).llull(&ARGS).ends(3).says(&["4 results without a judgment"]);
    let gone = serve(|_, _| (404, "no such page".to_owned()));
    let judge = format!("[[judges]]\nname = \"mine\"\nendpoint = \"{gone}\"\n\n");
    with(&judge).llull(&ARGS).ends(1).says(&["HTTP 404: no such page"]);
}
