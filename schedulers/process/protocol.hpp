#pragma once

namespace trainyard {

constexpr int kProtocol = 1;  // its version, said by both sides

}  // namespace trainyard
