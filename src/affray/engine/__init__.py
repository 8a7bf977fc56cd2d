"""What can be done with any rules: play them, price them, solve them, explain a result."""
