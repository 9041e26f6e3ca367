//! The configuration of a study.

use llull_config::{Folder, Settings};

/// The settings of a study, and the folder that their paths are relative to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StudyConfig<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) folder: &'a Folder,
}
