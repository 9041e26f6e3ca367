//! From verdicts to relevance labels.
