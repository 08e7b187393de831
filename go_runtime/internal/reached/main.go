// Command reached writes the table of MPI's functions and of what in the package mpi reaches them.
//
//	go run ./internal/reached PAGE          writes the page
//	go run ./internal/reached -check PAGE   fails if the page is not what would be written
//
// It reads the sources in the current folder. A function that nothing reaches must have a reason in reasons.json.
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

//go:embed reasons.json
var reasonsFile []byte

// chapters are the files of the package low whose functions count, in the order of the table.
var chapters = []string{"pt2pt", "partitioned", "collectives", "groups", "topologies", "attributes", "info", "datatypes",
	"rma", "io", "environment", "dynamic", "sessions", "external"}

func main() {
	check := flag.Bool("check", false, "only compare")
	flag.Parse()
	if err := run(flag.Arg(0), *check); err != nil {
		fmt.Fprintln(os.Stderr, "reached:", err)
		os.Exit(1)
	}
}

func run(page string, check bool) error {
	upper, err := symbols(".")
	if err != nil {
		return err
	}
	reasons := map[string]string{}
	if err := json.Unmarshal(reasonsFile, &reasons); err != nil {
		return fmt.Errorf("reasons.json: %w", err)
	}
	text, err := table(upper, reasons)
	if err != nil {
		return err
	}
	if !check {
		return os.WriteFile(page, text, 0o644)
	}
	committed, err := os.ReadFile(page)
	if err == nil && !bytes.Equal(committed, text) {
		err = fmt.Errorf("%s is not up to date: go run ./internal/reached %s", page, page)
	}
	return err
}

// table is the page. It is an error if a function has neither a symbol nor a reason, or if a reason is of no use.
func table(upper map[string][]string, reasons map[string]string) ([]byte, error) {
	var rows strings.Builder
	used := map[string]bool{}
	reached, all := 0, 0
	for _, chapter := range chapters {
		functions, err := generated(path.Join("low", chapter+".go"))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&rows, "\n## %s\n\n| function of MPI | in `mpi` |\n| --- | --- |\n", chapter)
		for _, f := range functions {
			all++
			if symbols := upper[f.name]; len(symbols) > 0 {
				reached++
				symbols = namesakesFirst(symbols, f.name)
				fmt.Fprintf(&rows, "| `%s` | `%s` |\n", f.of, strings.Join(symbols[:min(len(symbols), 3)], "`, `"))
				continue
			}
			pattern, reason := why(f.name, reasons)
			if reason == "" {
				return nil, fmt.Errorf("%s is reached by nothing in the package mpi, and reasons.json has no reason", f.name)
			}
			used[pattern] = true
			fmt.Fprintf(&rows, "| `%s` | only `low.%s`: %s |\n", f.of, f.name, reason)
		}
	}
	for _, pattern := range slices.Sorted(maps.Keys(reasons)) {
		if !used[pattern] {
			return nil, fmt.Errorf("reasons.json: %q is the reason of no function", pattern)
		}
	}
	head := fmt.Sprintf(`# MPI's functions in the Go package

<!-- Made by go_runtime/internal/reached from the sources. DO NOT EDIT. -->

The package `+"`mpi`"+` reaches %d of %d functions (%d %%). The rest is in `+"`mpi/low`"+`, which has all. Functions of Fortran, of
tools, of the standard ABI's own chapter, and deprecated ones are not listed.
`, reached, all, 100*reached/all)
	return []byte(head + rows.String()), nil
}

// namesakesFirst puts functions and methods of this name before others.
func namesakesFirst(symbols []string, name string) []string {
	others := func(symbol string) int {
		if symbol == name || strings.HasSuffix(symbol, "."+name) {
			return 0
		}
		return 1
	}
	symbols = slices.Clone(symbols)
	slices.SortStableFunc(symbols, func(a, b string) int { return others(a) - others(b) })
	return symbols
}

// why is the reason of a function, and the name or pattern that it stands under: an exact name comes before a pattern.
func why(function string, reasons map[string]string) (pattern, reason string) {
	if reason, exact := reasons[function]; exact {
		return function, reason
	}
	for _, pattern := range slices.Sorted(maps.Keys(reasons)) {
		if ok, _ := path.Match(pattern, function); ok {
			return pattern, reasons[pattern]
		}
	}
	return "", ""
}
