package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"sort"
	"unsafe"
	"weak"

	"mpiglot.dev/mpi/low"
)

const (
	longest = 24
	large   = 1 << 33
)

// arguments are what a function is given, no two alike, and what C must see of them.
type arguments struct {
	values []reflect.Value
	want   map[int][]int64      // by parameter: what C must see in an array
	weak   []weak.Pointer[byte] // buffers
}

// arguments makes what a function is given; one parameter may be too large for a C int, or the last element of an array.
func (c *call) arguments(wide int) *arguments {
	t := c.function.Type()
	a := &arguments{want: map[int][]int64{}}
	flags, comms := 0, 0
	for k := range t.NumIn() {
		kind, s := t.In(k), c.slotOf(k)
		var v reflect.Value
		switch {
		case kind.Kind() == reflect.Bool:
			v = reflect.ValueOf(flags%2 == 0)
			flags++
		case kind == reflect.TypeFor[low.Comm]():
			v = reflect.ValueOf([]low.Comm{grid, low.CommWorld}[min(comms, 1)])
			comms++
		case kind.Kind() == reflect.Int:
			v = reflect.ValueOf(c.number(k, s, wide)).Convert(kind)
		default:
			v = c.object(a, kind, k, s, wide)
		}
		a.values = append(a.values, v)
	}
	return a
}

// put sets a number, or the last of an array; it tells if there is one.
func (a *arguments) put(place, n int) bool {
	switch v := a.values[place]; v.Kind() {
	case reflect.Slice:
		if v.Len() == 0 || v.Type().Elem().Kind() != reflect.Int {
			return false
		}
		v.Index(v.Len() - 1).SetInt(int64(n))
	case reflect.Pointer:
		v.Elem().SetInt(int64(n))
	case reflect.Int:
		a.values[place] = reflect.ValueOf(n).Convert(v.Type())
	default:
		return false
	}
	return true
}

func (c *call) slotOf(k int) slot {
	for _, s := range c.slots {
		if s.place == k && (s.kind == "number" || s.kind == "given" || s.kind == "array") {
			return s
		}
	}
	return slot{}
}

func (c *call) number(k int, s slot, wide int) int {
	_, known := native[s.constant]
	switch {
	case k == wide:
		return large + k
	case s.constant != "" && known:
		return int(s.value)
	}
	return k + 8
}

func (c *call) object(a *arguments, kind reflect.Type, k int, s slot, wide int) reflect.Value {
	switch kind {
	case reflect.TypeFor[low.Buffer]():
		memory := make([]byte, 64)
		a.weak = append(a.weak, weak.Make(&memory[0]))
		return reflect.ValueOf(low.At(unsafe.Pointer(&memory[0])))
	case reflect.TypeFor[unsafe.Pointer]():
		memory := make([]byte, 64)
		return reflect.ValueOf(unsafe.Pointer(&memory[0]))
	case reflect.TypeFor[string]():
		return reflect.ValueOf(text(k))
	case reflect.TypeFor[*low.Status]():
		status := statusOf(k)
		return reflect.ValueOf(&status)
	case reflect.TypeFor[*int]():
		n := c.element(a, k, 0, s, wide)
		return reflect.ValueOf(&n)
	case reflect.TypeFor[[][3]int]():
		a.want[k] = []int64{int64(1000 * k), 1, 2, 3, 4, 5}
		return reflect.ValueOf([][3]int{{1000 * k, 1, 2}, {3, 4, 5}})
	}
	switch kind.Kind() {
	case reflect.Func:
		return reflect.MakeFunc(kind, func([]reflect.Value) []reflect.Value { panic("MPI is not called") })
	case reflect.Pointer: // of a handle
		v := reflect.New(kind.Elem())
		v.Elem().SetUint(uint64(0x70 + k))
		if kind == reflect.TypeFor[*low.Comm]() {
			v.Elem().SetUint(uint64(grid))
		}
		return v
	case reflect.Slice:
		length := c.length(k)
		v := reflect.MakeSlice(kind, length, length)
		for i := range length {
			c.fill(a, v.Index(i), k, i, s, wide)
		}
		return v
	case reflect.Uintptr, reflect.Uint64:
		return reflect.ValueOf(0x70 + k).Convert(kind)
	}
	panic(fmt.Sprintf("%s: no value for %s", c.line, kind))
}

func (c *call) fill(a *arguments, v reflect.Value, k, i int, s slot, wide int) {
	switch v.Kind() {
	case reflect.Int:
		v.SetInt(int64(c.element(a, k, i, s, wide)))
	case reflect.Bool:
		flag := (k+i)%2 == 0
		v.SetBool(flag)
		a.want[k] = append(a.want[k], map[bool]int64{true: 1}[flag])
	case reflect.String:
		v.SetString(text(k))
	case reflect.Slice: // of texts
		v.Set(reflect.ValueOf([]string{text(k)}))
	case reflect.Uint64:
		v.SetUint(uint64(element(k, i)))
		a.want[k] = append(a.want[k], int64(element(k, i)))
	default:
		v.Set(reflect.ValueOf(statusOf(k)))
	}
}

