#include "app/experiment_file.hpp"

#include "study/child_runs.hpp"
#include "study/sweep.hpp"

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <unistd.h>

namespace trainyard {
namespace {

struct CloseFile {
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): it is the owner
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OwnedFile = std::unique_ptr<std::FILE, CloseFile>;

// What SimGrid said before it ended its process: "[0.000000] [root/CRITICAL] <this>".
std::string last_words(std::FILE* log) {
  std::rewind(log);
  char text[1024];
  const std::size_t size = std::fread(text, 1, sizeof text, log);
  const std::string words(text, size);
  const std::size_t begin = words.find("CRITICAL] ");
  if (begin == std::string::npos) return "it ended without a message";
  const std::string message = words.substr(begin + std::string("CRITICAL] ").size());
  return message.substr(0, message.find('\n'));
}

// The sweep's values would replace the user's at every point.
void check_not_swept(Document& document, const std::string& key) {
  Section root = document.root();
  if (!root.has("sweep") || root.is_scalar("sweep")) return;
  Section sweep = root.section("sweep");
  for (const std::string& swept : sweep.keys())
    if (swept == key || key.rfind(swept + ".", 0) == 0 || swept.rfind(key + ".", 0) == 0)
      throw InputError({"--set"}, key,
                       "the sweep varies '" + swept + "'; set 'sweep." + swept +
                           "' or take it out of the sweep");
}

}  // namespace

Platform load_plain(Simulation& simulation, const std::string& file) {
  const OwnedFile log(std::tmpfile());
  if (!log) throw InputError({}, "temporary file", "cannot be written");
  const auto attempt = [&](std::size_t) {
    dup2(fileno(log.get()), STDERR_FILENO);
    simulation.load_plain(file);
  };
  try {
    run_children({{""}, attempt, [](std::size_t) {}}, 1);
  } catch (const ChildError& error) {
    const int signal = error.exit_code() - 128;
    if (signal != SIGABRT && signal != SIGSEGV) throw;
    throw InputError({file}, "", "SimGrid cannot load this platform: " + last_words(log.get()));
  }
  return simulation.load_plain(file);
}

Document load_document(const RunOptions& options) {
  Document document = Document::load(options.experiment);
  for (const std::string& setting : options.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) throw InputError({"--set"}, setting, "must be key=value");
    const std::string key = setting.substr(0, equals);
    check_not_swept(document, key);
    if (key.rfind("platform.", 0) == 0) open_platform(document);
    document.set(key, setting.substr(equals + 1));
  }
  return document;
}

Experiment read(Document& document, const RunOptions& options, Simulation& simulation) {
  return read_experiment(document, options.experiment, [&simulation](const std::string& file) {
    return load_plain(simulation, file);
  });
}

std::string output_of(Document& document, const RunOptions& options) {
  if (!options.output.empty()) return options.output;
  return (std::filesystem::path("results") / experiment_name(document, options.experiment))
      .string();
}

}  // namespace trainyard
