//! Tests comparisons of every form, and errors for invalid input.

use std::io::Write as _;

use llull_core::{Ballot, Ballots, Item};
use llull_data::{BallotFormat, BallotsFile, Columns, DataError, create, read_ballots, read_ballots_from};
use proptest::prelude::*;

fn read(text: &str) -> Result<BallotsFile, DataError> {
    read_as(text, None)
}

fn read_as(text: &str, format: Option<BallotFormat>) -> Result<BallotsFile, DataError> {
    read_ballots_from("games", std::io::Cursor::new(text.to_owned()), format)
}

fn read_text(text: &str, columns: &Columns) -> Result<BallotsFile, DataError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    fs_err::write(&path, text).unwrap();
    read_ballots(&[path], None, columns)
}

/// The comparisons, and how their table was read.
fn read_with(text: &str, columns: &str) -> (BallotsFile, Vec<String>) {
    let columns: Columns = columns.parse().unwrap();
    let file = read_text(text, &columns).unwrap();
    assert_eq!(columns.never_found(), None);
    (file, columns.take_tables())
}

/// Topic, groups, rest, judge's name and weight of every ballot, with names in place of positions.
pub(crate) fn told(file: &BallotsFile) -> Vec<String> {
    let mut all = Vec::new();
    for (topic, ballots) in file.ballots.iter() {
        for ballot in &ballots.ballots {
            let names = |items: &[Item]| {
                items.iter().map(|item| ballots.id(*item).unwrap()).collect::<Vec<_>>().join("=")
            };
            let groups: Vec<String> = ballot.groups.iter().map(|group| names(group)).collect();
            let rest =
                if ballot.rest.is_empty() { String::new() } else { format!(" | {}", names(&ballot.rest)) };
            let judge = file.judges.get_index(ballot.judge as usize).unwrap();
            let topic = topic.unwrap_or("-");
            all.push(format!("{topic}: {}{rest} [{judge}] x{}", groups.join(" > "), ballot.weight));
        }
    }
    all
}

