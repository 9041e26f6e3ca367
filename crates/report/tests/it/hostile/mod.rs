//! Identifiers that try to be markup.

/// Text that no identifier should hold and some do: quotes, brackets, pipes, lines, fences, directives, entities.
pub(crate) const HOSTILE: [&str; 8] = [
    "\"]; x --> y[\"",
    "a\"; b -> c [label=\"d",
    "back\\slash\\",
    "%%{init: {'theme': 'dark'}}%%",
    "```\n# out\n<script>alert(1)</script>",
    "#quot;&quot;&#34;#34;\u{fb02}°°34¶ß",
    "1. item | cell",
    "`**x**` $$y$$ fa:fa-car click t0 href \"javascript:z\"",
];
