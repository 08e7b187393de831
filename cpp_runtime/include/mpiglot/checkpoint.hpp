// Checkpoints: the values of all ranks in one file, written in parallel.
//
//   save_checkpoint(comm, "state", mine);       // each rank a value of its own
//   load_checkpoint(comm, "state", mine);       // as many ranks
//
//   const checkpoint saved(comm, "state");      // another number of ranks: the program distributes
//   for (std::size_t i = rank; i < saved.parts(); i += ranks) saved.read(i, value);

#pragma once

#include <climits>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <mpiglot/codec.hpp>
#include <mpiglot/detail/base/failure.hpp>
#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/detail/codec/checkpoint_format.hpp>
#include <mpiglot/detail/codec/fingerprint.hpp>
#include <mpiglot/detail/codec/measured.hpp>
#include <mpiglot/file.hpp>
#include <mpiglot/file_transport.hpp>

namespace mpiglot {
namespace detail {

/// What the ranks of a communicator do together to a file. Each step is attempted by all of them; if
/// one fails, all throw behind it.
class together_on_file {
 public:
  together_on_file(const char* operation, mpi::comm_handle comm)
      : operation_(operation),
        comm_(comm),
        rank_(mpi::comm_rank(comm)),
        ranks_(mpi::comm_size(comm)) {}

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int ranks() const noexcept { return ranks_; }
  /// Keeps what `action` throws.
  template <class Action>
  void attempt(Action action) {
    failure_.attempt(action);
  }
  /// Whether no rank has failed. Collective.
  [[nodiscard]] bool agree() {
    const int mine = failure_.any() ? rank_ : INT_MAX;
    mpi::allreduce(&mine, &first_failed_, 1, datatype_of<int>(), mpi::op_handle{MPI_MIN}, comm_);
    return first_failed_ == INT_MAX;
  }
  /// Throws if a rank has failed. Collective.
  void require() {
    if (!agree()) refuse();
  }
  /// Throws what failed here, or that another rank did.
  [[noreturn]] void refuse() {
    located([&] {
      failure_.rethrow();
      tell_remote_failure(first_failed_);
    });
    __builtin_unreachable();
  }

 private:
  // Adds the place to what `action` throws.
  template <class Action>
  void located(Action action) const {
#if defined(__cpp_exceptions)
    try {
      action();
    } catch (error& caught) {
      caught.locate(operation_, comm_, rank_);
      throw;
    }
#else
    action();
#endif
  }

  [[maybe_unused]] const char* operation_;
  mpi::comm_handle comm_;
  int rank_;
  int ranks_;
  int first_failed_ = INT_MAX;
  kept_failure failure_;
};

/// What was written reaches the disk before its name does.
inline void replace_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0)
    refuse_argument(MPI_ERR_FILE, "the new checkpoint cannot replace the file of that name");
  const std::size_t slash = to.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : to.substr(0, slash + 1);
  const int opened = ::open(folder.c_str(), O_RDONLY);
  if (opened >= 0) {
    static_cast<void>(::fsync(opened));
    static_cast<void>(::close(opened));
  }
}

}  // namespace detail

/// Writes the value of each rank to the file `path`, with a header, the fingerprint of the type and
/// checksums (CRC-32C). Until all is written, the file is called `path` with `.new` behind it; then it
/// replaces what was there, so that there is always a whole checkpoint. Equal structures give equal
/// bytes, as docs/guide/deep-copy.md says; no address is among them. Collective over `comm`; all ranks have one type. If a rank fails
/// (`encode_error`, `mpi::error` of MPI's file functions), it throws, the others throw
/// `remote_failure`, and the old file stays. `piece_bytes`, one for all ranks, is the memory that this takes
/// on each, as in `write_value`.
template <class Value>
  requires builtin_codec::can<Value>
void save_checkpoint(mpi::comm_handle comm, const std::string& path, const Value& value,
                     std::size_t piece_bytes = detail::usual_chunk) {
  detail::together_on_file all("save_checkpoint", comm);
  detail::measured part;
  std::uint64_t length = 0;
  detail::block<std::uint64_t> lengths;
  std::uint64_t type = 0;
  std::string making;
  all.attempt([&] {
    making = path + ".new";
    part = detail::measured(value, detail::chunk_of(piece_bytes));
    length = part.size();
    lengths.resize(static_cast<std::size_t>(all.ranks()));
    type = detail::fingerprint::of<Value>();
  });
  all.require();
  const mpi::datatype_handle number = datatype_of<std::uint64_t>();
  mpi::allgather(&length, 1, number, lengths.data(), 1, number, comm);
  detail::checkpoint_table table;
  all.attempt([&] {
    table = detail::checkpoint_table(type, lengths.data(), lengths.size(), piece_bytes);
    if (all.rank() == 0) static_cast<void>(std::remove(making.c_str()));
  });
  all.require();
  mpi::unique_file out;
  all.attempt([&] {
    out = mpi::unique_file(
        mpi::file_open(comm, making, mpi::access_mode::create | mpi::access_mode::wronly, {}));
  });
  all.require();
  all.attempt([&] {
    file_transport to(out, 0);
    if (all.rank() == 0) table.write(to);
    const auto offset = table.part(static_cast<std::size_t>(all.rank())).offset;
    to.offset = static_cast<mpi::offset_t>(offset);
    detail::checked_output<file_transport> checked(to, piece_bytes);
    part.write(value, checked);
    checked.end();
  });
  all.attempt([&] { mpi::file_sync(out); });
  all.attempt([&] { out.reset(); });
  bool written = all.agree();
  if (written) {
    all.attempt([&] {
      if (all.rank() == 0) detail::replace_file(making, path);
    });
    written = all.agree();
  }
  if (!written) {
    if (all.rank() == 0) static_cast<void>(std::remove(making.c_str()));
    all.refuse();
  }
}

