//! The other instances, and how much of their presence is known.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// An instance that was not heard of for this long is gone, and so are its presences.
const GONE: Duration = Duration::from_secs(20);

/// How long after the last loss of an instance it is still greeted: a network that was cut is mended by then.
const HOPE: Duration = Duration::from_secs(3600);

/// An instance that was not heard on NATS for this long cannot be reached there: it greets every 5 seconds.
const SILENT: Duration = Duration::from_secs(12);

/// Instances that are known at once, at most.
const MOST: usize = 256;

/// The other instances.
#[derive(Debug, Default)]
pub(super) struct Peers {
    known: HashMap<String, Peer>,
    /// When one was lost without a goodbye.
    lost: Option<Instant>,
}

#[derive(Debug)]
struct Peer {
    seen: Instant,
    /// Whether it hears what it publishes on NATS itself.
    on_bus: bool,
    /// When it was last heard on NATS: its servers may not be connected to ours.
    heard_on_bus: Option<Instant>,
    /// The number of its last change of presence that is known; `None` if not all before it are.
    known: Option<u64>,
    /// The number that it said when it was found to be ahead.
    ahead: Option<u64>,
}

/// An instance that was heard of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Met {
    New,
    Known,
    /// There are too many, or the database has not told of it.
    Ignored,
}

/// What to do with a change of presence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Next,
    /// It is known already.
    Old,
    /// Some before it are missing.
    AfterGap,
}

impl Peers {
    /// An instance was heard. `on_bus` is what it said of itself by the database; `None` if it was heard on NATS, where only
    /// instances are believed that the database has told of.
    pub(super) fn meet(&mut self, name: &str, on_bus: Option<bool>, now: Instant) -> Met {
        if let Some(peer) = self.known.get_mut(name) {
            peer.seen = now;
            match on_bus {
                Some(said) => peer.on_bus = said,
                None => peer.heard_on_bus = Some(now),
            }
            return Met::Known;
        }
        let Some(on_bus) = on_bus.filter(|_| self.known.len() < MOST) else { return Met::Ignored };
        let peer = Peer { seen: now, on_bus, heard_on_bus: None, known: None, ahead: None };
        self.known.insert(name.to_owned(), peer);
        Met::New
    }

    /// An instance says goodbye.
    pub(super) fn leave(&mut self, name: &str) {
        self.known.remove(name);
    }

    /// Forgets the instances that are gone, and gives their names.
    pub(super) fn forget_gone(&mut self, now: Instant) -> Vec<String> {
        let is_gone = |peer: &Peer| now.saturating_duration_since(peer.seen) > GONE;
        let gone: Vec<String> = self.known.extract_if(|_, peer| is_gone(peer)).map(|(name, _)| name).collect();
        if !gone.is_empty() {
            self.lost = Some(now);
        }
        gone
    }

    /// Whether nobody is there.
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Whether somebody is there, or may come back.
    pub(super) fn is_anybody_expected(&self, now: Instant) -> bool {
        !self.is_empty() || self.lost.is_some_and(|lost| now.saturating_duration_since(lost) < HOPE)
    }

    /// Whether everybody hears what is published on NATS, and is heard there.
    pub(super) fn are_on_bus(&self, now: Instant) -> bool {
        let is_heard = |at| now.saturating_duration_since(at) < SILENT;
        !self.is_empty() && self.known.values().all(|peer| peer.on_bus && peer.heard_on_bus.is_some_and(is_heard))
    }

    /// A change of an instance's presence arrives.
    pub(super) fn change(&mut self, name: &str, number: u64) -> Change {
        let Some(peer) = self.known.get_mut(name) else { return Change::Old };
        match peer.known {
            // Everything that is present is on its way.
            None => Change::Next,
            Some(known) if number <= known => Change::Old,
            Some(known) if number == known + 1 => {
                peer.known = Some(number);
                Change::Next
            }
            Some(_) => {
                peer.known = None;
                Change::AfterGap
            }
        }
    }

    /// Everything that is present on an instance arrives; `false` if it is older than what is known.
    pub(super) fn account(&mut self, name: &str, number: u64) -> bool {
        let Some(peer) = self.known.get_mut(name) else { return false };
        if peer.known.is_some_and(|known| known > number) {
            return false;
        }
        (peer.known, peer.ahead) = (Some(number), None);
        true
    }

