//go:build !cgo

package low

// MPI is called through cgo. What the compiler says of this line is the whole of its message.
var _ = mpiglot_needs_cgo_set_CGO_ENABLED_1_and_CC_to_a_C_compiler_for_the_target
