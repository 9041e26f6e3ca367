//! Rubrics to begin a study with, one for each kind of search.

use super::definition::Rubric;

/// A rubric of the shelf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShelfRubric {
    /// Its name, `product-search`.
    pub name: &'static str,
    /// The documents that it is for.
    pub about: &'static str,
    /// The text of its file.
    pub text: &'static str,
}

macro_rules! shelf {
    ($($name:literal: $about:literal,)*) => {
        [$(ShelfRubric {
            name: $name,
            about: $about,
            text: include_str!(concat!("../../rubrics/shelf/", $name, ".md")),
        }),*]
    };
}

const SHELF: [ShelfRubric; 10] = shelf![
    "web-passages": "passages of web pages",
    "product-search": "products of a shop",
    "support": "help articles and answered tickets",
    "code": "source code and developer documentation",
    "legal": "statutes, judgments and contracts",
    "rag-context": "passages from which a language model answers",
    "news": "news articles",
    "academic": "research papers",
    "enterprise": "documents of an intranet",
    "multilingual": "documents in several languages",
];

impl Rubric {
    /// Returns the rubrics for common kinds of search.
    pub fn shelf() -> &'static [ShelfRubric] {
        &SHELF
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rubric_has_an_example_for_each_grade() {
        for rubric in Rubric::shelf() {
            let read = Rubric::parse(rubric.text, rubric.name).unwrap();
            assert_eq!((read.grades.len(), read.notes()), (4, Vec::new()), "{}", rubric.name);
            assert!(!read.default_grades, "{}", rubric.name);
        }
    }
}
