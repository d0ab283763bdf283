"""Real servers on loopback that the tests talk to."""
