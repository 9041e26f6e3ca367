//! llull on the command line.
fn main() {}
