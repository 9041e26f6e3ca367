//! trec_eval's own tests: every line of its `out.test*` files.
//!
//! Figures are compared to the printed digits. `COMMANDS.txt` has the options that made each file. Extra lines in
//! llull's output are errors, too.
//!
//! Left out, with reasons:
//!
//! - `relstring`, also as `-mrelstring.20`: a picture of the list, not a number.
//! - `rbp` if labels have grades above 1 (`out.test.aql`): trec_eval divides the grades of a topic by a highest grade
//!   that it reads from uninitialised memory, and its `-l` has no effect. Its figures there are compared with RBP
//!   over the highest grade of the topic.
//! - `Zgm_map` and `Zgm_bpref` (`out.test.aqZ`): the file of means lacks them, so trec_eval averages its -1,000,000 for
//!   missing values and prints exp of that, 0.0000. The test is that llull has no figure there.
//! - The last command: its files have no topic in common, so no tool can print the expected output.
//!
//! Done by this test and not by the library:
//!
//! - `ndcg_cut.23.4` is replaced by `ndcg_cut.23`, as which trec_eval reads it; `11pt_avg..25,.5,.75` is the mean of
//!   three levels of IPrec. llull refuses both.
//! - `runid` is the last column of the run. `llull measure` prints the name of the file.
//! - `Znum_q` is the number of topics. `llull measure -Z` has no line for it.
//! - `num_q` under judges and under preferences is the number of measured topics.
//! - `-M` cuts the run, `-c` selects one of the two means, and words are compared without the padding of lines.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::PathBuf;

use llull::core::{Qrels, Ranking, Run};
use llull::data::{
    ReadRunOptions, read_prefs, read_qrels, read_qrels_jg, read_qrels_prefs, read_run, read_zscores,
};
use llull::metrics::{
    Aggregation, Measure, PreferenceMeasure, Relevant, TrecEvalMeasure, evaluate, evaluate_judges,
    evaluate_preferences, standardize, trec_eval_measures,
};
use llull_conformance::data;

/// A line of an output: measure, topic, value.
type Line = (String, String, String);

/// The arguments in `COMMANDS.txt` between `./trec_eval` and the name of the output.
#[derive(Debug, Default, Clone)]
struct Command {
    by_topic: bool,
    complete: bool,
    depth: Option<usize>,
    level: Relevant,
    form: String,
    zscores: Option<String>,
    measures: Vec<String>,
    qrels: String,
    results: String,
    output: String,
}

fn commands() -> Vec<Command> {
    let text = text("../COMMANDS.txt");
    let lines = text.lines().filter_map(|line| line.strip_prefix("./trec_eval "));
    let mut commands: Vec<Command> = lines.map(Command::parse).collect();
    assert_eq!(commands.len(), 16);
    commands.retain(|command| (command.qrels.as_str(), command.results.as_str()) != NO_TOPIC_IN_COMMON);
    commands
}

const NO_TOPIC_IN_COMMON: (&str, &str) = ("qrels.comment.test", "results.test");

impl Command {
    fn parse(line: &str) -> Self {
        let (options, output) = line.split_once(" | diff - test/").unwrap();
        let mut command = Self { output: output.to_owned(), form: "qrels".to_owned(), ..Self::default() };
        let mut words = options.split_whitespace();
        while let Some(word) = words.next() {
            let Some(option) = word.strip_prefix('-') else {
                let file = word.strip_prefix("test/").unwrap().to_owned();
                if command.qrels.is_empty() {
                    command.qrels = file;
                } else {
                    command.results = file;
                }
                continue;
            };
            let (letter, rest) = option.split_at(1);
            let mut value = || if rest.is_empty() { words.next().unwrap() } else { rest };
            match letter {
                "q" => command.by_topic = true,
                "c" => command.complete = true,
                "M" => command.depth = Some(value().parse().unwrap()),
                "l" => command.level = Relevant::from_grade(value().parse().unwrap()).unwrap(),
                "R" => command.form = value().to_owned(),
                "Z" => command.zscores = value().strip_prefix("test/").map(str::to_owned),
                "m" => command.measures.push(value().to_owned()),
                other => panic!("-{other}"),
            }
        }
        if command.measures.is_empty() {
            command.measures.push("official".to_owned());
        }
        command
    }

