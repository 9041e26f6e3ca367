//! Every `llull ...` that a page, a help text or the demo's report shows works in the demo.
//!
//! A command runs in a copy of the demo, in which people have labelled a sample. A failure names the page and the line.
//! What cannot run here is parsed only, for a reason in [`PARSED_ONLY`], [`PAGES_OWN_FILES`] or [`REFUSED`]. A new
//! command that neither runs nor has such a reason fails the test.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// What a command has in it that is parsed and not run, and why.
const PARSED_ONLY: [(&str, &str); 15] = [
    ("--dataset", "downloads a dataset by ir_datasets"),
    ("openai/", "asks a provider"),
    ("ollama/", "asks a server of models"),
    (" serve", "serves until it is stopped"),
    ("llull review", "serves until it is stopped"),
    ("my-study review", "serves until it is stopped"),
    (" models add", "needs the weights of an encoder"),
    ("minilm", "needs the weights of an encoder"),
    ("semantic", "needs the weights of an encoder"),
    ("--retriever", "needs a retriever or a corpus that the page declares"),
    (" mine", "needs a judge that the page declares"),
    ("tree:", "needs paradigm = \"pairwise\""),
    ("--control", "needs another study with the same probe"),
    ("--pairs", "needs a judge in llull.toml that compares"),
    ("plan --documents 100 --window", "simulates for long; tutorial.rs runs the guide's"),
];

/// Files that pages make up and the demo has nothing like: what reads them is parsed only.
const PAGES_OWN_FILES: [&str; 1] = ["results.jsonl"];

/// Words that a reader puts something in place of: with them only the names of commands and flags are checked.
const PLACEHOLDERS: [&str; 22] = [
    "...", "A", "ANSWERS", "B", "COMMAND", "DIR", "FEATURE", "FILE", "FOLDER", "GRADE", "HASH", "ID", "M",
    "MODEL", "N", "NAME", "OTHER", "QRELS", "RUN", "SHEET", "TARGET", "TRUTH",
];

/// What the demo rightly refuses: a part of the command, a part of the message, and why that is no mistake of the page.
const REFUSED: [(&str, &str, &str); 7] = [
    ("init", "is there already", "the demo is a study, and the page makes a new one"),
    ("diff", "the ledger has no such answers", "the demo's judge has answered under one rubric"),
    ("diff", "no judge of llull.toml is a language model", "the demo's judge is recorded"),
    ("--paradigm listwise", "it has no listwise answers", "the demo's judge has recorded grades"),
    ("--queue failures", "nothing is in the queue failures", "the demo's judge answers everything"),
    ("copy LLULL_LEDGER", "LLULL_LEDGER is not set", "its value is a database of the reader's"),
    ("label *.qrels", "a median of both means nothing", "files here are on two scales"),
];

/// A command as a page shows it.
struct Shown {
    place: String,
    text: String,
    /// Whether it has a line of its own; a command within a sentence may be a part of one.
    is_line: bool,
}

/// The commands of a page of Markdown: lines of code, and code within sentences. Blocks of `console` are left out:
/// tutorial.rs and readme.rs run them in their order and compare the output, and no other block shows any.
fn in_markdown(page: &str, text: &str) -> Vec<Shown> {
    let mut found = Vec::new();
    let (mut fenced, mut console, mut prose) = (false, false, String::new());
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        prose.push('\n');
        if let Some(language) = line.trim_start().strip_prefix("```") {
            fenced = !fenced;
            console = fenced && language == "console";
            continue;
        }
        if !fenced && !line.starts_with("    ") {
            prose.push_str(line);
            continue;
        }
        let typed = line.trim_start();
        assert!(
            console || !typed.starts_with("$ "),
            "{page}:{}: write ```console, so that it is run",
            at + 1
        );
        if let Some(command) = Some(typed).filter(|typed| typed.starts_with("llull ") && !console) {
            let mut more = std::iter::from_fn(|| {
                prose.push('\n');
                lines.next().map(|(_, line)| line)
            });
            let text = whole(command, &mut more);
            found.push(Shown { place: format!("{page}:{}", at + 1), text, is_line: true });
        }
    }
    let mut line = 0;
    for (place, piece) in prose.split('`').enumerate() {
        if place % 2 == 1 && piece.starts_with("llull ") {
            let text = piece.split_whitespace().collect::<Vec<_>>().join(" ");
            found.push(Shown { place: format!("{page}:{line}"), text, is_line: false });
        }
        line += piece.matches('\n').count();
    }
    found
}

