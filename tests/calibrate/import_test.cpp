#include <gtest/gtest.h>

#include <sstream>

#include "calibrate/import/gemm_csv.hpp"
#include "calibrate/import/node_topology.hpp"

namespace gridlock::calibrate {
namespace {

constexpr const char* matrix =
    "\t\x1b[4mGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m\n"
    "GPU0\t X \tNV18\tPIX\t0-51\t0\t\tN/A\n"
    "GPU1\tNV18\t X \tSYS\t52-103\t1\t\tN/A\n"
    "NIC0\tPIX\tSYS\t X \n"
    "\nLegend:\n\n  X    = Self\n";

TEST(TopologyMatrix, TwoGpusOverNvlink) {
  const NodeTopology node = read_topology_matrix(matrix, "topo.txt");
  EXPECT_EQ(node.gpus, 2);
  EXPECT_EQ(node.nics, 1);
  EXPECT_EQ(node.sockets, 2);
  EXPECT_EQ(node.nvlinks, 18);
  const std::string yaml = node_yaml(node, {"h100-sxm", 450e9, 63e9, 50e9}, "topo.txt");
  EXPECT_NE(yaml.find("kind: nvswitch\ngpu: h100-sxm\ngpus: 2\nnics: 1\nsockets: 2\nnvlink: 450GBps\npcie: 63GBps\n"),
            std::string::npos)
      << yaml;
  EXPECT_NE(yaml.find("nic: 400Gbps\n"), std::string::npos) << yaml;
}

// The matrix says how many links there are, not how fast they are, nor what a NIC's port runs at.
TEST(TopologyMatrix, AsksForWhatItDoesNotSay) {
  const NodeTopology node = read_topology_matrix(matrix, "topo.txt");
  EXPECT_THROW(node_yaml(node, {"", 450e9, 63e9, 50e9}, ""), ImportError);
  EXPECT_THROW(node_yaml(node, {"h100-sxm", std::nullopt, 63e9, 50e9}, ""), ImportError);
  EXPECT_THROW(node_yaml(node, {"h100-sxm", 450e9, std::nullopt, 50e9}, ""), ImportError);
  EXPECT_THROW(node_yaml(node, {"h100-sxm", 450e9, 63e9, std::nullopt}, ""), ImportError);
}

TEST(TopologyMatrix, PairsThatDifferAreRefused) {
  EXPECT_THROW(read_topology_matrix("\tGPU0\tGPU1\tGPU2\nGPU0\tX\tNV2\tNV1\nGPU1\tNV2\tX\tNV1\nGPU2\tNV1\tNV1\tX\n", "t"),
               ImportError);
}

TEST(TopologyMatrix, OtherTextIsRefused) {
  for (const char* text : {"", "hello\n", "\tGPU0\tGPU1\nGPU0\tX\n", "\tGPU0\tGPU1\nGPU0\tX\tPIX\n", "GPU0"})
    EXPECT_THROW(read_topology_matrix(text, "t"), ImportError) << text;
}

std::string dump(int second_links) {
  return R"(<system version="1">
  <cpu numaid="0" arch="x86_64">
    <pci busid="0000:1b:00.0" link_speed="32.0 GT/s PCIe" link_width="16"><gpu dev="0" sm="90" rank="0">
      <nvlink target="0000:05:00.0" count="10"/><nvlink target="0000:06:00.0" count="8"/></gpu></pci>
    <pci busid="0000:1c:00.0" link_speed="32.0 GT/s PCIe" link_width="16">
      <nic><net name="mlx5_0" dev="0" speed="400000" port="1"/></nic></pci>
  </cpu>
  <cpu numaid="1" arch="x86_64">
    <pci busid="0000:9b:00.0" link_speed="32.0 GT/s PCIe" link_width="16"><gpu dev="1" sm="90" rank="1">
      <nvlink target="0000:05:00.0" count=")" +
         std::to_string(second_links) + R"("/></gpu></pci>
  </cpu>
</system>)";
}

// PCIe: 32 GT/s * 128/130 / 8 * 16 lanes = 63.0 GB/s. NVLink: 18 * 25 = 450 GB/s. NIC: 400,000 Mbit/s.
TEST(NcclTopology, RatesComeFromTheDump) {
  const NodeTopology node = read_nccl_topology(dump(18), "topo.xml");
  EXPECT_EQ(node.gpus, 2);
  EXPECT_EQ(node.nics, 1);
  EXPECT_EQ(node.sockets, 2);
  EXPECT_NEAR(node.pcie_bytes_per_s, 63.0e9, 0.1e9);
  const std::string yaml = node_yaml(node, {"h100-sxm", {}, {}, {}}, "topo.xml");
  EXPECT_NE(yaml.find("nvlink: 450GBps\n"), std::string::npos) << yaml;
  EXPECT_NE(yaml.find("nic: 400Gbps\n"), std::string::npos) << yaml;
}

TEST(NcclTopology, BadDumpsAreRefused) {
  EXPECT_THROW(read_nccl_topology(dump(17), "t"), ImportError);  // GPUs that differ
  EXPECT_THROW(read_nccl_topology("<system>", "t"), ImportError);
  EXPECT_THROW(read_nccl_topology("<graphs/>", "t"), ImportError);
  EXPECT_THROW(read_nccl_topology("<system/>", "t"), ImportError);
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  EXPECT_THROW(read_nccl_topology(deep, "t"), ImportError);
}

std::vector<Point> csv(const std::string& text) {
  std::istringstream in(text);
  return read_gemm_csv(in, "g.csv");
}

// 2 * 1000^3 FLOP at 100 TFLOP/s: 20 us.
TEST(GemmCsv, ColumnsInAnyOrder) {
  const std::vector<Point> a = csv("# source\nm,n,k,dtype,time_us\n1000,1000,1000,bf16,20\n"),
                           b = csv("dtype,tflops,k,n,m\nbf16,100,1000,1000,1000\n"),
                           c = csv("m,n,k,dtype,time\n1000,1000,1000,bf16,2e-5");
  for (const auto& points : {a, b, c}) {
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].seconds[0], 20e-6, 1e-12);
    EXPECT_EQ(points[0].labels.at("dtype"), "bf16");
    EXPECT_EQ(points[0].numbers.at("m"), 1000);
  }
}

TEST(GemmCsv, BadFilesAreErrors) {
  for (const char* text :
       {"", "m,n,k,time\n1,1,1,1\n", "m,n,k,dtype\n1,1,1,bf16\n", "m,n,k,dtype,time\n", "m,n,k,dtype,time\n1,1,1,bf16\n",
        "m,n,k,dtype,time\n1,1,1.5,bf16,1\n", "m,n,k,dtype,time\n1,1,1,bf16,-1\n", "m,n,k,dtype,time\n1,1,1,,1\n",
        "m,n,k,dtype,time\n1,1,1,bf16,nan\n", "m,n,k,dtype,tflops\n1,1,1,bf16,1e-320\n"})
    EXPECT_THROW(csv(text), PointError) << text;
}

}  // namespace
}  // namespace gridlock::calibrate
