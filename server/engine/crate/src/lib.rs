//! llguidance behind a plain C ABI, for a WebAssembly host.
//!
//! All functions take and give 32-bit integers. The host
//!   1. asks for memory with `engine_alloc`, writes bytes there and passes pointer and length;
//!   2. reads the result code, and further output at (`engine_out_ptr`, `engine_out_len`), valid until the next call.
//! The vocabulary is the 256 single bytes (token n is byte n) and one end token: there are no text tokens.
//!
//! A panic (built with panic=abort) is the trap `unreachable`. The host then reads the message at
//! (`engine_panic_ptr`, `engine_panic_len`), drops the instance and makes another.

use std::cell::RefCell;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use llguidance::api::{ParserLimits, TopLevelGrammar};
use llguidance::panic_utils::catch_unwind;
use llguidance::{ParserFactory, TokenParser};
use serde_json::json;
use toktrie::{ApproximateTokEnv, InferenceCapabilities, TokEnv, TokRxInfo, TokTrie};

const END: u32 = 256;
/// Result code: the call failed, the output holds the error's text.
const FAILED: i32 = -1;
/// Values of `engine_compile`'s first argument.
const SYNTAX_REGEX: i32 = 1;

struct Session {
    /// The parser before the first byte.
    fresh: TokenParser,
    current: TokenParser,
}

/// Bit n % 8 of byte n / 8 stands for byte n; the last byte is 1 if the text may end here.
type NextBytes = [u8; 33];

fn byte_vocabulary() -> TokEnv {
    let mut words: Vec<Vec<u8>> = (0..=255u8).map(|byte| vec![byte]).collect();
    words.push(b"\xFF<|end|>".to_vec());
    let info = TokRxInfo::new(words.len() as u32, END);
    Arc::new(ApproximateTokEnv::new(TokTrie::from(&info, &words)))
}

/// Runs something of llguidance's; a panic that unwinds (none does with panic=abort) and an error become a text.
fn guarded<R>(run: impl FnOnce() -> Result<R, anyhow::Error>) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|error| format!("{error:#}"))
}

impl Session {
    /// `limits` is a JSON object with any fields of llguidance's `ParserLimits`, or empty.
    fn compile(syntax: i32, source: &str, limits: &str) -> Result<Session, String> {
        let mut limits: ParserLimits = if limits.is_empty() {
            ParserLimits::default()
        } else {
            serde_json::from_str(limits).map_err(|error| format!("limits: {error}"))?
        };
        limits.verbose_errors = false;
        guarded(|| {
            let vocabulary = byte_vocabulary();
            let mut factory =
                ParserFactory::new(&vocabulary, InferenceCapabilities::default(), &[])?;
            factory.quiet();
            *factory.limits_mut() = limits;
            let grammar = if syntax == SYNTAX_REGEX {
                TopLevelGrammar::from_regex(source)
            } else {
                // As the Python package does: a text that starts with a brace is a list of grammars.
                TopLevelGrammar::from_lark_or_grammar_list(source)?
            };
            let mut parser = factory.create_parser(grammar)?;
            parser.start_without_prompt();
            Ok(Session { current: parser.clone(), fresh: parser })
        })
    }

    fn reset(&mut self) {
        self.current = self.fresh.clone();
    }

    /// Takes bytes until one is refused: how many were taken, and what the engine says if it gave up there.
    fn consume(&mut self, bytes: &[u8]) -> Result<(usize, Option<String>), String> {
        let current = &mut self.current;
        guarded(|| {
            for (taken, &byte) in bytes.iter().enumerate() {
                // Tried before it is taken, for a refused byte must leave a parser that can be asked further. Trying
                // several at once would be wrong where the grammar counts tokens.
                let token = byte as u32;
                let outcome = match current.validate_tokens_raw(&[token]) {
                    Ok(0) => match current.parser.get_error() {
                        Some(error) => return Ok((taken, Some(error.message()))),
                        None => return Ok((taken, None)),
                    },
                    Ok(_) => current.consume_token(token),
                    Err(error) => Err(error),
                };
                match outcome {
                    Ok(backtracked) => anyhow::ensure!(backtracked == 0, "unexpected backtracking"),
                    Err(error) => return Ok((taken, Some(format!("{error:#}")))),
                }
            }
            let error = current.parser.get_error().map(|error| error.message());
            Ok((bytes.len(), error))
        })
    }

    fn is_accepting(&mut self) -> Result<bool, String> {
        let current = &mut self.current;
        guarded(|| Ok(current.is_accepting()))
    }

