//! The memory that requests and answers may hold, all together.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::address;

/// The budget where no setting names another, in bytes.
pub const DEFAULT_BUDGET: usize = 256 * 1024 * 1024;
/// What one buffer may hold without being counted, in bytes: so that a short sign-in always finds room.
pub const UNCOUNTED: usize = 16 * 1024;
/// The buffers of one client, without its longest, hold at most this part of what their class may hold.
const SHARE: usize = 8;
/// The least that one client may hold in long heads, in bytes: one head of any length, in a buffer that doubles.
const HEADS_OF_ONE: usize = 2 * crate::gate::MAX_HEAD;
/// Characters of a user's id that tell users apart.
const USER_LEN: usize = 64;

/// Bytes that all buffers together may hold. Anonymous requests have half of it, so that they cannot take the place of
/// signed-in users. Long heads, whose senders nobody knows yet, have a sixteenth beside it.
///
/// A client may always hold one buffer of any length if its class has room. Its other buffers together stay under an eighth of
/// the class, so that no client takes the place of all others. Cloning shares the budget.
#[derive(Clone, Debug)]
pub struct Budget(Arc<Used>);

#[derive(Debug)]
struct Used {
    limit: usize,
    totals: Mutex<Totals>,
    /// The number of the next reservation.
    next: AtomicU64,
}

#[derive(Debug, Default)]
struct Totals {
    /// Everything but heads.
    all: usize,
    anonymous: usize,
    heads: usize,
    /// Who holds something. Only buffers over [`UNCOUNTED`] are counted, so the budget bounds this table.
    clients: HashMap<(Owner, Client), Holding>,
}

/// What one client holds.
#[derive(Clone, Copy, Debug, Default)]
struct Holding {
    /// Bytes of all its buffers.
    all: usize,
    /// The number and the bytes of the buffer that does not count in the share: its longest one. After that one has shrunk, a
    /// longer one takes its place when it next grows.
    longest: (u64, usize),
}

/// The class of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A caller who is not signed in, or not known yet.
    Anonymous,
    /// A user, or one of the project's own servers.
    Known,
    /// The sender of a head that is not complete yet.
    Head,
}

/// The sender of buffers that are counted together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Client {
    Network(IpAddr),
    User(Arc<str>),
}

/// Whose buffer it is. Without a client only the limit of its class holds.
#[derive(Clone, Debug)]
pub struct Holder {
    owner: Owner,
    clients: Vec<Client>,
}

/// There is no room. Nothing was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// What one buffer holds of the budget, which has it back when this is dropped.
#[derive(Debug)]
pub struct Reservation {
    used: Arc<Used>,
    number: u64,
    holder: Holder,
    bytes: usize,
}

impl From<Owner> for Holder {
    fn from(owner: Owner) -> Self {
        Holder { owner, clients: Vec::new() }
    }
}

impl Holder {
    /// The buffer also counts as one of the client at `address`: an IPv4 address, or the /64 of an IPv6 address.
    pub fn at(mut self, address: IpAddr) -> Self {
        self.clients.push(Client::Network(address::network(address)));
        self
    }

    /// The buffer also counts as one of the user with this id.
    pub fn of_user(mut self, id: &str) -> Self {
        self.clients.push(Client::User(id.chars().take(USER_LEN).collect::<String>().into()));
        self
    }
}

impl Default for Budget {
    fn default() -> Self {
        Budget::new(DEFAULT_BUDGET)
    }
}

impl Budget {
    /// A budget of `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Budget(Arc::new(Used { limit, totals: Mutex::default(), next: AtomicU64::new(1) }))
    }

    /// A buffer that holds nothing yet.
    pub fn reservation(&self, holder: impl Into<Holder>) -> Reservation {
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        Reservation { used: Arc::clone(&self.0), number, holder: holder.into(), bytes: 0 }
    }

    /// Bytes that are held at the moment.
    pub fn used(&self) -> usize {
        let totals = self.0.totals();
        totals.all + totals.heads
    }
}

