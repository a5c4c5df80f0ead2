#include "study/validation/envelopes.hpp"

#include <algorithm>

namespace trainyard {

namespace {

void widen(Envelope& envelope, Seconds time) {
  envelope.fastest = std::min(envelope.fastest, time);
  envelope.slowest = std::max(envelope.slowest, time);
  ++envelope.laboratories;
}

std::optional<Envelope> range(const Envelope& envelope) {
  if (envelope.laboratories < 2) return std::nullopt;
  return envelope;
}

}  // namespace

void Envelopes::add(const EnvelopeKey& key, const std::string& laboratory, Seconds time,
                    bool fitted) {
  measured_[key][laboratory] = {time, fitted};
}

std::optional<Envelope> Envelopes::all(const EnvelopeKey& key) const {
  Envelope envelope;
  if (const auto found = measured_.find(key); found != measured_.end())
    for (const auto& [name, measured] : found->second) widen(envelope, measured.time);
  return range(envelope);
}

std::optional<Envelope> Envelopes::unseen_others(const EnvelopeKey& key,
                                                 const std::string& laboratory) const {
  Envelope envelope;
  if (const auto found = measured_.find(key); found != measured_.end())
    for (const auto& [name, measured] : found->second)
      if (name != laboratory && !measured.fitted) widen(envelope, measured.time);
  return range(envelope);
}

}  // namespace trainyard
