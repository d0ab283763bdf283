"""Rationales, which knowledge supports or corrects: what the methods that write them share."""
