//! The macro that declares a table of errors.

/// Declares the table. Fields of a variant can be used in its message; `=` gives an example for the snapshot of all
/// errors. `+` includes the table of a part of the service.
macro_rules! codes {
    ($(#[$doc:meta])* $name:ident => $(
        $(#[$variant_doc:meta])*
        $variant:ident $(($field:ident: $type:ty = $example:expr))? $status:literal $code:literal $message:literal;
    )* $(+ $inner:ident($table:ty);)*) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) enum $name {
            $($(#[$variant_doc])* $variant $(($type))?,)*
            $($inner($table),)*
        }

        impl $name {
            /// The HTTP status.
            pub(crate) fn status(&self) -> u16 {
                match self {
                    $(Self::$variant $(($crate::error::table::codes!(@any $field)))? => $status,)*
                    $(Self::$inner(error) => error.status(),)*
                }
            }

            /// The code for programs; also sent in the header `x-sb-error-code`.
            pub(crate) fn code(&self) -> &'static str {
                match self {
                    $(Self::$variant $(($crate::error::table::codes!(@any $field)))? => $code,)*
                    $(Self::$inner(error) => error.code(),)*
                }
            }

            /// The message for people.
            pub(crate) fn message(&self) -> String {
                match self {
                    $(Self::$variant $(($field))? => format!($message),)*
                    $(Self::$inner(error) => error.message(),)*
                }
            }

            /// One of each, for tests.
            #[cfg(test)]
            pub(crate) fn all() -> Vec<$name> {
                #[allow(unused_mut, reason = "only tables with inner tables need it")]
                let mut all = vec![$(Self::$variant $(($example))?,)*];
                $(all.extend(<$table>::all().into_iter().map(Self::$inner));)*
                all
            }
        }
    };
    (@any $field:ident) => { _ };
}
pub(crate) use codes;
