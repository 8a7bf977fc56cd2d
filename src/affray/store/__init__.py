"""The store: games, setups, tables and jobs, kept in SQLite or PostgreSQL."""
