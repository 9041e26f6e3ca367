//! Published schedulers to compare a tournament with; one in each file.

mod graded;
mod heapsort;
mod pairwise;
mod sorted;
mod window;

pub(super) use graded::grade;
pub use graded::graded;
pub use heapsort::heapsort;
pub use pairwise::all_pairs;
pub use sorted::Sorted;
pub use window::sliding_window;