// element is one number of an array; C sees a constant of its own where there is one.
func (c *call) element(a *arguments, k, i int, s slot, wide int) int {
	n := element(k, i)
	want := int64(n)
	if own, known := native[s.constant]; s.constant != "" && known {
		n, want = int(s.value), own
	}
	if k == wide && i == c.length(k)-1 {
		n, want = large+k, int64(large+k)
	}
	a.want[k] = append(a.want[k], want)
	return n
}

// element is small, since the elements of some arrays are lengths of others.
func element(k, i int) int { return 10*(k+1) + i%8 }

func text(k int) string { return fmt.Sprintf("text %d", k) }

func (c *call) length(k int) int {
	rule, known := c.lengths[k]
	many := false
	t := c.function.Type()
	for i := range t.NumIn() {
		many = many || t.In(i) == reflect.TypeFor[[]low.Status]() || t.In(i) == reflect.TypeFor[[][3]int]()
	}
	switch {
	case !known, slices.Contains([]string{"1", "comm_size", "local_size", "cartdim"}, rule):
		return 1
	case rule == "indegree", rule == "outdegree":
		return 2
	case rule == "sum", rule == "last":
		return 50 * longest
	case many:
		return 1
	}
	var rules []string
	for _, one := range c.lengths {
		if !slices.Contains(rules, one) {
			rules = append(rules, one)
		}
	}
	sort.Strings(rules)
	return longest + slices.Index(rules, rule)
}

func statusOf(k int) (status low.Status) {
	words := (*[unsafe.Sizeof(status)]byte)(unsafe.Pointer(&status))
	for i := range words {
		words[i] = byte(k + 1)
	}
	return status
}

// ------------------------------------------------------------------ what was passed

// passed compares an argument of the C function with what Go's was given.
func (c *call) passed(i int, s slot, twin bool, given *arguments) {
	word, memory := last().Words[i], last().Memory[i][:]
	isAddress := word > lowest
	right := true
	switch s.kind {
	case "number":
		want := given.values[s.place].Int()
		if own, known := native[s.constant]; s.constant != "" && known && want == s.value {
			want = own
		}
		right = narrowed(word, s.letter(twin)) == want
	case "length":
		right = int(int32(word)) == given.values[s.place].Len()
	case "given":
		right = c.given(word, memory, s, twin, given.values[s.place])
	case "array":
		right = isAddress && (s.way == "out" || c.array(i, memory, s, twin, given))
	case "result", "text", "flag", "size":
		right = isAddress
	}
	if !right {
		c.wrong("argument %d was passed as %#x (%x)", i, word, memory[:32])
	}
}

func narrowed(word uint64, letter string) int64 {
	if letter == "i" {
		return int64(int32(word))
	}
	return int64(word)
}

func (c *call) given(word uint64, memory []byte, s slot, twin bool, v reflect.Value) bool {
	letter := s.letter(twin)
	switch value := v.Interface().(type) {
	case bool:
		return int32(word) == map[bool]int32{true: 1}[value]
	case low.Buffer:
		return word == uint64(uintptr(*(*unsafe.Pointer)(unsafe.Pointer(&value))))
	case unsafe.Pointer:
		return word == uint64(uintptr(value))
	case string:
		return bytes.HasPrefix(memory, append([]byte(value), 0))
	case *low.Status:
		if s.way == "out" {
			return word > lowest
		}
		want := statusOf(s.place)
		own := (*[unsafe.Sizeof(want)]byte)(unsafe.Pointer(&want))[:native["Status"]]
		return bytes.HasPrefix(memory, own)
	}
	switch v.Kind() {
	case reflect.Func:
		return word != 0
	case reflect.Pointer:
		want := int64(0x70 + s.place)
		if v.Type() == reflect.TypeFor[*low.Comm]() {
			want = narrowed(uint64(grid), letter)
		}
		return word > lowest && (s.way == "out" || elementAt(memory, 0, letter) == want)
	case reflect.Uint64, reflect.Uintptr:
		return narrowed(word, letter) == narrowed(v.Uint(), letter)
	}
	panic(fmt.Sprintf("%s: nothing is known of %s", c.line, v.Type()))
}

func elementAt(memory []byte, i int, letter string) int64 {
	if letter == "i" {
		return int64(int32(binary.NativeEndian.Uint32(memory[4*i:])))
	}
	return int64(binary.NativeEndian.Uint64(memory[8*i:]))
}

// array compares as much as the library has kept of an array.
func (c *call) array(i int, memory []byte, s slot, twin bool, given *arguments) bool {
	switch given.values[s.place].Interface().(type) {
	case []string:
		return isText(last().Texts[i][0][:], s.place)
	case [][]string:
		return isText(last().Texts[i][1][:], s.place)
	case []low.Status:
		want := statusOf(s.place)
		return s.way == "inout" || bytes.HasPrefix(memory, (*[unsafe.Sizeof(want)]byte)(unsafe.Pointer(&want))[:native["Status"]])
	}
	return agrees(memory, given.want[s.place], s.letter(twin))
}

