"""Use cases: one function for each thing that people do, and the views that they return."""
