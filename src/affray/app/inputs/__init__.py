"""Input of users: tables, rosters and setups, checked, ready for an engine."""