#[track_caller]
fn fails(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

#[test]
fn csv_as_evalica_reads_it() {
    // the columns of evalica's example food.csv
    let file = read(
        "left,right,winner\npizza,burger,left\nburger,sushi,right\npizza,sushi,tie\nsushi,pizza,pizza\n",
    );
    assert_eq!(
        told(&file.unwrap()),
        [
            "-: pizza > burger [] x1",
            "-: sushi > burger [] x1",
            "-: pizza=sushi [] x1",
            "-: pizza > sushi [] x1"
        ]
    );
}

/// They could not be read back.
#[test]
fn the_pairs_that_llull_exports_are_comparisons_without_sides() {
    let (file, lines) = read_with("query,better,worse,weight,left\nq1,a,b,2,x\n", "");
    assert_eq!(told(&file), ["q1: a > b [] x2"]);
    assert!(file.lefts.values().flatten().all(Option::is_none));
    assert!(lines[0].ends_with("weight = weight; 1 field unused: left"), "{lines:?}");
}

#[test]
fn csv_has_names_with_commas_other_orders_and_optional_columns() {
    let text = "judge,winner,\"left\",prompt,right,weight,qid\r\n\
                ann,left,\"a, b\",\"two\nlines\",\"say \"\"c\"\"\",0.5,q1\r\n\
                bob,\"a, b\",x,,\"a, b\",2,q2\r\n";
    let (file, lines) = read_with(text, "");
    assert_eq!(told(&file), ["q1: a, b > say \"c\" [ann] x0.5", "q2: a, b > x [bob] x2"]);
    assert!(
        lines[0].contains(": query = qid, left = left") && lines[0].ends_with("unused: prompt"),
        "{lines:?}"
    );
    assert_eq!(told(&read("left\tright\twinner\na\tb c\tright\n").unwrap()), ["-: b c > a [] x1"]);
}

#[test]
fn columns_of_other_names_are_found_or_named() {
    let columns = "left=model_a,right=model_b,winner=vote,judge=who";
    let expected = ["q1: y > x [ann] x1", "q1: x=y [bob] x1"];
    for text in [
        "question;model_a;model_b;vote;who\nq1;x;y;model_b;ann\nq1;x;y;tie;bob\n",
        "{\"question\":\"q1\",\"model_a\":\"x\",\"model_b\":\"y\",\"vote\":\"model_b\",\"who\":\"ann\"}\n\
         {\"question\":\"q1\",\"model_a\":\"x\",\"model_b\":\"y\",\"vote\":\"tie\",\"who\":\"bob\"}\n",
    ] {
        let (file, lines) = read_with(text, columns);
        assert_eq!(told(&file), expected);
        assert!(
            lines[0]
                .ends_with(": query = question, left = model_a, right = model_b, winner = vote, judge = who"),
            "{lines:?}"
        );
    }
    // As files for preference tuning are written.
    let (file, _) =
        read_with("prompt,chosen,rejected\nq1,a,b\n", "query=prompt,better=chosen,worse=rejected");
    assert_eq!(told(&file), ["q1: a > b [] x1"]);
    let (file, lines) =
        read_with("{\"query\":1,\"order\":[\"a\",\"b\"],\"others\":[\"c\"]}\n", "ranking=order,rest=others");
    assert_eq!(told(&file), ["1: a > b | c [] x1"]);
    assert!(lines[0].ends_with(": query = query, ranking = order, rest = others"), "{lines:?}");
}

#[test]
fn two_columns_that_could_be_the_query_are_ambiguous() {
    let columns = Columns::default();
    let error =
        read_text("query_id,qid,left,right,winner\nq1,7,a,b,left\n", &columns).unwrap_err().to_string();
    assert!(error.contains("--columns query="), "{error}");
    assert_eq!(columns.take_ambiguity().unwrap().0, "query");
    let columns: Columns = "query=qid,left=lft".parse().unwrap();
    let file = read_text("query_id,qid,left,right,winner\nq1,7,a,b,left\n", &columns).unwrap();
    assert_eq!(told(&file), ["7: a > b [] x1"]);
    assert_eq!(columns.never_found().as_deref(), Some("left=lft"));
}

#[test]
fn an_identifier_beside_the_text_is_the_query() {
    let first = r#"{"query":"red shoes","qid":"q1","left":"a","right":"b","winner":"left"}"#;
    let plain = r#"{"qid":"q1","left":"a","right":"b","winner":"left"}"#;
    for text in [
        "qid,query,left,right,winner\nq1,red shoes,a,b,left\nq1,red shoes,a,b,left\n".to_owned(),
        "query,Topic ID,left,right,winner\nred shoes,q1,a,b,left\nred shoes,q1,a,b,left\n".to_owned(),
        format!("{first}\n{first}\n"),
        format!("{first}\n{plain}\n"),
        format!("{plain}\n{first}\n"),
        format!("{0}\n{0}\n", first.replace("qid", "topic_id")),
    ] {
        let (file, _) = read_with(&text, "");
        assert_eq!(told(&file), ["q1: a > b [] x1"; 2], "{text}");
    }
    let both = first.replace("query", "query_id");
    for text in [format!("{both}\n"), format!("{plain}\n{both}\n")] {
        assert!(fails(&text).contains("--columns query="), "{text}");
    }
}

#[test]
fn columns_of_three_and_of_four() {
    let three = read("# who won\n\nq1 d3 d1\nq2\td1  d3\r\n").unwrap();
    assert_eq!(told(&three), ["q1: d3 > d1 [] x1", "q2: d1 > d3 [] x1"]);
    let four = read("query a b winner\nq1 d3 d1 d1\nq1 d1 d2 d1\nq1 d2 d3 tie").unwrap();
    assert_eq!(told(&four), ["q1: d1 > d3 [] x1", "q1: d1 > d2 [] x1", "q1: d2=d3 [] x1"]);
    assert_eq!(three.notes.ballots, 2);
}

#[test]
fn json_lines_of_rankings_and_of_pairs() {
    let text = r#"
{"query":"q1","ranking":[["d3"],["d1","d7"],"d2"],"rest":["d9","d8"],"judge":"gpt","weight":2,"note":0}
{"topic":7,"left":"d\u0031","right":2,"winner":"right","judge":"gpt"}
{"query":7,"left":"d1","right":2,"winner":"tie"}
{"query":7,"left":"d1","right":2,"winner":"d1"}
{"query":"q1","ranking":[["a"]],"rest":["b"]}
"#;
    assert_eq!(
        told(&read(text.trim_start()).unwrap()),
        [
            "q1: d3 > d1=d7 > d2 | d9=d8 [gpt] x2",
            "q1: a | b [] x1",
            "7: 2 > d1 [gpt] x1",
            "7: d1=2 [] x1",
            "7: d1 > 2 [] x1"
        ]
    );
}

#[test]
fn files_and_folders_are_put_together() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs_err::create_dir(at("judges")).unwrap();
    for (name, text) in
        [("judges/b.gz", "q1 d1 d2\n"), ("judges/a.zst", "q1 d2 d3 tie\n"), ("c", "q2 d1 d2\n")]
    {
        let mut file = create(at(name)).unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file.finish().unwrap();
    }
    fs_err::write(at("judges/.hidden"), "nothing of this").unwrap();
    let file = read_ballots(&[at("judges"), at("c")], None, &Columns::default()).unwrap();
    assert_eq!(told(&file), ["q1: d2=d3 [] x1", "q1: d1 > d2 [] x1", "q2: d1 > d2 [] x1"]);
    assert_eq!((file.judges.len(), file.notes.ballots), (1, 3));
    fs_err::create_dir(at("empty")).unwrap();
    assert!(
        read_ballots(&[at("empty")], None, &Columns::default())
            .unwrap_err()
            .to_string()
            .contains("there is no file in it")
    );
    assert_eq!(read_ballots(&[""; 0], None, &Columns::default()).unwrap().ballots, Ballots::default());
}

