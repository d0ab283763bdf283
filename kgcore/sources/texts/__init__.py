"""Sentences over passages: files of text become one full-text index, asked in plain words.

source.py    what a run asks
files.py     which files belong to a source
reading.py   file → sections with a title
cutting.py   section → passages of a handy size
index.py     passages → an index for BM25, and asking it
"""
