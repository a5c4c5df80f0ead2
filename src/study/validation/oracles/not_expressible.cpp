// Oracles that this model does not answer, each with the reason: absent is not the same as held.
#include "study/validation/oracles/oracles.hpp"

namespace trainyard {

void add_not_expressible(OracleResults& results) {
  struct Left {
    const char *part, *name, *mark, *source, *reason;
  };
  const Left left[] = {
      {"ASTRA-sim analytical", "ring of 16, three hops; switch, two hops: aware", "E",
       "astra-network-analytical 599a047",
       "store and forward of whole messages; flows here cross all hops at once"},
      {"ASTRA-sim analytical", "every pair of a ring of 16 at once, 704116 ns", "E",
       "astra-network-analytical 599a047", "whole messages queued first come first served"},
      {"ASTRA-sim system", "117780, 64440 and 323560 ns", "E", "astra-sim/astra-sim 518bd51",
       "an endpoint delay, a local memory's time and chunks that do not overlap"},
      {"LogGOPSim", "binomial reduce, 8 hosts: 34914 ... 1500 ns", "E", "spcl/LogGOPSim 76451de",
       "host overhead o occupies sender and receiver; transfers here occupy links only"},
      {"packet simulator", "outcast with incast, victim flow 215 us", "S", "csg-htsim validate.txt",
       "its flow matrix is not quoted in the source at hand"},
      {"closed form", "chain broadcast with a latency a chunk: (n-2+c)(alpha + S/(cB))", "E",
       "textbook", "chains are streamed as NCCL's are: latency once a hop"},
      {"closed form", "balanced dragonfly and torus under uniform traffic", "E", "textbook",
       "no builder for either; graphs give the torus by shortest paths only"},
      {"TACOS", "meshes with two link speeds", "S", "astra-sim/tacos 1811f1f",
       "their layout of the two speeds is not quoted"},
      {"TE-CCL", "NDv2 x2 and x4", "S", "microsoft/TE-CCL c128bf2",
       "which GPU reaches the link between chassis is not quoted"},
      {"fabric", "congestion control: Swift against MPRDMA flips", "S", "spcl/atlahs",
       "rates are max-min fair at once; no transport"},
      {"sharing", "GPT beside BERT +11.0 %; CASSINI 1.6x; Crux utilisation", "P",
       "SIGCOMM'24 and others",
       "needs their jobs in the closed loop: experiments/, not this table"},
      {"fabric", "rail-only all-to-all +8.2-11.2 %; dual-plane +15 %; queue pairs +40 %", "P",
       "published claims", "traffic and fabric are not stated well enough to be computed"},
      {"sharing", "fleet stragglers: 42.5 % of jobs slowed", "R", "arXiv 2505.05713",
       "a property of a fleet's faults, not of a network"},
  };
  for (const Left& one : left)
    results.push_back(not_expressible({one.part, one.name, "", one.mark, one.source}, one.reason));
}

}  // namespace trainyard
