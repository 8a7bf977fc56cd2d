"""One module for each kind of page: its routes, and what its templates say."""
