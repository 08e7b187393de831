package main

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"mpiglot.dev/mpi/low"
)

// A slot is what becomes of one argument of the C function.
type slot struct {
	kind     string // number, given, array, length, text, result, flag, size or any
	place    int    // which parameter, or which result
	letters  [2]string
	way      string // in, out, inout, at
	constant string // a named value for this place, "" if there is none
	value    int64  // its value in Go
	set      string // which named values may stand there, "" if any number may
}

// A call is one line of the table: a function, the C function, and what becomes of each of the latter's arguments.
type call struct {
	line         string
	name         string
	function     reflect.Value
	small, large string
	kind         string
	always       bool // the twin is taken whatever the values
	lengths      map[int]string
	slots        []slot
}

// small is that no parameter is too large for a C int.
const small = -1

// Who asks for classes and texts of errors gets an error.
var noClass = map[string]bool{"MPI_Error_class": true, "MPI_Error_string": true}

func newCall(line string) *call {
	head, tail, _ := strings.Cut(line, "|")
	words := strings.Fields(head)
	c := &call{line: line, name: words[1], small: words[3], large: words[4], kind: words[5], always: words[6] == "always", lengths: map[int]string{}}
	c.function = reflect.ValueOf(functions[c.name])
	for _, pair := range words[7:] {
		place, rule, _ := strings.Cut(pair, "=")
		c.lengths[number(place)] = rule
	}
	for _, word := range strings.Fields(tail) {
		c.slots = append(c.slots, newSlot(strings.Split(word, ":")))
	}
	return c
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

func newSlot(fields []string) slot {
	s := slot{kind: fields[0], place: -1}
	if len(fields) > 1 {
		s.place = number(fields[1])
	}
	if len(fields) > 3 {
		s.letters = [2]string{fields[2], fields[3]}
	}
	for _, field := range fields[min(len(fields), 4):] {
		if name, value, is := strings.Cut(field, "="); is {
			s.constant, s.value = name, int64(number(value))
		} else if set, is := strings.CutPrefix(field, "of."); is {
			s.set = set
		} else {
			s.way = field
		}
	}
	return s
}

func (c *call) first() string {
	name, _, _ := strings.Cut(c.small, ",")
	return name
}

func (c *call) wrong(format string, arguments ...any) {
	wrong = append(wrong, c.line+": "+fmt.Sprintf(format, arguments...))
}

func (c *call) check() {
	if c.first() == "MPI_Init" || c.first() == "MPI_Init_thread" {
		return
	}
	both := c.small
	if c.large != "-" {
		both += "," + c.large
	}
	if choose(both, 0, "", nil) == 0 {
		absent++
		return
	}
	c.fail(both)
	if c.first() == "MPI_Finalize" {
		return
	}
	hasLarge := c.large != "-" && choose(c.large, 0, "", nil) > 0
	hasSmall := choose(c.small, 0, "", nil) > 0
	c.succeed(both, small, c.always && hasLarge || !hasSmall, false)
	for _, s := range c.slots {
		if s.grows() {
			c.succeed(both, s.place, true, !hasLarge)
		}
	}
	c.refuse(both)
	c.refuseStrangers(both)
	c.marks(both)
}

// grows tells whether an argument may have more than 32 bits, and is passed to the twin then.
func (s slot) grows() bool {
	return s.letters == [2]string{"i", "l"} && (s.kind == "number" || s.kind == "array" && s.way == "in")
}

func (c *call) call(arguments []reflect.Value) (results []reflect.Value, err error) {
	checked++
	defer func() {
		if what := recover(); what != nil {
			err = fmt.Errorf("a panic: %v", what)
		}
	}()
	results = c.function.Call(arguments)
	if n := len(results); n > 0 && c.function.Type().Out(n-1) == reflect.TypeFor[error]() {
		err, _ = results[n-1].Interface().(error)
	}
	return results, err
}

// ------------------------------------------------------------------ errors

func (c *call) fail(both string) {
	if c.kind == "value" {
		return
	}
	before := low.Pending()
	given := c.arguments(small)
	choose(both, topologyError, "", nil)
	_, err := c.call(given.values)
	var e *low.Error
	switch {
	case !errors.As(err, &e):
		c.wrong("MPI reported an error, but there was %v", err)
	case e.Function != c.first() || e.Class != low.ErrTopology && !noClass[c.first()] || e.Code != int(topologyError):
		c.wrong("the error is %v of code %d and %s", err, e.Code, e.Function)
	case last().Times != 1 && !noClass[c.first()]:
		c.wrong("it was called %d times", last().Times)
	case low.Pending() != before:
		c.wrong("memory is held although nothing goes on")
	}
	given.values = nil
	runtime.GC()
	for i, w := range given.weak {
		if w.Value() != nil {
			c.wrong("buffer %d of a call that failed is kept", i)
		}
	}
}

// refuse gives numbers of more than 32 bits where no function takes them.
func (c *call) refuse(both string) {
	for i, s := range c.slots {
		if s.letters != [2]string{"i", "i"} || s.kind != "number" && (s.kind != "array" || s.way == "out") {
			continue
		}
		given := c.arguments(small)
		if !given.put(s.place, large) {
			continue
		}
		choose(both, 0, "", nil)
		if _, err := c.call(given.values); last().Called >= 0 || !errors.Is(err, low.ErrRange) && !errors.Is(err, low.ErrLength) {
			c.wrong("argument %d of 33 bits gave %v", i, err)
		}
	}
}

// refuseStrangers gives numbers below zero that mean something to the library and nothing in Go.
func (c *call) refuseStrangers(both string) {
	for i, s := range c.slots {
		known := sets[s.set]
		if s.kind != "number" && (s.kind != "array" || s.way == "out") {
			continue
		}
		for name := range known {
			stranger := native[name]
			if stranger >= 0 || slices.Contains(slices.Collect(maps.Values(known)), stranger) {
				continue
			}
			given := c.arguments(small)
			if !given.put(s.place, int(stranger)) {
				continue
			}
			choose(both, 0, "", nil)
			if _, err := c.call(given.values); last().Called >= 0 || !errors.Is(err, low.ErrRange) && !errors.Is(err, low.ErrLength) {
				c.wrong("argument %d is %d, which is %s to the library only: %v", i, stranger, name, err)
			}
		}
	}
}

// marks gives what stands for a buffer, and for a status that is not wanted.
func (c *call) marks(both string) {
	for _, mark := range []struct {
		of    reflect.Type
		value any
		name  string
	}{
		{reflect.TypeFor[low.Buffer](), low.InPlace, "MPI_IN_PLACE"},
		{reflect.TypeFor[low.Buffer](), low.Bottom, "MPI_BOTTOM"},
		{reflect.TypeFor[*low.Status](), (*low.Status)(nil), "MPI_STATUS_IGNORE"},
		{reflect.TypeFor[[]low.Status](), []low.Status(nil), "MPI_STATUSES_IGNORE"},
	} {
		for i, s := range c.slots {
			if s.kind != "given" && s.kind != "array" || c.function.Type().In(s.place) != mark.of ||
				mark.of != reflect.TypeFor[low.Buffer]() && s.way != "out" {
				continue
			}
			given := c.arguments(small)
			given.values[s.place] = reflect.ValueOf(mark.value)
			choose(both, 0, "", nil)
			if _, err := c.call(given.values); err != nil {
				c.wrong("with %s for argument %d: %v", mark.name, i, err)
			} else if word := last().Words[i]; int64(word) != native[mark.name] {
				c.wrong("%s as argument %d was passed as %#x", mark.name, i, word)
			}
		}
	}
}

// ------------------------------------------------------------------ arguments and results

func (c *call) succeed(both string, wide int, twin, refused bool) {
	letters, values := "", make([]uint64, 0, slots)
	for i, s := range c.slots {
		letter := c.written(s, twin)
		letters += letter
		values = append(values, c.output(s, i, letter))
	}
	result := int64(0)
	if c.kind == "value" {
		result = 5000
	}
	given := c.arguments(wide)
	pending := low.Pending()
	choose(both, result, letters, values)
	got, err := c.call(given.values)
	if refused {
		if !errors.Is(err, low.ErrCount) || last().Called >= 0 {
			c.wrong("a count that does not fit ends in %v", err)
		}
		return
	}
	if err != nil {
		c.wrong("%v", err)
		return
	}
	echoed := last()
	if names := int64(strings.Count(c.small, ",") + 1); echoed.Times != 1 || (echoed.Called >= names) != twin {
		c.wrong("called was %d, %d times", echoed.Called, echoed.Times)
		return
	}
	for i, s := range c.slots {
		c.passed(i, s, twin, given)
		c.returned(i, s, values[i], given, got)
	}
	if c.kind == "value" && !same(got[0], 5000) {
		c.wrong("the result is %v", got[0])
	}
	if len(got) > 0 && got[0].Type() == reflect.TypeFor[low.Request]() && c.kind == "error" {
		c.keptUntilCompletion(got[0].Interface().(low.Request), twin, given, pending)
	} else {
		c.keptOrNot(given)
	}
}

// letter is how wide an argument is, or what it leads to: i 32 bits, l 64, d a real number, - something else.
func (s slot) letter(twin bool) string {
	own := s.letters[0]
	if twin {
		own = s.letters[1]
	}
	if handle, is := strings.CutPrefix(own, "h"); is {
		if native[handle] == 4 {
			return "i"
		}
		return "l"
	}
	return own
}

// written is what the library writes to an argument.
func (c *call) written(s slot, twin bool) string {
	switch s.kind {
	case "result":
		return s.letter(twin)
	case "text":
		return "s"
	case "flag", "size":
		return "i"
	case "array":
		if s.way == "in" {
			return "-"
		} else if c.function.Type().In(s.place) == reflect.TypeFor[[]low.Status]() {
			return "l"
		}
		return s.letter(twin)
	case "given":
		switch kind := c.function.Type().In(s.place); {
		case s.way == "in" || s.way == "at" || kind.Kind() != reflect.Pointer:
			return "-"
		case kind == reflect.TypeFor[*low.Status]():
			return "l"
		}
		return s.letter(twin)
	}
	return "-"
}

func (c *call) output(s slot, i int, letter string) uint64 {
	own, known := native[s.constant]
	switch {
	case s.kind == "flag":
		return 1
	case s.kind == "size":
		return texts
	case s.constant != "" && known && s.kind != "number":
		return uint64(own)
	case letter == "l":
		return uint64(7000+i) | 5<<32
	}
	return uint64(7000 + i)
}

// returned compares what came back with what the library wrote.
func (c *call) returned(i int, s slot, value uint64, given *arguments, got []reflect.Value) {
	expected := int64(value)
	if _, known := native[s.constant]; s.constant != "" && known {
		expected = s.value
	}
	right, what := true, reflect.Value{}
	switch s.kind {
	case "result", "flag":
		what = got[s.place]
		right = same(what, expected)
	case "text":
		what = got[s.place]
		right = what.String() == fmt.Sprintf("text %d", value)
	case "array", "given":
		if c.written(s, false) != "-" {
			what = given.values[s.place]
			right = changed(what, expected)
		}
	}
	if !right {
		c.wrong("output %d came back as %v, not %d", i, what, expected)
	}
}
