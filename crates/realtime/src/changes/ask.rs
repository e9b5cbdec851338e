//! Asking the questions of a batch.

use std::time::{Duration, Instant};

use pg::Snippet;
use pg::error::{DbError, Error};
use pg::pool::Connection;

use super::places::Places;
use super::sql::{Plans, Question, Script};
use crate::store::catalog;

/// What the database said to a question.
pub(super) enum Answer {
    Text(String),
    /// It raised an error.
    Failed,
    /// It took too long, for example because a table is locked.
    Late,
    /// The filters of the batch had used up their time before.
    Unasked,
}

impl Answer {
    /// The places of the changes whose numbers it lists.
    pub(super) fn places(&self) -> Places {
        match self {
            Answer::Text(text) => text.split(',').filter_map(|number| number.parse().ok()).collect(),
            Answer::Failed | Answer::Late | Answer::Unasked => Places::default(),
        }
    }
}

/// How many questions one script asks, at most.
const QUESTIONS: usize = 500;

/// How long one question may take.
const LONGEST: Duration = Duration::from_secs(3);

/// How long the filters of a batch may take together, however many they are; patterns and others each. After that each filter has
/// [`SHORTEST`] until [`END`]; the rest is not asked.
const FILTERS: Duration = Duration::from_secs(3);
const SHORTEST: Duration = Duration::from_millis(100);
const END: Duration = Duration::from_secs(6);

/// How many questions about a table that are no filters may take too long on a connection; with one more, the rest counts as late,
/// too.
const LATE: usize = 3;

/// SQLSTATE query_canceled.
const CANCELED: &str = "57014";

/// The answers, in the order of the questions. A question that fails does not keep the others from being answered. For filters,
/// `spent` is the time that those of their kind took in this batch so far.
pub(super) async fn ask(
    connection: &mut Connection,
    questions: &[Question],
    plans: Plans,
    mut spent: Option<&mut Duration>,
) -> Result<Vec<Answer>, Error> {
    let mut answers = Vec::with_capacity(questions.len());
    let (mut number, mut late) = (QUESTIONS, 0);
    while answers.len() < questions.len() {
        if spent.as_ref().is_some_and(|spent| **spent >= END) {
            answers.resize_with(questions.len(), || Answer::Unasked);
            break;
        }
        let some = &questions[answers.len()..];
        let some = of_one_role(&some[..some.len().min(number)]);
        let (started, end) = (Instant::now(), answers.len() + some.len());
        let (found, failure) = ask_at_once(connection, some, plans, spent.as_deref().copied()).await?;
        if let Some(spent) = &mut spent {
            **spent += started.elapsed();
        }
        answers.extend(found);
        // The next script begins after the question that failed; where one fails, others do.
        number = if failure.is_some() { (number / 2).max(1) } else { (number * 2).min(QUESTIONS) };
        let Some(error) = failure else {
            // Every question has its answer.
            answers.resize_with(end, || Answer::Failed);
            continue;
        };
        tracing::warn!(event = "realtime_changes", detail = %error);
        answers.push(match &spent {
            _ if error.code != CANCELED => Answer::Failed,
            // It had less time than any filter may take.
            Some(spent) if **spent >= END => Answer::Unasked,
            _ => Answer::Late,
        });
        late += usize::from(error.code == CANCELED && spent.is_none());
        if late > LATE {
            answers.resize_with(questions.len(), || Answer::Late);
        }
    }
    Ok(answers)
}

/// The leading questions that share the role of the first one.
fn of_one_role(questions: &[Question]) -> &[Question] {
    let Some(first) = questions.first() else { return questions };
    let other = questions.iter().position(|question| question.who.role != first.who.role);
    &questions[..other.unwrap_or(questions.len())]
}

/// The answers up to the question that failed, and its error. All are asked for one role.
async fn ask_at_once(
    connection: &mut Connection,
    questions: &[Question],
    plans: Plans,
    spent: Option<Duration>,
) -> Result<(Vec<Answer>, Option<Box<DbError>>), Error> {
    let Some(first) = questions.first() else { return Ok((Vec::new(), None)) };
    let limit = time_limit(spent);
    let mut before = first.who.role_session().literal();
    before.push("; ");
    // Filters share one time budget, so the limit is set again before each of them.
    let each = spent.is_some().then_some(&limit);
    if each.is_none() {
        before.append(limit.clone());
    }
    let script = Script::new(questions, plans, before, each);
    let transaction = connection.transaction().await?;
    let prepared = match &script.preparation {
        Some(preparation) => transaction.answers(preparation).await.1,
        None => Ok(()),
    };
    // Asked again while the tables are locked, so that their policies do not change any more.
    let is_shared = match (&prepared, &script.preparation, plans) {
        (Ok(()), Some(_), Plans::Shared(table)) => catalog::may_share_plan(&transaction, table).await?,
        _ => true,
    };
    let (rows, read) = match prepared {
        Ok(()) if is_shared => transaction.answers(&script.statements).await,
        prepared => (Vec::new(), prepared),
    };
    transaction.rollback().await?;
    if !script.cleanup.is_empty() {
        clean(connection, &script).await?;
    }
    if !is_shared {
        return Box::pin(ask_at_once(connection, questions, Plans::Own, spent)).await;
    }
    let failure = match read {
        Ok(()) => None,
        Err(Error::Database(error)) => Some(error),
        Err(error) => return Err(error),
    };
    let (head, each) = if each.is_some() { (1, 3) } else { (2, 2) };
    let head = if script.preparation.is_some() { 0 } else { head };
    let own = rows.into_iter().skip(head + each - 1).step_by(each);
    Ok((own.map(|row| row.map_or(Answer::Failed, Answer::Text)).collect(), failure))
}

/// Removes the prepared statements. If a question failed, some of them may not exist, so errors are ignored.
async fn clean(connection: &mut Connection, script: &Script) -> Result<(), Error> {
    let transaction = connection.transaction().await?;
    let _ = transaction.answers(&script.cleanup).await;
    transaction.rollback().await
}

/// A statement that limits the time of the next ones. PostgreSQL limits each statement by itself, so that those of a script are
/// given what is left since its transaction began.
fn time_limit(spent: Option<Duration>) -> Snippet {
    let milliseconds = |time: Duration| i64::try_from(time.as_millis()).unwrap_or_default();
    let mut sql = Snippet::raw("select pg_catalog.set_config('statement_timeout', pg_catalog.ceil(");
    match spent {
        None => sql.integer(milliseconds(LONGEST)),
        Some(spent) => {
            let passed = "extract(epoch from pg_catalog.clock_timestamp() - pg_catalog.now()) * 1000";
            sql.push("greatest(1, ").integer(milliseconds(FILTERS.saturating_sub(spent))).push(" - ").push(passed);
            sql.push(", least(").integer(milliseconds(SHORTEST)).push(", ");
            sql.integer(milliseconds(END.saturating_sub(spent))).push(" - ").push(passed).push("))")
        }
    };
    sql.push(")::int::text, true); ");
    sql
}
