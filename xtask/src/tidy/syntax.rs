//! Parses the parts of Rust's syntax that the rules need.
//!
//! These are items, `use` trees, and paths inside bodies.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// An item of a module, outside tests.
pub(super) struct Item {
    pub(super) kind: Kind,
    /// Its name; empty for `use`, `impl` and the like.
    pub(super) name: String,
    /// Whether it only declares or imports: `mod x;`, `use x;`.
    pub(super) is_declaration: bool,
    /// Keyword and name, for messages.
    pub(super) described: String,
    /// The paths that occur in it, of two segments or more.
    pub(super) paths: Vec<Vec<String>>,
    /// The `use` trees inside its bodies.
    pub(super) inner_uses: Vec<UseLeaf>,
}

/// The kind of an item.
pub(super) enum Kind {
    /// `mod x;`, or `mod x { ... }` with these items.
    Module(Option<Vec<Item>>),
    /// `use`, a leaf for each name.
    Use(Vec<UseLeaf>),
    /// Anything else.
    Other,
}

/// One name that a `use` brings in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UseLeaf {
    /// The whole path.
    pub(super) path: Vec<String>,
    /// The name that it is given; `None` for `*`.
    pub(super) name: Option<String>,
}

/// The items of a file outside tests. Items under `#[cfg(test)]` count as one that is called `tests`, and hold nothing.
///
/// # Errors
///
/// Returns the lexer's message if the text is not Rust.
pub(super) fn items(text: &str) -> Result<Vec<Item>, String> {
    let tokens: TokenStream = text.parse().map_err(|error| format!("this is not Rust: {error}"))?;
    Ok(items_of(tokens))
}

/// The keywords before the name of a definition.
const NAMING: [&str; 10] =
    ["mod", "struct", "enum", "union", "trait", "type", "fn", "const", "static", "macro_rules!"];

/// A position in a list of tokens.
struct Cursor {
    tokens: Vec<TokenTree>,
    at: usize,
}

impl Cursor {
    fn new(tokens: TokenStream) -> Self {
        Self { tokens: tokens.into_iter().collect(), at: 0 }
    }

    fn peek(&self, ahead: usize) -> Option<&TokenTree> {
        self.tokens.get(self.at + ahead)
    }

    fn ident(&self, ahead: usize) -> Option<String> {
        match self.peek(ahead)? {
            TokenTree::Ident(ident) => Some(ident.to_string()),
            _ => None,
        }
    }

    fn is_punct(&self, ahead: usize, punct: char) -> bool {
        matches!(self.peek(ahead), Some(TokenTree::Punct(found)) if found.as_char() == punct)
    }

    fn is_double_colon(&self, ahead: usize) -> bool {
        self.is_punct(ahead, ':') && self.is_punct(ahead + 1, ':')
    }

    fn group(&self, ahead: usize, delimiter: Delimiter) -> Option<&Group> {
        match self.peek(ahead)? {
            TokenTree::Group(group) if group.delimiter() == delimiter => Some(group),
            _ => None,
        }
    }
}

fn items_of(tokens: TokenStream) -> Vec<Item> {
    let mut cursor = Cursor::new(tokens);
    let mut items = Vec::new();
    while cursor.peek(0).is_some() {
        let is_test = attributes(&mut cursor);
        skip_visibility(&mut cursor);
        if let Some(item) = item(&mut cursor) {
            items.push(if is_test { test_item() } else { item });
        } else {
            cursor.at += 1;
        }
    }
    items
}

fn test_item() -> Item {
    Item {
        kind: Kind::Other,
        name: String::new(),
        is_declaration: false,
        described: "tests".to_owned(),
        paths: Vec::new(),
        inner_uses: Vec::new(),
    }
}

/// Skips attributes, and returns whether one of them is `#[test]` or `#[cfg(test)]`.
fn attributes(cursor: &mut Cursor) -> bool {
    let mut is_test = false;
    while cursor.is_punct(0, '#') {
        let inner = usize::from(cursor.is_punct(1, '!'));
        let Some(group) = cursor.group(1 + inner, Delimiter::Bracket) else { break };
        let text = group.stream().to_string().replace(' ', "");
        is_test |= inner == 0
            && (text == "test" || text.starts_with("cfg(test") || text.starts_with("cfg(all(test"));
        cursor.at += 2 + inner;
    }
    is_test
}

