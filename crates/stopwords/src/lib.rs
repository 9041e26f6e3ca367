//! Words that say little of what a text is about: NLTK's lists, of the languages that llull searches in.
//!
//! ```
//! let english: Vec<&str> = llull_stopwords::stop_words("en").collect();
//! assert!(english.contains(&"the"));
//! assert_eq!(llull_stopwords::stop_words("ta").count(), 0);
//! ```

mod lists;

pub use lists::stop_words;
