//! Ids: short texts that are cheap to clone.

use std::fmt;

use smol_str::SmolStr;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(SmolStr);

        impl $name {
            /// The id with this text.
            #[must_use]
            pub fn new(text: &str) -> Self {
                $name(SmolStr::new(text))
            }

            /// The id's text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id! {
    /// A player's id in the league's records: Retrosheet's `troum001`, or the app's UUID.
    PlayerId
}
id! {
    /// A team: Retrosheet's `ANA`, or the app's UUID.
    TeamId
}
id! {
    /// A game: Retrosheet's `ANA201604040`, whose last digit numbers the games of a double-header from 1 (0: single
    /// game).
    GameId
}

impl GameId {
    /// The four digits of the year in an id of Retrosheet's form.
    #[must_use]
    pub fn year(&self) -> Option<u16> {
        self.0.get(3..7)?.parse().ok()
    }
}
