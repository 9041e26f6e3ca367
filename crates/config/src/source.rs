//! The source of a part of a study.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Serialize, Serializer};

/// A part of a study: a file that is read when it is needed, or a value in memory.
#[derive(Debug, PartialEq)]
pub enum Source<T> {
    /// A file; relative paths are relative to the study's folder.
    File(PathBuf),
    /// The value itself.
    Memory(Arc<T>),
}

impl<T> Source<T> {
    /// Returns the file at this path.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self::File(path.into())
    }

    /// Returns the path, if this is a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Memory(_) => None,
        }
    }
}

impl<T> From<T> for Source<T> {
    fn from(value: T) -> Self {
        Self::Memory(Arc::new(value))
    }
}

impl<T> Clone for Source<T> {
    fn clone(&self) -> Self {
        match self {
            Self::File(path) => Self::File(path.clone()),
            Self::Memory(value) => Self::Memory(Arc::clone(value)),
        }
    }
}

/// The path, or `memory`.
impl<T> std::fmt::Display for Source<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Memory(_) => f.write_str("memory"),
        }
    }
}

impl<T> Serialize for Source<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::File(path) => path.serialize(serializer),
            Self::Memory(_) => serializer.collect_str(self),
        }
    }
}
