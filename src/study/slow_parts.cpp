#include "study/slow_parts.hpp"

#include "base/text.hpp"

#include <set>
#include <string>

namespace trainyard {

namespace {

// There are too many parts to list them all: the nearest, or else one as an example.
InputError no_such_part(Section& entry, const std::string& kind, const std::string& name,
                        const std::vector<std::string>& names) {
  const std::string near = near_match(name, names);
  std::string hint;
  if (!near.empty())
    hint = "; did you mean '" + near + "'?";
  else if (!names.empty())
    hint = "; there is, for example, '" + names.front() + "'";
  return entry.error(
      kind, "no " + (kind == "gpu" ? "GPU" : kind) + " '" + name + "' on this platform" + hint);
}

GpuId read_gpu(Section& entry, const Platform& platform) {
  const std::string name = entry.text("gpu");
  const GpuId gpu = find_gpu(platform, name);
  if (gpu.valid()) return gpu;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < platform.gpus.size(); ++i)
    names.push_back(gpu_name(platform, GpuId(static_cast<std::int64_t>(i))));
  throw no_such_part(entry, "gpu", name, names);
}

LinkId read_link(Section& entry, const Platform& platform) {
  const std::string name = entry.text("link");
  const LinkId link = find_link(platform, name);
  if (link.valid()) return link;
  std::vector<std::string> names;
  for (const Link& known : platform.links) names.push_back(known.name);
  throw no_such_part(entry, "link", name, names);
}

SlowSpell read_spell(Section& entry, GpuId gpu, double factor) {
  SlowSpell spell;
  spell.gpu = gpu;
  spell.factor = factor;
  spell.from = entry.seconds("from");
  spell.to = entry.seconds("to");
  if (spell.to <= spell.from) throw entry.error("to", "must be later than 'from'");
  if (!entry.has("period")) return spell;
  spell.period = entry.seconds("period");
  if (spell.period < spell.to - spell.from)
    throw entry.error("period", "must be at least as long as the spell, 'to' - 'from'");
  return spell;
}

void refuse_second(std::set<std::string>& seen, Section& entry, const std::string& kind) {
  const std::string name = entry.text(kind);
  if (!seen.insert(name).second) throw entry.error(kind, "'" + name + "' has its factor already");
}

}  // namespace

SlowParts read_slow_parts(Section section, const Platform& platform) {
  SlowParts slow;
  slow.gpu_slowdown.assign(platform.gpus.size(), 1.0);
  slow.link_factor.assign(platform.links.size(), 1.0);
  std::set<std::string> seen;
  if (section.has("gpus"))
    for (Section& entry : section.sections("gpus")) {
      const GpuId gpu = read_gpu(entry, platform);
      refuse_second(seen, entry, "gpu");
      const double factor = entry.number("factor", 1, 1e6);
      if (entry.has("from") || entry.has("to") || entry.has("period"))
        slow.spells.push_back(read_spell(entry, gpu, factor));
      else
        slow.gpu_slowdown[gpu.index()] = factor;
      entry.finish();
    }
  seen.clear();
  if (section.has("links"))
    for (Section& entry : section.sections("links")) {
      const LinkId link = read_link(entry, platform);
      refuse_second(seen, entry, "link");
      slow.link_factor[link.index()] = entry.number("factor", 1e-6, 1);
      entry.finish();
    }
  section.finish();
  return slow;
}

}  // namespace trainyard
