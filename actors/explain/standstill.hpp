// Why a step cannot proceed: ranks that wait for each other in a circle, or for a rank that never
// comes.
#pragma once

#include "actors/program_player.hpp"

#include <string>
#include <vector>

namespace trainyard {

// "rank 0 waits in 'a' on tp[0] for rank 1;\n  rank 1 waits in 'b' on dp[0] for rank 0": follows
// who waits for whom until the circle closes. `waiting`: the player's, when nothing moves any more.
std::string describe_standstill(const StepModel& model,
                                const std::vector<ProgramPlayer::Waiting>& waiting);

}  // namespace trainyard
