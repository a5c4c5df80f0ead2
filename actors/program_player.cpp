#include "actors/program_player.hpp"

#include "actors/delay_progress.hpp"

#include <algorithm>
#include <utility>

namespace trainyard {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// A delay's tag is its class and operation; a collective's is -1 - channel.
std::int64_t delay_tag(int rank_class, int operation) {
  return (static_cast<std::int64_t>(rank_class) << 32) | operation;
}

}  // namespace

ProgramPlayer::ProgramPlayer(const StepModel& model, Fluid& fluid, Network& network, Domain domain,
                             StepListener& listener)
    : model_(model), fluid_(fluid), network_(network), domain_(domain), listener_(listener) {
  for (const Channel& channel : model.channels) {
    channels_.emplace_back();
    channels_.back().prepared = prepared(channel);
  }
  for (const Channel& channel : model.folded) folded_.push_back(prepared(channel));
  for (const RankClass& rank_class : model.classes) {
    classes_.emplace_back();
    delays_.emplace_back(rank_class.operations.size());
  }
}

ProgramPlayer::~ProgramPlayer() {
  stop();
  for (const Network::Prepared prepared : prepared_) network_.drop(prepared);
}

// Channels that are the same collective on the same GPUs share it.
Network::Prepared ProgramPlayer::prepared(const Channel& channel) {
  const auto [known, is_new] = by_spec_.try_emplace(channel.spec.get());
  if (is_new) {
    known->second = network_.prepare(channel.spec, channel.groups);
    prepared_.push_back(known->second);
  }
  return known->second;
}

void ProgramPlayer::start_step(int rank_class) {
  const std::vector<PlayOperation>& operations = model_.classes[at(rank_class)].operations;
  ClassState& state = classes_[at(rank_class)];
  if (durations_) durations_->step_begins(rank_class);
  state.left = static_cast<int>(operations.size());
  state.waits_for.resize(operations.size());
  for (std::size_t o = 0; o < operations.size(); ++o) state.waits_for[o] = operations[o].waits_for;
  for (std::size_t o = 0; o < operations.size(); ++o)
    if (operations[o].waits_for == 0) begin(rank_class, static_cast<int>(o));
}

void ProgramPlayer::begin(int rank_class, int operation) {
  const PlayOperation& play = model_.classes[at(rank_class)].operations[at(operation)];
  if (observer_) observer_->operation_began(rank_class, operation);
  if (play.channel >= 0) return join(play.channel, rank_class, operation);
  begin_delay(rank_class, operation);
}

void ProgramPlayer::begin_delay(int rank_class, int operation) {
  const PlayOperation& play = model_.classes[at(rank_class)].operations[at(operation)];
  Delay& delay = delays_[at(rank_class)][at(operation)];
  double seconds = play.seconds;
  if (durations_) seconds = durations_->seconds(rank_class, operation, seconds);
  if (model_.overlap) {
    delay.scale = play.seconds > 0 ? seconds / play.seconds : 1;
    delay.done = 0;
    delay.since = fluid_.now();
    if (!parts_of(rank_class, operation).empty()) {
      seconds = left_of(rank_class, operation);
      classes_[at(rank_class)].running.push_back(operation);
    }
    if (play.resident >= 0) set_resident(rank_class, -1 - play.resident);
  }
  delay.handle =
      fluid_.start_delay(domain_, Seconds(seconds), this, delay_tag(rank_class, operation));
}

// The last ticket starts the collective.
void ProgramPlayer::join(int channel, int rank_class, int operation) {
  ChannelState& state = channels_[at(channel)];
  state.joined.push_back({rank_class, operation});
  state.tickets += model_.classes[at(rank_class)].operations[at(operation)].tickets;
  if (state.tickets < model_.channels[at(channel)].tickets) return;
  state.tickets = 0;
  if (observer_) observer_->collective_started(channel, rank_class);
  if (model_.overlap)
    for (const Waiting& who : state.joined) set_resident(who.rank_class, channel);
  network_.start(state.prepared, domain_, this, -1 - static_cast<std::int64_t>(channel));
}

void ProgramPlayer::completed(std::int64_t tag) {
  if (tag >= 0) return end(static_cast<int>(tag >> 32), static_cast<int>(tag & 0x7fffffff));
  std::vector<Waiting> joined;
  const int channel = static_cast<int>(-1 - tag);
  std::swap(joined, channels_[at(channel)].joined);
  if (model_.overlap)
    for (const Waiting& who : joined) clear_resident(who.rank_class, channel);
  for (const Waiting& who : joined) end(who.rank_class, who.operation);
}

