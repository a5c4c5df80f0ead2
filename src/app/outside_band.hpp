// What `validate` ends with where a case is outside its band: exit code 1.
#pragma once

#include "base/error.hpp"

namespace trainyard {

// Neither the user's fault nor ours: the result of the comparison.
class OutsideBand final : public Error {
public:
  using Error::Error;
  int exit_code() const override { return 1; }
};

}  // namespace trainyard
