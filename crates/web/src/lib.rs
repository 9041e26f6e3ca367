//! Shows a study as pages of a server on this machine.
//!
//! [`Server::start`] shows a study to requests with its token, and reads its ledger again when another process has
//! written to it. It asks no judge, writes nothing, and takes no path from an address: the pages are a closed set, and
//! queries have numbers. [`Server::review`] shows pairs to annotators; it writes only their answers.
//!
//! | module | content |
//! |---|---|
//! | `access` | who may see a page: token, cookie, `Host`, `Origin` |
//! | `server` | the socket |
//! | `guard`, `routes` | access control and the headers of every answer; the addresses of pages |
//! | `page_request` | the pages, and requests for them |
//! | `reader` | the thread that makes pages, and reads the ledger again |
//! | `page_source` | one state of the ledger, and its pages |
//! | `own_pool` | the threads that compute |
//! | `shown` | values that are computed once, when the ledger is read |
//! | `query_list`, `label_list` | filters and order of the lists of queries and labels |
//! | `query_page` | a query, and a document of it, with the judges' replies |
//! | `attempts` | the attempts in the ledger: an index, lists, one in full |
//! | `judges_page`, `human_labels_page`, `ledger_page`, `tournament_pages` | the values of these pages |
//! | `live_page` | a run in progress, and its events for a page |
//! | `failure`, `reading_stage` | pages of failed requests, and of a study that is still being read |
//! | `address`, `time`, `titled` | addresses of pages and the places in a list; times; names of documents |
//! | `pages` | renders values as HTML, with the templates of the report |
//! | `review` | pairs, one by one, for annotators |

mod access;
mod address;
mod attempts;
mod error;
mod failure;
mod guard;
mod human_labels_page;
mod judges_page;
mod label_list;
mod ledger_page;
mod live_page;
mod own_pool;
mod page_request;
mod page_source;
mod pages;
mod query_list;
mod query_page;
mod reader;
mod reading_stage;
mod review;
mod routes;
mod server;
mod shown;
mod time;
mod titled;
mod tournament_pages;

pub use error::ServeError;
pub use reading_stage::ReadingStage;
pub use review::ReviewServerOptions;
pub use server::{ServeOptions, Server};
