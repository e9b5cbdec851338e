//! The project's own words for a mail.

use url::Url;

use crate::protocol::template::Template;

/// What the project says on one occasion.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wording {
    pub(crate) subject: Option<Template>,
    pub(crate) body: Body,
}

/// Where the body of a letter comes from.
#[derive(Clone, Debug, Default)]
pub(crate) enum Body {
    /// It is ours.
    #[default]
    Default,
    Given(Template),
    /// From the web, when it is needed.
    At(Url),
}
