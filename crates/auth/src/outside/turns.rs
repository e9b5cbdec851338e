//! The order of waiting hash jobs: round-robin over client addresses, and within an address over accounts.
//!
//! A client with hundreds of guesses delays only itself. Clients that an account knows go first, but take no more than
//! three of four turns.

use std::collections::VecDeque;

use uuid::Uuid;

use crate::model::client::Client;

/// The key of an account without its address: see `flows::passwords::account`.
pub(crate) type AccountKey = [u8; 16];

/// Maximum number of consecutive turns for known clients while others wait.
const FAVOURED: u8 = 3;

/// The client and account of a hash job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) client: Client,
    pub(crate) account: AccountKey,
    /// True if the account knows the client, or the client is already authenticated.
    pub(crate) known: bool,
}

impl Turn {
    /// The project's own servers.
    pub(crate) const ADMINISTRATOR: Turn = Turn { client: Client::Name([0; 16]), account: [0; 16], known: true };

    /// A signed-in user.
    pub(crate) fn of_user(id: Uuid) -> Self {
        Turn { client: Client::Name(id.into_bytes()), account: id.into_bytes(), known: true }
    }
}

/// Waiting jobs, at most `capacity`.
pub(super) struct Turns<T> {
    known: Line<T>,
    others: Line<T>,
    favours: u8,
    capacity: usize,
}

/// Clients in the order of their next turn, each with its accounts in that order.
struct Line<T>(VecDeque<(Client, Accounts<T>)>);

type Accounts<T> = VecDeque<(AccountKey, VecDeque<T>)>;

impl<T> Turns<T> {
    pub(super) fn new(capacity: usize) -> Self {
        let line = || Line(VecDeque::new());
        Turns { known: line(), others: line(), favours: 0, capacity }
    }

    /// Queues a job. If the queue is full, the client with the most jobs loses its newest one, which is returned; that
    /// may be the new job.
    pub(super) fn push(&mut self, turn: Turn, job: T) -> Option<T> {
        let evicted = if self.len() < self.capacity {
            None
        } else {
            match self.others.longest().or_else(|| self.known.longest()) {
                Some((client, count)) if count > self.count(turn.client) + 1 => {
                    self.others.take_last(client).or_else(|| self.known.take_last(client))
                }
                _ => return Some(job),
            }
        };
        let line = if turn.known { &mut self.known } else { &mut self.others };
        line.push(turn, job);
        evicted
    }

    /// The next job.
    pub(super) fn pop(&mut self) -> Option<T> {
        let favoured = if self.favours < FAVOURED { self.known.pop() } else { None };
        if let Some(job) = favoured {
            self.favours += 1;
            return Some(job);
        }
        self.favours = 0;
        self.others.pop().or_else(|| self.known.pop())
    }

    fn len(&self) -> usize {
        self.known.len() + self.others.len()
    }

    fn count(&self, client: Client) -> usize {
        self.known.count(client) + self.others.count(client)
    }
}

impl<T> Line<T> {
    fn push(&mut self, turn: Turn, job: T) {
        let accounts = match self.0.iter().position(|(client, _)| *client == turn.client) {
            Some(at) => &mut self.0[at].1,
            None => {
                self.0.push_back((turn.client, VecDeque::new()));
                let last = self.0.len() - 1;
                &mut self.0[last].1
            }
        };
        match accounts.iter_mut().find(|(account, _)| *account == turn.account) {
            Some((_, jobs)) => jobs.push_back(job),
            None => accounts.push_back((turn.account, VecDeque::from([job]))),
        }
    }

    fn pop(&mut self) -> Option<T> {
        let (client, mut accounts) = self.0.pop_front()?;
        let (account, mut jobs) = accounts.pop_front()?;
        let job = jobs.pop_front();
        if !jobs.is_empty() {
            accounts.push_back((account, jobs));
        }
        if !accounts.is_empty() {
            self.0.push_back((client, accounts));
        }
        job
    }

    fn len(&self) -> usize {
        self.0.iter().map(|(_, accounts)| jobs_of(accounts)).sum()
    }

    fn count(&self, client: Client) -> usize {
        self.0.iter().find(|(own, _)| *own == client).map_or(0, |(_, accounts)| jobs_of(accounts))
    }

    fn longest(&self) -> Option<(Client, usize)> {
        self.0.iter().map(|(client, accounts)| (*client, jobs_of(accounts))).max_by_key(|(_, count)| *count)
    }

    /// Removes the newest job of the client's longest account.
    fn take_last(&mut self, client: Client) -> Option<T> {
        let at = self.0.iter().position(|(own, _)| *own == client)?;
        let accounts = &mut self.0[at].1;
        let longest = (0..accounts.len()).max_by_key(|index| accounts[*index].1.len())?;
        let job = accounts[longest].1.pop_back();
        if accounts[longest].1.is_empty() {
            accounts.remove(longest);
        }
        if accounts.is_empty() {
            self.0.remove(at);
        }
        job
    }
}

fn jobs_of<T>(accounts: &Accounts<T>) -> usize {
    accounts.iter().map(|(_, jobs)| jobs.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(client: &str, account: u8, known: bool) -> Turn {
        Turn { client: Client::called(client), account: [account; 16], known }
    }

    fn order(turns: &mut Turns<&'static str>) -> String {
        std::iter::from_fn(|| turns.pop()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_crowd_at_one_address_waits_behind_itself() {
        let mut turns = Turns::new(200);
        for _ in 0..40 {
            turns.push(turn("guesser", 1, false), "guess");
        }
        turns.push(turn("guesser", 2, false), "neighbour");
        turns.push(turn("honest", 3, false), "honest");
        let order = order(&mut turns);
        assert!(order.starts_with("guess honest neighbour guess"), "{order}");
    }

    #[test]
    fn known_devices_take_three_turns_of_four() {
        let mut turns = Turns::new(200);
        for _ in 0..3 {
            turns.push(turn("stranger", 1, false), "s");
        }
        for _ in 0..6 {
            turns.push(turn("known", 2, true), "k");
        }
        assert_eq!(order(&mut turns), "k k k s k k k s s");
    }

    #[test]
    fn without_room_the_client_with_the_most_jobs_loses_one() {
        let mut turns = Turns::new(4);
        for job in ["1", "2", "3", "4"] {
            assert_eq!(turns.push(turn("many", 1, false), job), None);
        }
        assert_eq!(turns.push(turn("many", 2, false), "5"), Some("5"));
        assert_eq!(turns.push(turn("one", 3, false), "a"), Some("4"));
        assert_eq!(turns.push(turn("two", 3, true), "b"), Some("3"));
        assert_eq!(turns.push(turn("one", 4, false), "c"), Some("c"), "no client has more jobs than this one would");
        assert_eq!(order(&mut turns), "b 1 a 2");
        assert_eq!(turns.len(), 0);
    }
}
