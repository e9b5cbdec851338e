//! Errors of hooks: failed calls, and refusals by the hook itself.

/// Why a hook call failed or what the hook refused.
///
/// Source: supabase/auth, `internal/hooks/hookshttp/` and `hookserrors/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HookError {
    /// All attempts together exceeded the time limit, in seconds.
    TimedOut(u64),
    /// No attempt reached the server.
    Unreachable,
    /// The response exceeds this many bytes.
    TooLong(usize),
    /// The response is not JSON; with its content type.
    ContentType(String),
    /// The response is not valid for this hook; with GoTrue's message.
    Failed(String),
    /// The hook refused with its own status and message.
    Refused(u16, String),
    /// The hook rejected a sign-in, with its own message.
    Rejected(String),
    /// The hook rejected an attempt with a second factor, with its own message.
    MfaRejected(String),
}

impl HookError {
    pub(crate) fn status(&self) -> u16 {
        match self {
            HookError::TimedOut(_) | HookError::Unreachable | HookError::TooLong(_) => 422,
            HookError::ContentType(_) | HookError::Rejected(_) => 400,
            HookError::MfaRejected(_) => 403,
            HookError::Failed(_) => 500,
            HookError::Refused(status, _) => *status,
        }
    }

    pub(crate) fn code(&self) -> &'static str {
        match self {
            HookError::TimedOut(_) => "hook_timeout",
            HookError::Unreachable => "hook_timeout_after_retry",
            HookError::TooLong(_) => "hook_payload_over_size_limit",
            HookError::ContentType(_) => "hook_payload_invalid_content_type",
            HookError::Rejected(_) => "invalid_credentials",
            HookError::MfaRejected(_) => "mfa_verification_rejected",
            HookError::Failed(_) | HookError::Refused(500, _) => "unexpected_failure",
            HookError::Refused(..) => "unknown",
        }
    }

    pub(crate) fn message(&self) -> String {
        match self {
            HookError::TimedOut(seconds) => {
                format!("Failed to reach hook within maximum time of {seconds}.000000 seconds")
            }
            HookError::Unreachable => "Failed to reach hook after maximum retries".to_owned(),
            HookError::TooLong(limit) => format!("Payload size exceeded size limit of {limit} bytes"),
            HookError::ContentType(text)
            | HookError::Failed(text)
            | HookError::Refused(_, text)
            | HookError::Rejected(text)
            | HookError::MfaRejected(text) => text.clone(),
        }
    }

    /// For the log. It leaves out the hook's own message, which may be about a user.
    pub(crate) fn for_log(&self) -> &str {
        match self {
            HookError::Failed(text) => text,
            _ => self.code(),
        }
    }

    /// True if the response has the header `x-sb-error-code`.
    pub(crate) fn is_named(&self) -> bool {
        !matches!(self, HookError::Refused(..))
    }

    /// One of each, for tests.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<HookError> {
        vec![
            HookError::TimedOut(5),
            HookError::Unreachable,
            HookError::TooLong(204_800),
            HookError::ContentType("Invalid Content-Type: Missing Content-Type header".to_owned()),
            HookError::Failed("Service currently unavailable due to hook".to_owned()),
            HookError::Refused(500, "no".to_owned()),
            HookError::Refused(418, "I am a teapot".to_owned()),
            HookError::Rejected("Further password verification attempts will be rejected.".to_owned()),
            HookError::MfaRejected("Further MFA verification attempts will be rejected.".to_owned()),
        ]
    }
}
