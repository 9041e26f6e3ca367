//! A study from a stranger: nothing outside its folder is read and no server is asked, unless the user says so.

use std::os::unix::fs::{PermissionsExt as _, symlink};

use llull_testkit::{FaultPlan, FaultyServer};

use crate::sandbox::{REPLAY, Sandbox, TINY_PAIRS, files_with, tiny_judged_by, write_tiny};

const KEY: &str = "sk-test-0123456789abcdefghijKLMNOP";

/// The study in `study`, beside private notes in `private`; nothing is trusted.
fn stranger(judges: &str) -> Sandbox {
    let mut sandbox = Sandbox::new();
    write_tiny(&sandbox, "study/", judges);
    sandbox.write("private/notes.jsonl", "{\"id\": \"a1\", \"text\": \"my private diary\"}\n");
    sandbox.set("LLULL_TRUST", "");
    sandbox
}

fn served(url: &str) -> Sandbox {
    let mut sandbox = stranger(&format!(
        "[[judges]]\nmodel = \"openai/m\"\nbase_url = \"{url}?api-key=hunter2-hunter2\"\n"
    ));
    sandbox.set("OPENAI_API_KEY", KEY);
    sandbox
}

fn server() -> FaultyServer {
    FaultyServer::start(FaultPlan { record: true, ..FaultPlan::default() }).unwrap()
}

/// What it is trusted by where it gets the key of OpenAI.
fn entry(server: &FaultyServer) -> String {
    format!("OPENAI_API_KEY@{}", origin(server))
}

/// Its protocol, host and port.
fn origin(server: &FaultyServer) -> String {
    server.url().trim_end_matches("/v1").to_owned()
}

#[test]
fn a_file_outside_the_folder_is_not_read_however_it_is_named() {
    let judge = "[[judges]]\nmodel = \"vllm/m\"\nprompt = \"../private/notes.jsonl\"\n";
    let config = |sandbox: &Sandbox, from: &str, to: &str| {
        sandbox.edit("study/llull.toml", from, to);
    };
    let absolute = |sandbox: &Sandbox| sandbox.path("private/notes.jsonl").display().to_string();
    let corpus = "corpus = \"corpus.jsonl\"";
    type Attack<'a> = (&'a str, &'a dyn Fn(&Sandbox));
    let attacks: [Attack<'_>; 9] = [
        ("..", &|sandbox| config(sandbox, corpus, "corpus = \"../private/notes.jsonl\"")),
        ("absolute", &|sandbox| config(sandbox, corpus, &format!("corpus = {:?}", absolute(sandbox)))),
        ("a link", &|sandbox| {
            fs_err::remove_file(sandbox.path("study/corpus.jsonl")).unwrap();
            symlink("../private/notes.jsonl", sandbox.path("study/corpus.jsonl")).unwrap();
        }),
        ("a folder that is a link", &|sandbox| {
            symlink("../private", sandbox.path("study/data")).unwrap();
            config(sandbox, corpus, "corpus = \"data/notes.jsonl\"");
        }),
        ("a link in a BEIR folder", &|sandbox| {
            fs_err::create_dir(sandbox.path("study/beir")).unwrap();
            symlink("../../private/notes.jsonl", sandbox.path("study/beir/corpus.jsonl")).unwrap();
            config(sandbox, corpus, "corpus = \"beir\"");
        }),
        ("the rubric", &|sandbox| config(sandbox, corpus, "rubric = \"../private/notes.jsonl\"")),
        ("the reference", &|sandbox| config(sandbox, corpus, "reference = \"../private/notes.jsonl\"")),
        ("labels", &|sandbox| config(sandbox, "known.qrels", "../private/notes.jsonl")),
        ("a prompt", &|sandbox| config(sandbox, REPLAY, judge)),
    ];
    for (name, attack) in attacks {
        let sandbox = stranger(REPLAY);
        attack(&sandbox);
        for command in ["run", "report", "prompt", "pool", "doctor"] {
            let said = sandbox.llull(&["-C", "study", command]).ends(1);
            assert!(said.to_string().contains("[DIR]/private/notes.jsonl"), "{name}, {command}: {said}");
            assert!(!said.to_string().contains("diary"), "{name}, {command}: {said}");
        }
        assert_eq!(
            files_with(&sandbox.path("study"), "diary").len(),
            usize::from(name.contains("link")),
            "{name}"
        );
        // A folder above it is trusted with all that is in it.
        let said = sandbox.llull(&["-C", "study", "--trust", "private", "run"]).to_string();
        assert!(!said.contains("reaches outside"), "{name}: {said}");
    }
}

