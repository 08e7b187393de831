package mpi_test

import (
	"testing"

	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/internal/bare"
	"mpiglot.dev/mpi/low"
)

// What a call costs beyond the least that any call into C costs: compare the first two.

func BenchmarkBareCgo(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		bare.Call(3)
	}
}

func BenchmarkCommRank(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_, _ = low.CommRank(low.CommWorld)
	}
}

func BenchmarkWtime(b *testing.B) {
	for b.Loop() {
		low.Wtime()
	}
}

func BenchmarkSendrecvToSelf(b *testing.B) {
	b.ReportAllocs()
	out, in := make([]byte, 8), make([]byte, 8)
	for b.Loop() {
		_, _ = mpi.Sendrecv(mpi.Self(), out, 0, 1, in, 0, 1)
	}
}

func BenchmarkIrecvIsendWaitToSelf(b *testing.B) {
	b.ReportAllocs()
	out, in := make([]byte, 8), make([]byte, 8)
	for b.Loop() {
		r, _ := low.Irecv(low.Slice(in), 8, low.Uint8T, 0, 1, low.CommSelf)
		s, _ := low.Isend(low.Slice(out), 8, low.Uint8T, 0, 1, low.CommSelf)
		_ = low.Wait(&r, nil)
		_ = low.Wait(&s, nil)
	}
}

func BenchmarkOperationOfTheProgram(b *testing.B) {
	op, err := mpi.NewOp(func(x, y int) int { return x + y }, true)
	must(b, err)
	in, inout := []int{1}, []int{1}
	b.ReportAllocs()
	for b.Loop() {
		_ = low.ReduceLocal(low.Slice(in), low.Slice(inout), 1, low.Int64T, op.Handle())
	}
}
