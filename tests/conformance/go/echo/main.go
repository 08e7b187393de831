// Command echo calls every function with a library in front of MPI that answers for it (tests/conformance/echo.py): each
// reports an error once, and each argument and output is compared with what the C function was given and gave.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"mpiglot.dev/mpi/low"
)

var (
	wrong           []string
	checked, absent int
	grid            low.Comm
	topologyError   int64
	sets            = map[string]map[string]int64{} // values in Go of what may stand beside other numbers
	native          = map[string]int64{}            // constants, and the sizes of handles and of a status, of the library in use
)

func main() {
	if _, err := low.InitThread(low.ThreadMultiple); err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	if chooseAt, lastAt = find("mpiglot_echo"), find("mpiglot_echo_last"); chooseAt == nil || lastAt == nil {
		fmt.Println("the library that answers is not there: start this with tests/conformance/echo.py")
		os.Exit(2)
	}
	var err error
	if grid, err = low.CartCreate(low.CommSelf, []int{1}, []bool{true}, false); err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	table, err := os.ReadFile(os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	for line := range strings.Lines(string(table)) {
		line = strings.TrimSpace(line)
		values, is := strings.CutPrefix(line, "library ")
		if set, ofSet := strings.CutPrefix(line, "set "); ofSet {
			learnSet(set)
		} else if !is {
			newCall(line).check()
		} else if values, is := strings.CutPrefix(values, low.Constants()+" "); is {
			learn(values)
		}
	}
	choose("", 0, "", nil)
	if err := low.Finalize(); err != nil {
		wrong = append(wrong, err.Error())
	}
	for _, what := range wrong {
		fmt.Println("WRONG: " + what)
	}
	fmt.Printf("echo go with %s:\n", low.Constants())
	fmt.Printf("%d passed, %d failed, %d skipped\n", max(0, checked-len(wrong)), len(wrong), absent)
	if len(wrong) > 0 {
		low.Exit(1)
	}
}

func learnSet(line string) {
	name, values, _ := strings.Cut(line, " ")
	sets[name] = map[string]int64{}
	for _, pair := range strings.Fields(values) {
		constant, value, _ := strings.Cut(pair, "=")
		sets[name][constant] = int64(number(value))
	}
}

func learn(values string) {
	for _, pair := range strings.Fields(values) {
		name, value, _ := strings.Cut(pair, "=")
		if n, err := strconv.ParseInt(value, 10, 64); err == nil {
			native[name] = n
		}
	}
	topologyError = native["MPI_ERR_TOPOLOGY"]
}
