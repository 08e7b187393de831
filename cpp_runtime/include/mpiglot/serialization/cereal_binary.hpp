// Binary archives of cereal's formats that check every length. cereal's own archives allocate as
// many elements as a message claims, which can be gigabytes after the change of one byte.

#pragma once

#include <cereal/archives/portable_binary.hpp>
#include <cereal/cereal.hpp>

#include <algorithm>
#include <istream>
#include <ostream>
#include <type_traits>

namespace mpiglot::serialization {

/// The greatest length of a container in a message, in addition to the limit given by the length of
/// the message. A program that knows its values may lower it.
inline std::size_t longest_container = static_cast<std::size_t>(-1);

namespace archives {

[[nodiscard]] inline bool is_little_endian() noexcept {
  return cereal::portable_binary_detail::is_little_endian() != 0;
}

/// Writes the format of cereal's binary archive or of its portable one.
template <bool Portable>
class binary_output
    : public cereal::OutputArchive<binary_output<Portable>, cereal::AllowEmptyClassElision> {
 public:
  explicit binary_output(std::ostream& stream)
      : cereal::OutputArchive<binary_output, cereal::AllowEmptyClassElision>(this), to_(stream) {
    if constexpr (Portable) {
      const char little = is_little_endian() ? 1 : 0;
      write(&little, 1);
    }
  }
  void write(const void* from, std::size_t size) {
    to_.rdbuf()->sputn(static_cast<const char*>(from), static_cast<std::streamsize>(size));
  }

 private:
  std::ostream& to_;
};

/// Reads these formats. No container becomes longer than the number of bytes that are left; for
/// elements that take no bytes, there is a small limit.
template <bool Portable>
class binary_input
    : public cereal::InputArchive<binary_input<Portable>, cereal::AllowEmptyClassElision> {
 public:
  explicit binary_input(std::istream& stream)
      : cereal::InputArchive<binary_input, cereal::AllowEmptyClassElision>(this), from_(stream) {
    if constexpr (Portable) {
      char little = 0;
      read(&little, 1, 1);
      if (little != 0 && little != 1) throw cereal::Exception("a byte that is no byte order");
      swaps_ = (little == 1) != is_little_endian();
    }
  }
  /// Reads `size` bytes; `width` is the size of each number in them.
  void read(void* to, std::size_t size, std::size_t width) {
    auto* const bytes = static_cast<char*>(to);
    const auto wanted = static_cast<std::streamsize>(size);
    if (from_.rdbuf()->sgetn(bytes, wanted) != wanted)
      throw cereal::Exception("fewer bytes arrived than the type takes");
    if (swaps_)
      for (std::size_t i = 0; i < size; i += width) std::reverse(bytes + i, bytes + i + width);
  }
  void require_length(std::size_t n) {
    const auto left =
        static_cast<std::size_t>(std::max<std::streamsize>(from_.rdbuf()->in_avail(), 0));
    if (n > left + without_bytes || n > longest_container)
      throw cereal::Exception("a length that is larger than what arrived");
  }

 private:
  static constexpr std::size_t without_bytes = 1024;

  std::istream& from_;
  bool swaps_ = false;
};

// The functions that cereal requires of archives.

template <bool P, class T>
  requires std::is_arithmetic_v<T>
void CEREAL_SAVE_FUNCTION_NAME(binary_output<P>& archive, const T& value) {
  archive.write(&value, sizeof value);
}
template <bool P, class T>
  requires std::is_arithmetic_v<T>
void CEREAL_LOAD_FUNCTION_NAME(binary_input<P>& archive, T& value) {
  archive.read(&value, sizeof value, sizeof value);
}
template <bool P, class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(binary_output<P>& archive, cereal::NameValuePair<T>& pair) {
  archive(pair.value);
}
template <bool P, class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(binary_input<P>& archive, cereal::NameValuePair<T>& pair) {
  archive(pair.value);
}
template <bool P, class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(binary_output<P>& archive, cereal::SizeTag<T>& tag) {
  archive(tag.size);
}
template <bool P, class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(binary_input<P>& archive, cereal::SizeTag<T>& tag) {
  archive(tag.size);
  archive.require_length(static_cast<std::size_t>(tag.size));
}
template <class T>
inline constexpr std::size_t width_of = sizeof(std::remove_pointer_t<std::remove_cvref_t<T>>);
template <bool P, class T>
void CEREAL_SAVE_FUNCTION_NAME(binary_output<P>& archive, const cereal::BinaryData<T>& data) {
  archive.write(data.data, static_cast<std::size_t>(data.size));
}
template <bool P, class T>
void CEREAL_LOAD_FUNCTION_NAME(binary_input<P>& archive, cereal::BinaryData<T>& data) {
  archive.read(data.data, static_cast<std::size_t>(data.size), width_of<T>);
}

}  // namespace archives
}  // namespace mpiglot::serialization

CEREAL_REGISTER_ARCHIVE(mpiglot::serialization::archives::binary_output<false>)
CEREAL_REGISTER_ARCHIVE(mpiglot::serialization::archives::binary_input<false>)
CEREAL_REGISTER_ARCHIVE(mpiglot::serialization::archives::binary_output<true>)
CEREAL_REGISTER_ARCHIVE(mpiglot::serialization::archives::binary_input<true>)
CEREAL_SETUP_ARCHIVE_TRAITS(mpiglot::serialization::archives::binary_input<false>,
                            mpiglot::serialization::archives::binary_output<false>)
CEREAL_SETUP_ARCHIVE_TRAITS(mpiglot::serialization::archives::binary_input<true>,
                            mpiglot::serialization::archives::binary_output<true>)
