//! Why a provider gave no usable answer.

/// Why a provider gave no usable answer; for the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Failure {
    /// No answer.
    #[error("{0}")]
    Http(#[from] gateway::http_client::HttpError),
    /// A status other than 2xx.
    #[error("the provider answered with status {0}")]
    Status(u16),
    /// An invalid answer.
    #[error("the provider's answer {0}")]
    Answer(String),
}
