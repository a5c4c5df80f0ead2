// From the nodes of one rank's Chakra trace, in any of its forms, to operations in an order in
// which each comes after all that it waits for.
//
// On the GPU, computations run in the order of their stream (the trace's, or else one), and each
// group's communication in an order of its own; operators of the CPU run by thread and count as
// launch gaps. Data dependencies bind. Control dependencies bind too, unless they close a circle:
// PyTorch's converters write the calling operator there, at times the node itself. Those, and
// dependencies on nodes that are not in the file, are left out and counted.
//
// A collective's `comm_size` is the buffer of one rank: for all-gather and gather, a total of
// that times the ranks. A computation without a time gets one from its work if `kernels` is there.
#pragma once

#include "workload/importers/chakra/node.hpp"
#include "workload/importers/recorded/recorded_step.hpp"
#include "workload/steps/kernel.hpp"

#include <map>
#include <string>
#include <vector>

namespace trainyard {

// By name: the ranks of the groups that nodes refer to.
using ChakraGroups = std::map<std::string, std::vector<int>>;

class ChakraConverter {
public:
  ChakraConverter(RecordedStep& step, const ChakraGroups& groups, const KernelTimes* kernels)
      : step_(step), groups_(step), named_(groups), kernels_(kernels) {}

  // The nodes, in the file's order, become the operations of the rank.
  void convert(int rank, const std::vector<ChakraNode>& nodes);
  // What was understood and left out, of all ranks converted.
  void add_notes();

private:
  struct Rank;  // what conversion keeps while it is at one rank

  void communicate(const Rank& rank, const ChakraNode& node, RecordedOperation& recorded);
  void compute(const ChakraNode& node, RecordedOperation& recorded);
  int group_of(const Rank& rank, const ChakraNode& node);
  void warn(const std::string& rule, const Rank& rank, const ChakraNode& node,
            const std::string& problem);
  [[noreturn]] static void fail(const Rank& rank, const ChakraNode& node,
                                const std::string& problem);
  std::vector<std::vector<int>> dependencies(const Rank& rank);

  RecordedStep& step_;
  RecordedGroups groups_;
  const ChakraGroups& named_;
  const KernelTimes* kernels_;
  std::map<std::string, std::int64_t> warned_;  // rule: how often
  std::int64_t untimed_ = 0, estimated_ = 0;
};

}  // namespace trainyard
