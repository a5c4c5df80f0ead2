// A policy that is a program of the user's: asked once per batch of events, over JSON lines.
//
// README.md has the protocol. The program may remember what it was told; runs are reproducible if
// it answers the same questions alike. Whatever goes wrong is an ExternalError.
#include "base/error.hpp"
#include "base/text.hpp"
#include "schedulers/process/conversation.hpp"
#include "schedulers/process/messages.hpp"
#include "schedulers/registry.hpp"

#include <memory>
#include <stdexcept>

namespace trainyard {

namespace {

class ProcessPolicy final : public SchedulingPolicy {
public:
  explicit ProcessPolicy(const ProgramCommand& command) : command_(command) {}

  std::vector<Decision> decide(const ClusterView& view, const Placement& placement) const override {
    const std::string about = "the decision at t=" + fixed(in_seconds(view.now), 3) + " s";
    if (!program_) introduce(view);
    const std::string line = program_->ask(question_text(view), about);
    try {
      Answer answer = read_answer(line, view, placement);
      wake_ = answer.wake;
      return std::move(answer.decisions);
    } catch (const std::invalid_argument& problem) {
      refuse(about, problem.what(), line);
    }
  }

  bool resizes() const override { return true; }
  Seconds wake(const ClusterView& /*view*/) const override { return wake_; }

private:
  // Once, before the first question.
  void introduce(const ClusterView& view) const {
    program_ = std::make_unique<Conversation>(command_);
    const std::string about = "'hello'";
    const std::string line = program_->ask(hello_text(*view.platform), about);
    try {
      check_hello(line);
    } catch (const std::invalid_argument& problem) {
      refuse(about, problem.what(), line);
    }
  }

  [[noreturn]] void refuse(const std::string& about, const std::string& problem,
                           const std::string& line) const {
    throw ExternalError(program_->name() + ": its answer to " + about + " is wrong: " + problem +
                        "; it said " + printable(line, 200));
  }

  const ProgramCommand command_;
  mutable std::unique_ptr<Conversation> program_;  // started by the first question
  mutable Seconds wake_ = forever();
};

}  // namespace

std::unique_ptr<SchedulingPolicy> make_process_policy(const PolicyOptions& options) {
  return std::make_unique<ProcessPolicy>(options.program);
}

}  // namespace trainyard
