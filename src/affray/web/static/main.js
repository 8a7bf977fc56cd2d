// What every page does.
import * as forms from "./forms.js";
import * as keys from "./keys.js";
import * as live from "./live.js";

for (const part of [forms, keys, live]) part.begin();
