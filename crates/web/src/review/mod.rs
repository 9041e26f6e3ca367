//! Shows a study's pairs one by one to annotators.
//!
//! A page is made from a [`ReviewDesk`](llull::review::ReviewDesk), which has no judge's answer, so no byte of a page
//! can contain one. An answer is a form: it works without any script, names its pair, and is in the ledger before the
//! next pair is sent.
//!
//! | module | content |
//! |---|---|
//! | `start` | starts the server |
//! | `gate` | access as in every server here, and the token of a form |
//! | `routes` | the addresses |
//! | `forms` | the fields and buttons of forms |
//! | `desk_thread` | the one thread that holds the desk |
//! | `views` | the values of pages |
//! | `marked`, `rubric_html` | texts with the query's words marked; the rubric's Markdown |
//! | `pace` | the time that is left |

mod desk_thread;
mod forms;
mod gate;
mod marked;
mod pace;
mod pages;
mod refusal;
mod routes;
mod rubric_html;
mod start;
mod views;

pub use start::ReviewServerOptions;
