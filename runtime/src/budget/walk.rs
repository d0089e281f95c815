//! Costs of all tokens of a mask by a walk over the trie of the tokens.
//!
//! A *place* is the list of heads after some bytes. Different beginnings of tokens lead to few places: all names and all white space to the
//! same ones. So the steps between the first [`PLACES`] places are kept while a mask is made, and with each place its cost. The lexer and
//! the parser take a byte once for each place, and not once for each token; a token that spans lexemes costs no more than any other.
//! Where all tokens continue from a node of the trie with characters that lead a place back to itself, none of them is looked at.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::TokenTrie;
use gcc_grammar_artifact::ids::{LexState, SymbolClass, TokenId};
use gcc_grammar_artifact::trie::TrieNode;

use super::lexeme::may_end_before;
use super::search::Bounded;
use super::state::NEVER;
use crate::error::Error;
use crate::matcher::Matcher;
use crate::scratch::{Bytes, Head, Heads, Node, Scratch};

/// The number of places whose steps are kept.
const PLACES: usize = 96;
/// The heads of such a place.
const HEADS: usize = 8;
/// The length of a beginning whose place is kept. Tokens that are longer are read one by one.
const LONGEST: usize = 64;
/// The nodes that are looked at for one unit of work.
const NODES_PER_UNIT: usize = 16;
/// First bytes first, then beginnings nearer to the end, then beginnings that continue by known steps, such as long names, then all.
const PASSES: [Pass; 5] = [
    Pass { deepest: 1, ..Pass::LAST },
    Pass { is_near: true, ..Pass::LAST },
    Pass { deepest: 2, ..Pass::LAST },
    Pass { takes_steps: false, ..Pass::LAST },
    Pass::LAST,
];
/// What a step or a cost of a place takes at least, in units of work.
const UNITS_PER_PLACE: usize = 32;

/// The step of a symbol is not known yet.
const UNKNOWN: u8 = 0xff;
/// No text of the grammar continues with the symbol.
const DEAD: u8 = 0xfe;
/// The symbol leads to a place that is not kept.
const BEYOND: u8 = 0xfd;

/// A part of a walk. A search that is cut has done the earlier ones.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pass {
    /// The length of the longest beginnings.
    deepest: usize,
    /// Whether steps are taken that are not known yet.
    takes_steps: bool,
    /// Whether only beginnings are followed after which the cost is at most one more than before: the rest of a token may be two tokens.
    is_near: bool,
}

impl Pass {
    /// The pass that leaves nothing out.
    const LAST: Self = Self { deepest: usize::MAX, takes_steps: true, is_near: false };
}

/// A list of heads.
#[derive(Clone, Copy)]
pub(super) struct Place {
    heads: [Head; HEADS],
    count: usize,
}

impl Place {
    pub(super) const NONE: Self = {
        let none = Head { lex: LexState::DEAD, node: Node(0), age: 0, start: 0, memory: None };
        Self { heads: [none; HEADS], count: 0 }
    };

    /// The place of these heads; none if there are more than a place has.
    pub(super) fn of(scratch: &Scratch<'_>, heads: Heads) -> Option<Self> {
        let mut place = Self { count: heads.count, ..Self::NONE };
        for (index, head) in place.heads.get_mut(..heads.count)?.iter_mut().enumerate() {
            *head = scratch.head(heads, index);
        }
        Some(place)
    }

    pub(super) fn heads(&self) -> &[Head] {
        &self.heads[..self.count]
    }

    /// Whether the heads are in the same lexer states on the same stacks, where cells from number `cells` on may be equal to others.
    fn is_alike(&self, other: &Self, scratch: &Scratch<'_>, cells: u32) -> bool {
        let is_same = |(a, b): (&Head, &Head)| {
            a.lex == b.lex && a.memory == b.memory && scratch.is_same_single(a.node, b.node, cells)
        };
        self.count == other.count && self.heads().iter().zip(other.heads()).all(is_same)
    }

    /// The characters below 128 that lead back to this place: character `c` is bit `c % 64` of word `c / 64`.
    fn loops(&self, grammar: &GrammarView<'_>) -> [u64; 2] {
        let stays = |byte: u8| {
            let symbol = grammar.byte_symbol(byte);
            self.heads().iter().all(|head| {
                grammar.next(head.lex, symbol) == head.lex && !may_end_before(grammar, head.lex, symbol)
            })
        };
        Bytes::of(|byte| byte.is_ascii() && stays(byte)).ascii()
    }
}

/// A bound on the cost after tokens that lead to a place.
#[derive(Clone, Copy)]
struct PlaceCost {
    cost: u32,
    /// The cost if the grammar allows such tokens, else 0.
    costliest: u32,
}