impl Used {
    fn totals(&self) -> MutexGuard<'_, Totals> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What all buffers of a class may hold.
    fn class(&self, owner: Owner) -> usize {
        match owner {
            Owner::Known => self.limit,
            Owner::Anonymous => self.limit / 2,
            Owner::Head => (self.limit / 16).max(SHARE * HEADS_OF_ONE),
        }
    }
}

impl Totals {
    /// Whether `buffer` may grow to `bytes`.
    fn has_room(&self, buffer: &Reservation, bytes: usize) -> bool {
        let (used, owner) = (&buffer.used, buffer.holder.owner);
        let class = used.class(owner);
        let fits = |held: usize, limit: usize| held.checked_add(bytes - buffer.bytes).is_some_and(|held| held <= limit);
        let has_room = match owner {
            Owner::Head => fits(self.heads, class),
            Owner::Anonymous => fits(self.all, used.limit) && fits(self.anonymous, class),
            Owner::Known => fits(self.all, used.limit),
        };
        has_room
            && buffer.holder.clients.iter().all(|client| {
                let holding = self.clients.get(&(owner, client.clone())).copied().unwrap_or_default();
                holding.after(buffer, bytes).beside_longest() <= class / SHARE
            })
    }

    /// `buffer` holds `bytes` from now on.
    fn set(&mut self, buffer: &Reservation, bytes: usize) {
        let owner = buffer.holder.owner;
        let totals: &mut [&mut usize] = match owner {
            Owner::Head => &mut [&mut self.heads],
            Owner::Anonymous => &mut [&mut self.all, &mut self.anonymous],
            Owner::Known => &mut [&mut self.all],
        };
        for total in totals {
            **total = **total + bytes - buffer.bytes;
        }
        for client in &buffer.holder.clients {
            let key = (owner, client.clone());
            let holding = self.clients.get(&key).copied().unwrap_or_default().after(buffer, bytes);
            if holding.all == 0 {
                self.clients.remove(&key);
            } else {
                self.clients.insert(key, holding);
            }
        }
    }
}

impl Holding {
    /// What the client holds when one of its buffers holds `bytes`.
    fn after(self, buffer: &Reservation, bytes: usize) -> Self {
        let (number, length) = self.longest;
        let is_longest = number == buffer.number || bytes > length;
        Holding {
            all: self.all + bytes - buffer.bytes,
            longest: if is_longest { (buffer.number, bytes) } else { self.longest },
        }
    }

    fn beside_longest(self) -> usize {
        self.all - self.longest.1
    }
}

impl Reservation {
    /// The buffer now holds `bytes`.
    ///
    /// # Errors
    /// [`Full`] where it would grow beyond what is left to its class or to its client; it then holds what it did before.
    pub fn resize(&mut self, bytes: usize) -> Result<(), Full> {
        let mut totals = self.used.totals();
        if bytes > self.bytes && !totals.has_room(self, bytes) {
            return Err(Full);
        }
        totals.set(self, bytes);
        drop(totals);
        self.bytes = bytes;
        Ok(())
    }

