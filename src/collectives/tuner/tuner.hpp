// What NCCL would choose: its cost model (2.30) as pure functions over plain data.
//
// Every algorithm and protocol that is available gets a latency and a bandwidth from NCCL's tables,
// and the one with the smallest latency + bytes/bandwidth wins. It is a model of NCCL's choice, not
// a measurement: how long the collective really takes is for the network to say.
#pragma once

#include "collectives/collective.hpp"
#include "collectives/registry.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trainyard {

enum class NcclAlgorithm { Tree, Ring, CollNetDirect, CollNetChain, Nvls, NvlsTree, Pat };
enum class NcclProtocol { LL, LL128, Simple };
const char* to_string(NcclAlgorithm algorithm);  // "NVLSTree"
const char* to_string(NcclProtocol protocol);

enum class CpuVendor { Intel, Amd, Other, Mixed };
enum class IntraLink { NvLink, Pcie };

// What NCCL's searches through the node have found: so many channels, each with a bandwidth inside
// the node and between nodes.
struct ChannelPlan {
  int channels = 0;
  Bandwidth intra, inter;  // a channel
};

struct TunerInput {
  CollectiveKind kind = CollectiveKind::AllReduce;
  Bytes size;  // as NCCL counts: the larger of what goes in and what comes out
  int ranks = 1;
  int nodes = 1;
  int sm = 90;  // compute capability: 70 Volta, 80 Ampere, 90 Hopper, 100 Blackwell
  CpuVendor cpu = CpuVendor::Intel;
  IntraLink intra_link = IntraLink::NvLink;
  ChannelPlan plan;
  Seconds net_latency;  // the network's own, added to NCCL's
  bool nvswitch = false, nvls = false, collnet = false;
  bool ll128_paths = true;    // GPU pairs at NVB distance or nearer, NICs at PXB (from Hopper: PXN)
  bool plain_tree = false;    // the tree search found only NCCL's pattern TREE
  bool same_channels = true;  // rings leave a node by the channel they came in on
};

struct Candidate {
  NcclAlgorithm algorithm;
  NcclProtocol protocol;
  Seconds latency;
  Bandwidth bandwidth;  // of the algorithm: size / time without latency
  Seconds time;
};

// Available ones only, fastest first; ties in the order of the enums. None for kinds that NCCL does
// not tune (all-to-all, gather, scatter, barrier, send/recv).
std::vector<Candidate> nccl_candidates(const TunerInput& input);

// Parts of the model, whether available or not.
Seconds nccl_latency(const TunerInput& input, NcclAlgorithm algorithm, NcclProtocol protocol);
Bandwidth nccl_bandwidth(const TunerInput& input, NcclAlgorithm algorithm, NcclProtocol protocol);
bool nccl_available(const TunerInput& input, NcclAlgorithm algorithm, NcclProtocol protocol);

// ---- Channels ----

// What NCCL counts for one NVLink, one direction.
Bandwidth nccl_nvlink(int sm);
// The plan for so much bandwidth a GPU inside its node and a node (all its NICs) to the others: the
// largest speed of NCCL's search tables with which the channels together reach the most.
ChannelPlan search_channels(int sm, Bandwidth inside_node, Bandwidth between_nodes);

// ---- The choice ----

struct AlgorithmChoice {
  const AlgorithmEntry* algorithm = nullptr;
  std::optional<Candidate> nccl;  // none if named by the user or not tuned by NCCL
  std::vector<Candidate> others;  // NCCL's other candidates
  std::string why;                // for a report
};

// What NCCL would run, in our terms; `named` overrules it if it is not empty and applies.
AlgorithmChoice choose_algorithm(const Collective& collective, const TunerInput& input,
                                 const std::string& named);

// Ours for one of NCCL's; nullptr if it does not apply to the collective.
const AlgorithmEntry* algorithm_for(NcclAlgorithm algorithm, const Collective& collective);

// One sentence: what was chosen and why, and, given the times that our own algorithms take on the
// network, what the best would have been.
using NamedTime = std::pair<std::string, Seconds>;
std::string explain(const Collective& collective, const AlgorithmChoice& choice,
                    const std::vector<NamedTime>& simulated);

}  // namespace trainyard