/// The places that were met, their steps and their costs.
struct Places {
    list: [Place; PLACES],
    count: usize,
    /// The number of cells before the walk.
    cells: u32,
    /// Per place and byte: the number of the next place, or one of [`UNKNOWN`], [`DEAD`] and [`BEYOND`].
    next: [[u8; 256]; PLACES],
    /// Per place: its cost, once it was asked for.
    costs: [Option<PlaceCost>; PLACES],
    /// Per place: the characters that lead back to it, once they were asked for.
    loops: [Option<[u64; 2]>; PLACES],
}

impl Places {
    const fn new(cells: u32) -> Self {
        Self {
            list: [Place::NONE; PLACES],
            count: 0,
            cells,
            next: [[UNKNOWN; 256]; PLACES],
            costs: [None; PLACES],
            loops: [None; PLACES],
        }
    }

    /// The number of a place if it is kept.
    fn find(&self, scratch: &Scratch<'_>, place: &Place) -> Option<u8> {
        let known = &self.list[..self.count];
        known.iter().position(|known| known.is_alike(place, scratch, self.cells)).map(|number| number as u8)
    }

    /// Keeps another place. Returns its number, or [`BEYOND`].
    fn add(&mut self, place: Place) -> u8 {
        let Some(slot) = self.list.get_mut(self.count) else { return BEYOND };
        *slot = place;
        self.count += 1;
        self.count as u8 - 1
    }

    /// The step of a byte from a place: the number of the next place, or one of [`UNKNOWN`], [`DEAD`] and [`BEYOND`].
    #[inline]
    fn step(&self, from: u8, byte: u8) -> u8 {
        self.next.get(usize::from(from)).map_or(BEYOND, |row| row[usize::from(byte)])
    }

    /// The characters below 128 that lead back to a place.
    fn loops(&mut self, grammar: &GrammarView<'_>, at: usize) -> [u64; 2] {
        *self.loops[at].get_or_insert_with(|| self.list[at].loops(grammar))
    }

    /// Keeps the step of all bytes of a symbol class.
    fn keep(&mut self, grammar: &GrammarView<'_>, from: usize, symbol: SymbolClass, to: u8) {
        let bytes = (0..=u8::MAX).filter(|&byte| grammar.byte_symbol(byte) == symbol);
        bytes.for_each(|byte| self.next[from][usize::from(byte)] = to);
    }
}

/// A walk under way.
struct Walk<'t> {
    trie: TokenTrie<'t>,
    places: Places,
    /// Per depth: the place after the string of the node there that was visited last.
    path: [u8; LONGEST],
    costliest: u32,
    /// The cost before the token.
    least: u32,
}

/// Receives tokens with the same cost, none of them if a node has none, and that cost. It returns whether the walk continues.
type Visit<'v> = dyn FnMut(&[u32], u32) -> bool + 'v;

