//! Sends mails of other parts of the server to users.

use gateway::mail::{Letter, Post, Refused};
use gateway::service::BoxFuture;

use crate::model::timestamp;
use crate::outside::mail::Written;
use crate::state::State;
use crate::store::users;

/// Sends through the mail server of auth.
pub(crate) struct Outgoing(pub(crate) State);

impl Post for Outgoing {
    fn send(&self, letter: Letter) -> BoxFuture<'_, Result<(), Refused>> {
        Box::pin(async move {
            let to = self.address(&letter).await?;
            let Letter { kind, user_id, subject, html } = letter;
            self.0.mailer.attempt(&Written { kind, user_id, to, subject, html }).await
        })
    }
}

impl Outgoing {
    /// The confirmed address of a user who may sign in.
    async fn address(&self, letter: &Letter) -> Result<String, Refused> {
        let failed = |error: pg::Error| Refused::ForNow(error.to_string());
        let connection = self.0.pool.get().await.map_err(failed)?;
        let user = users::by_id(&connection, letter.user_id).await.map_err(failed)?;
        let now = timestamp::now(&self.0.clock);
        let user = user.filter(|user| user.deleted_at.is_none() && user.banned_until.is_none_or(|until| until <= now));
        let address = user.filter(|user| user.email_confirmed_at.is_some()).map(|user| user.email);
        address
            .filter(|email| !email.is_empty())
            .ok_or_else(|| Refused::ForGood("the user has no confirmed address, or may not sign in".to_owned()))
    }
}