    /// The bytes that the engine's mask allows. With some grammars this never comes back.
    fn mask(&mut self) -> Result<NextBytes, String> {
        // On a copy: computing a mask stops a parser after which nothing may follow.
        let mut parser = self.current.clone();
        guarded(|| {
            let mut next = [0u8; 33];
            next[32] = parser.is_accepting() as u8;
            match parser.compute_mask() {
                Ok(mask) => {
                    for byte in (0..256usize).filter(|&byte| mask.is_allowed(byte as u32)) {
                        next[byte / 8] |= 1 << (byte % 8);
                    }
                    Ok(next)
                }
                // Stopped in the ordinary way: only the end may follow.
                Err(_) if next[32] == 1 && parser.stopped() && parser.stop_reason().is_ok() => {
                    Ok(next)
                }
                Err(error) => Err(error),
            }
        })
    }

    /// The bytes that the engine takes next, each tried by itself. Comes back where the mask does not.
    fn tried_next(&mut self) -> Result<NextBytes, String> {
        let mut parser = self.current.clone();
        guarded(|| {
            let mut next = [0u8; 33];
            next[32] = parser.is_accepting() as u8;
            for byte in 0..256usize {
                if parser.validate_tokens_raw(&[byte as u32])? > 0 {
                    next[byte / 8] |= 1 << (byte % 8);
                }
                if let Some(error) = parser.parser.get_error() {
                    anyhow::bail!("{}", error.message());
                }
            }
            Ok(next)
        })
    }

    /// The bytes that must follow.
    fn forced(&mut self) -> Result<Vec<u8>, String> {
        let mut parser = self.current.clone();
        guarded(|| Ok(parser.force_bytes()))
    }

    fn test_panic(&mut self) -> Result<(), String> {
        let current = &mut self.current;
        guarded(|| current.parser.test_trigger_lexer_error())
    }
}

struct State {
    sessions: Vec<Option<Session>>,
    output: Vec<u8>,
    hooked: bool,
}

impl State {
    /// Stores a session and gives its handle, which is above 0.
    fn keep(&mut self, session: Session) -> i32 {
        let free = self.sessions.iter().position(Option::is_none);
        let slot = free.unwrap_or_else(|| {
            self.sessions.push(None);
            self.sessions.len() - 1
        });
        self.sessions[slot] = Some(session);
        (slot + 1) as i32
    }
}

thread_local! {
    static STATE: RefCell<State> =
        const { RefCell::new(State { sessions: Vec::new(), output: Vec::new(), hooked: false }) };
    static PANIC: RefCell<([u8; 2048], usize)> = const { RefCell::new(([0; 2048], 0)) };
}

fn with<R>(run: impl FnOnce(&mut State) -> R) -> R {
    STATE.with(|state| {
        let state = &mut state.borrow_mut();
        if !state.hooked {
            state.hooked = true;
            // llguidance sets a hook of its own once, which takes backtraces: let it, then replace it.
            let _ = catch_unwind(|| Ok(()));
            std::panic::set_hook(Box::new(|info| {
                use std::io::Write;
                PANIC.with(|panic| {
                    if let Ok(mut panic) = panic.try_borrow_mut() {
                        let mut cursor = std::io::Cursor::new(&mut panic.0[..]);
                        let _ = write!(cursor, "{info}");
                        panic.1 = cursor.position() as usize;
                    }
                });
            }));
        }
        run(state)
    })
}

/// Runs a call about one session. An error becomes the output and the code -1.
fn on(
    handle: i32,
    run: impl FnOnce(&mut Session, &mut Vec<u8>) -> Result<i32, String>,
) -> i32 {
    with(|state| {
        state.output.clear();
        let slot = usize::try_from(handle.wrapping_sub(1)).unwrap_or(usize::MAX);
        let Some(Some(session)) = state.sessions.get_mut(slot) else {
            state.output.extend_from_slice(b"no such handle");
            return FAILED;
        };
        match run(session, &mut state.output) {
            Ok(code) => code,
            Err(error) => {
                state.output.clear();
                state.output.extend_from_slice(error.as_bytes());
                FAILED
            }
        }
    })
}

unsafe fn bytes<'a>(pointer: *const u8, length: usize) -> &'a [u8] {
    if length == 0 {
        &[]
    } else {
        std::slice::from_raw_parts(pointer, length)
    }
}

#[no_mangle]
pub extern "C" fn engine_alloc(length: usize) -> *mut u8 {
    Box::into_raw(vec![0u8; length.max(1)].into_boxed_slice()) as *mut u8
}

/// # Safety
/// Pointer and length as given by and to `engine_alloc`.
#[no_mangle]
pub unsafe extern "C" fn engine_dealloc(pointer: *mut u8, length: usize) {
    drop(Box::from_raw(std::ptr::slice_from_raw_parts_mut(pointer, length.max(1))));
}

