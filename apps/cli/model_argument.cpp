#include "apps/cli/model_argument.h"

#include "apps/cli/threads.h"
#include "pulsecast/artifact/file_kind.h"

namespace pulsecast::cli {

Forecaster load_beside(const char* verb, const std::string& model, const std::string& rows,
                       const Console& console) {
  using artifact::FileKind;
  try {
    Forecaster forecaster = Forecaster::load(model, thread_options(console));
    remark_threads(console, forecaster.threads_asked(), forecaster.threads());
    return forecaster;
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
