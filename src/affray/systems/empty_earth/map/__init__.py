"""The map: Zones with their aim dots, lines between them, who stands where, and pictures of it."""
