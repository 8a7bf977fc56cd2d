"""One exchange: followed, priced, solved, played and explained."""
