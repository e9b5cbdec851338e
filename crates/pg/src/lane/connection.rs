//! A connection: runs transactions over a [`Wire`] and caches prepared statements.

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

/// A connection checked out by one request at a time.
pub(super) struct Connection {
    wire: Wire,
    statements: Statements,
    state: State,
    pub(super) address: Arc<Address>,
    pub(super) key: Option<CancelKey>,
    pub(super) born: Instant,
    /// When it was last returned to the pool, and the pool's generation when it was opened.
    pub(super) used: (Instant, u64),
    /// Whether every transaction begins with BEGIN, because this connection's defaults are not those of PostgreSQL.
    is_explicit: bool,
    /// Its number for a [`super::PoolWatch`]; 0 without one.
    pub(super) number: u64,
    /// Limits how many responses are streamed at the same time by all connections of the pool.
    tails: Arc<Semaphore>,
    open: Open,
}

/// The state of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Outside a transaction. Only then may another request get the connection.
    Idle,
    /// In a transaction, which may have failed. The server waits for a command.
    InTransaction,
    /// The response to a command is incomplete.
    Busy,
}

/// Why a transaction could not be completed.
pub(super) enum Failure {
    /// The server refused a statement, or it could not be sent. The transaction was rolled back.
    Refused(Error),
    /// As `Refused`, because a cached statement was outdated, which was dropped from the cache, or because the connection's
    /// transactions have other defaults. A retry may succeed.
    Stale(Error),
    /// The connection is unusable.
    Broken(Error),
}

/// The response to the first write.
pub(super) enum Started {
    Whole(Rows),
    /// The row lacks its last value. [`Connection::poll_piece`] reads that, [`Connection::finish`] the rest of the
    /// response.
    Long(Rows, Box<Unread>),
}

/// The unread part of a response with a long row.
pub(super) struct Unread {
    /// Unread bytes of the row's last value.
    pub(super) left: usize,
    exchange: Exchange,
    _permit: OwnedSemaphorePermit,
}

/// A batch that was sent, and the part of its response that was read.
struct Exchange {
    batch: Batch,
    answer: Answer,
    at: usize,
    syncs: usize,
}

struct Answer {
    rows: Rows,
    /// The length of the last value of a long row, and the permit to stream it.
    long: Option<(usize, OwnedSemaphorePermit)>,
    tag: String,
    refused: Option<(usize, DbError)>,
}

impl Started {
    /// The approximate size of the response, in bytes.
    pub(super) fn size(&self) -> usize {
        match self {
            Started::Whole(rows) => rows.size(),
            Started::Long(_, unread) => unread.left,
        }
    }
}

impl Connection {
    /// Uses a wire whose start-up is complete.
    pub(super) fn new(
        wire: Wire,
        statements: Statements,
        address: Arc<Address>,
        key: Option<CancelKey>,
        tails: Arc<Semaphore>,
        open: Open,
    ) -> Self {
        let (state, born, number, is_explicit) = (State::Idle, Instant::now(), 0, false);
        Connection { wire, statements, state, address, key, born, used: (born, 0), is_explicit, number, tails, open }
    }

    pub(super) fn state(&self) -> State {
        self.state
    }

    /// Whether the connection appears usable, without a round trip.
    pub(super) fn is_alive(&mut self) -> bool {
        self.wire.is_alive()
    }

    /// The parts that the hot lane uses.
    pub(super) fn into_parts(self) -> (Wire, Statements, Open) {
        (self.wire, self.statements, self.open)
    }

    /// Closes the connection with a Terminate message.
    pub(super) fn terminate(mut self) {
        self.wire.terminate();
    }

    /// Begins a transaction and executes `work` in it, in one write.
    pub(super) async fn start(&mut self, work: &Work, ending: Ending) -> Result<Started, Failure> {
        let batch = Batch::transaction(&mut self.statements, work, ending, self.is_explicit);
        let mut exchange = self.send(batch.map_err(Failure::Refused)?);
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
        let stale = batch.steps.get(at).is_some_and(|step| self.forget_stale(step, &error))
            || at == 0 && self.has_other_defaults(&error);
        self.roll_back().await.map_err(Failure::Broken)?;
        let error = Error::Database(Box::new(error));
        Err(if stale { Failure::Stale(error) } else { Failure::Refused(error) })
    }

    /// The next bytes of a long value. The caller subtracts them from `left`.
    pub(super) fn poll_piece(&mut self, left: usize, cx: &mut Context<'_>) -> Poll<Result<Bytes, Error>> {
        self.wire.poll_piece(left, cx)
    }

