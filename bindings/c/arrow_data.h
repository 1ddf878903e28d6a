// Arrow data that was handed over: whose it is, and that it is what its schema says.
//
// The interface is plain structs of a stranger's, who may be wrong. What can be looked at is looked
// at before a value is read: that nothing was released already, counts of children and buffers,
// lengths and offsets, pointers that must be there. How long a buffer really is, the interface does
// not say.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bindings/c/arrow_type.h"
#include "bindings/c/pulsecast/c/pulsecast.h"

namespace pulsecast::c {

// A schema or an array that is ours, and released when the last who holds it is gone.
using OwnSchema = std::shared_ptr<const ArrowSchema>;
using OwnArray = std::shared_ptr<const ArrowArray>;

struct ArrowBatches {
  OwnSchema schema;  // of a struct: a child a column
  std::vector<OwnArray> arrays;
};

// Both are ours from here on, whatever happens; where they are marks them as released. Throws
// Error(kUsage) where one is NULL or released already.
ArrowBatches take_arrow(ArrowSchema* schema, ArrowArray* array);

// The same of a stream, to its end. Throws Error(kInputOutput) with what the stream says of itself.
ArrowBatches take_arrow_stream(ArrowArrayStream* stream, const std::string& source);

// Throw Error(kData) that says what is wrong with a column.
void check_schema(const ArrowSchema& schema, const std::string& source);
// `type` of the array's own schema: of a dictionary that of its indices.
void check_array(const ArrowArray& array, const ArrowType& type, const std::string& source,
                 const std::string& column);

}  // namespace pulsecast::c
