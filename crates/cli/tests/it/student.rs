//! A student: taught labels, kept with the study, and a judge of it.

use serde_json::Value;

use crate::sandbox::{Sandbox, check, tiny};

/// The demo, judged by its recorded language model.
fn demo() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.llull(&["demo", "demo", "-Q"]).ends(0);
    sandbox
}

const TEACH: [&str; 7] = ["-C", "demo", "train", "--student", "quick", "--target", "demo/authors.qrels"];

#[test]
fn learns_what_people_said_and_judges() {
    let sandbox = demo();
    check!(sandbox.llull(&TEACH).ends(0));
    let kept = sandbox.read("demo/.llull/students/quick.json");
    let judged = sandbox.llull(&["-C", "demo", "run", "--judge", "student:quick", "-Q", "--verbose"]).ends(0);
    judged.says(&[
        "Labels by: student student:quick. A student repeats what labels have in common with words and does not read",
        "quick has learnt 359 labels of 24 queries from demo/authors.qrels, and on queries that it had not seen agrees",
    ]);
    let report = sandbox.read("demo/report.md");
    assert!(report.contains("the similarity baseline, which has learnt nothing, at rho"), "{report}");
    // It was compared with the labels that it had learnt, which are the study's reference: kappa 1.0000.
    let json: serde_json::Value = serde_json::from_str(&sandbox.read("demo/report.json")).unwrap();
    let own = "Not compared: student:quick was trained on these labels.";
    assert_eq!(
        (&json["reference"]["not_compared"], &json["reference"]["agreement"]["kappa"]),
        (&own.into(), &serde_json::Value::Null)
    );
    let kappa = json["checks"].as_array().unwrap().iter().find(|check| check["kind"] == "kappa").unwrap();
    assert_eq!((&kappa["finding"], &kappa["value"]), (&own.into(), &serde_json::Value::Null));
    assert!(report.contains(own) && sandbox.read("demo/report.html").contains(own), "{report}");
    sandbox
        .llull(&["-C", "demo", "agree", "demo/authors.qrels"])
        .ends(0)
        .says(&["student:quick was trained on these labels"]);
    let labels = sandbox.read("demo/labels.qrels");
    assert_eq!(sandbox.read("demo/report.json").matches("\"kind\": \"student\"").count(), 1);

    // Taught again it is the same to the byte, and nothing is judged anew.
    sandbox.llull(&TEACH).ends(0);
    assert_eq!(sandbox.read("demo/.llull/students/quick.json"), kept);
    let again = sandbox.llull(&["-C", "demo", "run", "--judge", "student:quick", "--verbose"]).ends(0);
    again.says(&["359 already in the ledger, 0 to ask"]);
    assert_eq!(sandbox.read("demo/labels.qrels"), labels);

    // Taught something else it is another judge.
    sandbox.llull(&["-C", "demo", "run", "-Q"]).ends(0);
    let other = sandbox.llull(&["-C", "demo", "train", "--student", "quick", "--json"]).ends(0);
    let json = other.json();
    assert_eq!((&json["lessons"]["labels"], &json["lessons"]["pairs"]), (&"claude".into(), &359.into()));
    assert!(json["lessons"]["held_out"]["rho"].as_f64().unwrap() > 0.4, "{json}");
    sandbox
        .llull(&["-C", "demo", "run", "--judge", "student:quick", "--verbose"])
        .ends(0)
        .says(&["0 already in the ledger"]);
}

