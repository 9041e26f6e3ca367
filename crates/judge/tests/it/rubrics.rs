//! Tests rubrics, and the errors for invalid ones.

use llull_core::Scale;
use llull_judge::{Rubric, RubricError};

/// A rubric from its settings and its Markdown.
fn rubric(cutoff: &str, grades: &[(&str, &str)], markdown: &str) -> String {
    let grades: String = grades
        .iter()
        .map(|(grade, name)| {
            format!("[[grades]]\ngrade = {grade}\nname = \"{name}\"\ndefinition = \"Is {name}.\"\n")
        })
        .collect();
    format!("+++\nversion = 1\nname = \"Mine\"\ncutoff = {cutoff}\n{grades}+++\n{markdown}")
}

const EXAMPLE: &str = "## Example: 1\nQuery: q\nDocument: first line\n\n  second line\nWhy: w\n";

#[test]
fn any_scale_is_read() {
    let five: Vec<_> = ["5", "4", "3", "2", "1"].into_iter().zip(["e", "d", "c", "b", "a"]).collect();
    let read = Rubric::parse(&rubric("3", &five, "Body."), "r.md").unwrap();
    assert_eq!(read.scale, Scale::new(1, 5).unwrap());
    assert_eq!(read.grades.iter().map(|grade| grade.name.as_str()).collect::<String>(), "abcde");
    assert_eq!((read.cutoff, read.body.as_str(), read.name.as_str()), (3, "Body.", "Mine"));
    let two = Rubric::parse(&rubric("0", &[("-1", "spam"), ("0", "ham")], "Body."), "r.md").unwrap();
    assert_eq!(two.scale, Scale::new(-1, 0).unwrap());
}

#[test]
fn examples_are_taken_out_of_the_text() {
    let text = rubric(
        "1",
        &[("0", "no"), ("1", "yes")],
        &format!("# Title\nBefore.\n\n{EXAMPLE}\n# After\nIt goes on.\n## Examples of use\nThey stay.\n"),
    );
    let read = Rubric::parse(&text, "r.md").unwrap();
    assert_eq!(read.body, "# Title\nBefore.\n\n# After\nIt goes on.\n## Examples of use\nThey stay.");
    let example = read.grades[1].example.as_ref().unwrap();
    assert_eq!((example.query.as_str(), example.why.as_str()), ("q", "w"));
    assert_eq!(example.document, "first line\n\n  second line");
    assert!(read.grades[0].example.is_none());
    let notes = read.notes();
    assert_eq!(notes.len(), 1);
    assert!(
        notes[0].starts_with("grade 0 has no worked example") && notes[0].contains("middle"),
        "{notes:?}"
    );
}

#[test]
fn plain_prose_has_the_default_grades() {
    let prose = format!("\u{feff}\n# Shoes for hikers\nThe boot must keep water out.\n\n{EXAMPLE}");
    let read = Rubric::parse(&prose, "r.md").unwrap();
    let default = Rubric::parse(Rubric::default_text(), "r.md").unwrap();
    assert_eq!((read.name.as_str(), read.cutoff, read.scale), ("Shoes for hikers", 2, default.scale));
    assert_eq!(read.body, "# Shoes for hikers\nThe boot must keep water out.");
    assert_eq!(read.grades[3].definition, default.grades[3].definition);
    assert!(read.grades[1].example.is_some() && read.grades[0].example.is_none());
    let notes = read.notes();
    assert!(
        notes[0].starts_with("it defines no grades") && notes[0].contains("3 Highly relevant"),
        "{notes:?}"
    );
    assert!(notes[1].starts_with("grades 0, 2, 3 have no worked example"), "{notes:?}");
}