impl<'a> Matcher<'a, '_> {
    /// The trie of the vocabulary, if masks can be made by a walk over it.
    pub(super) fn trie(&self) -> Option<TokenTrie<'a>> {
        // The cost after a token of a lexeme with a limit depends on its tokens, that of an item on its text.
        let is_place = self.scratch.newest().count <= HEADS
            && !self.scratch.has_ages()
            && !self.grammar().distinct().has_items();
        if is_place { self.engine().tokens.trie() } else { None }
    }

    /// Visits the tokens whose cost the search finds, some of them several times, and returns a number that none of the costs of tokens of the
    /// mask exceeds, if the search is not cut. There are no temporaries before and after it. It leaves cells behind.
    ///
    /// Short beginnings come first, so that a search that is cut has seen what all tokens can begin with.
    pub(super) fn walk(
        &mut self,
        (trie, least): (TokenTrie<'_>, u32),
        search: &mut Bounded,
        visit: &mut Visit<'_>,
    ) -> Result<u32, Error> {
        let mut walk = Walk {
            trie,
            places: Places::new(self.scratch.cells()),
            path: [BEYOND; LONGEST],
            costliest: 0,
            least,
        };
        walk.path[0] =
            Place::of(&self.scratch, self.scratch.newest()).map_or(BEYOND, |place| walk.places.add(place));
        for pass in PASSES {
            let mut at = 1;
            while let Some(node) = trie.node(at) {
                if node.number % NODES_PER_UNIT == 0 && search.bounded(self, 1, |_| Ok(()))?.is_none() {
                    return Ok(NEVER);
                }
                match self.walk_node(&mut walk, node, pass, search, visit)? {
                    Some(next) => at = next,
                    None => return Ok(NEVER),
                }
            }
        }
        for special in self.grammar().special_tokens() {
            let asked = search.bounded(self, UNITS_PER_PLACE, |matcher| {
                matcher.attempt_and_undo(|matcher| matcher.cost_after(special))
            })?;
            if let Some(Some(cost)) = asked {
                walk.costliest = walk.costliest.max(cost);
                visit(&[special.0], cost);
            }
        }
        Ok(walk.costliest)
    }

    /// Visits the tokens of a node, and those below it if they have the same cost. Returns the next node; none if the walk is over.
    fn walk_node(
        &mut self,
        walk: &mut Walk<'_>,
        node: TrieNode,
        pass: Pass,
        search: &mut Bounded,
        visit: &mut Visit<'_>,
    ) -> Result<Option<usize>, Error> {
        let above = node.depth.checked_sub(1).and_then(|above| walk.path.get(above));
        let above = above.copied().unwrap_or(BEYOND);
        let mut to = walk.places.step(above, node.byte);
        if to == UNKNOWN && pass.takes_steps {
            to = self.first_step(&mut walk.places, search, usize::from(above), node.byte)?;
        }
        let at = match to {
            DEAD | UNKNOWN => return Ok(Some(node.end)),
            BEYOND if pass != Pass::LAST => return Ok(Some(node.end)),
            BEYOND => {
                walk.costliest = NEVER;
                let goes_on = self.visit_alone(walk.trie, node, search, visit)?;
                return Ok(goes_on.then_some(node.end));
            }
            at => at,
        };
        let PlaceCost { cost, costliest } = self.cost_of_place(&mut walk.places, search, usize::from(at))?;
        walk.costliest = walk.costliest.max(costliest);
        if !visit(walk.trie.tokens_at(node), cost) {
            return Ok(None);
        }
        let loops = walk.places.loops(self.grammar(), usize::from(at));
        if walk.trie.goes_on_with(node, loops) {
            let goes_on = visit(walk.trie.tokens_below(node), cost);
            return Ok(goes_on.then_some(node.end));
        }
        if node.depth >= pass.deepest || pass.is_near && cost > walk.least.saturating_add(1) {
            return Ok(Some(node.end));
        }
        walk.path.get_mut(node.depth).into_iter().for_each(|slot| *slot = at);
        Ok(Some(node.number + 1))
    }

    /// Reads a byte in a place: the number of the next place, [`DEAD`] or [`BEYOND`].
    #[cold]
    fn first_step(
        &mut self,
        places: &mut Places,
        search: &mut Bounded,
        from: usize,
        byte: u8,
    ) -> Result<u8, Error> {
        let (grammar, place) = (self.grammar(), places.list[from]);
        let symbol = grammar.byte_symbol(byte);
        let before = self.scratch.cells();
        let read = search.bounded(self, UNITS_PER_PLACE, |matcher| {
            let heads = matcher.scratch.push_place(&place)?;
            let after = matcher.scratch.step(grammar, heads, symbol)?;
            let place = Place::of(&matcher.scratch, after);
            matcher.scratch.drop_temporaries();
            Ok(place)
        })?;
        let Some(after) = read else {
            self.scratch.drop_temporaries();
            return Ok(DEAD);
        };
        let to = match after {
            None => BEYOND,
            Some(after) if after.count == 0 => DEAD,
            Some(after) => match places.find(&self.scratch, &after) {
                Some(known) => {
                    self.scratch.truncate_cells(before);
                    known
                }
                None => places.add(after),
            },
        };
        places.keep(grammar, from, symbol, to);
        Ok(to)
    }

    /// The cost of a place; [`NEVER`] if the search has no work left for it.
    fn cost_of_place(
        &mut self,
        places: &mut Places,
        search: &mut Bounded,
        at: usize,
    ) -> Result<PlaceCost, Error> {
        if let Some(cost) = places.costs[at] {
            return Ok(cost);
        }
        let (grammar, completion, place) = (self.grammar(), self.completion()?, places.list[at]);
        let before = self.scratch.cells();
        let asked = search.bounded(self, UNITS_PER_PLACE, |matcher| {
            let heads = matcher.scratch.push_place(&place)?;
            let cost = matcher.scratch.cost_of_heads(grammar, completion, heads)?.least;
            let mut is_allowed = cost < NEVER;
            for &head in place.heads() {
                is_allowed = is_allowed || matcher.scratch.is_viable(grammar, head)?;
            }
            Ok(PlaceCost { cost, costliest: if is_allowed { cost } else { 0 } })
        })?;
        self.scratch.drop_temporaries();
        self.scratch.truncate_cells(before);
        let cost = asked.unwrap_or(PlaceCost { cost: NEVER, costliest: NEVER });
        places.costs[at] = Some(cost);
        Ok(cost)
    }

    /// Visits the tokens at and below a node one by one.
    #[cold]
    fn visit_alone(
        &mut self,
        trie: TokenTrie<'_>,
        node: TrieNode,
        search: &mut Bounded,
        visit: &mut Visit<'_>,
    ) -> Result<bool, Error> {
        for &token in trie.tokens_at(node).iter().chain(trie.tokens_below(node)) {
            let cost = self.cost_found(search, TokenId(token))?;
            if !visit(&[token], cost) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Scratch<'_> {
    /// Makes the heads of a place the only temporary.
    pub(super) fn push_place(&mut self, place: &Place) -> Result<Heads, Error> {
        self.drop_temporaries();
        let mut heads = self.empty_heads();
        for &head in place.heads().iter().rev() {
            self.push_head(&mut heads, head)?;
        }
        Ok(heads)
    }
}
