//! `POST /object/upload/sign/{bucket}/{key}`

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};

use crate::caller::TokenHolder;
use crate::error::StorageError;
use crate::flows::receive::{decoded, header};
use crate::flows::{sign, upload};
use crate::protocol::names;
use crate::routes::path;
use crate::session::Requester;
use crate::state::State;

/// A token for an upload that the caller's policies allow now.
pub(crate) async fn sign(
    caller: TokenHolder,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    let target = path::target(&request, "/object/upload/sign")?;
    names::bucket(&target.bucket)?;
    let upsert = header(&request, "x-upsert") == Some("true");
    let requester = Requester::new(&state, &request, Some(&caller.0), "storage.object.sign_upload_url");
    let mut metadata = json!({});
    if let Some(mime_type) = header(&request, "content-type") {
        metadata["mimetype"] = Value::from(mime_type);
    }
    if let Some(length) = header(&request, "content-length").and_then(|length| length.parse::<u64>().ok()) {
        metadata["contentLength"] = Value::from(length);
    }
    let user_metadata = header(&request, "x-metadata").and_then(decoded);
    upload::allowed(&state, &requester, &target, upsert, &metadata, user_metadata.as_deref()).await?;
    let token = sign::upload(&state, &target, requester.owner.as_deref(), upsert)?;
    let url = format!("/object/upload/sign/{}/{}?token={token}", target.bucket, target.key);
    Ok(HttpResponse::Ok().json(json!({ "url": url, "token": token })))
}