/// The examples of a help text, which is wrapped at a hundred columns.
fn in_help(command: &str, text: &str) -> Vec<Shown> {
    let mut found = Vec::new();
    let text = unwrapped(text);
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let example = line.trim_start();
        if line.starts_with("  ") && example.starts_with("llull ") {
            let text = whole(example, &mut lines.by_ref().map(|(_, line)| line));
            found.push(Shown { place: format!("{command} --help:{}", at + 1), text, is_line: true });
        }
    }
    found
}

/// Puts together what a width of a hundred columns has broken: the next word had no room, and keeps the example's
/// indentation. Line numbers stay about right.
fn unwrapped(text: &str) -> String {
    let mut joined = String::new();
    let mut width = 0;
    for line in text.lines() {
        let indented = line.len() - line.trim_start().len();
        let word = line.trim_start().split(' ').next().unwrap_or_default();
        let broken = width > 0 && indented <= 2 && !word.is_empty() && word != "llull";
        match broken && width + 1 + word.len() > 100 {
            true => joined = format!("{joined} {}", line.trim_start()),
            false => joined = format!("{joined}\n{line}"),
        }
        width = line.len();
    }
    joined.trim_start_matches('\n').to_owned()
}

/// A command with the lines that continue it, each without what is two spaces behind it.
fn whole(first: &str, more: &mut dyn Iterator<Item = &str>) -> String {
    let mut command = without_description(first).to_owned();
    while command.ends_with('\\') {
        command.pop();
        let Some(line) = more.next() else { break };
        command += without_description(line.trim_start());
    }
    command
}

fn without_description(line: &str) -> &str {
    let (mut quote, mut before) = (None, '\0');
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, ' ') if before == ' ' => return line[..at].trim_end(),
            _ => {}
        }
        before = c;
    }
    line
}

/// Calls the program with what EXTRA adds, and notes how it ended: so a whole line, pipes and all, can be a shell's.
const SHIM: &str =
    "#!/bin/sh\n\"$LLULL\" \"$@\" $EXTRA 2>>\"$SAID\"\ncode=$?\necho $code >>\"$SAID.codes\"\nexit $code\n";

/// Folders in which commands run, each with files of the names that pages use: the demo as it is run (`fresh`), with a
/// labelled sample (`labelled`), with a sample of plain files (`plain`), and with recorded orders that two annotators
/// have compared (`listwise`).
struct Worlds(TempDir);

