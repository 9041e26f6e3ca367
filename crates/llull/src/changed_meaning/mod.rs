//! How near in meaning changed texts are to what they were, by an encoder: queries that are worded anew, and documents
//! that probes change. So a reader sees how much a probe changed beside how far the judge moved.

mod cosines;
mod paraphrases;
mod probes;
