//! The environment, the source of keys and addresses of models.
//!
//! Only the command line reads the real one.

/// The environment: a variable's value, if it is set.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The variables of the environment that every program gets; none of them is a key.
///
/// They decide which code it loads and which certificates it trusts. So they come from the process alone, and from no
/// `.env`, which may be a stranger's.
pub const PROGRAM_VARIABLES: [&str; 13] = [
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "TEMP",
    "SYSTEMROOT",
    "VIRTUAL_ENV",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
];

/// Returns the environment of a program of the user's: the usual variables, and the named ones that are set.
pub fn given_environment(names: &[String], environment: Environment<'_>) -> Vec<(String, String)> {
    let named = names.iter().map(String::as_str);
    let all = PROGRAM_VARIABLES.into_iter().chain(named);
    all.filter_map(|name| Some((name.to_owned(), environment(name)?))).collect()
}
