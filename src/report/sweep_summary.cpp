#include "base/error.hpp"
#include "base/text.hpp"
#include "report/answer.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

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
  std::string csv;
  for (const AnswerRow& row : rows) {
    nlohmann::ordered_json metrics;
    std::string header = "point", line = row.label;
    for (const auto& [name, value] : row.values) {
      metrics[name] = value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
      header += "," + name;
      line += "," + (value ? shortest(*value) : "");
    }
    if (csv.empty()) csv = header + "\n";
    csv += line + "\n";
    points.push_back({{"point", row.label}, {"metrics", metrics}});
  }
  write_file(directory + "/points.csv", csv);
  write_file(directory + "/summary.json",
             nlohmann::ordered_json{{"points", points}}.dump(2) + "\n");
}

}  // namespace trainyard
