//! Parses the text of a rubric.

use llull_core::{Grade, Scale};
use serde::Deserialize;
use toml::Spanned;

use super::definition::{AttributeMode, Example, GradeDefinition, Rubric};
use crate::front_matter::{self, FrontMatter, FrontMatterError};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    #[serde(rename = "version")]
    _version: i64,
    name: Spanned<String>,
    cutoff: Spanned<Grade>,
    grades: Vec<GradeSettings>,
    #[serde(default)]
    attributes: Vec<Spanned<String>>,
    #[serde(default)]
    modes: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GradeSettings {
    grade: Spanned<Grade>,
    name: Spanned<String>,
    definition: Spanned<String>,
}

impl Rubric {
    /// Reads a rubric. `file_name` is for error messages only.
    ///
    /// Plain prose, without settings between `+++` lines, has the grades and the cutoff of
    /// [`default_text`](Self::default_text), and the name of its first heading.
    ///
    /// # Errors
    /// Returns [`RubricError::Invalid`] with the line and a remedy: an unknown key or version, grades that repeat
    /// or leave a gap, a cutoff off the scale, an example that is incomplete or of no grade, no text.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, RubricError> {
        read(text).map_err(|defect| defect.within(file_name))
    }
}

fn read(text: &str) -> Result<Rubric, Defect> {
    if is_prose(text) {
        return read_prose(text);
    }
    let file = front_matter::split(text)?;
    let settings: Settings = file.settings("rubric")?;
    let name = filled(&file, settings.name, "name")?;
    let (mut grades, scale) = read_grades(&file, settings.grades)?;
    let cutoff = read_cutoff(&file, &settings.cutoff, scale)?;
    let attributes = read_attributes(&file, &settings.attributes)?;
    let modes = read_modes(&file, &settings.modes, &attributes)?;
    let markdown = split(file.body, file.body_line)?;
    for found in markdown.examples {
        attach(found, &mut grades, scale)?;
    }
    let body = markdown.body;
    if body.is_empty() {
        return Err(Defect::new(
            file.body_line,
            "the rubric does not say what relevant means; write it below the second `+++`, in plain English",
        ));
    }
    let hash = Rubric::compute_hash(cutoff, &grades, &body);
    Ok(Rubric { name, scale, cutoff, grades, default_grades: false, body, attributes, modes, hash })
}

/// Whether a text has no settings. Settings that were meant but do not have the form are an error, not prose.
fn is_prose(text: &str) -> bool {
    let begins = text.trim_start_matches('\u{feff}').lines().map(str::trim).find(|line| !line.is_empty());
    let settings = ["+++", "---", "```", "[[", "version", "cutoff"];
    begins.is_some_and(|line| !settings.iter().any(|start| line.starts_with(start)))
        && !text.lines().any(|line| line.trim_end() == "+++")
}

/// Reads a text without settings under the default grades.
fn read_prose(text: &str) -> Result<Rubric, Defect> {
    let default = read(Rubric::default_text())?;
    let mut grades = default.grades;
    grades.iter_mut().for_each(|grade| grade.example = None);
    let markdown = split(text.trim_start_matches('\u{feff}'), 1)?;
    for found in markdown.examples {
        attach(found, &mut grades, default.scale)?;
    }
    let body = markdown.body;
    if body.is_empty() {
        return Err(Defect::new(
            1,
            "the rubric has examples and does not say what relevant means; write it above them",
        ));
    }
    let heading = body.lines().find_map(|line| line.strip_prefix('#'));
    let name = heading.map_or("Rubric", |line| line.trim_start_matches('#').trim()).to_owned();
    let hash = Rubric::compute_hash(default.cutoff, &grades, &body);
    Ok(Rubric { name, grades, default_grades: true, body, hash, ..default })
}

/// Returns the definitions, lowest grade first, and their scale.
fn read_grades(
    file: &FrontMatter<'_>,
    settings: Vec<GradeSettings>,
) -> Result<(Vec<GradeDefinition>, Scale), Defect> {
    let mut lines = Vec::with_capacity(settings.len());
    for one in settings {
        let line = file.line_of(&one.grade.span());
        let grade = one.grade.into_inner();
        let name = filled(file, one.name, "name")?;
        let definition = filled(file, one.definition, "definition")?;
        lines.push((line, GradeDefinition { grade, name, definition, example: None }));
    }
    lines.sort_by_key(|(line, definition)| (definition.grade, *line));
    for pair in lines.windows(2) {
        let [(_, lower), (line, upper)] = pair else { continue };
        match upper.grade.checked_sub(lower.grade) {
            Some(1) => {}
            Some(0) => {
                return Err(Defect::new(
                    *line,
                    format!("grade {} is defined twice; remove or renumber one", upper.grade),
                ));
            }
            _ => {
                return Err(Defect::new(
                    *line,
                    format!(
                        "no grade is defined between {} and {}; a scale has every whole number from its lowest to its \
                         highest grade",
                        lower.grade, upper.grade
                    ),
                ));
            }
        }
    }
    let (low, high) = match (lines.first(), lines.last()) {
        (Some((_, low)), Some((_, high))) => (low.grade, high.grade),
        _ => return Err(Defect::new(2, "the rubric defines no grades; add at least two as `[[grades]]`")),
    };
    let line = lines.first().map_or(2, |(line, _)| *line);
    let scale = Scale::new(low, high)
        .map_err(|error| Defect::new(line, format!("{error}; add or remove `[[grades]]`")))?;
    Ok((lines.into_iter().map(|(_, definition)| definition).collect(), scale))
}

