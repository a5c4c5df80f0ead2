#include "base/error.hpp"
#include "schedulers/slurm/site/duration.hpp"
#include "schedulers/slurm/site/read_site.hpp"
#include "shared_data.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

namespace trainyard::slurm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SlurmSite site_of(const std::string& text) {
  SlurmSite site;
  read_slurm_conf(site, "slurm.conf", text);
  return site;
}

std::string problem_of(const std::string& text) {
  try {
    site_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SlurmConf, NodesAreInTheOrderOfTheirNamesAndKeysInAnyCase) {
  const SlurmSite site = site_of(
      "nodename=n10 cpus=8\nNodeName=n[1-2] Sockets=2 CoresPerSocket=4 \\\n  Gres=gpu:h100:4 # "
      "x\n");
  ASSERT_EQ(site.node_count(), 3);
  EXPECT_EQ(site.nodes[0].name, "n1");
  EXPECT_EQ(site.nodes[2].name, "n10");
  EXPECT_EQ(site.nodes[2].cpus(), 8);
  EXPECT_EQ(site.nodes[1].gpus(), 4);
  EXPECT_EQ(site.nodes[1].gpu_type, "h100");
  EXPECT_EQ(site.node_index("n10"), 2);
  EXPECT_EQ(site.node_index("n3"), -1);
}

TEST(SlurmConf, DefaultLinesHoldForWhatFollows) {
  const SlurmSite site = site_of(
      "NodeName=DEFAULT CoresPerSocket=4 Weight=7\nNodeName=a\nNodeName=b Weight=2\n"
      "PartitionName=DEFAULT MaxTime=60\nPartitionName=p Nodes=ALL\nPartitionName=q Nodes=b "
      "MaxTime=2-0\n");
  EXPECT_EQ(site.nodes[0].weight, 7);
  EXPECT_EQ(site.nodes[1].weight, 2);
  EXPECT_EQ(site.partitions[0].max_time, 60);
  EXPECT_EQ(site.partitions[1].max_time, 2 * 24 * 60);
  EXPECT_EQ(site.partitions[0].nodes.count(), 2);
  EXPECT_TRUE(site.partitions[1].nodes.has(1));
}

TEST(SlurmConf, AnUnknownKeyIsAnErrorWithItsPlaceAndANearMatch) {
  EXPECT_THAT(problem_of("NodeName=a\nPriorityWeigthAge=3\n"),
              testing::AllOf(HasSubstr("slurm.conf:2:1"), HasSubstr("PriorityWeightAge")));
  EXPECT_THAT(problem_of("NodeName=a Wieght=2\n"),
              testing::AllOf(HasSubstr("slurm.conf:1:12"), HasSubstr("Weight")));
  EXPECT_THAT(problem_of("NodeName=a\nPartitionName=p Nodes=b\n"), HasSubstr("slurm.conf:2:23"));
}

TEST(SlurmConf, AKnownSettingThatIsNotModelledIsSaidOnceWithWhatItWouldChange) {
  const SlurmSite site = site_of("NodeName=a\nDefMemPerNode=100\nDefMemPerNode=200\nLicenses=\n");
  EXPECT_THAT(site.warnings, ElementsAre(HasSubstr("DefMemPerNode is not modelled")));
}

TEST(SlurmConf, KeysThatCameAfter2205AreRefusedForIt) {
  EXPECT_THAT(problem_of("NodeName=a\nPreemptParameters=youngest_first\n"),
              testing::AllOf(HasSubstr("22.05"), HasSubstr("23.02")));
}

TEST(SlurmConf, SchedulerParametersAreTaken) {
  const SlurmSite site =
      site_of("NodeName=a\nSchedulerParameters=bf_interval=3,bf_continue,bf_window=10\n");
  EXPECT_EQ(site.parameters.scheduler.bf_interval, 3);
  EXPECT_TRUE(site.parameters.scheduler.bf_continue);
  EXPECT_EQ(site.parameters.scheduler.bf_window, 10);
}

TEST(GresConf, CoresTellTheSocketOfAGpu) {
  SlurmSite site = site_of("NodeName=a Sockets=2 CoresPerSocket=4 Gres=gpu:4\n");
  read_gres_conf(site, "gres.conf",
                 "Name=gpu File=/dev/nvidia[0-1] Cores=0-3\nName=gpu File=/dev/nvidia[2-3] "
                 "Cores=4-7\n");
  EXPECT_THAT(site.nodes[0].gpu_socket, ElementsAre(0, 0, 1, 1));
}

TEST(Sacctmgr, AccountsUsersAndQualitiesOfServiceAreRead) {
  SlurmSite site = site_of("NodeName=a\n");
  read_sacctmgr_lines(site, "db.txt",
                      "add qos high priority=100\nadd qos low\nmodify qos high set preempt=low\n"
                      "add account A share=3 grptres=gres/gpu=16\nadd user u account=A maxjobs=2 "
                      "qos=low,high defaultqos=low\n");
  const SlurmAccounting& accounting = site.accounting;
  EXPECT_THAT(accounting.qos[1].preempt, ElementsAre("low"));
  const SlurmAssociation& account = accounting.associations[2];
  const SlurmAssociation& user = accounting.associations[3];
  EXPECT_EQ(account.shares, 3);
  EXPECT_EQ(account.limits.grp_tres.at("gres/gpu"), 16);
  EXPECT_EQ(user.parent, 2);
  EXPECT_EQ(user.limits.max_jobs, 2);
  EXPECT_THAT(user.qos, ElementsAre("low", "high"));
}

TEST(Durations, AreMinutesUnlessTheySayOtherwise) {
  EXPECT_EQ(parse_duration("30"), 30 * 60);
  EXPECT_EQ(parse_duration("1:30"), 90);
  EXPECT_EQ(parse_duration("1:00:00"), 3600);
  EXPECT_EQ(parse_duration("2-0"), 2 * 24 * 3600);
  EXPECT_EQ(parse_duration("0-00:02"), 120);
  EXPECT_FALSE(parse_duration("soon"));
}

TEST(SharedData, EveryGoldenSiteIsRead) {
  const auto folders = golden_scenarios();
  if (folders.empty()) GTEST_SKIP() << "no golden scenarios under TRAINYARD_DATA";
  for (const std::string& folder : folders) {
    const SlurmSite site = read_site(site_files(folder));
    EXPECT_GT(site.node_count(), 0) << folder;
    EXPECT_THAT(site.warnings, ElementsAre()) << folder;
  }
}

// Read, or refused with the place.
TEST(SharedData, EverySlurmConfOfARealSiteIsReadOrRefusedAtALine) {
  const auto folder = shared_data() / "data" / "slurm";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no Slurm files under TRAINYARD_DATA";
  int read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.find("slurm.conf") == std::string::npos) continue;
    std::ifstream input(entry.path());
    std::ostringstream text;
    text << input.rdbuf();
    SlurmSite site;
    site.parameters.version = SlurmVersion{26, 11};
    try {
      read_slurm_conf(site, name, text.str());
      ++read;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(name + ":")) << error.what();
      std::cout << error.what() << '\n';
    }
  }
  EXPECT_GT(read, 5);
}

}  // namespace
}  // namespace trainyard::slurm
