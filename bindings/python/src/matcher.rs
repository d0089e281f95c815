//! Matchers, and the masks of many of them.
//!
//! Rows are memory of the caller: the Python layer checks that it is writable, contiguous and long enough, and passes its address.

use crate::error::{bad_row, library, refused, runtime};
use crate::writes::{Held, note};
use crate::written::Written;
use gcc_grammar::batch::{Job, Pool};
use gcc_grammar::draft::Tree;
use gcc_grammar::{MatchError, WhyPlaces};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What would have to come: the lexeme in progress, what the parser expects, whether the text may end, and the nearest token.
type Wanted = (Vec<String>, Vec<String>, bool, Option<u32>);
/// Where it stands: the names, lines and columns of rules, the JSON Pointer in the text, and those in the schema.
type Places = (Vec<(String, usize, usize)>, Option<String>, Vec<String>);
/// An explanation: in words, whether the token is allowed and how much of it is possible, what is wanted, and where that stands.
type Why = (String, (bool, usize), Wanted, Places);

/// The state of one output.
#[pyclass(frozen, module = "gcc_grammar._lib")]
pub(crate) struct Matcher(Mutex<State>);

struct State {
    matcher: gcc_grammar::Matcher,
    /// What the row that was updated last holds since then.
    held: Held,
    /// The text so far; none if it is not known: the matcher was restored, or has free text in front.
    written: Option<Written>,
}

impl State {
    /// Commits a token. Tokens that are no text have none.
    fn commit(&mut self, token: u32) -> Result<(), MatchError> {
        self.matcher.commit(token)?;
        if let Some(written) = &mut self.written {
            written.add(self.matcher.session().vocabulary().tokens().bytes(token).unwrap_or_default());
        }
        Ok(())
    }

    fn commit_bytes(&mut self, bytes: &[u8]) -> Result<(), MatchError> {
        self.matcher.commit_bytes(bytes)?;
        if let Some(written) = &mut self.written {
            written.add(bytes);
        }
        Ok(())
    }

    fn rollback(&mut self, count: u64) -> Result<(), MatchError> {
        self.matcher.rollback(count)?;
        if let Some(written) = &mut self.written {
            written.rollback(count);
        }
        Ok(())
    }

    fn reset(&mut self) {
        self.matcher.reset();
        self.written = Written::at_beginning(&self.matcher);
    }
}

/// Whether a commit was allowed.
fn is_allowed(committed: Result<(), MatchError>) -> Result<bool, MatchError> {
    match committed {
        Ok(()) => Ok(true),
        Err(MatchError::Refused) => Ok(false),
        Err(error) => Err(error),
    }
}

impl Matcher {
    pub(crate) fn new(matcher: gcc_grammar::Matcher) -> Self {
        let written = Written::at_beginning(&matcher);
        Self(Mutex::new(State { matcher, held: Held::default(), written }))
    }

    /// The state, for one thread at a time. An operation that panicked left the matcher as it was or is a defect of its own.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls a function with the matcher, without the interpreter lock.
    pub(crate) fn use_with<T>(&self, work: impl FnOnce(&mut gcc_grammar::Matcher) -> T) -> T {
        work(&mut self.lock().matcher)
    }

    fn with<T>(
        &self,
        py: Python<'_>,
        work: impl Send + FnOnce(&mut gcc_grammar::Matcher) -> Result<T, MatchError>,
    ) -> PyResult<T>
    where
        T: Send,
    {
        py.detach(|| work(&mut self.lock().matcher)).map_err(runtime)
    }
}

/// The words of a row.
///
/// # Safety
/// The address is that of `words` aligned words, which nobody else uses as long as `'a` lasts.
pub(crate) unsafe fn row<'a>(address: usize, words: usize) -> &'a mut [u32] {
    if words == 0 {
        return &mut [];
    }
    // SAFETY: by the promise of the caller.
    unsafe { std::slice::from_raw_parts_mut(address as *mut u32, words) }
}

