//! A batch of changes: what is asked about it, and who is told.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use pg::error::Error;
use pg::pool::Connection;
use pg::replication::{Change, Datum, Identity, Kind, Relation};
use pg::{Pool, Snippet};
use tokio::sync::OwnedSemaphorePermit;

use super::ask::{Answer, ask};
use super::delivery::Deliveries;
use super::findings::{FilterSet, Findings, compared, have_pattern};
use super::look::look;
use super::places::Places;
use super::sql::{self, Plans, Question};
use super::{Changes, Subscriber, Who, values};
use crate::protocol::filter::Binding;
use crate::store::catalog::{self, Column, Table};

/// A change that waits for its batch.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) change: Change,
    pub(super) committed: DateTime<Utc>,
    /// The low half of the number of its transaction.
    pub(super) xid: u32,
    /// Its share of what may wait.
    pub(super) _room: Option<OwnedSemaphorePermit>,
}

/// The changes of one table in a batch.
pub(super) struct Group<'b> {
    pub(super) relation: Arc<Relation>,
    pub(super) classes: Vec<Class>,
    /// With their places in the batch.
    pub(super) changes: Vec<(usize, &'b Pending)>,
}

/// Subscribers of one role with equal bindings, by the same API: they are told the same of the rows that they see. There is at least
/// one.
pub(super) struct Class {
    pub(super) subscribers: Vec<Subscriber>,
}

/// What the subscribers of a class have in common: the role, whether they use the older API, and the bindings.
type Traits = (String, bool, Arc<Vec<Binding>>);

impl Class {
    pub(super) fn role(&self) -> &str {
        &self.subscribers[0].who.role
    }

    pub(super) fn bindings(&self) -> &[Binding] {
        &self.subscribers[0].bindings
    }

    pub(super) fn is_legacy(&self) -> bool {
        self.subscribers[0].is_legacy
    }

    /// Puts subscribers into classes.
    fn of(subscribers: Vec<Subscriber>) -> Vec<Self> {
        let mut classes: HashMap<Traits, Vec<Subscriber>> = HashMap::new();
        for own in subscribers {
            let key = (own.who.role.clone(), own.is_legacy, Arc::clone(&own.bindings));
            classes.entry(key).or_default().push(own);
        }
        classes.into_values().map(|subscribers| Class { subscribers }).collect()
    }
}

impl Group<'_> {
    pub(super) fn subscribers(&self) -> impl Iterator<Item = &Subscriber> {
        self.classes.iter().flat_map(|class| &class.subscribers)
    }

    /// The changes of some kinds.
    pub(super) fn places(&self, is_of: impl Fn(Kind) -> bool) -> Places {
        self.changes.iter().filter(|(_, pending)| is_of(pending.change.kind)).map(|(place, _)| *place).collect()
    }

    /// The changes of the kind that a subscription is about.
    pub(super) fn about(&self, binding: &Binding) -> Places {
        if !binding.is_about(&self.relation.schema, &self.relation.name) {
            return Places::default();
        }
        self.places(|kind| binding.event.is_none_or(|event| event == kind))
    }

    /// The changes that subscribers are told of without a look at the row.
    pub(super) fn open_to_all(&self, table: &Table) -> Places {
        self.places(|kind| !table.has_row_security || kind == Kind::Delete)
    }
}

/// How long the filters of a batch took so far. Patterns have a time of their own, so that slow ones take none from the others.
#[derive(Default)]
struct Spent {
    patterns: Duration,
    others: Duration,
}

/// Works a batch off.
///
/// # Errors
/// Those of the database: nobody was told of anything.
pub(super) async fn work(pool: &Pool, changes: &Changes, max_record: usize, batch: &[Pending]) -> Result<(), Error> {
    let groups = groups(changes, batch);
    if groups.is_empty() {
        return Ok(());
    }
    let mut connection = pool.get().await?;
    wait_until_visible(&connection, batch).await?;
    let oids: Vec<u32> = groups.iter().map(|group| group.relation.oid).collect();
    let roles: HashSet<&String> = groups.iter().flat_map(Group::subscribers).map(|own| &own.who.role).collect();
    let roles: Vec<String> = roles.into_iter().cloned().collect();
    let tables = catalog::tables(&connection, &oids, &roles).await?;
    let (mut deliveries, mut late, mut spent) = (Deliveries::default(), Vec::new(), Spent::default());
    for group in &groups {
        // A table that was dropped meanwhile has no rows that anybody may see.
        let Some(table) = tables.get(&group.relation.oid) else { continue };
        let findings = find(pool, &mut connection, (group, table), &mut spent).await?;
        for (role, filters) in &findings.slow {
            changes.end(role, &group.relation, filters);
        }
        deliveries.add(group, table, &findings, max_record);
        late.extend(group.subscribers().filter(|subscriber| findings.lacks_something(group, table, subscriber)));
    }
    drop(connection);
    deliveries.send();
    for subscriber in late {
        subscriber.system("error", "Changes could not be read in time; some were not sent");
    }
    Ok(())
}

