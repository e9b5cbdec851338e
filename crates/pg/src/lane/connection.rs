//! One connection: transactions over a [`Wire`], with the statements it has prepared.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use bytes::Bytes;
use postgres_protocol::message::backend::Message;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::answer::Rows;
use super::batch::{Batch, Keep, Prepared, Step};
use super::connect::{Address, CancelKey};
use super::error_response;
use super::open::Open;
use super::rows::{self, Row};
use super::statements::Statements;
use super::wire::Wire;
use super::work::{Delivery, Ending, Work};
use crate::error::{DbError, Error};
use crate::session;

/// A connection checked out by one request at a time.
pub(super) struct Connection {
    wire: Wire,
    statements: Statements,
    state: State,
    pub(super) address: Arc<Address>,
    pub(super) key: Option<CancelKey>,
    pub(super) born: Instant,
    /// When it last went back to its pool, and how often that had been flushed when it was made.
    pub(super) used: (Instant, u64),
    /// What a [`super::PoolWatch`] knows it by; 0 without one.
    pub(super) number: u64,
    /// How many answers may be taken in pieces at the same time on all connections of the pool.
    tails: Arc<Semaphore>,
    open: Open,
}

/// Where the conversation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Between transactions: the only state in which another request may have the connection.
    Idle,
    /// In a transaction, which may have failed; the server waits for us.
    InTransaction,
    /// Something was sent and not answered in full.
    Busy,
}

/// Why a transaction could not be started.
pub(super) enum Failure {
    /// The server, or we, refused; nothing is left of the transaction.
    Refused(Error),
    /// As `Refused`, because a cached statement no longer fits. It has been dropped: the same work may be done again.
    Stale(Error),
    /// The connection is of no further use.
    Broken(Error),
}

/// The answer to the first write.
pub(super) enum Started {
    Whole(Rows),
    /// Without the last value of its row, of which the bytes come by [`Connection::poll_piece`]; the rest of the answer
    /// by [`Connection::finish`].
    Long(Rows, Box<Unread>),
}

/// What has not been read yet of an answer with a long row.
pub(super) struct Unread {
    /// Bytes of the row's last value.
    pub(super) left: usize,
    exchange: Exchange,
    _permit: OwnedSemaphorePermit,
}

/// A batch on its way, and how far the answer to it has been read.
struct Exchange {
    batch: Batch,
    answer: Answer,
    at: usize,
    syncs: usize,
}

struct Answer {
    rows: Rows,
    /// The bytes of a long row's last value, which were not read, and leave to take them in pieces.
    long: Option<(usize, OwnedSemaphorePermit)>,
    tag: String,
    refused: Option<(usize, DbError)>,
}

impl Started {
    /// About how large the answer is, in bytes.
    pub(super) fn size(&self) -> usize {
        match self {
            Started::Whole(rows) => rows.size(),
            Started::Long(_, unread) => unread.left,
        }
    }
}

impl Connection {
    /// Takes over a wire on which start-up is done.
    pub(super) fn new(
        wire: Wire,
        statements: Statements,
        address: Arc<Address>,
        key: Option<CancelKey>,
        tails: Arc<Semaphore>,
        open: Open,
    ) -> Self {
        let (state, born, number) = (State::Idle, Instant::now(), 0);
        Connection { wire, statements, state, address, key, born, used: (born, 0), number, tails, open }
    }

    pub(super) fn state(&self) -> State {
        self.state
    }

    /// Whether the connection can serve another request, as far as can be told without a round trip.
    pub(super) fn is_alive(&mut self) -> bool {
        self.wire.is_alive()
    }

    /// What the hot lane goes on with.
    pub(super) fn into_parts(self) -> (Wire, Statements, Open) {
        (self.wire, self.statements, self.open)
    }

    /// Ends the connection politely.
    pub(super) fn terminate(mut self) {
        self.wire.terminate();
    }

    /// Begins a transaction and does `work` in it, all in one write.
    pub(super) async fn start(&mut self, work: &Work, ending: Ending) -> Result<Started, Failure> {
        let batch = self.batch(work, ending).map_err(Failure::Refused)?;
        let mut exchange = self.send(batch);
        if work.delivery() == Delivery::InPieces {
            self.read_until_long(&mut exchange).await.map_err(Failure::Broken)?;
            if let Some((left, permit)) = exchange.answer.long.take() {
                let rows = std::mem::replace(&mut exchange.answer.rows, Rows::empty());
                return Ok(Started::Long(rows, Box::new(Unread { left, exchange, _permit: permit })));
            }
        } else {
            self.read(&mut exchange).await.map_err(Failure::Broken)?;
        }
        let Exchange { batch, answer, .. } = exchange;
        let Some((at, error)) = answer.refused else { return Ok(Started::Whole(answer.rows)) };
        let stale = batch.steps.get(at).is_some_and(|step| self.forget_stale(step, &error));
        self.roll_back().await.map_err(Failure::Broken)?;
        let error = Error::Database(Box::new(error));
        Err(if stale { Failure::Stale(error) } else { Failure::Refused(error) })
    }

