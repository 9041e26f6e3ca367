//! The judge checks, one file each. The thresholds of a check are the constants at the top of its file.

pub(crate) mod anchor_order;
pub(crate) mod chosen_rank;
pub(crate) mod contamination;
pub(crate) mod cut_prompts;
pub(crate) mod cycles;
pub(crate) mod favoured_system;
pub(crate) mod first_side;
pub(crate) mod flips;
pub(crate) mod kappa;
pub(crate) mod length_controlled;
pub(crate) mod length_words_ranks;
pub(crate) mod middle;
pub(crate) mod middle_places;
pub(crate) mod near_copies;
pub(crate) mod one_grade;
pub(crate) mod overlap;
pub(crate) mod panel;
pub(crate) mod probes;
pub(crate) mod regrade;
pub(crate) mod same_family;
pub(crate) mod unusable;
pub(crate) mod verbosity;
