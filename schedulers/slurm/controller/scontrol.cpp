#include "schedulers/slurm/controller/scontrol.hpp"

#include "base/hostlist.hpp"
#include "base/text.hpp"
#include "schedulers/slurm/controller/commands.hpp"
#include "schedulers/slurm/site/duration.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace trainyard::slurm {

namespace {

// "key=value" words, keys in lower case.
std::map<std::string, std::string> words_of(const std::string& action) {
  std::map<std::string, std::string> words;
  for (const std::string& word : split(action, ' ')) {
    const std::size_t equals = word.find('=');
    std::string key = word.substr(0, equals);
    for (char& c : key) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    words[key] = equals == std::string::npos ? "" : word.substr(equals + 1);
  }
  return words;
}

bool begins(const std::string& text, const std::string& with) { return text.rfind(with, 0) == 0; }

// "{A}" -> "A"
std::string id_of(std::string text) {
  if (text.size() > 2 && text.front() == '{' && text.back() == '}')
    text = text.substr(1, text.size() - 2);
  return text;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// "now", "now+5minutes", "now+1hour", "now+30": from the time it was typed.
double time_of(const std::string& text, double now) {
  if (!begins(text, "now")) return now;
  const std::string rest = text.size() > 4 ? text.substr(4) : "0";
  const std::size_t digits = rest.find_first_not_of("0123456789");
  const double count = static_cast<double>(parse_integer(rest.substr(0, digits)).value_or(0));
  const std::string unit = digits == std::string::npos ? "" : rest.substr(digits);
  const double seconds = begins(unit, "min")    ? 60
                         : begins(unit, "hour") ? 3600
                         : begins(unit, "day")  ? 86400
                                                : 1;
  return now + count * seconds;
}

class Scontrol {
public:
  Scontrol(Slurmctld& controller, const std::string& action, double now)
      : controller_(controller), state_(controller.state()), action_(action), now_(now) {}

  CommandResult run() {
    result_.known = node_command() || reservation_command() || job_command();
    return std::move(result_);
  }

private:
  bool node_command() {
    if (!begins(action_, "scontrol update")) return false;
    const auto words = words_of(action_);
    const auto names = words.find("nodename");
    const auto wanted = words.find("state");
    if (names == words.end() || wanted == words.end()) return false;
    for (const std::string& name : expand_hostlist(names->second).names)
      if (const int node = state_.site.node_index(name); node >= 0)
        set_state(node, lower(wanted->second));
    controller_.queue_pass();
    return true;
  }

  void set_state(int node, const std::string& to) {
    if (begins(to, "down")) {
      const bool busy = std::any_of(state_.running.begin(), state_.running.end(), [&](int job) {
        return state_.job(job).allocation.nodes.has(node);
      });
      if (busy) result_.answering.push_back(node);
      node_fails(controller_, node, result_.decisions);
    } else if (begins(to, "drain") || begins(to, "fail")) {
      state_.set_drained(node, true);
    } else if (begins(to, "undrain")) {
      state_.set_drained(node, false);
    } else {
      state_.set_up(node);
    }
  }

  bool job_command() {
    const std::vector<std::string> words = split(action_, ' ');
    if (words.size() < 2) return false;
    const std::string id = id_of(words.back());
    if (words[0] == "scancel") return cancel_job(controller_, id, result_.decisions);
    if (words[0] != "scontrol") return false;
    if (words[1] == "release") return release_job(controller_, id);
    if (words[1] == "hold" || words[1] == "uhold") return hold_job(controller_, id);
    const bool hold = words[1] == "requeuehold";
    if (words[1] != "requeue" && !hold) return false;
    return requeue_by_hand(controller_, id, hold, result_.decisions);
  }

  bool reservation_command() {
    const bool remove = begins(action_, "scontrol delete");
    if (!remove && !begins(action_, "scontrol create")) return false;
    remove ? delete_reservation() : create_reservation();
    controller_.queue_pass();
    state_.changed();
    return true;
  }

  void delete_reservation() {
    const auto words = words_of(action_);
    const auto named = words.find("reservationname");
    const std::string name = named != words.end() ? named->second : split(action_, ' ').back();
    auto& all = state_.reservations;
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](const AdvanceReservation& each) { return each.name == name; }),
              all.end());
  }

  void create_reservation() {
    auto words = words_of(action_);
    AdvanceReservation reservation;
    reservation.name = words["reservationname"];
    reservation.start = static_cast<Time>(time_of(words["starttime"], now_)) + controller_.epoch();
    const auto seconds = parse_duration(words["duration"]);
    reservation.end = reservation.start + seconds.value_or(365 * 24 * 3600);
    const std::string flags = lower(words["flags"]);
    reservation.maintenance = flags.find("maint") != std::string::npos;
    reservation.flex = flags.find("flex") != std::string::npos;
    reservation.any_nodes = flags.find("any_nodes") != std::string::npos;
    reservation.nodes = NodeSet(state_.site.node_count());
    if (lower(words["nodes"]) == "all") reservation.nodes = NodeSet::all(state_.site.node_count());
    for (const std::string& name : expand_hostlist(words["nodes"]).names)
      if (const int node = state_.site.node_index(name); node >= 0) reservation.nodes.add(node);
    state_.reservations.push_back(std::move(reservation));
  }

  Slurmctld& controller_;
  SlurmState& state_;
  const std::string& action_;
  double now_;
  CommandResult result_;
};

}  // namespace

CommandResult run_scontrol(Slurmctld& controller, const std::string& action, double now) {
  return Scontrol(controller, action, now).run();
}

}  // namespace trainyard::slurm