/// A transaction is in the log of changes before others see its rows: nobody may be told by then that they do not.
async fn wait_until_visible(connection: &Connection, batch: &[Pending]) -> Result<(), Error> {
    let xids: HashSet<u32> = batch.iter().map(|pending| pending.xid).collect();
    let xids: Vec<u32> = xids.into_iter().collect();
    let mut pause = Duration::from_micros(500);
    let started = Instant::now();
    while !catalog::are_visible(connection, &xids).await? {
        // With synchronous replication the wait is for a standby, which may be long gone.
        if started.elapsed() > INVISIBLE {
            tracing::warn!(event = "realtime_changes", detail = "a committed transaction does not become visible");
            break;
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(Duration::from_millis(20));
    }
    Ok(())
}

/// How long a committed transaction is waited for.
const INVISIBLE: Duration = Duration::from_secs(30);

/// The changes that somebody wants to know of, by table.
fn groups<'b>(changes: &Changes, batch: &'b [Pending]) -> Vec<Group<'b>> {
    let mut groups: Vec<Group<'b>> = Vec::new();
    for (place, pending) in batch.iter().enumerate() {
        let relation = &pending.change.relation;
        match groups.iter_mut().find(|group| Arc::ptr_eq(&group.relation, relation)) {
            Some(group) => group.changes.push((place, pending)),
            None => groups.push(Group {
                relation: Arc::clone(relation),
                classes: Class::of(changes.of_table(&relation.schema, &relation.name)),
                changes: vec![(place, pending)],
            }),
        }
    }
    groups.retain(|group| !group.classes.is_empty());
    groups
}

