//! What requests and the driver of one connection share: what is to be written, and who waits for which answer.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::Duration;

use bytes::BytesMut;
use postgres_protocol::message::backend::Message;
use postgres_protocol::message::frontend;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::limits::{MAX_ANSWER, MAX_WAIT, TIMEOUT_MS};
use super::timeout::is_short;
use crate::error::{DbError, Error};
use crate::lane::answer::Rows;
use crate::lane::batch::{bind, execute, prepare, unsendable};
use crate::lane::error_response;
use crate::lane::rows::{self, Row};
use crate::lane::shapes::Shape;
use crate::lane::statements::{Key, Statement, Statements};
use crate::lane::work::Work;

/// A connection shared by many requests.
pub(super) struct HotConnection {
    talk: Mutex<Talk>,
    in_flight: AtomicUsize,
}

/// The conversation. What is appended to `outbox` and to `pending` is appended to both under one lock, so that answers,
/// which come in order, find those who asked.
pub(super) struct Talk {
    pub(super) outbox: BytesMut,
    pub(super) pending: VecDeque<Pending>,
    pub(super) stage: Stage,
    pub(super) driver: Option<Waker>,
    statements: Statements,
    /// When the server was done with the last answer.
    done: Instant,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Open,
    /// Takes no more requests.
    Retiring,
    /// Answers nobody any longer: those who wait are to be sent elsewhere.
    Dissolved,
    /// The driver is gone.
    Ended,
}

/// An answer that is owed.
pub(super) struct Pending {
    /// Nobody listens where the client has gone; the answer is read all the same.
    reply: oneshot::Sender<Answer>,
    shape: Arc<Shape>,
    asked: Instant,
    steps: [Step; 2],
    /// The step being answered.
    at: usize,
    /// Whether the server has begun with that step: what it says now is not about the statement as such.
    begun: bool,
    bytes: usize,
    rows: Vec<Row>,
    affected: u64,
    refused: Option<Box<DbError>>,
}

struct Step {
    statement: Arc<Statement>,
    /// Whether the server was asked to prepare it here and has not said that it did.
    unprepared: bool,
    fresh: bool,
}

/// What a request gets.
pub(super) enum Answer {
    Rows(Rows),
    Refused(Box<DbError>),
    Elsewhere,
}

/// The position of the query among the steps; before it are the settings.
const QUERY: usize = 1;

impl HotConnection {
    pub(super) fn new(statements: Statements) -> Self {
        let talk = Talk {
            outbox: BytesMut::new(),
            pending: VecDeque::new(),
            stage: Stage::Open,
            driver: None,
            statements,
            done: Instant::now(),
        };
        HotConnection { talk: Mutex::new(talk), in_flight: AtomicUsize::new(0) }
    }

    pub(super) fn talk(&self) -> MutexGuard<'_, Talk> {
        self.talk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many answers are owed.
    pub(super) fn in_flight(&self) -> usize {
        self.in_flight.load(Ordering::Relaxed)
    }

    pub(super) fn owes(&self, answers: usize) {
        self.in_flight.store(answers, Ordering::Relaxed);
    }

    /// Takes no more requests.
    pub(super) fn retire(&self) {
        let mut talk = self.talk();
        if talk.stage == Stage::Open {
            talk.stage = Stage::Retiring;
        }
        talk.wake();
    }

    /// Asks; `None` where the connection takes no more requests or this one cannot be sent.
    pub(super) fn send(&self, work: &Work, shape: Arc<Shape>) -> Option<oneshot::Receiver<Answer>> {
        let mut talk = self.talk();
        if talk.stage != Stage::Open {
            return None;
        }
        talk.close_dropped().ok()?;
        let before = talk.outbox.len();
        let Ok(steps) = talk.write(work) else {
            // Half a request must not go out. What it made known of statements is unknown again.
            talk.outbox.truncate(before);
            talk.statements.forget_all();
            return None;
        };
        let (reply, answer) = oneshot::channel();
        let asked = Instant::now();
        talk.pending.push_back(Pending {
            reply,
            shape,
            asked,
            steps,
            at: 0,
            begun: false,
            bytes: 0,
            rows: Vec::new(),
            affected: 0,
            refused: None,
        });
        self.owes(talk.pending.len());
        talk.wake();
        Some(answer)
    }
}