/// A checkpoint that is read: one part for each rank that wrote it.
class checkpoint {
 public:
  /// Opens the file `path`. Collective over `comm`, which may have another number of ranks than the
  /// one that wrote it. Throws on all ranks `checkpoint_error` if it is no checkpoint, or has changed,
  /// or `mpi::error` if it cannot be opened.
  checkpoint(mpi::comm_handle comm, const std::string& path)
      : checkpoint(comm, path, "checkpoint") {}
  checkpoint(checkpoint&&) noexcept = default;
  checkpoint& operator=(checkpoint&&) noexcept = default;
  /// Closes the file, which is collective; not while an exception unwinds the stack, because the other
  /// ranks may wait for this one.
  ~checkpoint() {
    if (detail::unwinding()) static_cast<void>(file_.release());
  }

  /// Closes the file. Collective. Nothing can be read then.
  void close() { file_.reset(); }

  /// The number of parts: of the ranks that wrote it.
  [[nodiscard]] std::size_t parts() const noexcept { return table_.parts(); }
  /// The bytes of the encoding of a part.
  [[nodiscard]] std::uint64_t size(std::size_t part) const { return table_.part(part).size; }
  /// Reads one part, the value that rank `part` wrote; `value` is replaced. Not collective. Throws
  /// `checkpoint_error` if there is no such part, if it is of another type or has changed.
  template <class Value>
    requires builtin_codec::can<Value>
  void read(std::size_t part, Value& value) const {
    const detail::checkpoint_part found = table_.part(part);
    table_.require_type(detail::fingerprint::of<Value>());
    file_transport from(file_, static_cast<mpi::offset_t>(found.offset));
    detail::checked_input<file_transport> checked(from, found.size, table_.header().chunk);
    builtin_codec::decode(checked, value);
  }
  /// Returns a part.
  template <class Value>
    requires builtin_codec::can<Value>
  [[nodiscard]] Value read(std::size_t part) const {
    Value value{};
    read(part, value);
    return value;
  }

 private:
  template <class Value>
    requires builtin_codec::can<Value>
  friend void load_checkpoint(mpi::comm_handle comm, const std::string& path, Value& value);

  // What the root read.
  struct beginning {
    detail::checkpoint_header header;
    std::uint64_t read;
    std::uint64_t available;
  };

  checkpoint(mpi::comm_handle comm, const std::string& path, const char* operation) {
    detail::together_on_file all(operation, comm);
    all.attempt([&] {
      file_ = mpi::unique_file(mpi::file_open(comm, path, mpi::access_mode::rdonly, {}));
    });
    all.require();
    const mpi::datatype_handle byte{MPI_BYTE};
    beginning first{};
    all.attempt([&] {
      if (all.rank() != 0) return;
      first.available = static_cast<std::uint64_t>(mpi::file_get_size(file_));
      first.read = first.available < sizeof first.header ? first.available : sizeof first.header;
      mpi::file_read_at(file_, 0, &first.header, static_cast<mpi::count_t>(first.read), byte, {});
    });
    close_unless_right(all);
    mpi::bcast(&first, sizeof first, byte, 0, comm);
    void* table = nullptr;
    all.attempt([&] {
      table_.read_header(first.header, detail::cast_to<std::size_t>(first.read), first.available);
      table = table_.make_table();
      if (all.rank() == 0)
        mpi::file_read_at(file_, sizeof first.header, table,
                          static_cast<mpi::count_t>(table_.table_bytes()), byte, {});
    });
    close_unless_right(all);
    mpi::bcast(table, static_cast<mpi::count_t>(table_.table_bytes()), byte, 0, comm);
    all.attempt([&] { table_.check_table(); });
    close_unless_right(all);
  }
  // Closes the file before all ranks throw: nobody does so while the stack is unwound.
  void close_unless_right(detail::together_on_file& all) {
    if (all.agree()) return;
    close();
    all.refuse();
  }

  mpi::unique_file file_;
  detail::checkpoint_table table_;
};

/// Reads the value that this rank wrote; `value` is replaced. Collective over `comm`, which has as
/// many ranks as the one that wrote it. Throws `checkpoint_error` if the file is no such checkpoint,
/// on all ranks; if only one rank fails, the others throw `remote_failure`.
template <class Value>
  requires builtin_codec::can<Value>
void load_checkpoint(mpi::comm_handle comm, const std::string& path, Value& value) {
  checkpoint saved(comm, path, "load_checkpoint");
  detail::together_on_file all("load_checkpoint", comm);
  all.attempt([&] {
    if (saved.parts() != static_cast<std::size_t>(all.ranks()))
      detail::refuse_checkpoint(
          "another number of ranks wrote the checkpoint; read its parts by mpiglot::checkpoint");
    saved.read(static_cast<std::size_t>(all.rank()), value);
  });
  saved.close_unless_right(all);
}

}  // namespace mpiglot