/// Finds out who is told of which changes.
///
/// How long a pattern takes depends on the text that it is compared with, and the client notices: its subscription ends. So under
/// row security patterns are compared only with rows that a subscriber with this pattern sees. Other filters come first: they are
/// fast whatever the row is, and save asking about rows that nobody wants.
async fn find(
    pool: &Pool,
    connection: &mut Connection,
    (group, table): (&Group<'_>, &Table),
    spent: &mut Spent,
) -> Result<Findings, Error> {
    let mut findings = Findings::default();
    let (patterns, others): (Vec<FilterSet>, Vec<FilterSet>) =
        filter_sets(group).into_iter().partition(|(_, filters)| have_pattern(filters));
    ask_filters(connection, (group, table), others, &mut findings, &mut spent.others).await?;
    ask_json(connection, group, table, &mut findings).await?;
    if table.has_row_security {
        look(pool, connection, group, table, &mut findings).await?;
    }
    ask_filters(connection, (group, table), patterns, &mut findings, &mut spent.patterns).await?;
    Ok(findings)
}

/// A role without claims.
fn as_role(role: &str) -> Who {
    Who { role: role.to_owned(), claims: "{}".into(), subject: String::new() }
}

/// Asks which changes pass filters.
async fn ask_filters(
    connection: &mut Connection,
    (group, table): (&Group<'_>, &Table),
    mut sets: Vec<FilterSet>,
    findings: &mut Findings,
    spent: &mut Duration,
) -> Result<(), Error> {
    let (mut questions, mut asked) = (Vec::new(), Vec::new());
    // Questions of one role are asked together.
    sets.sort_by(|(one, _), (other, _)| one.cmp(other));
    for set in sets {
        if let Some(statement) = passing(group, table, &set, findings) {
            questions.push(Question { who: as_role(&set.0), statement: Arc::new(statement) });
            asked.push(set);
        }
    }
    for (set, answer) in asked.into_iter().zip(ask(connection, &questions, Plans::Own, Some(spent)).await?) {
        match answer {
            Answer::Late => findings.slow.push(set),
            Answer::Unasked => {
                findings.unasked.insert(set);
            }
            Answer::Text(_) | Answer::Failed => {
                findings.passing.insert(set, answer.places());
            }
        }
    }
    Ok(())
}

/// Asks for the JSON of values that only PostgreSQL can write.
async fn ask_json(
    connection: &mut Connection,
    group: &Group<'_>,
    table: &Table,
    findings: &mut Findings,
) -> Result<(), Error> {
    // A type may be in a schema that only some roles can use.
    let roles: HashSet<&String> = group.subscribers().map(|subscriber| &subscriber.who.role).collect();
    let odd = odd_values(group, table);
    let odd = odd.iter().flat_map(|(column, texts)| roles.iter().map(move |role| (*role, *column, texts)));
    let odd: Vec<_> = odd.filter(|(role, column, _)| column.readers.contains(*role)).collect();
    let question = |(role, column, texts): &(&String, &Column, &Vec<String>)| {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        Question { who: as_role(role), statement: Arc::new(sql::as_json(column, &texts)) }
    };
    let questions: Vec<Question> = odd.iter().map(question).collect();
    let answers = ask(connection, &questions, Plans::Own, None).await?;
    for ((role, column, texts), answer) in odd.into_iter().zip(answers) {
        let list: Vec<Box<serde_json::value::RawValue>> = match answer {
            Answer::Text(text) => serde_json::from_str(&text).unwrap_or_default(),
            Answer::Failed | Answer::Late | Answer::Unasked => Vec::new(),
        };
        for (text, json) in texts.iter().zip(list) {
            findings.json.insert((role.clone(), column.name.clone(), text.clone()), json.get().to_owned());
        }
    }
    Ok(())
}

/// The distinct filters of the subscriptions to a table.
fn filter_sets(group: &Group<'_>) -> HashSet<FilterSet> {
    let bindings = group.classes.iter().flat_map(|class| {
        let about = |binding: &&Binding| binding.is_about(&group.relation.schema, &group.relation.name);
        class.bindings().iter().filter(about).map(|binding| (class.role(), &binding.filters))
    });
    let filtered = bindings.filter(|(_, filters)| !filters.is_empty());
    filtered.map(|(role, filters)| (role.to_owned(), filters.clone())).collect()
}

/// The question which changes pass; `None` if none can, because a column is not there or the role may not read it.
///
/// DEVIATION (safer): of a row that was deleted under row security, filters know the primary key only, even with REPLICA IDENTITY
/// FULL, because nobody can say any more who was allowed to see the row. Upstream compares the whole row.
fn passing(group: &Group<'_>, table: &Table, (role, filters): &FilterSet, findings: &Findings) -> Option<Snippet> {
    let mut columns: Vec<&Column> = Vec::new();
    let mut conditions = Vec::new();
    for filter in filters {
        let column = table.column(&filter.column).filter(|column| column.readers.contains(role))?;
        if !columns.iter().any(|own| own.name == column.name) {
            columns.push(column);
        }
        conditions.push((filter, column));
    }
    let compared = compared(group, table, (role, filters), findings);
    let row = |(place, pending): &(usize, &Pending)| {
        let change = &pending.change;
        let hides = table.has_row_security && change.kind == Kind::Delete && columns.iter().any(|own| !own.is_key);
        if hides || !compared.contains(*place) {
            return None;
        }
        let texts: Option<Vec<Option<String>>> = columns.iter().map(|column| present(change, &column.name)).collect();
        texts.map(|texts| (*place, texts))
    };
    let rows: Vec<(usize, Vec<Option<String>>)> = group.changes.iter().filter_map(row).collect();
    if rows.is_empty() {
        return None;
    }
    let rows: Vec<_> = rows.iter().map(|(at, texts)| (*at, texts.iter().map(Option::as_deref).collect())).collect();
    Some(sql::passing(&conditions, &columns, &rows))
}

/// The value of a column in the row that filters look at: the new one, of a deletion the old one. `None` if it was not sent,
/// `Some(None)` for NULL.
fn present(change: &Change, name: &str) -> Option<Option<String>> {
    let at = change.relation.columns.iter().position(|column| column.name == name)?;
    let datum = match change.kind {
        Kind::Delete if change.relation.identity != Identity::Full && !change.relation.columns[at].is_key => {
            return None;
        }
        Kind::Delete => change.old.get(at)?,
        Kind::Insert | Kind::Update => change.new.get(at)?,
    };
    match datum {
        Datum::Null => Some(None),
        Datum::Unchanged => None,
        Datum::Text(_) => datum.text().map(|text| Some(text.to_owned())),
    }
}

/// The distinct values of columns whose JSON is for PostgreSQL to make.
fn odd_values<'t>(group: &Group<'_>, table: &'t Table) -> Vec<(&'t Column, Vec<String>)> {
    let mut odd: Vec<(&Column, Vec<String>)> = Vec::new();
    for (at, own) in group.relation.columns.iter().enumerate() {
        let Some(column) = table.column(&own.name) else { continue };
        let rows = group.changes.iter().flat_map(|(_, pending)| [&pending.change.new, &pending.change.old]);
        let texts = rows.filter_map(|row| row.get(at)?.text()).filter(|text| values::json(column, text).is_none());
        let texts: HashSet<&str> = texts.collect();
        if !texts.is_empty() {
            odd.push((column, texts.into_iter().map(str::to_owned).collect()));
        }
    }
    odd
}
