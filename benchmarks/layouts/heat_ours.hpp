// Heat conduction with named layouts.

#pragma once

#include <mpiglot/communicator.hpp>
#include <mpiglot/layouts.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <utility>

#include "heat.hpp"

namespace heat {

// Shared out in the dimension Split, 'z' or 'x', of a row-major cube.
template <char Split>
class ours {
 public:
  ours(const mpiglot::communicator& comm, mpiglot::count_t n)
      : comm_(comm),
        inside_{Split == 'x' ? n / comm.size() : n, n, Split == 'z' ? n / comm.size() : n} {
    const auto first = comm.rank() * length_of<Split>();
    for (auto* field : {&now_, &next_})
      traverser(*field) | [&, to = field->get_ref()](auto s) {
        auto [z, y, x] = mpiglot::layouts::get_indices<'z', 'y', 'x'>(s);
        (Split == 'z' ? z : x) += first;
        to[s] = at_first(z, y, x);
      };
  }

  // The outermost layers go into the halos of the neighbours, of which there may be none.
  void exchange() {
    using namespace mpiglot;
    const int before = comm_.rank_shifted(-1);
    const int after = comm_.rank_shifted(1);
    const auto last = length_of<Split>();
    comm_.sendrecv(send_buf(layer(last)), destination(after), recv_buf(layer(0)), source(before));
    comm_.sendrecv(send_buf(layer(1)), destination(before), recv_buf(layer(last + 1)),
                   source(after));
  }
  void conduct() {
    using namespace mpiglot::layouts;
    elements() | [from = now_.get_ref(), to = next_.get_ref()](auto s) {
      const auto [z, y, x] = get_indices<'z', 'y', 'x'>(s);
      const auto at = [&](auto k, auto j, auto i) { return from[idx<'z', 'y', 'x'>(k, j, i)]; };
      to[s] = at(z, y, x) +
              part * (at(z - 1, y, x) + at(z + 1, y, x) + at(z, y - 1, x) + at(z, y + 1, x) +
                      at(z, y, x - 1) + at(z, y, x + 1) - 6 * at(z, y, x));
    };
    std::swap(now_, next_);
  }
  double sum() {
    double mine = 0;
    elements() | [&](auto s) { mine += now_[s]; };
    return comm_.allreduce_single(mpiglot::send_buf(mine), mpiglot::op(std::plus<>()));
  }

 private:
  static auto structure(const std::array<mpiglot::count_t, 3>& inside) {
    using namespace mpiglot::layouts;
    return scalar<double>() ^ vectors<'x', 'y', 'z'>(inside[0] + 2, inside[1] + 2, inside[2] + 2);
  }
  template <char Name>
  mpiglot::count_t length_of() const {
    return inside_[static_cast<std::size_t>(Name - 'x')];
  }
  auto elements() {
    using namespace mpiglot::layouts;
    const auto [x, y, z] = inside_;
    return traverser(now_) ^ slice<'x'>(1, x) ^ slice<'y'>(1, y) ^ slice<'z'>(1, z);
  }
  auto layer(mpiglot::count_t at) { return now_ ^ mpiglot::layouts::fix<Split>(at); }

  const mpiglot::communicator& comm_;
  std::array<mpiglot::count_t, 3> inside_;  // lengths in x, y and z
  decltype(mpiglot::layouts::bag(structure({}))) now_ = mpiglot::layouts::bag(structure(inside_));
  decltype(now_) next_ = mpiglot::layouts::bag(structure(inside_));
};

}  // namespace heat
