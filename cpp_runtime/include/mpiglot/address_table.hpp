// Tables of addresses of your own, for structures whose objects have several owners.
//
//   class positions final : public mpiglot::address_table { ... };
//   positions table(pool);
//   comm.send(send_buf(deep(graph, table)), destination(1));

#pragma once

#include <cstdint>

namespace mpiglot {

/// Numbers of objects with several owners, while one value is encoded. The encoder asks for each pointer
/// to such an object, and writes an object where its number is 0, else the number. Its own table hashes
/// addresses. A program that knows more of its objects finds their numbers faster: by their positions in
/// an array, or by a number that each of them has. The bytes are the same.
class address_table {
 public:
  /// Forgets all numbers: a value is going to be encoded.
  virtual void clear() = 0;
  /// The number of the object at an address: a place that is 0 at first, into which the encoder writes,
  /// and which stays where it is until the next call. An object and its first member have one address but
  /// another `type`, an address that stands for the type.
  [[nodiscard]] virtual std::uint32_t& number(const void* object, const void* type) = 0;

 protected:
  address_table() noexcept = default;
  address_table(const address_table&) = default;
  address_table& operator=(const address_table&) = default;
  ~address_table() = default;
};

}  // namespace mpiglot
