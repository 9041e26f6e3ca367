//! The environment, from which keys and addresses of models come. Only the command line reads the real one.

/// The environment: a variable's value, if it is set.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;
