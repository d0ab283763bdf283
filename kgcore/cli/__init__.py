"""The command line: everything the workbench does, without a browser.

`main` reads the arguments and turns errors into one line; `parser` says which commands there are; each command
is a function `(arguments) -> exit code` in asking, runs, graphs or models, imported when it is called.
"""
