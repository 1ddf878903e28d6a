// Errors and remedies as JSON, for scripts.
//
//   {"kind": "data", "where": "load.csv:7", "source": "load.csv", "line": 7,
//    "message": "2024-01-01 was in line 6 already",
//    "remedies": [{"settings": [{"name": "duplicates", "value": "first"}],
//                  "effect": "keeps the first of such rows",
//                  "text": "--duplicates first keeps the first of such rows"}],
//    "exit_code": 3}
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "pulsecast/base/words.h"

namespace pulsecast::json {

// A place has the members that are known. `text` and `where` are in `words`.
nlohmann::ordered_json error_json(const Error& error, const Words& words);

// A value is null where it is the user's to choose; "smaller" and "example" say how far it is.
nlohmann::ordered_json assignment_json(const Assignment& assignment);

}  // namespace pulsecast::json
