//! Systems whose results a program prints: `command` in llull.toml.

use llull_testkit::{FaultPlan, FaultyServer};

use crate::sandbox::{Sandbox, Transcript};

/// Two systems of one script, which notes each time that it runs; the documents come with their texts, and there is no
/// corpus.
fn study(script: &str) -> Sandbox {
    let mut sandbox = Sandbox::new();
    sandbox.write("topics.tsv", "q1\tcats purr\nq2\tdogs bark\n");
    sandbox.write("retrieve.sh", script);
    sandbox.write(
        "llull.toml",
        "version = 1\ntopics = \"topics.tsv\"\nmeasures = [\"nDCG@2\", \"P@1\"]\n[retrieve]\ndepth = 2\n\
         [[systems]]\nname = \"live\"\ncommand = [\"sh\", \"retrieve.sh\", \"live\"]\nenv = [\"INDEX\"]\n\
         [[systems]]\nname = \"file\"\nrun = \"file.run\"\n\
         [[judges]]\nmodel = \"similarity\"\n",
    );
    sandbox.write("file.run", "q1 Q0 d2 1 2 t\nq1 Q0 d1 2 1 t\nq2 Q0 d1 1 2 t\nq2 Q0 d2 2 1 t\n");
    sandbox.set("OPENAI_API_KEY", "sk-test-0123456789abcdefghijKLMNOP");
    sandbox.set("INDEX", "cats-and-dogs");
    trust(&mut sandbox);
    sandbox
}

/// Trusts the command as it is now.
fn trust(sandbox: &mut Sandbox) {
    sandbox.set("LLULL_TRUST", &entry(sandbox));
}

fn entry(sandbox: &Sandbox) -> String {
    let found = sandbox.llull(&["doctor", "--json", "--trust", "command:none"]).json();
    let reach = found.as_array().unwrap().iter().find(|finding| finding["what"] == "reach");
    let text = reach.unwrap()["text"].as_str().unwrap();
    text[text.find("command:").unwrap()..].trim_end_matches(" (trusted)").trim_end_matches(')').to_owned()
}

const ANSWERS: &str = r#"env | grep -c KEY >keys; echo "$INDEX" >index; cat >queries; echo run >>ran
cats='"doc_id":"d1","text":"Cats purr when they are content."'
dogs='"doc_id":"d2","text":"Dogs bark."'
echo "{\"query_id\":\"q1\",\"results\":[{$cats,\"score\":2},{$dogs,\"score\":1}],\"ms\":12.5}"
echo "{\"query_id\":\"q2\",\"results\":[{$dogs},{$cats}],\"ms\":30}"
"#;

fn times_run(sandbox: &Sandbox) -> usize {
    if sandbox.path("ran").is_file() { sandbox.read("ran").lines().count() } else { 0 }
}

#[test]
fn texts_and_times_come_with_the_results_and_are_kept() {
    let sandbox = study(ANSWERS);
    sandbox.llull(&["pool", "--show", "3"]).refused(2, &["--retrieve", "--refresh"]);
    sandbox.llull(&["pool", "--retrieve", "--show", "3"]).ends(0).rows(&[
        "query system rank document score",
        "q1 live 1 d1 2.0000",
        "q2 live 2 d1 -1.0000",
        "system queries documents failed p50 ms p95 ms file",
        "live 2 4 0 12.5 30.0 .llull/runs/live.results",
    ]);
    assert_eq!(
        sandbox.read("queries"),
        "{\"query_id\":\"q1\",\"query\":\"cats purr\",\"k\":2}\n{\"query_id\":\"q2\",\"query\":\"dogs bark\",\"k\":2}\n"
    );
    assert_eq!(
        (&*sandbox.read("keys"), &*sandbox.read("index")),
        ("0\n", "cats-and-dogs\n"),
        "no key, but INDEX"
    );
    // The texts are judged, without a corpus.
    sandbox.llull(&["run"]).ends(0);
    let labels = sandbox.read("labels.qrels");
    assert_eq!(labels.lines().filter(|line| line.contains(" d")).count(), 4, "{labels}");
    assert!(labels.contains("q1 0 d1 3") && labels.contains("q2 0 d2 3"), "{labels}");
    sandbox.llull(&["report"]).ends(0);
    assert_eq!(times_run(&sandbox), 1);
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("report.json")).unwrap();
    assert_eq!(
        report["systems"][0]["retrieval"],
        serde_json::json!({
            "queries": 2, "errors": 0, "n": 2, "p50_ms": 12.5, "p95_ms": 30.0,
            "cost_usd": {"known": null, "unknown": 2}
        })
    );
    assert_eq!(report["systems"][1].get("retrieval"), None, "a file has no times");
    let page = sandbox.read("report.html");
    let says = "Without times: file";
    assert!(page.contains(says) && page.contains("12.5&nbsp;ms"), "{page}");
    let text = sandbox.read("report.md");
    assert!(text.contains("| live | 1.000 | 12.5 ms | 30.0 ms | 2 | 0 | n/a |"), "{text}");
    // In both queries the one relevant document comes second: 1 / log2(3).
    assert!(text.contains("| file | 0.631 | n/a | n/a | n/a | n/a | n/a |"), "{text}");
    let json = sandbox.llull(&["pool", "--refresh", "--json"]).ends(0).json()["retrieved"].clone();
    assert_eq!(times_run(&sandbox), 2);
    assert_eq!((&json[0]["failed"], &json[0]["milliseconds"]["p95"]), (&0.into(), &30.0.into()), "{json}");
}