impl Talk {
    fn wake(&mut self) {
        if let Some(driver) = &self.driver {
            driver.wake_by_ref();
        }
    }

    /// Since when the server has owed an answer without giving one.
    pub(super) fn silent_since(&self) -> Option<Instant> {
        self.pending.front().map(|pending| pending.asked.max(self.done))
    }

    /// For how long nothing has been asked.
    pub(super) fn unused_for(&self, now: Instant) -> Duration {
        if self.pending.is_empty() { now - self.done } else { Duration::ZERO }
    }

    fn close_dropped(&mut self) -> Result<(), Error> {
        for name in self.statements.take_dropped() {
            frontend::close(b'S', &name, &mut self.outbox).map_err(unsendable)?;
        }
        Ok(())
    }

    fn write(&mut self, work: &Work) -> Result<[Step; 2], Error> {
        // In force before the query's snapshot may be used for writing. Turned off again it cannot be: PostgreSQL refuses that
        // after the first statement of a transaction.
        let more = [("transaction_read_only", "on"), ("statement_timeout", TIMEOUT_MS)];
        let own = work.session.setting("statement_timeout");
        let more = if own.is_some_and(is_short) { &more[..1] } else { &more[..] };
        let settings = work.session.statement(more);
        let (text, values) = settings.ok_or_else(|| Error::Protocol("no settings".to_owned()))?;
        let values = values.iter().map(|value| Some(value.as_bytes()));
        let settings = self.write_step(None, &text, values)?;
        let values = work.query.values.iter().map(Option::as_deref);
        let asked = self.write_step(work.session.role(), &work.query.text, values)?;
        frontend::sync(&mut self.outbox);
        Ok([settings, asked])
    }

