//! Sessions against anything a client can send.
