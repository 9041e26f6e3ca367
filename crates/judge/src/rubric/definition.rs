//! A rubric in memory.

use llull_core::{Grade, Hash, KeyBuilder, Scale};

/// The definition of relevance: the grades with their definitions and worked examples, and a text for the judge.
///
/// The file has TOML between two `+++` lines, then Markdown:
///
/// ```text
/// +++
/// version = 1
/// name = "Support articles"
/// cutoff = 1
///
/// [[grades]]
/// grade = 0
/// name = "Useless"
/// definition = "Does not help the customer."
///
/// [[grades]]
/// grade = 1
/// name = "Useful"
/// definition = "Solves the customer's problem."
/// +++
/// # What relevant means
/// The searcher is a customer with a broken device in hand ...
///
/// ## Example: 0
/// Query: the lamp blinks red
/// Document: Our lamps come in red, green and white.
/// Why: It names the colour and says nothing about blinking.
/// ```
///
/// An example ends at the next line that begins with `# ` or `## `. Each of its three parts may go on over several
/// lines. Markdown alone has the default grades.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rubric {
    /// Its name, for reports; the judge does not see it.
    pub name: String,
    /// The grades that a judge may give.
    pub scale: Scale,
    /// The lowest grade that counts as relevant; above the lowest of the scale.
    pub cutoff: Grade,
    /// One definition for each grade of the scale, lowest first.
    pub grades: Vec<GradeDefinition>,
    /// Whether they are the default ones, because the rubric is plain prose.
    pub default_grades: bool,
    /// The definition of relevance, as Markdown, without the examples.
    pub body: String,
    /// The fields of documents that a judge compares one by one, if it compares pairs.
    pub attributes: Vec<String>,
    /// The modes of its questions about these fields, and about all fields together; empty for the study's own mode.
    pub modes: Vec<AttributeMode>,
    /// The hash of the parts that a judge can see: grades, cutoff, examples and body. It excludes the name, white
    /// space at the ends of lines and texts, attributes, modes, and the form of the file.
    pub hash: Hash,
}

/// A mode of comparing two documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttributeMode {
    /// Whether the answer may be Neither.
    pub neither: bool,
    /// Whether each pair is compared in both orders.
    pub double_check: bool,
}

impl AttributeMode {
    /// The modes by their names in a rubric.
    pub(super) const NAMED: [(&str, Self); 4] = [
        ("neither", Self { neither: true, double_check: false }),
        ("forced", Self { neither: false, double_check: false }),
        ("neither@2", Self { neither: true, double_check: true }),
        ("forced@2", Self { neither: false, double_check: true }),
    ];
}

/// The definition of one grade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradeDefinition {
    /// The grade.
    pub grade: Grade,
    /// Its name, `Highly relevant`.
    pub name: String,
    /// When to give it.
    pub definition: String,
    /// A worked example, which anchors the grade.
    pub example: Option<Example>,
}

/// A worked example of a grade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The query.
    pub query: String,
    /// The document.
    pub document: String,
    /// Why it has this grade.
    pub why: String,
}

impl Rubric {
    /// Returns the text of a rubric for search in general, on the scale 0 to 3, with which a new study begins.
    pub fn default_text() -> &'static str {
        include_str!("../../rubrics/default.md")
    }

    /// Returns remarks on allowed parts that are better avoided, a sentence each.
    pub fn notes(&self) -> Vec<String> {
        let named = |grade: &GradeDefinition| format!("{} {}", grade.grade, grade.name);
        let grades = || self.grades.iter().map(named).collect::<Vec<_>>().join(", ");
        let of_prose = self.default_grades.then(|| {
            format!(
                "it defines no grades, so judges give the default ones: {} (relevant from {} on); define your own \
                 between `+++` lines",
                grades(),
                self.cutoff
            )
        });
        of_prose.into_iter().chain(self.missing_examples()).collect()
    }

    fn missing_examples(&self) -> Option<String> {
        let bare: Vec<_> = self
            .grades
            .iter()
            .filter(|grade| grade.example.is_none())
            .map(|grade| grade.grade.to_string())
            .collect();
        let (grades, them) = match bare.as_slice() {
            [] => return None,
            [one] => (format!("grade {one} has no worked example"), "it"),
            many => (format!("grades {} have no worked example", many.join(", ")), "each"),
        };
        let first = bare.first().map_or("", String::as_str);
        Some(format!(
            "{grades}: judges drift toward the middle of the scale without anchors; add {them} as \
             `## Example: {first}` with Query:, Document: and Why:"
        ))
    }

    /// Returns the hash of the parts that reach a judge.
    pub(super) fn compute_hash(cutoff: Grade, grades: &[GradeDefinition], body: &str) -> Hash {
        let mut key =
            KeyBuilder::new("llull rubric v1").text("cutoff", &cutoff.to_string()).text("body", body);
        for grade in grades {
            key = key
                .text("grade", &grade.grade.to_string())
                .text("name", &grade.name)
                .text("definition", &grade.definition);
            if let Some(example) = &grade.example {
                key = key
                    .text("example query", &example.query)
                    .text("example document", &example.document)
                    .text("example why", &example.why);
            }
        }
        key.finish()
    }
}
