"""Reasoning over knowledge graphs with language models."""
