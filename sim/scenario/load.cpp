#include "sim/scenario/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/scenario/checks.hpp"
#include "sim/scenario/declarations.hpp"
#include "sim/scenario/matmul.hpp"
#include "sim/scenario/reader.hpp"
#include "sim/scenario/references.hpp"
#include "sim/scenario/sweep_block.hpp"
#include "sim/scenario/writer.hpp"

namespace gridlock::scenario {
namespace {

struct Document {
  Node root;
  Catalogue catalogue;
  SourcePtr source;
};

Node parse(const SourcePtr& source) { return parse_yaml(source, std::filesystem::path(source->path).extension() == ".json"); }

Document load_document(Node root, const SourcePtr& source, const std::vector<std::string>& overrides) {
  Document doc;
  doc.source = source;
  doc.catalogue.add_file(doc.source);
  doc.root = std::move(root);
  resolve_base(doc.root, doc.catalogue);
  for (const std::string& text : overrides) apply_override(doc.root, text, doc.catalogue);
  return doc;
}

Scenario start(const Document& doc) {
  const std::string& path = doc.source->path;
  Scenario s;
  s.name = std::filesystem::path(path).stem().string();
  s.path = path;
  s.places = std::make_shared<const SourceMap>(doc.root);
  for (const SourcePtr& file : doc.catalogue.files()) s.files.push_back({file->path, fnv1a64(file->text)});
  return s;
}

void finish(Scenario& s, const Diagnostics& found, const Describe& describe_all) {
  found.throw_if_errors();
  for (const Diagnostic& d : found.all()) s.warnings.push_back(one_line(d));
  s.resolved_json = write_map(describe_all).dump(2);
}

Mark whole_file(const Document& doc) { return {doc.source, 0, 0, 1}; }

}  // namespace

Scenario load_scenario(const std::string& path, const std::vector<std::string>& overrides) {
  return load_scenario(read_source(path), overrides);
}

Scenario load_cluster(const std::string& path, const std::vector<std::string>& overrides) {
  return load_cluster(read_source(path), overrides);
}

Scenario load_scenario(const SourcePtr& source, const std::vector<std::string>& overrides) {
  Document doc = load_document(parse(source), source, overrides);
  Diagnostics found;
  resolve_references(doc.root, "", doc.catalogue, found);
  Scenario s = start(doc);
  const Describe all = [&](Fields& f) { describe(f, s); };
  read_map(doc.root, whole_file(doc), "", found, all);
  found.throw_if_errors();
  check_cluster(s, found);
  check_collectives(s, found);
  found.throw_if_errors();
  check_model(s, found);
  check_split(s, found);
  check_expectations(s, found);
  warn_about_unused(s, found);
  if (s.optimizer.bucket_parameters == 0) s.optimizer.bucket_parameters = std::max(40e6, 1e6 * s.parallelism.data);
  finish(s, found, all);
  return s;
}

SweepBlock load_sweep_block(const std::string& path, const std::vector<std::string>& overrides) {
  const SourcePtr source = read_source(path);
  const Document doc = load_document(parse(source), source, overrides);
  SweepBlock block;
  Diagnostics found;
  if (const Entry* entry = doc.root.find("sweep"))
    read_map(entry->value, entry->key_mark, "sweep", found, [&](Fields& f) { describe(f, block); });
  found.throw_if_errors();
  return block;
}

Scenario load_cluster(const SourcePtr& source, const std::vector<std::string>& overrides) {
  return load_cluster(parse(source), source, overrides);
}

Scenario load_cluster(Node root, const SourcePtr& source, const std::vector<std::string>& overrides) {
  Document doc = load_document(std::move(root), source, overrides);
  std::erase_if(doc.root.entries, [](const Entry& e) {
    return e.key != "cluster" && e.key != "profile" && e.key != "collectives" && e.key != "faults" && e.key != "seed";
  });
  Diagnostics found;
  resolve_references(doc.root, "", doc.catalogue, found);
  Scenario s = start(doc);
  const Describe all = [&](Fields& f) { describe_machine(f, s); };
  read_map(doc.root, whole_file(doc), "", found, all);
  found.throw_if_errors();
  check_cluster(s, found);
  check_collectives(s, found);
  finish(s, found, all);
  return s;
}

std::string scenario_kind(const std::string& path, const std::vector<std::string>& overrides) {
  const SourcePtr source = read_source(path);
  const Document doc = load_document(parse(source), source, overrides);
  const Entry* kind = doc.root.find("scenario");
  return kind && kind->value.is_scalar() ? kind->value.text : "";
}

Matmul load_matmul(const std::string& path, const std::vector<std::string>& overrides) {
  const SourcePtr source = read_source(path);
  Document doc = load_document(parse(source), source, overrides);
  Diagnostics found;
  resolve_references(doc.root, "", doc.catalogue, found);
  Matmul matmul{start(doc), "", {}};
  const Describe all = [&](Fields& f) { describe(f, matmul); };
  read_map(doc.root, whole_file(doc), "", found, all);
  found.throw_if_errors();
  check_cluster(matmul.machine, found);
  if (matmul.products.empty())
    found.error("missing-key", whole_file(doc), "there is nothing to multiply", "products: [{m: 4096, n: 4096, k: 4096}]");
  const topology::GpuSpec& gpu = matmul.machine.cluster.node.gpu;
  if (!gpu.peak_flops.contains(matmul.precision))
    found.error("bad-value", matmul.machine.places->at("precision"),
                fmt::format("'{}' has no {} peak", gpu.name, matmul.precision), "write a precision that its `peak:` lists");
  finish(matmul.machine, found, all);
  return matmul;
}

Diagnostic locate(const Scenario& scenario, const std::string& key, const std::string& message, const std::string& help) {
  return diagnose(Severity::error, "cannot-build", scenario.places ? scenario.places->at(key) : Mark{}, message, help);
}

}  // namespace gridlock::scenario