    fn run(&self) -> Run {
        let read = |path: PathBuf| read_run(path, &ReadRunOptions::default()).unwrap().run;
        let run = match self.results.as_str() {
            "results.comment.test" => read(path("results.comment.test.gz")),
            name => read(path(name)),
        };
        let Some(depth) = self.depth else { return run };
        let mut shorter = Run::new(run.name.clone());
        for (topic, ranking) in run.iter() {
            let hits = ranking.iter().take(depth).map(|hit| (hit.document, hit.score));
            shorter.insert(topic, Ranking::from_ordered(hits));
        }
        shorter
    }

    fn printed(&self) -> Vec<Line> {
        let run = self.run();
        let mut lines = match self.form.as_str() {
            "qrels" => self.by_qrels(&run),
            "qrels_jg" => self.by_judges(&run),
            _ => self.by_preferences(&run),
        };
        if self.measures.iter().any(|written| NICKNAMES.contains(&written.as_str())) {
            lines.push(line("runid", "all", run.name));
        }
        lines
    }

    fn by_qrels(&self, run: &Run) -> Vec<Line> {
        let qrels = read_qrels(path(&self.qrels)).unwrap().qrels;
        if let Some(file) = &self.zscores {
            return self.z_scores(&qrels, run, file);
        }
        let named = self.named();
        let scores = evaluate(&measures(&named), &qrels, run);
        let mut lines = Vec::new();
        for (at, TrecEvalMeasure { name, measure }) in named.iter().enumerate() {
            let topics = scores.topics.iter().filter(|topic| topic.answered || self.complete);
            for topic in topics.filter(|_| self.by_topic && measure.has_topic_figures()) {
                lines.push(line(name, &topic.topic, digits(measure, topic.cells[at].value)));
            }
            let figure = if self.complete { scores.mean(at) } else { scores.mean_of_answered(at) };
            lines.push(line(name, "all", digits(measure, figure.unwrap())));
        }
        if self.measures.iter().any(|written| written == THREE_LEVELS) {
            three_levels(&qrels, run, &mut lines);
        }
        lines
    }

    fn named(&self) -> Vec<TrecEvalMeasure> {
        let mut named = Vec::new();
        let written = self.measures.iter().filter(|written| !written.starts_with("relstring"));
        for written in written.filter(|written| *written != THREE_LEVELS) {
            named.extend(trec_eval_measures(&written.replace("23.4", "23")).unwrap());
        }
        named.iter_mut().for_each(|named| named.measure = named.measure.at_level(self.level));
        named
    }

    fn z_scores(&self, qrels: &Qrels, run: &Run, file: &str) -> Vec<Line> {
        let reference = read_zscores(path(file)).unwrap().standardization;
        let named = self.named();
        let z = standardize(&evaluate(&measures(&named), qrels, run), self.level, &reference);
        let mut lines = Vec::new();
        for (at, TrecEvalMeasure { name, measure }) in named.iter().enumerate() {
            let name = format!("Z{name}");
            let Some(figure) = z.mean_of_answered(at) else {
                assert!(!measure.has_topic_figures(), "{name}");
                if measure.family() == "NumQ" {
                    lines.push(line(&name, "all", format!("{:.4}", z.topics.len() as f64)));
                }
                continue;
            };
            assert_eq!((figure.topics, figure.missing), (3, 0), "{name}");
            lines.push(line(&name, "all", format!("{:.4}", figure.value)));
            for topic in &z.topics {
                lines.push(line(&name, &topic.topic, format!("{:.4}", topic.cells[at].value().unwrap())));
            }
        }
        lines
    }

