//! A WebSocket over a line in memory.

use std::task::Waker;

use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncWriteExt, DuplexStream, duplex};
use tokio_tungstenite::WebSocketStream;
use tungstenite::protocol::Role;

use super::super::byte_socket::ByteSocket;
use super::super::patient::Patient;
use super::super::tcp::LineTransport;
use super::*;
use crate::gate::{Gate, Peer};
use crate::house::{Metrics, Settings};

const EMPTY_PING: [u8; 6] = [0x89, 0x80, 0, 0, 0, 0];
const EMPTY_BINARY: [u8; 6] = [0x82, 0x80, 0, 0, 0, 0];

fn metrics() -> GameMetrics {
    Metrics::new().of_game("sushi-go")
}

async fn transport(room: usize) -> (DuplexStream, WebSocketTransport<DuplexStream>) {
    let (client, server) = duplex(room);
    let socket = Socket::new(server).await;
    (client, WebSocketTransport::new(socket, 1024, Pings::every(0), metrics()))
}

#[test]
fn a_shared_text_is_not_copied_for_each_receiver() {
    let text: Arc<str> = "a view of the table".into();
    let frames = [shared_bytes(text.clone()), shared_bytes(text.clone())];
    for frame in &frames {
        assert_eq!(frame.as_ptr(), text.as_ptr());
    }
    drop(frames);
    assert_eq!(Arc::strong_count(&text), 1, "and let go of when it is sent");
}

/// One look at a socket went through twenty thousand of them.
#[tokio::test]
async fn frames_that_carry_nothing_are_fetched_one_by_one_and_counted() {
    let (mut client, mut transport) = transport(1 << 16).await;
    client.write_all(&EMPTY_PING.repeat(40)).await.expect("there is room");
    let mut cx = Context::from_waker(Waker::noop());
    for _ in 0..40 {
        assert_eq!(transport.poll_fetch(&mut cx), Poll::Ready(Ok(6)));
        assert_eq!(transport.idle_frames(), 1);
    }
    assert_eq!(transport.poll_fetch(&mut cx), Poll::Pending);
}

#[tokio::test]
async fn pieces_of_a_message_are_counted_and_its_first_is_the_message() {
    let (mut client, mut transport) = transport(1 << 16).await;
    let pieces =
        [0x01, 0x81, 0, 0, 0, 0, b'a', 0x00, 0x81, 0, 0, 0, 0, b'b', 0x80, 0x80, 0, 0, 0, 0];
    client.write_all(&pieces).await.expect("there is room");
    let mut cx = Context::from_waker(Waker::noop());
    for bytes in [7, 7, 6] {
        assert_eq!(transport.poll_fetch(&mut cx), Poll::Ready(Ok(bytes)));
    }
    assert_eq!(transport.idle_frames(), 2);
    let mut heard = String::new();
    assert!(transport.next(&mut |frame| heard = format!("{frame:?}")));
    assert_eq!(heard, format!("{:?}", Frame::Text("ab")));
}

#[tokio::test]
async fn frames_for_bytes_are_fetched_one_by_one_and_counted_unless_they_begin_a_message() {
    let (mut client, server) = duplex(1 << 16);
    let socket = ByteSocket::new(Socket::new(server).await);
    let framer = wire::Framing::Lines { max: 100 }.framer();
    let mut transport = LineTransport::new(socket, framer, 1000, metrics());
    let carried = |byte| [0x82, 0x81, 0, 0, 0, 0, byte].to_vec();
    let sent = [
        EMPTY_PING.repeat(20),
        EMPTY_BINARY.repeat(20),
        carried(b'a'),
        carried(b'b'),
        carried(b'\n'),
    ];
    client.write_all(&sent.concat()).await.expect("there is room");
    let mut cx = Context::from_waker(Waker::noop());
    for _ in 0..40 {
        assert_eq!(transport.poll_fetch(&mut cx), Poll::Ready(Ok(6)));
        assert_eq!(transport.idle_frames(), 1);
        assert!(!transport.next(&mut |_| {}));
    }
    for idle in [0, 1, 1] {
        assert_eq!(transport.poll_fetch(&mut cx), Poll::Ready(Ok(7)));
        assert_eq!(transport.idle_frames(), idle, "only the first frame of a line is a message");
    }
    assert!(transport.next(&mut |_| {}));
    assert_eq!(transport.poll_fetch(&mut cx), Poll::Pending);
}

/// Each watcher who did not read kept a copy of the whole text.
#[tokio::test]
async fn a_long_text_is_copied_piece_by_piece_and_arrives_whole() {
    let (client, mut transport) = transport(1024).await;
    let text: Arc<str> = "ä".repeat(1 << 20).into();
    transport.put(Text::Shared(text.clone()));
    let mut cx = Context::from_waker(Waker::noop());
    assert_eq!(transport.poll_send(&mut cx), Poll::Pending, "nobody reads yet");
    let rest = transport.sending.as_ref().expect("most of it is still to be sent");
    assert_eq!(rest.len(), text.len() - PIECE, "one piece was given to the socket");
    assert_eq!(rest.as_ptr(), text[PIECE..].as_ptr(), "and the rest is shared");
    let mut client = WebSocketStream::from_raw_socket(client, Role::Client, None).await;
    let sends = async {
        std::future::poll_fn(|cx| transport.poll_send(cx)).await.expect("it is read");
        transport
    };
    let (heard, _transport) = tokio::join!(client.next(), sends);
    assert_eq!(heard.expect("a message").expect("whole").into_text().unwrap().as_str(), &*text);
}

#[tokio::test]
async fn a_message_in_too_many_pieces_is_against_the_rules() {
    let (mut client, mut transport) = transport(1 << 16).await;
    client.write_all(&[0x01, 0x81, 0, 0, 0, 0, b'a']).await.expect("there is room");
    client.write_all(&[0x00, 0x80, 0, 0, 0, 0].repeat(100)).await.expect("there is room");
    let mut cx = Context::from_waker(Waker::noop());
    let refused = (0..20).find_map(|_| match transport.poll_fetch(&mut cx) {
        Poll::Ready(fetched) => fetched.err(),
        Poll::Pending => panic!("there is more"),
    });
    let why = refused.expect("refused after a handful");
    assert!(why.contains("too many pieces"), "{why}");
    assert_eq!(transport.code, CloseCode::Policy);
}

/// The socket below gives up, so the connection ends whatever it carries.
#[tokio::test(start_paused = true)]
async fn who_takes_no_frames_is_given_up() {
    let gate = Gate::new(&Settings::default(), Metrics::new(), None);
    let admission = gate.admit(Peer::direct([192, 0, 2, 1].into())).expect("there is room");
    let (client, server) = duplex(1024);
    let socket = Socket::new(Patient::new(server, Arc::new(admission))).await;
    let mut transport = WebSocketTransport::new(socket, 1024, Pings::every(0), metrics());
    transport.put(Text::Own("x".repeat(1 << 20)));
    let why = std::future::poll_fn(|cx| transport.poll_send(cx)).await.expect_err("nobody reads");
    assert!(why.contains("taken nothing for 30000 ms"), "{why}");
    let mut client = WebSocketStream::from_raw_socket(client, Role::Client, None).await;
    client.send(Message::Ping(Bytes::new())).await.expect("the line is there");
}
