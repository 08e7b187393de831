// Package mpi is MPI for Go programs: slices instead of addresses, errors instead of codes, and no
// need to know which MPI library will be there.
//
//	func main() {
//		mpi.Main(func(world *mpi.Comm) error {
//			sum := make([]int, 1)
//			if err := mpi.Allreduce(world, []int{world.Rank()}, sum, mpi.Sum); err != nil {
//				return err
//			}
//			if world.Rank() == 0 {
//				fmt.Println("the ranks add up to", sum[0])
//			}
//			return nil
//		})
//	}
//
// Build it with go build, anywhere; start it with the mpiexec of any MPI. The library is found when the
// program starts: the one that MPIGLOT_MPI names, else the one that belongs to the launcher.
//
// What takes or gives elements is a function, since methods of Go have no type parameters: it has the name of
// MPI's function and begins with the object, as in Send(world, data, dest, tag). Everything else is a method of
// its object, as [Comm.Split]. What begins with I gives a [Request] at once; what ends with Init gives a
// [Persistent] operation, which is started later.
//
// Elements may be of any type that holds no pointers: numbers, bools, arrays and structs of them.
// Whatever a nonblocking operation uses stays where it is until its [Request] is complete, even if the
// program forgets it. The complete interface of MPI is in the package [mpiglot.dev/mpi/low]; handles go
// back and forth with [Comm.Handle] and [Wrap].
package mpi