    fn by_judges(&self, run: &Run) -> Vec<Line> {
        let judges = read_qrels_jg(path(&self.qrels)).unwrap().judges;
        assert_eq!(judges.len(), 3);
        let named = trec_eval_measures(&self.measures[0]).unwrap();
        let scores = evaluate_judges(&measures(&named), judges.values(), run);
        let mut lines = vec![line("num_q", "all", scores.topics.len().to_string())];
        for (at, TrecEvalMeasure { name, measure }) in named.iter().enumerate() {
            for topic in &scores.topics {
                assert_eq!(topic.judges, 3);
                lines.push(line(name, &topic.topic, digits(measure, topic.cells[at].value)));
            }
            lines.push(line(name, "all", digits(measure, scores.mean_of_answered(at).unwrap())));
        }
        lines
    }

    fn by_preferences(&self, run: &Run) -> Vec<Line> {
        assert_eq!(self.measures, ["all_prefs"]);
        let read = if self.form == "prefs" { read_prefs } else { read_qrels_prefs };
        let preferences = read(path(&self.qrels)).unwrap().preferences;
        let scores = evaluate_preferences(PreferenceMeasure::ALL, &preferences, run).unwrap();
        let mut lines = vec![line("num_q", "all", scores.topics.len().to_string())];
        for (at, measure) in scores.measures.iter().enumerate() {
            let digits = |value: f64| match measure.aggregation() {
                Aggregation::Sum => format!("{value}"),
                _ => format!("{value:.4}"),
            };
            for topic in &scores.topics {
                lines.push(line(measure.name(), &topic.topic, digits(topic.values[at])));
            }
            lines.push(line(measure.name(), "all", digits(scores.mean_of_answered(at).unwrap())));
        }
        lines
    }
}

/// The nicknames that print the run's name. Single measures do not.
const NICKNAMES: [&str; 4] = ["official", "all_trec", "all_prefs", "qrels_jg"];

/// trec_eval's name of the measure lists its levels.
const THREE_LEVELS: &str = "11pt_avg..25,.5,.75";

fn three_levels(qrels: &Qrels, run: &Run, lines: &mut Vec<Line>) {
    let levels = measures(&trec_eval_measures("iprec_at_recall..25,.5,.75").unwrap());
    let scores = evaluate(&levels, qrels, run);
    let mut push = |topic: &str, values: Vec<f64>| {
        assert_eq!(values.len(), 3);
        lines.push(line("11pt_avg_.25,.5,.75", topic, format!("{:.4}", values.iter().sum::<f64>() / 3.0)));
    };
    for topic in &scores.topics {
        push(&topic.topic, topic.cells.iter().map(|cell| cell.value).collect());
    }
    push("all", (0..3).map(|at| scores.mean_of_answered(at).unwrap()).collect());
}

fn measures(named: &[TrecEvalMeasure]) -> Vec<Measure> {
    named.iter().map(|named| named.measure).collect()
}

fn digits(measure: &Measure, value: f64) -> String {
    if measure.aggregation() == Aggregation::Sum { format!("{value}") } else { format!("{value:.4}") }
}

fn line(name: &str, topic: &str, value: String) -> Line {
    (name.to_owned(), topic.to_owned(), value)
}

fn path(name: &str) -> PathBuf {
    data(&format!("trec_eval/v10/{name}"))
}

fn text(name: &str) -> String {
    let mut text = String::new();
    llull::data::open(path(name)).unwrap().read_to_string(&mut text).unwrap();
    text
}

fn lines(output: &str) -> Vec<Line> {
    let of = |line: &str| {
        let [name, topic, value] = line.split_whitespace().collect::<Vec<_>>()[..] else { panic!("{line}") };
        (name.to_owned(), topic.to_owned(), value.to_owned())
    };
    text(output).lines().map(of).collect()
}

fn is_left_out(command: &Command, name: &str) -> bool {
    let undefined = name == "rbp" && command.level != Relevant::default();
    let missing = matches!(name, "Zgm_map" | "Zgm_bpref");
    undefined || missing || name.starts_with("relstring_") || name == "relstring"
}

/// Compares every line of an output except those that are left out. Returns the number of compared lines.
fn reproduces(command: &Command, output: &str) -> usize {
    let printed = command.printed();
    let (mut compared, mut wrong) = (0, String::new());
    for (name, topic, expected) in lines(output) {
        if is_left_out(command, &name) {
            continue;
        }
        let value = printed.iter().find(|(other, of, _)| *other == name && *of == topic);
        let value = value.map_or("nothing", |(_, _, value)| value.as_str());
        if value != expected {
            writeln!(wrong, "{output} {name} {topic}: {value} and not {expected}").unwrap();
        }
        compared += 1;
    }
    assert!(wrong.is_empty(), "{wrong}");
    compared
}

