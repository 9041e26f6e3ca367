//! A changed rubric, prompt or model: the answers that it leaves behind are counted, and can be seen.

use llull::config::Overrides;
use llull::core::Hash;
use llull::judge::Rubric;
use llull::reach::Trust;
use llull::{EarlierAnswers, Severity, Study};
use llull_testkit::{FaultPlan, FaultyServer};

use crate::collection::{PAIRS, judged};
use crate::folder_study::FolderStudy;

/// A study that a model has judged under the rubric in its folder.
fn judged_study(server: &FaultyServer) -> FolderStudy {
    judged_by(server, "", &[])
}

/// The same, with keys of its own and these files.
fn judged_by(server: &FaultyServer, keys: &str, files: &[(&str, &str)]) -> FolderStudy {
    let judge = format!(
        "[[judges]]\nname = \"served\"\nmodel = \"vllm/m\"\nbase_url = {:?}\ntimeout = 600\n{keys}",
        server.url()
    );
    let folder = FolderStudy::new("rubric = \"rubric.md\"\n", &judge);
    folder.write("rubric.md", Rubric::default_text());
    for (name, text) in files {
        folder.write(name, text);
    }
    let trust = Trust::default().with(&server.url()).unwrap();
    let study = Study::open_trusting(&folder.path("."), &Overrides::default(), &trust).unwrap();
    judged(&study);
    study.remember().unwrap();
    assert_eq!(earlier(&study), []);
    folder
}

fn earlier(study: &Study) -> Vec<EarlierAnswers> {
    let inputs = study.inputs().unwrap();
    study.attempts().earlier(&study.evidence(&inputs).unwrap()).unwrap()
}

fn short(hash: Hash) -> String {
    hash.to_string()[..8].to_owned()
}

/// `report` said that nothing is decided, and no word of the answers that were paid for.
#[test]
fn after_an_edit_of_the_rubric_the_old_answers_are_named_and_shown() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let folder = judged_study(&server);
    let then = short(Rubric::parse(Rubric::default_text(), "rubric").unwrap().hash);
    let text = format!("{}\nA page that only names the topic is not relevant.\n", Rubric::default_text());
    folder.write("rubric.md", &text);
    let now = short(Rubric::parse(&text, "rubric").unwrap().hash);
    let expected = EarlierAnswers {
        judge: "served".to_owned(),
        changed: vec![format!("the rubric ({then} then, {now} now)")],
        verdicts: PAIRS as u64,
        to_see: format!("llull report --rubric-hash {then} shows them"),
    };
    assert_eq!(earlier(&folder.open()), [expected]);

    let old = Overrides { rubric_hash: Some(then.clone()), ..Overrides::default() };
    let (study, _) = Study::open_as_last_run(&folder.path("."), &old, &Trust::default()).unwrap();
    let evidence = study.evidence(&study.inputs().unwrap()).unwrap();
    assert_eq!(evidence.labels.labelled(), PAIRS);

    let kept = folder.files().into_iter().find(|file| file.starts_with(".llull/rubrics/")).unwrap();
    folder.write(&kept, &text);
    let changed = Study::open(&folder.path("."), &old).unwrap_err().to_string();
    assert!(changed.contains("its hash is another"), "{changed}");
    fs_err::remove_file(folder.path(&kept)).unwrap();
    let absent = Study::open(&folder.path("."), &old).unwrap_err().to_string();
    assert!(absent.contains(&format!("--rubric-hash {then}: no rubric was saved yet")), "{absent}");
    assert_eq!(earlier(&folder.open())[0].to_see, "the old rubric was not saved; put it back to see them");
}

#[test]
fn another_prompt_model_or_parameter_is_named() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let folder = judged_study(&server);
    let umbrela = Overrides { prompt: Some("umbrela".to_owned()), ..Overrides::default() };
    let found = earlier(&folder.open_with(&umbrela)).remove(0);
    assert_eq!(found.changed, ["the prompt (graded then, umbrela now)"]);
    assert_eq!(found.to_see, "llull report --prompt graded shows them");
    folder.edit("llull.toml", "vllm/m", "vllm/other");
    let found = earlier(&folder.open()).remove(0);
    assert_eq!(found.changed, ["the model (vllm/m then, vllm/other now)"]);
    assert_eq!(found.to_see, "llull report --judge vllm/m shows them");
    folder.edit("llull.toml", "vllm/other\"\n", "vllm/m\"\ntemperature = 0.5\n");
    let found = earlier(&folder.open()).remove(0);
    assert_eq!((found.changed.len(), found.verdicts), (1, PAIRS as u64));
    assert_eq!(found.to_see, "put the old setting back to see them");
}

const MINE: &str = "+++\nversion = 1\nname = \"mine\"\ndescription = \"short\"\nanswer = \"grade\"\n+++\n[user]\n\
    Is {{ document }} good for {{ query }}? Say {{ choices }}.\n";

/// The text of a template that was edited was gone, and with it the answers to it.
#[test]
fn after_an_edit_of_a_template_the_old_answers_are_named_and_shown() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    let folder = judged_by(&server, "prompt = \"mine.md\"\n", &[("mine.md", MINE)]);
    folder.write("mine.md", &MINE.replace("good", "any good"));
    let found = earlier(&folder.open()).remove(0);
    assert_eq!(
        (&*found.changed, found.verdicts),
        (&["the text of the prompt mine".to_owned()][..], PAIRS as u64)
    );
    let kept = folder.files().into_iter().find(|file| file.starts_with(".llull/prompts/")).unwrap();
    assert_eq!(found.to_see, format!("llull report --prompt {kept} shows them"));

    let old = Overrides { prompt: Some(kept.clone()), ..Overrides::default() };
    let study = folder.open_with(&old);
    let evidence = study.evidence(&study.inputs().unwrap()).unwrap();
    assert_eq!(evidence.labels.labelled(), PAIRS);

    let said = folder.open().examine(&|_| None, false);
    let found = said.iter().find(|finding| finding.text.contains("changed since")).unwrap();
    assert_eq!((found.severity, &*found.what), (Severity::Warning, "judge served"), "{said:?}");

    fs_err::remove_file(folder.path(&kept)).unwrap();
    let found = earlier(&folder.open()).remove(0);
    assert_eq!(found.to_see, "the old prompt was not saved; put it back to see them");
}
