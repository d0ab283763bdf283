"""A graph in which a name stands for two films: which of them is meant is for somebody to say."""

from __future__ import annotations

QUESTION = "Who directed Solaris?"
FIRST, SECOND = "Andrei Tarkovsky", "Steven Soderbergh"
FILMS = """
@prefix x: <urn:kg:films:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix schema: <http://schema.org/> .
x:director rdfs:label "director"@en . x:composer rdfs:label "composer"@en . x:year rdfs:label "year"@en .
x:film rdfs:label "film"@en .
x:s1 a x:film ; rdfs:label "Solaris"@en ; schema:description "Soviet film of 1972"@en ;
  x:director x:tarkovsky ; x:composer x:artemyev ; x:year "1972" .
x:s2 a x:film ; rdfs:label "Solaris"@en ; schema:description "American film of 2002"@en ;
  x:director x:soderbergh ; x:composer x:martinez ; x:year "2002" .
x:tarkovsky rdfs:label "Andrei Tarkovsky"@en . x:soderbergh rdfs:label "Steven Soderbergh"@en .
x:artemyev rdfs:label "Eduard Artemyev"@en . x:martinez rdfs:label "Cliff Martinez"@en .
"""
