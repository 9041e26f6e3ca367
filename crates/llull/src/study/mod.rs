//! A study: in a folder or in memory, and how new ones are made.

mod builder;
mod demo;
mod scaffold;
mod study;

pub use builder::StudyBuilder;
pub use demo::write_demo;
pub use scaffold::Scaffold;
pub use study::Study;
