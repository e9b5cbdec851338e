//! `PUT /{bucket}`: CreateBucket

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;

use super::call::Call;
use crate::error::StorageError;
use crate::protocol::names;
use crate::store::buckets::{self, NewBucket};

/// Creates a bucket, public with `x-amz-acl: public-read`.
pub(super) async fn create(call: &Call) -> Result<HttpResponse, StorageError> {
    let name = &call.resource.bucket;
    names::new_bucket(name)?;
    let requester = call.requester("storage.s3.bucket.create");
    let bucket = NewBucket {
        id: name.clone(),
        name: name.clone(),
        public: call.header("x-amz-acl") == Some("public-read"),
        file_size_limit: None,
        allowed_mime_types: None,
        owner: requester.owner.clone(),
    };
    let mut connection = call.state.connection().await?;
    let tx = requester.as_user(&mut connection).await?;
    buckets::insert(&tx, &bucket).await?;
    tx.commit().await.map_err(StorageError::database)?;
    Ok(HttpResponse::Ok().insert_header((LOCATION, format!("/{name}"))).finish())
}
