#include "workload/steps/writers/stage_writer.hpp"

#include "workload/steps/writers/chunk_writer.hpp"
#include "workload/steps/writers/side_by_side.hpp"
#include "workload/steps/writers/step_end.hpp"

#include <algorithm>

namespace trainyard {

namespace {

class StageWriter {
public:
  StageWriter(const StepPlan& plan, int stage, const std::vector<bool>& in_group)
      : plan_(plan),
        stage_(stage),
        writer_(in_group),
        chunks_(units_of_chunks(plan, stage)),
        data_(writer_, layout(), plan.sizes.widths, plan.slots, chunks_),
        chunk_writer_(writer_, plan_, data_),
        passes_left_(chunks_.size(), micro_batches_of_chunk()) {}

  Program write() {
    data_.start_step();
    int begin = 0;
    bool beside = false;
    std::vector<SideBySide> pairs;
    for (const StagePass& pass : schedule(layout(), plan_.sizes.widths.micro_batches, stage_)) {
      const int middle = writer_.size();
      writer_.close();
      write(pass);
      if (beside) pairs.push_back({begin, middle, writer_.size()});
      beside = pass.beside_next;
      begin = middle;
    }
    finish_step(writer_, plan_, chunks_, data_);
    return side_by_side(writer_.finish(), pairs);
  }

private:
  const Layout& layout() const { return plan_.sizes.layout; }

  static std::vector<std::vector<Unit>> units_of_chunks(const StepPlan& plan, int stage) {
    const BlockSizes& sizes = plan.sizes;
    std::vector<std::vector<Unit>> result;
    result.reserve(static_cast<std::size_t>(sizes.layout.chunks));
    for (int chunk = 0; chunk < sizes.layout.chunks; ++chunk)
      result.push_back(units_of(sizes.model, sizes.layout, sizes.widths,
                                virtual_stage_of(sizes.layout, {stage, chunk})));
    return result;
  }

  // DualPipe's two ways have half of the micro-batches each.
  int micro_batches_of_chunk() const {
    const int all = plan_.sizes.widths.micro_batches;
    return layout().schedule == PipelineSchedule::DualPipe ? all / 2 : all;
  }

  void write(const StagePass& pass) {
    const std::string name = name_of(pass);
    switch (pass.kind) {
      case StagePass::Kind::Forward:
        return forward(pass, name);
      case StagePass::Kind::Backward:
        return backward(pass, name, Gradients::Both);
      case StagePass::Kind::InputGradients:
        return backward(pass, name, Gradients::Inputs);
      case StagePass::Kind::WeightGradients:
        return weights(pass, name);
    }
  }

  // "f3 ", of the third chunk "f3.2 "
  std::string name_of(const StagePass& pass) const {
    std::string name = pass.kind == StagePass::Kind::Forward           ? "f"
                       : pass.kind == StagePass::Kind::WeightGradients ? "w"
                                                                       : "b";
    name += std::to_string(pass.micro_batch);
    if (chunks_.size() > 1) name += "." + std::to_string(pass.chunk);
    return name + " ";
  }

  const std::vector<Unit>& units(const StagePass& pass) const {
    return chunks_[static_cast<std::size_t>(pass.chunk)];
  }

  void forward(const StagePass& pass, const std::string& name) {
    const bool back = goes_back(pass);
    const TransferSlots& slots = back ? plan_.slots.forward_previous : plan_.slots.forward_next;
    writer_.label(name);
    if (virtual_stage(pass) > 0) receive(slots);
    chunk_writer_.forward(pass.chunk, units(pass), name);
    writer_.label(name);
    if (virtual_stage(pass) + 1 < plan_.sizes.widths.virtual_stages) send(slots);
  }

  void backward(const StagePass& pass, const std::string& name, Gradients gradients) {
    const bool back = goes_back(pass);
    const TransferSlots& slots = back ? plan_.slots.backward_next : plan_.slots.backward_previous;
    writer_.label(name);
    if (virtual_stage(pass) + 1 < plan_.sizes.widths.virtual_stages) receive(slots);
    if (gradients == Gradients::Both) count_down(pass);
    chunk_writer_.backward(pass.chunk, units(pass), name, gradients);
    writer_.label(name);
    if (virtual_stage(pass) > 0) send(slots);
  }

  void weights(const StagePass& pass, const std::string& name) {
    count_down(pass);
    chunk_writer_.backward(pass.chunk, units(pass), name, Gradients::Weights);
  }

  void count_down(const StagePass& pass) {
    const bool last = --passes_left_[static_cast<std::size_t>(pass.chunk)] == 0;
    chunk_writer_.finishes_gradients(last ? DataWriter::Turn::Last : DataWriter::Turn::More);
  }

  bool goes_back(const StagePass& pass) const {
    return layout().schedule == PipelineSchedule::DualPipe && pass.chunk == 1;
  }
  int virtual_stage(const StagePass& pass) const {
    return virtual_stage_of(layout(), {stage_, pass.chunk});
  }

  Message transfer(int slot) const {
    const Share& share = plan_.sizes.share;
    const std::int64_t parts = layout().scatter_gather ? layout().tensor : 1;
    return {slot, CollectiveKind::SendRecv,
            Bytes(2 * share.held_tokens * plan_.sizes.model.hidden / parts)};
  }

  // A receive is posted as early as its stream comes to it.
  void receive(const TransferSlots& slots) {
    const int received = writer_.start_after("receive", transfer(slots.in), {});
    writer_.wait(received);
    if (!layout().scatter_gather) return;
    const Bytes hidden(2 * plan_.sizes.share.tokens * plan_.sizes.model.hidden);
    writer_.wait(writer_.start_after(
        "put together", {plan_.slots.tensor, CollectiveKind::AllGather, hidden}, {received}));
  }

  void send(const TransferSlots& slots) {
    const int sent = writer_.start("send", transfer(slots.out));
    if (!layout().overlap_p2p) writer_.wait(sent);
  }

  const StepPlan& plan_;
  int stage_;
  ProgramWriter writer_;
  std::vector<std::vector<Unit>> chunks_;
  DataWriter data_;
  ChunkWriter chunk_writer_;
  std::vector<int> passes_left_;  // by chunk: backward passes until its gradients are complete
};

}  // namespace

Program stage_program(const StepPlan& plan, int stage, const std::vector<bool>& in_group) {
  return StageWriter(plan, stage, in_group).write();
}

}  // namespace trainyard
