// FCFS, EASY, conservative backfill and shortest-first as the textbooks have them: processors are a
// number, time is whole seconds.
//
// An oracle: written from Lifka's, and Mu'alem and Feitelson's, descriptions, sharing no line and
// no idea of representation with the code under test.
#pragma once

#include <vector>

namespace trainyard::textbook {

struct Request {
  long submit;
  long run_time;  // at most the estimate
  long estimate;
  int processors;
};

// When each job starts. Requests are in order of submission; the queue is in that order.
std::vector<long> fcfs(int processors, const std::vector<Request>& requests);
std::vector<long> easy(int processors, const std::vector<Request>& requests);
// The schedule is rebuilt in queue order at every second.
std::vector<long> conservative(int processors, const std::vector<Request>& requests);
std::vector<long> shortest_first(int processors, const std::vector<Request>& requests);

}  // namespace trainyard::textbook
