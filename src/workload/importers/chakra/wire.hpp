// Protocol Buffers' wire format, as much of it as Chakra needs: fields of a message, one by one.
//
// A message is a view of bytes; nothing is copied. What the bytes cannot be (a varint of more than
// ten bytes, a length beyond the end, a group) is an InputError with the file and the offset.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trainyard {

// Bytes of a file, and where they stand in it.
struct WireBytes {
  std::string_view bytes;
  const std::string* file = nullptr;
  std::int64_t offset = 0;
};

class WireReader {
public:
  enum class Type { Varint = 0, Fixed64 = 1, Length = 2, Fixed32 = 5 };

  explicit WireReader(WireBytes message) : message_(message) {}

  bool next();  // the next field; false at the end
  std::uint32_t field() const { return field_; }
  Type type() const { return type_; }
  // Of the field: its number (of a fixed type its bits), or what it holds.
  std::uint64_t number() const { return number_; }
  WireBytes held() const { return held_; }

  // The next bytes as a bare varint (packed lists; lengths between messages).
  std::uint64_t varint();
  bool at_end() const { return position_ == message_.bytes.size(); }
  std::string_view take(std::size_t count);
  std::int64_t offset() const { return message_.offset + static_cast<std::int64_t>(position_); }
  [[noreturn]] void fail(const std::string& problem) const;

private:
  std::uint64_t fixed(std::size_t bytes);

  WireBytes message_;
  std::size_t position_ = 0;
  std::uint32_t field_ = 0;
  Type type_ = Type::Varint;
  std::uint64_t number_ = 0;
  WireBytes held_;
};

}  // namespace trainyard
