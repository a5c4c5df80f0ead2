// groups.csv and fragmentation.csv: how kinds of jobs fared, and how large a job could have started
// at any time.
#include "report/groups.hpp"
#include "report/vacancy.hpp"
#include "report/writers/csv.hpp"
#include "report/writers/writers.hpp"

#include <ostream>

namespace trainyard {

void write_groups_csv(const Report& report, std::ostream& out) {
  const Books books(report.platform, report.log);
  bool header = true;
  for (const JobGroup& group : job_groups(report.log)) {
    const std::vector<GroupColumn> row = group_row(group, books);
    if (header) {
      CsvLine line(out);
      line.text("by").text("group");
      for (const GroupColumn& column : row) line.text(column.name);
      line.end();
      header = false;
    }
    CsvLine line(out);
    line.text(group.kind).text(group.name);
    for (const GroupColumn& column : row) line.number(column.value);
    line.end();
  }
}

void write_fragmentation_csv(const Report& report, std::ostream& out) {
  out << "time_s,free_gpus,startable_whole_nodes_gpus,startable_one_leaf_gpus\n";
  for (const Vacancy& now : vacancies(report.platform, report.log)) {
    CsvLine line(out);
    line.number(in_seconds(now.at)).integer(now.free).integer(now.whole_nodes);
    line.integer(now.one_leaf).end();
  }
}

}  // namespace trainyard
