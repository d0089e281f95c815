//! Inputs and outputs that are no numbers, and the objects that are known by number.

use crate::exports;
use crate::failure::Failure;
use crate::library::{Matcher, Session, Vocabulary};
use std::cell::RefCell;

/// The most bytes of an input. Larger ones do not fit into the memory of a module with what is made of them.
const MOST_INPUT: usize = 1 << 30;

/// An object that JavaScript holds.
pub(crate) enum Object {
    Vocabulary(Vocabulary),
    Grammar(Session),
    Matcher(Box<Guided>),
}

/// A matcher with the row that its masks are written to.
pub(crate) struct Guided {
    pub(crate) matcher: Matcher,
    pub(crate) row: Vec<u32>,
}

/// The state of the module, which has one thread.
#[derive(Default)]
pub(crate) struct Exchange {
    pub(crate) input: Vec<u8>,
    pub(crate) output: Vec<u8>,
    objects: Vec<Option<Object>>,
    /// The numbers of objects that were freed.
    free: Vec<u32>,
}

thread_local! {
    static EXCHANGE: RefCell<Exchange> = RefCell::default();
    /// Why the module stopped. It stays readable when nothing else can be called any more.
    static DEFECT: RefCell<String> = RefCell::default();
}

impl Exchange {
    /// Keeps an object, and gives its number.
    pub(crate) fn keep(&mut self, object: Object) -> f64 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.objects.push(None);
            (self.objects.len() - 1) as u32
        });
        self.objects[number as usize] = Some(object);
        f64::from(number)
    }

    fn object(&mut self, number: u32) -> Option<&mut Object> {
        self.objects.get_mut(number as usize)?.as_mut()
    }

    pub(crate) fn vocabulary(&mut self, number: u32) -> Result<&Vocabulary, Failure> {
        match self.object(number) {
            Some(Object::Vocabulary(vocabulary)) => Ok(vocabulary),
            _ => Err(Failure::usage("this vocabulary was freed")),
        }
    }

    pub(crate) fn grammar(&mut self, number: u32) -> Result<&Session, Failure> {
        match self.object(number) {
            Some(Object::Grammar(session)) => Ok(session),
            _ => Err(Failure::usage("this grammar was freed")),
        }
    }

    pub(crate) fn matcher(&mut self, number: u32) -> Result<&mut Guided, Failure> {
        match self.object(number) {
            Some(Object::Matcher(guided)) => Ok(guided),
            _ => Err(Failure::usage("this matcher was freed")),
        }
    }

    /// The input as a text.
    pub(crate) fn text(&self) -> Result<&str, Failure> {
        str::from_utf8(&self.input).map_err(|_| Failure::usage("the text is not valid UTF-8"))
    }

    /// The input as token ids.
    pub(crate) fn tokens(&self) -> Vec<u32> {
        words(&self.input).collect()
    }

    /// Gives numbers of 32 bits out.
    pub(crate) fn give(&mut self, numbers: impl IntoIterator<Item = u32>) -> f64 {
        self.output = numbers.into_iter().flat_map(u32::to_le_bytes).collect();
        (self.output.len() / 4) as f64
    }
}

/// Numbers of 32 bits, little end first. Bytes at the end that are no whole number are left out.
pub(crate) fn words(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word))
}

/// Runs the body of a function. The output is empty before it.
pub(crate) fn run(body: impl FnOnce(&mut Exchange) -> Result<f64, Failure>) -> f64 {
    EXCHANGE.with_borrow_mut(|exchange| {
        exchange.output.clear();
        body(exchange).unwrap_or_else(|failure| {
            exchange.output = failure.to_json().into_bytes();
            -1.0
        })
    })
}

exports! {
    /// Where an input of this number of bytes is to be written; null if it is too long. It is the input of the functions that are called next.
    fn input(length: usize) -> *mut u8 {
        EXCHANGE.with_borrow_mut(|exchange| {
            exchange.input.clear();
            let is_possible = length <= MOST_INPUT && exchange.input.try_reserve_exact(length).is_ok();
            if !is_possible {
                return std::ptr::null_mut();
            }
            exchange.input.resize(length, 0);
            exchange.input.as_mut_ptr()
        })
    }

    /// Where the output of the last function begins.
    fn output() -> *const u8 {
        EXCHANGE.with_borrow(|exchange| exchange.output.as_ptr())
    }

    /// The number of bytes of the output.
    fn output_length() -> usize {
        EXCHANGE.with_borrow(|exchange| exchange.output.len())
    }

    /// Forgets an object. Others keep what they need of it.
    fn forget(object: u32) -> f64 {
        run(|exchange| {
            let place = exchange.objects.get_mut(object as usize);
            if place.is_some_and(|place| place.take().is_some()) {
                exchange.free.push(object);
            }
            Ok(0.0)
        })
    }

    /// Makes the module tell why it stops, if it does.
    fn begin() -> f64 {
        std::panic::set_hook(Box::new(|panic| {
            let _ = DEFECT.try_with(|defect| *defect.borrow_mut() = panic.to_string());
        }));
        0.0
    }

    /// Where the reason why the module stopped begins.
    fn defect() -> *const u8 {
        DEFECT.with_borrow(|defect| defect.as_ptr())
    }

    /// The number of bytes of that reason; 0 if there is none.
    fn defect_length() -> usize {
        DEFECT.with_borrow(String::len)
    }
}
