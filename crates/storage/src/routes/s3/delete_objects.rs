//! `POST /{bucket}?delete`: DeleteObjects

use actix_web::HttpResponse;
use s3s::dto::Delete;

use super::answer;
use super::call::Call;
use crate::error::StorageError;
use crate::flows::{remove, upload};
use crate::store::objects;

/// Maximum number of keys in a request.
///
/// DEVIATION (stricter): DeleteObjects takes 1,000 keys at most, as in S3; upstream has this limit only when it is set.
pub(super) const KEYS_LIMIT: usize = 1000;

/// Deletes those of the objects that the caller may delete. Objects that do not exist count as deleted.
pub(super) async fn delete(call: &mut Call) -> Result<HttpResponse, StorageError> {
    let wanted = call.xml::<Delete>().await?;
    let wanted = wanted.ok_or_else(|| StorageError::invalid_request("Body must have required property 'Delete'"))?;
    let names: Vec<String> = wanted.objects.into_iter().map(|object| object.key).collect();
    if names.len() > KEYS_LIMIT {
        let message = format!("Bulk object requests are limited to {KEYS_LIMIT} objects per request.");
        return Err(StorageError::invalid_request(message));
    }
    let requester = call.requester("storage.s3.object.delete_many");
    let bucket = &call.resource.bucket;
    let deleted = remove::many(&call.state, &requester, bucket, &names).await?;
    if deleted.is_empty() {
        upload::bucket(&call.state, &requester, bucket).await?;
    }
    let mut connection = call.state.connection().await?;
    let tx = requester.as_service(&mut connection).await?;
    let kept = objects::existing(&tx, bucket, &names).await?;
    tx.rollback().await.map_err(StorageError::database)?;
    let is_kept = |name: &String| kept.contains_key(name) && !deleted.iter().any(|object| object.name == *name);
    let (refused, gone): (Vec<&String>, Vec<&String>) = names.iter().partition(|name| is_kept(name));
    answer::xml("DeleteResult", |xml| {
        for name in gone {
            xml.element("Deleted", |xml| xml.content("Key", name.as_str()))?;
        }
        for name in refused {
            xml.element("Error", |xml| {
                xml.content("Key", name.as_str())?;
                xml.content("Code", "AccessDenied")?;
                xml.content("Message", "Access Denied")
            })?;
        }
        Ok(())
    })
}
