//! How often human labels confirmed verdicts that were as clear as this one.

mod published;
mod words;

pub use words::{CollectionRecord, TrackRecord};
pub(crate) use words::{Recorded, track_record_lines};
