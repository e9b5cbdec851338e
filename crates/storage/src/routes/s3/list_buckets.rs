//! `GET /`: ListBuckets

use actix_web::HttpResponse;

use super::answer;
use super::call::Call;
use crate::error::StorageError;
use crate::store::buckets::{self, Page};

/// The buckets that the caller sees.
pub(super) async fn list(call: &Call) -> Result<HttpResponse, StorageError> {
    let requester = call.requester("storage.s3.bucket.list");
    let mut connection = call.state.connection().await?;
    let tx = requester.as_user(&mut connection).await?;
    let found = buckets::list(&tx, &Page::default()).await?;
    tx.rollback().await.map_err(StorageError::database)?;
    answer::xml("ListAllMyBucketsResult", |xml| {
        xml.element("Buckets", |xml| {
            for bucket in &found {
                xml.element("Bucket", |xml| {
                    xml.content("Name", bucket.id.as_str())?;
                    answer::optional(xml, "CreationDate", bucket.created_at.map(answer::time).as_deref())
                })?;
            }
            Ok(())
        })
    })
}
