//! Creating files: those that a user names, and a program's own below a folder.

mod below;
mod named;
mod output;

pub use below::{create_below, create_private_below, folder_below, own_file_below};
pub use named::create;
pub use output::{Output, remove_unfinished};