/// A row of an array, bound to a matcher: its layout was looked at once.
#[pyclass(frozen, module = "gcc_grammar._lib")]
pub(crate) struct BoundRow {
    matcher: Py<Matcher>,
    address: usize,
    words: usize,
    held: Mutex<Held>,
    /// What keeps the memory alive and where it is.
    _array: Py<PyAny>,
}

#[pymethods]
impl BoundRow {
    /// Writes the mask into the row: token t is bit t % 32 of word t // 32; words beyond the mask become 0.
    fn fill(&self, py: Python<'_>) -> PyResult<()> {
        self.write(py, |matcher, row, _| {
            note(self.address);
            matcher.fill_mask(row)
        })
    }

    /// Writes the mask into the row like `fill`, but only what differs from the last call: nothing but calls of this package may write the row
    /// in between.
    fn update(&self, py: Python<'_>) -> PyResult<()> {
        self.write(py, |matcher, row, held| held.update(matcher, self.address, row))
    }
}

impl BoundRow {
    fn write(
        &self,
        py: Python<'_>,
        write: impl Send + FnOnce(&mut gcc_grammar::Matcher, &mut [u32], &mut Held) -> Result<(), MatchError>,
    ) -> PyResult<()> {
        let matcher = self.matcher.get();
        let body = || {
            let mut state = matcher.lock();
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            // SAFETY: the Python layer has passed the address of a row of this length, and this object keeps the array.
            write(&mut state.matcher, unsafe { row(self.address, self.words) }, &mut held)
        };
        py.detach(body).map_err(runtime)
    }
}

#[pymethods]
impl Matcher {
    /// Binds the words at an address, which lie in `array`. The Python layer vouches for the memory.
    fn bind_at(slf: Py<Self>, address: usize, words: usize, array: Py<PyAny>) -> BoundRow {
        BoundRow { matcher: slf, address, words, held: Mutex::default(), _array: array }
    }

    /// Writes the mask into the words at an address. The Python layer vouches for the memory.
    fn fill_at(&self, py: Python<'_>, address: usize, words: usize) -> PyResult<()> {
        let fill = || {
            note(address);
            // SAFETY: the Python layer passes the address of a row of this length, and keeps the row alive during the call.
            self.lock().matcher.fill_mask(unsafe { row(address, words) })
        };
        py.detach(fill).map_err(runtime)
    }

    /// Writes the mask into the words at an address like `fill_at`, but only what differs from the last update of the same row. `is_known`
    /// says whether this is the row of the last update; the Python layer keeps that one alive.
    fn update_at(&self, py: Python<'_>, address: usize, words: usize, is_known: bool) -> PyResult<()> {
        let update = || {
            let State { matcher, held, .. } = &mut *self.lock();
            if !is_known {
                *held = Held::default();
            }
            // SAFETY: as for `fill_at`.
            held.update(matcher, address, unsafe { row(address, words) })
        };
        py.detach(update).map_err(runtime)
    }

    /// The mask as bytes, least token first.
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mask = self.with(py, |matcher| {
            let mut row = vec![0; matcher.session().row_words()];
            matcher.fill_mask(&mut row)?;
            Ok(row.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
        })?;
        Ok(PyBytes::new(py, &mask))
    }

    /// The ids that may come next, ascending.
    fn allowed(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        let ranges = self.with(py, gcc_grammar::Matcher::allowed_ranges)?;
        Ok(ranges.into_iter().flatten().collect())
    }

    /// The number of ids that may come next.
    fn count_allowed(&self, py: Python<'_>) -> PyResult<u32> {
        self.with(py, gcc_grammar::Matcher::count_allowed)
    }

    /// Whether the token may come next.
    fn allows(&self, py: Python<'_>, token: u32) -> PyResult<bool> {
        self.with(py, |matcher| matcher.allows(token))
    }

