#include "base/error.hpp"
#include "report/answer.hpp"
#include "report/writers/csv.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace trainyard {

namespace {

void write_file(const std::string& file, const std::string& content) {
  std::ofstream out(file, std::ios::binary);
  out << content;
  out.close();
  if (!out) throw InputError({file}, "", "cannot be written");
}

}  // namespace

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
  write_file(directory + "/points.csv", csv.str());
  write_file(directory + "/summary.json",
             nlohmann::ordered_json{{"points", points}}.dump(2) + "\n");
}

}  // namespace trainyard
