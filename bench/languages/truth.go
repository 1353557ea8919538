//go:build ignore

// What go/types says that the calls of a module lead to: `go run truth.go FOLDER`. A line of `call` is the file and line of a
// call, the file and line of what it runs, its name, and whether that has a body; one of `make` is a value written out of a type
// of the module; one of `unsure` a call of which go/types knows nothing, because what it hangs on is not in the folder; one of
// `file` a file that was looked at, since what build tags leave out is not. What leads out of the folder is in none of them.
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

var (
	root   string
	module string
	fset   = token.NewFileSet()
	std    = importer.ForCompiler(fset, "source", nil)
	known  = map[string]*types.Package{}
	out    = bufio.NewWriter(os.Stdout)
)

func main() {
	root, _ = filepath.EvalSymlinks(os.Args[1])
	if text, err := os.ReadFile(filepath.Join(root, "go.mod")); err == nil {
		module = regexp.MustCompile(`(?m)^module\s+(\S+)`).FindStringSubmatch(string(text))[1]
	}
	var folders []string
	filepath.Walk(root, func(at string, info os.FileInfo, err error) error {
		if err == nil && info.IsDir() {
			folders = append(folders, at)
		}
		return nil
	})
	for _, folder := range folders {
		files := parse(folder, true)
		for _, name := range packagesIn(files) {
			check(folder, files[name], true)
		}
	}
	out.Flush()
}

// parse reads the files of a folder that this machine would build, by the name of their package.
func parse(folder string, withTests bool) map[string][]*ast.File {
	found := map[string][]*ast.File{}
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || (!withTests && strings.HasSuffix(name, "_test.go")) {
			continue
		}
		if fits, err := build.Default.MatchFile(folder, name); err != nil || !fits {
			continue
		}
		file, _ := parser.ParseFile(fset, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
		if file != nil {
			found[file.Name.Name] = append(found[file.Name.Name], file)
		}
	}
	return found
}

func packagesIn(files map[string][]*ast.File) []string {
	var names []string
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

type tolerant struct{}

// Import gives what is in the folder or comes with Go, and an empty package for anything else.
func (tolerant) Import(wanted string) (*types.Package, error) {
	if found, ok := known[wanted]; ok {
		return found, nil
	}
	empty := types.NewPackage(wanted, path.Base(wanted))
	empty.MarkComplete()
	known[wanted] = empty
	if wanted == module || strings.HasPrefix(wanted, module+"/") {
		folder := filepath.Join(root, strings.TrimPrefix(wanted, module))
		for _, files := range parse(folder, false) {
			known[wanted] = check(folder, files, false)
		}
	} else if !strings.Contains(strings.Split(wanted, "/")[0], ".") {
		if found, err := std.Import(wanted); err == nil {
			known[wanted] = found
		}
	}
	return known[wanted], nil
}

func check(folder string, files []*ast.File, isPrinted bool) *types.Package {
	info := &types.Info{
		Uses:       map[*ast.Ident]types.Object{},
		Types:      map[ast.Expr]types.TypeAndValue{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	config := types.Config{Importer: tolerant{}, FakeImportC: true, Error: func(error) {}}
	within, _ := filepath.Rel(root, folder)
	found, _ := config.Check(path.Join(module, filepath.ToSlash(within)), fset, files, info)
	if !isPrinted {
		return found
	}
	for _, file := range files {
		name, _ := place(file.Pos())
		fmt.Fprintf(out, "file\t%s\n", name)
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.CallExpr:
				sayCall(info, node)
			case *ast.CompositeLit:
				if named, ok := info.Types[node].Type.(*types.Named); ok {
					say("make", node.Pos(), named.Obj(), "")
				}
			}
			return true
		})
	}
	return found
}

func sayCall(info *types.Info, call *ast.CallExpr) {
	callee := call.Fun
	for {
		inner, ok := callee.(*ast.ParenExpr)
		if !ok {
			break
		}
		callee = inner.X
	}
	switch indexed := callee.(type) {
	case *ast.IndexExpr:
		callee = indexed.X
	case *ast.IndexListExpr:
		callee = indexed.X
	}
	var name *ast.Ident
	switch callee := callee.(type) {
	case *ast.Ident:
		name = callee
	case *ast.SelectorExpr:
		name = callee.Sel
	default:
		return
	}
	switch object := info.Uses[name].(type) {
	case nil:
		file, line := place(name.Pos())
		fmt.Fprintf(out, "unsure\t%s\t%d\t\t0\t%s\t\n", file, line, name.Name)
	case *types.Func:
		receiver := object.Type().(*types.Signature).Recv()
		if receiver != nil && types.IsInterface(receiver.Type()) {
			say("call", name.Pos(), object, "")
		} else {
			say("call", name.Pos(), object, "body")
		}
	case *types.Var:
		// What a variable of a package or a field holds runs; which function that is, nobody can tell.
		if object.IsField() || object.Parent() == object.Pkg().Scope() {
			say("call", name.Pos(), object, "")
		}
	}
}

func say(kind string, at token.Pos, to types.Object, body string) {
	toFile, toLine := place(to.Pos())
	if toFile == "" {
		return
	}
	file, line := place(at)
	fmt.Fprintf(out, "%s\t%s\t%d\t%s\t%d\t%s\t%s\n", kind, file, line, toFile, toLine, to.Name(), body)
}

func place(at token.Pos) (string, int) {
	position := fset.Position(at)
	within, err := filepath.Rel(root, position.Filename)
	if !at.IsValid() || err != nil || strings.HasPrefix(within, "..") {
		return "", 0
	}
	return filepath.ToSlash(within), position.Line
}
