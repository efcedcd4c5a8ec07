//! Frames as they come over the network: in parts, whole, and several at once.

use std::task::Waker;

use tokio::io::AsyncWriteExt;

use super::*;

/// A frame as a client sends it.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![first];
    match payload.len() {
        short @ 0..126 => frame.push(0x80 | u8::try_from(short).unwrap()),
        longer @ 126..0x1_0000 => {
            frame.push(0x80 | 126);
            frame.extend(u16::try_from(longer).unwrap().to_be_bytes());
        }
        longest => {
            frame.push(0x80 | 127);
            frame.extend((longest as u64).to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(payload);
    frame
}

/// The lengths of the frames in these bytes, cut into parts of this size.
fn ends(bytes: &[u8], part: usize) -> Vec<usize> {
    let mut frames = Frames::default();
    let (mut ends, mut length) = (Vec::new(), 0);
    for mut part in bytes.chunks(part) {
        while !part.is_empty() {
            let (passed, ended) = frames.pass(part).expect("few pieces");
            length += passed;
            if ended {
                ends.push(std::mem::take(&mut length));
            }
            part = &part[passed..];
        }
    }
    assert_eq!(length, 0, "no frame is left over");
    ends
}

#[test]
fn frames_are_told_apart_however_they_are_cut() {
    let payloads = [0, 1, 125, 126, 300, 0xffff, 0x1_0000, 5];
    let frames: Vec<Vec<u8>> = payloads.map(|length| frame(0x81, &vec![7; length])).into();
    let lengths: Vec<usize> = frames.iter().map(Vec::len).collect();
    for part in [1, 2, 3, 7, 1024, 1 << 20] {
        assert_eq!(ends(&frames.concat(), part), lengths, "in parts of {part}");
    }
}

#[test]
fn a_message_has_few_pieces_and_fewer_empty_ones() {
    let feed = |frames: &mut Frames, first, payload: &[u8], times: usize| {
        let frame = frame(first, payload);
        (0..times).try_for_each(|_| frames.pass(&frame).map(|_| ()))
    };
    let mut frames = Frames::default();
    for _ in 0..3 {
        assert_eq!(feed(&mut frames, 0x01, b"a", 1), Ok(()));
        assert_eq!(feed(&mut frames, 0x00, b"a", 62), Ok(()));
        assert_eq!(feed(&mut frames, 0x89, b"", 100), Ok(()), "pings are no pieces");
        assert_eq!(feed(&mut frames, 0x80, b"a", 1), Ok(()), "each message counts anew");
    }
    assert_eq!(feed(&mut frames, 0x01, b"a", 1), Ok(()));
    assert_eq!(feed(&mut frames, 0x00, b"a", 63), Ok(()));
    assert_eq!(feed(&mut frames, 0x00, b"a", 1), Err(TooManyPieces));
    let mut frames = Frames::default();
    assert_eq!(feed(&mut frames, 0x01, b"a", 1), Ok(()));
    assert_eq!(feed(&mut frames, 0x00, b"", 4), Ok(()));
    assert_eq!(feed(&mut frames, 0x00, b"", 1), Err(TooManyPieces));
}

#[tokio::test]
async fn one_frame_at_a_time_comes_through_and_every_byte_is_counted() {
    let (mut client, socket) = tokio::io::duplex(4096);
    let sent = [frame(0x01, b"ab"), frame(0x00, b""), frame(0x89, b"")];
    client.write_all(&sent.concat()).await.expect("there is room");
    let mut metered = Metered::new(socket);
    let mut cx = Context::from_waker(Waker::noop());
    let mut read = |metered: &mut Metered<_>| {
        let mut bytes = [0; 100];
        let mut buffer = ReadBuf::new(&mut bytes);
        match Pin::new(metered).poll_read(&mut cx, &mut buffer) {
            Poll::Ready(read) => read.map(|()| buffer.filled().to_vec()).expect("it is read"),
            Poll::Pending => Vec::new(),
        }
    };
    for frame in sent {
        assert_eq!(read(&mut metered), b"", "nothing before it is asked for");
        metered.open();
        assert_eq!(read(&mut metered), frame);
        assert_eq!(metered.take(), Came { bytes: frame.len(), frames: 1 });
    }
    assert!(metered.ahead.capacity() == 0, "nothing is kept when nothing waits");
}
