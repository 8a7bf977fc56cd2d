"""The command line: arguments in, views out."""