/// What would change the results asks again, where asking is allowed; what only reads says so.
#[test]
fn other_queries_are_retrieved_anew() {
    let sandbox = study(ANSWERS);
    sandbox
        .llull(&["report"])
        .ends(1)
        .says(&["nothing is retrieved for system live yet", "llull pool --retrieve asks it"]);
    sandbox.llull(&["run"]).ends(0).says(&["retrieving: live"]);
    sandbox.edit("topics.tsv", "dogs bark", "why do dogs bark");
    sandbox
        .llull(&["pool"])
        .ends(0)
        .says(&["retrieved with other settings, for other queries or to another depth"]);
    assert_eq!(times_run(&sandbox), 1);
    sandbox.llull(&["run", "--no-report"]).ends(0);
    assert_eq!(times_run(&sandbox), 2);
}

#[test]
fn a_program_that_is_not_trusted_does_not_run() {
    let mut sandbox = study(ANSWERS);
    sandbox.set("LLULL_TRUST", "");
    let refused = |said: Transcript| {
        said.ends(1).says(&[
            "system live would run [\"sh\", \"retrieve.sh\", \"live\"] in",
            "with INDEX of your environment",
        ])
    };
    let said = refused(sandbox.llull(&["pool", "--retrieve"]));
    refused(sandbox.llull(&["run"]));
    let entry = said.stderr.rsplit(" --trust ").next().unwrap().trim().to_owned();
    assert!(entry.starts_with("command:") && entry.len() == 8 + 64, "{entry}");
    assert_eq!(times_run(&sandbox), 0);
    sandbox.llull(&["pool", "--retrieve", "--trust", &entry]).ends(0);
    assert_eq!(times_run(&sandbox), 1);
    // The script is part of what is trusted; so are the words and the variables.
    sandbox.write("retrieve.sh", &format!("echo stolen >stolen; {ANSWERS}"));
    refused(sandbox.llull(&["pool", "--refresh", "--trust", &entry]));
    sandbox.write("retrieve.sh", ANSWERS);
    sandbox.edit("llull.toml", "env = [\"INDEX\"]", "env = [\"INDEX\", \"OPENAI_API_KEY\"]");
    sandbox
        .llull(&["pool", "--refresh", "--trust", &entry])
        .ends(1)
        .says(&["with INDEX, OPENAI_API_KEY of your environment"]);
    assert_eq!(times_run(&sandbox), 1);
}

const NONE_ANSWERED: &str = "system live: none of 2 queries was answered; the first: locked";