#[test]
fn the_error_names_every_entry_and_how_to_allow_it() {
    let sandbox = stranger(REPLAY);
    sandbox.edit(
        "study/llull.toml",
        "corpus = \"corpus.jsonl\"",
        "corpus = \"/proc/version\"\nrubric = \"../private/r.md\"",
    );
    let said = sandbox.llull(&["-C", "study", "run"]).ends(1);
    let expected = "error: this study reaches outside its folder and its providers' own servers:\n  \
        llull.toml: corpus = \"/proc/version\" is /proc/version, outside the study's folder: it would be read, \
        and judges and reports may show what is in it\n  \
        llull.toml: rubric = \"../private/r.md\" is [DIR]/private/r.md, outside the study's folder: it would be read, \
        and judges and reports may show what is in it\n  \
        If you know the study and want that, add --trust /proc/version --trust [DIR]/private/r.md\n";
    assert_eq!(said.stderr, expected);
}

#[test]
fn an_address_in_the_configuration_gets_no_key_and_no_document() {
    let server = server();
    let sandbox = served(&server.url());
    for command in [vec!["run"], vec!["run", "--no-report"], vec!["doctor"], vec!["run", "--judge", "m"]] {
        let said = sandbox.llull(&[&["-C", "study"], command.as_slice()].concat()).ends(1);
        assert!(said.to_string().contains(&origin(&server)), "{command:?}: {said}");
    }
    assert_eq!(server.served().total(), 0);
    // Commands that ask nothing go on.
    sandbox.llull(&["-C", "study", "run", "--dry-run"]).ends(0);
    sandbox.llull(&["-C", "study", "--trust", &entry(&server), "run"]).ends(0);
    assert_eq!(server.served().total(), TINY_PAIRS);
}

#[test]
fn an_address_or_trust_in_an_environment_file_is_the_studys_word() {
    for file in ["study/.env", ".env"] {
        for (variable, path) in [("OPENAI_BASE_URL", "/v1"), ("LLULL_BASE_URL", "")] {
            let server = server();
            let mut sandbox = stranger("[[judges]]\nmodel = \"openai/m\"\n");
            sandbox.set("OPENAI_API_KEY", KEY);
            let url = origin(&server);
            sandbox.write(
                file,
                &format!("{variable}='{url}{path}'\nLLULL_TRUST={url}\nXDG_CONFIG_HOME=study\n"),
            );
            let said = sandbox.llull(&["-C", "study", "run"]).ends(1);
            let entry = entry(&server);
            assert!(said.stderr.contains(&format!("add --trust {entry}")), "{file} {variable}: {said}");
            assert_eq!(server.served().total(), 0, "{file} {variable}");
            sandbox.set("LLULL_TRUST", &format!("/srv/corpora,{entry}"));
            sandbox.llull(&["-C", "study", "run"]).ends(0);
        }
    }
}

#[test]
fn what_the_user_types_or_exports_is_not_asked_about() {
    let server = server();
    let mut sandbox = stranger("[[judges]]\nmodel = \"openai/m\"\nbase_url = \"https://stranger.test/v1\"\n");
    sandbox.set("OPENAI_API_KEY", KEY);
    sandbox.write("private/own.qrels", &sandbox.read("study/known.qrels"));
    sandbox.llull(&["-C", "study", "run", "--base-url", &server.url()]).ends(0);
    sandbox.llull(&["-C", "study", "run", "--judge", "replay:private/own.qrels"]).ends(0);
    sandbox.set("LLULL_BASE_URL", &server.url());
    sandbox.llull(&["-C", "study", "doctor"]).ends(0);
    // What was typed is remembered for commands that go back to it.
    assert!(sandbox.read(".config/llull/trust.toml").contains("/private/own.qrels"));
    // An answer is for one study: another one is asked about.
    write_tiny(&sandbox, "other/", "[[judges]]\nmodel = \"replay\"\nlabels = \"../private/own.qrels\"\n");
    sandbox.llull(&["-C", "other", "run"]).ends(1).says(&["--trust [DIR]/private/own.qrels"]);
}

