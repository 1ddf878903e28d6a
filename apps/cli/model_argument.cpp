#include "apps/cli/model_argument.h"

#include "pulsecast/artifact/file_kind.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast::cli {

std::shared_ptr<const Model> load_beside(const char* verb, const std::string& model,
                                         const std::string& rows) {
  using artifact::FileKind;
  try {
    return Model::load(model);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kModelFile) throw;
    const FileKind kind = artifact::file_kind(model);
    const bool is_swapped =
        kind != FileKind::kTensors && artifact::file_kind(rows) == FileKind::kTensors;
    if (!is_swapped) throw;
    throw_error(ErrorKind::kUsage, verb,
                "{} is {}, and {} a model file. The model comes first: pulsecast {} {} {}", model,
                artifact::description(kind), rows, verb, rows, model);
  }
}

}  // namespace pulsecast::cli
