//! The other instances, and how much of their presence is known.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// After this much silence an instance counts as gone, and its presences are removed.
const GONE: Duration = Duration::from_secs(20);

/// How long to keep greeting after an instance was lost, in case only the network between them was down.
const HOPE: Duration = Duration::from_secs(3600);

/// After this much silence on NATS an instance counts as unreachable there. Instances greet every 5 seconds.
const SILENT: Duration = Duration::from_secs(12);

/// The largest number of known instances.
const MOST: usize = 256;

/// The other instances.
#[derive(Debug, Default)]
pub(super) struct Peers {
    known: HashMap<String, Peer>,
    /// When an instance was last lost without a goodbye.
    lost: Option<Instant>,
}

#[derive(Debug)]
struct Peer {
    seen: Instant,
    /// Whether it receives its own messages through NATS.
    on_bus: bool,
    /// When it was last heard on NATS. Its NATS servers may not be connected to ours.
    heard_on_bus: Option<Instant>,
    /// The number of the last known change of its presence; `None` if an earlier change is missing.
    known: Option<u64>,
    /// The number in the greeting that first showed it to be ahead of `known`.
    ahead: Option<u64>,
}

/// What [`Peers::meet`] found about the sender of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Met {
    New,
    Known,
    /// Too many instances are known, or this one was heard on NATS only.
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
    /// Records that an instance was heard. `on_bus` is its state as announced by NOTIFY, or `None` if the message came through
    /// NATS. Messages through NATS count only from instances that are already known through NOTIFY.
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

    /// Removes an instance that said goodbye.
    pub(super) fn leave(&mut self, name: &str) {
        self.known.remove(name);
    }

    /// Removes the instances that are gone, and returns their names.
    pub(super) fn forget_gone(&mut self, now: Instant) -> Vec<String> {
        let is_gone = |peer: &Peer| now.saturating_duration_since(peer.seen) > GONE;
        let gone: Vec<String> = self.known.extract_if(|_, peer| is_gone(peer)).map(|(name, _)| name).collect();
        if !gone.is_empty() {
            self.lost = Some(now);
        }
        gone
    }

    /// Whether no other instance is known.
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Whether another instance is known, or may come back.
    pub(super) fn is_anybody_expected(&self, now: Instant) -> bool {
        !self.is_empty() || self.lost.is_some_and(|lost| now.saturating_duration_since(lost) < HOPE)
    }

    /// Whether all instances receive through NATS, and have been heard there lately.
    pub(super) fn are_on_bus(&self, now: Instant) -> bool {
        let is_heard = |at| now.saturating_duration_since(at) < SILENT;
        !self.is_empty() && self.known.values().all(|peer| peer.on_bus && peer.heard_on_bus.is_some_and(is_heard))
    }

    /// Records a change of an instance's presence.
    pub(super) fn change(&mut self, name: &str, number: u64) -> Change {
        let Some(peer) = self.known.get_mut(name) else { return Change::Old };
        match peer.known {
            // A full account is on its way.
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

    /// Records a full account of an instance's presence; `false` if it is older than what is known.
    pub(super) fn account(&mut self, name: &str, number: u64) -> bool {
        let Some(peer) = self.known.get_mut(name) else { return false };
        if peer.known.is_some_and(|known| known > number) {
            return false;
        }
        (peer.known, peer.ahead) = (Some(number), None);
        true
    }

    /// Whether changes were missed, given the number in an instance's greeting. A change may arrive later than the greeting that
    /// follows it, so this waits for the next greeting before it answers `true`.
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
