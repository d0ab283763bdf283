"""SQL over tables: files become one DuckDB database, of which queries only read.

source.py    what a run asks; has files read once for each content
loading.py   the process that reads the files into a database
engine.py    the process that runs a query
guard.py     which queries are run at all
rows.py      rows → evidence
"""