#[test]
fn the_current_folders_keys_are_for_studies_at_or_below_it() {
    let server = server();
    let mut sandbox = stranger(&format!("[[judges]]\nmodel = \"vllm/m\"\nbase_url = \"{}\"\n", server.url()));
    sandbox.set("LLULL_TRUST", &origin(&server));
    sandbox.write("mine/.env", &format!("VLLM_API_KEY={KEY}\n"));
    let mut command = sandbox.command(&["-C", "../study", "run"]);
    let output = command.current_dir(sandbox.path("mine")).output().unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains(".env is not read: a folder's .env serves studies at or below it"), "{said}");
    assert!(server.requests().iter().all(|request| request.authorization.is_none()));
}

#[test]
fn the_studys_own_key_is_announced_before_documents_go_out() {
    let server = server();
    let mut sandbox = stranger(&format!("[[judges]]\nmodel = \"vllm/m\"\nbase_url = \"{}\"\n", server.url()));
    sandbox.set("LLULL_TRUST", &format!("VLLM_API_KEY@{}", origin(&server)));
    sandbox.write("study/.env", &format!("VLLM_API_KEY={KEY}\n"));
    let announced =
        "the key in VLLM_API_KEY is the study's own, from study/.env: its owner may see what is sent\n";
    sandbox.llull(&["-C", "study", "run"]).ends(0).says(&[announced]);
    sandbox.llull(&["-C", "study", "-Q", "run"]).ends(0).says(&[announced]);
    sandbox.write("study/.env", "HTTPS_PROXY=http://proxy.test\n");
    sandbox
        .llull(&["-C", "study", "run"])
        .ends(1)
        .says(&["study/.env: HTTPS_PROXY is read from the process's"]);
}

#[test]
fn a_key_goes_in_clear_text_only_where_the_user_trusts_it() {
    let mut sandbox = stranger("[[judges]]\nmodel = \"openai/m\"\n");
    sandbox.set("OPENAI_BASE_URL", "http://gpu.test:9/v1");
    let offline = ["-C", "study", "doctor", "--offline"];
    sandbox.llull(&offline).ends(0);
    sandbox.set("OPENAI_API_KEY", KEY);
    let clear = "the key in OPENAI_API_KEY would go to http://gpu.test:9 in clear text, readable on the way";
    sandbox
        .llull(&["-C", "study", "run"])
        .ends(1)
        .says(&[clear, "add --trust OPENAI_API_KEY@http://gpu.test:9"]);
    sandbox.llull(&offline).ends(1).says(&[clear]);
    sandbox.llull(&[&offline[..], &["--trust", "OPENAI_API_KEY@http://gpu.test:9"]].concat()).ends(0);
    sandbox.llull(&[&offline[..], &["--trust", "http://gpu.test:9"]].concat()).ends(1);
    sandbox.llull(&[&offline[..], &["--trust", "OPENAI_API_KEY@https://gpu.test:9"]].concat()).ends(1);
}

#[test]
fn doctor_lists_the_reach_and_reads_and_asks_nothing_of_it() {
    let server = server();
    let sandbox = served(&server.url());
    sandbox.edit("study/llull.toml", "corpus = \"corpus.jsonl\"", "corpus = \"../private/notes.jsonl\"");
    let doctor = sandbox.llull(&["-C", "study", "doctor", "--json"]).ends(1);
    let found = doctor.json();
    let reach: Vec<_> =
        found.as_array().unwrap().iter().filter(|finding| finding["what"] == "reach").collect();
    assert_eq!(reach.len(), 2, "{doctor}");
    assert!(reach.iter().all(|finding| finding["severity"] == "error"), "{doctor}");
    assert_eq!(server.served().total(), 0);
    let trusted =
        ["-C", "study", "doctor", "--json", "--offline", "--trust", &entry(&server), "--trust", "private"];
    let found = sandbox.llull(&trusted).json();
    let reach = |finding: &&serde_json::Value| finding["what"] == "reach" && finding["severity"] == "fine";
    assert_eq!(found.as_array().unwrap().iter().filter(reach).count(), 2);
}

