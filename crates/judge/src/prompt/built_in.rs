//! The built-in templates.

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
