//! Parts of the caller's own, which settings hold by reference.

/// Makes a type for each kind of part. A part is equal to itself alone.
macro_rules! custom {
    ($($(#[$doc:meta])* $name:ident: $part:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $name(pub std::sync::Arc<dyn $part>);

        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                std::sync::Arc::ptr_eq(&self.0, &other.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_tuple(stringify!($name)).field(&self.0.name()).finish()
            }
        }
    )+};
}

pub(crate) use custom;
