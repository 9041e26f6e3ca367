//! The report as data, and its Markdown and JSON.
