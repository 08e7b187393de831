// Command which tells which MPI library a Go program would use here, without starting MPI.
//
//	which [LIBRARY OR FOLDER OF AN INSTALLATION]
package main

import (
	"fmt"
	"os"
	"strings"

	"mpiglot.dev/mpi/low"
)

func main() {
	options := low.Options{}
	if len(os.Args) > 1 {
		options.Path = os.Args[1]
	}
	if err := low.Load(options); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	path, version := low.Loaded()
	line, _, _ := strings.Cut(version, "\n")
	fmt.Printf("%s\n%s\nconstants of %s\n", path, strings.Join(strings.Fields(line), " "), low.Constants())
}
