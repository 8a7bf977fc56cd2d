"""The systems that ship: rooms of one shape that know neither each other nor the engine."""
