//! The roles of columns in files whose rows have one form: comparisons, samples and sheets.

use super::columns::Columns;
use super::fields::FieldMap;
use super::read::TableNotes;
use super::roles::{Role, TableKind};
use crate::DataError;
use crate::lines::Line;
use crate::unread::UnreadField;

/// The names of a file's columns, with their roles.
pub(crate) struct Header {
    kind: TableKind,
    names: Vec<String>,
    /// `None` for a column without a role, and for one whose role another column has.
    roles: Vec<Option<Role>>,
}

impl Header {
    /// Finds the roles of columns: those that the user names have theirs, and others are found by their usual names.
    ///
    /// # Errors
    /// Returns an error if several columns could have one role.
    pub(crate) fn find(
        kind: TableKind,
        columns: &Columns,
        names: Vec<String>,
        line: &Line<'_>,
    ) -> Result<Self, DataError> {
        let mut map = FieldMap::new(kind, columns, &names).map_err(|ambiguity| ambiguity.of(line.file))?;
        let mut role = |name: &String| map.role(name).filter(|role| map.best(*role) == Some(name));
        let roles = names.iter().map(&mut role).collect();
        Ok(Self { kind, names, roles })
    }

    /// Returns whether it is made of these names, in this order.
    pub(crate) fn has_names<'n>(&self, names: impl Iterator<Item = &'n String>) -> bool {
        self.names.iter().eq(names)
    }

    /// Returns the number of columns.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns the name of a column.
    pub(crate) fn name(&self, at: usize) -> &str {
        self.names.get(at).map_or("", String::as_str)
    }

    /// Returns the place of the first column with a role, from 0.
    pub(crate) fn at(&self, role: Role) -> Option<usize> {
        self.roles.iter().position(|found| *found == Some(role))
    }

    /// Returns the roles that columns have, each with the name of its column.
    pub(crate) fn roles(&self) -> impl Iterator<Item = (Role, &str)> {
        let roles = self.roles.iter().zip(&self.names);
        roles.filter_map(|(role, name)| Some(((*role)?, name.as_str())))
    }

    /// Returns the name of a column with a role that another column has, too.
    pub(crate) fn repeated(&self) -> Option<&str> {
        let is_later =
            |(at, role): &(usize, &Option<Role>)| role.is_some_and(|role| self.at(role) != Some(*at));
        self.roles.iter().enumerate().find(is_later).map(|(at, _)| self.name(at))
    }

    /// Notes which columns have the roles that count. Returns the names of the others.
    pub(crate) fn note(&self, file: &str, counting: &[Role], columns: &Columns) -> Vec<String> {
        let places: Vec<(Role, usize)> =
            counting.iter().filter_map(|role| Some((*role, self.at(*role)?))).collect();
        let used = places.iter().map(|(role, at)| (role.name(self.kind), vec![self.name(*at).to_owned()]));
        let is_unused = |(at, name): &(usize, &String)| {
            !name.is_empty()
                && !places.iter().any(|(_, used)| used == at)
                && !columns.ignored().contains(name)
        };
        let unused = self.names.iter().enumerate().filter(is_unused);
        let unused: Vec<String> = unused.map(|(_, name)| name.clone()).collect();
        let unread =
            unused.iter().map(|name| UnreadField { name: name.clone(), count: 0, first: 0 }).collect();
        TableNotes { used: used.collect(), unread, ..TableNotes::default() }.note(file, columns);
        unused
    }
}