    fn write_step<'a>(
        &mut self,
        role: Option<&str>,
        text: &str,
        values: impl IntoIterator<Item = Option<&'a [u8]>>,
    ) -> Result<Step, Error> {
        let key = Key::new(role, text);
        let known = self.statements.get(&key).cloned();
        let fresh = known.is_none();
        let statement = match known {
            Some(statement) => statement,
            None => {
                let statement = self.statements.make(key);
                prepare(&statement.name, text, &mut self.outbox)?;
                // Known from here on: what is written later is read later. Where the server refuses it, those who relied on
                // it hear that it does not exist.
                self.statements.keep(statement.clone());
                statement
            }
        };
        bind(&statement.name, values, &mut self.outbox)?;
        execute(&mut self.outbox)?;
        Ok(Step { statement, unprepared: fresh, fresh })
    }

    /// Takes the next message.
    ///
    /// # Errors
    /// The connection is of no further use.
    pub(super) fn receive(&mut self, message: Message) -> Result<(), Error> {
        let Some(pending) = self.pending.front_mut() else { return unasked(message) };
        match message {
            Message::ParseComplete => {
                if let Some(step) = pending.steps.iter_mut().find(|step| step.unprepared) {
                    step.unprepared = false;
                }
            }
            Message::RowDescription(body) => {
                let columns = rows::columns(&body).map_err(malformed)?;
                if let Some(step) = pending.steps.get(pending.at) {
                    let _ = step.statement.columns.set(columns);
                }
            }
            Message::NoData => {
                if let Some(step) = pending.steps.get(pending.at) {
                    let _ = step.statement.columns.set(Arc::new([]));
                }
            }
            Message::BindComplete => pending.begun = true,
            Message::DataRow(body) => {
                if pending.at == QUERY {
                    pending.bytes += body.buffer().len();
                    if pending.bytes <= MAX_ANSWER {
                        pending.rows.push(Row::read(&body).map_err(malformed)?);
                    } else {
                        drop(std::mem::take(&mut pending.rows));
                    }
                }
            }
            Message::CommandComplete(body) => {
                if pending.at == QUERY {
                    pending.affected = rows::affected(body.tag().map_err(malformed)?);
                }
                pending.next_step();
            }
            Message::EmptyQueryResponse => pending.next_step(),
            Message::ErrorResponse(body) => {
                let error = error_response::read(&mut body.fields());
                if error_response::is_fatal(&error) {
                    return Err(Error::Lost(error.to_string()));
                }
                pending.refused.get_or_insert(Box::new(error));
            }
            Message::ReadyForQuery(body) if body.status() == b'I' => self.answered(),
            Message::CloseComplete | Message::ParameterDescription(_) | Message::ParameterStatus(_) => {}
            _ => return Err(out_of_step()),
        }
        Ok(())
    }

    /// A row was too long to be held here.
    pub(super) fn passed_over(&mut self) {
        if let Some(pending) = self.pending.front_mut() {
            pending.bytes += MAX_ANSWER + 1;
            drop(std::mem::take(&mut pending.rows));
        }
    }

    /// The server is done with the first of those who wait.
    fn answered(&mut self) {
        let Some(pending) = self.pending.pop_front() else { return };
        let now = Instant::now();
        let took = now - pending.asked.max(self.done);
        self.done = now;
        let mut timed_out = false;
        let answer = match pending.refused {
            None if pending.bytes > MAX_ANSWER => {
                pending.shape.ran(took, pending.bytes);
                Answer::Elsewhere
            }
            None => {
                pending.shape.ran(took, pending.bytes);
                let columns = pending.steps[QUERY].statement.columns.get().cloned().unwrap_or_default();
                Answer::Rows(Rows { columns, rows: pending.rows, affected: pending.affected, ..Rows::empty() })
            }
            Some(error) => {
                for step in pending.steps.iter().filter(|step| step.unprepared) {
                    self.statements.forget(&step.statement);
                }
                timed_out = error.code == "57014";
                let step = pending.steps.get(pending.at).filter(|_| !pending.begun);
                self.refused(error, step, &pending.shape)
            }
        };
        let _ = pending.reply.send(answer);
        // Nobody is to wait for strangers for long, and what has come in with one slow statement may be more of them.
        if self.pending.front().is_some_and(|next| timed_out || now - next.asked > MAX_WAIT) {
            self.stage = Stage::Dissolved;
        }
    }

    /// `step` is the one whose statement could not be used, where it is that.
    fn refused(&mut self, error: Box<DbError>, step: Option<&Step>, shape: &Shape) -> Answer {
        match (error.code.as_str(), step) {
            // The time-out, which is not the one that the role has.
            ("57014", _) => {
                shape.timed_out();
                Answer::Elsewhere
            }
            // "prepared statement already exists": made by somebody else on a connection that is not ours alone.
            ("42P05", Some(step)) if step.fresh => {
                self.statements.stop();
                Answer::Elsewhere
            }
            // "cached plan must not change result type": a column was added, or changed its type.
            ("0A000", Some(step)) if !step.fresh => {
                self.statements.forget(&step.statement);
                Answer::Elsewhere
            }
            // "prepared statement does not exist": the one who asked for it first was refused before it was made, or, where it
            // was there once, DEALLOCATE.
            ("26000", Some(step)) => {
                match step.statement.columns.get() {
                    None => self.statements.forget(&step.statement),
                    Some(_) => self.statements.forget_all(),
                }
                Answer::Elsewhere
            }
            _ => Answer::Refused(error),
        }
    }
}

impl Pending {
    fn next_step(&mut self) {
        self.at += 1;
        self.begun = false;
    }
}

/// A message while nothing is owed: the settings of the server may change, and the server may go.
fn unasked(message: Message) -> Result<(), Error> {
    match message {
        Message::ParameterStatus(_) => Ok(()),
        Message::ErrorResponse(body) => Err(Error::Lost(error_response::read(&mut body.fields()).to_string())),
        _ => Err(out_of_step()),
    }
}

fn out_of_step() -> Error {
    Error::Protocol("the server answered with a message that was not asked for".to_owned())
}

fn malformed(error: std::io::Error) -> Error {
    Error::Protocol(error.to_string())
}
