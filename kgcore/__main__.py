"""`python -m kgcore`: the command line."""

import sys

from kgcore.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
