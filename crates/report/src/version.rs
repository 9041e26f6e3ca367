//! The versions of the report's format.

/// The version of the report's format. It rises when a reader of the old format would misread the new one.
pub const VERSION: u32 = 1;

/// The version of a report on judges that compare. A reader of version 1 would take places in an order for grades on
/// the rubric's scale, so it has to refuse such a report; a report on graded judges alone keeps version 1.
pub const TOURNAMENT_VERSION: u32 = 2;
