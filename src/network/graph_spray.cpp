#include "network/graph_ends.hpp"
#include "network/graph_routing.hpp"

#include <algorithm>

namespace trainyard {

namespace {

using Links = std::vector<LinkShare>;

// Every shortest path at once, level by level.
class Spray final : public GraphRouting {
public:
  explicit Spray(const Platform& platform) : GraphRouting(platform) {}

  Seconds latency(GpuId from, GpuId to) const override {
    Links unused;
    return from == to ? Seconds() : append(from, to, 0, unused);
  }

private:
  // What has arrived at a switch.
  struct Part {
    SwitchId at;
    double share;
    Seconds longest;
  };
  using Parts = std::vector<Part>;

  static void arrive(Parts& parts, const Part& more) {
    for (Part& part : parts)
      if (part.at == more.at) {
        part.share += more.share;
        part.longest = std::max(part.longest, more.longest);
        return;
      }
    parts.push_back(more);
  }

  // A PCIe slot serves several ports: it is one link with all their shares.
  static void add(Links& out, std::size_t begin, LinkId link, double share) {
    for (std::size_t i = begin; i < out.size(); ++i)
      if (out[i].link == link) {
        out[i].share += share;
        return;
      }
    out.push_back({link, share});
  }

  Seconds cross_fabric(const Trip& trip, int /*queue_pair*/, Links& out) const override {
    Parts parts = leave(trip, out);
    for (int left = trip.length; left > 0; --left) {
      Parts next;
      for (const Part& part : parts) spread(trip, part, left, next, out);
      parts.swap(next);
    }
    Seconds longest;
    const std::size_t begin = out.size();
    for (const Part& part : parts) longest = std::max(longest, enter(trip, part, begin, out));
    return longest;
  }

  Parts leave(const Trip& trip, Links& out) const {
    std::vector<NicId> ports;
    for (const NicId port : trip.source)
      if (distance(leaf(port), trip.destination) == trip.length) ports.push_back(port);
    const double share = 1.0 / static_cast<double>(ports.size());
    const std::size_t begin = out.size();
    Parts parts;
    for (const NicId port : ports) {
      Seconds time = of(nic(port).up);
      nodes().to_nic(trip.from, nic(port), [&](LinkId link) {
        add(out, begin, link, share);
        time += of(link);
      });
      arrive(parts, {leaf(port), share, time});
    }
    for (const NicId port : ports) out.push_back({nic(port).up, share});
    return parts;
  }

  void spread(const Trip& trip, const Part& part, int left, Parts& next, Links& out) const {
    double cables = 0;
    const auto nearer = [&](const GraphTable::Neighbour& n) {
      return distance(n.peer, trip.destination) == left - 1;
    };
    for (const auto& neighbour : table().neighbours(part.at))
      if (nearer(neighbour)) cables += static_cast<double>(neighbour.cables.size());
    for (const auto& neighbour : table().neighbours(part.at)) {
      if (!nearer(neighbour)) continue;
      for (const LinkId cable : neighbour.cables) {
        out.push_back({cable, part.share / cables});
        arrive(next, {neighbour.peer, part.share / cables, part.longest + of(cable)});
      }
    }
  }

  Seconds enter(const Trip& trip, const Part& part, std::size_t begin, Links& out) const {
    const auto here = [&](NicId port) { return leaf(port) == part.at; };
    const double share = part.share / static_cast<double>(std::count_if(
                                          trip.destination.begin(), trip.destination.end(), here));
    Seconds longest;
    for (const NicId port : trip.destination) {
      if (!here(port)) continue;
      Seconds time = part.longest + of(nic(port).down);
      out.push_back({nic(port).down, share});
      nodes().from_nic(nic(port), trip.to, [&](LinkId link) {
        add(out, begin, link, share);
        time += of(link);
      });
      longest = std::max(longest, time);
    }
    return longest;
  }
};

}  // namespace

std::unique_ptr<Routing> make_graph_spray(const Platform& platform) {
  return std::make_unique<Spray>(platform);
}

}  // namespace trainyard
