#include "workload/importers/chakra/wire.hpp"

#include "base/error.hpp"

namespace trainyard {

namespace {

constexpr int kLongestVarint = 10;

}  // namespace

void WireReader::fail(const std::string& problem) const {
  throw InputError({*message_.file}, "byte " + std::to_string(offset()), problem);
}

bool WireReader::next() {
  if (at_end()) return false;
  const std::uint64_t tag = varint();
  field_ = static_cast<std::uint32_t>(tag >> 3);
  if (tag >> 32 != 0 || field_ == 0) fail("no field of a message starts like this");
  type_ = static_cast<Type>(tag & 7);
  switch (type_) {
    case Type::Varint:
      number_ = varint();
      return true;
    case Type::Fixed64:
      number_ = fixed(8);
      return true;
    case Type::Fixed32:
      number_ = fixed(4);
      return true;
    case Type::Length: {
      const std::uint64_t length = varint();
      const std::int64_t start = offset();
      held_ = {take(length), message_.file, start};
      return true;
    }
  }
  fail("a field of wire type " + std::to_string(tag & 7) + ", which is none");
}

std::uint64_t WireReader::varint() {
  std::uint64_t value = 0;
  for (int i = 0; i < kLongestVarint; ++i) {
    if (at_end()) fail("the file ends in the middle of a number: it is truncated");
    const auto byte = static_cast<unsigned char>(message_.bytes[position_++]);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << (7 * i);
    if (byte < 0x80) return value;
  }
  fail("a number of more than ten bytes: not a Chakra trace, or damaged");
}

std::string_view WireReader::take(std::size_t count) {
  if (count > message_.bytes.size() - position_)
    fail(std::to_string(count) + " bytes are announced, " +
         std::to_string(message_.bytes.size() - position_) +
         " are left: the file is truncated or damaged");
  const std::string_view bytes = message_.bytes.substr(position_, count);
  position_ += count;
  return bytes;
}

std::uint64_t WireReader::fixed(std::size_t bytes) {
  const std::string_view text = take(bytes);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
  return value;
}

}  // namespace trainyard
