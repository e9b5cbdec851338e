//! State shared by the requests and the driver of one connection: what to write, and which request gets which response.

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

use super::limits::{MAX_ANSWER, TIMEOUT_MS, is_stuck};
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

/// The protocol state. `outbox` and `pending` are extended together under one lock, so that responses, which arrive in order,
/// match their requests.
pub(super) struct Talk {
    pub(super) outbox: BytesMut,
    pub(super) pending: VecDeque<Pending>,
    pub(super) stage: Stage,
    pub(super) driver: Option<Waker>,
    statements: Statements,
    /// When the server completed the last response.
    done: Instant,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Open,
    /// Accepts no more requests.
    Retiring,
    /// Abandoned: the waiting requests move to the exclusive lane.
    Dissolved,
    /// The driver is gone.
    Ended,
}

/// A request whose response is not complete.
pub(super) struct Pending {
    /// The receiver is gone if the client disconnected. The response must be read all the same.
    reply: oneshot::Sender<Answer>,
    shape: Arc<Shape>,
    asked: Instant,
    steps: [Step; 2],
    /// The index of the step whose response is being read.
    at: usize,
    /// Whether the server has bound the step. Later errors are not about the prepared statement.
    begun: bool,
    bytes: usize,
    rows: Vec<Row>,
    affected: u64,
    refused: Option<Box<DbError>>,
}

struct Step {
    statement: Arc<Statement>,
    /// Whether Parse was sent with this step, and not yet confirmed.
    unprepared: bool,
    fresh: bool,
}

/// The result for a request.
pub(super) enum Answer {
    Rows(Rows),
    Refused(Box<DbError>),
    Elsewhere,
}

/// The index of the query; the settings are step 0.
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

    /// The number of incomplete responses.
    pub(super) fn in_flight(&self) -> usize {
        self.in_flight.load(Ordering::Relaxed)
    }

    pub(super) fn owes(&self, answers: usize) {
        self.in_flight.store(answers, Ordering::Relaxed);
    }

    /// Accepts no more requests.
    pub(super) fn retire(&self) {
        let mut talk = self.talk();
        if talk.stage == Stage::Open {
            talk.stage = Stage::Retiring;
        }
        talk.wake();
    }

    /// Sends a request. `None` if the connection accepts no more requests, or if this one cannot be sent.
    pub(super) fn send(&self, work: &Work, shape: Arc<Shape>) -> Option<oneshot::Receiver<Answer>> {
        let mut talk = self.talk();
        if talk.stage != Stage::Open {
            return None;
        }
        talk.close_dropped().ok()?;
        let before = talk.outbox.len();
        let Ok(steps) = talk.write(work) else {
            // Remove the incomplete request. Statements that were added to the cache for it were never sent.
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

    /// Since when the server has owed a response without completing one.
    pub(super) fn silent_since(&self) -> Option<Instant> {
        self.pending.front().map(|pending| pending.asked.max(self.done))
    }

    /// How long there has been no request.
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
        // Makes the query's transaction read-only. The query cannot undo this: PostgreSQL refuses it after the first statement of a
        // transaction.
        let more = [("transaction_read_only", "on"), ("statement_timeout", TIMEOUT_MS)];
        let own = work.session.setting("statement_timeout");
        let more = if own.is_some_and(is_short) { &more[..1] } else { &more[..] };
        let settings = work.session.silent_statement(more);
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
                // Cached at once, because later requests are processed later. If the server refuses the Parse, they get
                // "prepared statement does not exist".
                self.statements.keep(statement.clone());
                statement
            }
        };
        bind(&statement.name, values, &mut self.outbox)?;
        execute(&mut self.outbox)?;
        Ok(Step { statement, unprepared: fresh, fresh })
    }

    /// Handles the next message.
    ///
    /// # Errors
    /// The connection is unusable.
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

    /// Handles a row that was too long to buffer.
    pub(super) fn passed_over(&mut self) {
        if let Some(pending) = self.pending.front_mut() {
            pending.bytes += MAX_ANSWER + 1;
            drop(std::mem::take(&mut pending.rows));
        }
    }

    /// Handles the end of the response to the oldest request.
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
        if self.pending.front().is_some_and(|next| timed_out || is_stuck(took, now - next.asked)) {
            self.stage = Stage::Dissolved;
        }
    }

    /// Handles an error response. `step` is the failed step if the error may concern its prepared statement.
    fn refused(&mut self, error: Box<DbError>, step: Option<&Step>, shape: &Shape) -> Answer {
        match (error.code.as_str(), step) {
            // The lane's own time-out, not that of the role.
            ("57014", _) => {
                shape.timed_out();
                Answer::Elsewhere
            }
            // "prepared statement already exists": a pooler shares the server's connection with others.
            ("42P05", Some(step)) if step.fresh => {
                self.statements.stop();
                Answer::Elsewhere
            }
            // "cached plan must not change result type": a column was added, or changed its type.
            ("0A000", Some(step)) if !step.fresh => {
                self.statements.forget(&step.statement);
                Answer::Elsewhere
            }
            // "prepared statement does not exist": either its Parse was refused with an earlier request, or it was removed by
            // DEALLOCATE.
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

/// Handles a message while no response is owed: a changed server setting, or the end of the connection.
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
