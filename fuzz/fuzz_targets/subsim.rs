#![no_main]
//! What clients of this game say, in every protocol it has and in JSON, with anything in it.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    trials::fuzz::transcript::<games::subsim::SubSim>(bytes);
});