    /// The next bytes of a long value; the caller counts them off.
    pub(super) fn poll_piece(&mut self, left: usize, cx: &mut Context<'_>) -> Poll<Result<Bytes, Error>> {
        self.wire.poll_piece(left, cx)
    }

    /// Reads what follows a long row and leaves the transaction, which could only read.
    ///
    /// # Errors
    /// Whatever came after the row; the row itself was whole.
    pub(super) async fn finish(&mut self, mut unread: Box<Unread>) -> Result<(), Error> {
        self.read(&mut unread.exchange).await?;
        self.roll_back().await
    }

    /// `COMMIT`.
    ///
    /// # Errors
    /// A deferred constraint; [`Error::Lost`] when nobody knows whether it happened.
    pub(super) async fn commit(&mut self) -> Result<(), Error> {
        let answer = self.exchange(Batch::simple(&["commit"])?).await?;
        match answer.refused {
            Some((_, error)) => Err(Error::Database(Box::new(error))),
            None if answer.tag == "COMMIT" => Ok(()),
            None => Err(Error::Protocol(format!("COMMIT was answered with {}", answer.tag))),
        }
    }

    /// `ROLLBACK`, if there is something to roll back.
    pub(super) async fn roll_back(&mut self) -> Result<(), Error> {
        if self.state == State::Idle {
            return Ok(());
        }
        self.exchange(Batch::simple(&["rollback"])?).await.map(|_| ())
    }

    /// `ROLLBACK` after a check of the deferred constraints.
    ///
    /// # Errors
    /// The constraint that would have failed at commit.
    pub(super) async fn check_and_roll_back(&mut self) -> Result<(), Error> {
        let batch = Batch::simple(&["set constraints all immediate", "rollback"])?;
        match self.exchange(batch).await?.refused {
            Some((_, error)) => Err(Error::Database(Box::new(error))),
            None => Ok(()),
        }
    }

    fn batch(&mut self, work: &Work, ending: Ending) -> Result<Batch, Error> {
        let statements = &mut self.statements;
        let role = work.session.role();
        let mut batch = Batch::new(statements)?;
        batch.push_constant(statements, &session::begin(work.isolation, work.access))?;
        if let Some((text, values)) = work.session.statement(&[]) {
            batch.push_settings(statements, &text, &values)?;
        }
        for before in &work.before {
            batch.push(statements, role, before, Keep::Nothing)?;
        }
        if let Some(ahead) = &work.ahead {
            batch.push(statements, role, ahead, Keep::Ahead)?;
        }
        batch.push_query(statements, role, &work.query)?;
        if ending == Ending::Commit {
            batch.push_constant(statements, "commit")?;
        }
        batch.sync();
        Ok(batch)
    }

    /// Writes the batch and reads the whole answer to it.
    async fn exchange(&mut self, batch: Batch) -> Result<Answer, Error> {
        let mut exchange = self.send(batch);
        self.read(&mut exchange).await?;
        Ok(exchange.answer)
    }

    fn send(&mut self, mut batch: Batch) -> Exchange {
        self.state = State::Busy;
        self.wire.send_with(std::mem::take(&mut batch.bytes), std::mem::take(&mut batch.long));
        let answer = Answer { rows: Rows::empty(), long: None, tag: String::new(), refused: None };
        Exchange { batch, answer, at: 0, syncs: 0 }
    }

    /// Reads to the end of the answer.
    async fn read(&mut self, exchange: &mut Exchange) -> Result<(), Error> {
        while exchange.syncs < exchange.batch.syncs {
            let message = self.wire.receive().await?;
            self.take(exchange, message)?;
        }
        Ok(())
    }

    /// Reads to the end of the answer or to the last value of a long row.
    async fn read_until_long(&mut self, exchange: &mut Exchange) -> Result<(), Error> {
        while exchange.syncs < exchange.batch.syncs {
            match self.wire.receive_unless_long().await? {
                Some(message) => self.take(exchange, message)?,
                None => {
                    let is_answer = exchange.is_wanted() && exchange.answer.rows.rows.is_empty();
                    // Where too many are being taken already, it is read whole: slow clients must not have all connections.
                    let permit = if is_answer { self.tails.clone().try_acquire_owned().ok() } else { None };
                    if let Some(permit) = permit {
                        let (row, left) = self.wire.long_row().await?;
                        exchange.take_long(row, left, permit);
                        return Ok(());
                    }
                    let message = self.wire.receive().await?;
                    self.take(exchange, message)?;
                }
            }
        }
        Ok(())
    }