    /// Commits a token, and returns whether it was allowed.
    fn try_commit(&self, py: Python<'_>, token: u32) -> PyResult<bool> {
        py.detach(|| is_allowed(self.lock().commit(token))).map_err(runtime)
    }

    /// Commits bytes as if they were one token, and returns whether they were allowed.
    fn try_commit_bytes(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<bool> {
        py.detach(|| is_allowed(self.lock().commit_bytes(bytes))).map_err(runtime)
    }

    /// The number of tokens that could be committed one after the other.
    fn validate(&self, py: Python<'_>, tokens: Vec<u32>) -> PyResult<usize> {
        self.with(py, |matcher| matcher.validate(&tokens))
    }

    /// Takes back the last commits.
    #[pyo3(signature = (count=1))]
    fn rollback(&self, py: Python<'_>, count: u64) -> PyResult<()> {
        py.detach(|| self.lock().rollback(count)).map_err(runtime)
    }

    /// Copies the matcher.
    fn fork(&self, py: Python<'_>) -> PyResult<Self> {
        let fork = || {
            let state = self.lock();
            let (matcher, written) = (state.matcher.fork()?, state.written.clone());
            Ok(Self(Mutex::new(State { matcher, held: Held::default(), written })))
        };
        py.detach(fork).map_err(runtime)
    }

    /// Goes back to the beginning of an output.
    fn reset(&self) {
        self.lock().reset();
    }

    /// The bytes that are certain to come.
    #[pyo3(signature = (most=256))]
    fn forced_bytes<'py>(&self, py: Python<'py>, most: usize) -> PyResult<Bound<'py, PyBytes>> {
        let forced = self.with(py, |matcher| matcher.forced(most))?;
        Ok(PyBytes::new(py, &forced))
    }

    /// The tokens that are certain to come, cut as the model's own tokenizer cuts the text.
    #[pyo3(signature = (before=Vec::new()))]
    fn forced_tokens(&self, py: Python<'_>, before: Vec<u32>) -> PyResult<Vec<u32>> {
        py.detach(|| self.lock().matcher.forced_tokens(&before)).map_err(|error| library(&error))
    }

    /// Verifies a tree of proposed tokens, with the rows one after the other at an address.
    fn verify_tree_at(
        &self,
        py: Python<'_>,
        parents: Vec<i64>,
        tokens: Vec<u32>,
        address: usize,
        words: usize,
    ) -> PyResult<Vec<bool>> {
        let parents: Vec<Option<usize>> =
            parents.into_iter().map(|parent| usize::try_from(parent).ok()).collect();
        let tree = Tree { parents: &parents, tokens: &tokens };
        let allowed = py.detach(|| {
            let matcher = &mut self.lock().matcher;
            let bytes = matcher.session().row_words() * size_of::<u32>();
            (0..tokens.len()).for_each(|node| {
                note(address + node * bytes);
            });
            // SAFETY: as for `fill_at`.
            matcher.verify_tree(tree, unsafe { row(address, words) })
        });
        allowed.map_err(|error| refused(error.to_string()))
    }

    /// Whether the text so far is in the language.
    #[getter]
    fn is_accepting(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, gcc_grammar::Matcher::is_accepting)
    }

    /// Limits the number of tokens that may still be committed, the end token included; none lifts the limit.
    #[pyo3(signature = (remaining=None))]
    fn set_budget(&self, py: Python<'_>, remaining: Option<u32>) -> PyResult<()> {
        self.with(py, |matcher| matcher.set_budget(remaining))
    }

    /// The most work of a call, in units; none if there is no bound.
    #[getter]
    fn max_work(&self) -> Option<u64> {
        self.lock().matcher.max_work()
    }

    /// The number of masks within a budget that may lack tokens.
    #[getter]
    fn degraded_masks(&self) -> u64 {
        self.lock().matcher.degraded_masks()
    }

    /// Whether the tokens so far are those that the model's own tokenizer writes.
    #[getter]
    fn is_canonical(&self) -> bool {
        self.lock().matcher.is_canonical()
    }

    /// The number of tokens that may still be committed; none if there is no limit.
    #[getter]
    fn remaining(&self) -> Option<u32> {
        self.lock().matcher.remaining()
    }

    /// The number of tokens that complete the text; none if no completion is known.
    fn min_remaining(&self, py: Python<'_>) -> PyResult<Option<u32>> {
        self.with(py, gcc_grammar::Matcher::min_remaining)
    }

    /// Tokens that complete the text, the end token included, `min_remaining` at most; none if no completion is known. Commits none of them.
    fn shortest_completion(&self, py: Python<'_>) -> PyResult<Option<Vec<u32>>> {
        self.with(py, gcc_grammar::Matcher::shortest_completion)
    }

    /// Why a token may come next or not, in words and in parts: see `Why` of the Python layer. `text` is the text so far, if the matcher does not know it.
    #[pyo3(signature = (token, text=None))]
    fn why(&self, py: Python<'_>, token: u32, text: Option<&[u8]>) -> PyResult<Why> {
        let explain = || {
            let State { matcher, written, .. } = &mut *self.lock();
            let why = matcher.why(token)?;
            let session = matcher.session();
            let places = session.places_of(&why, text.or(written.as_ref().map(Written::text)));
            let nearest = why.nearest.and_then(|near| session.vocabulary().tokens().bytes(near));
            let mut words = vec![why.to_string(), places.to_string()];
            if let (Some(token), Some(bytes)) = (why.nearest, nearest) {
                words.push(format!("the nearest allowed token is {token} \"{}\"", bytes.escape_ascii()));
            }
            words.retain(|sentences| !sentences.is_empty());
            Ok((words.join("\n"), why, places))
        };
        let (words, why, places) = py.detach(explain).map_err(runtime)?;
        let WhyPlaces { rules, pointer, schema, .. } = places;
        let rules = rules.into_iter().map(|rule| (rule.name, rule.line, rule.column)).collect();
        let allowed = (why.is_allowed, why.possible);
        let wanted = (why.lexeme, why.expected, why.may_end, why.nearest);
        Ok((words, allowed, wanted, (rules, pointer, schema)))
    }

    /// Lexer states and parser stacks, which tell apart the states of a regular language.
    fn heads(&self) -> Vec<(u32, Vec<u32>)> {
        self.lock().matcher.inspect(|matcher| {
            let heads =
                matcher.head_views().map(|head| (head.lexer.0, head.stack.map(|state| state.0).collect()));
            let mut heads: Vec<(u32, Vec<u32>)> = heads.collect();
            heads.sort_unstable();
            heads
        })
    }

    /// Whether the output is still in the free text in front.
    #[getter]
    fn is_free(&self) -> bool {
        self.lock().matcher.is_free()
    }

    /// Whether an end token was committed.
    #[getter]
    fn is_terminated(&self) -> bool {
        self.lock().matcher.is_terminated()
    }

    /// The number of commits, without those that were taken back.
    #[getter]
    fn committed(&self) -> u64 {
        self.lock().matcher.committed()
    }

    /// The state as bytes, for `Artifact.restore`.
    fn save<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.lock().matcher.save())
    }
}