#[test]
fn every_command() {
    let mut compared = Vec::new();
    for command in commands() {
        let lines = reproduces(&command, &command.output);
        // llull must not print lines that trec_eval does not print.
        let beyond = command.printed().into_iter().filter(|(name, ..)| !is_left_out(&command, name)).count();
        assert_eq!(beyond, lines, "{}", command.output);
        compared.push((command.output.clone(), lines));
    }
    let expected = [
        ("out.test", 30),
        ("out.test", 30),
        ("out.comment.test", 30),
        ("out.test.a", 99),
        ("out.test.aq", 384),
        ("out.test.aqc", 384),
        ("out.test.aqcM", 384),
        ("out.test.aql", 380),
        ("out.test.prefs", 352),
        ("out.test.prefs", 352),
        ("out.test.qrels_prefs", 58),
        ("out.test.qrels_jg", 82),
        ("out.test.qrels_jg", 82),
        ("out.test.meas_params", 88),
        ("out.test.aqZ", 382),
    ];
    assert_eq!(compared, expected.map(|(output, lines)| (output.to_owned(), lines)));
}

/// trec_eval 9.0.8 prints no lines for a topic that the run does not answer.
#[test]
fn version_9() {
    for output in ["out.test.aqc", "out.test.aqcM"] {
        let command = commands().into_iter().find(|command| command.output == output).unwrap();
        assert_eq!(reproduces(&command, &format!("../v9.0.8/{output}")), 289);
    }
}

#[test]
fn the_command_that_is_left_out_compares_nothing() {
    let (qrels, run) = NO_TOPIC_IN_COMMON;
    let qrels = read_qrels(path(qrels)).unwrap().qrels;
    let run = read_run(path(run), &ReadRunOptions::default()).unwrap().run;
    let scores = evaluate(&["AP".parse().unwrap()], &qrels, &run);
    assert_eq!((scores.missing(), scores.unlabelled.len()), (31, 3));
}

#[test]
fn nicknames_are_in_the_order_of_trec_eval() {
    for (nickname, output) in [
        ("official", "out.test"),
        ("all_trec", "out.test.a"),
        ("qrels_jg", "out.test.qrels_jg"),
        ("all_prefs", "out.test.prefs"),
    ] {
        let all = lines(output).into_iter().filter(|(_, topic, _)| topic == "all").map(|(name, ..)| name);
        let printed: Vec<String> = all.filter(|name| name != "runid").collect();
        let mut names: Vec<String> = match nickname {
            "all_prefs" => PreferenceMeasure::ALL.iter().map(|measure| measure.name().to_owned()).collect(),
            _ => trec_eval_measures(nickname).unwrap().into_iter().map(|measure| measure.name).collect(),
        };
        if names[0] != "num_q" {
            names.insert(0, "num_q".to_owned());
        }
        assert_eq!(names, printed, "{nickname}");
    }
}

/// The figures of trec_eval for `rbp` if grades are above 1.
#[test]
fn graded_rbp_is_over_the_highest_grade_of_the_topic() {
    let command = commands().into_iter().find(|command| command.output == "out.test.aql").unwrap();
    let (run, qrels) = (command.run(), read_qrels(path(&command.qrels)).unwrap().qrels);
    let output = lines(&command.output);
    for topic in ["301", "302", "303"] {
        let highest = qrels.topic(topic).unwrap().values().max().unwrap();
        let measure: Measure = format!("RBP(p=0.9,max_rel={highest})").parse().unwrap();
        let scores = evaluate(&[measure], &qrels, &run);
        let value = scores.topics.iter().find(|scored| scored.topic == topic).unwrap().cells[0].value;
        let printed = output.iter().find(|(name, of, _)| name == "rbp" && of == topic).unwrap();
        assert_eq!(format!("{value:.4}"), printed.2, "{topic}");
    }
}
