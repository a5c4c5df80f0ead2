// The search for one job's place in backfill's table: the nodes it could have from some time on,
// when it would run on them, and if not soon enough, from when on there are others.
#pragma once

#include "schedulers/slurm/passes/backfill/floors.hpp"
#include "schedulers/slurm/passes/backfill/node_space.hpp"
#include "schedulers/slurm/passes/backfill/will_run_fast.hpp"

#include <map>
#include <optional>

namespace trainyard::slurm {

// What is asked, and how far the search has come.
struct PlaceSearch {
  JobRecord& record;
  Time duration = 0;
  Horizon horizon = Horizon::Ever;

  Time start = 0;        // when to look next
  bool tested = false;   // enough nodes were found to test them
  bool skipped = false;  // some times were not looked at, for nothing could come of it
  bool certain = true;   // each failure so far holds for all that want as much or more
};

struct Place {
  NodeSet candidates;
  std::optional<WillRun> found;
  Time later = 0;  // when other nodes become free; 0: never
};

class Places {
public:
  Places(SlurmState& state, const NodeSpace& space, Time window_end)
      : state_(state), space_(space), window_end_(window_end), forecast_(state) {}

  // Looks at search.start, or at the first later time that could do. Nothing: advance reservations
  // leave the job no time.
  std::optional<Place> look(PlaceSearch& search);

  // Whether a search from now that looked everywhere would come to a test.
  bool comes_to_test(const PlaceSearch& search) const;

  void started(const JobRecord& record) { forecast_.started(record); }

private:
  // How much is known of a job's kind: nothing to speak of, or a forecast and floors.
  struct Known {
    Readiness* ready = nullptr;
    PlaceFloor* floor = nullptr;
    int nodes = 0;
  };
  Known known_of(const PlaceSearch& search);

  bool free_nodes(const PlaceSearch& search, Time& start, Place& place) const;
  void skip(PlaceSearch& search, const Known& known) const;
  bool too_few(const Place& place, const Known& known);
  bool enough(const JobRecord& record, const NodeSet& nodes) const;
  std::optional<WillRun> when_and_where(const PlaceSearch& search, const Place& place);

  SlurmState& state_;
  const NodeSpace& space_;
  Time window_end_;
  Forecast forecast_;
  std::map<Forecast::Shape, PlaceFloor> floors_;
};

}  // namespace trainyard::slurm
