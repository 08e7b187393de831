// Mpiglot-gen-rust is a generator for mpiglot that is no part of mpiglot: it reads a request as
// JSON on standard input and answers, as JSON on standard output, with a Rust crate that declares
// one MPI's types, constants and functions. docs/guide/plugins.md of mpiglot describes the protocol.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

const protocol = 1

// Request is what this generator needs of a request; the rest is ignored.
type Request struct {
	Protocol   int                  `json:"protocol"`
	Target     *string              `json:"target"`
	Options    map[string]string    `json:"options"`
	Plan       Plan                 `json:"plan"`
	Blueprints map[string]Blueprint `json:"blueprints"`
}

// Plan says which functions are wanted.
type Plan struct {
	Functions []struct {
		Name     string `json:"name"`
		Large    string `json:"large"`
		Decision string `json:"decision"`
	} `json:"functions"`
}

// Blueprint is what one MPI has.
type Blueprint struct {
	MPI struct {
		Vendor   string `json:"vendor"`
		Version  string `json:"version"`
		Standard string `json:"standard"`
	} `json:"mpi"`
	Types     []Type     `json:"types"`
	Constants []Constant `json:"constants"`
	Functions []Function `json:"functions"`
	Callbacks []Function `json:"callbacks"`
}

// Type is one C type.
type Type struct {
	Name       string  `json:"name"`
	Kind       string  `json:"kind"`
	Size       int     `json:"size"`
	Alignment  int     `json:"alignment"`
	Underlying string  `json:"underlying"`
	Signed     *bool   `json:"signed"`
	Handle     bool    `json:"handle"`
	Fields     []Field `json:"fields"`
}

// Field is one field of a struct.
type Field struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Offset int    `json:"offset"`
	Size   int    `json:"size"`
}

// Constant is one named constant.
type Constant struct {
	Name   string          `json:"name"`
	Class  string          `json:"class"`
	Type   string          `json:"type"`
	Value  json.RawMessage `json:"value"`
	Symbol string          `json:"symbol"`
	Access string          `json:"access"`
	Links  *bool           `json:"links"`
}

// Function is a C prototype; callbacks have the same form.
type Function struct {
	Name       string      `json:"name"`
	Returns    string      `json:"returns"`
	Parameters []Parameter `json:"parameters"`
	Variadic   bool        `json:"variadic"`
	Status     string      `json:"status"`
	Macro      string      `json:"macro"`
	Doc        string      `json:"doc"`
}

// Parameter is one parameter.
type Parameter struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// Response is the answer.
type Response struct {
	Protocol int      `json:"protocol"`
	Files    []File   `json:"files"`
	Warnings []string `json:"warnings"`
}

// File is one generated file.
type File struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	var request Request
	if err := json.NewDecoder(in).Decode(&request); err != nil {
		return fmt.Errorf("the request is no JSON this generator understands: %w", err)
	}
	if request.Protocol != protocol {
		return fmt.Errorf("the request has protocol %d, this generator speaks %d", request.Protocol, protocol)
	}
	if request.Target == nil {
		return fmt.Errorf("Rust declarations are for one MPI: give --target or --blueprint")
	}
	blueprint, known := request.Blueprints[*request.Target]
	if !known {
		return fmt.Errorf("the request holds no blueprint of %s", *request.Target)
	}
	return json.NewEncoder(out).Encode(generate(blueprint, request.Plan, request.Options["crate"]))
}
