//! The kinds of prompts, and the built-in templates.

use llull_core::{Paradigm, Scale};

use crate::form::{AnswerForm, AnswerPlace, CompareKind, ComparisonForm, GradeKind};

/// The kind of a prompt, by its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PromptKind {
    /// The grade of one document.
    Grades(GradeKind),
    /// A comparison of several documents.
    Compares {
        /// The kind of its answer.
        kind: CompareKind,
        /// Whether the answer has to hold a `rationale`.
        rationale: bool,
    },
}

impl PromptKind {
    /// Returns the paradigm of a judge with such a prompt.
    pub fn paradigm(self) -> Paradigm {
        match self {
            Self::Grades(_) => Paradigm::Graded,
            Self::Compares { kind, .. } => kind.paradigm(),
        }
    }

    /// Returns the place of the answer in a reply, unless the template sets it: after prose if the prompt requests
    /// reasons, alone if not.
    pub(super) fn place(self) -> AnswerPlace {
        AnswerPlace::of(match self {
            Self::Grades(kind) => kind == GradeKind::Reasoned,
            Self::Compares { rationale, .. } => rationale,
        })
    }

    /// Returns the form of the answer about this number of documents. `scale` is read by a prompt that grades,
    /// `documents` and `ties` (whether documents may be called equally good) by one that compares.
    pub fn form(self, scale: Scale, documents: usize, ties: bool) -> AnswerForm {
        match self {
            Self::Grades(kind) => AnswerForm::Grade { kind, scale },
            Self::Compares { kind, rationale } => {
                AnswerForm::Comparison(ComparisonForm { kind, rationale, documents, ties })
            }
        }
    }

    /// Returns whether the prompt can have this number of documents.
    pub(super) fn takes(self, documents: usize) -> bool {
        match self {
            Self::Grades(_) => documents == 1,
            Self::Compares { kind: CompareKind::Choice, .. } => documents == 2,
            Self::Compares { .. } => documents >= 2,
        }
    }

    /// Returns the task and the number of documents, for error messages.
    pub(super) fn question(self) -> &'static str {
        match self {
            Self::Grades(_) => "the grade of one document",
            Self::Compares { kind: CompareKind::Choice, .. } => "the choice of two documents",
            Self::Compares { kind: CompareKind::Ranking, .. } => "the ranking of two documents or more",
            Self::Compares { kind: CompareKind::Best, .. } => "the best of two documents or more",
        }
    }
}

/// The names and texts of the templates that grade.
const GRADING: [(&str, &str); 3] = [
    ("graded", include_str!("templates/graded.j2")),
    ("graded-direct", include_str!("templates/graded-direct.j2")),
    ("umbrela", include_str!("templates/umbrela.j2")),
];

/// The names and texts of the templates that compare.
const COMPARING: [(&str, &str); 5] = [
    ("pairwise", include_str!("templates/pairwise.j2")),
    ("pairwise-direct", include_str!("templates/pairwise-direct.j2")),
    ("listwise", include_str!("templates/listwise.j2")),
    ("listwise-direct", include_str!("templates/listwise-direct.j2")),
    ("setwise", include_str!("templates/setwise.j2")),
];

/// The names of the built-in prompts that grade, the default first.
pub const BUILTIN_GRADING_PROMPTS: [&str; 3] = names(&GRADING);

/// The names of the built-in prompts that compare: the first two are pairwise, the others listwise.
pub const BUILTIN_COMPARING_PROMPTS: [&str; 5] = names(&COMPARING);

/// Returns the text of the built-in template of this name.
pub(super) fn text(name: &str) -> Option<&'static str> {
    GRADING.iter().chain(&COMPARING).find(|(known, _)| *known == name).map(|(_, text)| *text)
}

const fn names<const N: usize>(templates: &[(&'static str, &'static str); N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut at = 0;
    while at < N {
        names[at] = templates[at].0;
        at += 1;
    }
    names
}
