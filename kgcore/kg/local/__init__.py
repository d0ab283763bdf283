"""Embedded graphs: a store on disk with a label index beside it."""
