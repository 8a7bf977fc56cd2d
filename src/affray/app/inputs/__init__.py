"""What users give: tables, rosters and setups, checked, ready for an engine."""
