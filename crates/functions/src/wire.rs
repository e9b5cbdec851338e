//! The service's wording of the gateway's refusals.

use actix_web::{HttpRequest, HttpResponse, ResponseError};
use gateway::{Refusal, Wire};

use crate::error::FunctionError;

/// The service's wire format.
pub(crate) struct FunctionsWire;

impl Wire for FunctionsWire {
    fn refuse(&self, _: &HttpRequest, refusal: Refusal) -> HttpResponse {
        match refusal {
            Refusal::NotFound => FunctionError::NotFound.error_response(),
            refusal => FunctionError::Refused(refusal).error_response(),
        }
    }
}
