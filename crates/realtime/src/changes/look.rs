//! Finds the visible rows among the changes of a table: builds the statements, which run once for each set of claims, and reads
//! their answers.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use pg::error::Error;
use pg::pool::Connection;
use pg::replication::{Change, Kind};
use pg::{Pool, Snippet};

use super::Who;
use super::ask::{Answer, ask};
use super::batch::Group;
use super::findings::Findings;
use super::places::Places;
use super::sql::{self, Plans, Question};
use crate::store::catalog::{self, Column, Table};

/// Types whose text form does not depend on the settings of a session.
const PLAIN: &[&str] = &["int2", "int4", "int8", "uuid"];

/// A visibility check of the rows of some changes.
struct Look {
    places: Places,
    statement: Arc<Snippet>,
    /// Places by the text of the key, if the statement returns keys; `None` if it returns places.
    by_key: Option<HashMap<String, Vec<usize>>>,
}

/// Of so many questions a second connection takes half, if one is free.
const MANY: usize = 64;

/// How long that may take, if it has to be opened first.
const SPARE: Duration = Duration::from_millis(100);

/// Asks for every distinct claims which of the rows that may pass their filters are visible.
pub(super) async fn look(
    pool: &Pool,
    connection: &mut Connection,
    group: &Group<'_>,
    table: &Table,
    findings: &mut Findings,
) -> Result<(), Error> {
    let key: Vec<&Column> = table.key().collect();
    let mut looks: Vec<Look> = Vec::new();
    let mut questions = Vec::new();
    for (who, places) in looked_at(group, &key, findings) {
        if looks.last().is_none_or(|look| look.places != places) {
            looks.push(Look::at(group, &key, places));
        }
        let Some(look) = looks.last() else { continue };
        questions.push((looks.len() - 1, Question { who: who.clone(), statement: Arc::clone(&look.statement) }));
    }
    let (of, questions): (Vec<usize>, Vec<Question>) = questions.into_iter().unzip();
    let may_share = questions.len() > looks.len() && catalog::may_share_plan(connection, group.relation.oid).await?;
    let plans = if may_share { Plans::Shared(group.relation.oid) } else { Plans::Own };
    let mut second = if questions.len() < MANY { None } else { spare(pool).await };
    let own = if second.is_some() { questions.len() / 2 } else { questions.len() };
    let others = async {
        match &mut second {
            Some(second) => ask(second, &questions[own..], plans, None).await,
            None => Ok(Vec::new()),
        }
    };
    // Both are waited for: an abandoned script would still run on its connection.
    let (answers, others) = tokio::join!(ask(connection, &questions[..own], plans, None), others);
    let mut answers = answers?;
    match others {
        Ok(others) => answers.extend(others),
        Err(error) => {
            tracing::warn!(event = "realtime_changes", detail = %error);
            answers.extend(ask(connection, &questions[own..], plans, None).await?);
        }
    }
    for ((question, look), answer) in questions.into_iter().zip(of).zip(answers) {
        if matches!(answer, Answer::Late) {
            findings.late.insert(question.who.clone());
        }
        findings.visible.insert(question.who, looks[look].seen(answer));
    }
    Ok(())
}

/// A connection that nobody waits for, and that is not the last one.
async fn spare(pool: &Pool) -> Option<Connection> {
    let (open, idle, waiting) = pool.status();
    let free = idle + pool.capacity().saturating_sub(open);
    if waiting > 0 || free < 2 {
        return None;
    }
    tokio::time::timeout(SPARE, pool.get()).await.ok()?.ok()
}

/// Whose rows are looked at, and which. They are in the order of roles, and within a role of rows, so that equal statements are
/// shared.
fn looked_at<'g>(group: &'g Group<'_>, key: &[&Column], findings: &Findings) -> Vec<(&'g Who, Places)> {
    let mut wanted: HashMap<&Who, Places> = HashMap::new();
    let stays = group.places(|kind| kind != Kind::Delete);
    for class in &group.classes {
        if key.is_empty() || key.iter().any(|column| !column.readers.contains(class.role())) {
            continue;
        }
        let places = class.bindings().iter().map(|binding| findings.perhaps_wanted(group, class.role(), binding));
        let places = places.fold(Places::default(), |all, some| all | some) & stays;
        for subscriber in class.subscribers.iter().filter(|_| !places.is_empty()) {
            *wanted.entry(&subscriber.who).or_default() |= places;
        }
    }
    let mut wanted: Vec<(&Who, Places)> = wanted.into_iter().collect();
    wanted.sort_by(|(one, rows), (other, others)| (&one.role, rows).cmp(&(&other.role, others)));
    wanted
}

impl Look {
    /// The statement for some changes of a group.
    fn at(group: &Group<'_>, key: &[&Column], places: Places) -> Self {
        let changes = group.changes.iter().filter(|(place, _)| places.contains(*place));
        let rows: Vec<_> =
            changes.filter_map(|(place, pending)| Some((*place, key_of(&pending.change, key)?))).collect();
        let (schema, table) = (&group.relation.schema, &group.relation.name);
        let (statement, by_key) = match key {
            _ if rows.is_empty() => (Snippet::raw("select ''"), None),
            // One index scan for all keys takes a third of the time of one for each row.
            [column] if PLAIN.contains(&column.type_name.as_str()) => {
                let mut by_key: HashMap<String, Vec<usize>> = HashMap::new();
                for (place, texts) in &rows {
                    let text = texts.first().copied().flatten().unwrap_or_default();
                    by_key.entry(text.to_owned()).or_default().push(*place);
                }
                let mut keys: Vec<&str> = by_key.keys().map(String::as_str).collect();
                keys.sort_unstable();
                (sql::visible_keys(schema, table, column, &keys), Some(by_key))
            }
            _ => (sql::visible(schema, table, key, &rows), None),
        };
        Look { places, statement: Arc::new(statement), by_key }
    }

    /// The places of the rows that are visible.
    fn seen(&self, answer: Answer) -> Places {
        match (&self.by_key, &answer) {
            (Some(by_key), Answer::Text(text)) => {
                text.split(',').filter_map(|key| by_key.get(key)).flatten().copied().collect()
            }
            _ => answer.places(),
        }
    }
}

/// The texts of the primary key in the new row.
fn key_of<'c>(change: &'c Change, key: &[&Column]) -> Option<Vec<Option<&'c str>>> {
    let text = |column: &&Column| {
        let at = change.relation.columns.iter().position(|own| own.name == column.name)?;
        change.new.get(at)?.text().map(Some)
    };
    key.iter().map(text).collect()
}
