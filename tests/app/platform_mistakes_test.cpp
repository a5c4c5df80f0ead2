// Mistakes in platforms: files that are none, properties that contradict, plain SimGrid ones that
// SimGrid refuses.
#include "app/refusal.hpp"

namespace trainyard::testing {

namespace {

const std::vector<Refusal> kMistakes = {
    {"NoSuchPlatform", one_job_with("tiny.xml", "tinny.xml"), 2,
     "DIR/tinny.xml: cannot be read: No such file or directory"},
    {"PlatformIsADirectory", one_job_with("tiny.xml", "."), 2,
     "DIR/: cannot be read: Is a directory"},
    {"PlatformEmpty", plain_job(), 2, "DIR/p.xml: is empty, not a platform file", {{"p.xml", ""}}},
    {"NotXml",
     plain_job(),
     2,
     "DIR/p.xml: holds no XML element, so it is not a platform file",
     {{"p.xml", "hello"}}},
    {"PlatformWithoutGpus",
     one_job_with("tiny.xml", "p.xml"),
     2,
     "DIR/p.xml:3:3: <zone> has no <prop> and no <host>: it describes no GPUs",
     {{"p.xml",
       "<?xml version=\"1.0\"?>\n<platform version=\"4.1\">\n  <zone id=\"z\" "
       "routing=\"None\"/>\n</platform>\n"}}},
    {"PlainPlatformWithoutHosts",
     one_job_with("tiny.xml", "p.xml"),
     2,
     "DIR/p.xml: the platform has no host",
     {{"p.xml",
       "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM "
       "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n  <zone id=\"z\" "
       "routing=\"Full\">\n    <link id=\"l\" bandwidth=\"1GBps\" latency=\"1us\"/>\n  "
       "</zone>\n</platform>\n"}}},
    {"PlainThatEndsSimGrid",
     plain_job(),
     2,
     "DIR/p.xml: SimGrid cannot load this platform: Not a valid model!",
     {{"p.xml", replaced(fixture("plain.xml"), "Full", "Fool")}}},
    {"PlainRouting",
     plain_job("network: {routing: ecmp}\n"),
     3,
     "e.yaml:7:20: network.routing: 'ecmp' cannot replace the routes of 'p.xml', a plain SimGrid "
     "platform",
     {{"p.xml", fixture("plain.xml")}}},
    {"PlainOverride",
     replaced(plain_job(), "p.xml", "{file: p.xml, nodes: 4}"),
     2,
     "e.yaml:1:11: platform: a plain SimGrid platform has no property 'nodes'",
     {{"p.xml", fixture("plain.xml")}}},
    {"PlainWithoutARoute",
     plain_job(),
     2,
     "DIR/p.xml: has no route from 'a' to 'b'",
     {{"p.xml", replaced(fixture("plain.xml"),
                         "    <route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>\n", "")}}},
    {"PlainLinkWithoutBandwidth",
     plain_job(),
     2,
     "DIR/p.xml: link 'l' has no bandwidth",
     {{"p.xml", replaced(fixture("plain.xml"), "1GBps", "0Bps")}}},
    {"BadOverride", one_job_with("tiny.xml", "{file: tiny.xml, oversubscribtion: 2}"), 2,
     "e.yaml:1:46: tiny_2x4.oversubscribtion: unknown property; did you mean 'oversubscription'?"},
    {"BadOverrideValue", one_job_with("tiny.xml", "{file: tiny.xml, oversubscription: two}"), 2,
     "e.yaml:1:46: tiny_2x4.oversubscription: must be a positive number, got 'two'"},
    {"ContradictoryOverride", one_job_with("tiny.xml", "{file: tiny.xml, nodes: 3}"), 3,
     "DIR/tiny.xml:17:5: tiny_2x4.down: multiplies to 8, less than the 12 endpoints of 'nodes'"},
    {"HugePlatform", one_job_with("tiny.xml", "{file: tiny.xml, nodes: 2000000000}"), 3,
     "DIR/tiny.xml:11:5: tiny_2x4.gpus_per_node: 2000000000 nodes of 4 GPUs are more than 1000000 "
     "GPUs"},
    {"UnknownLink", one_job("slow: {links: [{link: node0/nic0/upp, factor: 0.5}]}\n"), 2,
     "e.yaml:7:23: slow.links[0].link: no link 'node0/nic0/upp' on this platform; did you mean "
     "'node0/nic0/up'?"},
    {"UnknownLinkFar", one_job("slow: {links: [{link: x, factor: 0.5}]}\n"), 2,
     "e.yaml:7:23: slow.links[0].link: no link 'x' on this platform; there is, for example, "
     "'node0/gpu0/nvlink_up'"},
    {"UnknownGpu", one_job("slow: {gpus: [{gpu: node0/gpu7, factor: 1.5}]}\n"), 2,
     "e.yaml:7:21: slow.gpus[0].gpu: no GPU 'node0/gpu7' on this platform; did you mean "
     "'node0/gpu0'?"},
    {"SlowTwice",
     one_job("slow: {gpus: [{gpu: node0/gpu1, factor: 1.5}, {gpu: node0/gpu1, factor: 2}]}\n"), 2,
     "e.yaml:7:53: slow.gpus[1].gpu: 'node0/gpu1' has its factor already"},
    {"FasterGpu", one_job("slow: {gpus: [{gpu: node0/gpu1, factor: 0.5}]}\n"), 2,
     "e.yaml:7:41: slow.gpus[0].factor: must be a number from 1 to 1e+06, got '0.5'"},
};

class PlatformMistakes : public ::testing::TestWithParam<Refusal> {};

TEST_P(PlatformMistakes, AreRefusedWithAWordAndWithoutATrace) { expect_refused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Platform, PlatformMistakes, ::testing::ValuesIn(kMistakes), name_of);

}  // namespace

}  // namespace trainyard::testing