impl Worlds {
    fn new() -> Self {
        let worlds = Self(tempfile::tempdir().unwrap());
        let root = worlds.0.path();
        fs_err::create_dir_all(root.join("bin")).unwrap();
        fs_err::write(root.join("bin/llull"), SHIM).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let executable = std::fs::Permissions::from_mode(0o755);
            fs_err::set_permissions(root.join("bin/llull"), executable).unwrap();
        }
        let fresh = root.join("fresh");
        fs_err::create_dir_all(&fresh).unwrap();
        llull(&fresh, "demo .");
        // A system and a judge under the names that pages use for any.
        let settings = fs_err::read_to_string(fresh.join("llull.toml")).unwrap();
        let named =
            settings.replace("\"ngrams\"", "\"dense\"").replace("name = \"claude\"", "name = \"known\"");
        assert_eq!(named.matches("\"dense\"").count() + named.matches("\"known\"").count(), 2);
        // Intervals are compared with nothing here, and most of the time would go to them.
        fs_err::write(
            fresh.join("llull.toml"),
            named.replace("[compare]\n", "[compare]\nresamples = 1000\n"),
        )
        .unwrap();
        llull(&fresh, "run");
        plain_files(&fresh);
        llull(&fresh, "ledger export ledger.jsonl");
        llull(
            &fresh,
            "train --features pairs.csv --target people --group query --model tree --save tree.json",
        );
        llull(&fresh, "review --queue random --most 5 --as anna -o queue.csv");
        let review = "review questions.json --results dense.jsonl --ledger answers.sqlite --as anna";
        llull(&fresh, &format!("{review} -o contexts.csv"));
        let contexts = fs_err::read_to_string(fresh.join("contexts.csv")).unwrap();
        fs_err::write(fresh.join("contexts.csv"), contexts.replace(",,,", ",yes,,")).unwrap();
        llull(&fresh, &format!("{review} --read contexts.csv"));
        for name in ["labelled", "plain", "listwise"] {
            copied(&fresh, &root.join(name));
        }
        let labelled = root.join("labelled");
        llull(&labelled, "sample -n 200 -o sheet.tsv");
        let sheet = labelled.join("sheet.tsv");
        fs_err::write(labelled.join("sheet.csv"), filled(&sheet, 0)).unwrap();
        fs_err::write(labelled.join("ben.tsv"), filled(&sheet, 7)).unwrap();
        llull(&labelled, "sample --read sheet.csv --annotator anna");
        llull(&labelled, "sample --read ben.tsv --annotator ben");
        llull(&labelled, "train --student quick");
        let listwise = root.join("listwise");
        llull(&listwise, "run --judge recorded:claude-listwise.jsonl --paradigm listwise");
        llull(&listwise, "review --most 100 --as anna -o sheet.tsv");
        let sheet = compared(&listwise.join("sheet.tsv"));
        fs_err::write(listwise.join("sheet.tsv"), sheet).unwrap();
        llull(&listwise, "review --read sheet.tsv --as anna");
        llull(&listwise, "review --read sheet.tsv --as ben");
        let plain = root.join("plain");
        llull(&plain, "sample judge.qrels bm25.run dense.run -m P@10 -n 200 -o sheet.tsv");
        let sheet = filled(&plain.join("sheet.tsv"), 0);
        fs_err::write(plain.join("sheet.csv"), sheet).unwrap();
        fs_err::copy(plain.join("sheet.sample.tsv"), plain.join("sample.tsv")).unwrap();
        worlds
    }

    /// Runs a line of a shell in a copy of a world; returns how each `llull` in it ended, and what it said.
    fn run(&self, world: &str, line: &str, extra: &str) -> (Vec<String>, String) {
        let folder = tempfile::tempdir().unwrap();
        let (at, said) = (folder.path().join("demo"), folder.path().join("said"));
        let from = self.0.path().join(world);
        copied(&from, &at);
        // A study in a folder of any name.
        let words: Vec<&str> = line.split(' ').collect();
        for pair in words.windows(2) {
            if let ["-C", study] = pair
                && !at.join(study).exists()
            {
                copied(&from, &at.join(study));
            }
        }
        let collected =
            line.strip_prefix("llull collect ").into_iter().flat_map(|studies| studies.split(' '));
        for study in collected.take_while(|word| word.chars().all(char::is_alphanumeric)) {
            copied(&from, &at.join(study));
        }
        for study in ["main", "newer"] {
            if line.contains(study) {
                copied(&from, &folder.path().join(study));
            }
        }
        let path = std::env::var("PATH").unwrap();
        Command::new("sh")
            .args(["-c", line])
            .current_dir(&at)
            .env_clear()
            .env("PATH", format!("{}:{path}", self.0.path().join("bin").display()))
            .env("HOME", folder.path())
            .env("LLULL", env!("CARGO_BIN_EXE_llull"))
            .env("SAID", &said)
            .env("EXTRA", extra)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let read = |name: &str| fs_err::read_to_string(folder.path().join(name)).unwrap_or_default();
        (read("said.codes").split_whitespace().map(str::to_owned).collect(), read("said"))
    }
}

fn llull(at: &Path, line: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_llull"))
        .args(line.split(' '))
        .current_dir(at)
        .env_clear()
        .env("HOME", at)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(matches!(output.status.code(), Some(0 | 3)), "{line}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn copied(from: &Path, to: &Path) {
    fs_err::create_dir_all(to).unwrap();
    for entry in fs_err::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copied(&path, &target),
            false => {
                fs_err::copy(&path, &target).unwrap();
            }
        }
    }
}

/// A sheet with the authors' grades; those of every so many lines are 1, if that is not 0.
fn filled(sheet: &Path, other: usize) -> String {
    answered(sheet, |at, cells, grade| match other > 0 && at % other == 0 {
        true => "1".to_owned(),
        false => grade(cells[3], cells[4]),
    })
}

/// A sheet of comparisons, in which the better grade of the authors wins.
fn compared(sheet: &Path) -> String {
    answered(sheet, |_, cells, grade| match grade(cells[3], cells[4]) >= grade(cells[3], cells[5]) {
        true => "left".to_owned(),
        false => "right".to_owned(),
    })
}