fn skip_visibility(cursor: &mut Cursor) {
    if cursor.ident(0).as_deref() == Some("pub") {
        let is_restricted = cursor.group(1, Delimiter::Parenthesis).is_some();
        cursor.at += 1 + usize::from(is_restricted);
    }
}

/// Reads one item and moves behind it; `None` at the end or at a stray token.
fn item(cursor: &mut Cursor) -> Option<Item> {
    let start = cursor.at;
    let (keyword, name) = keyword(cursor)?;
    let ends_with_semicolon = matches!(keyword.as_str(), "use" | "const" | "static" | "type");
    while let Some(token) = cursor.peek(0) {
        let ends = match token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && !ends_with_semicolon,
            _ => false,
        };
        cursor.at += 1;
        if ends {
            break;
        }
    }
    let tokens = cursor.tokens.get(start..cursor.at)?;
    let body = tokens.last().and_then(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    let kind = match keyword.as_str() {
        "mod" => Kind::Module(body.map(items_of)),
        "use" => Kind::Use(use_tree(tokens.get(1..)?)),
        _ => Kind::Other,
    };
    let is_declaration = matches!(kind, Kind::Module(None) | Kind::Use(_));
    let (mut paths, mut inner_uses) = (Vec::new(), Vec::new());
    if matches!(kind, Kind::Other) {
        collect_paths(tokens.iter().cloned().collect(), &mut paths, &mut inner_uses);
    }
    let described = format!("{keyword} {name}").trim_end().to_owned();
    let name = if NAMING.contains(&keyword.as_str()) { name } else { String::new() };
    Some(Item { kind, name, is_declaration, described, paths, inner_uses })
}

/// The item's keyword and name. The cursor moves to the keyword.
fn keyword(cursor: &mut Cursor) -> Option<(String, String)> {
    loop {
        let word = cursor.ident(0)?;
        let next = cursor.ident(1).unwrap_or_default();
        let is_modifier = match word.as_str() {
            "unsafe" | "async" | "default" | "auto" => true,
            "const" => matches!(next.as_str(), "fn" | "unsafe" | "async" | "extern"),
            "extern" => cursor.ident(2).as_deref() == Some("fn"),
            _ => false,
        };
        if !is_modifier {
            if cursor.is_punct(1, '!') {
                let name = cursor.ident(2).unwrap_or_default();
                return Some((format!("{word}!"), name));
            }
            return Some((word, next));
        }
        cursor.at += if word == "extern" { 2 } else { 1 };
    }
}

/// The leaves of a `use` tree: the tokens between `use` and `;`.
fn use_tree(tokens: &[TokenTree]) -> Vec<UseLeaf> {
    let mut leaves = Vec::new();
    use_branch(&mut Cursor { tokens: tokens.to_vec(), at: 0 }, &[], &mut leaves);
    leaves
}

fn use_branch(cursor: &mut Cursor, prefix: &[String], leaves: &mut Vec<UseLeaf>) {
    while cursor.peek(0).is_some() {
        let mut path = prefix.to_vec();
        let mut name = None;
        loop {
            if let Some(word) = cursor.ident(0) {
                cursor.at += 1;
                if word == "as" {
                    name = cursor.ident(0);
                    cursor.at += 1;
                } else {
                    path.push(word);
                }
            } else if cursor.is_double_colon(0) {
                cursor.at += 2;
            } else {
                break;
            }
        }
        if let Some(group) = cursor.group(0, Delimiter::Brace) {
            let inner = group.stream();
            cursor.at += 1;
            use_branch(&mut Cursor::new(inner), &path, leaves);
        } else if cursor.is_punct(0, '*') {
            cursor.at += 1;
            leaves.push(UseLeaf { path, name: None });
        } else if path.len() > prefix.len() {
            if path.last().is_some_and(|last| last == "self") {
                path.pop();
            }
            let name = name.or_else(|| path.last().cloned());
            leaves.push(UseLeaf { path, name });
        }
        // a comma, a semicolon, or another token that is not part of a use tree
        cursor.at += 1;
    }
}

