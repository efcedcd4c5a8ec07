//! Running a hall from outside, whatever its game.

use std::pin::Pin;
use std::sync::Arc;

use hall::{BanSubject, Refusal, Register};
use tokio::sync::oneshot;
use wire::Playable;

use super::{HallHandle, HallMessage};

/// Something that is done, in its own time.
pub type Future<'a> = Pin<Box<dyn std::future::Future<Output = ()> + Send + 'a>>;

/// A hall's task, whatever its game.
pub trait HallControl: Send + Sync {
    fn shutting_down(&self) -> Future<'_>;
    fn stop(&self) -> Future<'_>;

    /// Lets the hall know the register; it goes by it once this is over.
    fn know(&self, register: Arc<Register>) -> Future<'_>;

    /// Lets nothing new begin, for a reason, or lets it again; the hall goes by it once this is over.
    fn bar(&self, why: Option<Refusal>) -> Future<'_>;

    /// Closes the connections of a name or an address; how many.
    fn kick(
        &self,
        subject: BanSubject,
    ) -> Pin<Box<dyn std::future::Future<Output = usize> + Send + '_>>;

    /// Another way to the same hall.
    fn another(&self) -> Box<dyn HallControl>;
}

impl<G: Playable> HallControl for HallHandle<G> {
    fn shutting_down(&self) -> Future<'_> {
        Box::pin(self.send(HallMessage::ShuttingDown))
    }

    fn stop(&self) -> Future<'_> {
        Box::pin(self.send(HallMessage::Stop))
    }

    fn know(&self, register: Arc<Register>) -> Future<'_> {
        Box::pin(async {
            let (known, is_known) = oneshot::channel();
            self.send(HallMessage::Registered(register, known)).await;
            // A closed hall need not know.
            let _ = is_known.await;
        })
    }

    fn bar(&self, why: Option<Refusal>) -> Future<'_> {
        Box::pin(async {
            let (known, is_known) = oneshot::channel();
            self.send(HallMessage::Barred(why, known)).await;
            // In a closed hall nothing begins.
            let _ = is_known.await;
        })
    }

    fn kick(
        &self,
        subject: BanSubject,
    ) -> Pin<Box<dyn std::future::Future<Output = usize> + Send + '_>> {
        Box::pin(async {
            let (kicked, are_kicked) = oneshot::channel();
            self.send(HallMessage::Kick(subject, kicked)).await;
            // Nobody is connected to a closed hall.
            are_kicked.await.unwrap_or(0)
        })
    }

    fn another(&self) -> Box<dyn HallControl> {
        Box::new(self.clone())
    }
}
