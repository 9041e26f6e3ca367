//! Parses a typed side of a difference within a study.

use std::fmt;

/// A side of a difference within a study.
///
/// ```
/// use llull_study::StudySide;
/// assert_eq!(StudySide::parse("now"), StudySide::Now);
/// let side = StudySide::parse("gpt,llama@3f2a91c0");
/// assert_eq!(side.to_string(), "gpt,llama@3f2a91c0");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StudySide {
    /// The present study.
    Now,
    /// The study's judges with their last specifications before a change.
    Earlier,
    /// Judges of the study or its ledger.
    Judges {
        /// Their names, or those of their models; empty for the study's judges.
        names: Vec<String>,
        /// The marks of their specifications: the name of the prompt, or the beginning of the hash of the rubric, of
        /// the prompt or of the judge as a whole.
        marks: Vec<String>,
    },
}

impl StudySide {
    /// Parses `now`, `earlier`, `JUDGE`, `JUDGE,JUDGE`, `@MARK` or `JUDGE@MARK`, with several marks in sequence. An `@`
    /// after a slash is part of a model's name.
    pub fn parse(text: &str) -> Self {
        match text {
            "now" => return Self::Now,
            "earlier" => return Self::Earlier,
            _ => {}
        }
        let mut parts: Vec<String> = Vec::new();
        for part in text.split('@') {
            match parts.last_mut() {
                Some(before) if before.ends_with('/') => {
                    before.push('@');
                    before.push_str(part);
                }
                _ => parts.push(part.to_owned()),
            }
        }
        let given = |text: &String| !text.is_empty();
        let mut parts = parts.into_iter();
        let names = parts.next().unwrap_or_default();
        let names = names.split(',').map(|name| name.trim().to_owned()).filter(given).collect();
        Self::Judges { names, marks: parts.filter(given).collect() }
    }
}

impl fmt::Display for StudySide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Now => f.write_str("now"),
            Self::Earlier => f.write_str("earlier"),
            Self::Judges { names, marks } => {
                f.write_str(&names.join(","))?;
                marks.iter().try_for_each(|mark| write!(f, "@{mark}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_marks_and_models_with_an_at_sign() {
        let judges = |names: &[&str], marks: &[&str]| StudySide::Judges {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            marks: marks.iter().map(|mark| (*mark).to_owned()).collect(),
        };
        assert_eq!(StudySide::parse("gpt"), judges(&["gpt"], &[]));
        assert_eq!(StudySide::parse("gpt, llama"), judges(&["gpt", "llama"], &[]));
        assert_eq!(StudySide::parse("@3f2a"), judges(&[], &["3f2a"]));
        assert_eq!(StudySide::parse("gpt@umbrela@3f2a"), judges(&["gpt"], &["umbrela", "3f2a"]));
        assert_eq!(StudySide::parse("vllm/@cf/m@3f2a"), judges(&["vllm/@cf/m"], &["3f2a"]));
        assert_eq!(StudySide::parse("earlier"), StudySide::Earlier);
    }
}
