//go:build cgo

package low

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A launcher is the program that started this process and belongs to an MPI.
type launcher struct {
	family string // "hydra" (MPICH, Intel MPI) or "ompi"; "" if unknown
	prefix string // where its installation is; "" if unknown
	size   int    // how many processes it says there are; 0 if it does not say
}

// Variables that launchers set, and the file names of the libraries that belong to them.
var (
	sizeVariables = []struct{ family, name, rank string }{
		{"ompi", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
		{"hydra", "PMI_SIZE", "PMI_RANK"},
	}
	launcherNames = []struct{ family, prefix string }{
		{"hydra", "hydra_"}, {"hydra", "mpiexec.hydra"}, {"hydra", "mpiexec.mpich"}, {"hydra", "mpiexec.gforker"},
		{"ompi", "orte"}, {"ompi", "prte"}, {"ompi", "mpiexec.openmpi"},
	}
	mpichNames = []string{"libmpi.so.12", "libmpich.so.12"}
	ompiNames  = []string{"libmpi.so.40"}
	abiNames   = []string{"libmpi_abi.so.1", "libmpi_abi.so.0"}
	otherNames = []string{"libmpi.so"}
	fileNames  = map[string][]string{
		"hydra": slices.Concat(mpichNames, abiNames),
		"ompi":  slices.Concat(ompiNames, abiNames),
	}
	// An installation's own library comes first; the loader is asked for the one that is the same everywhere.
	folderNames = slices.Concat(mpichNames, ompiNames, otherNames, abiNames)
	loaderNames = slices.Concat([]string{"libmpi_abi.so.0", "libmpi_abi.so.1"}, mpichNames, ompiNames, otherNames)
	folders     = []string{"lib", "lib64", "lib/release", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu", "."}
)

// findLauncher looks at the environment and at the processes above this one.
func findLauncher() launcher {
	var l launcher
	for _, v := range sizeVariables {
		if n, err := strconv.Atoi(os.Getenv(v.name)); err == nil && n > 0 {
			l.family, l.size = v.family, n
			break
		}
	}
	if l.family == "" {
		return l
	}
	for pid := os.Getppid(); pid > 1; pid = parent(pid) {
		exe, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/exe")
		if err == nil && launcherFamily(filepath.Base(exe)) == l.family {
			l.prefix = filepath.Dir(filepath.Dir(exe))
			return l
		}
	}
	return l
}

func launcherFamily(name string) string {
	for _, l := range launcherNames {
		if strings.HasPrefix(name, l.prefix) {
			return l.family
		}
	}
	return ""
}

// parent is the parent of a process, 0 if it cannot be told.
func parent(pid int) int {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	text := string(data)
	rest := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(rest) < 2 {
		return 0
	}
	n, _ := strconv.Atoi(rest[1])
	return n
}

// A candidate is a library to try, and why.
type candidate struct{ path, why string }

// candidates lists the libraries to try, in order. A choice that was made is the only one.
func candidates(choice string, l launcher) ([]candidate, error) {
	why := "chosen by the program"
	if choice == "" {
		choice, why = os.Getenv("MPIGLOT_MPI"), "MPIGLOT_MPI"
	}
	if choice != "" {
		if info, err := os.Stat(choice); err != nil || !info.IsDir() {
			return []candidate{{choice, why}}, nil
		}
		list := inFolder(choice, folderNames, why)
		if len(list) == 0 {
			return nil, fmt.Errorf("there is no MPI library in the folder %s (%s): looked for %s in its %s; name the library itself",
				choice, why, strings.Join(folderNames, ", "), strings.Join(folders, ", "))
		}
		return list, nil
	}
	var list []candidate
	names := fileNames[l.family]
	if l.prefix != "" {
		list = inFolder(l.prefix, names, "beside the launcher")
	}
	for _, name := range names {
		list = append(list, candidate{name, "the launcher's family"})
	}
	for _, name := range loaderNames {
		list = append(list, candidate{name, "the loader's name"})
	}
	return list, nil
}

// inFolder lists the libraries of an installation that are there.
func inFolder(folder string, names []string, why string) []candidate {
	var list []candidate
	for _, sub := range folders {
		for _, name := range names {
			path := filepath.Join(folder, sub, name)
			if _, err := os.Stat(path); err == nil {
				list = append(list, candidate{path, why})
			}
		}
	}
	return list
}