/// Collects paths of two segments or more, and `use` trees, from bodies and the arguments of macros.
fn collect_paths(tokens: TokenStream, paths: &mut Vec<Vec<String>>, uses: &mut Vec<UseLeaf>) {
    let mut cursor = Cursor::new(tokens);
    while let Some(token) = cursor.peek(0) {
        match token {
            TokenTree::Group(group) => {
                let inner = group.stream();
                collect_paths(inner, paths, uses);
                cursor.at += 1;
            }
            TokenTree::Ident(word) if word == "use" => {
                let start = cursor.at + 1;
                while cursor.peek(0).is_some() && !cursor.is_punct(0, ';') {
                    cursor.at += 1;
                }
                uses.extend(use_tree(cursor.tokens.get(start..cursor.at).unwrap_or_default()));
            }
            TokenTree::Ident(word) => {
                let mut path = vec![word.to_string()];
                cursor.at += 1;
                while cursor.is_double_colon(0) {
                    let Some(next) = cursor.ident(2) else { break };
                    path.push(next);
                    cursor.at += 3;
                }
                if path.len() > 1 {
                    paths.push(path);
                }
            }
            // a path after `>::` is part of the path before
            TokenTree::Punct(_) if cursor.is_double_colon(0) && cursor.ident(2).is_some() => cursor.at += 3,
            _ => cursor.at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(text: &str) -> Vec<String> {
        let items = items(text).unwrap();
        let uses = items.iter().flat_map(|item| match &item.kind {
            Kind::Use(leaves) => leaves.clone(),
            _ => item.inner_uses.clone(),
        });
        uses.map(|leaf| format!("{} = {}", leaf.name.unwrap_or("*".into()), leaf.path.join("::"))).collect()
    }

    #[test]
    fn use_trees() {
        let text = "pub use a::b::{self, C as D, e::*, f::{G, H}};\nuse crate::x;";
        let expected =
            ["b = a::b", "D = a::b::C", "* = a::b::e", "G = a::b::f::G", "H = a::b::f::H", "x = crate::x"];
        assert_eq!(leaves(text), expected);
        assert_eq!(leaves("fn f() { if x { use super::y::Z; } }"), ["Z = super::y::Z"]);
    }

    #[test]
    fn items_and_their_names() {
        let text = "#![allow(x)]\n/// Says crate::nothing\npub struct A<T>(T) where T: B;\npub(crate) enum C { D }\n\
                    const fn e() {}\nunsafe impl X for Y {}\nconst F: G = G { h: 1 };\nmacro_rules! i { () => {} }\n\
                    pub mod j;\nmod k { pub trait L {} }\n#[cfg(test)]\nmod tests { use crate::m; }\nn! { o }\n";
        let items = items(text).unwrap();
        let described: Vec<&str> = items.iter().map(|item| item.described.as_str()).collect();
        assert_eq!(
            described,
            [
                "struct A",
                "enum C",
                "fn e",
                "impl X",
                "const F",
                "macro_rules! i",
                "mod j",
                "mod k",
                "tests",
                "n!"
            ]
        );
        let named: Vec<&str> = items.iter().map(|item| item.name.as_str()).collect();
        assert_eq!(named, ["A", "C", "e", "", "F", "i", "j", "k", "", ""]);
        assert!(items.iter().all(|item| item.paths.is_empty() && item.inner_uses.is_empty()));
    }

    #[test]
    fn paths_in_bodies_and_macros() {
        let text =
            "fn f(x: Vec<crate::a::B>) -> super::C { g!(\"{}\", crate::d::e::<self::F>()); <H as I>::j() }";
        let items = items(text).unwrap();
        let paths: Vec<String> = items[0].paths.iter().map(|path| path.join("::")).collect();
        assert_eq!(paths, ["crate::a::B", "super::C", "crate::d::e", "self::F"]);
    }
}
