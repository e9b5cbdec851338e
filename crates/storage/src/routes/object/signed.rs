//! `GET /object/sign/{bucket}/{key}?token=…`

use actix_web::{HttpRequest, HttpResponse, web};
use gateway::Anyone;

use super::lookup::{self, Reader};
use crate::error::StorageError;
use crate::flows::serve::Wish;
use crate::flows::sign::{self, Scope};
use crate::routes::path;
use crate::session::Asker;
use crate::state::State;

/// An object by its signed URL.
pub(crate) async fn get(
    _: Anyone,
    state: web::Data<State>,
    request: HttpRequest,
) -> Result<HttpResponse, StorageError> {
    let target = path::target(&request, "/object/sign")?;
    let token = path::required(&request, "token")?;
    let signed = sign::verify(&state, &token, &target, Scope::Download)?;
    let asker = Asker::new(&state, &request, None, "storage.object.get_signed");
    let wish = Wish { download: path::query(&request, "download"), expires: Some(signed.expires) };
    lookup::bytes(&state, &request, asker, &target, Reader::Signed(signed.issued), &wish).await
}
