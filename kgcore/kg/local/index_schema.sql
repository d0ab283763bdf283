-- The label index of one graph. Written once at import, then only read.
CREATE TABLE node (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,                 -- id as the domain knows it
    degree INTEGER NOT NULL,           -- edges in both directions
    is_hidden INTEGER NOT NULL,        -- a property or an article: its own facts are not shown
    n_instances INTEGER NOT NULL       -- things of which it is the class
);
CREATE TABLE name (
    id INTEGER PRIMARY KEY,
    node INTEGER NOT NULL,
    text TEXT NOT NULL,
    lang TEXT NOT NULL,
    is_alias INTEGER NOT NULL,
    key TEXT NOT NULL                  -- the text loosened, see mentions.py
);
CREATE TABLE description (node INTEGER NOT NULL, text TEXT NOT NULL, lang TEXT NOT NULL);
CREATE TABLE class (node INTEGER NOT NULL, position INTEGER NOT NULL, class INTEGER NOT NULL,
    PRIMARY KEY (node, position)) WITHOUT ROWID;
CREATE TABLE same_as (node INTEGER NOT NULL, other INTEGER NOT NULL,
    PRIMARY KEY (node, other)) WITHOUT ROWID;
CREATE TABLE relation (id INTEGER PRIMARY KEY, key TEXT NOT NULL, n INTEGER NOT NULL);
CREATE TABLE relation_name (
    relation INTEGER NOT NULL,
    text TEXT NOT NULL,
    lang TEXT NOT NULL,
    kind TEXT NOT NULL                 -- label, alias, inverse
);
-- How many edges a node has along a relation, with three examples: node ids, or texts of literals.
CREATE TABLE edge_count (
    node INTEGER NOT NULL,
    direction INTEGER NOT NULL,        -- 0 out, 1 in
    relation INTEGER NOT NULL,
    n INTEGER NOT NULL,
    examples TEXT NOT NULL,            -- JSON
    kinds TEXT NOT NULL,               -- kinds of literals, joined by commas
    PRIMARY KEY (node, direction, relation)
) WITHOUT ROWID;
-- Literals that the store returns in another form than they were written in.
CREATE TABLE exact_literal (
    node INTEGER NOT NULL,
    relation INTEGER NOT NULL,
    stored TEXT NOT NULL,
    stored_type TEXT NOT NULL,
    written TEXT NOT NULL,
    written_type TEXT NOT NULL,
    PRIMARY KEY (node, relation, stored, stored_type)
) WITHOUT ROWID;
-- The first edges of groups too large to be sorted when asked for.
CREATE TABLE hub_edge (
    node INTEGER NOT NULL,
    direction INTEGER NOT NULL,
    relation INTEGER NOT NULL,
    position INTEGER NOT NULL,
    other INTEGER NOT NULL,
    PRIMARY KEY (node, direction, relation, position)
) WITHOUT ROWID;
-- Indexes
CREATE UNIQUE INDEX node_key ON node (key);
CREATE INDEX name_node ON name (node);
CREATE INDEX name_key ON name (key);
CREATE INDEX description_node ON description (node);
CREATE INDEX relation_name_relation ON relation_name (relation);
CREATE VIRTUAL TABLE name_words USING fts5(
    key, content='name', content_rowid='id', tokenize="unicode61 remove_diacritics 0", prefix='3');
INSERT INTO name_words (name_words) VALUES ('rebuild');
ANALYZE;