#[test]
fn what_is_no_comparison_is_refused_with_its_line() {
    let form = "expected `query winner loser` or `query a b winner`";
    assert!(
        fails("")
            .starts_with("games: there is no comparison in it. It needs comparisons: CSV under the header")
    );
    assert!(fails("left,right,winner\n").starts_with("games: there is no comparison in it."));
    assert!(fails("# only this\n").starts_with("games: there is no comparison in it."));
    let one = fails("d1\nd2\n");
    assert!(
        one.contains(&format!("games line 1: found 1 column, {form}")) && one.contains("left,right,winner"),
        "{one}"
    );
    assert!(fails("d1 d2\n").contains("put the query before them"));
    assert!(fails("q1 0 1 d1 2\n").contains("trec_eval's prefs"));
    assert!(fails("q1 Q0 d1 1 3.5 tag\n").contains("is this a system's results?"));
    assert_eq!(
        fails("q1 a b a\nq1 a b c\n"),
        "games line 2, column 4 (winner): found \"c\", expected one of \"a\", \"b\", tie"
    );
    assert_eq!(
        fails("q1 a b\nq1 a b a\n"),
        "games line 2: found 4 columns, expected the three of `query winner loser`, as in the lines before. \
         A file has one form: put the other lines into another file"
    );
    assert!(fails("q1 a b b\nq1 a b\n").contains("line 2: found 3 columns, expected the four of"));
    assert!(fails("q1 a a\n").contains("line 1: found \"a\" twice, expected different items"));
    assert!(
        fails("q1 a tie tie\n").contains("A tie") || fails("q1 a tie tie\n").contains("mean only one thing")
    );
}

#[test]
fn labels_given_by_mistake_are_named_as_such() {
    for text in ["q1 0 d1 2\n", "q1 Q0 d1 0\n", "q1 0 d1 0\n", "19335 0 5277 0\n19335 0 5278 3\n"] {
        let message = fails(text);
        assert!(message.contains("looks like qrels") && message.contains("llull measure"), "{message}");
    }
    assert!(fails("query-id\tcorpus-id\tscore\nq1\td1\t2\n").contains("looks like BEIR's qrels"));
    assert!(fails("q1 d1 2\n").contains("looks like qrels without their second column"));
    // items may be numbers, and an explicit choice of columns is followed
    assert!(read("q1 7 2\n").is_ok() && read("q1 0 1 0\n").is_ok());
    assert!(read_as("q1 0 d1 0\n", Some(BallotFormat::Columns)).is_ok());
}

