//! What kept vectors say of how near in meaning changed texts are to what they were. No encoder is asked, so reports
//! say it, too.

mod cosines;
mod in_report;
mod paraphrases;
mod probes;

pub(crate) use cosines::{ROLE, known_cosines};
pub(crate) use in_report::known_meaning;
pub(crate) use paraphrases::{Reworded, of_paraphrases};
pub(crate) use probes::{ChangedTexts, of_probes};