func isText(memory []byte, k int) bool { return bytes.HasPrefix(memory, append([]byte(text(k)), 0)) }

func agrees(memory []byte, want []int64, letter string) bool {
	each := 8
	if letter == "i" {
		each = 4
	}
	for i := range min(len(want), len(memory)/each) {
		if elementAt(memory, i, letter) != want[i] {
			return false
		}
	}
	return len(want) > 0
}

// ------------------------------------------------------------------ what came back

func same(got reflect.Value, want int64) bool {
	switch got.Kind() {
	case reflect.Bool:
		return got.Bool() == (want != 0)
	case reflect.Int:
		return got.Int() == want
	case reflect.Uint64, reflect.Uintptr:
		return int64(got.Uint()) == want
	case reflect.Float64:
		return got.Float() == float64(want)
	}
	return false
}

// changed tells whether what the caller passed has the first element that the library wrote.
func changed(v reflect.Value, want int64) bool {
	switch value := v.Interface().(type) {
	case *low.Status:
		return *(*int64)(unsafe.Pointer(value)) == want
	case []low.Status:
		return *(*int64)(unsafe.Pointer(&value[0])) == want
	}
	if v.Kind() == reflect.Pointer {
		return same(v.Elem(), want)
	}
	return same(v.Index(0), want)
}

// ------------------------------------------------------------------ what is kept

// keptUntilCompletion sees that what an operation that goes on may still use stays where it is, until its request is
// complete and no longer: arrays that C was given, and the buffers, which nothing else refers to any more.
func (c *call) keptUntilCompletion(request low.Request, twin bool, given *arguments, pending int) {
	words := last().Words
	given.values = nil
	for range 2 {
		runtime.GC()
		scribble()
		rubbish()
	}
	keeps := len(given.weak)
	for i, s := range c.slots {
		want := given.want[s.place]
		if s.kind != "array" || s.way != "in" || len(want) == 0 {
			continue
		}
		keeps++
		if memory := memoryAt(words[i], min(8*len(want), seen)); !agrees(memory, want, s.letter(twin)) {
			c.wrong("argument %d, an array, is not kept", i)
		}
	}
	for i, w := range given.weak {
		if w.Value() == nil {
			c.wrong("buffer %d is not kept", i)
		}
	}
	if held := low.Pending() - pending; keeps > 0 && held != 1 {
		c.wrong("%d more operations are held", held)
	}
	letter := slot{letters: [2]string{"hRequest", "hRequest"}}.letter(false)
	choose("MPI_Wait", 0, letter, []uint64{uint64(low.RequestNull)})
	if err := low.Wait(&request, nil); err != nil || request != low.RequestNull || low.Pending() != pending {
		c.wrong("completing it left %d more operations: %v", low.Pending()-pending, err)
	}
	runtime.GC()
	for i, w := range given.weak {
		if w.Value() != nil {
			c.wrong("buffer %d is kept for ever", i)
		}
	}
}

// What MPI works on after the call: until another call completes the access or the window, file, session or process ends.
var isKept = regexp.MustCompile(`^MPIX?_((Put|Get)(_notify)?|(Get_)?[Aa]ccumulate|Fetch_and_op|Compare_and_swap|File_\w+_begin|Win_create|Win_attach|(\w+_)?[Bb]uffer_attach|\w+_attach_buffer)$`)

// keptOrNot sees that the buffers of such calls stay, and those of others do not.
func (c *call) keptOrNot(given *arguments) {
	window, file := low.WinNull, low.FileNull
	for _, v := range given.values {
		switch handle := v.Interface().(type) {
		case low.Win:
			window = handle
		case low.File:
			file = handle
		}
	}
	given.values = nil
	expected := isKept.MatchString(c.first())
	for range 2 {
		runtime.GC()
		for i, w := range given.weak {
			if kept := w.Value() != nil; kept != expected {
				c.wrong("that buffer %d is kept is %t", i, kept)
			}
		}
		switch letter := (slot{letters: [2]string{"hWin", "hWin"}}).letter(false); {
		case !expected:
			return
		case window != low.WinNull:
			choose("MPI_Win_free", 0, letter, []uint64{uint64(low.WinNull)})
			_ = low.WinFree(&window)
		case file != low.FileNull:
			choose("MPI_File_close", 0, "l", []uint64{uint64(low.FileNull)})
			_ = low.FileClose(&file)
		default:
			return
		}
		expected = false
	}
}

// rubbish overwrites Go memory that has become free.
func rubbish() {
	for length := 1; length <= 64; length++ {
		for range 8 {
			sink = slices.Repeat([]uint64{^uint64(0)}, length)
		}
	}
	sink = nil
}

var sink []uint64
