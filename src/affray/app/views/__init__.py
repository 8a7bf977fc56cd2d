"""Results of use cases: plain records that become JSON, CSV, pictures and words."""
