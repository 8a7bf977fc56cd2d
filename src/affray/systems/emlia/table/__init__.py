"""Units on a table: where they stand, who touches whom, how they move into contact, a picture."""