    /// Reads the rest of a response with a long row and ends the transaction, which was read-only.
    ///
    /// # Errors
    /// Any error after the row. The row itself is complete.
    pub(super) async fn finish(&mut self, mut unread: Box<Unread>) -> Result<(), Error> {
        self.read(&mut unread.exchange).await?;
        self.roll_back().await
    }

    /// `COMMIT`.
    ///
    /// # Errors
    /// The error of a deferred constraint; [`Error::Lost`] if it is unknown whether the commit happened.
    pub(super) async fn commit(&mut self) -> Result<(), Error> {
        let answer = self.exchange(Batch::simple(&["commit"])?).await?;
        match answer.refused {
            Some((_, error)) => Err(Error::Database(Box::new(error))),
            None if answer.tag == "COMMIT" => Ok(()),
            None => Err(Error::Protocol(format!("COMMIT was answered with {}", answer.tag))),
        }
    }

    /// `ROLLBACK`, if in a transaction.
    pub(super) async fn roll_back(&mut self) -> Result<(), Error> {
        if self.state == State::Idle {
            return Ok(());
        }
        self.exchange(Batch::simple(&["rollback"])?).await.map(|_| ())
    }

    /// Checks the deferred constraints, then `ROLLBACK`.
    ///
    /// # Errors
    /// The violation that a commit would have reported.
    pub(super) async fn check_and_roll_back(&mut self) -> Result<(), Error> {
        let batch = Batch::simple(&["set constraints all immediate", "rollback"])?;
        match self.exchange(batch).await?.refused {
            Some((_, error)) => Err(Error::Database(Box::new(error))),
            None => Ok(()),
        }
    }

    /// Sends the batch and reads the whole response.
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

    /// Reads to the end of the response.
    async fn read(&mut self, exchange: &mut Exchange) -> Result<(), Error> {
        while exchange.syncs < exchange.batch.syncs {
            let message = self.wire.receive().await?;
            self.take(exchange, message)?;
        }
        Ok(())
    }

    /// Reads to the end of the response, or to the last value of a long row.
    async fn read_until_long(&mut self, exchange: &mut Exchange) -> Result<(), Error> {
        while exchange.syncs < exchange.batch.syncs {
            match self.wire.receive_unless_long().await? {
                Some(message) => self.take(exchange, message)?,
                None => {
                    let is_answer = exchange.is_wanted() && exchange.answer.rows.rows.is_empty();
                    // If too many responses are streamed already, buffer this one: slow clients must not hold all connections.
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
            // We send no COPY.
            _ => {
                return Err(Error::Protocol("the server answered with a message that was not asked for".to_owned()));
            }
        }
        Ok(())
    }

    /// Handles the description of the step's statement: it is prepared now.
    fn described(&mut self, step: Option<&mut Step>, columns: Arc<[rows::Column]>) {
        let Some(step) = step else { return };
        let _ = step.statement.columns.set(columns);
        if std::mem::replace(&mut step.prepared, Prepared::Before) == Prepared::Now {
            self.statements.keep(step.statement.clone());
        }
    }

    /// Whether the settings of an implicit transaction were refused: it began with another isolation level or access mode
    /// than PostgreSQL's default, and "must be set before any query". Later transactions begin with BEGIN.
    fn has_other_defaults(&mut self, error: &DbError) -> bool {
        error.code == "25001" && !std::mem::replace(&mut self.is_explicit, true)
    }

    /// Drops outdated statements from the cache if `error` is due to them; otherwise returns false.
    fn forget_stale(&mut self, step: &Step, error: &DbError) -> bool {
        match (error.code.as_str(), step.prepared) {
            // "prepared statement already exists": a pooler shares the server's connection with others.
            ("42P05", Prepared::Now) if !step.statement.name.is_empty() => self.statements.stop(),
            (_, Prepared::Now) => return false,
            // "cached plan must not change result type": a column was added, or changed its type.
            ("0A000", _) => self.statements.forget(&step.statement),
            // "prepared statement does not exist": DEALLOCATE, or a pooler that switches the server's connections.
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
    /// Whether the current statement is the query, whose rows are the result.
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

/// 57P01 to 57P05: the server is shutting down or closes this connection. Other fatal errors, such as an expired
/// `transaction_timeout`, are results of the query.
fn fatal(error: DbError) -> Error {
    if error.code.starts_with("57P") { Error::Lost(error.to_string()) } else { Error::Database(Box::new(error)) }
}
