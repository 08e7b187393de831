// The ways of Boost.MPI: a pointer and a length where elements are contiguous; else the content of
// an object whose rows are serialized, described once, as datatypes are.

#include <boost/mpi.hpp>
#include <boost/serialization/array_wrapper.hpp>
#include <boost/version.hpp>

#include <memory>

#include "box.hpp"

namespace {

namespace mpi = boost::mpi;

struct rows {
  const box* of;
  double* first;
  template <class Archive>
  void serialize(Archive& archive, unsigned) {
    const auto length = static_cast<std::size_t>(of->part[2]);
    for (long z = 0; z < of->part[0]; ++z)
      for (long y = 0; y < of->part[1]; ++y)
        archive& boost::serialization::make_array(first + (z * of->all[1] + y) * of->all[2],
                                                  length);
  }
};

// The content of the rows at some address. A content is bound to its object, so there is one for
// each place from which the benchmark sends.
class contents {
 public:
  explicit contents(const box& of) : of_(of) {}
  const mpi::content& at(const double* first) {
    for (const auto& [place, content] : known_)
      if (place == first) return content;
    rows all{&of_, const_cast<double*>(first)};
    return known_.emplace_back(first, mpi::get_content(all)).second;
  }

 private:
  box of_;
  std::vector<std::pair<const double*, mpi::content>> known_;
};

transfer boost_way(const box& of) {
  const mpi::communicator world;
  const int count = static_cast<int>(of.size());
  if (of.part == of.all)
    return {"Boost.MPI", [=](const double* from, int to) { world.send(to, 0, from, count); },
            [=](double* to, int from) { world.recv(from, 0, to, count); },
            [=](double* all) { mpi::broadcast(world, all, count, 0); }};
  const auto known = std::make_shared<contents>(of);
  return {"Boost.MPI", [=](const double* from, int to) { world.send(to, 0, known->at(from)); },
          [=](double* to, int from) { world.recv(from, 0, known->at(to)); },
          [=](double* all) { mpi::broadcast(world, known->at(all), 0); }};
}

[[maybe_unused]] const bool added = (more_ways().push_back(boost_way), true);

}  // namespace