/// `run` asked 75 judges' questions about documents whose labels it could not write, and ended with 0 where every query
/// had failed.
#[test]
fn results_that_judges_cannot_use_stop_a_run_before_it_asks() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    for (script, says) in [
        (ANSWERS.replace("\"d1\"", "\"d 1\""), "the document \"d 1\" cannot be written"),
        (
            "for q in q1 q2; do echo '{\"query_id\":\"'$q'\",\"error\":\"locked\"}'; done".to_owned(),
            NONE_ANSWERED,
        ),
        ("exit 0".to_owned(), "none of 2 queries was answered; the first: it sent nothing"),
    ] {
        let mut sandbox = study(&script);
        let judge = format!("model = \"vllm/m\"\nbase_url = \"{}\"", server.url());
        sandbox.edit("llull.toml", "model = \"similarity\"", &judge);
        let entries = format!("{},{}", entry(&sandbox), server.url());
        sandbox.set("LLULL_TRUST", &entries);
        for command in [&["pool", "--retrieve"][..], &["run"], &["run", "--no-report"]] {
            sandbox.llull(command).ends(1).says(&[says]);
        }
        assert_eq!(server.served().total(), 0, "{says}");
        sandbox.llull(&["doctor", "--offline"]).says(&["nothing is retrieved for system live yet"]);
    }
}

