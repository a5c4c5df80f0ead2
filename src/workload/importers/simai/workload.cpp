#include "workload/importers/simai/workload.hpp"

#include "base/text.hpp"
#include "workload/importers/simai/rows.hpp"

namespace trainyard {

namespace {

enum Stream : int { MainStream, TensorStream, BackgroundStream, UpdateStream };

// A rank's step, row by row.
class RowPlayer {
public:
  std::vector<RecordedOperation> operations;

  void play(const std::vector<SimaiRow>& rows) {
    for (const SimaiRow& row : rows) {
      compute(row, "forward", row.forward.compute);
      waited_for(row, "forward", row.forward);
    }
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
      compute(*row, "weight_gradient", row->weight_gradient.compute);
      const int reduced =
          collective(*row, "weight_gradient", row->weight_gradient, BackgroundStream);
      compute(*row, "input_gradient", row->input_gradient.compute);
      waited_for(*row, "input_gradient", row->input_gradient);
      if (row->update > seconds(0)) {
        const int update = add(*row, "update", UpdateStream);
        at(update).duration = row->update;
        at(update).after = {reduced < 0 ? last_ : reduced};
        if (at(update).after[0] < 0) at(update).after.clear();
      }
    }
  }

private:
  Operation& at(int i) { return operations[static_cast<std::size_t>(i)].operation; }

  int add(const SimaiRow& row, const std::string& what, int stream) {
    RecordedOperation& recorded = operations.emplace_back();
    recorded.place = row.line;
    recorded.operation.name = row.name + "." + what;
    recorded.operation.stream = stream;
    return static_cast<int>(operations.size()) - 1;
  }

  void compute(const SimaiRow& row, const std::string& what, Seconds time) {
    if (time == seconds(0)) return;
    const int i = add(row, what, MainStream);
    at(i).duration = time;
    if (waiting_ >= 0) at(i).after = {waiting_};
    waiting_ = -1;
    last_ = i;
  }

  // -1 if there is none.
  int collective(const SimaiRow& row, const std::string& what, const SimaiPart& part, int stream) {
    if (!part.collective) return -1;
    const int i = add(row, what, stream);
    at(i).kind = Operation::Kind::Communicate;
    at(i).collective = *part.collective;
    at(i).size = part.size;
    at(i).group = Group{part.slot};
    if (last_ >= 0) at(i).after = {last_};
    return i;
  }

  void waited_for(const SimaiRow& row, const std::string& what, const SimaiPart& part) {
    const int i = collective(row, what, part, TensorStream);
    if (i >= 0) waiting_ = last_ = i;
  }

  int last_ = -1;     // what the next collective waits for
  int waiting_ = -1;  // a collective that the next computation waits for
};

void add_notes(const SimaiWorkload& workload, RecordedStep& step) {
  const ParallelSizes& s = workload.sizes;
  step.notes.push_back(
      "tensor " + std::to_string(s.tensor) + ", data " + std::to_string(s.data()) + ", expert " +
      std::to_string(s.expert) + ", pipeline " + std::to_string(s.pipeline) + ", " +
      counted(workload.accumulation, "micro-batch") + ", " + counted(s.ranks, "rank"));
  if (s.pipeline > 1)
    step.notes.push_back(
        "the file holds one stage and no pipeline schedule: every stage plays the same rows, "
        "bubbles and transfers between stages" +
        (workload.pipeline_bytes
             ? " (pp_comm " + std::to_string(workload.pipeline_bytes->count()) + " B)"
             : std::string()) +
        " are left out");
  if (workload.checkpoints > 0)
    step.notes.push_back("recomputation from " + counted(workload.checkpoints, "checkpoint") +
                         " is left out");
}

}  // namespace

RecordedStep read_simai(const RecordedOptions& options) {
  const std::vector<std::string> files = named_files(options.files);
  const std::string& file = files.front();
  if (files.size() > 1)
    throw InputError({files[1]}, "", "a second file; a SimAI workload is one file for all ranks");
  SimaiWorkload workload = read_simai_rows(file);
  RecordedStep step;
  step.format = "simai";
  step.unit = "line";
  ParallelSizes& sizes = workload.sizes;
  if (sizes.ranks == 0) {
    sizes.ranks = options.ranks > 0 ? options.ranks : sizes.tensor * sizes.pipeline * sizes.expert;
    if (options.ranks == 0)
      step.notes.push_back(
          "the file does not say how many ranks there are (all_gpus): taken to be " +
          std::to_string(sizes.ranks));
  }
  const std::string problem = unfit(sizes);
  if (!problem.empty()) throw InputError({file, 1}, "", problem);
  RowPlayer played;
  played.play(workload.rows);
  add_notes(workload, step);
  write_for_all(step, laid_out(sizes), file, std::move(played.operations));
  return step;
}

}  // namespace trainyard
