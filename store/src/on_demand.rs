//! Sessions for sources whose artifacts may not be in the store yet.

use crate::place::Place;
use crate::store::Store;
use gcc_grammar::diagnostic::Diagnostic;
use gcc_grammar::{
    Artifact, DemandOptions, Error, Options, Packing, Session, Source, Uncompiled, Vocabulary, artifact_key,
};
use std::sync::Arc;

impl Store {
    /// The session of an artifact of the store; or one whose masks are made on demand, while a thread has the artifact compiled by `compile` and puts
    /// it there. Also returns the warnings of the front end, unless the artifact was found. Errors of the store when the artifact
    /// comes is said on the standard error: nobody waits for it.
    ///
    /// # Errors
    /// As [`Session::on_demand`].
    pub fn on_demand(
        self: &Arc<Self>,
        source: &Source,
        vocabulary: &Vocabulary,
        options: &Options,
        compile: impl Fn(&Uncompiled<'_>) -> Result<Artifact, Error> + Send + Sync + 'static,
    ) -> Result<(Session, Option<Vec<Diagnostic>>), Error> {
        let place = Place::new(artifact_key(source, vocabulary, options, Packing::Referenced)?, vocabulary);
        if let Ok(Some(artifact)) = self.get(&place) {
            return Ok((Session::new(artifact, vocabulary)?, None));
        }
        let store = Arc::clone(self);
        let compile = move |uncompiled: &Uncompiled<'_>| {
            let (stored, unsaved) = store.get_or_use(&place, || compile(uncompiled))?;
            for problem in stored.damage.iter().chain(&unsaved) {
                eprintln!("gcc-grammar: {problem}");
            }
            Ok(stored.artifact)
        };
        let demand = DemandOptions::default();
        let (session, warnings) = Session::on_demand_by(source, vocabulary, options, &demand, compile)?;
        Ok((session, Some(warnings)))
    }
}
