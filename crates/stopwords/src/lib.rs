//! NLTK's lists of stop words, for the languages of llull's retrievers.
//!
//! ```
//! let english: Vec<&str> = llull_stopwords::stop_words("en").collect();
//! assert!(english.contains(&"the"));
//! assert_eq!(llull_stopwords::stop_words("ta").count(), 0);
//! ```

mod lists;

pub use lists::stop_words;