    /// An instance says the number of its last change; whether some have been missed. A change may be slower than the greeting
    /// that follows it, so that it is asked only when it has not come until the next.
    pub(super) fn is_ahead(&mut self, name: &str, number: u64) -> bool {
        let Some(peer) = self.known.get_mut(name) else { return false };
        if peer.known.is_some_and(|known| known >= number) {
            peer.ahead = None;
            return false;
        }
        match peer.ahead.take() {
            Some(before) => peer.known.is_none_or(|known| known < before),
            None => {
                peer.ahead = Some(number);
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &str) -> Peers {
        let mut peers = Peers::default();
        assert_eq!(peers.meet(name, Some(true), Instant::now()), Met::New);
        assert_eq!(peers.meet(name, None, Instant::now()), Met::Known);
        peers
    }

    #[test]
    fn a_gap_is_noticed_and_closed_by_a_full_account() {
        let mut peers = with("a");
        assert_eq!(peers.change("a", 7), Change::Next, "the account is on its way");
        assert!(peers.account("a", 7));
        assert_eq!(peers.change("a", 8), Change::Next);
        assert_eq!(peers.change("a", 8), Change::Old);
        assert_eq!(peers.change("a", 10), Change::AfterGap);
        assert_eq!(peers.change("a", 11), Change::Next, "it is asked once");
        assert!(peers.account("a", 11));
        assert!(!peers.account("a", 10), "an old one takes nothing back");
        assert_eq!(peers.change("a", 12), Change::Next);
        assert_eq!(peers.change("b", 1), Change::Old, "nobody knows it");
    }

    #[test]
    fn a_lost_last_change_is_noticed_by_the_second_greeting() {
        let mut peers = with("a");
        assert!(peers.account("a", 3));
        assert!(!peers.is_ahead("a", 3) && !peers.is_ahead("a", 4));
        assert_eq!(peers.change("a", 4), Change::Next);
        assert!(!peers.is_ahead("a", 4) && !peers.is_ahead("a", 5));
        assert!(peers.is_ahead("a", 5));
        // The account is lost, too.
        assert!(!peers.is_ahead("a", 5) && peers.is_ahead("a", 5));
        let mut peers = with("b");
        assert!(!peers.is_ahead("b", 0) && peers.is_ahead("b", 0), "nothing is known of it");
    }

    #[test]
    fn who_is_lost_is_expected_for_a_while_and_who_left_is_not() {
        let (mut peers, now) = (with("a"), Instant::now());
        assert!(peers.are_on_bus(now) && peers.forget_gone(now + GONE - Duration::from_secs(1)).is_empty());
        let later = now + GONE + Duration::from_secs(1);
        assert_eq!(peers.forget_gone(later), ["a"]);
        assert!(peers.is_empty() && !peers.are_on_bus(now));
        assert!(peers.is_anybody_expected(later) && !peers.is_anybody_expected(later + HOPE));
        let mut peers = with("a");
        peers.leave("a");
        assert!(!peers.is_anybody_expected(now));
    }

    #[test]
    fn invented_instances_are_bounded() {
        let mut peers = Peers::default();
        let now = Instant::now();
        for number in 0..MOST {
            assert_eq!(peers.meet(&number.to_string(), Some(false), now), Met::New);
        }
        assert_eq!(peers.meet("one more", Some(true), now), Met::Ignored);
    }

    #[test]
    fn nats_is_used_while_everybody_was_heard_there_lately() {
        let (mut peers, now) = (Peers::default(), Instant::now());
        assert_eq!(peers.meet("a", None, now), Met::Ignored, "the database has not told of it");
        assert_eq!(peers.meet("a", Some(true), now), Met::New);
        assert!(!peers.are_on_bus(now), "it hears itself, but nobody heard it");
        assert_eq!(peers.meet("a", None, now), Met::Known);
        assert!(peers.are_on_bus(now) && !peers.are_on_bus(now + SILENT));
        assert_eq!(peers.meet("b", Some(true), now), Met::New);
        assert!(!peers.are_on_bus(now), "not all");
        peers.leave("b");
        assert_eq!(peers.meet("a", Some(false), now), Met::Known);
        assert!(!peers.are_on_bus(now), "it no longer hears itself");
    }
}
