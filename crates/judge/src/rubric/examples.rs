//! Reads the Markdown half of a rubric: text and worked examples.

use llull_core::Grade;

use super::{definition::Example, error::Defect};

/// The Markdown half, divided into text and examples.
#[derive(Debug, Default)]
pub(super) struct Markdown {
    /// Everything that is not an example, trimmed.
    pub(super) body: String,
    /// The examples in the order of the file.
    pub(super) examples: Vec<FoundExample>,
}

/// An example and the line of its heading.
#[derive(Debug)]
pub(super) struct FoundExample {
    pub(super) line: usize,
    pub(super) grade: Grade,
    pub(super) example: Example,
}

/// The parts of an example, in the order in which messages name them.
const PARTS: [&str; 3] = ["Query:", "Document:", "Why:"];

/// Divides the Markdown into text and examples. `first_line` is the number of its first line in the file.
pub(super) fn split(text: &str, first_line: usize) -> Result<Markdown, Defect> {
    let mut markdown = Markdown::default();
    let mut open: Option<Draft> = None;
    for (index, line) in text.lines().enumerate() {
        let (line, number) = (line.trim_end(), first_line + index);
        if line.starts_with("# ") || line.starts_with("## ") {
            if let Some(draft) = open.take() {
                markdown.examples.push(draft.finish()?);
            }
            open = example_heading(line, number)?.map(|grade| Draft::new(number, grade));
            if open.is_some() {
                continue;
            }
        }
        match &mut open {
            Some(draft) => draft.add(line, number)?,
            None => {
                markdown.body.push_str(line);
                markdown.body.push('\n');
            }
        }
    }
    if let Some(draft) = open {
        markdown.examples.push(draft.finish()?);
    }
    markdown.body = markdown.body.trim().to_owned();
    Ok(markdown)
}

/// Returns the grade in the heading `## Example: GRADE`; `None` for any other heading.
fn example_heading(line: &str, number: usize) -> Result<Option<Grade>, Defect> {
    let title = line.trim_start_matches('#').trim();
    let Some(rest) = title.get(..7).filter(|word| word.eq_ignore_ascii_case("example")).and(title.get(7..))
    else {
        return Ok(None);
    };
    let rest = rest.trim_start();
    let Some(grade) = rest.strip_prefix(':') else {
        // "Example of ..." and "Examples" are headings like any other; "Example 2" can only be a misspelt example.
        return match rest.parse::<Grade>() {
            Ok(grade) => Err(Defect::new(number, format!("write this heading as `## Example: {grade}`"))),
            Err(_) => Ok(None),
        };
    };
    let grade = grade.trim();
    grade.parse().map(Some).map_err(|_| {
        Defect::new(
            number,
            format!(
                "{grade:?} is not a grade; write `## Example: ` and the number of the grade that it shows"
            ),
        )
    })
}

/// An example while its lines are read.
struct Draft {
    line: usize,
    grade: Grade,
    parts: [Option<String>; 3],
    current: Option<usize>,
}

impl Draft {
    fn new(line: usize, grade: Grade) -> Self {
        Self { line, grade, parts: [None, None, None], current: None }
    }

    fn add(&mut self, line: &str, number: usize) -> Result<(), Defect> {
        for (index, (label, part)) in PARTS.iter().zip(&mut self.parts).enumerate() {
            if let Some(rest) = line.strip_prefix(label) {
                if part.is_some() {
                    let message = format!(
                        "this example has a second `{label}`; indent the line if it belongs to the text above"
                    );
                    return Err(Defect::new(number, message));
                }
                *part = Some(rest.trim_start().to_owned());
                self.current = Some(index);
                return Ok(());
            }
        }
        match self.current.and_then(|index| self.parts.get_mut(index)).and_then(Option::as_mut) {
            Some(part) => {
                part.push('\n');
                part.push_str(line);
                Ok(())
            }
            None if line.is_empty() => Ok(()),
            None => Err(Defect::new(
                number,
                "an example begins with a line `Query:`, then `Document:`, then `Why:`",
            )),
        }
    }

    fn finish(self) -> Result<FoundExample, Defect> {
        let mut texts = Vec::with_capacity(PARTS.len());
        for (label, part) in PARTS.iter().zip(self.parts) {
            match part.as_deref().map(str::trim) {
                Some(text) if !text.is_empty() => texts.push(text.to_owned()),
                _ => {
                    return Err(Defect::new(
                        self.line,
                        format!(
                            "the example of grade {} has no `{label}`; an example needs Query:, Document: and Why:, \
                             and ends at the next line that begins with `# ` or `## ` (indent such a line if it is \
                             part of a document)",
                            self.grade
                        ),
                    ));
                }
            }
        }
        let mut texts = texts.into_iter();
        let mut next = || texts.next().unwrap_or_default();
        let example = Example { query: next(), document: next(), why: next() };
        Ok(FoundExample { line: self.line, grade: self.grade, example })
    }
}
