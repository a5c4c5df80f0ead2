// Node and fabric joined: what the platform is, what is missing, what contradicts.
#include "platforms/importers/registry.hpp"
#include "platforms/site/gpu_models.hpp"
#include "platforms/site/import_site.hpp"
#include "platforms/xml.hpp"
#include "site_files.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {

namespace {

using testing::site_text;

std::string path(const std::string& name) {
  return testing::source_path("tests/data/site/" + name);
}

Site import(const std::vector<std::string>& names, const SiteOptions& options = {}) {
  std::vector<SiteFile> files;
  for (const std::string& name : names) files.push_back({path(name), ""});
  return import_site(files, options).site;
}

std::string problem(const std::vector<std::string>& names, const SiteOptions& options = {}) {
  return testing::refusal([&] { import(names, options); });
}

Platform built(const Site& site) {
  return parse_platform("site.xml", to_xml(site.spec, "site", site.hardware));
}

SiteOptions h100s() {
  SiteOptions options;
  options.gpus_per_node = 8;
  options.gpu = "h100";
  return options;
}

SiteOptions cabled(SiteOptions options = h100s()) {
  options.link = gigabits_per_second(400);
  options.uplinks = 4;
  return options;
}

TEST(Site, ANodesFileAndAFabricsFileMakeOnePlatform) {
  const Platform platform = built(import({"node.xml", "fabric.ibnetdiscover"}));
  EXPECT_EQ(platform.node_count(), 4);
  EXPECT_EQ(platform.gpu_count(), 4 * 4);
  EXPECT_EQ(platform.nics.size(), 4U * 4);
  EXPECT_EQ(platform.switches.size(), 4U);
  EXPECT_EQ(platform.nodes[3].name, "gpu10");
  EXPECT_EQ(platform.hardware.network, "infiniband");
  EXPECT_EQ(platform.hardware.nvlinks_per_gpu, 18);
  EXPECT_EQ(platform.hardware.gpu, "H100");  // what sm 90 usually is: the tuner goes by it
  const Gpu& gpu = platform.gpus[1];         // gpu 1 of the first node, on rail 1: leaf-b
  EXPECT_EQ(platform.switches[platform.nics[gpu.nic.index()].leaf.index()].name, "leaf-b");
  EXPECT_NEAR(in_gigabytes_per_second(platform.links[gpu.nvlink_up.index()].bandwidth), 18 * 20.6,
              1e-9);
}

TEST(Site, EveryFormatRoundsTripToTheSameBytes) {
  const std::vector<std::pair<std::vector<std::string>, SiteOptions>> sites = {
      {{"node.xml"}, {}},
      {{"node.xml", "fabric.ibnetdiscover"}, {}},
      {{"ports.ibnetdiscover"}, h100s()},
      {{"tree.conf"}, cabled()},
      {{"blocks.conf"}, cabled()},
      {{"topo.csv"}, cabled()}};
  for (const auto& [names, options] : sites) {
    const Site site = import(names, options);
    Properties properties("site", {"site.xml"});
    for (const auto& [id, value] : to_properties(site.spec)) properties.add(id, {value, {}});
    const GraphSpec read = read_graph(properties);
    EXPECT_EQ(to_xml(read, "site", site.hardware), to_xml(site.spec, "site", site.hardware))
        << names.back();
    EXPECT_EQ(built(site).links.size(), build_graph(read).links.size()) << names.back();
  }
}

TEST(Site, TheOrderOfTheFilesDoesNotMatter) {
  EXPECT_EQ(to_xml(import({"node.xml", "fabric.ibnetdiscover"}).spec, "s"),
            to_xml(import({"fabric.ibnetdiscover", "node.xml"}).spec, "s"));
}

TEST(Site, NvlinkOfAGpuIsItsLinksTimesNcclsRate) {
  const Site site = import({"ports.ibnetdiscover"}, h100s());
  ASSERT_TRUE(site.spec.kinds[0].nvswitch);
  EXPECT_NEAR(in_gigabytes_per_second(site.spec.kinds[0].nvswitch->bandwidth), 18 * 20.6, 1e-9);
  EXPECT_EQ(site.hardware.gpu, "H100");
  SiteOptions own = h100s();
  own.nvlink = gigabytes_per_second(450);
  EXPECT_EQ(import({"ports.ibnetdiscover"}, own).spec.kinds[0].nvswitch->bandwidth,
            gigabytes_per_second(450));
}

TEST(Site, CablesThatNoFileListsAreAsManyAndAsFastAsTheOptionsSay) {
  const Platform platform = built(import({"tree.conf"}, cabled()));
  EXPECT_EQ(platform.nics.size(), 6U * 8);  // one a GPU
  int uplinks = 0;
  for (const Link& link : platform.links)
    if (link.link_class == LinkClass::Fabric) ++uplinks;
  EXPECT_EQ(uplinks, 2 * 2 * 4 * 2);  // leaves x spines x cables, each way
  EXPECT_EQ(platform.links[platform.nics[0].up.index()].bandwidth, gigabits_per_second(400));
}

TEST(Site, FewerNicsAreSharedByNeighbours) {
  SiteOptions options = cabled();
  options.nics_per_node = 2;
  const GraphSpec::NodeKind kind = import({"topo.csv"}, options).spec.kinds[0];
  EXPECT_THAT(kind.nics[0].gpus, ::testing::ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(kind.nics[1].gpus, ::testing::ElementsAre(4, 5, 6, 7));
}

TEST(Site, HostsCanBeChosen) {
  SiteOptions options = cabled();
  options.hosts = "n[01-05]";
  EXPECT_EQ(import({"tree.conf"}, options).spec.nodes.size(), 5U);
  options.hosts = "n[01-02],lgoin1";
  EXPECT_EQ(problem({"tree.conf"}, options),
            "--hosts: no host 'lgoin1' in the fabric's file; did you mean 'login1'?");
}

TEST(Site, WhatIsMissingIsSaid) {
  EXPECT_EQ(problem({"tree.conf"}),
            "--link: is missing: the fabric's file does not say how fast a cable is, as in --link "
            "'400 Gbit/s'");
  SiteOptions options = h100s();
  options.link = gigabits_per_second(400);
  EXPECT_EQ(problem({"tree.conf"}, options),
            "--uplinks: is missing: the fabric's file does not say how many cables join a switch "
            "to each one above it");
  EXPECT_EQ(problem({"ports.ibnetdiscover"}),
            "--gpus-per-node: is missing: without a node's file, say how many GPUs a node has");
  options.gpu = "";
  EXPECT_EQ(problem({"ports.ibnetdiscover"},
                    [] {
                      SiteOptions o;
                      o.gpus_per_node = 8;
                      return o;
                    }()),
            "--gpu: is missing: how the GPUs of a node are joined must come from a node's file, "
            "--gpu (known: p100, "
            "v100, a100, h100, h200, b200, gb200, a10g, l40s) or --nvlink RATE");
}

TEST(Site, TheUserMayNameTheGpuOfAFilesComputeCapability) {
  SiteOptions options;
  options.gpu = "h200";
  EXPECT_EQ(built(import({"node.xml", "fabric.ibnetdiscover"}, options)).hardware.gpu, "H200");
}

TEST(Site, WhatContradictsAFileIsRefused) {
  EXPECT_EQ(problem({"node.xml", "fabric.ibnetdiscover"}, h100s()),
            "--gpus-per-node: the node's file says: 4");
  SiteOptions options;
  options.gpu = "a100";
  EXPECT_EQ(problem({"node.xml"}, options), "--gpu: 'a100' has sm 80, and the node's file says 90");
  options.gpu = "h1000";
  EXPECT_EQ(problem({"ports.ibnetdiscover"},
                    [&] {
                      options.gpus_per_node = 1;
                      return options;
                    }()),
            "--gpu: unknown GPU 'h1000'; did you mean 'h100'?");
  EXPECT_EQ(problem({"ports.ibnetdiscover"}, cabled()),
            "--link: contradicts the fabric's file, which lists every cable with its rate");
  EXPECT_EQ(problem({"node.xml", "ports.ibnetdiscover"}),
            path("ports.ibnetdiscover") +
                ":1:1: host 'n1' has 1 adapter in the fabric, but the node's file has 4 NICs");
  EXPECT_EQ(problem({"tree.conf", "topo.csv"}, cabled()),
            path("topo.csv") + ": is a second file of a fabric; one is joined with one");
}

TEST(Site, AFabricThatFallsApartIsRefusedWithTheHostThatIsCutOff) {
  const Fabric fabric =
      importer_for("t.conf", "SwitchName=", "")
          .read_fabric("t.conf", "SwitchName=a Nodes=n1\nSwitchName=b Nodes=n2\n");
  EXPECT_EQ(testing::refusal([&] { join_site({}, fabric, cabled()); }),
            "t.conf:2:12: the fabric falls apart: host 'n2' has no path to host 'n1'; --hosts "
            "chooses some of them");
}

TEST(SiteNames, KeepWhatPlatformsAllow) {
  EXPECT_EQ(platform_name("MF0;ib1-A:MCS8500/L01/U1"), "MF0_ib1-A_MCS8500_L01_U1");
  EXPECT_EQ(platform_name("gpu-1.site"), "gpu-1.site");
  EXPECT_EQ(platform_name(""), "_");
  EXPECT_EQ(platform_name("x"), "x_");
}

TEST(Importers, EachRecognisesItsOwnFileAlone) {
  const std::vector<std::pair<std::string, std::string>> files = {
      {"node.xml", "nccl"},
      {"fabric.ibnetdiscover", "ibnetdiscover"},
      {"ports.ibnetdiscover", "ibnetdiscover"},
      {"tree.conf", "slurm"},
      {"blocks.conf", "slurm"},
      {"topo.csv", "lingjun"}};
  for (const auto& [file, format] : files)
    for (const ImporterEntry& entry : importers())
      EXPECT_EQ(entry.recognises(site_text(file)), format == entry.name)
          << file << ' ' << entry.name;
}

}  // namespace

}  // namespace trainyard
