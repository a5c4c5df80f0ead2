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
  Alike alike() const override { return several_ports() ? Alike::Nothing : Alike::BetweenLeaves; }

private:
  // What has arrived at a switch.
  struct Part {
    SwitchId at;
    double share;
    Seconds longest;
  };
  // What has arrived at the switches of one distance, in the order of first arrival.
  class Parts {
  public:
    explicit Parts(std::size_t switches) : places_(switches, -1) {}
    void arrive(const Part& more) {
      std::int32_t& place = places_[more.at.index()];
      if (place < 0) {
        place = static_cast<std::int32_t>(parts_.size());
        parts_.push_back(more);
        return;
      }
      Part& part = parts_[static_cast<std::size_t>(place)];
      part.share += more.share;
      part.longest = std::max(part.longest, more.longest);
    }
    std::vector<Part>::const_iterator begin() const { return parts_.begin(); }
    std::vector<Part>::const_iterator end() const { return parts_.end(); }

  private:
    std::vector<std::int32_t> places_;  // in `parts_`, by switch
    std::vector<Part> parts_;
  };
  Parts nothing() const { return Parts(platform().switches.size()); }

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
      Parts next = nothing();
      for (const Part& part : parts) spread(trip, part, left, next, out);
      parts = std::move(next);
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
    Parts parts = nothing();
    for (const NicId port : ports) {
      Seconds time = of(nic(port).up);
      nodes().to_nic(trip.from, nic(port), [&](LinkId link) {
        add(out, begin, link, share);
        time += of(link);
      });
      parts.arrive({leaf(port), share, time});
    }
    for (const NicId port : ports) out.push_back({nic(port).up, share});
    return parts;
  }

  void spread(const Trip& trip, const Part& part, int left, Parts& next, Links& out) const {
    std::vector<const GraphTable::Neighbour*> nearer;
    double cables = 0;
    for (const auto& neighbour : table().neighbours(part.at)) {
      if (distance(neighbour.peer, trip.destination) != left - 1) continue;
      nearer.push_back(&neighbour);
      cables += static_cast<double>(neighbour.cables.size());
    }
    const double share = part.share / cables;
    for (const auto* neighbour : nearer)
      for (const LinkId cable : neighbour->cables) {
        out.push_back({cable, share});
        next.arrive({neighbour->peer, share, part.longest + of(cable)});
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
