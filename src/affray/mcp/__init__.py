"""The use cases as tools for game masters that are programs: the Model Context Protocol."""
