//! How much may wait in a queue, in bytes.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// What one permit stands for, in bytes.
const UNIT: usize = 1024;

/// Room for so many bytes. What has a share of it gives that back when it is dropped.
#[derive(Debug)]
pub(crate) struct Room {
    free: Arc<Semaphore>,
    units: usize,
}

impl Room {
    pub(crate) fn new(bytes: usize) -> Self {
        let units = (bytes / UNIT).max(1);
        Room { free: Arc::new(Semaphore::new(units)), units }
    }

    /// Waits for room. What is larger than all of it waits until everything is free. `None` cannot happen, because rooms do not
    /// close.
    pub(crate) async fn take(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.free).acquire_many_owned(self.share(bytes)).await.ok()
    }

    /// Room that is free now.
    pub(crate) fn try_take(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.free).try_acquire_many_owned(self.share(bytes)).ok()
    }

    fn share(&self, bytes: usize) -> u32 {
        u32::try_from(bytes.div_ceil(UNIT).clamp(1, self.units)).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn room_is_counted_in_bytes() {
        let room = Room::new(4 * UNIT);
        let shares = [room.try_take(0), room.try_take(2 * UNIT + 1)];
        assert!(shares.iter().all(Option::is_some), "one and three units");
        assert!(room.try_take(1).is_none());
        drop(shares);
        let all = room.take(100 * UNIT).await;
        assert!(all.is_some() && room.try_take(1).is_none(), "larger than the room");
    }
}
