//! The memory that requests and answers may hold, all together.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The budget where no setting names another, in bytes.
pub const DEFAULT_BUDGET: usize = 256 * 1024 * 1024;
/// What one buffer may hold without being counted, in bytes: so that a short sign-in always finds room.
pub const UNCOUNTED: usize = 16 * 1024;

/// Bytes that all buffers together may hold. Anonymous requests have half of it, so that they cannot take the place of
/// those who signed in. Cloning shares it.
#[derive(Clone, Debug)]
pub struct Budget(Arc<Used>);

#[derive(Debug)]
struct Used {
    limit: usize,
    all: AtomicUsize,
    anonymous: AtomicUsize,
}

/// Whose buffer it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A caller who is not signed in, or not known yet.
    Anonymous,
    /// A user, or one of the project's own servers.
    Known,
}

/// There is no room. Nothing was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// What one buffer holds of the budget, which has it back when this is dropped.
#[derive(Debug)]
pub struct Reservation {
    used: Arc<Used>,
    owner: Owner,
    bytes: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Budget::new(DEFAULT_BUDGET)
    }
}

impl Budget {
    /// A budget of `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Budget(Arc::new(Used { limit, all: AtomicUsize::new(0), anonymous: AtomicUsize::new(0) }))
    }

    /// A buffer that holds nothing yet.
    pub fn reservation(&self, owner: Owner) -> Reservation {
        Reservation { used: Arc::clone(&self.0), owner, bytes: 0 }
    }

    /// Bytes that are held at the moment.
    pub fn used(&self) -> usize {
        self.0.all.load(Ordering::Relaxed)
    }
}

impl Reservation {
    /// The buffer now holds `bytes`.
    ///
    /// # Errors
    /// [`Full`] where it would grow beyond what is left; it then holds what it did before.
    pub fn resize(&mut self, bytes: usize) -> Result<(), Full> {
        let Some(more) = bytes.checked_sub(self.bytes).filter(|more| *more > 0) else {
            self.give_back(self.bytes - bytes);
            self.bytes = bytes;
            return Ok(());
        };
        take(&self.used.all, more, self.used.limit)?;
        if self.owner == Owner::Anonymous && take(&self.used.anonymous, more, self.used.limit / 2).is_err() {
            self.used.all.fetch_sub(more, Ordering::Relaxed);
            return Err(Full);
        }
        self.bytes = bytes;
        Ok(())
    }

    /// The buffer now holds `bytes` whether there is room or not: for what cannot be refused any more.
    pub fn force(&mut self, bytes: usize) {
        let more = bytes.saturating_sub(self.bytes);
        self.used.all.fetch_add(more, Ordering::Relaxed);
        if self.owner == Owner::Anonymous {
            self.used.anonymous.fetch_add(more, Ordering::Relaxed);
        }
        self.bytes = self.bytes.max(bytes);
    }

    fn give_back(&self, bytes: usize) {
        self.used.all.fetch_sub(bytes, Ordering::Relaxed);
        if self.owner == Owner::Anonymous {
            self.used.anonymous.fetch_sub(bytes, Ordering::Relaxed);
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.give_back(self.bytes);
    }
}

fn take(used: &AtomicUsize, more: usize, limit: usize) -> Result<(), Full> {
    let grown = |used: usize| used.checked_add(more).filter(|grown| *grown <= limit);
    used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, grown).map(|_| ()).map_err(|_| Full)
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
}