#[no_mangle]
pub extern "C" fn engine_out_ptr() -> *const u8 {
    with(|state| state.output.as_ptr())
}

#[no_mangle]
pub extern "C" fn engine_out_len() -> usize {
    with(|state| state.output.len())
}

#[no_mangle]
pub extern "C" fn engine_panic_ptr() -> *const u8 {
    PANIC.with(|panic| unsafe { (*panic.as_ptr()).0.as_ptr() })
}

#[no_mangle]
pub extern "C" fn engine_panic_len() -> usize {
    PANIC.with(|panic| unsafe { (*panic.as_ptr()).1 })
}

/// Compiles a grammar (syntax 0: Lark, 1: one regular expression). Gives a handle above 0, with the warnings as a JSON
/// list of texts in the output; or -1, with the error's text.
///
/// # Safety
/// Both pairs of pointer and length must be readable memory.
#[no_mangle]
pub unsafe extern "C" fn engine_compile(
    syntax: i32,
    source: *const u8,
    source_length: usize,
    limits: *const u8,
    limits_length: usize,
) -> i32 {
    let (source, limits) = (bytes(source, source_length), bytes(limits, limits_length));
    with(|state| {
        state.output.clear();
        let compiled = match (std::str::from_utf8(source), std::str::from_utf8(limits)) {
            (Ok(source), Ok(limits)) => Session::compile(syntax, source, limits),
            _ => Err("not UTF-8".to_string()),
        };
        match compiled {
            Ok(mut session) => {
                let warnings = json!(session.current.grammar_warnings());
                state.output.extend_from_slice(warnings.to_string().as_bytes());
                state.keep(session)
            }
            Err(error) => {
                state.output.extend_from_slice(error.as_bytes());
                FAILED
            }
        }
    })
}

#[no_mangle]
pub extern "C" fn engine_free(handle: i32) {
    with(|state| {
        let slot = usize::try_from(handle.wrapping_sub(1)).unwrap_or(usize::MAX);
        if let Some(session) = state.sessions.get_mut(slot) {
            *session = None;
        }
    })
}

/// A second session in the same state, with a handle of its own.
#[no_mangle]
pub extern "C" fn engine_clone(handle: i32) -> i32 {
    with(|state| {
        state.output.clear();
        let slot = usize::try_from(handle.wrapping_sub(1)).unwrap_or(usize::MAX);
        match state.sessions.get(slot) {
            Some(Some(session)) => {
                let copy =
                    Session { fresh: session.fresh.clone(), current: session.current.clone() };
                state.keep(copy)
            }
            _ => {
                state.output.extend_from_slice(b"no such handle");
                FAILED
            }
        }
    })
}

/// Back to the state before the first byte.
#[no_mangle]
pub extern "C" fn engine_reset(handle: i32) -> i32 {
    on(handle, |session, _| {
        session.reset();
        Ok(0)
    })
}

/// Gives the number of bytes taken before the first refused one; the output is empty, or says why the engine gave up.
///
/// # Safety
/// Pointer and length must be readable memory.
#[no_mangle]
pub unsafe extern "C" fn engine_consume(handle: i32, pointer: *const u8, length: usize) -> i32 {
    let bytes = bytes(pointer, length);
    on(handle, |session, output| {
        let (taken, error) = session.consume(bytes)?;
        output.extend_from_slice(error.unwrap_or_default().as_bytes());
        Ok(taken as i32)
    })
}

#[no_mangle]
pub extern "C" fn engine_is_accepting(handle: i32) -> i32 {
    on(handle, |session, _| session.is_accepting().map(i32::from))
}

/// Output: 33 bytes, see `NextBytes`.
#[no_mangle]
pub extern "C" fn engine_mask(handle: i32) -> i32 {
    on(handle, |session, output| {
        output.extend_from_slice(&session.mask()?);
        Ok(output.len() as i32)
    })
}

/// Output: 33 bytes, see `NextBytes`.
#[no_mangle]
pub extern "C" fn engine_tried_next(handle: i32) -> i32 {
    on(handle, |session, output| {
        output.extend_from_slice(&session.tried_next()?);
        Ok(output.len() as i32)
    })
}

/// Output: the bytes that must follow; gives their number.
#[no_mangle]
pub extern "C" fn engine_forced(handle: i32) -> i32 {
    on(handle, |session, output| {
        output.extend_from_slice(&session.forced()?);
        Ok(output.len() as i32)
    })
}

/// Panics inside llguidance, for tests of the host.
#[no_mangle]
pub extern "C" fn engine_test_panic(handle: i32) -> i32 {
    on(handle, |session, _| session.test_panic().map(|()| 0))
}
