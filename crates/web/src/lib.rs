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
//! | `server` | the socket |
//! | `guard`, `routes` | who is answered, and the headers of every answer; the addresses of pages |
//! | `asked` | the pages that can be asked for, and how one is |
//! | `reader` | which thread makes a page, and when the ledger is read again |
//! | `held` | the study as its ledger was, and the pages of that |
//! | `shown` | what is made once, when the ledger is read |
//! | `query_list`, `label_list` | which queries, and which labels, a list shows, in which order |
//! | `attempts` | the attempts in the ledger: an index of all, lists, one word for word |
//! | `judges_page`, `people_page`, `ledger_page`, `tournament_pages` | what these pages show |
//! | `live_page`, `live_events` | a run while it is on, and how a page follows it |
//! | `address`, `time` | addresses of pages and the places in a list; times |
//! | `pages` | from values to HTML, by the templates of the report |
//! | `review` | pairs, one by one, for people to judge |

mod access;
mod address;
mod asked;
mod attempts;
mod error;
mod guard;
mod held;
mod judges_page;
mod label_list;
mod ledger_page;
mod live_events;
mod live_page;
mod pages;
mod people_page;
mod query_list;
mod reader;
mod review;
mod routes;
mod server;
mod shown;
mod time;
mod tournament_pages;

pub use error::ServeError;
pub use review::ReviewServerOptions;
pub use server::{ServeOptions, Server};