/// A sheet with an answer to each line, made of its number, its cells and the authors' grades.
fn answered(
    sheet: &Path,
    answer: impl Fn(usize, &[&str], &dyn Fn(&str, &str) -> String) -> String,
) -> String {
    let authors = fs_err::read_to_string(sheet.with_file_name("authors.qrels")).unwrap();
    let grades: BTreeMap<(&str, &str), &str> = authors.lines().map(qrels_line).collect();
    let grade =
        |query: &str, document: &str| grades.get(&(query, document)).copied().unwrap_or("0").to_owned();
    let text = fs_err::read_to_string(sheet).unwrap();
    let mut lines = text.lines();
    let mut filled = format!("{}\n", lines.next().unwrap());
    for (at, line) in lines.enumerate() {
        let mut cells: Vec<&str> = line.split('\t').collect();
        let given = answer(at, &cells, &grade);
        cells[1] = &given;
        writeln!(filled, "{}", cells.join("\t")).unwrap();
    }
    filled
}

/// Query, document and grade of a line of qrels.
fn qrels_line(line: &str) -> ((&str, &str), &str) {
    let cells: Vec<&str> = line.split_whitespace().collect();
    ((cells[0], cells[2]), cells[3])
}

/// Runs, labels and questions under the names that pages use, made of the demo's own.
fn plain_files(demo: &Path) {
    let write = |names: &[&str], text: &str| {
        for name in names {
            let path = demo.join(name);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, text).unwrap();
        }
    };
    let report: Value =
        serde_json::from_str(&fs_err::read_to_string(demo.join("report.json")).unwrap()).unwrap();
    let run = |system: usize| {
        let mut text = String::new();
        for topic in report["topics"].as_array().unwrap() {
            for document in topic["documents"].as_array().unwrap() {
                if let Some(rank) = document["ranks"][system].as_u64() {
                    let (query, id) = (topic["id"].as_str().unwrap(), document["id"].as_str().unwrap());
                    writeln!(text, "{query} Q0 {id} {rank} {} t", 100 - rank).unwrap();
                }
            }
        }
        text
    };
    write(&["bm25.run", "a.run", "old.run", "runs/bm25.run", "bm25base_p.run"], &run(0));
    write(&["titles.run", "runs/titles.run", "idst_bert_p1.run"], &run(1));
    write(&["dense.run", "b.run", "new.run", "runs/dense.run", "p_bert.run", "dense.run.gz"], &run(2));
    let read = |name: &str| fs_err::read_to_string(demo.join(name)).unwrap();
    let authors = read("authors.qrels");
    let of_authors =
        ["human", "alice", "a", "old", "grades", "people", "q"].map(|name| format!("{name}.qrels"));
    write(&of_authors.each_ref().map(String::as_str), &authors);
    write(&["qrels"], &authors);
    let by_two = |line: &str| {
        let ((query, document), grade) = qrels_line(line);
        ["alice", "bob"].map(|judge| format!("{query} {judge} {document} {grade}\n")).concat()
    };
    write(&["all.qrels", "three.qrels"], &authors.lines().map(by_two).collect::<String>());
    comparisons(&authors, &read("labels.qrels"), &write);
    let judge = read("labels.qrels");
    write(&["judge.qrels", "bob.qrels", "b.qrels", "new.qrels", "umbrela.qrels"], &judge);
    write(
        &[
            "carol.qrels",
            "c.qrels",
            "exact.qrels",
            "topical.qrels",
            "covers.qrels",
            "graded.qrels",
            "tiers.qrels",
        ],
        &judge,
    );
    write(&["exactness.qrels", "topicality.qrels", "coverage.qrels", "fit.qrels"], &judge);
    let binary: String = judge
        .lines()
        .map(|line| {
            let (pair, grade) = line.rsplit_once(' ').unwrap();
            format!("{pair} {}\n", u8::from(grade > "1"))
        })
        .collect();
    write(&["binary.qrels"], &binary);
    // Of half of the queries, whole.
    let queries: BTreeSet<&str> =
        authors.lines().filter_map(|line| line.split(' ').next()).collect::<BTreeSet<_>>();
    let half: BTreeSet<&str> = queries.iter().copied().step_by(2).collect();
    let some: String = authors
        .lines()
        .filter(|line| half.contains(line.split(' ').next().unwrap()))
        .map(|line| format!("{line}\n"))
        .collect();
    write(&["some.qrels"], &some);
    let deviations =
        queries.iter().map(|query| format!("{query} map 0.5 0.1\n{query} ndcg_cut_10 0.5 0.1\n"));
    write(&["others.z"], &deviations.collect::<String>());
    write(&["queries.tsv"], &read("topics.tsv"));
    write(&["docs.jsonl"], &read("corpus.jsonl"));
    let numbers = || 0..12;
    let queries: Vec<Value> = numbers()
        .map(|n| {
            let answers = [format!("answer {n} here")];
            json!({"query_id": format!("q{n}"), "query_text": format!("what is {n}?"), "expected_answers": answers})
        })
        .collect();
    write(&["questions.json"], &json!({"queries": queries}).to_string());
    let rows: String = numbers().map(|n| format!("q{n},what is {n}?,answer {n} here\n")).collect();
    write(&["questions.csv"], &format!("query_id,query_text,expected_answers\n{rows}"));
    let results: String = numbers()
        .map(|n| {
            let results =
                json!([{"doc_id": format!("d{n}"), "score": 1.0, "text": format!("answer {n} here")}]);
            format!("{}\n", json!({"query_id": format!("q{n}"), "results": results}))
        })
        .collect();
    write(&["bm25.jsonl", "dense.jsonl"], &results);
    let facts = numbers().map(|n| {
        let answer = format!("answer {n} here");
        format!("{}\n", json!({"answer": answer, "facts": [answer]}))
    });
    write(&["facts.jsonl"], &facts.collect::<String>());
}

