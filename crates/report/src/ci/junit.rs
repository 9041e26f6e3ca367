//! Test cases in JUnit's XML.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::ci_result::CiResult;
use crate::error::ReportError;
use crate::gates::GateRow;
use crate::text::visible;

impl CiResult {
    /// Returns a test case for each gate and each bound on a judge, and one for missing judgments. A gate whose result
    /// missing labels could change is an error, any other that does not hold a failure.
    ///
    /// The elements are those that the schema of Jenkins' xUnit plugin has.
    ///
    /// # Errors
    /// Returns [`ReportError::Write`] if the text cannot be made, which no result should cause.
    pub fn junit(&self) -> Result<Vec<u8>, ReportError> {
        let mut cases = vec![Case {
            suite: "study",
            name: "judgments are complete".to_owned(),
            problem: self.missing.first().map(|why| Problem {
                tag: "error",
                kind: "incomplete",
                message: why,
            }),
        }];
        cases.extend(self.gates.iter().map(|gate| self.case(gate)));
        self.written(&cases).map_err(ReportError::Write)
    }

    fn case<'a>(&self, gate: &'a GateRow) -> Case<'a> {
        let tag = if self.is_open(gate) { "error" } else { "failure" };
        let of = if gate.subject.is_empty() { String::new() } else { format!(" ({})", gate.subject) };
        Case {
            suite: if gate.is_judge { "judge checks" } else { "gates" },
            name: format!("{}{of}", gate.gate),
            problem: (!gate.passed).then_some(Problem { tag, kind: gate.result, message: &gate.sentence }),
        }
    }

    fn written(&self, cases: &[Case<'_>]) -> io::Result<Vec<u8>> {
        let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
        xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let name = if self.name.is_empty() { "llull" } else { &self.name };
        let suites: Vec<&[Case<'_>]> = cases.chunk_by(|one, next| one.suite == next.suite).collect();
        let attributes = attributes(name, cases);
        xml.create_element("testsuites")
            .with_attributes(pairs(&attributes))
            .write_inner_content(|xml| suites.iter().try_for_each(|suite| of_suite(xml, name, suite)))?;
        let mut bytes = xml.into_inner();
        bytes.push(b'\n');
        Ok(bytes)
    }
}

/// A test case.
struct Case<'a> {
    suite: &'static str,
    name: String,
    problem: Option<Problem<'a>>,
}

struct Problem<'a> {
    /// `failure` or `error`.
    tag: &'static str,
    kind: &'static str,
    message: &'a str,
}

fn of_suite(xml: &mut Writer<Vec<u8>>, name: &str, cases: &[Case<'_>]) -> io::Result<()> {
    let suite = cases.first().map_or("", |case| case.suite);
    let class = legal(&format!("{name}.{suite}"));
    let attributes = attributes(suite, cases);
    let element = xml.create_element("testsuite").with_attributes(pairs(&attributes));
    element.write_inner_content(|xml| {
        for case in cases {
            let name = legal(&case.name);
            let element = xml
                .create_element("testcase")
                .with_attribute(("classname", class.as_str()))
                .with_attribute(("name", name.as_str()));
            match &case.problem {
                None => element.write_empty()?,
                Some(Problem { tag, kind, message }) => element.write_inner_content(|xml| {
                    let message = legal(message);
                    xml.create_element(*tag)
                        .with_attribute(("message", message.as_str()))
                        .with_attribute(("type", *kind))
                        .write_text_content(BytesText::new(&message))?;
                    Ok(())
                })?,
            };
        }
        Ok(())
    })?;
    Ok(())
}

fn attributes(name: &str, cases: &[Case<'_>]) -> [(&'static str, String); 4] {
    let with = |tag: &str| {
        let has = |case: &&Case<'_>| case.problem.as_ref().is_some_and(|found| found.tag == tag);
        cases.iter().filter(has).count().to_string()
    };
    [
        ("name", legal(name)),
        ("tests", cases.len().to_string()),
        ("failures", with("failure")),
        ("errors", with("error")),
    ]
}

fn pairs<'a>(attributes: &'a [(&'static str, String)]) -> impl Iterator<Item = (&'a str, &'a str)> {
    attributes.iter().map(|(name, value)| (*name, value.as_str()))
}

/// A text whose characters XML 1.0 allows: no other can be written, not even as a reference.
fn legal(text: &str) -> String {
    visible(text).chars().map(|c| if matches!(c, '\u{fffe}' | '\u{ffff}') { '\u{fffd}' } else { c }).collect()
}