/// Attributes leave earlier questions unchanged: the hash of a rubric is part of every question's key. The hash is
/// that of the built-in rubric before rubrics had attributes.
#[test]
fn attributes_leave_the_hash_as_it_was() {
    let text = Rubric::default_text();
    let with = text.replacen("cutoff", "attributes = [\"title\"]\nmodes = [\"forced@2\"]\ncutoff", 1);
    let [plain, with] = [text, &with].map(|text| Rubric::parse(text, "r.md").unwrap());
    assert_eq!((plain.attributes.len(), with.attributes.len(), with.modes.len()), (0, 1, 1));
    assert!(!with.modes[0].neither && with.modes[0].double_check);
    assert_eq!(plain.hash, with.hash);
    assert_eq!(plain.hash.to_string(), "ee45fb4b535faff5f186a5cc294c171f45e4ba4fc3cbdaa7cfced3f5c179e6d4");
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let pair = [("0", "no"), ("1", "yes")];
    let text = |cutoff: &str, grades: &[(&str, &str)], markdown: &str| rubric(cutoff, grades, markdown);
    let example = |from: &str, to: &str| text("1", &pair, &format!("Body.\n{}", EXAMPLE.replace(from, to)));
    let cases: Vec<(String, usize, &str)> = vec![
        (String::new(), 1, "has to begin with a line `+++`"),
        (String::from("---\nname: Mine\n---\nBody."), 1, "has to begin with a line `+++`"),
        (String::from("Body.\n+++\nversion = 1\n+++\n"), 1, "has to begin with a line `+++`"),
        (
            String::from("## Example: 1\nQuery: q\nDocument: d\nWhy: w\n"),
            1,
            "does not say what relevant means",
        ),
        (
            String::from("Body.\n## Example: 5\nQuery: q\nDocument: d\nWhy: w\n"),
            2,
            "the scale runs from 0 to 3",
        ),
        (
            text("1", &pair, "Body.").replace("version = 1", "version = 2"),
            2,
            "version 2 of the rubric format is not known",
        ),
        (text("1", &pair, "Body.").replace("version = 1\n", ""), 2, "add `version = 1`"),
        (text("1", &pair, "Body.").replace("cutoff = 1", "cutof = 1"), 4, "unknown field `cutof`"),
        (text("1", &pair, "Body.").replace("name = \"yes\"", "nam = \"yes\""), 11, "unknown field `nam`"),
        (text("1", &pair, "Body.").replace("name = \"yes\"", "name = \" \""), 11, "`name` is empty"),
        (text("\"1\"", &pair, "Body."), 4, "invalid type"),
        (
            text("2", &pair, "Body."),
            4,
            "not a grade of the scale; it is the lowest grade that counts as relevant, here 1",
        ),
        (text("0", &pair, "Body."), 4, "would make every document relevant"),
        (text("1", &[("0", "a"), ("1", "b"), ("1", "c")], "Body."), 14, "grade 1 is defined twice"),
        (
            text("1", &[("0", "a"), ("3", "b"), ("1", "c")], "Body."),
            10,
            "no grade is defined between 1 and 3",
        ),
        (text("1", &[("1", "a")], "Body."), 6, "a scale runs from a lower to a higher grade"),
        (text("1", &[], "Body."), 2, "missing field `grades`"),
        (text("1", &pair, "\n \n"), 14, "does not say what relevant means"),
        (text("1", &pair, EXAMPLE), 14, "does not say what relevant means"),
        (example("Example: 1", "Example: 2"), 15, "the scale runs from 0 to 1"),
        (example("Example: 1", "Example: one"), 15, "\"one\" is not a grade"),
        (example("Example: 1", "Example 1"), 15, "write this heading as `## Example: 1`"),
        (example("Why: w\n", ""), 15, "the example of grade 1 has no `Why:`"),
        (example("Query: q", "Query:"), 15, "has no `Query:`"),
        (example("Query: q", "About: q"), 16, "begins with a line `Query:`"),
        (example("Why: w", "Query: again"), 20, "a second `Query:`"),
        (example("  second line", "# a comment"), 15, "has no `Why:`"),
        (text("1", &pair, &format!("Body.\n{EXAMPLE}{EXAMPLE}")), 21, "grade 1 has an example already"),
    ];
    for (text, line, message) in cases {
        let RubricError::Invalid { file, line: at, message: said } =
            Rubric::parse(&text, "r.md").unwrap_err();
        assert_eq!((file.as_str(), at), ("r.md", line), "{said}\n{text}");
        assert!(said.contains(message), "{said}");
    }
    let error = Rubric::parse("", "study/rubric.md").unwrap_err().to_string();
    assert!(error.starts_with("study/rubric.md:1: "), "{error}");
}

#[test]
fn the_hash_is_of_what_the_judge_sees() {
    let pair = [("0", "no"), ("1", "yes")];
    let parse = |text: &str| Rubric::parse(text, "r.md").unwrap().hash;
    let text = rubric("1", &pair, &format!("Body.\nMore.\n\n{EXAMPLE}"));
    let base = parse(&text);
    for same in [
        text.replace('\n', "\r\n"),
        text.replace("Mine", "Yours"),
        text.replace("Body.", "Body. \t"),
        format!("{text}\n\n"),
        text.replace("cutoff = 1", "# a remark\ncutoff = 1"),
        rubric("1", &[pair[1], pair[0]], &format!("Body.\nMore.\n{EXAMPLE}")),
    ] {
        assert_eq!(parse(&same), base, "{same}");
    }
    for other in [
        text.replace("Body.", "Bodies."),
        text.replace("Is yes.", "Is so."),
        text.replace("\"yes\"", "\"aye\""),
        text.replace("second line", "third line"),
        text.replace("Why: w", "Why: because"),
    ] {
        assert_ne!(parse(&other), base, "{other}");
    }
}

#[test]
fn the_default_rubric_is_complete() {
    let rubric = Rubric::parse(Rubric::default_text(), "default.md").unwrap();
    assert_eq!((rubric.scale, rubric.cutoff), (Scale::default(), 2));
    assert!(rubric.notes().is_empty(), "{:?}", rubric.notes());
    assert!(rubric.body.starts_with("# What relevant means"));
}
