//! `HEAD /{bucket}/{key}`: HeadObject

use actix_web::HttpResponse;

use super::call::Call;
use super::get_object::{describe, find};
use crate::error::StorageError;
use crate::flows::serve;

/// The headers of an object.
pub(super) async fn head(call: &Call) -> Result<HttpResponse, StorageError> {
    let object = find(call, "storage.s3.object.info").await?;
    let mut response = serve::head(&call.state, &call.request, &object)?;
    describe(&object, response.headers_mut());
    Ok(response)
}
