"""Sentences over a wiki: the search of a MediaWiki, asked over HTTP.

source.py    what a run asks
replies.py   what the service says → evidence
"""
