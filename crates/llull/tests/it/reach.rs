//! The reach of a study through the library: nothing is trusted unless the caller says so.

use llull::config::{JudgeKind, Overrides};
use llull::reach::{ReachKind, Trust};
use llull::{LiveRequests, Study, StudyError};

use crate::folder_study::{FolderStudy, REPLAY};

#[test]
fn a_file_outside_is_read_only_if_it_is_trusted() {
    let home = tempfile::tempdir().unwrap();
    let folder = FolderStudy::new("", REPLAY);
    fs_err::rename(folder.path("known.qrels"), home.path().join("known.qrels")).unwrap();
    let outside = home.path().join("known.qrels").display().to_string();
    folder.edit("llull.toml", "known.qrels", &outside);
    let none = Overrides::default();
    let error = Study::open(&folder.path(""), &none).unwrap_err();
    assert!(matches!(&error, StudyError::Untrusted(untrusted) if untrusted.0.len() == 1), "{error}");
    let trust = Trust::default().with(&home.path().display().to_string()).unwrap();
    Study::open_trusting(&folder.path(""), &none, &trust).unwrap();
    // The caller's own choice is not the study's.
    let typed = Overrides { judges: vec![format!("replay:{outside}")], ..Overrides::default() };
    Study::open(&folder.path(""), &typed).unwrap();
    Study::open(&folder.path(""), &typed.from_file(".llull/last-run.toml")).unwrap_err();
}

/// Certificate authorities are found from the folder of `llull.toml`, and outside of it only where that is trusted.
#[test]
fn a_ca_file_outside_is_read_only_if_it_is_trusted() {
    let judge = "[[judges]]\nmodel = \"vllm/m\"\nbase_url = \"https://gpu.test/v1\"\nca_file = \"ca.pem\"\n";
    let folder = FolderStudy::new("", judge);
    fs_err::write(folder.path("ca.pem"), "").unwrap();
    let study = folder.open();
    let JudgeKind::Prompted { ca_file, .. } = &study.settings().judges[0].kind else { unreachable!() };
    assert_eq!(ca_file.as_deref(), Some(&*folder.path("ca.pem")));
    let home = tempfile::tempdir().unwrap();
    let outside = home.path().join("ca.pem").display().to_string();
    fs_err::write(&outside, "").unwrap();
    folder.edit("llull.toml", "ca.pem", &outside);
    let error = Study::open(&folder.path(""), &Overrides::default()).unwrap_err();
    assert!(matches!(&error, StudyError::Untrusted(untrusted) if untrusted.0.len() == 1), "{error}");
    assert!(error.to_string().contains("ca_file"), "{error}");
}

#[test]
fn a_server_is_asked_only_if_it_is_trusted() {
    let judge = "[[judges]]\nmodel = \"vllm/m\"\nbase_url = \"https://stranger.test/v1\"\n";
    let folder = FolderStudy::new("", judge);
    let study = folder.open();
    let error = study.judge(&study.inputs().unwrap()).run().unwrap_err();
    assert!(error.to_string().contains("add --trust https://stranger.test"), "{error}");
    let none = Overrides::default();
    let reach = Study::reach(&folder.path(""), &none, false, &Trust::default(), &|_| None).unwrap();
    assert_eq!(reach.iter().map(|entry| entry.kind).collect::<Vec<_>>(), [ReachKind::Server]);
    // The provider's own server is no reach.
    folder.edit("llull.toml", "https://stranger.test/v1", "http://localhost:8000");
    assert!(Study::reach(&folder.path(""), &none, false, &Trust::default(), &|_| None).unwrap().is_empty());
}

/// It gets queries and documents, with the keys of the user's account.
#[test]
fn a_bucket_is_used_only_if_it_is_trusted() {
    let role = "arn:aws:iam::123456789012:role/r";
    let judge = format!(
        "[[judges]]\nmodel = \"bedrock/m\"\naws = {{ batches = \"s3://strangers/b\", role = \"{role}\" }}\n"
    );
    let folder = FolderStudy::new("", &judge);
    let environment = |name: &str| match name {
        "AWS_REGION" => Some("eu-central-1".to_owned()),
        name => name.starts_with("AWS_").then(|| "k".repeat(20)),
    };
    let none = Overrides::default();
    let reach = |trust: &Trust| Study::reach(&folder.path(""), &none, false, trust, &environment).unwrap();
    let entries: Vec<String> = reach(&Trust::default()).into_iter().map(|entry| entry.entry).collect();
    assert_eq!(entries, ["AWS_ACCESS_KEY_ID@s3://strangers"]);
    // The region is part of the address, and may be the study's choice.
    let files = [("AWS_REGION".to_owned(), ".env".to_owned())].into();
    let entries: Vec<String> =
        reach(&Trust::default().variables_of_study(files)).into_iter().map(|entry| entry.entry).collect();
    let server = "AWS_ACCESS_KEY_ID@https://bedrock-runtime.eu-central-1.amazonaws.com";
    assert_eq!(entries, [server, "AWS_ACCESS_KEY_ID@s3://strangers"]);
}

