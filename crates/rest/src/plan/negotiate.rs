//! Content negotiation: the first accepted media type that a handler can produce.

use pg::QualifiedIdent;

use super::node::ReadNode;
use crate::catalog::Catalog;
use crate::catalog::handler::Handler;
use crate::config::Config;
use crate::error::Error;
use crate::request::prefer::Representation;
use crate::request::{Action, ApiRequest, Invoke, MediaType};

/// Chooses the handler and the media type of the body.
///
/// # Errors
/// PGRST107 if no handler matches.
pub(super) fn handler(
    config: &Config,
    request: &ApiRequest,
    target: &QualifiedIdent,
    catalog: &Catalog,
    read: &ReadNode,
) -> Result<(Handler, MediaType), Error> {
    let whole_rows = read.selects_whole_rows();
    let find = |media: &MediaType| -> Option<(Handler, MediaType)> {
        let fixed = |media: &MediaType| match media {
            MediaType::Singular { strip_nulls } => Some(Handler::SingleJson { strip_nulls: *strip_nulls }),
            MediaType::StrippedArray => Some(Handler::StrippedJson),
            _ => None,
        };
        match media {
            MediaType::Plan(_) if !config.db_plan_enabled => None,
            MediaType::Plan(plan) => {
                let of = || catalog.handlers.find(target, &plan.of, whole_rows).map(|(handler, _)| handler);
                Some((fixed(&plan.of).or_else(of)?, media.clone()))
            }
            media => match fixed(media) {
                Some(handler) => Some((handler, media.clone())),
                None => catalog.handlers.find(target, media, whole_rows),
            },
        }
    };
    let (handler, media) = request.accept.iter().find_map(find).ok_or_else(|| not_acceptable(request))?;
    let wants_body = match &request.action {
        Action::Mutate { .. } => request.prefer.representation == Some(Representation::Full),
        Action::Read { headers_only, .. } | Action::Call { invoke: Invoke::Get { headers_only }, .. } => !headers_only,
        _ => true,
    };
    Ok((if wants_body { handler } else { Handler::None }, media))
}

/// The root is OpenAPI, which is also JSON.
///
/// # Errors
/// PGRST107 if the client accepts neither.
pub(super) fn description(request: &ApiRequest) -> Result<(), Error> {
    let fits = |media: &MediaType| matches!(media, MediaType::OpenApi | MediaType::Json | MediaType::Any);
    if request.accept.iter().any(fits) { Ok(()) } else { Err(not_acceptable(request)) }
}

fn not_acceptable(request: &ApiRequest) -> Error {
    Error::NotAcceptable(request.accept.iter().map(MediaType::mime).collect())
}
