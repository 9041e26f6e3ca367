//! Errors of preferences.

/// Why preferences are invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PreferenceError {
    /// The preferences of a group form a cycle.
    #[error(
        "judgment group {group:?} of query {topic:?} prefers {first:?} to {second:?} and {second:?} to {first:?}, \
         directly or through other documents: put the preferences of another judge into a group of their own"
    )]
    Cycle {
        /// The query.
        topic: String,
        /// The group.
        group: String,
        /// One document.
        first: String,
        /// The other document.
        second: String,
    },
    /// A group calls a document both not relevant and relevant.
    #[error(
        "judgment group {group:?} of query {topic:?} gives document {document:?} level 0, which is not relevant, \
         and another level: keep one of them"
    )]
    Zero {
        /// The query.
        topic: String,
        /// The group.
        group: String,
        /// The document.
        document: String,
    },
    /// A level is not a number from 0 up.
    #[error(
        "document {document:?} has level {level} in judgment group {group:?} of query {topic:?}: a level is a \
         number from 0 up"
    )]
    Level {
        /// The query.
        topic: String,
        /// The group.
        group: String,
        /// The document.
        document: String,
        /// Its level.
        level: String,
    },
}
