//! Long responses that wait in memory for slow clients.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, MessageBody};
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, http::Method};

use crate::body::{self, BodyRules};
use crate::budget::Reservation;
use crate::gate::Fault;
use crate::wire::Refusal;

/// Responses up to this length are not counted, in bytes.
pub const SHORT: usize = 64 * 1024;
/// How much the server copies for the socket at once, in bytes.
const PIECE: usize = 32 * 1024;

/// A body that is sent in pieces and counts in the budget until it is completely sent or dropped.
#[derive(Debug)]
pub struct Waiting {
    left: Bytes,
    reservation: Option<Reservation>,
}

impl Waiting {
    /// The response to `request`. The response to a read may be refused. A write has already happened, so its response
    /// always gets memory.
    ///
    /// # Errors
    /// [`Fault::Busy`] as [`Refusal::Request`].
    pub fn new(request: &HttpRequest, bytes: Bytes) -> Result<Self, Refusal> {
        let rules = request.app_data::<Data<BodyRules>>().filter(|_| bytes.len() > SHORT);
        let mut reservation = rules.map(|rules| rules.budget.reservation(body::holder(request)));
        if let Some(reservation) = &mut reservation {
            match *request.method() {
                Method::GET | Method::HEAD => {
                    reservation.resize(bytes.len()).map_err(|_| Refusal::Request(Fault::Busy))?;
                }
                _ => reservation.force(bytes.len()),
            }
        }
        Ok(Waiting { left: bytes, reservation })
    }
}

impl MessageBody for Waiting {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.left.len() as u64)
    }

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        if self.left.is_empty() {
            self.reservation = None;
            return Poll::Ready(None);
        }
        let len = self.left.len().min(PIECE);
        Poll::Ready(Some(Ok(self.left.split_to(len))))
    }

    fn try_into_bytes(self) -> Result<Bytes, Self> {
        if self.reservation.is_none() { Ok(self.left) } else { Err(self) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use actix_web::body::to_bytes;
    use actix_web::test::TestRequest;

    #[actix_web::test]
    async fn long_answers_count_until_they_are_taken() {
        let budget = Budget::new(6 * SHORT);
        let rules = BodyRules { budget: budget.clone(), anonymous_limit: usize::MAX };
        let request =
            |method| TestRequest::with_uri("/").method(method).app_data(Data::new(rules.clone())).to_http_request();
        let (get, post) = (request(Method::GET), request(Method::POST));
        let long = || Bytes::from(vec![b'x'; 2 * SHORT]);
        let first = Waiting::new(&get, long()).unwrap();
        assert_eq!(Waiting::new(&get, long()).err(), Some(Refusal::Request(Fault::Busy)));
        assert_eq!(Waiting::new(&get, Bytes::from(vec![b'x'; SHORT])).map(|body| body.left.len()).ok(), Some(SHORT));
        let written = Waiting::new(&post, long()).unwrap();
        assert_eq!(budget.used(), 4 * SHORT);
        drop(written);
        assert_eq!(to_bytes(first).await.unwrap(), long());
        assert_eq!(budget.used(), 0);
    }
}
