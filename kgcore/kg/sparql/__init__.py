"""Graphs behind a SPARQL endpoint, read through profiles."""

from kgcore.kg.sparql.graph import SparqlGraph
from kgcore.kg.sparql.profile import Profile, load_profile, profiles

__all__ = ["Profile", "SparqlGraph", "load_profile", "profiles"]
