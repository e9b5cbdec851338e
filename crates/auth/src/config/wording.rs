//! The project's own mail texts.

use url::Url;

use crate::protocol::template::Template;

/// Subject and body of one kind of mail.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wording {
    pub(crate) subject: Option<Template>,
    pub(crate) body: Body,
}

/// Where the body of a mail comes from.
#[derive(Clone, Debug, Default)]
pub(crate) enum Body {
    /// The built-in template.
    #[default]
    Default,
    Given(Template),
    /// Fetched from this address when it is needed.
    At(Url),
}