/// A study's `.env` may come to name another database: that one is asked for anew. Its password may change.
#[test]
fn a_statement_is_trusted_in_the_database_that_its_address_names() {
    let system =
        "[[systems]]\nname = \"pg\"\nretriever = \"postgres\"\npostgres = { sql = \"SELECT 1 AS id\" }\n\n";
    let folder = FolderStudy::new("", &format!("{system}{REPLAY}"));
    let entry = |address: &str| {
        let environment = |name: &str| (name == "DATABASE_URL").then(|| address.to_owned());
        let none = Overrides::default();
        let reach = Study::reach(&folder.path(""), &none, false, &Trust::default(), &environment).unwrap();
        let [entry] = <[_; 1]>::try_from(reach).unwrap();
        assert!(!entry.text.contains("topsecret") && entry.kind == ReachKind::Command, "{}", entry.text);
        entry
    };
    let known = entry("postgresql://me:topsecret1@db.test:5432/docs");
    assert!(known.text.contains("the PostgreSQL server that DATABASE_URL of your environment names"));
    assert!(!known.text.contains("db.test"), "{}", known.text);
    assert_eq!(entry("postgresql://me:topsecret2@db.test/docs").entry, known.entry);
    for other in ["db.test:5433/docs", "db.test/other", "stranger.test/docs"] {
        assert_ne!(entry(&format!("postgresql://me:topsecret1@{other}")).entry, known.entry, "{other}");
    }
    let numbered = entry("host=db.test hostaddr=10.0.0.7 user=me password=topsecret1 dbname=docs");
    assert_ne!(numbered.entry, known.entry, "the host's name is not what is asked");
    let trust = entry("postgresql://me:topsecret1@127.0.0.1:1/docs");
    let trust = Trust::default().with(&trust.entry).unwrap();
    let study = Study::open_trusting(&folder.path(""), &Overrides::default(), &trust).unwrap();
    let ask = |address: &str| {
        let environment = |_: &str| Some(address.to_owned());
        let vectors = |_: &str, _: &[&str]| Ok(Vec::new());
        let requests = LiveRequests { environment: &environment, vectors: &vectors };
        study.retrieval().ask_live(requests, false, |_| ()).unwrap_err()
    };
    let refused = ask("postgresql://me:topsecret1@127.0.0.1:1/other");
    assert!(matches!(refused, StudyError::Untrusted(_)), "{refused}");
    let asked = ask("postgresql://me:topsecret2@127.0.0.1:1/docs");
    assert!(!matches!(asked, StudyError::Untrusted(_)), "{asked}");
    assert!(
        asked.to_string().contains("PostgreSQL at the address in DATABASE_URL cannot be reached"),
        "{asked}"
    );
}

/// A known kind of server was trusted with one key, and got whatever key the study named next.
#[test]
fn a_retrieving_server_is_trusted_with_the_key_that_it_gets() {
    let system = "[[systems]]\nname = \"live\"\nretriever = \"meilisearch\"\n[systems.meilisearch]\n\
                  url = \"https://search.test\"\ncollection = \"docs\"\n";
    let entries = |key: &str| {
        let folder = FolderStudy::new("", &format!("{system}{key}\n{REPLAY}"));
        let reach =
            Study::reach(&folder.path(""), &Overrides::default(), false, &Trust::default(), &|_| None)
                .unwrap();
        <[_; 1]>::try_from(reach).unwrap()
    };
    let [bare] = entries("");
    let [one] = entries("key = \"A_KEY\"\n");
    let [other] = entries("key = \"B_KEY\"\n");
    assert_eq!((&*bare.entry, &*one.entry), ("https://search.test", "A_KEY@https://search.test"));
    let trust = Trust::default().with(&one.entry).unwrap();
    assert!(trust.holds(&one) && trust.holds(&bare) && !trust.holds(&other), "{}", other.entry);
}

/// A certificate authority of the study's could stand in for the gateway that the user exported.
#[test]
fn an_authority_of_the_studys_is_trusted_with_the_server_that_it_vouches_for() {
    let reach = |line: &str| {
        let folder = FolderStudy::new("", &format!("[[judges]]\nmodel = \"openai/m\"\n{line}\n"));
        let environment =
            |name: &str| (name == "OPENAI_BASE_URL").then(|| "https://gateway.test/v1".to_owned());
        Study::reach(&folder.path(""), &Overrides::default(), false, &Trust::default(), &environment).unwrap()
    };
    assert!(reach("").is_empty(), "what the user exported");
    let [entry] = <[_; 1]>::try_from(reach("ca_file = \"own.pem\"")).unwrap();
    assert_eq!((entry.kind, &*entry.entry), (ReachKind::Server, "https://gateway.test"));
    assert!(entry.text.contains("own.pem\" vouches for"), "{}", entry.text);
}