/// Comparisons of neighbours among the judged pairs by the authors' grades, and answers about them that err at times.
fn comparisons(authors: &str, judged: &str, write: &dyn Fn(&[&str], &str)) {
    let pooled: BTreeSet<(&str, &str)> = judged.lines().map(|line| qrels_line(line).0).collect();
    let graded: Vec<((&str, &str), &str)> =
        authors.lines().map(qrels_line).filter(|(pair, _)| pooled.contains(pair)).collect();
    let mut games = "query,judge,left,right,winner\n".to_owned();
    let (mut preferences, mut features) = (String::new(), "query,people,title,text\n".to_owned());
    let pairs = graded.windows(2).filter(|pair| pair[0].0.0 == pair[1].0.0);
    for (at, pair) in pairs.enumerate() {
        let [((query, left), one), ((_, right), other)] = [pair[0], pair[1]];
        let (winner, side, opposite) = match one.cmp(other) {
            std::cmp::Ordering::Greater => (left, "LHS", "RHS"),
            std::cmp::Ordering::Less => (right, "RHS", "LHS"),
            std::cmp::Ordering::Equal => ("tie", "Neither", "LHS"),
        };
        writeln!(games, "{query},judge{},{left},{right},{winner}", at % 3).unwrap();
        if winner != "tie" {
            writeln!(preferences, "{query} {left} {right} {winner}").unwrap();
        }
        let title = if at % 4 == 0 { opposite } else { side };
        let text = if at % 3 == 0 { "Neither" } else { side };
        writeln!(features, "{query},{side},{title},{text}").unwrap();
    }
    write(&["games.csv", "human-preferences.csv", "judge.csv"], &games);
    write(&["human.pref", "other.pref", "prefs.txt.gz"], &preferences);
    write(&["pairs.csv", "new.csv"], &features);
}

/// What becomes of a command.
enum Treatment {
    Run,
    Parse,
    Names,
}

fn treatment(shown: &str) -> Treatment {
    let words: Vec<&str> = shown.split([' ', ',', '/', '=', '.', '|', '\'', '"']).collect();
    if words.iter().any(|word| PLACEHOLDERS.contains(word)) || shown.contains("...") {
        return Treatment::Names;
    }
    let writes_sheet = shown.contains(" -o ") || shown.contains("--read ");
    let sends_nothing = shown.contains("--dry-run") || shown.starts_with("llull prompt");
    let is_harmless = |part: &str| match part.ends_with('/') {
        true => sends_nothing,
        false => part.ends_with("review") && writes_sheet,
    };
    let reason = PARSED_ONLY.iter().any(|(part, _)| shown.contains(part) && !is_harmless(part));
    let names_file = PAGES_OWN_FILES.iter().any(|file| shown.split([' ', '=']).any(|word| word == *file));
    if reason || names_file { Treatment::Parse } else { Treatment::Run }
}

