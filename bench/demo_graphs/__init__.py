"""What bench/build_demo.py is made of: reading, choosing and writing the demo graphs."""