#[test]
fn csv_that_is_wrong_is_refused_with_its_line() {
    assert_eq!(
        fails("left,right,winner\na,b,left\n\na,b,middle\n"),
        "games line 4, column 3 (winner): found \"middle\", expected one of \"a\", \"b\", left, right, tie"
    );
    let comma = fails("left,right,winner\na, the first,b,left\n");
    assert!(
        comma.contains("line 2: found 4 fields, expected 3, as in the header. Put a name with a comma"),
        "{comma}"
    );
    assert!(
        fails("left,right,winner\n\"a,b,left\nc,d,left\n")
            .contains("line 2: found a quote that is never closed")
    );
    assert!(
        fails("left,right,winner\n\"a\" the,b,left\n")
            .contains("line 2: found text behind a closing quote: \" the,b")
    );
    assert!(
        fails("left,right,winner\r\na,\"b\r\nc\",left\r\nd,e,f\r\n").contains("line 4, column 3 (winner)")
    );
    assert!(fails("left,right,winner\na,b\n").contains("line 2: found 2 fields, expected 3"));
    assert!(
        fails("a,b,left\n")
            .contains("line 1: found \"a,b,left\", expected a header with left, right and winner")
    );
    assert!(fails("left,winner\na,left\n").contains("expected a header with left, right and winner"));
    assert!(fails("left,right,winner,left\n").contains("two columns \"left\""));
    assert!(
        fails("left,right,winner,weight\na,b,a,much\n").contains("line 2, column 4 (weight): found \"much\"")
    );
    assert!(fails("left,right,winner,weight\na,b,a,-1\n").contains("line 2: found the weight -1"));
    assert!(fails("left,right,winner,query\na,b,a,\n").contains("a query without a name"));
    assert!(fails("left,right,winner\n,b,b\n").contains("line 2: found an item without a name"));
    assert!(fails("left,right,winner\nright,b,right\n").contains("can mean only one thing"));
    let bytes = std::io::Cursor::new(b"left,right,winner\na,\xff,a\n".to_vec());
    let error = read_ballots_from("games", bytes, None).unwrap_err().to_string();
    assert!(error.contains("games line 2: found a byte that is not UTF-8"), "{error}");
}

#[test]
fn json_that_is_wrong_is_refused_with_its_line() {
    let after =
        |line: &str| fails(&format!("{{\"left\":\"a\",\"right\":\"b\",\"winner\":\"left\"}}\n{line}\n"));
    assert!(after("{\"left\":\"a\"").contains("games line 2: found"));
    assert!(after("{\"left\":\"a\",\"right\":\"b\"}").contains("line 2: found"));
    assert!(after("{\"left\":\"a\",\"right\":\"b\",\"winner\":\"c\"}").contains("found the winner \"c\""));
    assert!(
        after("{\"left\":\"a\",\"right\":\"b\",\"winner\":\"a\",\"rest\":[\"c\"]}")
            .contains("belongs to a ranking")
    );
    assert!(after("{\"ranking\":[\"a\",[]]}").contains("an empty place in the ranking"));
    assert!(after("{\"ranking\":[\"a\",[\"b\",\"a\"]]}").contains("found \"a\" twice"));
    assert!(after("{\"ranking\":[\"a\"]}").contains("found one item"));
    assert!(after("{\"ranking\":[]}").contains("found no item"));
    assert!(
        after("{\"ranking\":[],\"rest\":[\"a\",\"b\"]}").contains("found items of which none is preferred")
    );
    assert!(after("{\"ranking\":[\"a\",{}]}").contains("an item or a list of tied items"));
    assert!(
        after("{\"query\":\"q\",\"ranking\":[\"a\",\"b\"]}").contains("Name the query everywhere or nowhere")
    );
    assert!(fails("[{\"left\":\"a\"}]").contains("A JSON array is not read"));
}

