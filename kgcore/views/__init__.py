"""From a journal to what is shown: reports, tables, and the pyvis networks of subgraph and search tree."""
