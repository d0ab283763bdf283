"""Chain-of-Knowledge (arXiv 2305.13269): what a journal of it holds, in order.

    NodeAdded 0 start
    Ask sample_rationales (n = samples)                     RationalesSampled: samples, votes, agreement
      agreed → NodeAdded answer, AnswerProposed, end: no source was asked
    Ask choose_domains (about 0)                            DomainsChosen: domains, offered, sources
    for each rationale, step by step:
      (from the second on, where the sample's own does not stand:) Ask next_rationale (about the node before)
      NodeAdded draft, NodeExpanded                         RationaleDrafted: node, number, text, origin
      for each source, all sources in lockstep, all steps about the draft's node:
        Ask write_sparql | write_sql | write_sentence       (role query; the step's record names the source)
        [SPARQL: Link, Ask choose_entity, Relations, Edges, Rank]
                                                            QueryWritten: source, written, query, problem, links
        Lookup                                              KnowledgeFound: source, query, evidence, problem
        on a bad query or an empty result once more: Ask write_…, QueryWritten (is_repaired), Lookup, KnowledgeFound
                                                            SourcesDisagree: text, knowledge (where they do)
      Ask correct_rationale (only where something was found)
                                                            RationaleCorrected: before, after, knowledge
      NodeAdded correct (below the draft, with the triples that were found), AnswerProposed never yet
    Ask answer_from_rationales                              NodeAdded answer, NodeScored, AnswerProposed

With mode = parallel all drafts stand first (siblings below node 0), and their sources are asked together.
"""