    fn take(&mut self, exchange: &mut Exchange, message: Message) -> Result<(), Error> {
        let Exchange { batch, answer, at, syncs } = exchange;
        match message {
            Message::RowDescription(body) => {
                let columns = rows::columns(&body).map_err(malformed)?;
                self.described(batch.steps.get_mut(*at), columns);
            }
            Message::NoData => self.described(batch.steps.get_mut(*at), Arc::new([])),
            Message::DataRow(body) => {
                let kept = match batch.steps.get(*at).map(|step| step.rows) {
                    Some(Keep::Rows) => Some(&mut answer.rows.rows),
                    Some(Keep::Ahead) => Some(&mut answer.rows.ahead),
                    Some(Keep::Nothing) | None => None,
                };
                if let Some(kept) = kept {
                    kept.push(Row::read(&body).map_err(malformed)?);
                }
            }
            Message::CommandComplete(body) => {
                answer.complete(batch.steps.get(*at), body.tag().map_err(malformed)?);
                *at += 1;
            }
            Message::EmptyQueryResponse => *at += 1,
            Message::ErrorResponse(body) => {
                let error = error_response::read(&mut body.fields());
                if error_response::is_fatal(&error) {
                    return Err(fatal(error));
                }
                answer.refused.get_or_insert((*at, error));
            }
            Message::ReadyForQuery(body) => {
                *syncs += 1;
                self.state = if *syncs < batch.syncs { State::Busy } else { State::ready(body.status()) };
            }
            Message::ParseComplete
            | Message::BindComplete
            | Message::CloseComplete
            | Message::ParameterDescription(_)
            | Message::ParameterStatus(_) => {}
            // Nothing sent here is COPY, and its conversation is another one.
            _ => {
                return Err(Error::Protocol("the server answered with a message that was not asked for".to_owned()));
            }
        }
        Ok(())
    }

    /// The server has prepared the step's statement.
    fn described(&mut self, step: Option<&mut Step>, columns: Arc<[rows::Column]>) {
        let Some(step) = step else { return };
        let _ = step.statement.columns.set(columns);
        if std::mem::replace(&mut step.prepared, Prepared::Before) == Prepared::Now {
            self.statements.keep(step.statement.clone());
        }
    }

    /// Drops what `error` says cannot be used any longer; false if it says nothing of the kind.
    fn forget_stale(&mut self, step: &Step, error: &DbError) -> bool {
        match (error.code.as_str(), step.prepared) {
            // "prepared statement already exists": made by somebody else on a connection that is not ours alone.
            ("42P05", Prepared::Now) if !step.statement.name.is_empty() => self.statements.stop(),
            (_, Prepared::Now) => return false,
            // "cached plan must not change result type": a column was added, or changed its type.
            ("0A000", _) => self.statements.forget(&step.statement),
            // "prepared statement does not exist": DEALLOCATE, or a pooler between us and the server.
            ("26000", _) => self.statements.forget_all(),
            _ => return false,
        }
        true
    }
}

impl State {
    /// From the status byte of ReadyForQuery.
    fn ready(status: u8) -> Self {
        if status == b'I' { State::Idle } else { State::InTransaction }
    }
}

impl Exchange {
    /// Whether the rows of the statement in hand are the answer.
    fn is_wanted(&self) -> bool {
        self.batch.steps.get(self.at).is_some_and(|step| step.rows == Keep::Rows)
    }

    fn take_long(&mut self, row: Row, left: usize, permit: OwnedSemaphorePermit) {
        if let Some(columns) = self.batch.steps.get(self.at).and_then(|step| step.statement.columns.get()) {
            self.answer.rows.columns = columns.clone();
        }
        self.answer.rows.rows.push(row);
        self.answer.long = Some((left, permit));
    }
}

impl Answer {
    fn complete(&mut self, step: Option<&Step>, tag: &str) {
        match step {
            Some(Step { rows: Keep::Rows, statement, .. }) => {
                self.rows.affected = rows::affected(tag);
                if let Some(columns) = statement.columns.get() {
                    self.rows.columns = columns.clone();
                }
            }
            Some(_) => {}
            None => tag.clone_into(&mut self.tag),
        }
    }
}

fn malformed(error: std::io::Error) -> Error {
    Error::Protocol(error.to_string())
}

/// 57P01 to 57P05: the server shuts down or was told to end this connection. Others, such as the end of
/// `transaction_timeout`, are an answer to what was asked.
fn fatal(error: DbError) -> Error {
    if error.code.starts_with("57P") { Error::Lost(error.to_string()) } else { Error::Database(Box::new(error)) }
}