#[test]
fn a_secret_in_an_addresss_query_is_written_nowhere() {
    let server = server();
    let sandbox = served(&server.url());
    for command in [vec!["run"], vec!["doctor", "--json"], vec!["report", "--json"], vec!["ledger", "export"]]
    {
        let said = sandbox
            .llull(&[&["-C", "study", "--trust", &entry(&server)], command.as_slice()].concat())
            .ends(0);
        assert!(!said.to_string().contains("hunter2"), "{command:?}: {said}");
    }
    assert_eq!(files_with(&sandbox.path("study"), "hunter2"), [sandbox.path("study/llull.toml")]);
}

#[test]
fn init_trusts_what_was_typed_and_no_link_that_was_there() {
    let mut sandbox = stranger(REPLAY);
    sandbox.set("XDG_CONFIG_HOME", &sandbox.path("config").display().to_string());
    for run in ["old.run", "new.run"] {
        sandbox.write(&format!("runs/{run}"), &sandbox.read(&format!("study/{run}")));
    }
    sandbox.write("mine/topics.tsv", &sandbox.read("study/topics.tsv"));
    symlink("../study/corpus.jsonl", sandbox.path("mine/corpus.jsonl")).unwrap();
    let typed =
        ["--run", "runs/old.run", "--run", "runs/new.run", "--judge", "replay:study/known.qrels", "--yes"];
    sandbox.llull(&[&["init", "mine"][..], &typed].concat()).ends(0);
    let said = sandbox.llull(&["-C", "mine", "run"]).ends(1);
    assert!(said.stderr.ends_with("add --trust [DIR]/study/corpus.jsonl\n"), "{said}");
    sandbox.llull(&["-C", "mine", "run", "--trust", "study/corpus.jsonl"]).ends(0);
    let file = sandbox.path("config/llull/trust.toml");
    assert_eq!(fs_err::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_study_on_a_link_that_the_user_typed_is_the_folder_that_it_leads_to() {
    let sandbox = tiny_judged_by(REPLAY);
    symlink(sandbox.path(""), sandbox.path("way")).unwrap();
    sandbox.llull(&["-C", "way", "run"]).ends(0);
}

/// Trust was of a server, and whatever key the study named next was sent there: that of another provider, or any
/// variable of the environment as the key of an `endpoint`.
#[test]
fn a_trusted_server_gets_no_other_key() {
    let server = server();
    let mut sandbox = stranger(&format!("[[judges]]\nmodel = \"vllm/m\"\nbase_url = \"{}\"\n", server.url()));
    sandbox.set("OPENROUTER_API_KEY", KEY);
    sandbox.set("GITHUB_TOKEN_X", KEY);
    let place = origin(&server);
    let folder = sandbox.path("study").canonicalize().unwrap();
    // As the answer "always" is kept.
    let remembered = format!("version = 1\n[[study]]\nfolder = {folder:?}\ntrusted = [{place:?}]\n");
    sandbox.write(".config/llull/trust.toml", &remembered);
    sandbox.llull(&["-C", "study", "run"]).ends(0);
    assert_eq!(server.served().total(), TINY_PAIRS);
    sandbox.edit("study/llull.toml", "vllm/m", "openrouter/m");
    let entry = format!("OPENROUTER_API_KEY@{place}");
    for command in [vec!["run"], vec!["run", "--no-report"], vec!["doctor"], vec!["run", "--trust", &place]] {
        sandbox.llull(&[&["-C", "study"], command.as_slice()].concat()).ends(1).says(&[&entry]);
    }
    let own =
        format!("[[judges]]\nname = \"mine\"\nendpoint = \"{}\"\nkey = \"GITHUB_TOKEN_X\"\n", server.url());
    let before = sandbox.read("study/llull.toml");
    let (above, _) = before.split_once("[[judges]]").unwrap();
    sandbox.write("study/llull.toml", &format!("{above}{own}"));
    for command in [vec!["run"], vec!["doctor"], vec!["doctor", "--judge", "mine"]] {
        let said = sandbox.llull(&[&["-C", "study"], command.as_slice()].concat()).ends(1);
        said.says(&[&format!("GITHUB_TOKEN_X@{place}")]);
    }
    assert_eq!(server.served().total(), TINY_PAIRS);
    assert!(server.requests().iter().all(|request| request.authorization.is_none()));
    sandbox.write("study/llull.toml", &before);
    sandbox.llull(&["-C", "study", "run", "--trust", &entry]).ends(0);
    assert!(server.requests().iter().any(|request| request.authorization.is_some()));
}

/// A study could else send the key of one service to another.
#[test]
fn a_variable_that_the_study_names_needs_trust_even_at_the_provider_s_own_server() {
    let mut sandbox = stranger("[[judges]]\nmodel = \"openai/m\"\nkey = \"GITHUB_TOKEN\"\n");
    sandbox.set("GITHUB_TOKEN", KEY);
    let entry = "GITHUB_TOKEN@https://api.openai.com";
    let refused = sandbox.llull(&["-C", "study", "run"]).ends(1);
    refused.says(&[
        "judge m would send the key in GITHUB_TOKEN to https://api.openai.com; the usual one is OPENAI_API_KEY",
        &format!("add --trust {entry}"),
    ]);
    for allowed in [&["--trust", entry][..], &["--key", "m=GITHUB_TOKEN"]] {
        let arguments = [&["-C", "study", "doctor", "--offline"], allowed].concat();
        sandbox.llull(&arguments).ends(0).says(&["https://api.openai.com/v1, with the key in GITHUB_TOKEN"]);
    }
    sandbox.write("study/.env", "TEAM_KEY=its-own-0123456789\n");
    sandbox.edit("study/llull.toml", "GITHUB_TOKEN", "TEAM_KEY");
    let own = sandbox.llull(&["-C", "study", "doctor", "--offline"]).ends(0);
    own.says(&["with the key in TEAM_KEY"]);
    sandbox.set("TEAM_KEY", KEY);
    sandbox.llull(&["-C", "study", "run"]).ends(1).says(&["add --trust TEAM_KEY@https://api.openai.com"]);
}

#[test]
fn a_variable_that_the_user_typed_goes_to_no_server_of_a_stranger() {
    let server = server();
    let mut sandbox =
        stranger(&format!("[[judges]]\nmodel = \"openai/m\"\nbase_url = \"{}\"\n", server.url()));
    sandbox.set("TEAM_KEY", KEY);
    let run = ["-C", "study", "run", "--key", "m=TEAM_KEY"];
    sandbox.llull(&run).ends(1).says(&[&format!("add --trust TEAM_KEY@{}", origin(&server))]);
    assert!(server.requests().is_empty());
    sandbox.set("LLULL_TRUST", &format!("TEAM_KEY@{}", origin(&server)));
    sandbox.llull(&run).ends(0);
    let sent: Vec<_> = server.requests().into_iter().filter_map(|request| request.authorization).collect();
    assert!(!sent.is_empty() && sent.iter().all(|sent| sent == &format!("Bearer {KEY}")));
}

#[test]
fn a_key_in_the_place_of_its_variable_is_refused_and_not_shown() {
    let server = server();
    for written in [KEY, "AIzaSyD0123456789abcdefghijklmnopqrstuv", "0f1e2d3c4b5a69788796a5b4c3d2e1f0"] {
        let judge = format!("[[judges]]\nmodel = \"openai/m\"\nbase_url = \"{}\"\nkey = ", server.url());
        let said = stranger(&format!("{judge}\"{written}\"\n")).llull(&["-C", "study", "run"]).ends(1);
        said.says(&["llull.toml line 21: `key` names the variable", "what stands there is not shown"]);
        let sandbox = stranger(&judge.replace("key = ", ""));
        for typed in [format!("m={written}"), written.to_owned(), format!("{written}=m")] {
            let said = sandbox.llull(&["-C", "study", "run", "--key", &typed]).ends(1).to_string();
            assert!(said.contains("error: --key") && !said.contains(written), "{said}");
        }
    }
    assert!(server.requests().is_empty());
}
