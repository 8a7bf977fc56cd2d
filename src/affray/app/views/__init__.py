"""What use cases return: plain records, and how they become JSON, CSV, pictures, words."""
