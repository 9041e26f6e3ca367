//! A study's pairs, one by one, for people to judge.
//!
//! What a page holds is made from a [`ReviewDesk`](llull::review::ReviewDesk), which knows no judge's answer, so there
//! is none in any byte that is sent. An answer is a form: it works without any script, names the pair that it is about,
//! and is in the ledger before the next pair is sent for.
//!
//! | module | what is in it |
//! |---|---|
//! | `start` | how the server is started |
//! | `gate` | which requests reach a page: as of every server here, and what a form must show |
//! | `routes` | the addresses |
//! | `forms` | what a form says |
//! | `desk_thread` | the one thread that holds the desk |
//! | `views` | what pages show |
//! | `marked` | texts with the query's words marked |

mod desk_thread;
mod forms;
mod gate;
mod marked;
mod pages;
mod refusal;
mod routes;
mod start;
mod views;

pub use start::ReviewServerOptions;