    /// The buffer now holds `bytes` whether there is room or not: for what cannot be refused any more.
    pub fn force(&mut self, bytes: usize) {
        let bytes = self.bytes.max(bytes);
        self.used.totals().set(self, bytes);
        self.bytes = bytes;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.used.totals().set(self, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_gives_back_what_it_held() {
        let budget = Budget::new(100);
        let mut one = budget.reservation(Owner::Known);
        let mut two = budget.reservation(Owner::Known);
        assert_eq!((one.resize(60), two.resize(41), two.resize(40)), (Ok(()), Err(Full), Ok(())));
        assert_eq!(budget.used(), 100);
        assert_eq!((one.resize(10), two.resize(90)), (Ok(()), Ok(())));
        drop(one);
        assert_eq!(budget.used(), 90);
        two.force(200);
        assert_eq!((budget.used(), two.resize(201)), (200, Err(Full)));
        drop(two);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn anonymous_buffers_leave_half_to_the_others() {
        let budget = Budget::new(100);
        let mut anonymous = budget.reservation(Owner::Anonymous);
        let mut known = budget.reservation(Owner::Known);
        assert_eq!((anonymous.resize(51), anonymous.resize(50)), (Err(Full), Ok(())));
        assert_eq!((known.resize(51), known.resize(50)), (Err(Full), Ok(())));
        assert_eq!(budget.reservation(Owner::Anonymous).resize(1), Err(Full));
        drop(anonymous);
        assert_eq!(known.resize(100), Ok(()));
        assert_eq!(budget.reservation(Owner::Anonymous).resize(1), Err(Full));
    }

    #[test]
    fn a_client_has_one_buffer_of_any_length_and_an_eighth_of_its_class_beside_it() {
        let budget = Budget::new(1600);
        let at = |address: &str| Holder::from(Owner::Anonymous).at(address.parse().unwrap());
        let mut long = budget.reservation(at("2001:db8:1:2::1"));
        let mut short = budget.reservation(at("2001:db8:1:2:ffff::9"));
        let mut third = budget.reservation(at("2001:db8:1:2:ffff::a"));
        assert_eq!((short.resize(60), long.resize(500)), (Ok(()), Ok(())));
        assert_eq!((third.resize(41), third.resize(40)), (Err(Full), Ok(())), "60 and 40 are the share");
        assert_eq!(short.resize(61), Err(Full));
        let mut other = budget.reservation(at("2001:db8:1:3::1"));
        assert_eq!((other.resize(201), other.resize(200)), (Err(Full), Ok(())), "800 is what the class may hold");
        drop(long);
        assert_eq!((third.resize(300), short.resize(100)), (Ok(()), Ok(())), "now another one is the longest");
        assert_eq!((short.resize(101), third.resize(100), short.resize(700)), (Err(Full), Ok(()), Err(Full)));
        drop((short, third, other));
        assert_eq!(
            (budget.used(), budget.0.totals().clients.len()),
            (0, 0),
            "a client that holds nothing has no entry"
        );
    }

    #[test]
    fn users_count_by_their_id_and_by_their_network() {
        let budget = Budget::new(800);
        let holder = |address: &str, id| Holder::from(Owner::Known).at(address.parse().unwrap()).of_user(id);
        let mut long = budget.reservation(holder("192.0.2.1", "ana"));
        let mut rest = budget.reservation(holder("192.0.2.1", "ana"));
        assert_eq!((long.resize(300), rest.resize(101), rest.resize(100)), (Ok(()), Err(Full), Ok(())));
        for (address, id, wanted) in
            [("192.0.2.2", "ana", Err(Full)), ("192.0.2.1", "bob", Err(Full)), ("192.0.2.2", "bob", Ok(()))]
        {
            assert_eq!(budget.reservation(holder(address, id)).resize(1), wanted, "{address} {id}");
        }
        assert_eq!(budget.reservation(Owner::Known).resize(400), Ok(()), "a server of the project has no share");
    }

    #[test]
    fn a_forced_buffer_counts_in_the_share() {
        let budget = Budget::new(1600);
        let holder = || Holder::from(Owner::Anonymous).at(IpAddr::from([192, 0, 2, 1]));
        let (mut long, mut forced) = (budget.reservation(holder()), budget.reservation(holder()));
        long.resize(400).unwrap();
        forced.force(300);
        assert_eq!((budget.used(), budget.reservation(holder()).resize(1)), (700, Err(Full)));
        drop((long, forced));
        assert_eq!(budget.reservation(holder()).resize(800), Ok(()));
    }

    #[test]
    fn heads_are_a_class_of_their_own() {
        let budget = Budget::new(1600);
        let mut full = budget.reservation(Owner::Known);
        full.resize(1600).unwrap();
        let class = SHARE * HEADS_OF_ONE;
        let holder = |last| Holder::from(Owner::Head).at(IpAddr::from([192, 0, 2, last]));
        let mut heads: Vec<_> = (0..8).map(|last| budget.reservation(holder(last))).collect();
        assert!(heads.iter_mut().all(|head| head.resize(class / 8) == Ok(())));
        assert_eq!(budget.reservation(holder(9)).resize(1), Err(Full));
        drop(full);
        assert_eq!(budget.reservation(Owner::Anonymous).resize(800), Ok(()), "heads take nothing from the others");
    }
}
