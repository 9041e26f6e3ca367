//! Creates files: named by a user, or below a program's folder.

mod below;
mod named;
mod output;

pub use below::{create_below, create_private_below, folder_below, own_file_below};
pub use named::create;
pub use output::{Output, remove_unfinished};
