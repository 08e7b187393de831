package main

import (
	"fmt"
	"regexp"
	"strings"
)

// translator turns C types into Rust types, for the types one blueprint has.
type translator struct {
	types     map[string]Type
	callbacks map[string]bool
}

func newTranslator(b Blueprint) translator {
	t := translator{map[string]Type{}, map[string]bool{}}
	for _, one := range b.Types {
		t.types[one.Name] = one
	}
	for _, one := range b.Constants {
		if one.Class == "type" {
			t.types[one.Name] = Type{Name: one.Name, Kind: "integer", Underlying: one.Type}
		}
	}
	for _, one := range b.Callbacks {
		t.callbacks[one.Name] = true
	}
	return t
}

var scalars = map[string]string{
	"void": "c_void", "char": "c_char", "signed char": "c_schar", "unsigned char": "c_uchar",
	"short": "c_short", "unsigned short": "c_ushort", "int": "c_int", "unsigned int": "c_uint",
	"unsigned": "c_uint", "long": "c_long", "unsigned long": "c_ulong", "long long": "c_longlong",
	"unsigned long long": "c_ulonglong", "float": "c_float", "double": "c_double",
	"size_t": "usize", "ssize_t": "isize", "int8_t": "i8", "uint8_t": "u8", "int16_t": "i16",
	"uint16_t": "u16", "int32_t": "i32", "uint32_t": "u32", "int64_t": "i64", "uint64_t": "u64",
	"intptr_t": "isize", "uintptr_t": "usize", "_Bool": "bool",
}

var (
	words = regexp.MustCompile(`\b(const|volatile|restrict|__restrict|struct|enum|union)\b`)
	space = regexp.MustCompile(`\s+`)
	array = regexp.MustCompile(`\[(\w*)\]`)
)

// parameter is the type of a parameter: an array there is a pointer to its elements.
func (t translator) parameter(c string) (string, error) {
	sizes := array.FindAllStringSubmatch(c, -1)
	if len(sizes) == 0 {
		return t.value(c)
	}
	element, err := t.value(c[:strings.Index(c, "[")])
	if err != nil {
		return "", err
	}
	for i := len(sizes) - 1; i > 0; i-- {
		element = fmt.Sprintf("[%s; %s]", element, sizes[i][1])
	}
	return pointer(isConst(c)) + element, nil
}

// value is the type of a result, a parameter without brackets, or a field.
func (t translator) value(c string) (string, error) {
	stars := strings.Count(c, "*")
	base := strings.TrimSpace(space.ReplaceAllString(
		strings.ReplaceAll(words.ReplaceAllString(c, " "), "*", " "), " "))
	rust, err := t.named(base)
	if err != nil {
		return "", err
	}
	if t.callbacks[base] {
		if stars > 0 {
			stars--
		}
		rust = "Option<" + rust + ">"
	}
	for i := 0; i < stars; i++ {
		rust = pointer(i == 0 && isConst(c)) + rust
	}
	return rust, nil
}

func (t translator) named(base string) (string, error) {
	if rust, ok := scalars[base]; ok {
		return rust, nil
	}
	if t.callbacks[base] {
		return base, nil
	}
	if _, ok := t.types[base]; ok {
		return base, nil
	}
	return "", fmt.Errorf("the type %s is not in the blueprint", base)
}

func isConst(c string) bool {
	star := strings.Index(c, "*")
	if star < 0 {
		star = len(c)
	}
	return strings.Contains(" "+c[:star]+" ", "const ")
}

func pointer(constant bool) string {
	if constant {
		return "*const "
	}
	return "*mut "
}

// integer is the Rust integer of a size and sign.
func integer(size int, signed bool) string {
	letter := "u"
	if signed {
		letter = "i"
	}
	return fmt.Sprintf("%s%d", letter, 8*size)
}

var keywords = map[string]bool{
	"as": true, "break": true, "const": true, "continue": true, "crate": true, "dyn": true,
	"else": true, "enum": true, "extern": true, "false": true, "fn": true, "for": true, "if": true,
	"impl": true, "in": true, "let": true, "loop": true, "match": true, "mod": true, "move": true,
	"mut": true, "pub": true, "ref": true, "return": true, "static": true, "struct": true,
	"super": true, "trait": true, "true": true, "type": true, "unsafe": true, "use": true,
	"where": true, "while": true, "async": true, "await": true, "box": true, "final": true,
	"override": true, "macro": true, "try": true, "typeof": true, "virtual": true, "yield": true,
}

// identifier is a parameter's name as Rust takes it.
func identifier(name string) string {
	if name == "self" || name == "Self" || name == "_" || name == "" {
		return name + "_"
	}
	if keywords[name] {
		return "r#" + name
	}
	return name
}
