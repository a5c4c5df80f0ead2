#include "study/validation/cases.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/section.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>

namespace trainyard {

namespace {

namespace fs = std::filesystem;

struct Cells {
  Place place;
  std::vector<std::string> cells;

  const std::string& text(std::size_t i) const { return cells[i]; }
  double number(std::size_t i) const {
    const auto value = parse_double(cells[i]);
    if (!value || *value < 0) throw InputError(place, "", "'" + cells[i] + "' is no number");
    return *value;
  }
  std::int64_t integer(std::size_t i) const {
    const auto value = parse_integer(cells[i]);
    if (!value || *value < 0) throw InputError(place, "", "'" + cells[i] + "' is no whole number");
    return *value;
  }
};

// Lines of exactly the header's columns; the last may hold commas. '#' starts a comment line.
void each_line(const std::string& file, const std::string& header,
               const std::function<void(const Cells&)>& take) {
  const std::size_t columns = split(header, ',').size();
  int number = 0;
  bool header_seen = false;
  for (const std::string& line : split(read_file(file), '\n')) {
    ++number;
    const std::string text(trim(line));
    if (text.empty() || text[0] == '#') continue;
    if (!header_seen) {
      if (text != header) throw InputError({file, number}, "", "the first line must be " + header);
      header_seen = true;
      continue;
    }
    Cells row{{file, number}, {}};
    for (const std::string& cell : split(text, ',')) row.cells.emplace_back(trim(cell));
    while (row.cells.size() > columns) {
      const std::string last = row.cells.back();
      row.cells.pop_back();
      row.cells.back().append(", ").append(last);
    }
    if (row.cells.size() < columns)
      throw InputError({file, number}, "",
                       "expected " + std::to_string(columns) + " columns, found " +
                           std::to_string(row.cells.size()));
    take(row);
  }
}

ValidationCase case_of(const Cells& row) {
  ValidationCase made;
  made.name = row.text(0);
  made.platform = row.text(1);
  made.source = row.text(2);
  made.line = row.text(3);
  made.operation = find_nccl_operation(row.text(4));
  if (!made.operation)
    throw InputError(row.place, "operation", "unknown operation '" + row.text(4) + "'");
  made.ranks = static_cast<int>(row.integer(5));
  made.nodes = static_cast<int>(row.integer(6));
  const std::string& fit = row.text(7);
  const std::vector<std::string> known = {"all", "every_other", "none", "assumed"};
  if (std::find(known.begin(), known.end(), fit) == known.end())
    throw InputError(row.place, "fit", "unknown value '" + fit + "'" + suggestion(fit, known));
  made.fitted = fit == "all" || fit == "every_other";
  made.assumed = fit == "assumed";
  made.sizes = fit == "every_other" ? FitSizes::EveryOther : FitSizes::All;
  return made;
}

Band band_of(const Cells& row) {
  const auto limit = [&row](std::size_t column) {
    return row.text(column) == "-" ? std::numeric_limits<double>::infinity() : row.number(column);
  };
  Band band;
  band.region = row.text(0);
  band.several_nodes = row.text(1) == "several";
  band.assumed = row.text(2) == "assumed";
  band.gpu = row.text(3);
  band.from = bytes(row.integer(4));
  band.to = bytes(row.integer(5));
  band.mean = limit(6);
  band.max = limit(7);
  const std::string& envelope = row.text(8);
  const std::vector<std::string> known = {"no", "or", "only"};
  const auto found = std::find(known.begin(), known.end(), envelope);
  if (found == known.end())
    throw InputError(row.place, "envelope",
                     "unknown value '" + envelope + "'" + suggestion(envelope, known));
  band.envelope = static_cast<EnvelopeRule>(found - known.begin());
  return band;
}

}  // namespace

std::vector<KnownMiss> read_known_misses(const std::string& file) {
  std::vector<KnownMiss> misses;
  each_line(file, "case,region,label,mean,max,reason", [&](const Cells& row) {
    misses.push_back(
        {row.text(0), row.text(1), row.text(2), row.number(3), row.number(4), row.text(5)});
  });
  return misses;
}

ValidationFiles read_validation_files(const std::string& cases_file) {
  ValidationFiles files;
  const fs::path folder = fs::path(cases_file).parent_path();
  files.folder = folder.string();
  each_line(cases_file, "case,platform,source,line,operation,ranks,nodes,fit",
            [&](const Cells& row) { files.cases.push_back(case_of(row)); });
  each_line((folder / "bands.csv").string(), "region,nodes,which,gpu,from_B,to_B,mean,max,envelope",
            [&](const Cells& row) { files.bands.push_back(band_of(row)); });
  const fs::path misses = folder / "known_misses.csv";
  if (fs::exists(misses)) files.misses = read_known_misses(misses.string());
  return files;
}

}  // namespace trainyard