/// The pool that was used last. Its threads end when another number is asked for.
static POOL: Mutex<Option<(usize, Arc<Pool>)>> = Mutex::new(None);

/// A pool of this many threads. Python forks with the interpreter lock, which is held here: no process begins with a locked `POOL`.
fn pool(threads: usize) -> PyResult<Arc<Pool>> {
    let threads = Pool::usable(threads);
    let mut last = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, pool)) = last.as_ref().filter(|(of, _)| *of == threads) {
        return Ok(Arc::clone(pool));
    }
    let pool = Arc::new(Pool::new(threads).map_err(|error| PyRuntimeError::new_err(error.to_string()))?);
    if threads > 1 {
        *last = Some((threads, Arc::clone(&pool)));
    }
    Ok(pool)
}

/// Writes the masks of matchers into rows at addresses, all of the same number of words.
#[pyfunction]
pub(crate) fn fill_masks(
    py: Python<'_>,
    matchers: Vec<Py<Matcher>>,
    addresses: Vec<usize>,
    words: usize,
    threads: usize,
) -> PyResult<()> {
    if matchers.len() != addresses.len() {
        return Err(refused("every matcher needs a row"));
    }
    fill_rows(py, &matchers, |index| addresses[index], words, threads)
}

/// Writes the masks of matchers into an array of rows: that of matcher i into row i, or into row `indices[i]`. The rows begin at
/// an address, are `stride` bytes from each other, and have the same number of words.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they describe the array")]
pub(crate) fn fill_array(
    py: Python<'_>,
    matchers: Vec<Py<Matcher>>,
    address: usize,
    stride: isize,
    rows: usize,
    words: usize,
    indices: Option<Vec<isize>>,
    threads: usize,
) -> PyResult<()> {
    let place = |index: usize| indices.as_ref().map_or(index as isize, |indices| indices[index]);
    if indices.as_ref().is_some_and(|indices| indices.len() != matchers.len()) {
        return Err(refused("every matcher needs a row"));
    }
    let mut used = vec![false; rows];
    for index in (0..matchers.len()).map(place) {
        let place = usize::try_from(index).ok().and_then(|row| used.get_mut(row));
        let place = place.ok_or_else(|| bad_row(format!("there is no row {index} of {rows}")))?;
        if std::mem::replace(place, true) {
            return Err(bad_row("the rows of a batch must not overlap"));
        }
    }
    fill_rows(py, &matchers, |index| address.wrapping_add_signed(place(index) * stride), words, threads)
}

