//! A study as pages of a server on this machine.
//!
//! [`Server::start`] shows a study to those who have its token, and reads its ledger again when another process has
//! written to it. Nothing is asked, nothing is written, and no path is ever taken from an address: the pages are a
//! closed set, and queries have numbers. [`Server::review`] shows pairs to people who judge them; their answers are all
//! that it writes.
//!
//! | module | what is in it |
//! |---|---|
//! | `access` | who may see a page: token, cookie, `Host`, `Origin` |
//! | `server` | the socket, the addresses of pages, the headers of every answer |
//! | `reader` | the one thread that holds the study and makes pages |
//! | `query_list` | which queries a list shows, in which order |
//! | `attempts` | the attempts in the ledger: an index of all, lists, one word for word |
//! | `address`, `time` | addresses of pages and the places in a list; times |
//! | `pages` | from values to HTML, by the templates of the report |
//! | `review` | pairs, one by one, for people to judge |

mod access;
mod address;
mod attempts;
mod error;
mod pages;
mod query_list;
mod reader;
mod review;
mod server;
mod time;

pub use error::ServeError;
pub use review::ReviewServerOptions;
pub use server::{ServeOptions, Server};