#[test]
fn a_format_is_known_by_its_name() {
    for format in BallotFormat::ALL {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    assert!("tsv".parse::<BallotFormat>().unwrap_err().contains("csv, columns, jsonl, prefs, qrels-prefs"));
}

/// Names that every form can hold.
fn item() -> impl Strategy<Value = String> {
    "[^\\s\\p{C}#,\"{\\[][^\\s\\p{C}]{0,4}x"
}

proptest! {
    #[test]
    fn the_forms_say_the_same(games in proptest::collection::vec((0u8..3, item(), item(), 0usize..3), 1..20)) {
        let games: Vec<_> = games.into_iter().filter(|(_, a, b, _)| a != b).collect();
        prop_assume!(!games.is_empty());
        let mut expected = Ballots::default();
        let headers = ["left,right,winner,query\n", "query a b winner\n", ""];
        let [mut csv, mut columns, mut json] = headers.map(str::to_owned);
        for (query, a, b, won) in &games {
            let query = format!("q{query}");
            let topic = expected.topic(Some(&query));
            let (first, second) = if *won == 1 { (b, a) } else { (a, b) };
            let (first, second) = (topic.item(first), topic.item(second));
            let groups = if *won == 2 { vec![vec![first, second]] } else { vec![vec![first], vec![second]] };
            topic.ballots.push(Ballot::new(groups));
            let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
            let word = ["left", "right", "tie"][*won];
            let name = [a.as_str(), b, "tie"][*won];
            csv += &format!("{},{},{word},{query}\n", quoted(a), quoted(b));
            columns += &format!("{query} {a} {b} {name}\n");
            json += &format!("{}\n", serde_json::json!({"query": query, "left": a, "right": b, "winner": word}));
        }
        let formats = [BallotFormat::Csv, BallotFormat::Columns, BallotFormat::Jsonl];
        for (text, format) in [csv, columns, json].into_iter().zip(formats) {
            prop_assert_eq!(&read_as(&text, Some(format)).unwrap().ballots, &expected, "{}", format);
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(
        text in "(\\PC|[\n\t,\" ]|left,right,winner\n|q1 a b\n|\\{\"ranking\":\\[\"a\",|\"b\"\\]\\}\n|q1 g s |1\n\
            |tie){0,12}",
        format in proptest::option::of(0usize..BallotFormat::ALL.len()),
    ) {
        if let Ok(file) = read_as(&text, format.map(|at| BallotFormat::ALL[at])) {
            for (_, topic) in file.ballots.iter() {
                for ballot in &topic.ballots {
                    let mut items: Vec<Item> = ballot.items().collect();
                    prop_assert!(items.iter().all(|item| topic.id(*item).is_some()));
                    items.sort_unstable();
                    items.dedup();
                    prop_assert!(items.len() > 1 && items.len() == ballot.items().count());
                }
            }
        }
    }
}

#[test]
fn who_stood_on_the_left_is_kept_where_lines_have_sides() {
    let left = |text: &str| -> Vec<Option<String>> {
        let file = read(text).unwrap();
        let (topic, ballots) = file.ballots.iter().next().unwrap();
        let lefts = &file.lefts[&topic.map(str::to_owned)];
        assert_eq!(lefts.len(), ballots.ballots.len());
        lefts.iter().map(|item| item.map(|item| ballots.id(item).unwrap().to_owned())).collect()
    };
    let of = |ids: [&str; 2]| ids.map(|id| Some(id.to_owned()));
    assert_eq!(left("left,right,winner\nb,a,right\na,b,tie\n"), of(["b", "a"]));
    assert_eq!(left("q1 b a a\nq1 a b tie\n"), of(["b", "a"]));
    assert_eq!(left("q1 b a\nq1 a b\n"), [None, None]);
    let mixed = "{\"left\":\"b\",\"right\":\"a\",\"winner\":\"a\"}\n{\"ranking\":[\"a\",\"b\"]}\n";
    assert_eq!(left(mixed), [Some("b".into()), None]);
}
