"""Charts of the page: curves, bars and heat maps, each of which is a table as well.

Bars and heat maps are tables whose cells are drawn on; what is seen is what is read aloud. A curve
is a drawing with a table beside it. Text is never scaled: places in a drawing are in percent of it,
and only lines are stretched. Colors have roles, as in `affray.core.drawing`: a page overrides them
by its classes, a file of its own keeps them. Nothing is told by color alone: lines differ by dashes
and marks, an estimate has a dashed, pale bar with its interval, a cell holds its number.

Templates draw them by `charts.curve(...)`, `charts.bars(...)` and `charts.heat(...)`.
"""
