"""MusicBrainz, asked live through its web service."""

from kgcore.kg.musicbrainz.graph import MusicBrainzGraph
from kgcore.kg.musicbrainz.probe import probe

__all__ = ["MusicBrainzGraph", "probe"]
