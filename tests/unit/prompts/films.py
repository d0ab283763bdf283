"""A small graph of films, and requests about it."""

from kgcore.model import Entity, EntityId, Literal, Relation, RelationId, Subgraph, Triple
from kgcore.prompts import (
    AnswerFromMemory,
    AnswerFromPaths,
    ChooseAction,
    ChooseEachEntity,
    ChooseEntities,
    ChooseEntity,
    ChooseRelation,
    EntityGroup,
    FindMentions,
    GiveAnswer,
    JudgePaths,
    RateAnswer,
    RateSiblings,
    RateState,
    RelationGroup,
    ScoreEntities,
    ScoreRelations,
    Taken,
    TypedRequest,
)
from kgcore.steps import Candidate, RelationOption, Seed


def entity(number: int, label: str, description: str = "") -> Entity:
    return Entity(EntityId(f"f:{number}"), label, description, kg="films")


def relation(name: str, label: str, inverse: str = "") -> Relation:
    return Relation(RelationId(f"r:{name}"), label, inverse, kg="films")


INCEPTION = entity(1, "Inception", "2010 film by Christopher Nolan")
NOLAN = entity(2, "Christopher Nolan", "film maker")
DICAPRIO = entity(3, "Leonardo DiCaprio")
HARDY = entity(4, "Tom Hardy")
INTERSTELLAR = entity(5, "Interstellar", "2014 film")
CROUCHING = entity(6, "Crouching Tiger, Hidden Dragon", "2000 film")
TOY_2 = entity(7, "Toy Story 2")
UNKNOWN = entity(8, "The Unknown", "1927 film")
PARIS = entity(9, "Paris", "capital of France")
PARIS_TEXAS = entity(10, "Paris", "city in Texas")
YES = entity(11, "Yes", "rock band")
BEIJING = entity(12, "北京", "中国首都")
WAR_AND_PEACE = entity(13, "战争与和平")

DIRECTOR = relation("director", "director", "directed")
CAST = relation("cast", "cast member")
RELEASED = relation("released", "publication date")
LENGTH = relation("length", "duration")
GROSS = relation("gross", "box office")
PLACE = relation("place", "filming location")

DATE = Literal("2010-07-16T00:00:00Z", "xsd:dateTime")
YEAR = Literal("1927-01-01T00:00:00Z", "xsd:dateTime")
MINUTES = Literal("148", "xsd:decimal", unit="minute")
DOLLARS = Literal("836800000", "xsd:decimal", unit="United States dollar")

TRIPLES = (
    Triple(INCEPTION, DIRECTOR, NOLAN),
    Triple(INCEPTION, CAST, DICAPRIO),
    Triple(INCEPTION, CAST, HARDY),
    Triple(INTERSTELLAR, DIRECTOR, NOLAN),
    Triple(INCEPTION, RELEASED, DATE),
    Triple(INCEPTION, LENGTH, MINUTES),
    Triple(INCEPTION, GROSS, DOLLARS),
    Triple(UNKNOWN, RELEASED, YEAR),
)
OTHERS = (CROUCHING, TOY_2, UNKNOWN, PARIS, PARIS_TEXAS, YES, BEIJING, WAR_AND_PEACE)
FILMS = Subgraph().add(TRIPLES[:5]).add(TRIPLES[5:7]).add(entities=OTHERS).add(TRIPLES[7:])

QUESTION = "Who directed Inception and Crouching Tiger, Hidden Dragon?"
SEEDS = (Seed("Inception", INCEPTION), Seed("Nobody", None))
STEPS = (Taken("think", "The director is needed."),)
OPTIONS = (
    RelationOption(DIRECTOR, "out", 1, (INCEPTION.id,), targets=("Christopher Nolan",)),
    RelationOption(DIRECTOR, "in", 12, (INCEPTION.id,), targets=("Interstellar",)),
    RelationOption(CAST, "out", 22, (INCEPTION.id,), is_at_least=True),
    *(
        RelationOption(relation(f"x{i}", f"kind {i}"), "out", i, (INCEPTION.id,))
        for i in range(4, 15)
    ),
)
CANDIDATES = (
    Candidate(INCEPTION, 0.9),
    Candidate(PARIS, 0.5),
    Candidate(PARIS_TEXAS, 0.4),
    Candidate(entity(99, "C1"), 0.3),
)


def handle(of: Entity) -> str:
    return FILMS.handle(of.id)


def choose_each_entity(language: str = "en") -> ChooseEachEntity:
    items = tuple(
        ChooseEntity(QUESTION, name, CANDIDATES, language=language)
        for name in ("Inception", "Dragon")
    )
    return ChooseEachEntity(QUESTION, items, language=language)


def choose_action(*allowed: str, language: str = "en") -> ChooseAction:
    allowed = allowed or ("think", "expand", "answer")
    return ChooseAction(QUESTION, FILMS, SEEDS, STEPS, allowed, language=language)


def choose_entities(language: str = "en") -> ChooseEntities:
    return ChooseEntities(QUESTION, FILMS, SEEDS, STEPS, language=language)


def choose_relation(shortlist: int = 0, language: str = "en") -> ChooseRelation:
    return ChooseRelation(
        QUESTION, FILMS, SEEDS, STEPS, (INCEPTION.id,), OPTIONS, shortlist, language=language
    )


def rate_state(language: str = "en") -> RateState:
    return RateState(QUESTION, FILMS, SEEDS, STEPS, language=language)


def rate_answer(language: str = "en") -> RateAnswer:
    answer = GiveAnswer("Christopher Nolan", (NOLAN.id,))
    return RateAnswer(QUESTION, FILMS, SEEDS, STEPS, answer, language=language)


def rate_siblings(n: int = 3, language: str = "en") -> RateSiblings:
    items = tuple(
        RateState(QUESTION, FILMS, SEEDS, (*STEPS, Taken("think", f"Idea {i}.")), language=language)
        for i in range(n)
    )
    return RateSiblings(QUESTION, items, language=language)


def score_relations(language: str = "en") -> ScoreRelations:
    groups = (
        RelationGroup("Inception", INCEPTION.id, FILMS, (), OPTIONS),
        RelationGroup("Interstellar", INTERSTELLAR.id, FILMS, (), OPTIONS[:2]),
    )
    return ScoreRelations(QUESTION, groups, 3, SEEDS, language=language)


def score_entities(language: str = "en") -> ScoreEntities:
    groups = (
        EntityGroup("Inception", "cast member", (DICAPRIO, HARDY), 20),
        EntityGroup("Inception", "publication date", (DATE,)),
    )
    return ScoreEntities(QUESTION, groups, language=language)


def all_requests(language: str = "en") -> tuple[TypedRequest, ...]:
    return (
        FindMentions(QUESTION, language=language),
        ChooseEntity(QUESTION, "Inception", CANDIDATES, language=language),
        choose_each_entity(language),
        choose_action(language=language),
        choose_entities(language),
        choose_relation(0, language),
        choose_relation(5, language),
        rate_state(language),
        rate_answer(language),
        rate_siblings(3, language),
        AnswerFromMemory(QUESTION, language=language),
        score_relations(language),
        score_entities(language),
        JudgePaths(QUESTION, FILMS, SEEDS, STEPS, language=language),
        AnswerFromPaths(QUESTION, FILMS, SEEDS, STEPS, language=language),
    )
