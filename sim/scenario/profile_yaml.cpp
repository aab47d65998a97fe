// Keys of `profile:` and of the files in profiles/.
#include "sim/scenario/declarations.hpp"
#include "sim/scenario/profile_errors.hpp"

namespace gridlock::scenario {
namespace {

void describe_gemm(Fields& f, model::GemmModel& g) {
  f.choice<model::GemmKind>({"kind", "tiled: a GPU's waves of tiles; packed: a CPU's panels"}, g.kind, model::GemmKind::tiled,
                            {{"tiled", model::GemmKind::tiled}, {"packed", model::GemmKind::packed}});
  const bool tiled = g.kind == model::GemmKind::tiled;
  const auto absent = [](bool needed, double value) { return needed ? std::nullopt : std::optional(value); };
  f.quantity({"ceiling", "share of the dense peak that an endless product (tiled: of 256 x 128 tiles) sustains"}, g.ceiling,
             Unit::ratio, required, share);
  f.quantity({"tile_traffic", "elements: a tile of m x n works at 1 / (1 + tile_traffic (1/m + 1/n)) of its speed",
              "needed for kind tiled"},
             g.tile_traffic, Unit::ratio, absent(tiled, 0), not_negative);
  f.quantity({"wave", "prologue and epilogue of a wave of tiles", "needed for kind tiled"}, g.wave_s, Unit::seconds,
             absent(tiled, 0), not_negative);
  f.quantity({"launch", "start and drain of the whole GPU, a kernel; of all threads on a CPU"}, g.launch_s, Unit::seconds,
             required, not_negative);
  f.quantity({"overlap_exponent", "how well arithmetic and HBM traffic overlap: 1 = not at all, many = the pure roofline",
              "needed for kind tiled"},
             g.overlap_exponent, Unit::ratio, absent(tiled, 1), {1, 1000});
  f.quantity({"operand_bandwidth", "operands into panels", "needed for kind packed"}, g.operand_bytes_per_s, Unit::bandwidth,
             absent(!tiled, 0), positive);
  f.quantity({"output_bandwidth", "result written, and read where it is accumulated", "needed for kind packed"},
             g.output_bytes_per_s, Unit::bandwidth, absent(!tiled, 0), positive);
}

void describe_memory(Fields& f, model::MemoryModel& m) {
  f.quantity({"efficiency", "share of the HBM peak that streaming kernels reach"}, m.efficiency, Unit::ratio, required, share);
  f.quantity({"start", "start and drain of the whole GPU, a kernel"}, m.start_s, Unit::seconds, required, not_negative);
}

void describe_flash(Fields& f, model::FlashModel& m) {
  f.quantity({"forward", "share of the dense peak of fused attention, forward"}, m.forward, Unit::ratio, required, share);
  f.quantity({"backward", "the same, backward: 2.5 times the forward FLOPs"}, m.backward, Unit::ratio, required, share);
}

void describe_links(Fields& f, topology::LinkParameters& l) {
  const auto efficiency = [&](std::string_view key, std::string_view help, double& value) {
    f.quantity({key, help}, value, Unit::ratio, required, share);
  };
  const auto latency = [&](std::string_view key, std::string_view help, double& value) {
    f.quantity({key, help}, value, Unit::seconds, required, not_negative);
  };
  efficiency("nvlink_efficiency", "payload share of the NVLink wire rate", l.nvlink_efficiency);
  efficiency("pcie_efficiency", "payload share of the PCIe wire rate", l.pcie_efficiency);
  efficiency("nic_efficiency", "payload share of the NIC's port rate", l.nic_efficiency);
  efficiency("switch_efficiency", "payload share of a cable between switches", l.switch_efficiency);
  efficiency("adaptive_efficiency", "of a trunk of cables over which packets are sprayed", l.adaptive_efficiency);
  latency("nvlink_latency", "of one crossing", l.nvlink_latency_s);
  latency("pcie_latency", "of one crossing", l.pcie_latency_s);
  latency("nic_latency", "of one crossing", l.nic_latency_s);
  latency("switch_latency", "of one crossing between switches", l.switch_latency_s);
}

void describe_nccl(Fields& f, collectives::TuningParameters& t) {
  using collectives::Generation;
  f.choice<Generation>({"generation", "GPU generation as NCCL's tables index it"}, t.generation, std::nullopt,
                       {{"volta", Generation::volta},
                        {"ampere", Generation::ampere},
                        {"hopper", Generation::hopper},
                        {"blackwell", Generation::blackwell}});
  f.quantity({"intra_channel_bandwidth", "of one channel inside a node"}, t.intra_channel_bytes_per_s, Unit::bandwidth, required,
             positive);
  f.integer({"intra_channels", "channels inside a node"}, t.intra_channels, required, {1, 64});
  f.quantity({"inter_channel_bandwidth", "of one channel between nodes"}, t.inter_channel_bytes_per_s, Unit::bandwidth, required,
             positive);
  f.integer({"inter_channels", "channels between nodes, a NIC"}, t.inter_channels, required, {1, 64});
  f.quantity({"channel_copy", "most that one running channel (one SM) moves on a ring between nodes", "no limit"},
             t.channel_copy_bytes_per_s, Unit::bandwidth, 0, positive);
  f.integer({"min_channels", "NCCL_MIN_CTAS: channels that run at least"}, t.min_channels, 0, {0, 64});
  f.quantity({"measured_nic", "port rate of the NICs that channels between nodes were measured behind",
              "they are as fast behind any NIC"},
             t.nic_bytes_per_s, Unit::network, 0, positive);
  f.quantity(
      {"measured_nvlink", "a GPU's NVLink rate that channels inside a node were measured behind", "they are as fast behind any"},
      t.nvlink_bytes_per_s, Unit::bandwidth, 0, positive);
  f.quantity({"network_latency", "what a network crossing takes beyond NCCL's table"}, t.network_latency_s, Unit::seconds, 0,
             not_negative);
  f.optional_quantity({"reported_latency", "what the network plugin tells NCCL's tuner of it", "network_latency"},
                      t.reported_latency_s, Unit::seconds, not_negative);
  f.boolean({"gpudirect", "NICs read and write GPU memory; else data is staged in host memory"}, t.gpudirect, true);
  f.choice<collectives::Cpu>({"cpu", "of the hosts; mixed counts as amd"}, t.cpu, collectives::Cpu::intel,
                             {{"intel", collectives::Cpu::intel}, {"amd", collectives::Cpu::amd}});
  f.quantity({"p2p_bandwidth", "most payload that send/recv and all-to-all move out of a GPU inside a node", "all its channels"},
             t.p2p_bytes_per_s, Unit::bandwidth, 0, positive);
  f.boolean({"pat", "NCCL 2.23 and later: all-gather and reduce-scatter of one rank a node in log steps"}, t.pat, false);
  f.integer({"nvls_channels", "channels that reduce in the NVSwitch; 0 = NVLS is off"}, t.nvls_channels, 0, {0, 64});
  f.quantity({"nvls_channel_bandwidth", "of one of them inside a node", "needed with NVLS"}, t.nvls_channel_bytes_per_s,
             Unit::bandwidth, 0, positive);
  f.quantity({"nvls_inter_channel_bandwidth", "of one of them between nodes", "no NVLS between nodes"},
             t.nvls_inter_channel_bytes_per_s, Unit::bandwidth, 0, positive);
  f.quantity({"nvls_chunk", "NVLSTree's largest chunk, as a network plugin sets it", "NCCL's own rule"}, t.nvls_chunk_bytes,
             Unit::bytes, 0, positive);
  f.quantity({"nvls_bandwidth", "most bytes of an all-reduce through the switch", "what the links give"}, t.nvls_bytes_per_s,
             Unit::bandwidth, 0, positive);
}

}  // namespace

void describe(Fields& f, model::Profile& p) {
  f.text({"name", "what reports call it", "the file's name"}, p.name, "inline");
  f.text({"gpu", "the accelerator it was fitted for"}, p.gpu, required);
  f.choice<model::Attention>({"attention", "what the software stack runs"}, p.attention, std::nullopt,
                             {{"flash", model::Attention::flash}, {"unfused", model::Attention::unfused}});
  f.boolean({"fused_epilogues", "matrix products add biases and sum their gradients; else kernels of their own do"},
            p.fused_epilogues, required);
  f.boolean({"fused_accumulation", "weight-gradient products add to the gradient buffer; else kernels of their own do"},
            p.fused_accumulation, true);
  f.boolean({"overlap_tensor_backward", "tensor-parallel reductions of the backward pass run beside the weight gradient"},
            p.overlap_tensor_backward, true);
  f.quantity({"dispatch", "least time between two kernel starts by the host; 0 under CUDA graphs"}, p.dispatch_s, Unit::seconds,
             required, not_negative);
  f.integer({"collective_sms", "SMs that a running tensor-parallel collective takes from a matrix product"}, p.collective_sms,
            required, {0, 1000});
  f.quantity({"reserved", "memory of the CUDA context, library workspaces and NCCL buffers"}, p.reserved_bytes, Unit::bytes,
             required, not_negative);
  f.map({"gemm", "matrix products"}, true, [&](Fields& inner) { describe_gemm(inner, p.gemm); });
  f.map({"memory", "element-wise and reduction kernels"}, true, [&](Fields& inner) { describe_memory(inner, p.memory); });
  f.map({"flash", "fused attention; not used by unfused stacks"}, true, [&](Fields& inner) { describe_flash(inner, p.flash); });
  f.map({"links", "payload efficiencies and latencies"}, true, [&](Fields& inner) { describe_links(inner, p.links); });
  f.map({"nccl", "constants of the collectives"}, true, [&](Fields& inner) { describe_nccl(inner, p.tuning); });
  describe_provenance(f, p);
}

}  // namespace gridlock::scenario
