//! The owner's side of what organisers ask over other nodes.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use hall::Reply;

use crate::fleet::link::{self, Frame, FromOwner, Spoken};

/// What organisers have asked over a gateway. It outlasts the gateway, which asks again when it comes back.
#[derive(Debug, Default)]
pub struct Requests {
    /// The last request that has come.
    pub asked: u64,
    /// Replies that may not have arrived, each with its request's number and its frame's.
    pub replies: VecDeque<(u64, u64, Reply)>,
}

impl Requests {
    /// The frames of replies that may not have arrived, without what else was in them: its connections
    /// have gone since.
    pub fn say_again(&self, epoch: u64) -> Vec<(u64, Arc<[u8]>)> {
        let mut frames: BTreeMap<u64, Vec<Spoken>> = BTreeMap::new();
        for (request, number, reply) in &self.replies {
            frames.entry(*number).or_default().push(Spoken::Reply(*request, reply.clone()));
        }
        let frame = |(number, said)| {
            let frame = Frame { epoch, number, afresh: false, said };
            (number, link::frame(&FromOwner::Frame(frame)).into())
        };
        frames.into_iter().map(frame).collect()
    }
}
