"""Tests of the Eclipse Phase room, by chapter; names carry clause, vector or ruling."""