void ProgramPlayer::end(int rank_class, int operation) {
  ClassState& state = classes_[at(rank_class)];
  --state.left;
  if (model_.overlap) end_running(rank_class, operation);
  if (observer_) observer_->operation_ended(rank_class, operation);
  for (const int next : model_.classes[at(rank_class)].operations[at(operation)].enables)
    if (--state.waits_for[at(next)] == 0) begin(rank_class, next);
  if (state.left > 0) return;
  for (const int folded : model_.classes[at(rank_class)].folded)
    network_.credit(folded_[at(folded)], 1);
  listener_.class_ended_step(rank_class);
}

// ---- What collectives cost the computing beside them ----

void ProgramPlayer::end_running(int rank_class, int operation) {
  std::vector<int>& running = classes_[at(rank_class)].running;
  running.erase(std::remove(running.begin(), running.end(), operation), running.end());
  const int folded = model_.classes[at(rank_class)].operations[at(operation)].resident;
  if (folded >= 0) clear_resident(rank_class, -1 - folded);
}

const std::vector<DelayPart>& ProgramPlayer::parts_of(int rank_class, int operation) const {
  static const std::vector<DelayPart> none;
  const int label = model_.classes[at(rank_class)].operations[at(operation)].label;
  return label < 0 ? none : model_.labels[at(label)].parts;
}

double ProgramPlayer::left_of(int rank_class, int operation) const {
  const Delay& delay = delays_[at(rank_class)][at(operation)];
  return time_left(parts_of(rank_class, operation), delay.scale, delay.done,
                   {*model_.overlap, classes_[at(rank_class)].resident});
}

void ProgramPlayer::set_resident(int rank_class, int collective) {
  std::vector<int> resident = classes_[at(rank_class)].resident;
  resident.push_back(collective);
  change_residents(rank_class, std::move(resident));
}

void ProgramPlayer::clear_resident(int rank_class, int collective) {
  std::vector<int> resident = classes_[at(rank_class)].resident;
  resident.erase(std::find(resident.begin(), resident.end(), collective));
  change_residents(rank_class, std::move(resident));
}

// What is under way goes on from where it is, faster or slower than before.
void ProgramPlayer::change_residents(int rank_class, std::vector<int> resident) {
  ClassState& state = classes_[at(rank_class)];
  std::swap(state.resident, resident);
  const Beside before{*model_.overlap, resident};
  for (const int operation : state.running) {
    Delay& delay = delays_[at(rank_class)][at(operation)];
    const std::vector<DelayPart>& parts = parts_of(rank_class, operation);
    const double passed = in_seconds(fluid_.now() - delay.since);
    delay.done = done_after(parts, delay.scale, delay.done, passed, before);
    delay.since = fluid_.now();
    const double left = left_of(rank_class, operation);
    if (left == time_left(parts, delay.scale, delay.done, before)) continue;
    fluid_.withdraw(delay.handle);
    delay.handle =
        fluid_.start_delay(domain_, Seconds(left), this, delay_tag(rank_class, operation));
  }
}

void ProgramPlayer::stood_still(Seconds elapsed) {
  for (std::size_t c = 0; c < classes_.size(); ++c)
    for (const int operation : classes_[c].running)
      delays_[c][at(operation)].since.offset += in_seconds(elapsed);
}

std::vector<ProgramPlayer::Waiting> ProgramPlayer::waiting() const {
  std::vector<Waiting> result;
  for (const ChannelState& channel : channels_)
    if (channel.tickets > 0)
      result.insert(result.end(), channel.joined.begin(), channel.joined.end());
  return result;
}

void ProgramPlayer::stop() {
  if (std::exchange(stopped_, true)) return;
  network_.withdraw_all(domain_);
  for (const auto& handles : delays_)
    for (const Delay& delay : handles)
      if (delay.handle >= 0) fluid_.withdraw(delay.handle);
  for (ChannelState& channel : channels_) channel = {channel.prepared, 0, {}};
}

void ProgramPlayer::credit_steps(double steps) {
  for (const ChannelState& channel : channels_) network_.credit(channel.prepared, steps);
  for (const Network::Prepared folded : folded_) network_.credit(folded, steps);
}

}  // namespace trainyard
