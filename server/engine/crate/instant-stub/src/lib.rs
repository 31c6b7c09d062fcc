//! A clock that stands still. llguidance reads `Instant` for timing statistics only.
use std::ops::Sub;
pub use std::time::Duration;

#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(());

impl Instant {
    pub fn now() -> Self {
        Instant(())
    }
    pub fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
    pub fn duration_since(&self, _earlier: Instant) -> Duration {
        Duration::ZERO
    }
}

impl Sub<Instant> for Instant {
    type Output = Duration;
    fn sub(self, _other: Instant) -> Duration {
        Duration::ZERO
    }
}