/// A program that a signal left behind went on, and its results lay about in a temporary file.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_the_program_with_all_that_it_started_and_leaves_no_file() {
    use std::os::unix::process::ExitStatusExt as _;

    for (number, command) in [
        (1, "run"),
        (2, "pool --retrieve"),
        (3, "pool --refresh"),
        (10, "run"),
        (14, "run --no-report"),
        (15, "run"),
    ] {
        let sandbox = study(
            "echo partial; setsid sh -c 'echo $$ >session; exec sleep 600' &\n\
             until [ -s session ]; do sleep 0.01; done; echo $$ >program; sleep 600\n",
        );
        let mut child = sandbox.command(&command.split(' ').collect::<Vec<_>>()).spawn().unwrap();
        let began = std::time::Instant::now();
        let id = |name: &str| fs_err::read_to_string(sandbox.path(name)).ok().filter(|id| id.ends_with('\n'));
        while id("program").is_none() {
            assert!(
                began.elapsed().as_secs() < 120 && child.try_wait().unwrap().is_none(),
                "it did not start"
            );
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let kill =
            std::process::Command::new("kill").args([format!("-{number}"), child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        assert_eq!(child.wait().unwrap().signal(), Some(number));
        for name in ["program", "session"] {
            let line = std::path::Path::new("/proc").join(id(name).unwrap().trim()).join("cmdline");
            while fs_err::read(&line).is_ok_and(|line| !line.is_empty()) {
                assert!(began.elapsed().as_secs() < 120, "{name} outlives signal {number}");
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
        }
        let left =
            fs_err::read_dir(sandbox.path(".llull/runs")).unwrap().map(|file| file.unwrap().file_name());
        assert_eq!(left.collect::<Vec<_>>(), Vec::<std::ffi::OsString>::new(), "signal {number}");
    }
}

/// One query that fails loses that query, not the rest.
#[test]
fn a_query_that_fails_is_counted() {
    let script = "echo '{\"query_id\":\"q1\",\"error\":\"index \\u001b[31mlocked\"}'
d2='{\"doc_id\":\"d2\",\"text\":\"Dogs bark.\"}'
echo \"{\\\"query_id\\\":\\\"q2\\\",\\\"results\\\":[$d2,$d2]}\"";
    let mut sandbox = study(script);
    sandbox.edit("file.run", "q1 Q0 d2 1 2 t\nq1 Q0 d1 2 1 t\nq2 Q0 d1 1 2 t\n", "");
    trust(&mut sandbox);
    sandbox
        .llull(&["pool", "--retrieve", "--show", "3"])
        .ends(3)
        .rows(&["q2 live 1 d2 0.0000", "live 1 1 1 - - .llull/runs/live.results"])
        .says(&["warning: live did not answer query q1: index \\u001b[31mlocked\n"]);
    let said = sandbox.llull(&["run"]).says(&["1 of live's queries failed and count as unanswered"]);
    assert!(!said.to_string().contains('\u{1b}'), "{said}");
}

#[test]
fn a_program_that_fails_says_why_and_loses_nothing() {
    let sandbox = study(ANSWERS);
    sandbox.llull(&["pool", "--retrieve"]).ends(0);
    let kept = sandbox.read(".llull/runs/live.results");
    for (script, says) in [
        ("echo no database >&2; exit 7", "system live: \"sh\" ended with exit status: 7; it said:"),
        ("echo '{\"query_id\":\"q1\"}'", "line 1"),
        ("echo '<html>502 Bad Gateway</html>'", "line 1"),
        ("for i in 1 2; do echo '{\"query_id\":\"q1\",\"results\":[]}'; done", "both answer query q1"),
        ("for q in q1 q2; do echo '{\"query_id\":\"'$q'\",\"error\":\"locked\"}'; done", NONE_ANSWERED),
        (
            "echo '{\"query_id\":\"q1\",\"results\":[{\"doc_id\":\"d 1\"}]}'",
            "system live: no label of its results could be written: the document \"d 1\"",
        ),
        ("sleep 60", "system live: \"sh\" was stopped after 0.2 s"),
    ] {
        sandbox.write("retrieve.sh", script);
        if script.starts_with("sleep") {
            sandbox.edit("llull.toml", "env = [\"INDEX\"]\n", "env = [\"INDEX\"]\ntimeout = 0.2\n");
        }
        let trust = entry(&sandbox);
        sandbox.llull(&["pool", "--refresh", "--trust", &trust]).ends(1).says(&[says]);
        assert_eq!(sandbox.read(".llull/runs/live.results"), kept, "{script}");
    }
}

#[test]
fn a_program_may_print_a_run_of_trec() {
    let mut sandbox = study("printf 'q1 Q0 d1 1 2.5 t\\nq1 Q0 d2 2 1.5 t\\nq2 Q0 d2 1 2 t\\n'");
    sandbox.write("corpus.tsv", "d1\tCats purr.\nd2\tDogs bark.\n");
    sandbox.edit("llull.toml", "topics = ", "corpus = \"corpus.tsv\"\ntopics = ");
    trust(&mut sandbox);
    sandbox.llull(&["run"]).ends(0);
    let json = sandbox.llull(&["pool", "--retrieve", "--json"]).ends(0).json()["retrieved"].clone();
    assert_eq!((&json[0]["queries"], &json[0]["documents"]), (&2.into(), &3.into()), "{json}");
}

#[test]
fn what_a_command_cannot_be_is_said() {
    let sandbox = study(ANSWERS);
    let config = sandbox.read("llull.toml");
    for (from, to, says) in [
        ("command = [\"sh\", \"retrieve.sh\", \"live\"]", "command = []", "`command` is empty"),
        ("env = [\"INDEX\"]", "env = [\"A=b\"]", "`env` takes names of variables"),
        ("env = [\"INDEX\"]", "timeout = 0", "timeout = 0 is not above 0"),
        ("env = [\"INDEX\"]", "run = \"x.run\"", "so leave out `run`, `retriever` and their settings"),
        (
            "command = [\"sh\", \"retrieve.sh\", \"live\"]",
            "run = \"file.run\"",
            "`env` and `timeout` belong to a `command`",
        ),
    ] {
        sandbox.write("llull.toml", &config.replace(from, to));
        sandbox.llull(&["pool", "--retrieve"]).ends(1).says(&["llull.toml line", says]);
    }
}

/// Nothing found, a document without text, one that is there twice, markup and control characters, and 50 MB.
#[test]
fn what_a_program_may_send() {
    let of_q2 = |results: &str| format!(r#"echo '{{"query_id":"q1","results":[]}}'; {results}"#);
    let written = |text: &str| of_q2(&format!(r#"printf '%s\n' '{{"query_id":"q2","results":[{text}]}}'"#));
    let retrieved = |script: &str| {
        let sandbox = study(script);
        sandbox.llull(&["pool", "--retrieve"]).ends(0);
        sandbox
    };
    let bare = retrieved(&written(r#"{"doc_id":"d2","text":" "},{"doc_id":"d1"}"#));
    bare.llull(&["run"]).ends(1).says(&["is not in the results of the systems"]);
    let twice = r#"{"doc_id":"d2","text":"Dogs bark."},{"doc_id":"d2","text":"Dogs bark loudly."}"#;
    let json = retrieved(&written(twice)).llull(&["pool", "--refresh", "--json"]).ends(0).json()["retrieved"]
        .clone();
    assert_eq!(json[0]["documents"], 1, "the first of the same counts");
    let hostile = r#"<script>alert(1)</script>\u0000\u001b[2J\u202e dogs bark"#;
    let cats = r#"{"doc_id":"d1","text":"Cats."}"#;
    let sandbox = retrieved(&written(&format!(r#"{{"doc_id":"d2","text":"{hostile}"}},{cats}"#)));
    let shown = sandbox.llull(&["run"]).ends(0).to_string();
    assert!(!shown.contains(['\u{0}', '\u{1b}', '\u{202e}']), "{shown}");
    let page = sandbox.read("report.html");
    assert!(!page.contains("<script>alert") && !page.contains('\u{0}'));
    let start = r#"printf '{"query_id":"q2","results":[{"doc_id":"d2","text":"'"#;
    let large = format!("{start}; head -c 50000000 /dev/zero | tr '\\0' x; echo '\"}},{cats}]}}'");
    let json = retrieved(&of_q2(&large)).llull(&["pool", "--retrieve", "--json"]).ends(0).json()["retrieved"]
        .clone();
    assert_eq!(json[0]["documents"], 2, "{json}");
}

/// What a program loads from its folder was no part of what was asked, and the question did not say so.
#[test]
fn the_question_says_that_a_program_is_trusted_with_its_whole_folder() {
    let mut sandbox = study(ANSWERS);
    sandbox.set("LLULL_TRUST", "");
    let said = sandbox.llull(&["pool", "--retrieve"]).ends(1);
    said.says(&["it may run every file in that folder, also one that changes later"]);
    // The same command in another folder is another entry.
    let other = study(ANSWERS);
    assert_ne!(entry(&sandbox), entry(&other));
}

/// A `.env` of the study's said in which virtual environment a program looks for its code, and whom it believes.
#[test]
fn what_a_program_loads_and_believes_is_said_by_no_file() {
    let sandbox = study(&format!("env >seen; {ANSWERS}"));
    sandbox.write(".env", "VIRTUAL_ENV=evil\nSSL_CERT_FILE=evil.pem\nTMPDIR=evil\n");
    let said = sandbox.llull(&["pool", "--retrieve"]).ends(0);
    said.says(&[
        ".env: VIRTUAL_ENV is ignored: programs get it from the process's environment alone; export it",
    ]);
    assert!(!sandbox.read("seen").contains("evil"), "{}", sandbox.read("seen"));
}

/// Results without the corpus's titles were taken for those of another corpus, above the decision.
#[test]
fn results_that_lack_titles_are_of_the_same_corpus() {
    let sandbox = study(ANSWERS);
    let corpus = |cats: &str| {
        sandbox.write(
            "corpus.jsonl",
            &format!(
                "{{\"id\":\"d1\",\"title\":\"Cats\",\"text\":\"{cats}\"}}\n\
                 {{\"id\":\"d2\",\"title\":\"Dogs\",\"text\":\"Dogs bark.\"}}\n"
            ),
        );
    };
    corpus("Cats purr when they are content.");
    sandbox.edit("llull.toml", "topics = ", "corpus = \"corpus.jsonl\"\ntopics = ");
    let said = sandbox.llull(&["run"]).ends(0);
    for text in [said.to_string(), sandbox.read("report.md"), sandbox.read("report.json")] {
        assert!(!text.contains("that judges saw") && !text.contains("easured alike"), "{text}");
    }
    corpus("Cats hiss.");
    sandbox.llull(&["run"]).ends(0);
    assert!(sandbox.read("report.md").contains("that judges saw under the same identifiers"));
}

/// The programs ran, and texts were encoded, before the missing key was an error.
#[test]
fn a_missing_key_is_an_error_before_anything_is_retrieved() {
    let sandbox = study(ANSWERS);
    sandbox.edit("llull.toml", "model = \"similarity\"", "model = \"anthropic/claude-haiku-4-5\"");
    sandbox.llull(&["run"]).ends(1).says(&["ANTHROPIC_API_KEY"]);
    assert_eq!(times_run(&sandbox), 0);
    // Files of requests need no key.
    sandbox.llull(&["batch", "export", "wave.jsonl"]);
    assert_eq!(times_run(&sandbox), 1);
    assert!(sandbox.read("wave.jsonl").contains("Cats purr"));
}
