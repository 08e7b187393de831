package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A function of the package low, and the function of MPI that it is.
type function struct{ name, of string }

var isOf = regexp.MustCompile(`^(\w+) is (MPI_\w+)`)

// generated is the functions of a file of the package low.
func generated(file string) (functions []function, err error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() {
			if m := isOf.FindStringSubmatch(f.Doc.Text()); m != nil {
				functions = append(functions, function{m[1], m[2]})
			}
		}
	}
	return functions, nil
}

// A body is what a function of the package mpi uses: names of the package low, and its own unexported functions.
type body struct {
	low, own map[string]bool
}

// symbols is which exported functions and methods of the package in a folder reach each name of the package low, by
// themselves or by unexported ones.
func symbols(folder string) (map[string][]string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	exported, helpers := map[string]*body{}, map[string]*body{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			return nil, err
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				if f.Name.IsExported() {
					exported[symbol(f)] = bodyOf(f)
				} else {
					merge(helpers, f.Name.Name, bodyOf(f))
				}
			}
		}
	}
	reach := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(exported)) {
		for low := range closure(exported[name], helpers) {
			reach[low] = append(reach[low], name)
		}
	}
	return reach, nil
}

// symbol is how the documentation calls a function or method.
func symbol(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if generic, ok := t.(*ast.IndexExpr); ok {
		t = generic.X
	}
	return t.(*ast.Ident).Name + "." + f.Name.Name
}

func bodyOf(f *ast.FuncDecl) *body {
	b := &body{map[string]bool{}, map[string]bool{}}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if of, ok := n.X.(*ast.Ident); ok && of.Name == "low" {
				b.low[n.Sel.Name] = true
				return false
			}
		case *ast.Ident:
			if !n.IsExported() {
				b.own[n.Name] = true
			}
		}
		return true
	})
	return b
}

func merge(helpers map[string]*body, name string, b *body) {
	if before := helpers[name]; before != nil {
		maps.Copy(b.low, before.low)
		maps.Copy(b.own, before.own)
	}
	helpers[name] = b
}

// closure is the names of the package low that a function uses, with the unexported functions that it calls.
func closure(b *body, helpers map[string]*body) map[string]bool {
	low, seen := maps.Clone(b.low), map[string]bool{}
	left := slices.Collect(maps.Keys(b.own))
	for len(left) > 0 {
		name := left[len(left)-1]
		left = left[:len(left)-1]
		if helper := helpers[name]; helper != nil && !seen[name] {
			seen[name] = true
			maps.Copy(low, helper.low)
			left = slices.AppendSeq(left, maps.Keys(helper.own))
		}
	}
	return low
}
