//! A line between an agent's seat and a hall, without a socket: text goes both ways, one message at
//! a time. Neither end waits for the other.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};

use tokio::sync::Notify;

/// Both ends of a new line.
pub fn line() -> (AgentEnd, HouseEnd) {
    let shared = Arc::new(Shared::default());
    (AgentEnd(shared.clone()), HouseEnd(shared))
}

#[derive(Debug, Default)]
struct Shared {
    line: Mutex<Line>,
    /// Notified when there is something for the agent, or when the server has closed the line.
    news: Notify,
}

#[derive(Debug, Default)]
struct Line {
    to_house: VecDeque<String>,
    to_agent: VecDeque<String>,
    /// Number of bytes the agent hasn't fetched.
    unheard: usize,
    /// The server's task, if it waits for the agent's next message.
    waiting: Option<Waker>,
    /// The agent has used the line since the server last looked.
    used: bool,
    agent_gone: bool,
    house_gone: bool,
}

impl Shared {
    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().expect("no holder of this lock panics")
    }
}

/// The end at which an agent speaks. The line ends when it is dropped.
#[derive(Debug)]
pub struct AgentEnd(Arc<Shared>);

impl AgentEnd {
    pub fn say(&self, text: String) {
        let waiting = {
            let mut line = self.0.line();
            line.used = true;
            line.to_house.push_back(text);
            line.waiting.take()
        };
        wake(waiting);
    }

    /// Takes what has arrived so far, and whether the server has hung up after that.
    pub fn take_received(&self) -> (VecDeque<String>, bool) {
        let mut line = self.0.line();
        (line.used, line.unheard) = (true, 0);
        (std::mem::take(&mut line.to_agent), line.house_gone)
    }

    /// Notified from now on when there may be something to take.
    pub fn news(&self) -> &Notify {
        &self.0.news
    }

    /// Whether the server has hung up.
    pub fn is_closed(&self) -> bool {
        self.0.line().house_gone
    }
}

impl AgentEnd {
    /// Closes the agent's side and lets the server continue.
    pub fn hang_up(&self) {
        let waiting = {
            let mut line = self.0.line();
            line.agent_gone = true;
            line.waiting.take()
        };
        wake(waiting);
    }
}

impl Drop for AgentEnd {
    fn drop(&mut self) {
        self.hang_up();
    }
}

/// The end at which a hall listens.
#[derive(Debug)]
pub struct HouseEnd(Arc<Shared>);

impl HouseEnd {
    /// The next message. None: the agent is gone.
    pub fn poll_hear(&mut self, cx: &mut Context<'_>) -> Poll<Option<String>> {
        let mut line = self.0.line();
        match line.to_house.pop_front() {
            Some(text) => Poll::Ready(Some(text)),
            None if line.agent_gone => Poll::Ready(None),
            None => {
                line.waiting = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }

    pub fn say(&mut self, text: String) {
        let mut line = self.0.line();
        line.unheard += text.len();
        line.to_agent.push_back(text);
        drop(line);
        self.0.news.notify_waiters();
    }

    /// Number of bytes the agent hasn't fetched.
    pub fn unheard(&self) -> usize {
        self.0.line().unheard
    }

    /// Whether the agent has used the line since this was last asked.
    pub fn take_used(&mut self) -> bool {
        std::mem::take(&mut self.0.line().used)
    }

    pub fn hang_up(&mut self) {
        self.0.line().house_gone = true;
        self.0.news.notify_waiters();
    }
}

impl Drop for HouseEnd {
    fn drop(&mut self) {
        self.hang_up();
    }
}

fn wake(waiting: Option<Waker>) {
    if let Some(waker) = waiting {
        waker.wake();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hear(house: &mut HouseEnd) -> Poll<Option<String>> {
        house.poll_hear(&mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn both_ends_hear_each_other_in_order_and_of_the_end() {
        let (agent, mut house) = line();
        assert_eq!(hear(&mut house), Poll::Pending);
        agent.say("one".to_owned());
        agent.say("two".to_owned());
        assert_eq!(hear(&mut house), Poll::Ready(Some("one".to_owned())));
        assert_eq!(hear(&mut house), Poll::Ready(Some("two".to_owned())));
        house.say("three".to_owned());
        assert_eq!(house.unheard(), 5);
        let (heard, gone) = agent.take_received();
        assert_eq!((heard, gone), (VecDeque::from(["three".to_owned()]), false));
        assert_eq!(house.unheard(), 0);
        drop(agent);
        assert_eq!(hear(&mut house), Poll::Ready(None));
    }

    #[test]
    fn what_was_said_before_the_house_hung_up_is_heard() {
        let (agent, mut house) = line();
        house.say("the end".to_owned());
        drop(house);
        assert_eq!(agent.take_received(), (VecDeque::from(["the end".to_owned()]), true));
    }

    #[test]
    fn the_house_knows_whether_the_line_is_in_use() {
        let (agent, mut house) = line();
        assert!(!house.take_used());
        agent.take_received();
        assert!(house.take_used());
        assert!(!house.take_used());
    }
}
