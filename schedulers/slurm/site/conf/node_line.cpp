#include "schedulers/slurm/site/conf/node_line.hpp"

#include "base/text.hpp"
#include "schedulers/slurm/site/conf/record_fields.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

// "gpu:8", "gpu:h100:8", "gpu:h100:8(S:0-1)": how many, and of what type.
void take_gres(SlurmNode& node, const ConfOption& option) {
  node.gpu_socket.clear();
  for (const std::string& word : words_of(option)) {
    const std::vector<std::string> parts = split(word.substr(0, word.find('(')), ':');
    if (parts.front() != "gpu") continue;  // other resources are not modelled
    std::int64_t count = 1;
    if (parts.size() > 1) {
      const auto last = parse_integer(parts.back());
      if (last) count = *last;
      if (!last || parts.size() > 2) node.gpu_type = parts[1];
    }
    if (count < 0 || count > 64) throw value_error(option, "a node has between 0 and 64 GPUs");
    node.gpu_socket.insert(node.gpu_socket.end(), static_cast<std::size_t>(count), -1);
  }
}

void take_cores(SlurmNode& node, RecordFields& fields) {
  const ConfOption* cpus = fields.find("CPUs");
  if (const ConfOption* procs = fields.find("Procs"); procs && !cpus) cpus = procs;
  const ConfOption* sockets = fields.find("Sockets");
  const ConfOption* per_board = fields.find("SocketsPerBoard");
  const ConfOption* boards = fields.find("Boards");
  const ConfOption* cores = fields.find("CoresPerSocket");
  const ConfOption* threads = fields.find("ThreadsPerCore");
  if (sockets) node.sockets = int_of(*sockets, 1);
  if (per_board) node.sockets = int_of(*per_board, 1) * (boards ? int_of(*boards, 1) : 1);
  if (cores) node.cores_per_socket = int_of(*cores, 1);
  if (threads) node.threads_per_core = int_of(*threads, 1);
  // Slurm: CPUs alone are so many sockets of one core.
  if (cpus && !sockets && !per_board && !cores && !threads && node.cores() == 1)
    node.sockets = 1, node.cores_per_socket = int_of(*cpus, 1);
  // As many CPUs as cores: one CPU a core, whatever its threads.
  if (cpus && int_of(*cpus, 1) == node.cores()) node.threads_per_core = 1;
}

}  // namespace

void take_node_options(SlurmNode& node, const ConfRecord& record) {
  RecordFields fields(record);
  fields.find("NodeName");
  take_cores(node, fields);
  if (const ConfOption* option = fields.find("RealMemory")) node.memory = int_of(*option, 1);
  if (const ConfOption* option = fields.find("Weight")) node.weight = int_of(*option);
  if (const ConfOption* option = fields.find("State")) node.state = option->value;
  if (const ConfOption* option = fields.find("Feature")) node.features = words_of(*option);
  if (const ConfOption* option = fields.find("Features")) node.features = words_of(*option);
  if (const ConfOption* option = fields.find("Gres")) take_gres(node, *option);
  fields.ignore({"NodeAddr", "NodeHostname", "Port", "BcastAddr", "Reason", "TmpDisk", "CpuBind",
                 "CoreSpecCount", "CPUSpecList", "MemSpecLimit", "TRESWeights", "Topology",
                 "GresConf", "Parameters", "RestrictedCoresPerGPU", "SuspendTime"});
  fields.finish();
}

}  // namespace trainyard::slurm
