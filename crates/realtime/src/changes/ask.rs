//! Asking the questions of a batch.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use pg::Snippet;
use pg::error::{DbError, Error};
use pg::pool::Connection;

use super::sql::Question;

/// What the database said to a question.
pub(super) enum Answer {
    Text(String),
    /// It raised an error.
    Failed,
    /// It took too long, for example because a table is locked.
    Late,
}

impl Answer {
    /// The numbers of rows that it lists.
    pub(super) fn numbers(self) -> HashSet<usize> {
        match self {
            Answer::Text(text) => text.split(',').filter_map(|number| number.parse().ok()).collect(),
            Answer::Failed | Answer::Late => HashSet::new(),
        }
    }
}

/// How many questions one script asks, at most.
const QUESTIONS: usize = 500;

/// How long one question may take.
const LONGEST: Duration = Duration::from_secs(3);

/// How long the filters of a batch may take together. After that each has [`SHORTEST`].
pub(super) const FILTERS: Duration = Duration::from_secs(3);
const SHORTEST: Duration = Duration::from_millis(100);

/// How many questions of a batch that are no filters may take too long; with one more, nobody is told of anything.
const LATE: usize = 3;

/// SQLSTATE query_canceled.
const CANCELED: &str = "57014";

/// The answers, in the order of the questions. A question that fails does not keep the others from being answered. `left` is the
/// time of the filters: what is asked when it is used up has less.
pub(super) async fn ask(
    connection: &mut Connection,
    questions: &[Question],
    mut left: Option<&mut Duration>,
) -> Result<Vec<Answer>, Error> {
    let mut answers = Vec::with_capacity(questions.len());
    let (mut number, mut late) = (QUESTIONS, 0);
    while answers.len() < questions.len() {
        let some = &questions[answers.len()..];
        let some = &some[..some.len().min(number)];
        let limit = left.as_ref().map_or(LONGEST, |left| LONGEST.min(**left).max(SHORTEST));
        let (started, end) = (Instant::now(), answers.len() + some.len());
        let (found, failure) = ask_at_once(connection, some, limit).await?;
        if let Some(left) = &mut left {
            **left = left.saturating_sub(started.elapsed());
        }
        answers.extend(found);
        // The next script begins after the question that failed; where one fails, others do.
        number = if failure.is_some() { (number / 2).max(1) } else { (number * 2).min(QUESTIONS) };
        if let Some(error) = failure {
            tracing::warn!(event = "realtime_changes", detail = %error);
            let is_late = error.code == CANCELED;
            late += usize::from(is_late && left.is_none());
            if late > LATE {
                return Err(Error::Database(error));
            }
            answers.push(if is_late { Answer::Late } else { Answer::Failed });
        } else {
            // Every question has its answer.
            answers.resize_with(end, || Answer::Failed);
        }
    }
    Ok(answers)
}

/// The answers up to the question that failed, and its error.
async fn ask_at_once(
    connection: &mut Connection,
    questions: &[Question],
    limit: Duration,
) -> Result<(Vec<Answer>, Option<Box<DbError>>), Error> {
    let mut script = Snippet::raw("set local statement_timeout = ");
    script.integer(i64::try_from(limit.as_millis()).unwrap_or_default()).push("; ");
    for question in questions {
        script.append(question.script());
    }
    let transaction = connection.transaction().await?;
    let (rows, read) = transaction.answers(&script).await;
    transaction.rollback().await?;
    let failure = match read {
        Ok(()) => None,
        Err(Error::Database(error)) => Some(error),
        Err(error) => return Err(error),
    };
    // Each question gives two rows: that of its settings, and its own.
    let own = rows.into_iter().skip(1).step_by(2);
    Ok((own.map(|row| row.map_or(Answer::Failed, Answer::Text)).collect(), failure))
}