/// Writes masks into rows of the same number of words. The Python layer vouches for the memory of each row.
fn fill_rows(
    py: Python<'_>,
    matchers: &[Py<Matcher>],
    address: impl Fn(usize) -> usize + Sync,
    words: usize,
    threads: usize,
) -> PyResult<()> {
    let mut order: Vec<usize> = (0..matchers.len()).collect();
    order.sort_unstable_by_key(|&index| matchers[index].as_ptr() as usize);
    if order.windows(2).any(|pair| matchers[pair[0]].is(&matchers[pair[1]])) {
        return Err(refused("every row needs a matcher of its own"));
    }
    let pool = pool(threads)?;
    let matchers: Vec<&Matcher> = matchers.iter().map(Py::get).collect();
    // Errors become exceptions behind the locks: that takes the interpreter lock, with which others may wait for the matchers.
    let filled = py.detach(|| {
        // Every caller locks in the order of addresses, so two calls with common matchers do not wait for each other.
        let mut states: Vec<(usize, MutexGuard<'_, State>)> =
            order.iter().map(|&index| (index, matchers[index].lock())).collect();
        let needed = states.iter().map(|(_, state)| state.matcher.session().row_words()).max();
        if let Some(needed) = needed.filter(|&needed| needed > words) {
            return Err(needed);
        }
        let jobs = states.iter_mut().map(|(index, state)| {
            note(address(*index));
            // SAFETY: the Python layer passes addresses of rows that do not overlap, and keeps them alive during the call.
            Job { matcher: &mut state.matcher, row: unsafe { row(address(*index), words) } }
        });
        let mut jobs: Vec<Job<'_>> = jobs.collect();
        Ok(pool.fill_masks(&mut jobs).into_iter().collect::<Result<(), MatchError>>())
    });
    match filled {
        Ok(filled) => filled.map_err(runtime),
        Err(needed) => Err(bad_row(format!("the rows have {words} words, and the masks {needed}"))),
    }
}
