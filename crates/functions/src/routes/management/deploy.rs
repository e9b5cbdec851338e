//! `POST /v1/projects/{ref}/functions/deploy?slug=NAME[&bundleOnly=true]`

use std::convert::Infallible;

use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use actix_web::web::{Data, Payload, Query};
use actix_web::{Error, HttpRequest, HttpResponse};
use bytes::Bytes;
use futures_util::stream;
use gateway::guard::ServiceRole;
use gateway::{body, wire};
use multer::Multipart;
use serde::Deserialize;

use super::Name;
use crate::flows::DeployError;
use crate::model::Bundle;
use crate::model::bundle::{BundleError, MAX_FILES, Metadata};
use crate::state::State;

/// The part with [`Metadata`], in bytes.
const MAX_METADATA: usize = 64 * 1024;

#[derive(Deserialize)]
pub(super) struct Target {
    slug: Option<String>,
    #[serde(rename = "bundleOnly", default)]
    bundle_only: bool,
}

/// Takes the files of a function, and serves them.
pub(super) async fn deploy(
    _: ServiceRole,
    request: HttpRequest,
    (state, path): (Data<State>, Name),
    target: Query<Target>,
    payload: Payload,
) -> Result<HttpResponse, Error> {
    if path.name != "deploy" {
        return Err(DeployError::NotFound.into());
    }
    let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    // A few compressed bytes can be any number of bytes.
    if request.headers().contains_key(CONTENT_ENCODING) {
        return Err(DeployError::Form("The form must not be compressed".to_owned()).into());
    }
    let boundary = multer::parse_boundary(header(CONTENT_TYPE))
        .map_err(|_| DeployError::Form("The files of a function are sent as multipart/form-data".to_owned()))?;
    let body = body::read(&request, &mut payload.into_inner()).await;
    let body = body.map_err(|refusal| wire::refuse(&request, refusal))?;
    let form = stream::iter([Ok::<Bytes, Infallible>(Bytes::clone(&body))]);
    let (metadata, files) = parts(Multipart::new(form, boundary)).await?;
    let name = target.slug.as_deref().unwrap_or_default();
    let bundle = Bundle::new(name, &metadata, files).map_err(DeployError::from)?;
    let version = state.stage(bundle).await?;
    let shown = if target.bundle_only { version.shown() } else { state.serve(name, version.number).await?.shown() };
    Ok(HttpResponse::Created().json(shown))
}

/// The parts of the form: one `metadata`, and any number of `file`, in any order.
async fn parts(mut form: Multipart<'_>) -> Result<(Metadata, Vec<(String, Bytes)>), DeployError> {
    let broken = |error: multer::Error| DeployError::Form(format!("The form cannot be read: {error}"));
    let (mut metadata, mut files) = (None, Vec::new());
    while let Some(field) = form.next_field().await.map_err(broken)? {
        match field.name() {
            Some("metadata") => {
                let text = field.bytes().await.map_err(broken)?;
                if text.len() > MAX_METADATA {
                    return Err(DeployError::Form(format!("The metadata has at most {MAX_METADATA} bytes")));
                }
                let read = serde_json::from_slice(&text);
                metadata =
                    Some(read.map_err(|error| DeployError::Form(format!("The metadata cannot be used: {error}")))?);
            }
            Some("file") => {
                let path = field.file_name().unwrap_or_default().to_owned();
                files.push((path, field.bytes().await.map_err(broken)?));
                if files.len() > MAX_FILES {
                    return Err(BundleError::TooMany.into());
                }
            }
            _ => {}
        }
    }
    let metadata = metadata.ok_or_else(|| DeployError::Form("The form has no metadata".to_owned()))?;
    Ok((metadata, files))
}
