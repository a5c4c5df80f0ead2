// links.csv, iterations.csv and ledger.csv: the rows of the log as they are, units in the names.
#include "report/metrics.hpp"
#include "report/writers/csv.hpp"
#include "report/writers/labels.hpp"
#include "report/writers/writers.hpp"

#include <algorithm>
#include <ostream>

namespace trainyard {

namespace {

void write_iteration(const IterationRecord& step, const std::string& job, std::ostream& out) {
  CsvLine line(out);
  line.text(job).integer(step.attempt).integer(step.first_step).integer(step.steps);
  line.number(in_seconds(step.start)).number(in_seconds(step.duration));
  line.number(in_seconds(step.isolated)).number(in_seconds(analytic_step(step)));
  line.number(in_seconds(step.fabric));
  line.number(in_seconds(step.slow_gpu)).text(step.slow_gpu_name);
  line.number(in_seconds(step.slow_link)).text(step.slow_link_name);
  line.number(in_seconds(step.failed_link)).text(step.failed_link_name);
  line.number(in_seconds(step.variation));
  line.number(in_seconds(step.contention)).text(step.rivals).text(step.rival_link);
  line.integer(step.jumped ? 1 : 0).end();
}

}  // namespace

// utilisation: bytes carried over what the link could have carried during the whole run.
void write_links_csv(const Report& report, std::ostream& out) {
  out << "link,class,level,bandwidth_Bps,bytes_B,utilisation,saturated_s\n";
  for (const LinkRecord& record : report.log.links) {
    const Link& link = report.platform.links[record.link.index()];
    const double bandwidth = in_bytes_per_second(link.bandwidth);
    CsvLine line(out);
    line.text(link.name).text(to_string(link.link_class)).integer(link.level).number(bandwidth);
    line.number(record.bytes).number(record.bytes / (bandwidth * in_seconds(report.log.end)));
    line.number(in_seconds(record.saturated)).end();
  }
}

// Links that carried something in a bin; the last bin ends with the run.
void write_link_utilisation_csv(const Report& report, std::ostream& out) {
  out << "link,class,start_s,duration_s,bytes_B,utilisation\n";
  const Seconds bin = report.log.link_history.bin();
  for (const auto& [key, bytes] : report.log.link_history.bytes()) {
    const Link& link = report.platform.links[key.second.index()];
    const Seconds start = static_cast<double>(key.first) * bin;
    const Seconds duration = std::min(bin, report.log.end - start);
    const double most = in_bytes_per_second(link.bandwidth) * in_seconds(duration);
    CsvLine line(out);
    line.text(link.name).text(to_string(link.link_class)).number(in_seconds(start));
    line.number(in_seconds(duration)).number(bytes);
    if (duration > Seconds(0))
      line.number(bytes / most).end();
    else
      line.nothing().end();
  }
}

void write_iterations_csv(const Report& report, std::ostream& out) {
  out << "job,attempt,first_step,steps,start_s,duration_s,isolated_s,analytic_s,fabric_s,slow_gpu_"
         "s,slow_gpu,"
         "slow_link_s,slow_link,failed_link_s,failed_link,variation_s,contention_s,rivals,rival_"
         "link,jumped\n";
  const std::vector<std::string> labels = job_labels(report.log);
  for (const IterationRecord& step : report.log.iterations)
    write_iteration(step, labels[step.job.index()], out);
}

void write_ledger_csv(const Report& report, std::ostream& out) {
  out << "class,gpu_s,share\n";
  const double all = report.platform.gpu_count() * in_seconds(report.log.end);
  for (const LedgerClass& one : ledger(report.platform, report.log))
    CsvLine(out).text(one.name).number(one.gpu_seconds).number(one.gpu_seconds / all).end();
}

}  // namespace trainyard
