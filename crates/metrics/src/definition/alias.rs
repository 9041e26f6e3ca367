//! Other names of a measure.

/// Another name of a measure. Upper and lower case are the same but for [`Meaning::ExactCase`].
pub(crate) struct Alias {
    pub(crate) name: &'static str,
    pub(crate) meaning: Meaning,
    /// Whether a measure of this name is printed under it. trec_eval's names are not echoed: they are those of
    /// `--format trec`.
    pub(crate) is_echoed: bool,
}

/// The meaning of an alias besides the measure.
#[derive(Clone, Copy)]
pub(crate) enum Meaning {
    /// Nothing.
    Same,
    /// A parameter, as in `rel=1`.
    With(&'static str),
    /// A parameter; only the name in lower case means it.
    ExactCase(&'static str),
    /// Nothing; it needs a cutoff, though the measure does not.
    NeedsCutoff,
    /// Nothing; without a cutoff it means the measure of this name, which has the same parameters.
    WithoutCutoff(&'static str),
}

impl Alias {
    pub(crate) const fn same(name: &'static str) -> Self {
        Self { name, meaning: Meaning::Same, is_echoed: false }
    }

    pub(crate) const fn with(name: &'static str, parameter: &'static str) -> Self {
        Self { name, meaning: Meaning::With(parameter), is_echoed: false }
    }

    pub(crate) const fn exact_case(name: &'static str, parameter: &'static str) -> Self {
        Self { name, meaning: Meaning::ExactCase(parameter), is_echoed: false }
    }

    pub(crate) const fn needs_cutoff(name: &'static str) -> Self {
        Self { name, meaning: Meaning::NeedsCutoff, is_echoed: false }
    }

    pub(crate) const fn without_cutoff(name: &'static str, other: &'static str) -> Self {
        Self { name, meaning: Meaning::WithoutCutoff(other), is_echoed: false }
    }

    /// The same name, under which the measure is printed, too.
    pub(crate) const fn echoed(self) -> Self {
        Self { is_echoed: true, ..self }
    }

    /// Whether `written` is this name.
    pub(crate) fn is(&self, written: &str) -> bool {
        match self.meaning {
            Meaning::ExactCase(_) => self.name == written,
            _ => self.name.eq_ignore_ascii_case(written),
        }
    }
}

/// trec_eval's and ranx's way to write a parameter that is not a cutoff: behind a name and one of `_` and `.`, as in
/// `set_F_0.5` and `rbp.95`.
pub(crate) struct WrittenBehind {
    /// The name, one of the measure's own, in the case in which it is written.
    pub(crate) name: &'static str,
    /// The arguments that a text from the `_` or `.` on stands for; `None` if it is no parameter.
    pub(crate) arguments: fn(&str) -> Option<String>,
}
