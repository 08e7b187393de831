// Archives that read Boost's binary and text formats from a message. Boost's own ones resize strings
// and containers to whatever length they read; here no length is larger than what arrived.

#pragma once

#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/impl/archive_serializer_map.ipp>
#include <boost/archive/impl/basic_binary_iarchive.ipp>
#include <boost/archive/impl/basic_binary_iprimitive.ipp>
#include <boost/archive/impl/basic_text_iarchive.ipp>
#include <boost/archive/impl/text_iarchive_impl.ipp>
#include <boost/archive/text_iarchive.hpp>
#include <boost/serialization/collection_size_type.hpp>
#include <boost/serialization/nvp.hpp>

namespace mpiglot::serialization::archives {

template <class Archive>
using boost_binary_base =
    ::boost::archive::binary_iarchive_impl<Archive, char, std::char_traits<char>>;
template <class Archive>
using boost_text_base = ::boost::archive::text_iarchive_impl<Archive>;

/// An input archive of Boost without the header that `no_header` leaves out.
template <template <class> class Base>
class boost_input : public Base<boost_input<Base>> {
  using base = Base<boost_input>;
  using length = ::boost::serialization::collection_size_type;
  // Elements may take no bytes.
  static constexpr std::size_t without_bytes = 1024;

 public:
  boost_input(std::istream& stream, unsigned flags)
      : base(stream, flags | ::boost::archive::no_header), from_(*stream.rdbuf()) {}

  // Boost calls these two.
  template <class T>
  void load_override(T& value) {
    if constexpr (std::is_same_v<T, length>) {
      base::load_override(value);
      require(std::as_const(value), left() + without_bytes);
    } else if constexpr (std::is_same_v<std::remove_const_t<T>,
                                        ::boost::serialization::nvp<length>>) {
      read_length(value.name(), value.value());
    } else {
      base::load_override(value);
    }
  }
  template <class T>
  void load(T& value) {
    base::load(value);
  }
  template <class Char>
  void load(std::basic_string<Char>& text) {
    std::size_t size = 0;
    *this >> size;
    if constexpr (is_text) this->is.get();  // the space
    require(size, left() / sizeof(Char));
    text.resize(size);
    if constexpr (is_text)
      this->is.read(reinterpret_cast<char*>(text.data()),
                    static_cast<std::streamsize>(size * sizeof(Char)));
    else
      this->load_binary(text.data(), size * sizeof(Char));
  }

 private:
  static constexpr bool is_text = std::is_base_of_v<boost_text_base<boost_input>, boost_input>;

  void read_length(const char* name, length& value) {
    if (std::strcmp(name, "bucket_count") != 0) return load_override(value);
    // Of an unordered container, which may have more buckets than elements: a wish.
    base::load_override(value);
    const std::size_t most = left() + without_bytes;
    if (std::as_const(value) > most) value = length(most);
  }
  [[nodiscard]] std::size_t left() const {
    const std::streamsize bytes = from_.in_avail();
    return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
  }
  static void require(std::size_t wanted, std::size_t most) {
    if (wanted > most)
      ::boost::serialization::throw_exception(
          std::length_error("a length that is larger than what arrived"));
  }

  std::streambuf& from_;
};

using boost_binary_input = boost_input<boost_binary_base>;
using boost_text_input = boost_input<boost_text_base>;

}  // namespace mpiglot::serialization::archives

BOOST_SERIALIZATION_REGISTER_ARCHIVE(mpiglot::serialization::archives::boost_binary_input)
BOOST_SERIALIZATION_REGISTER_ARCHIVE(mpiglot::serialization::archives::boost_text_input)
BOOST_SERIALIZATION_USE_ARRAY_OPTIMIZATION(mpiglot::serialization::archives::boost_binary_input)
