// A number as another type, where the two are one type on some machines: a cast is a warning there
// (-Wuseless-cast).

#pragma once

namespace mpiglot::detail {

/// As `static_cast<To>`; nothing where the value has that type.
template <class To, class From>
[[nodiscard, gnu::always_inline]] constexpr To cast_to(From value) noexcept {
  if constexpr (__is_same(To, From))
    return value;
  else
    return static_cast<To>(value);
}

}  // namespace mpiglot::detail