/// A reference of which any query was learnt was refused as a whole.
#[test]
fn queries_that_it_has_not_learnt_are_compared() {
    let sandbox = demo();
    let all = sandbox.read("demo/authors.qrels");
    let queries: std::collections::BTreeSet<&str> =
        all.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let learnt: std::collections::BTreeSet<&str> = queries.iter().copied().step_by(2).collect();
    let is_learnt = |line: &&str| learnt.contains(line.split_whitespace().next().unwrap_or_default());
    let part: Vec<&str> = all.lines().filter(is_learnt).collect();
    let rest: Vec<&str> = all.lines().filter(|line| !is_learnt(line)).collect();
    sandbox.write("demo/part.qrels", &format!("{}\n", part.join("\n")));
    sandbox.write("demo/rest.qrels", &format!("{}\n", rest.join("\n")));
    sandbox.llull(&["-C", "demo", "train", "--student", "quick", "--target", "demo/part.qrels"]).ends(0);
    let left_out = format!(
        "Left out: {} of {} queries, since student:quick was trained on their labels.",
        learnt.len(),
        queries.len()
    );
    let judged = sandbox.llull(&["-C", "demo", "run", "--judge", "student:quick", "-Q", "--verbose"]).ends(0);
    judged.says(&[left_out.as_str()]);
    let json: serde_json::Value = serde_json::from_str(&sandbox.read("demo/report.json")).unwrap();
    let reference = &json["reference"];
    assert_eq!(
        (&reference["left_out"], &reference["not_compared"]),
        (&left_out.as_str().into(), &Value::Null)
    );
    for page in ["demo/report.md", "demo/report.html"] {
        assert!(sandbox.read(page).contains(&left_out), "{page}");
    }
    // The same as with a reference that has the other queries alone.
    let agreed = |file: &str| sandbox.llull(&["-C", "demo", "agree", file, "--json"]).ends(0);
    let of_all = agreed("demo/authors.qrels").says(&[left_out.as_str()]).json();
    let of_rest = agreed("demo/rest.qrels").json();
    assert_eq!(of_all["kappa"], of_rest["kappa"]);
    assert_eq!(reference["agreement"]["kappa"], of_rest["kappa"]["plain"], "{of_rest}");
    assert_eq!(reference["systems"]["means"][0]["there_n"], queries.len() - learnt.len());
    let kappa = json["checks"].as_array().unwrap().iter().find(|check| check["kind"] == "kappa").unwrap();
    assert_eq!(kappa["n"], of_rest["n"], "{kappa}");
    assert!(kappa["finding"].as_str().unwrap().ends_with(&left_out), "{kappa}");
}

#[test]
fn stands_in_llull_toml_beside_others() {
    let sandbox = demo();
    sandbox.llull(&TEACH).ends(0);
    let own = "model = \"recorded:claude.jsonl\"";
    sandbox.edit(
        "demo/llull.toml",
        own,
        &format!("{own}\n\n[[judges]]\nname = \"quick\"\nmodel = \"student:quick\""),
    );
    sandbox.llull(&["-C", "demo", "doctor"]).ends(0);
    let run = sandbox.llull(&["-C", "demo", "run", "-Q", "--verbose"]).ends(0);
    run.says(&[
        "Labels by: student quick (student:quick); language model claude (anthropic/claude, recorded).",
    ]);
    // What it says itself teaches nothing.
    let own = sandbox.llull(&["-C", "demo", "train", "--student", "quick"]).ends(1);
    own.says(&["judge quick is a student, and no student learns from a student: name the labels"]);
}

#[test]
fn what_is_no_student_is_said() {
    let sandbox = demo();
    let run = |judge| sandbox.llull(&["-C", "demo", "run", "--judge", judge]);
    let file = "demo/.llull/students/quick.json";
    run("student:quick").refused(1, &["no student \"quick\"", file, "llull train --student quick"]);
    run("student:").refused(2, &["--judge student:", "needs the name of a trained student"]);
    run("student:../x").refused(1, &["\"../x\" is no name for a student", "letters, digits"]);
    sandbox.llull(&TEACH).ends(0);
    let sound = sandbox.read(file);
    for (from, to, part) in [
        (
            "\"version\": 1",
            "\"version\": 9",
            "of version 9, and this llull reads \"llull student\" of version 1: train",
        ),
        ("\"words\"", "\"worms\"", "its features are not those of this llull; train it again"),
        ("{", "", "not a student that llull train --student wrote: line 2"),
    ] {
        sandbox.write(file, &sound.replacen(from, to, 1));
        run("student:quick").refused(1, &[file, part]);
    }
    sandbox.write(file, &sound);
    let teach = |name, target| sandbox.llull(&["-C", "demo", "train", "--student", name, "--target", target]);
    sandbox.write("few.qrels", "q01 0 p104 1\nq01 0 p201 0\n");
    sandbox.write("off.qrels", "q01 0 p104 7\n");
    teach("a b", "demo/authors.qrels").refused(1, &["\"a b\" is no name for a student"]);
    teach("few", "few.qrels")
        .refused(1, &["few.qrels: too few", "at least 20 labels of 5 queries", "labels: 2, queries: 1"]);
    teach("off", "off.qrels").refused(1, &["off.qrels: query q01, document p104 has grade 7", "from 0 to 3"]);
    teach("gone", "gone.qrels").refused(1, &["gone.qrels", "there is no such file"]);
    sandbox.llull(&["train", "--student", "x"]).refused(1, &["llull.toml", "`llull init DIR`"]);
    sandbox
        .llull(&["train", "--student", "x", "--save", "y"])
        .refused(2, &["'--student <NAME>'", "'--save <FILE|NAME>'"]);
    tiny().llull(&["train", "--student", "x"]).refused(1, &["there is no ledger yet; llull run makes one"]);
}

