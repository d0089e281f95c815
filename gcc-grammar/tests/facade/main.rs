//! Tests of the facade, in one program.

mod ambiguity;
mod antlr_modes;
mod batches;
mod budgets;
mod compile_session;
mod counters;
mod depth;
mod difference;
mod embedded_schemas;
mod free_tokens;
mod languages;
mod limits;
mod notations;
mod on_demand;
mod opening;
mod options_of_matchers;
mod public_api;
mod rule_events;
mod session;
mod special_tokens;
mod styles;
mod token_limits;
mod tool_calls;
mod tool_requests;
mod why;
mod work;