/// In which world a command runs.
fn world(shown: &str) -> &'static str {
    let has = |part: &str| shown.contains(part);
    if has("--frame") || has("--sampled") {
        "plain"
    } else if ["llull rank", "--people", "--preferences", "--save better"].iter().any(|part| has(part)) {
        "listwise"
    } else if has(" sample") && has(" -n ") {
        "fresh"
    } else {
        "labelled"
    }
}

/// All files of a folder, those of its folders too.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs_err::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

/// The names of commands and flags that `--help` does not know.
fn unknown_names(shown: &str, helps: &BTreeMap<String, String>) -> Option<String> {
    let words: Vec<&str> = shown.split_whitespace().skip(1).collect();
    let at = words.iter().position(|word| helps.contains_key(*word));
    let Some(command) = at.and_then(|at| words.get(at)) else {
        let first = words.first().filter(|word| !word.starts_with('-') && **word != "help");
        return first.map(|word| format!("no command {word}"));
    };
    let known = format!("{} {}", helps[*command], helps[""]);
    let flags = words.iter().filter(|word| word.starts_with("--"));
    let flag =
        |word: &&&str| word.split('=').next().unwrap().trim_end_matches([',', '.', ';', ')']).to_owned();
    flags.map(|word| flag(&word)).find(|flag| !known.contains(flag.as_str()))
}

#[test]
fn every_command_of_pages_help_texts_and_reports_works_in_the_demo() {
    let worlds = Worlds::new();
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages = vec![root.join("README.md")];
    pages.extend(["docs", "examples"].iter().flat_map(|folder| files_below(&root.join(folder))));
    pages.extend([worlds.0.path().join("fresh/report.md"), worlds.0.path().join("labelled/report.md")]);
    pages.sort();
    let mut found = Vec::new();
    for page in pages.iter().filter(|page| page.extension().is_some_and(|ending| ending == "md")) {
        let name = page.strip_prefix(&root).unwrap_or(page).display().to_string();
        found.extend(in_markdown(&name, &fs_err::read_to_string(page).unwrap()));
    }
    let mut helps = BTreeMap::from([(String::new(), llull(worlds.0.path(), "--help"))]);
    let listed = helps[""].lines().skip_while(|line| *line != "Start:").skip(1);
    let commands: Vec<String> = listed
        .filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with([' ', '-'])))
        .filter_map(|line| line.split(' ').next())
        .filter(|word| word.chars().all(|c| c.is_ascii_lowercase()) && *word != "help")
        .map(str::to_owned)
        .collect();
    for command in commands {
        let help = llull(worlds.0.path(), &format!("{command} --help"));
        helps.insert(command, help);
    }
    assert!(helps.len() > 20, "{:?}", helps.keys());
    for (command, text) in &helps {
        found.extend(in_help(&format!("llull {command}"), text));
    }
    let mut by_text: BTreeMap<String, (Vec<String>, bool)> = BTreeMap::new();
    for shown in found {
        let entry = by_text.entry(shown.text).or_default();
        entry.0.push(shown.place);
        entry.1 |= shown.is_line;
    }
    assert!(by_text.len() > 150, "{} commands", by_text.len());
    let mut failed = String::new();
    for (text, (places, is_line)) in &by_text {
        if let Some(wrong) = why_not(&worlds, &helps, text, *is_line) {
            writeln!(failed, "{}\n  {text}\n  {wrong}", places.join(", ")).unwrap();
        }
    }
    assert!(failed.is_empty(), "commands that do not work:\n{failed}");
}

/// Why a command does not work; `None` if it does.
fn why_not(worlds: &Worlds, helps: &BTreeMap<String, String>, text: &str, is_line: bool) -> Option<String> {
    if let Some(name) = unknown_names(text, helps) {
        return Some(format!("unknown: {name}"));
    }
    let extra = match treatment(text) {
        Treatment::Names => return None,
        Treatment::Parse => "--help",
        Treatment::Run => "",
    };
    let (codes, said) = worlds.run(world(text), text, extra);
    let wrong = codes.is_empty() || codes.iter().any(|code| !matches!(code.as_str(), "0" | "3" | "100"));
    // Clap says of a part of a command what is missing; within a sentence that is enough.
    let is_part = !is_line
        && ["a value is required", "were not provided", "Usage:"].iter().any(|part| said.contains(part));
    let refused = REFUSED.iter().any(|(part, message, _)| text.contains(part) && said.contains(message));
    (wrong && !is_part && !refused).then(|| said.trim().lines().last().unwrap_or_default().to_owned())
}
