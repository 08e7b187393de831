package mpi_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"mpiglot.dev/mpi"
)

// A file of a process of its own, which readers of the standard library understand.
func ExampleFile() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	f, err := mpi.OpenFile(mpi.Self(), filepath.Join(folder, "greeting"), mpi.ReadWrite|mpi.Create, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte("hello, file"), 0); err != nil {
		fmt.Println(err)
		return
	}
	text, err := io.ReadAll(io.NewSectionReader(f, 7, 100))
	fmt.Println(string(text), err)
	// Output: file <nil>
}
