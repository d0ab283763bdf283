"""SPARQL over a knowledge graph: embedded ones in a process of their own, remote ones through their endpoint.

source.py    what a run asks
query.py     which queries are run, with ids made into IRIs and a limit
asking.py    runs a prepared query, here or there
engine.py    the process: which triple patterns a query has, and running it on the embedded store
proof.py     rows → the triples behind them
rows.py      rows → sentences
schema.py    the graph's most frequent relations, for prompts
"""
