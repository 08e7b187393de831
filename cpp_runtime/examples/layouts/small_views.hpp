// What views.cpp uses of Kokkos, for machines without it: row-major views on the host.

#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace small {

template <class T>
struct pointers {
  using element = T;
  static constexpr std::size_t count = 0;
};
template <class T>
struct pointers<T*> {
  using element = typename pointers<T>::element;
  static constexpr std::size_t count = pointers<T>::count + 1;
};

// `Data` as in Kokkos: an element with an asterisk for each extent that is given when the view is
// made, then those that are constants, as in int**[3].
template <class Data>
class View {
  using inner = pointers<std::remove_all_extents_t<Data>>;

 public:
  struct array_layout {};
  using value_type = typename inner::element;
  static constexpr std::size_t rank = inner::count + std::rank_v<Data>;

  template <class... Extents>
    requires(sizeof...(Extents) == inner::count)
  explicit View(const std::string& /*label*/, Extents... extents) {
    shape({static_cast<std::size_t>(extents)...});
    owner_ = std::make_shared<std::vector<value_type>>(size());
    data_ = owner_->data();
  }
  template <class... Extents>
    requires(sizeof...(Extents) == inner::count)
  explicit View(value_type* data, Extents... extents) : data_(data) {
    shape({static_cast<std::size_t>(extents)...});
  }

  [[nodiscard]] value_type* data() const { return data_; }
  [[nodiscard]] std::size_t extent(std::size_t i) const { return extents_[i]; }
  [[nodiscard]] std::size_t stride(std::size_t i) const {
    std::size_t stride = 1;
    for (std::size_t inside = i + 1; inside < rank; ++inside) stride *= extents_[inside];
    return stride;
  }
  [[nodiscard]] std::size_t size() const { return extents_[0] * stride(0); }
  template <class... Indices>
    requires(sizeof...(Indices) == rank)
  [[nodiscard]] value_type& operator()(Indices... indices) const {
    std::size_t at = 0;
    std::size_t dimension = 0;
    ((at = at * extents_[dimension++] + static_cast<std::size_t>(indices)), ...);
    return data_[at];
  }

 private:
  void shape(const std::array<std::size_t, inner::count>& given) {
    for (std::size_t i = 0; i < inner::count; ++i) extents_[i] = given[i];
    [this]<std::size_t... I>(std::index_sequence<I...>) {
      ((extents_[inner::count + I] = std::extent_v<Data, I>), ...);
    }(std::make_index_sequence<std::rank_v<Data>>());
  }

  std::array<std::size_t, rank> extents_{};
  std::shared_ptr<std::vector<value_type>> owner_;
  value_type* data_ = nullptr;
};

template <class Body>
void parallel_for(const std::string& /*label*/, std::size_t count, const Body& body) {
  for (std::size_t i = 0; i < count; ++i) body(static_cast<int>(i));
}

}  // namespace small
