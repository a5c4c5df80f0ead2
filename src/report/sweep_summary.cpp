#include "base/output_file.hpp"
#include "report/answer.hpp"
#include "report/writers/csv.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

namespace trainyard {

void write_sweep_summary(const std::vector<AnswerRow>& rows, const std::string& directory) {
  nlohmann::ordered_json points = nlohmann::ordered_json::array();
  std::ostringstream csv;
  CsvLine header(csv);
  header.text("point");
  if (!rows.empty())
    for (const auto& [name, value] : rows.front().values) header.text(name);
  header.end();
  for (const AnswerRow& row : rows) {
    nlohmann::ordered_json metrics;
    CsvLine line(csv);
    line.text(row.label);
    for (const auto& [name, value] : row.values) {
      metrics[name] = value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
      value ? line.number(*value) : line.nothing();
    }
    line.end();
    points.push_back({{"point", row.label}, {"metrics", metrics}});
  }
  const auto write = [&](const std::string& name, const std::string& content) {
    const std::string file = directory + "/" + name;
    write_file(file, file, [&](std::ostream& out) { out << content; });
  };
  write("points.csv", csv.str());
  write("summary.json", nlohmann::ordered_json{{"points", points}}.dump(2) + "\n");
}

}  // namespace trainyard
