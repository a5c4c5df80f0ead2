#include "network/plain_platform.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace trainyard {

namespace s4u = simgrid::s4u;

namespace {

// Digits compare as numbers, everything else as text.
bool natural_less(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      std::size_t end_a = i, end_b = j;
      while (end_a < a.size() && digit(a[end_a])) ++end_a;
      while (end_b < b.size() && digit(b[end_b])) ++end_b;
      const std::string number_a = a.substr(i, end_a - i), number_b = b.substr(j, end_b - j);
      if (number_a.size() != number_b.size()) return number_a.size() < number_b.size();
      if (number_a != number_b) return number_a < number_b;
      i = end_a;
      j = end_b;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

class PlainRouting final : public Routing {
public:
  PlainRouting(const Platform& platform, std::vector<s4u::Host*> hosts) : hosts_(std::move(hosts)) {
    for (std::size_t link = 0; link < platform.links.size(); ++link) {
      by_name_[platform.links[link].name] = LinkId(static_cast<std::int64_t>(link));
      latencies_.push_back(platform.links[link].latency);
    }
  }

  void append_path(GpuId from, GpuId to, int /*queue_pair*/,
                   std::vector<LinkShare>& out) const override {
    for (const LinkId link : route(from, to)) out.push_back({link, 1.0});
  }

  Seconds latency(GpuId from, GpuId to) const override {
    Seconds total;
    for (const LinkId link : route(from, to)) total += latencies_[link.index()];
    return total;
  }

private:
  const std::vector<LinkId>& route(GpuId from, GpuId to) const {
    const auto known = routes_.find({from, to});
    if (known != routes_.end()) return known->second;
    std::vector<LinkId>& links = routes_[{from, to}];
    if (from == to) return links;
    std::vector<s4u::Link*> route;
    double latency = 0;
    hosts_[from.index()]->route_to(hosts_[to.index()], route, &latency);
    for (const s4u::Link* link : route) links.push_back(by_name_.at(link->get_name()));
    return links;
  }

  std::vector<s4u::Host*> hosts_;
  std::map<std::string, LinkId> by_name_;
  std::vector<Seconds> latencies_;
  mutable std::map<std::pair<GpuId, GpuId>, std::vector<LinkId>>
      routes_;  // a cache of a pure function
};

// SimGrid takes a pair without a route for one without links, whose transfers take no time. Asking
// for every pair would be slow; each host to the next finds a host that was forgotten.
void check_routes(const std::vector<s4u::Host*>& hosts, const std::string& file) {
  for (std::size_t i = 0; i + 1 < hosts.size(); ++i)
    for (const auto& [from, to] : {std::pair(hosts[i], hosts[i + 1]), {hosts[i + 1], hosts[i]}}) {
      std::vector<s4u::Link*> links;
      double latency = 0;
      from->route_to(to, links, &latency);
      if (links.empty())
        throw InputError(
            {file}, "", "has no route from '" + from->get_name() + "' to '" + to->get_name() + "'");
    }
}

}  // namespace

std::vector<s4u::Host*> plain_hosts(const s4u::Engine& engine) {
  std::vector<s4u::Host*> hosts = engine.get_all_hosts();
  std::sort(hosts.begin(), hosts.end(), [](const s4u::Host* a, const s4u::Host* b) {
    return natural_less(a->get_name(), b->get_name());
  });
  return hosts;
}

Platform read_plain_platform(const s4u::Engine& engine, const std::string& file) {
  Platform platform;
  platform.name = file.substr(file.find_last_of('/') + 1);
  platform.topology = "plain";
  platform.calibration = "as the file says";
  platform.plain_file = file;
  for (const s4u::Host* host : plain_hosts(engine)) {
    const GpuId gpu(static_cast<std::int64_t>(platform.gpus.size()));
    Gpu data;
    data.node = NodeId(gpu.value());
    platform.gpus.push_back(data);
    Node node;
    node.name = host->get_name();
    node.first_gpu = gpu;
    node.gpus = 1;
    platform.nodes.push_back(node);
  }
  if (platform.gpus.empty()) throw InputError({file}, "", "the platform has no host");
  check_routes(plain_hosts(engine), file);
  std::vector<s4u::Link*> links = engine.get_all_links();
  std::sort(links.begin(), links.end(), [](const s4u::Link* a, const s4u::Link* b) {
    return natural_less(a->get_name(), b->get_name());
  });
  for (s4u::Link* link : links) {
    Link data;
    data.name = link->get_name();
    data.bandwidth = bytes_per_second(link->get_bandwidth());
    data.latency = seconds(link->get_latency());
    if (data.bandwidth <= Bandwidth())
      throw InputError({file}, "", "link '" + data.name + "' has no bandwidth");
    data.shared = link->get_sharing_policy() != s4u::Link::SharingPolicy::FATPIPE;
    platform.links.push_back(data);
  }
  return platform;
}

std::unique_ptr<Routing> make_plain_routing(const Platform& platform,
                                            std::vector<s4u::Host*> hosts) {
  return std::make_unique<PlainRouting>(platform, std::move(hosts));
}

}  // namespace trainyard
