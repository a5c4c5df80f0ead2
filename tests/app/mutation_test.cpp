// Reading never crashes: experiments, platforms and traces with random damage are read, or refused
// with an error that is the user's.
#include "app/refusal.hpp"
#include "base/rng.hpp"
#include "study/experiment.hpp"

#include <cstdlib>

namespace trainyard {

namespace {

using testing::fixture;

// TRAINYARD_MUTATIONS=100000 is a night's fuzzing.
int mutations() {
  const char* count = std::getenv("TRAINYARD_MUTATIONS");
  return count ? std::atoi(count) : 2000;
}

const std::vector<std::string> kWords = {"",
                                         "~",
                                         "0",
                                         "-1",
                                         "1e308",
                                         "1e308 d",
                                         "nan",
                                         "inf s",
                                         "9e18",
                                         "[]",
                                         "{}",
                                         "[[]]",
                                         "{a: b}",
                                         "\"",
                                         "'",
                                         "*x",
                                         "&x 1",
                                         "!!int 1",
                                         "<<",
                                         "\t",
                                         "2147483648 B",
                                         "4 GPUs",
                                         "\xff",
                                         "\xe2\x82\xac",
                                         "../..",
                                         "p.xml",
                                         "scheduler",
                                         "node0/gpu1",
                                         "\"\"",
                                         "</zone>",
                                         "<host id='x' speed='1f'/>"};

class Mutator {
public:
  explicit Mutator(RandomStream stream) : stream_(stream) {}

  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : stream_.below(limit); }

  std::string damage(std::string text) {
    for (std::size_t times = 1 + below(3); times > 0; --times) once(text);
    return text;
  }

private:
  void once(std::string& text) {
    const std::size_t at = below(text.size());
    switch (below(6)) {
      case 0:
        text.erase(at, 1 + below(4));
        break;
      case 1:
        text.insert(at, 1, static_cast<char>(below(256)));
        break;
      case 2:
        replace_word(text, at);
        break;
      case 3:
        repeat_line(text, at);
        break;
      case 4:
        if (below(10) == 0) text.resize(at);
        break;
      default:
        text.insert(at, kWords[below(kWords.size())]);
    }
  }

  void replace_word(std::string& text, std::size_t at) {
    constexpr const char* kEnds = " \n,:{}[]\"<>=";
    const std::size_t begin = text.find_first_not_of(kEnds, at);
    if (begin == std::string::npos) return;
    const std::size_t end = std::min(text.find_first_of(kEnds, begin), text.size());
    text.replace(begin, end - begin, kWords[below(kWords.size())]);
  }

  void repeat_line(std::string& text, std::size_t at) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) return;
    const std::size_t before = text.rfind('\n', at == 0 ? 0 : at - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    text.insert(end + 1, text.substr(begin, end + 1 - begin));
  }

  RandomStream stream_;
};

// A plain platform is SimGrid's to read, in a process that may end.
Platform refuse_plain(const std::string& file) { throw InputError({file}, "", "is plain"); }

class Mutations : public ::testing::Test {
protected:
  // Whether it could be read. Anything but an Error escapes.
  bool reads(const std::map<std::string, std::string>& files) {
    for (const auto& [name, content] : files) place_.write(name, content);
    const std::string file = (place_.path() / "e.yaml").string();
    try {
      Document document = Document::load(file);
      read_experiment(document, file, refuse_plain);
    } catch (const Error& error) {
      EXPECT_TRUE(error.exit_code() == 2 || error.exit_code() == 3);
      EXPECT_GT(std::string(error.what()).size(), 5U);
      return false;
    }
    return true;
  }

  testing::Workplace place_;
  const std::map<std::string, std::string> whole_ = {
      {"e.yaml", fixture("everything.yaml")},
      {"p.xml", place_.read("tiny.xml")},
      {"t.swf", testing::swf_line(1, 100, 2, 1) + testing::swf_line(2, 300, 4, 0) +
                    testing::swf_line(3, 0, 4, 5)}};
};

TEST_F(Mutations, StartFromFilesThatAreFine) { EXPECT_TRUE(reads(whole_)); }

TEST_F(Mutations, AreReadOrRefused) {
  Mutator mutator(RandomSource(20).stream("mutations"));
  const std::vector<std::string> names = {"e.yaml", "e.yaml", "e.yaml", "p.xml", "t.swf"};
  int read = 0;
  for (int i = 0; i < mutations(); ++i) {
    std::map<std::string, std::string> files = whole_;
    std::string& victim = files[names[mutator.below(names.size())]];
    victim = mutator.damage(victim);
    SCOPED_TRACE(victim);
    ASSERT_NO_THROW(read += reads(files) ? 1 : 0) << "mutation " << i;
  }
  EXPECT_GT(read, mutations() / 20);  // some damage is harmless,
  EXPECT_LT(read, mutations() / 2);   // most is not
}

}  // namespace

}  // namespace trainyard