fn read_cutoff(file: &FrontMatter<'_>, cutoff: &Spanned<Grade>, scale: Scale) -> Result<Grade, Defect> {
    let (line, cutoff) = (file.line_of(&cutoff.span()), *cutoff.get_ref());
    if cutoff > scale.low() && cutoff <= scale.high() {
        return Ok(cutoff);
    }
    let why = match cutoff == scale.low() {
        true => "would make every document relevant",
        false => "is not a grade of the scale",
    };
    let (low, high) = (scale.low(), scale.high());
    let choices = match low + 1 == high {
        true => format!("{high}"),
        false => format!("one of {} to {high}", low + 1),
    };
    let message =
        format!("a cutoff of {cutoff} {why}; it is the lowest grade that counts as relevant, here {choices}");
    Err(Defect::new(line, message))
}

/// Returns the fields to ask about. Their names become parts of judges' names, so they have no colon.
fn read_attributes(file: &FrontMatter<'_>, written: &[Spanned<String>]) -> Result<Vec<String>, Defect> {
    let mut fields: Vec<String> = Vec::with_capacity(written.len());
    for name in written {
        let (line, field) = (file.line_of(&name.span()), name.get_ref());
        if field.trim().is_empty() || field == "all" || field.contains([':', '@', '#']) {
            let message =
                format!("{field:?} is no field to ask about; name one of the corpus, without :, @ or #");
            return Err(Defect::new(line, message));
        }
        if fields.contains(field) {
            return Err(Defect::new(line, format!("the attribute {field:?} is named twice; remove one")));
        }
        fields.push(field.clone());
    }
    Ok(fields)
}

fn read_modes(
    file: &FrontMatter<'_>,
    written: &[Spanned<String>],
    attributes: &[String],
) -> Result<Vec<AttributeMode>, Defect> {
    let mode = |name: &Spanned<String>| {
        let line = file.line_of(&name.span());
        if attributes.is_empty() {
            let message =
                "`modes` says how `attributes` are asked, and there are none; name the fields to ask about";
            return Err(Defect::new(line, message));
        }
        let known = AttributeMode::NAMED.into_iter().find(|(known, _)| known == name.get_ref());
        known.map(|(_, mode)| mode).ok_or_else(|| {
            let message = format!(
                "{:?} is no mode; there are \"neither\" and \"forced\", and \"neither@2\" and \"forced@2\" for \
                 both orders",
                name.get_ref()
            );
            Defect::new(line, message)
        })
    };
    written.iter().map(mode).collect()
}

fn attach(found: FoundExample, grades: &mut [GradeDefinition], scale: Scale) -> Result<(), Defect> {
    let FoundExample { line, grade, example } = found;
    let Some(definition) = grades.iter_mut().find(|definition| definition.grade == grade) else {
        let message = format!(
            "this example is of grade {grade}, and the scale runs from {} to {}; correct the heading or define the \
             grade",
            scale.low(),
            scale.high()
        );
        return Err(Defect::new(line, message));
    };
    if definition.example.is_some() {
        return Err(Defect::new(
            line,
            format!("grade {grade} has an example already; keep the one that says more"),
        ));
    }
    definition.example = Some(example);
    Ok(())
}

/// Returns a text without white space at the ends of it and of its lines; it must not be empty.
fn filled(file: &FrontMatter<'_>, text: Spanned<String>, key: &str) -> Result<String, Defect> {
    let line = file.line_of(&text.span());
    let tidy = text.get_ref().lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_owned();
    match tidy.is_empty() {
        true => Err(Defect::new(line, format!("`{key}` is empty; write something"))),
        false => Ok(tidy),
    }
}

/// The Markdown half, divided into text and examples.
#[derive(Debug, Default)]
struct Markdown {
    /// Everything that is not an example, trimmed.
    body: String,
    /// The examples in the order of the file.
    examples: Vec<FoundExample>,
}

/// An example and the line of its heading.
#[derive(Debug)]
struct FoundExample {
    line: usize,
    grade: Grade,
    example: Example,
}

/// The parts of an example, in the order in which messages name them.
const PARTS: [&str; 3] = ["Query:", "Document:", "Why:"];

/// Divides the Markdown into text and examples. `first_line` is the number of its first line in the file.
fn split(text: &str, first_line: usize) -> Result<Markdown, Defect> {
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

/// Why a rubric cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RubricError {
    /// Its content is not a rubric.
    #[error("{file}:{line}: {message}")]
    Invalid {
        /// The file, as the caller named it.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The error there, and advice.
        message: String,
    },
}

/// The error in a rubric, and its line; [`within`](Self::within) adds the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Defect {
    pub(super) line: usize,
    pub(super) message: String,
}

impl Defect {
    pub(super) fn new(line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }

    pub(super) fn within(self, file: &str) -> RubricError {
        RubricError::Invalid { file: file.to_owned(), line: self.line, message: self.message }
    }
}

impl From<FrontMatterError> for Defect {
    fn from(error: FrontMatterError) -> Self {
        Self::new(error.line, error.message)
    }
}