/// Meaning needs an encoder, and no file of a study chooses one that asks a server.
#[test]
fn an_encoder_is_never_left_out_in_silence() {
    let sandbox = demo();
    let with = |encoder| sandbox.llull(&[&TEACH[..], &["--encoder", encoder]].concat());
    with("minilm").ends(1).says(&["minilm is not on this machine", "scripts/minilm"]);
    with("openai/text-embedding-3-small").ends(2);
    sandbox.llull(&TEACH).ends(0);
    let file = "demo/.llull/students/quick.json";
    let words = sandbox.read(file);
    for encoder in ["minilm", "openai/text-embedding-3-small"] {
        let ten = |name: &str| {
            let mut student: serde_json::Value = serde_json::from_str(&words).unwrap();
            student["encoder"] = encoder.into();
            student["features"].as_array_mut().unwrap().push("meaning".into());
            ["means", "spreads", "weights"]
                .iter()
                .for_each(|numbers| student[numbers].as_array_mut().unwrap().push(1.0.into()));
            sandbox.write(name, &student.to_string());
        };
        ten(file);
        let refused = sandbox.llull(&["-C", "demo", "run", "--judge", "student:quick"]).ends(1);
        let why = if encoder == "minilm" { "minilm is not on this machine" } else { "none but \"minilm\"" };
        refused.says(&[why]);
    }
}

/// A rubric with other grades needs a student of its own.
#[test]
fn grades_on_the_scale_that_it_learnt() {
    let sandbox = demo();
    sandbox.llull(&TEACH).ends(0);
    let binary = "+++\nversion = 1\nname = \"Binary\"\ncutoff = 1\n\n[[grades]]\ngrade = 0\nname = \"no\"\n\
                  definition = \"No.\"\n\n[[grades]]\ngrade = 1\nname = \"yes\"\ndefinition = \"Yes.\"\n+++\nIs it?\n";
    sandbox.write("demo/rubric.md", binary);
    let refused = sandbox.llull(&["-C", "demo", "run", "--judge", "student:quick"]).ends(1);
    refused.says(&[
        "it gives grades from 0 to 3, and the rubric's are from 0 to 1: train one on labels under this",
    ]);
}

/// Of a student it is known how sure it is, so that it can be a cascade's whole first stage.
#[test]
fn asks_a_stronger_judge_where_it_is_not_sure() {
    let sandbox = demo();
    sandbox.llull(&TEACH).ends(0);
    let strong = "\n[[judges]]\nname = \"strong\"\nmodel = \"replay\"\nlabels = \"authors.qrels\"\n";
    let own = "[[judges]]\nname = \"quick\"\nmodel = \"student:quick\"\n";
    let config = sandbox.read("demo/llull.toml");
    let before = config.split("\n[[judges]]").next().unwrap().to_owned() + "\n";
    let with = |when: &str| {
        let escalate = format!("escalate = {{ to = \"strong\", when = \"{when}\" }}\nmeasures = ");
        let top = before.replacen("measures = ", &escalate, 1);
        sandbox.write("demo/llull.toml", &format!("{top}{own}{strong}"));
        sandbox.llull(&["-C", "demo", "run"])
    };
    let asked = |when: &str| {
        with(when).ends(0);
        let report: serde_json::Value = serde_json::from_str(&sandbox.read("demo/report.json")).unwrap();
        report["escalation"]["escalated"].as_u64().unwrap()
    };
    let (few, more) = (asked("margin < 0.1"), asked("margin < 0.4"));
    assert!(0 < few && few < more, "{few} {more}");
    assert!(asked("unsure") > 0);
    with("split").ends(1).says(&["or a student alone with when = \"unsure\" or a margin"]);
    let file = "demo/.llull/students/quick.json";
    let noiseless: String = sandbox
        .read(file)
        .lines()
        .filter(|line| !line.contains("\"noise\""))
        .map(|line| format!("{line}\n"))
        .collect();
    sandbox.write(file, &noiseless);
    with("unsure")
        .ends(1)
        .says(&["student:quick was taught by an earlier llull and does not state how sure it is"]);
}
